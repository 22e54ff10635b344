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
  static constexpr OpInfo info{.name = "floor", .arity = 1, .type = TypeRule::real, .sympy = "floor"};
  template <class V> static FRIT_INLINE V value(V a) { return floor(a); }
};

struct Ceil {
  static constexpr OpInfo info{.name = "ceil", .arity = 1, .type = TypeRule::real, .sympy = "ceiling"};
  template <class V> static FRIT_INLINE V value(V a) { return math::ceil(a); }
};

struct Trunc {
  static constexpr OpInfo info{.name = "trunc", .arity = 1, .type = TypeRule::real};
  template <class V> static FRIT_INLINE V value(V a) { return trunc(a); }
};

// Ties to even: also NumPy's round.
struct Rint {
  static constexpr OpInfo info{.name = "rint", .arity = 1, .type = TypeRule::real};
  template <class V> static FRIT_INLINE V value(V a) { return round_even(a); }
};

// Ties away from zero: C's round.
struct RoundHalfAway {
  static constexpr OpInfo info{.name = "round_half_away", .arity = 1, .type = TypeRule::real};
  template <class V> static FRIT_INLINE V value(V a) { return math::round_half_away(a); }
};

struct Fmod {
  static constexpr OpInfo info{.name = "fmod", .arity = 2, .type = TypeRule::real, .cost = CostClass::elementary};
  template <class V> static FRIT_INLINE V value(V a, V b) { return math::fmod(a, b); }
};

struct Remainder {
  static constexpr OpInfo info{.name = "remainder",
                               .arity = 2,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 0.5},
                               .sympy = "Mod"};
  template <class V> static FRIT_INLINE V value(V a, V b) { return math::remainder(a, b); }
};

struct FloorDivide {
  static constexpr OpInfo info{.name = "floor_divide",
                               .arity = 2,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 0.5}};
  template <class V> static FRIT_INLINE V value(V a, V b) { return math::floor_divide(a, b); }
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
