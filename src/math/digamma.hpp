// digamma, the derivative of log gamma.
//
// From 2 on log(x) - 1/(2 x) - w^2 S(w^2) with w = 1/x and a polynomial S in place of the asymptotic series; on [1, 2] a polynomial
// about the zero there, which is known to twice the precision; below 1 that at x + 1, less 1/x. Negative arguments are reflected in
// a rare branch: digamma(-a) = digamma(1 + a) + pi cot(pi a), NIST DLMF 5.5.4.
#pragma once

#include "math/gamma.hpp"
#include "math/generated/digamma_f32.hpp"
#include "math/generated/digamma_f64.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// digamma(a) = smooth.hi + smooth.lo + pole / a, where smooth is good to some 2^-54 (float: 2^-25) of 1 even where it is large.
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
  const Pair<V> logarithm = log_parts(mantissa.k, f, f * (a * both));
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

template <LaneValue V> FRIT_INLINE V digamma_general(V x, DigammaParts<V> parts) {
  using C = DigammaConstants<ElementOf<V>>;
  using R = GammaRange<ElementOf<V>>;
  const V a = abs(x), one(1);
  const Reduced<V> reduced = reduce_turns(a);
  const SinCosPairs<V> circle = sin_cos_pairs<true>(reduced);
  const auto odd = is_odd<V>(reduced.quadrant);
  const Pair<V> sine = fast_two_sum(circle.sin.hi, circle.sin.lo), cosine = fast_two_sum(circle.cos.hi, circle.cos.lo);
  const Pair<V> above = select(odd, Pair<V>{-sine.hi, -sine.lo}, cosine), below = select(odd, cosine, sine);
  const Pair<V> cotangent = quotient(product(above, Pair<V>{V(C::pi_hi), V(C::pi_lo)}), below, one / below.hi);
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

template <LaneValue V> FRIT_INLINE V digamma(V x) {
  using R = GammaRange<ElementOf<V>>;
  const DigammaParts<V> parts = digamma_parts(abs(x));
  const Pair<V> sum = two_sum(parts.smooth.hi, parts.pole * parts.inverse.hi);
  const V value = sum.hi + fma(parts.pole, parts.inverse.lo, sum.lo + parts.smooth.lo);
  const auto ordinary = is_positive_normal(x) & (x < V(R::most));
  return rare(~ordinary, value, [=]() FRIT_INLINE_LAMBDA { return digamma_general(x, parts); });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
