// log1p, log2, log10, logaddexp, softplus.
#pragma once

#include "math/log.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// 1/a to 0.4 %, where rough_inverse() is within 5 %.
template <LaneValue V> FRIT_INLINE V near_inverse(V a) {
  const V rough = rough_inverse(a);
  return fma(rough, fma(-a, rough, V(1)), rough);
}

// log(1 + x.hi + x.lo) for -1 < x.hi < 2^1000 (float: 2^120) and an x.lo of some ulps of x.hi.
//
// u = 1 + x.hi rounded and c what that lost: log(u) + c / u. While u has the exponent 0 its f is x.hi itself, u - 1 and c together,
// so that small arguments lose nothing.
template <LaneValue V> FRIT_INLINE V log1p_pair(Pair<V> x) {
  const V u = V(1) + x.hi;
  const V lost = x.hi - (u - V(1));  // exact below 2^53 (float: 2^24); above, the logarithm does not see it
  const Mantissa<V> parts = split_exponent(u);
  const auto near = parts.k == V();
  const V f = select(near, x.hi, parts.m - V(1));
  const V more = (select(near, V(), lost) + x.lo) * near_inverse(u);
  return log_sum(parts.k, f, log_rest(f) + more);
}

template <LaneValue V> FRIT_INLINE V log1p(V x) {
  using F = FormatOf<V>;
  const V large(is_double<V> ? ElementOf<V>(0x1p100) : ElementOf<V>(0x1p60));
  const auto ordinary = (x > V(-1)) & (x < large);
  // The sum of exponent and f has lost the sign of zero.
  return rare(~ordinary, copysign(log1p_pair(Pair<V>{x, V()}), x),
              [=]() FRIT_INLINE_LAMBDA { return select(x == V(-1), V(-F::infinity), log(x)); });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
