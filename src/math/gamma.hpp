// The gamma function and the logarithm of its absolute value.
//
// Stirling's formula, log gamma(y) = (y - 1/2) (log y - 1) + c + w S(w^2) with w = 1/y, holds from y = 2 on with a polynomial S in
// place of the divergent series (tools/math/gamma.py). Smaller arguments are shifted up by recurrence. Logarithms are pairs, so
// that only the last addition or division rounds; negative arguments are reflected in a rare branch, which takes what has been
// computed for |x|. The reflection formulas: Abramowitz and Stegun 6.1.17, NIST DLMF 5.5.3.
#pragma once

#include "math/exp.hpp"
#include "math/generated/gamma_f32.hpp"
#include "math/generated/gamma_f64.hpp"
#include "math/log.hpp"
#include "math/trig.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <class T> struct GammaRange;
template <> struct GammaRange<double> {
  static constexpr double tiny = 0x1p-60;           // below, gamma(x) is 1/x and its logarithm -log|x|
  static constexpr double direct = 171;             // gamma is a normal number below
  static constexpr double infinite = 172;           // gamma is infinite from here on
  static constexpr double zero = 190;               // gamma(-x) is zero from here on, beside poles too
  static constexpr double most = 0x1p1000;          // lgamma overflows nowhere inside below
  static constexpr double log_infinite = 0x1p1015;  // lgamma is infinite from here on
};
template <> struct GammaRange<float> {
  static constexpr float tiny = 0x1p-30f;
  static constexpr float direct = 34;
  static constexpr float infinite = 36;
  static constexpr float zero = 44;
  static constexpr float most = 0x1p110f;
  static constexpr float log_infinite = 0x1p122f;
};

template <LaneValue V> FRIT_INLINE Pair<V> sin_of_turns(V a) {
  const Reduced<V> r = reduce_pi(a);
  const SinCosPairs<V> p = sin_cos_pairs<true>(r);
  const Pair<V> size = select(is_odd<V>(r.quadrant), p.cos, p.sin);
  const typename V::Bits flips = half_turn<V>(r.quadrant);
  return fast_two_sum(flip_sign(size.hi, flips), flip_sign(size.lo, flips));
}

// A function of the distance d from its zero, by its first derivatives there, of which the slope is the larger part; what they
// give is exact, so that only the cubic term rounds.
template <LaneValue V, int N>
FRIT_INLINE Pair<V> rise_from_zero(Pair<V> d, Pair<V> slope, ElementOf<V> bend, const ElementOf<V> (&cubic)[N]) {
  const V steep = fma(d.hi, V(bend), slope.hi);
  const V steep_lo = fma(d.hi, V(bend), slope.hi - steep) + slope.lo;
  const Pair<V> line = two_product(d.hi, steep);
  const V d2 = d.hi * d.hi;
  return {line.hi, fma(d.hi, fma(d2, polynomial(d.hi, cubic), steep_lo), fma(d.lo, slope.hi, line.lo))};
}

// gamma(a) = power 2^exponent / shift: a power of e and the product a (a + 1) that belongs to the recurrence, or 1 from 2 on.
template <class V> struct GammaParts {
  Pair<V> power;
  typename V::Bits exponent;  // as in ScaledExp
  Pair<V> shift;
  V inverse;  // of shift
};

