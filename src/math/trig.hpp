// sin, cos, tan and both of sin and cos at once.
//
// |x| is reduced by multiples of pi/2 to hi + lo; the sine and cosine of that are polynomials whose largest terms (hi,
// and 1 - hi^2/2) are added last and without loss. The sign of x is put back at the end, so odd functions are odd and
// sin(-0) = -0.
#pragma once

#include "math/trig_reduce.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <class V> struct SinCos { V sin, cos; };
template <class M, class V> FRIT_INLINE SinCos<V> select(M mask, SinCos<V> a, SinCos<V> b) {
  return {select(mask, a.sin, b.sin), select(mask, a.cos, b.cos)};
}

// Of a reduced argument: each value is hi + lo with |lo| far below |hi|.
template <class V> struct SinCosPairs { Pair<V> sin, cos; };

// With ExactSquare the rounding error of hi^2 is taken back where it is halved and subtracted from 1: a fifth of an ulp of
// the cosine, which tan has no room for.
template <bool ExactSquare = false, LaneValue V> FRIT_INLINE SinCosPairs<V> sin_cos_pairs(Reduced<V> r) {
  using C = TrigConstants<ElementOf<V>>;
  const V z = r.hi * r.hi;
  const V half = V(ElementOf<V>(0.5)) * z;
  const V cos_hi = V(1) - half;
  V cross = r.hi * r.lo;
  if constexpr (ExactSquare) cross = fma(fma(r.hi, r.hi, -z), V(ElementOf<V>(0.5)), cross);
  const V cos_tail = fma(z * z, polynomial(z, C::cos_tail), -cross);
  const V cos_lo = ((V(1) - cos_hi) - half) + cos_tail;
  const V sin_lo = fma(z * r.hi, polynomial(z, C::sin_tail), cos_hi * r.lo);
  return {{r.hi, sin_lo}, {cos_hi, cos_lo}};
}

// The second bit of the quadrant as a sign bit.
template <LaneValue V> FRIT_INLINE typename V::Bits half_turn(typename V::Bits quadrant) {
  return (quadrant << (FormatOf<V>::bits - 2)) & sign_bit<V>();
}
template <LaneValue V> FRIT_INLINE typename V::Mask is_odd(typename V::Bits quadrant) {
  return mask_of(quadrant & V::Bits::of(1));
}

template <LaneValue V> FRIT_INLINE V sin_of(SinCosPairs<V> p, typename V::Bits quadrant, V x) {
  const V value = select(is_odd<V>(quadrant), p.cos.hi + p.cos.lo, p.sin.hi + p.sin.lo);
  return flip_sign(value, half_turn<V>(quadrant) ^ sign_of(x));
}
template <LaneValue V> FRIT_INLINE V cos_of(SinCosPairs<V> p, typename V::Bits quadrant) {
  const V value = select(is_odd<V>(quadrant), p.sin.hi + p.sin.lo, p.cos.hi + p.cos.lo);
  return flip_sign(value, half_turn<V>(quadrant + V::Bits::of(1)));
}

template <LaneValue V> FRIT_INLINE V sin(V x) {
  const Reduced<V> r = reduce(abs(x));
  return sin_of(sin_cos_pairs(r), r.quadrant, x);
}

template <LaneValue V> FRIT_INLINE V cos(V x) {
  const Reduced<V> r = reduce(abs(x));
  return cos_of(sin_cos_pairs(r), r.quadrant);
}

// The same bits as sin(x) and cos(x).
template <LaneValue V> FRIT_INLINE SinCos<V> sincos(V x) {
  const Reduced<V> r = reduce(abs(x));
  const SinCosPairs<V> p = sin_cos_pairs(r);
  return {sin_of(p, r.quadrant, x), cos_of(p, r.quadrant)};
}

// sin / cos, or -cos / sin in odd quadrants: one division, whose result is corrected by its residual.
template <LaneValue V> FRIT_INLINE V tan(V x) {
  const Reduced<V> r = reduce(abs(x));
  const SinCosPairs<V> p = sin_cos_pairs<true>(r);
  const Pair<V> sine = fast_two_sum(p.sin.hi, p.sin.lo), cosine = fast_two_sum(p.cos.hi, p.cos.lo);
  const auto odd = is_odd<V>(r.quadrant);
  const Pair<V> above = select(odd, cosine, sine), below = select(odd, sine, cosine);
  const V inverse = V(1) / below.hi;
  const V ratio = above.hi * inverse;
  const V residual = fma(-ratio, below.lo, fma(-ratio, below.hi, above.hi) + above.lo);
  const typename V::Bits flips = (r.quadrant << (FormatOf<V>::bits - 1)) ^ bits(x);
  return flip_sign(fma(residual, inverse, ratio), flips & sign_bit<V>());
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
