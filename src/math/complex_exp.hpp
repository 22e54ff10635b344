// The exponential: exp(re) (cos(im) + i sin(im)).
#pragma once

#include "math/complex_parts.hpp"
#include "math/exp.hpp"
#include "math/trig.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {
namespace complex_parts {

// exp(modulus) (cos(angle) + i sin(angle)), both arguments pairs. pow ends here.
template <class V> struct Polar {
  Pair<V> modulus;
  Pair<V> angle;
};

// NOTE: from the first to the second exp() is a normal number; outside it the zeros' signs or the factor that brings back
// an overflow need the full form.
template <class V> FRIT_INLINE typename V::Mask exp_is_plain(V exponent) {
  return within(exponent, literal<V>(-708, -87), literal<V>(709, 88));
}

// The unit vector at an angle before its last rounding: what is multiplied with it rounds but once.
template <class V> struct Direction {
  SinCosPairs<V> reduced;
  typename V::Bits quadrant;
  V angle;  // for its sign
};

template <class V> FRIT_INLINE Direction<V> direction_of(V angle) {
  const Reduced<V> r = reduce(abs(angle));
  return {sin_cos_pairs(r), r.quadrant, angle};
}

// Up to here the low part of an angle is small beside 1, and can be added to what is left of the high one.
template <class V> FRIT_INLINE typename V::Mask angle_is_plain(V angle) {
  return abs(angle) <= literal<V>(0x1p40, 0x1p16);
}

template <class V> FRIT_INLINE Direction<V> direction_of(Pair<V> angle) {
  const Reduced<V> r = reduce(abs(angle.hi));
  // Some ulps of a large angle are many of the reduced one, whose low part must stay below its last place.
  const Pair<V> whole = fast_two_sum(r.hi, r.lo + flip_sign(angle.lo, sign_of(angle.hi)));
  return {sin_cos_pairs(Reduced<V>{whole.hi, whole.lo, r.quadrant}), r.quadrant, angle.hi};
}

template <class V> FRIT_INLINE Complex<V> rounded(Direction<V> d) {
  return {cos_of(d.reduced, d.quadrant), sin_of(d.reduced, d.quadrant, d.angle)};
}

template <class V> FRIT_INLINE Complex<V> stretched(Direction<V> d, V length) {
  return rounded(
      Direction<V>{{pair_product(d.reduced.sin, length), pair_product(d.reduced.cos, length)}, d.quadrant, d.angle});
}

// Where exp(exponent) overflows though its product with a component need not. The power of two is applied in quarters, one
// of them to the component, which may be subnormal, before all.
template <class V> FRIT_INLINE Complex<V> stretched_far(Direction<V> d, Pair<V> exponent) {
  const V most = literal<V>(1500, 200);              // even the smallest component overflows
  const V clamped = clamp(exponent.hi, V(0), most);  // below 0 it is not asked for
  const ScaledExp<V> length = scaled_exp(Pair<V>{clamped, select(clamped == exponent.hi, exponent.lo, V(0))});
  const typename V::Bits n = length.exponent - bits(V(FormatOf<V>::integer_magic));
  const typename V::Bits quarter = sar(n, 2);
  const V by_quarter = power_of_two<V>(quarter);
  const V by_rest = power_of_two<V>(n - quarter - quarter - quarter);
  const SinCosPairs<V> near{{d.reduced.sin.hi * by_quarter, d.reduced.sin.lo * by_quarter},
                            {d.reduced.cos.hi * by_quarter, d.reduced.cos.lo * by_quarter}};
  const Complex<V> result = stretched(Direction<V>{near, d.quadrant, d.angle}, length.mantissa);
  return {result.re * by_quarter * by_quarter * by_rest, result.im * by_quarter * by_quarter * by_rest};
}

// Annex G, where a plain product would be wrong: a real part that overflows, an infinity, a NaN beside a zero angle.
template <class V> FRIT_INLINE Complex<V> exp_special(Complex<V> value, V exponent, V angle) {
  const auto open_angle = ~is_finite(angle);
  const V nan = not_a_number<V>();
  Complex<V> result = select(open_angle, Complex<V>{nan, nan}, value);
  result = select(open_angle & (exponent == infinity<V>()), Complex<V>{infinity<V>(), nan}, result);
  result = select(open_angle & (exponent == -infinity<V>()), Complex<V>{V(0), with_sign(V(0), angle)}, result);
  return select(is_nan(exponent), Complex<V>{nan, select(angle == V(0), angle, nan)}, result);
}

// Of any angle: where the low part is not small, both parts are reduced and their unit vectors multiplied. The modulus of that
// is right to some ulps; its components, where they are small, no longer are.
template <class V> FRIT_INLINE Direction<V> direction_full(Pair<V> angle) {
  const auto wide = ~angle_is_plain(angle.hi) & (angle.lo != V(0));
  const Direction<V> near = direction_of(Pair<V>{angle.hi, select(wide, V(0), angle.lo)});
  const Complex<V> a = rounded(near), b = rounded(direction_of(angle.lo));
  const Pair<V> cosine{a.re * b.re - a.im * b.im, V(0)}, sine{a.im * b.re + a.re * b.im, V(0)};
  return {{select(wide, sine, near.reduced.sin), select(wide, cosine, near.reduced.cos)},
          select(wide, V::Bits::of(0), near.quadrant),
          select(wide, V(1), near.angle)};
}

template <class V> FRIT_INLINE Complex<V> exp_full(Pair<V> modulus, Direction<V> direction, V angle) {
  const Complex<V> unit = rounded(direction);
  const V length = exp_pair_general(modulus);
  const Complex<V> near{length * unit.re, length * unit.im};
  const Complex<V> far = stretched_far(direction, modulus);
  return exp_special(select(modulus.hi > literal<V>(709, 88), far, near), modulus.hi, angle);
}

template <class V> FRIT_INLINE Complex<V> exp_polar_full(Polar<V> z) {
  return exp_full(z.modulus, direction_full(z.angle), z.angle.hi);
}

}  // namespace complex_parts

// exp(z), each component at most 1.7 ulp off. NOTE: plain while re lies in [-708, 709] (f64), [-87, 88] (f32) and im is
// finite.
template <class V> FRIT_INLINE Complex<V> exp(Complex<V> z) {
  namespace parts = complex_parts;
  const parts::Direction<V> direction = parts::direction_of(z.im);
  const Complex<V> value = parts::stretched(direction, exp(z.re));
  return rare(~parts::exp_is_plain(z.re) | is_nan(value.re), value, [=]() FRIT_INLINE_LAMBDA {
    return parts::exp_full(Pair<V>{z.re, V(0)}, direction, z.im);
  });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