// For 0 < a < GammaRange::zero, not subnormal; other lanes give anything.
template <LaneValue V> FRIT_INLINE GammaParts<V> gamma_parts(V a) {
  using C = GammaConstants<ElementOf<V>>;
  const V half(ElementOf<V>(0.5));
  const auto low = a < V(2);
  const Pair<V> next = fast_two_sum(V(1), a), second = fast_two_sum(V(2), a);
  const V y = select(low, second.hi, a);
  const V y_lo = select(low, second.lo, V());
  const Pair<V> shift = select(low, pair_product(next, a), Pair<V>{V(1), V()});
  // 1 / y, 1 / shift and the inverse that the logarithm needs, by one division.
  const Mantissa<V> mantissa = split_exponent(y);
  const Pair<V> below = fast_two_sum(V(1), mantissa.m);
  const V scale = y * shift.hi;
  const V all = V(1) / (below.hi * scale);
  const V rest = below.hi * all;
  const V w = shift.hi * rest;
  const Pair<V> logarithm = log_pair_of(mantissa, below, scale * all);
  const V part = y - half;
  const Pair<V> main = two_product(part, logarithm.hi - V(1));
  const Pair<V> sum = two_sum(main.hi, V(C::stirling_constant_hi));
  const V series = fma(w, polynomial(w * w, C::stirling), V(C::stirling_constant_lo));
  const V shifted = fma(y_lo, fma(-half, w, logarithm.hi), series);  // times the derivative of log gamma
  const V lo = fma(part, logarithm.lo, shifted) + (sum.lo + main.lo);
  // NOTE: sum.hi may be as small as lo, but both are so small then that no rounding counts.
  const WideExp<V> power = wide_exp(fast_two_sum(sum.hi, lo));
  return {fast_two_sum(power.mantissa.hi, power.mantissa.lo), power.exponent, shift, y * rest};
}

// gamma(-a) = -pi / (sin(pi a) a gamma(a)), with the parts for a.
template <LaneValue V> FRIT_INLINE V gamma_reflected(V a, GammaParts<V> parts) {
  using R = GammaRange<ElementOf<V>>;
  const auto low = a < V(2);
  const Pair<V> sine = sin_of_turns(a);
  // a / shift is 1 / (a + 1) or a.
  const Pair<V> above = pair_product(pi_pair<V>(), select(low, fast_two_sum(V(1), a), Pair<V>{V(1), V()}));
  const Pair<V> below = pair_product(pair_product(parts.power, sine), select(low, V(1), a));
  const Pair<V> ratio = pair_quotient(above, below, V(1) / below.hi);
  const typename V::Bits none = bits(V(FormatOf<V>::integer_magic));
  const V r = scale_general(ScaledExp<V>{-(ratio.hi + ratio.lo), none + none - parts.exponent});
  const V signed_zero = copysign(V(), -sine.hi);
  return select(floor(a) == a, V(FormatOf<V>::nan), select(a >= V(R::zero), signed_zero, r));
}

template <LaneValue V> FRIT_INLINE V tgamma_general(V x, V mantissa, GammaParts<V> parts) {
  using R = GammaRange<ElementOf<V>>;
  V r = scale_general(ScaledExp<V>{mantissa, parts.exponent});
  r = select(x >= V(R::infinite), V(FormatOf<V>::infinity), r);
  r = select(x < V(), gamma_reflected(abs(x), parts), r);
  r = select(abs(x) < V(R::tiny), V(1) / x, r);
  return select(is_nan(x), x, r);
}

template <LaneValue V> FRIT_INLINE V tgamma(V x) {
  using R = GammaRange<ElementOf<V>>;
  const GammaParts<V> parts = gamma_parts(abs(x));
  const Pair<V> ratio = pair_quotient(parts.power, parts.shift, parts.inverse);
  const V mantissa = ratio.hi + ratio.lo;
  const auto ordinary = is_positive_normal(x) & (x < V(R::direct));
  return rare(~ordinary, scale_direct(ScaledExp<V>{mantissa, parts.exponent}),
              [=]() FRIT_INLINE_LAMBDA { return tgamma_general(x, mantissa, parts); });
}

// log gamma(a) = sum.hi + sum.lo; excess = log(a) - 1 for large a.
template <class V> struct LogGammaParts { Pair<V> sum, excess; };

