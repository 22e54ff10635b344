// sinh, cosh, tanh.
#pragma once

#include "math/exponential.hpp"
#include "math/generated/hyperbolic_f32.hpp"
#include "math/generated/hyperbolic_f64.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// What sinh and cosh are made of: |x| = n ln 2 + r, sinh(r) = hi + sinh_lo, cosh(r) = 1 + cosh_tail, and the sine and cosine of
// n ln 2, which are (2^n -+ 2^-n) / 2.
template <class V> struct HyperbolicParts {
  V hi, sinh_lo, cosh_tail;
  V half_up, half_down;  // 2^n / 2, 2^-n / 2
};

template <LaneValue V> FRIT_INLINE HyperbolicParts<V> hyperbolic_parts(V magnitude) {
  using C = HyperbolicConstants<ElementOf<V>>;
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  const ReducedArgument<V> a = reduce_exp(magnitude);
  const V z = a.r * a.r;
  const V rest = a.n * V(-ExpConstants<ElementOf<V>>::ln2_lo);
  const Bits n = a.exponent << F::mantissa, half = Bits::of((F::bias - 1) << F::mantissa);
  return {a.hi, fma(z * a.r, horner_first(z, C::sinh_tail), rest), z * horner_first(z, C::cosh_tail),
          from_bits<V>(half + n), from_bits<V>(half - n)};
}

// first (1 + cosh_tail) + second (hi + sinh_lo), where |first.hi| >= |second.hi hi|, or first is zero and second is 1: a sum that
// is not normalised.
template <LaneValue V> FRIT_INLINE Pair<V> hyperbolic_pair(HyperbolicParts<V> p, Pair<V> first, Pair<V> second) {
  const V sum = fma(second.hi, p.hi, first.hi);
  const V lost = fma(second.hi, p.hi, first.hi - sum) + fma(second.lo, p.hi, first.lo);
  return {sum, fma(first.hi, p.cosh_tail, fma(second.hi, p.sinh_lo, lost))};
}
template <LaneValue V> FRIT_INLINE V hyperbolic_sum(HyperbolicParts<V> p, Pair<V> first, Pair<V> second) {
  const Pair<V> sum = hyperbolic_pair(p, first, second);
  return sum.hi + sum.lo;
}

// From here on 2^-n of hyperbolic_parts is no normal number; there exp(-|x|) is lost, and exp(|x|) is halved before it overflows.
template <LaneValue V> FRIT_INLINE V hyperbolic_limit() { return V(-ExpRange<ElementOf<V>>::least); }
template <LaneValue V> FRIT_INLINE V half_exp(V magnitude) {
  const V most(ExpRange<ElementOf<V>>::infinite + ElementOf<V>(1));
  ScaledExp<V> e = scaled_exp(at_most(magnitude, most));
  e.exponent = e.exponent - V::Bits::of(1);
  return scale_general(e);
}

template <LaneValue V> FRIT_INLINE V sinh(V x) {
  const V magnitude = abs(x);
  const HyperbolicParts<V> p = hyperbolic_parts(magnitude);
  const V value = hyperbolic_sum(p, fast_two_sum(p.half_up, -p.half_down), fast_two_sum(p.half_up, p.half_down));
  return copysign(
      rare(~(magnitude < hyperbolic_limit<V>()), value, [=]() FRIT_INLINE_LAMBDA { return half_exp(magnitude); }), x);
}

template <LaneValue V> FRIT_INLINE V cosh(V x) {
  const V magnitude = abs(x);
  const HyperbolicParts<V> p = hyperbolic_parts(magnitude);
  const V value = hyperbolic_sum(p, fast_two_sum(p.half_up, p.half_down), fast_two_sum(p.half_up, -p.half_down));
  return rare(~(magnitude < hyperbolic_limit<V>()), value, [=]() FRIT_INLINE_LAMBDA { return half_exp(magnitude); });
}

// With u = exp(-2|x|) - 1: tanh|x| = -u / (2 + u), both as pairs; the quotient is corrected by its residual.
template <LaneValue V> FRIT_INLINE V tanh(V x) {
  const V least(Expm1Range<ElementOf<V>>::least), two(2);
  const V twice = V(-2) * abs(x);
  const Pair<V> parts = expm1_pair<false>(at_least(twice, least));
  const Pair<V> u = fast_two_sum(parts.hi, parts.lo);
  const V below = two + u.hi;
  const V below_lo = (u.hi - (below - two)) + u.lo;
  const V inverse = V(1) / below;
  const V ratio = u.hi * inverse;
  const V residual = fma(-ratio, below_lo, fma(-ratio, below, u.hi) + u.lo);
  return copysign(fma(residual, inverse, ratio), x);
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
