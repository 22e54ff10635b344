// Rounding to integers, and what takes a number apart or moves it by one place: ldexp, frexp, nextafter.
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <LaneValue V> FRIT_INLINE V ceil(V x) { return -floor(-x); }

// To the nearest integer, ties away from zero: C's round. The number before 1/2 is added, so that no number below a tie reaches it;
// the sum with a tie is itself a tie of two numbers, and rounds up to the even integer.
template <LaneValue V> FRIT_INLINE V round_half_away(V x) {
  constexpr ElementOf<V> before_half = is_double<V> ? ElementOf<V>(0x1.fffffffffffffp-2) : ElementOf<V>(0x1.fffffep-2f);
  return trunc(x + copysign(V(before_half), x));
}

// x 2^n, rounded once, for any integer n; NaN where n is none. 2^n of infinite n is infinity or 0.
//
// Where 2^n is a normal number it is one product. Else there are three factors: the first two, of up to half the exponent range each,
// are exact or their product is beyond the range anyway; the last rounds.
template <LaneValue V> FRIT_INLINE V ldexp(V x, V n) {
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  constexpr ElementOf<V> most = static_cast<ElementOf<V>>(F::bias - 1);
  const V magic(F::integer_magic);
  const V shifted = n + magic;
  const V scale = from_bits<V>((bits(shifted) + Bits::of(F::bias)) << F::mantissa);
  const V direct = select(shifted - magic == n, x * scale, V(F::nan));
  return rare(~(abs(n) <= V(most)), direct, [=]() FRIT_INLINE_LAMBDA {
    const V limit(3 * most);
    const V bounded = clamp(n, -limit, limit);
    const auto is_far = abs(bounded) > V(most);
    const V last = select(is_far, copysign(V(most), n), bounded);
    const V scaled = times_power_of_two(x, to_int(bounded - last)) * power_of_two<V>(to_int(last));
    const V by_infinity = x * select(n > V(), V(F::infinity), V());
    const V result = select(abs(n) == V(F::infinity), by_infinity, scaled);
    return select(round_even(n) == n, result, V(F::nan));
  });
}

template <class V> struct Frexp {
  typename V::Mask regular;  // neither zero, infinite nor NaN
  NormalImage<V> magnitude;
};

template <LaneValue V> FRIT_INLINE Frexp<V> split_number(V x) {
  using F = FormatOf<V>;
  const V magnitude = abs(x);
  return {(magnitude > V()) & (magnitude < V(F::infinity)), normal_image(magnitude)};
}

// x = mantissa 2^exponent with |mantissa| in [1/2, 1). Zeros, infinities and NaN are their own mantissa; the exponent of zeros and
// infinities is 0, as NumPy has it, that of NaN is NaN.
template <LaneValue V> FRIT_INLINE V frexp_mantissa(V x) {
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  const Frexp<V> parts = split_number(x);
  const Bits fraction = parts.magnitude.image & Bits::of((std::int64_t{1} << F::mantissa) - 1);
  const V mantissa = from_bits<V>(fraction | Bits::of((F::bias - 1) << F::mantissa));
  return select(parts.regular, copysign(mantissa, x), x);
}

template <LaneValue V> FRIT_INLINE V frexp_exponent(V x) {
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  const Frexp<V> parts = split_number(x);
  const V exponent =
      to_float<V>((parts.magnitude.image >> F::mantissa) - parts.magnitude.raised - Bits::of(F::bias - 1));
  return select(parts.regular, exponent, select(is_nan(x), x, V()));
}

// The number next to x on the side of y; y where they are equal.
template <LaneValue V> FRIT_INLINE V nextafter(V x, V y) {
  using Bits = typename V::Bits;
  const auto down = x > y;
  // Images grow with the magnitude: a step away from zero adds one.
  const Bits step = to_bits(down ^ (x < V())) | Bits::of(1);
  const V from_zero = from_bits<V>(Bits::of(1) | sign_of(y));
  const V next = select(x == V(), from_zero, from_bits<V>(bits(x) + step));
  return select(down | (x < y), next, select(x == y, y, x + y));
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
