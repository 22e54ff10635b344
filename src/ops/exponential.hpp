// exp2, exp10, expm1, the logistic function and the hyperbolic functions: at most 1 ulp over the whole range.
#pragma once

#include "math/complex.hpp"
#include "math/exponential.hpp"
#include "math/hyperbolic.hpp"
#include "ops/info.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace ops {

struct Exp2 {
  static constexpr OpInfo info{.name = "exp2",
                               .arity = 1,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1},
                               .sympy = "exp2"};
  template <class V> static FRIT_INLINE V value(V a) { return math::exp2(a); }
};

struct Exp10 {
  static constexpr OpInfo info{
      .name = "exp10", .arity = 1, .type = TypeRule::real, .cost = CostClass::elementary, .budget = {.real = 1}};
  template <class V> static FRIT_INLINE V value(V a) { return math::exp10(a); }
};

// exp(x) - 1
struct Expm1 {
  static constexpr OpInfo info{.name = "expm1",
                               .arity = 1,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1},
                               .sympy = "expm1"};
  template <class V> static FRIT_INLINE V value(V a) { return math::expm1(a); }
};

// 1 / (1 + exp(-x)), SciPy's expit.
struct Logistic {
  static constexpr OpInfo info{
      .name = "logistic", .arity = 1, .type = TypeRule::real, .cost = CostClass::elementary, .budget = {.real = 1}};
  template <class V> static FRIT_INLINE V value(V a) { return math::logistic(a); }
};

struct Sinh {
  static constexpr OpInfo info{
      .name = "sinh", .arity = 1, .cost = CostClass::elementary, .budget = {.real = 1, .complex = 2}, .sympy = "sinh"};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(V a) { return math::sinh(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::sinh(a); }
};

struct Cosh {
  static constexpr OpInfo info{
      .name = "cosh", .arity = 1, .cost = CostClass::elementary, .budget = {.real = 1, .complex = 2}, .sympy = "cosh"};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(V a) { return math::cosh(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::cosh(a); }
};

struct Tanh {
  static constexpr OpInfo info{
      .name = "tanh", .arity = 1, .cost = CostClass::elementary, .budget = {.real = 1, .complex = 2}, .sympy = "tanh"};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(V a) { return math::tanh(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::tanh(a); }
};

}  // namespace ops
}  // namespace FRIT_ISA
}  // namespace frit
