// Rounding, remainders, what takes numbers apart, and the circular functions of pi x.
#pragma once

#include "math/remainder.hpp"
#include "math/rounding.hpp"
#include "math/trig_pi.hpp"
#include "ops/info.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace ops {

struct Floor {
  static constexpr OpInfo info{.name = "floor", .arity = 1, .type = TypeRule::real, .sympy = "floor", .integers = true};
  template <class V> static FRIT_INLINE V value(V a) { return floor(a); }
  template <class V> static FRIT_INLINE V integer_value(V a) { return a; }
};

struct Ceil {
  static constexpr OpInfo info{
      .name = "ceil", .arity = 1, .type = TypeRule::real, .sympy = "ceiling", .integers = true};
  template <class V> static FRIT_INLINE V value(V a) { return math::ceil(a); }
  template <class V> static FRIT_INLINE V integer_value(V a) { return a; }
};

struct Trunc {
  static constexpr OpInfo info{.name = "trunc", .arity = 1, .type = TypeRule::real, .integers = true};
  template <class V> static FRIT_INLINE V value(V a) { return trunc(a); }
  template <class V> static FRIT_INLINE V integer_value(V a) { return a; }
};

// Ties to even: also NumPy's round.
struct Rint {
  static constexpr OpInfo info{.name = "rint", .arity = 1, .type = TypeRule::real, .integers = true};
  template <class V> static FRIT_INLINE V value(V a) { return round_even(a); }
  template <class V> static FRIT_INLINE V integer_value(V a) { return a; }
};

// Ties away from zero: C's round.
struct RoundHalfAway {
  static constexpr OpInfo info{.name = "round_half_away", .arity = 1, .type = TypeRule::real, .integers = true};
  template <class V> static FRIT_INLINE V value(V a) { return math::round_half_away(a); }
  template <class V> static FRIT_INLINE V integer_value(V a) { return a; }
};

struct Fmod {
  static constexpr OpInfo info{
      .name = "fmod", .arity = 2, .type = TypeRule::real, .cost = CostClass::elementary, .integers = true};
  template <class V> static FRIT_INLINE V value(V a, V b) { return math::fmod(a, b); }
  template <class V> static FRIT_INLINE V integer_value(V a, V b) { return a - quotient(a, b) * b; }
  template <class V> static FRIT_INLINE typename V::Mask raises(V, V b) { return b == V::of(0); }
};

// Of integers: true where a quotient that left the remainder r and was rounded towards zero is not the floor.
template <class V> FRIT_INLINE typename V::Mask floors_apart(V r, V b) {
  const V zero = V::of(0);
  return (r != zero) & ((r < zero) ^ (b < zero));
}

struct Remainder {
  static constexpr OpInfo info{.name = "remainder",
                               .arity = 2,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 0.5},
                               .sympy = "Mod",
                               .integers = true};
  template <class V> static FRIT_INLINE V value(V a, V b) { return math::remainder(a, b); }
  template <class V> static FRIT_INLINE V integer_value(V a, V b) {
    const V r = a - quotient(a, b) * b;
    return select(floors_apart(r, b), r + b, r);
  }
  template <class V> static FRIT_INLINE typename V::Mask raises(V, V b) { return b == V::of(0); }
};

struct FloorDivide {
  static constexpr OpInfo info{.name = "floor_divide",
                               .arity = 2,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 0.5},
                               .integers = true};
  template <class V> static FRIT_INLINE V value(V a, V b) { return math::floor_divide(a, b); }
  template <class V> static FRIT_INLINE V integer_value(V a, V b) {
    const V q = quotient(a, b);
    return select(floors_apart(a - q * b, b), q - V::of(1), q);
  }
  template <class V> static FRIT_INLINE typename V::Mask raises(V, V b) { return b == V::of(0); }
};

struct Ldexp {
  static constexpr OpInfo info{
      .name = "ldexp", .arity = 2, .type = TypeRule::real, .cost = CostClass::elementary, .budget = {.real = 0.5}};
  template <class V> static FRIT_INLINE V value(V a, V b) { return math::ldexp(a, b); }
};

struct FrexpMantissa {
  static constexpr OpInfo info{.name = "frexp_mantissa", .arity = 1, .type = TypeRule::real};
  template <class V> static FRIT_INLINE V value(V a) { return math::frexp_mantissa(a); }
};

struct FrexpExponent {
  static constexpr OpInfo info{.name = "frexp_exponent", .arity = 1, .type = TypeRule::real};
  template <class V> static FRIT_INLINE V value(V a) { return math::frexp_exponent(a); }
};

struct NextAfter {
  static constexpr OpInfo info{.name = "nextafter", .arity = 2, .type = TypeRule::real};
  template <class V> static FRIT_INLINE V value(V a, V b) { return math::nextafter(a, b); }
};

struct SinPi {
  static constexpr OpInfo info{
      .name = "sinpi", .arity = 1, .type = TypeRule::real, .cost = CostClass::elementary, .budget = {.real = 1}};
  template <class V> static FRIT_INLINE V value(V a) { return math::sinpi(a); }
};

struct CosPi {
  static constexpr OpInfo info{
      .name = "cospi", .arity = 1, .type = TypeRule::real, .cost = CostClass::elementary, .budget = {.real = 1}};
  template <class V> static FRIT_INLINE V value(V a) { return math::cospi(a); }
};

struct Sinc {
  static constexpr OpInfo info{
      .name = "sinc", .arity = 1, .type = TypeRule::real, .cost = CostClass::elementary, .budget = {.real = 1}};
  template <class V> static FRIT_INLINE V value(V a) { return math::sinc(a); }
};

}  // namespace ops
}  // namespace FRIT_ISA
}  // namespace frit
