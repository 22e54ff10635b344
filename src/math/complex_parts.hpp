// What the complex functions share: sums and squares kept as pairs, windows of magnitude, scales.
#pragma once

#include "math/complex_value.hpp"
#include "math/pair.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {
namespace complex_parts {

// A literal that differs by element type.
template <class V> FRIT_INLINE V literal(double f64, double f32) { return V::of(is_double<V> ? f64 : f32); }

template <class V> FRIT_INLINE V infinity() { return V(FormatOf<V>::infinity); }

template <class V> FRIT_INLINE V not_a_number() { return V(FormatOf<V>::nan); }

template <class V> FRIT_INLINE Complex<V> swapped(Complex<V> z) { return {z.im, z.re}; }

// False for a NaN.
template <class V> FRIT_INLINE typename V::Mask within(V a, V low, V high) { return (a >= low) & (a <= high); }

template <class V> FRIT_INLINE typename V::Mask is_infinite(V a) { return abs(a) == infinity<V>(); }

template <class V> FRIT_INLINE typename V::Mask is_finite(V a) { return abs(a) < infinity<V>(); }

template <class V> FRIT_INLINE typename V::Mask some_infinite(Complex<V> z) {
  return is_infinite(z.re) | is_infinite(z.im);
}

template <class V> FRIT_INLINE typename V::Mask is_zero(Complex<V> z) { return (z.re == V(0)) & (z.im == V(0)); }
template <class V> FRIT_INLINE typename V::Mask is_zero(V x) { return x == V(0); }

// Both magnitudes, the larger first. Where one is a NaN the order is unspecified and the NaN stays.
template <class V> struct Magnitudes {
  V large;
  V small;
};

template <class V> FRIT_INLINE Magnitudes<V> magnitudes(Complex<V> z) {
  const V re = abs(z.re);
  const V im = abs(z.im);
  const auto re_larger = re > im;
  return {select(re_larger, re, im), select(re_larger, im, re)};
}

// The magnitude of a with the sign of b; a NaN counts as positive, since its sign depends on who made it.
template <class V> FRIT_INLINE V with_sign(V a, V b) { return copysign(a, select(is_nan(b), V(0), b)); }

// Annex G's box: an infinite number becomes one with parts 0 and 1 in its direction.
template <class V> FRIT_INLINE V boxed(V a) { return with_sign(select(is_infinite(a), V(1), V(0)), a); }
template <class V> FRIT_INLINE Complex<V> boxed(Complex<V> z) { return {boxed(z.re), boxed(z.im)}; }

}  // namespace complex_parts
}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
