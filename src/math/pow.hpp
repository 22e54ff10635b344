// pow(x, y) = exp(y log x), the logarithm and the product as pairs.
#pragma once

#include "math/exp.hpp"
#include "math/log.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// |x|^y by the pair logarithm; any exponent. Zeros, infinities and NaN are the caller's.
template <LaneValue V> FRIT_INLINE Pair<V> power_exponent(Pair<V> logarithm, V y) {
  const V hi = y * logarithm.hi;
  return {hi, fma(y, logarithm.hi, -hi) + y * logarithm.lo};
}

// C99 Annex F.9.4.4, for every x and y.
template <LaneValue V> FRIT_INLINE V pow_general(V x, V y) {
  using F = FormatOf<V>;
  const V zero, one(1), infinity(F::infinity);
  const V magnitude = abs(x);
  V r = exp_pair_general(power_exponent(log_pair(magnitude), y));
  // The logarithm pair of zero and infinity is finite and wrong.
  const auto grows = y > zero;
  r = select(magnitude == zero, select(grows, zero, infinity), r);
  r = select(magnitude == infinity, select(grows, infinity, zero), r);
  const auto whole = round_even(y) == y;
  const V half = y * V(ElementOf<V>(0.5));
  const auto odd = whole & (round_even(half) != half);
  const auto negative = bits(x) < V::Bits::of(0);
  r = select(negative & odd, -r, r);
  r = select((x < zero) & (magnitude < infinity) & ~whole, V(F::nan), r);
  r = select(is_nan(x) | is_nan(y), x + y, r);
  r = select((magnitude == one) & (abs(y) == infinity), one, r);
  return select((y == zero) | (x == one), one, r);
}

template <LaneValue V> FRIT_INLINE V pow(V x, V y) {
  using R = ExpRange<ElementOf<V>>;
  const Pair<V> exponent = power_exponent(log_pair_of(split_exponent(x)), y);
  // NOTE: a NaN or infinite y fails the comparisons, since log x is never infinite here.
  const auto ordinary = is_positive_normal(x) & (exponent.hi > V(R::least)) & (exponent.hi < V(R::most));
  return rare(~ordinary, scale_direct(scaled_exp(exponent)), [=]() FRIT_INLINE_LAMBDA { return pow_general(x, y); });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