// From 5/2 on by Stirling's formula. Below, log gamma(2 + d) is a polynomial for |d| <= 1/2 that keeps the zero at 2, and log gamma(1 + d)
// and log gamma(d) are that without log(1 + d) and log(d (1 + d)): at 1 both parts are proportional to d, and their sum is exact.
template <LaneValue V> FRIT_INLINE LogGammaParts<V> lgamma_parts(V a) {
  using C = GammaConstants<ElementOf<V>>;
  const V half(ElementOf<V>(0.5)), one(1), zero;
  const auto large = a >= V(ElementOf<V>(2.5));
  const auto least = a < half;
  const auto middle = a < V(ElementOf<V>(1.5));
  const V d = a - select(least, zero, select(middle, one, V(2)));
  const V both = fma(a, a, a);
  const V both_lo = fma(a, a, a - both);
  const V argument = select(least, both, select(middle | large, a, one));
  const Mantissa<V> mantissa = split_exponent(argument);
  const Pair<V> below = fast_two_sum(one, mantissa.m);
  const V all = one / (below.hi * a);
  const V w = below.hi * all;
  Pair<V> logarithm = log_pair_of(mantissa, below, a * all);
  logarithm.lo = logarithm.lo + select(least, both_lo * rough_inverse(both), zero);
  const Pair<V> excess{logarithm.hi - select(large, one, zero), logarithm.lo};
  const V part = a - half;
  const Pair<V> factor = select(large, Pair<V>{part, (a - part) - half}, Pair<V>{V(-1), zero});
  const Pair<V> main = pair_product(excess, factor);
  const Pair<V> rise = rise_from_zero(Pair<V>{d, V()}, Pair<V>{V(C::slope_hi), V(C::slope_lo)}, C::bend, C::near_two);
  const V series = fma(w, polynomial(w * w, C::stirling), V(C::stirling_constant_lo));
  const Pair<V> sum = two_sum(main.hi, select(large, V(C::stirling_constant_hi), rise.hi));
  return {{sum.hi, select(large, series, rise.lo) + (sum.lo + main.lo)}, excess};
}

template <LaneValue V> FRIT_INLINE V lgamma_general(V x, LogGammaParts<V> parts) {
  using C = GammaConstants<ElementOf<V>>;
  using R = GammaRange<ElementOf<V>>;
  const V infinity(FormatOf<V>::infinity);
  const V a = abs(x);
  const auto tiny = a < V(R::tiny);
  // log|gamma(-a)| = -log(a sin(pi a) / pi) - log gamma(a)
  const Pair<V> sine = sin_of_turns(a);
  const auto flips = bits(sine.hi) & sign_bit<V>();
  const Pair<V> size{flip_sign(sine.hi, flips), flip_sign(sine.lo, flips)};
  const Pair<V> inverse_pi{V(C::one_over_pi_hi), V(C::one_over_pi_lo)};
  const Pair<V> chord = select(tiny, Pair<V>{a, V()}, pair_product(inverse_pi, pair_product(size, a)));
  const Pair<V> logarithm = log_pair(chord.hi);
  const V logarithm_lo = logarithm.lo + chord.lo / chord.hi;
  const Pair<V> sum = two_sum(-logarithm.hi, select(tiny, V(), -parts.sum.hi));
  V r = sum.hi + (sum.lo - (logarithm_lo + select(tiny, V(), parts.sum.lo)));
  r = select((x < V()) & (floor(a) == a), infinity, r);
  const V large = fma(x, parts.excess.hi, x * parts.excess.lo);
  r = select(x >= V(R::most), large, r);
  r = select((a >= V(R::log_infinite)) | (a == V()), infinity, r);
  return select(is_nan(x), x, r);
}

template <LaneValue V> FRIT_INLINE V lgamma(V x) {
  using R = GammaRange<ElementOf<V>>;
  const LogGammaParts<V> parts = lgamma_parts(abs(x));
  const auto ordinary = is_positive_normal(x) & (x < V(R::most));
  return rare(~ordinary, parts.sum.hi + parts.sum.lo, [=]() FRIT_INLINE_LAMBDA { return lgamma_general(x, parts); });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
