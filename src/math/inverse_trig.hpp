// asin, acos, atan, atan2.
#pragma once

#include "math/generated/inverse_trig_f32.hpp"
#include "math/generated/inverse_trig_f64.hpp"
#include "math/pair.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// What asin and acos share. For |x| <= 1/2 the series runs over x itself; above, over s = sqrt((1 - |x|) / 2), since
// asin(|x|) = pi/2 - 2 asin(s). NaN and |x| > 1 are not small and have a NaN root.
template <class V> struct ArcSeries {
  typename V::Mask small;
  Pair<V> root;  // s
  V z;           // the square of what the series runs over
  V tail;        // asin(v) = v + v z tail
};

template <LaneValue V> FRIT_INLINE ArcSeries<V> arc_series(V x) {
  using C = InverseTrigConstants<ElementOf<V>>;
  const V half(ElementOf<V>(0.5));
  const V magnitude = abs(x);
  const auto small = magnitude <= half;
  const V outer = fma(magnitude, -half, half);
  const V z = select(small, x * x, outer);
  return {small, sqrt_pair(outer), z, polynomial(z, C::asin_tail)};
}

template <LaneValue V> FRIT_INLINE V asin(V x) {
  using C = InverseTrigConstants<ElementOf<V>>;
  const ArcSeries<V> arc = arc_series(x);
  const V twice = arc.root.hi + arc.root.hi;
  const Pair<V> base = fast_two_sum(V(C::pio2_hi), -twice);
  const V base_lo = fma(V(-2), arc.root.lo, base.lo + V(C::pio2_lo));
  const V magnitude = abs(x);
  const V v = select(arc.small, magnitude, -twice);
  const V lo = fma(v * arc.z, arc.tail, select(arc.small, V(), base_lo));
  return copysign(select(arc.small, magnitude, base.hi) + lo, x);
}

// pi/2 - asin(x), 2 asin(s) or pi - 2 asin(s), all as base - (v + v z tail).
template <LaneValue V> FRIT_INLINE V acos(V x) {
  using C = InverseTrigConstants<ElementOf<V>>;
  const ArcSeries<V> arc = arc_series(x);
  const auto negative = x < V();
  const typename V::Bits flips = ~bits(x) & sign_bit<V>();
  const V v = select(arc.small, x, flip_sign(arc.root.hi + arc.root.hi, flips));
  const V v_lo = select(arc.small, V(), flip_sign(arc.root.lo + arc.root.lo, flips));
  const V base = select(arc.small, V(C::pio2_hi), select(negative, V(C::pi_hi), V()));
  const V base_lo = select(arc.small, V(C::pio2_lo), select(negative, V(C::pi_lo), V()));
  const Pair<V> sum = fast_two_sum(base, -v);
  return sum.hi + fma(-(v * arc.z), arc.tail, sum.lo + (base_lo - v_lo));
}

// The angle (eighths pi/4 + atan(below / above)) or, with the sign bit in `flips`, (eighths pi/4 - ...), for
// 0 <= below <= above. Ratios above 1/2 become 1 eighth + atan((below - above) / (below + above)), so the series runs to
// 1/2 only. The quotient's rounding error is recovered from its residual and divided by the derivative's 1 + t^2: measured 0.70 ulp.
template <LaneValue V> FRIT_INLINE V arc_tangent(V below, V above, V eighths, typename V::Bits flips) {
  using C = InverseTrigConstants<ElementOf<V>>;
  const auto far = below + below > above;
  const V sum = above + below;
  const V over = select(far, below - above, below);  // exact
  const V under = select(far, sum, above);
  const V under_lo = select(far, below - (sum - above), V());
  const V t = over / under;
  const V residual = fma(-t, under_lo, fma(-t, under, over));
  const V t_lo = residual * rough_inverse(fma(t, over, under));
  // NOTE: not so small in float that its square or t u is subnormal, which x86 takes a hundred cycles for; it is not seen there.
  V u = t * t;
  if constexpr (!is_double<V>) u = at_least(u, V(0x1p-60f));
  const V tail = fma(t * u, polynomial(u, C::atan_tail), t_lo);
  const V turns = eighths + flip_sign(select(far, V(1), V()), flips);
  const Pair<V> angle = fast_two_sum(turns * V(C::pio4_hi), flip_sign(t, flips));
  return angle.hi + (flip_sign(tail, flips) + fma(turns, V(C::pio4_lo), angle.lo));
}

template <LaneValue V> FRIT_INLINE V atan(V x) {
  const V one(1);
  const V huge(ElementOf<V>(0x1p60f));  // from here on the result is pi/2 to the last bit
  const V magnitude = abs(x);
  const V bounded = at_most(magnitude, huge);
  const auto steep = bounded > one;
  const V angle = arc_tangent(select(steep, one, bounded), select(steep, bounded, one), select(steep, V(2), V()),
                              to_bits(steep) & sign_bit<V>());
  return copysign(angle, x);
}

// Where neither the residual nor the rough inverse of the larger operand leaves the range of normal numbers.
template <class T> struct ArcRange;
template <> struct ArcRange<double> {
  static constexpr double least = 0x1p-900, most = 0x1p1000, raise = 0x1p150, lower = 0x1p-150;
};
template <> struct ArcRange<float> {
  static constexpr float least = 0x1p-90f, most = 0x1p120f, raise = 0x1p60f, lower = 0x1p-20f;
};

template <LaneValue V> FRIT_INLINE V atan2_scaled(V y, V x, V below, V above, typename V::Mask steep) {
  const typename V::Bits left = sign_of(x);
  const V eighths = select(steep, V(2), select(mask_of(left), V(4), V()));
  // Steep angles are pi/2 minus the arc on the right and plus it on the left; flat ones the other way round.
  const typename V::Bits flips = left ^ (to_bits(steep) & sign_bit<V>());
  return copysign(arc_tangent(below, above, eighths, flips), y);
}

template <LaneValue V> FRIT_INLINE V atan2(V y, V x) {
  using R = ArcRange<ElementOf<V>>;
  const V rise = abs(y), run = abs(x);
  const auto steep = rise > run;
  const V below = select(steep, run, rise), above = select(steep, rise, run);
  const auto ordinary = (above >= V(R::least)) & (above <= V(R::most));
  return rare(~ordinary, atan2_scaled(y, x, below, above, steep), [=]() FRIT_INLINE_LAMBDA {
    const V infinity(FormatOf<V>::infinity);
    // Two zeros are the angle 0 / 1; two infinities 1 / 1; one infinity 0 / 1.
    const V scale = select(above < V(R::least), V(R::raise), select(above > V(R::most), V(R::lower), V(1)));
    V small = below * scale, large = above * scale;
    const auto zero = above == V();
    const auto infinite = above == infinity;
    const auto both = below == infinity;
    small = select(zero | infinite, select(both, V(1), V()), small);
    large = select(zero | infinite, V(1), large);
    return select(is_nan(x) | is_nan(y), x + y, atan2_scaled(y, x, small, large, steep));
  });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
