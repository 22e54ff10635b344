// sin and cos of pi x, and sinc.
//
// x loses its whole circles and quarters exactly, so the angle is pi times a number of at most 1/4, as a pair, and the rest is
// that of trig.hpp. Multiples of 1/2 are exact, with zeros as IEEE 754-2019 has them: +0 of cos, that of sin as the sign of x.
#pragma once

#include "math/generated/sinc_f32.hpp"
#include "math/generated/sinc_f64.hpp"
#include "math/trig.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// NOTE: beside the least normal number both roundings of the angle's lo, to whole units of the least subnormal number, are
// a quarter of an ulp of the sum, so sinpi has there up to 1 ulp and no more. Elsewhere it has 0.78.
template <LaneValue V> FRIT_INLINE V sinpi(V x) {
  const Reduced<V> r = reduce_pi(abs(x));
  const SinCosPairs<V> p = sin_cos_pairs(r);
  // Adding +0 makes the zeros of one sign.
  return flip_sign(sin_of(p, r.quadrant, V()) + V(), sign_of(x));
}

template <LaneValue V> FRIT_INLINE V cospi(V x) {
  const Reduced<V> r = reduce_pi(abs(x));
  return cos_of(sin_cos_pairs(r), r.quadrant) + V();
}

// sin(pi x) / (pi x), 1 at 0 and 0 at infinity. Numerator and denominator are divided by pi, so x itself is the denominator and r
// the largest term of the sine. It is 1 and 0 to the last bit long before the ends, so x stays where nothing leaves the range.
template <LaneValue V> FRIT_INLINE V sinc(V x) {
  using C = SincConstants<ElementOf<V>>;
  const V least(ElementOf<V>(0x1p-60f)), most(ElementOf<V>(0x1p60f));
  const V magnitude = abs(x);
  const V bounded = clamp(magnitude, least, most);
  const Turns<V> q = reduce_turns<2>(bounded);
  const V z = q.rest * q.rest;
  const Pair<V> sine{q.rest, z * q.rest * polynomial(z, C::sin_tail)};
  const V cos_hi = fma(z, V(-C::half_pi), V(C::inverse_pi_hi));
  const V cos_lo = fma(z, V(-C::half_pi), V(C::inverse_pi_hi) - cos_hi) + V(C::inverse_pi_lo);
  const Pair<V> cosine{cos_hi, fma(z, polynomial(z, C::cos_tail), cos_lo)};
  const Pair<V> chosen = select(is_odd<V>(q.part), cosine, sine);
  const Pair<V> above = fast_two_sum(chosen.hi, chosen.lo);
  const V ratio = above.hi / bounded;
  const V residual = fma(-ratio, bounded, above.hi) + above.lo;
  return flip_sign(fma(residual, rough_inverse(bounded), ratio), half_turn<V>(q.part)) + V();
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
