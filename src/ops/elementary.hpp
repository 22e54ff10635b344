// Elementary functions: the values stand in math/, at most 1 ulp in real arithmetic over the whole range.
#pragma once

#include "math/complex.hpp"
#include "math/exp.hpp"
#include "math/inverse_trig.hpp"
#include "math/log.hpp"
#include "math/pow.hpp"
#include "math/trig.hpp"
#include "ops/info.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace ops {

struct Exp {
  static constexpr OpInfo info{
      .name = "exp", .arity = 1, .cost = CostClass::elementary, .budget = {.real = 1, .complex = 2}, .sympy = "exp"};
  template <class V> static FRIT_INLINE V value(V a) { return math::exp(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::exp(a); }
};

struct Log {
  static constexpr OpInfo info{
      .name = "log", .arity = 1, .cost = CostClass::elementary, .budget = {.real = 1, .complex = 2}, .sympy = "log"};
  template <class V> static FRIT_INLINE V value(V a) { return math::log(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::log(a); }
};

struct Sin {
  static constexpr OpInfo info{.name = "sin",
                               .arity = 1,
                               .type = TypeRule::arithmetic,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1, .complex = 2},
                               .sympy = "sin"};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(V a) { return math::sin(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::sin(a); }
};

struct Cos {
  static constexpr OpInfo info{
      .name = "cos", .arity = 1, .cost = CostClass::elementary, .budget = {.real = 1, .complex = 2}, .sympy = "cos"};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(V a) { return math::cos(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::cos(a); }
};

// cos(x) + i sin(x) of a real x: what a sine and a cosine of one angle become, with their bits.
struct Cis {
  static constexpr OpInfo info{.name = "cis",
                               .arity = 1,
                               .type = TypeRule::to_complex,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1, .complex = 1}};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE Complex<V> value(V a) {
    const auto both = math::sincos(a);
    return {both.cos, both.sin};
  }
};

struct Tan {
  static constexpr OpInfo info{
      .name = "tan", .arity = 1, .cost = CostClass::elementary, .budget = {.real = 1, .complex = 2}, .sympy = "tan"};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(V a) { return math::tan(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::tan(a); }
};

struct Asin {
  static constexpr OpInfo info{
      .name = "asin", .arity = 1, .cost = CostClass::elementary, .budget = {.real = 1, .complex = 2}, .sympy = "asin"};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(V a) { return math::asin(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::asin(a); }
};

struct Acos {
  static constexpr OpInfo info{
      .name = "acos", .arity = 1, .cost = CostClass::elementary, .budget = {.real = 1, .complex = 2}, .sympy = "acos"};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(V a) { return math::acos(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::acos(a); }
};

struct Atan {
  static constexpr OpInfo info{
      .name = "atan", .arity = 1, .cost = CostClass::elementary, .budget = {.real = 1, .complex = 2}, .sympy = "atan"};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(V a) { return math::atan(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::atan(a); }
};

// atan2(y, x): the angle of the point (x, y).
struct Atan2 {
  static constexpr OpInfo info{.name = "atan2",
                               .arity = 2,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1},
                               .sympy = "atan2"};
  template <class V> static FRIT_INLINE V value(V y, V x) { return math::atan2(y, x); }
};

// An integer power on its way: the squares multiplied where the exponent has a bit.
template <class V> struct Squares {
  V square, exponent, product;
  friend FRIT_INLINE Squares select(typename V::Mask m, Squares a, Squares b) {
    return {select(m, a.square, b.square), select(m, a.exponent, b.exponent), select(m, a.product, b.product)};
  }
};

// The general power. Integer powers up to 16 and half-integer ones never get here: see frontends/sympy/normalise.
struct Power {
  static constexpr OpInfo info{.name = "pow",
                               .arity = 2,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1, .complex = 8, .special = "complex zeros, infinities and NaN"},
                               .integers = true};
  template <class V> static FRIT_INLINE V value(V a, V b) { return math::pow(a, b); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, Complex<V> b) { return math::pow(a, b); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, V b) { return math::pow(a, b); }
  template <class V> static FRIT_INLINE Complex<V> value(V a, Complex<V> b) { return math::pow(a, b); }
  template <class V> static FRIT_INLINE V integer_value(V a, V b) {
    const V zero = V::of(0);
    const V one = V::of(1);
    const auto step = [=](Squares<V> s) FRIT_INLINE_LAMBDA {
      const V product = select((s.exponent & one) != zero, s.product * s.square, s.product);
      return Squares<V>{s.square * s.square, shr(s.exponent, one), product};
    };
    const auto active = [=](Squares<V> s) FRIT_INLINE_LAMBDA { return s.exponent > zero; };
    return while_any(Squares<V>{a, b, one}, active, step).product;
  }
  template <class V> static FRIT_INLINE typename V::Mask raises(V, V b) { return b < V::of(0); }
};

// The angle of a complex number; of a real one 0 or pi, with the sign of a zero (not of a NaN) observed.
struct Argument {
  static constexpr OpInfo info{.name = "angle",
                               .arity = 1,
                               .type = TypeRule::to_real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 0.5, .complex = 1},
                               .sympy = "arg"};
  template <class V> static FRIT_INLINE V value(V a) { return math::atan2(V(0), a); }
  template <class V> static FRIT_INLINE V value(Complex<V> a) { return math::arg(a); }
};

}  // namespace ops
}  // namespace FRIT_ISA
}  // namespace frit
