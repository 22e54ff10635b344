// Ops that only rename or negate the parts of complex numbers. Plans and executors read what they do from the templates
// and move no data for them.
#pragma once

#include "math/complex_value.hpp"
#include "ops/info.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace ops {

struct Real {
  static constexpr OpInfo info{
      .name = "real", .arity = 1, .type = TypeRule::to_real, .cost = CostClass::free, .sympy = "re"};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(V a) { return a; }
  template <class V> static FRIT_INLINE V value(Complex<V> a) { return a.re; }
};

struct Imag {
  static constexpr OpInfo info{
      .name = "imag", .arity = 1, .type = TypeRule::to_real, .cost = CostClass::free, .sympy = "im"};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(V) { return V(0); }
  template <class V> static FRIT_INLINE V value(Complex<V> a) { return a.im; }
};

struct Conjugate {
  static constexpr OpInfo info{.name = "conj", .arity = 1, .cost = CostClass::free, .sympy = "conjugate"};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(V a) { return a; }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return {a.re, -a.im}; }
};

// complex(re, im): the complex number with these parts.
struct MakeComplex {
  static constexpr OpInfo info{.name = "complex", .arity = 2, .type = TypeRule::to_complex, .cost = CostClass::free};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE Complex<V> value(V re, V im) { return {re, im}; }
};

// i z without a multiply: (-im, re); of a real x: (0, x).
struct QuarterTurn {
  static constexpr OpInfo info{.name = "times_i", .arity = 1, .type = TypeRule::to_complex, .cost = CostClass::free};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE Complex<V> value(V a) { return {V(0), a}; }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return {-a.im, a.re}; }
};

}  // namespace ops
}  // namespace FRIT_ISA
}  // namespace frit
