// A number as an unevaluated sum hi + lo of two lane values: twice the precision where a function needs it inside.
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <class V> struct Pair { V hi, lo; };

template <class M, class V> FRIT_INLINE Pair<V> select(M mask, Pair<V> a, Pair<V> b) {
  return {select(mask, a.hi, b.hi), select(mask, a.lo, b.lo)};
}

// hi = a + b rounded, lo = what the rounding lost, exactly.
template <LaneValue V> FRIT_INLINE Pair<V> two_sum(V a, V b) {
  const V hi = a + b;
  const V part = hi - a;
  return {hi, (a - (hi - part)) + (b - part)};
}
// The same where |a| >= |b|, or their exponents are equal, or a is zero.
template <LaneValue V> FRIT_INLINE Pair<V> fast_two_sum(V a, V b) {
  const V hi = a + b;
  return {hi, b - (hi - a)};
}
template <LaneValue V> FRIT_INLINE Pair<V> two_product(V a, V b) {
  const V hi = a * b;
  return {hi, fma(a, b, -hi)};
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
