// digamma, the derivative of log gamma.
//
// From 2 on log(x) - 1/(2 x) - w^2 S(w^2) with w = 1/x and a polynomial S in place of the asymptotic series; on [1, 2] a polynomial
// about the zero there, which is known to twice the precision; below 1 that at x + 1, less 1/x. Negative arguments are reflected in
// a rare branch, where large terms cancel and so are pairs: digamma(-a) = digamma(1 + a) + pi cot(pi a), NIST DLMF 5.5.4.
#pragma once

#include "math/gamma.hpp"
#include "math/generated/digamma_f32.hpp"
#include "math/generated/digamma_f64.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// For the reflection. digamma(a) = smooth.hi + smooth.lo + pole / a, where smooth is good to some 2^-54 (float: 2^-25) of 1 even where it is large.
template <class V> struct DigammaParts {
  Pair<V> smooth, inverse;
  V pole;
};

template <LaneValue V> FRIT_INLINE DigammaParts<V> digamma_parts(V a) {
  using C = DigammaConstants<ElementOf<V>>;
  const V one(1), zero, half(ElementOf<V>(0.5));
  const auto far = a >= V(2);
  const auto low = a < one;
  // The inverses of a and of what the logarithm divides by, by one division.
  const Mantissa<V> mantissa = split_exponent(a);
  const V f = mantissa.m - one;
  const V below = V(2) + f;
  const V both = one / (below * a);
  const V w = below * both;
  const V w_lo = fma(-w, a, one) * w;
  const Pair<V> logarithm = log_terms(mantissa.k, f, log_rest(f, f * (a * both)));
  const V z = w * w;
  const V far_lo = fma(-z, polynomial(z, C::far), logarithm.lo);
  // The distance from the zero.
  const V distance = a - select(low, V(C::zero_below), V(C::zero_hi));
  const V d = distance - V(C::zero_lo);
  const Pair<V> rise = rise_from_zero(Pair<V>{d, (distance - d) - V(C::zero_lo)},
                                      Pair<V>{V(C::zero_slope_hi), V(C::zero_slope_lo)}, C::zero_bend, C::near_zero);
  return {{select(far, logarithm.hi, rise.hi), select(far, far_lo, rise.lo)},
          {w, w_lo},
          select(far, -half, select(low, V(-1), zero))};
}

// cot(pi a) by eighths of a circle, where the sine is nearly its argument: cot(pi/4 + r) = (cos r - sin r) / (cos r + sin r).
template <LaneValue V> FRIT_INLINE Pair<V> cot_of_turns(V a) {
  const Reduced<V> r = reduce_pi<4>(a);
  const SinCosPairs<V> p = sin_cos_pairs<true>(r);
  const auto odd = is_odd<V>(r.quadrant);
  const auto swapped = is_odd<V>(r.quadrant >> 1);
  const Pair<V> less = fast_two_sum(p.cos.hi, -p.sin.hi), more = fast_two_sum(p.cos.hi, p.sin.hi);
  const Pair<V> first = select(odd, Pair<V>{less.hi, less.lo + (p.cos.lo - p.sin.lo)}, p.cos);
  const Pair<V> second = select(odd, Pair<V>{more.hi, more.lo + (p.cos.lo + p.sin.lo)}, p.sin);
  // Another quarter turn: -1 / cot.
  const Pair<V> over = select(swapped, Pair<V>{-second.hi, -second.lo}, first), under = select(swapped, first, second);
  const Pair<V> above = fast_two_sum(over.hi, over.lo), below = fast_two_sum(under.hi, under.lo);
  return pair_quotient(above, below, V(1) / below.hi);
}

template <LaneValue V> FRIT_INLINE V digamma_general(V x, DigammaParts<V> parts) {
  using R = GammaRange<ElementOf<V>>;
  const V a = abs(x), one(1);
  const Pair<V> cotangent = pair_product(pi_pair<V>(), cot_of_turns(a));
  // digamma(1 + a) is digamma(a) + 1/a.
  const V pole = parts.pole + one;
  const Pair<V> first = two_sum(parts.smooth.hi, pole * parts.inverse.hi);
  const Pair<V> sum = two_sum(first.hi, cotangent.hi);
  V r = sum.hi + (sum.lo + (first.lo + (cotangent.lo + fma(pole, parts.inverse.lo, parts.smooth.lo))));
  r = select(floor(a) == a, V(FormatOf<V>::nan), r);
  r = select(x >= V(R::most), log(x), r);
  r = select(a < V(R::tiny), -(one / x), r);
  return select(is_nan(x), x, r);
}

// NOTE: not by digamma_parts, which would be good to 0.9 ulp but takes half as long again: measured 2.4 ulp, beside 1 and the zero.
template <LaneValue V> FRIT_INLINE V digamma(V x) {
  using C = DigammaConstants<ElementOf<V>>;
  using R = GammaRange<ElementOf<V>>;
  const V one(1);
  const auto low = x < one;
  const V w = one / x;
  const Pair<V> logarithm = log_terms(split_exponent(x));
  const V z = w * w;
  const V far = logarithm.hi + (logarithm.lo - fma(z, polynomial(z, C::far), V(ElementOf<V>(0.5)) * w));
  const V d = (x - select(low, V(C::zero_below), V(C::zero_hi))) - V(C::zero_lo);
  const V slope = fma(d, fma(d, polynomial(d, C::near_zero), V(C::zero_bend)), V(C::zero_slope_hi));
  const V near = fma(d, slope, select(low, -w, V()));
  const auto ordinary = is_positive_normal(x) & (x < V(R::most));
  return rare(~ordinary, select(x >= V(2), far, near),
              [=]() FRIT_INLINE_LAMBDA { return digamma_general(x, digamma_parts(abs(x))); });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
