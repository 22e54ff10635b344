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

// Sums and products whose error is some units of twice the precision. A factor of a product or square must be normal, its low part
// below its last place.
template <LaneValue V> FRIT_INLINE Pair<V> pair_sum(Pair<V> a, Pair<V> b) {
  const Pair<V> sum = two_sum(a.hi, b.hi);
  return {sum.hi, sum.lo + (a.lo + b.lo)};
}
template <LaneValue V> FRIT_INLINE Pair<V> pair_product(Pair<V> a, Pair<V> b) {
  const Pair<V> product = two_product(a.hi, b.hi);
  return {product.hi, fma(a.lo, b.hi, fma(a.hi, b.lo, product.lo))};
}
template <LaneValue V> FRIT_INLINE Pair<V> pair_product(Pair<V> a, V b) {
  const Pair<V> product = two_product(a.hi, b);
  return {product.hi, fma(a.lo, b, product.lo)};
}
template <LaneValue V> FRIT_INLINE Pair<V> pair_square(Pair<V> a) {
  const Pair<V> square = two_product(a.hi, a.hi);
  return {square.hi, fma(a.hi + a.hi, a.lo, square.lo)};
}

// a - ratio b for a ratio next to a / b, by which the first difference is exact.
template <LaneValue V> FRIT_INLINE V pair_residual(Pair<V> a, V ratio, Pair<V> b) {
  return fma(-ratio, b.hi, a.hi) + fma(-ratio, b.lo, a.lo);
}
// a / b, by an inverse of b.hi that may be some ulps off; or to 5 % of the low part.
template <LaneValue V> FRIT_INLINE Pair<V> pair_quotient(Pair<V> a, Pair<V> b, V inverse) {
  const V ratio = a.hi * inverse;
  return {ratio, pair_residual(a, ratio, b) * inverse};
}
template <LaneValue V> FRIT_INLINE Pair<V> pair_quotient(Pair<V> a, Pair<V> b) {
  const V ratio = a.hi / b.hi;
  return {ratio, pair_residual(a, ratio, b) * rough_inverse(b.hi)};
}

template <LaneValue V> FRIT_INLINE Pair<V> sqrt_pair(V x) {
  const V root = sqrt(x);
  return {root, fma(-root, root, x) * rough_inverse(root + root)};
}
template <LaneValue V> FRIT_INLINE Pair<V> sqrt_pair(Pair<V> x) {
  const V root = sqrt(x.hi);
  return {root, (fma(-root, root, x.hi) + x.lo) * rough_inverse(root + root)};
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
