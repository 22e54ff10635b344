// sin, cos and tan of pi x.
//
// x loses its whole circles and quarters exactly, so the angle is pi times a number of at most 1/4, as a pair, and the rest is
// that of trig.hpp. Multiples of 1/2 are exact, with zeros as IEEE 754-2019 has them: +0 of cos, that of sin as the sign of x.
#pragma once

#include "math/trig.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// pi x as `quadrant` and hi + lo, for any x: infinity and NaN give NaN. Exact at multiples of 1/2, where hi = lo = 0.
template <LaneValue V> FRIT_INLINE Reduced<V> reduce_pi(V x) {
  using C = TrigConstants<ElementOf<V>>;
  const V half(ElementOf<V>(0.5));
  const V magic(FormatOf<V>::integer_magic);
  const V circle = fma(round_even(x * half), V(-2), x);  // in [-1, 1]
  const V shifted = fma(circle, V(2), magic);
  const V rest = fma(shifted - magic, -half, circle);
  const V twice = rest + rest;
  const Pair<V> angle = two_product(twice, V(C::pio2_hi));
  return {angle.hi, fma(twice, V(C::pio2_lo), angle.lo), bits(shifted)};
}

template <LaneValue V> FRIT_INLINE V sinpi(V x) {
  const Reduced<V> r = reduce_pi(abs(x));
  const SinCosPairs<V> p = sin_cos_pairs(r);
  // Adding +0 makes the zeros of one sign.
  return flip_sign(sin_of(p, r.quadrant, V()) + V(), bits(x) & sign_bit<V>());
}

template <LaneValue V> FRIT_INLINE V cospi(V x) {
  const Reduced<V> r = reduce_pi(abs(x));
  return cos_of(sin_cos_pairs(r), r.quadrant) + V();
}

// NaN at the poles; its zeros have any sign.
template <LaneValue V> FRIT_INLINE V tanpi(V x) { return tan_of(reduce_pi(abs(x)), x); }

// sin(pi x) / (pi x), 1 at 0 and 0 at infinity: a quotient of pairs, corrected by its residual. It is 1 and 0 to the last bit long before
// the ends, so x stays where nothing leaves the range.
template <LaneValue V> FRIT_INLINE V sinc(V x) {
  using C = TrigConstants<ElementOf<V>>;
  const V least(ElementOf<V>(0x1p-60f)), most(ElementOf<V>(0x1p60f));
  const V magnitude = abs(x);
  const V below = select(magnitude > most, most, magnitude);
  const V bounded = select(below < least, least, below);
  const Reduced<V> r = reduce_pi(bounded);
  const SinCosPairs<V> p = sin_cos_pairs(r);
  const Pair<V> sine = select(is_odd<V>(r.quadrant), p.cos, p.sin);
  const V twice = bounded + bounded;
  const Pair<V> angle = two_product(twice, V(C::pio2_hi));
  const V angle_lo = fma(twice, V(C::pio2_lo), angle.lo);
  const V inverse = V(1) / angle.hi;
  const V ratio = sine.hi * inverse;
  const V residual = fma(-ratio, angle_lo, fma(-ratio, angle.hi, sine.hi) + sine.lo);
  return flip_sign(fma(residual, inverse, ratio), half_turn<V>(r.quadrant)) + V();
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
