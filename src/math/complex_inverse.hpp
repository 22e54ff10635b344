// asin, acos, acosh, asinh, atanh, atan.
//
// With asin z = s + i h (T. Hull, T. Fairgrieve, P. Tang, Implementing the complex arcsine and arccosine functions using
// exception handling, 1997, derive these; a = cosh h there): x = cosh h sin s and y = sinh h cos s. So t = sinh^2 h and
// w = cos^2 s have the difference k = |z|^2 - 1 and the product y^2:
//   the larger of t and w is (sqrt(k^2 + 4 y^2) + |k|) / 2,   the smaller is y^2 / larger,
//   h = log(sqrt t + sqrt(1 + t)),   s = atan2(x, sqrt(w (1 + t))),   acos z = atan2(sqrt(w (1 + t)), x) - i h.
// k is exact before it is rounded to a pair, all roots are pairs, and h and s depend on them by factors of at most 1, so
// each component is right to 1.5 ulp anywhere: at z = 1, along the cuts, and where a component is near zero.
//
// With a = |1 + z|^2, b = |1 - z|^2 and re z >= 0: atanh z = log(a / b) / 4 + i atan2(2 y, -k) / 2. a and b are sums of
// squares; where no power of two is taken out of a / b, a - b is 4 x.
#pragma once

#include "math/complex_log.hpp"
#include "math/inverse_hyperbolic.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {
namespace complex_parts {

// NOTE: plain where no square of k overflows, and k^2 + 4 y^2 keeps its low bits: k is at least 2^-53 (f32: 2^-24), unless
// |re| = 1, where it is y^2. False for a NaN.
template <class V> FRIT_INLINE typename V::Mask arc_is_plain(V re, V im) {
  const auto near_branch_point = (re == V(1)) & (im < literal<V>(0x1p-100, 0x1p-40));
  return (re + im <= literal<V>(0x1p250, 0x1p30)) & ~near_branch_point;
}

// |z|^2 - 1.
template <class V> FRIT_INLINE Pair<V> square_less_one(Magnitudes<V> part) {
  const Triple<V> square = exact_square(part);
  const Pair<V> first = two_sum(square.hi, V(-1));
  const Pair<V> sum = fast_two_sum(first.hi, first.lo + square.mid);
  return {sum.hi, sum.lo + square.lo};
}

// atan2(y, x) of numbers that its plain form takes.
template <class V> FRIT_INLINE V plain_angle(V y, V x) {
  const V rise = abs(y), run = abs(x);
  const auto steep = rise > run;
  return atan2_scaled(y, x, select(steep, run, rise), select(steep, rise, run), steep);
}

// asin or acos as (angle, h), the sign of im not applied to either.
template <bool Cosine, class V> FRIT_INLINE Complex<V> arc_plain(Complex<V> z, Magnitudes<V> part) {
  const V half = V::of(0.5);
  const V im = abs(z.im);
  const Pair<V> k = square_less_one(part);
  const Pair<V> root = sqrt_pair(pair_sum(pair_square(k), two_product(im + im, im + im)));
  const Pair<V> sum = fast_two_sum(root.hi, abs(k.hi));
  const V sum_lo = sum.lo + (root.lo + flip_sign(k.lo, sign_of(k.hi)));
  const Pair<V> larger = sqrt_pair(Pair<V>{sum.hi * half, sum_lo * half});
  const Pair<V> smaller = pair_quotient(Pair<V>{im, V(0)}, larger);
  const auto outside = k.hi > V(0);
  const Pair<V> sine = select(outside, larger, smaller);    // sinh h
  const Pair<V> cosine = select(outside, smaller, larger);  // cos s
  const Pair<V> square = pair_sum(Pair<V>{V(1), V(0)}, pair_square(sine));
  const Pair<V> hyperbolic_cosine = sqrt_pair(square);

  const V h = hyperbolic_area(sine, hyperbolic_cosine);

  // The low part of the other leg turns the angle by its share of re^2 + leg^2 = cosh^2 h.
  const Pair<V> leg = pair_product(cosine, hyperbolic_cosine);
  const V turn = z.re * leg.lo * rough_inverse(square.hi);
  if constexpr (Cosine) return {plain_angle(leg.hi, z.re) + turn, h};
  return {copysign(plain_angle(abs(z.re), leg.hi) - flip_sign(turn, sign_of(z.re)), z.re), h};
}

// Beside +-1, large numbers, infinities and NaN: at the branch point the leg is sqrt(im) and so is h, far out it is im.
template <bool Cosine, class V> FRIT_INLINE Complex<V> arc_full(Complex<V> z, Magnitudes<V> part) {
  const V im = abs(z.im);
  const auto near_branch_point = abs(z.re) + im <= V(2);
  const V root = sqrt(im);
  V leg = select(near_branch_point, root, im);
  leg = select(is_nan(im) & (z.re == V(0)), V(1), leg);
  const V h = select(near_branch_point, root, log_modulus_full(z, part) + V(Exp2Constants<ElementOf<V>>::ln2));
  return {Cosine ? atan2(leg, z.re) : atan2(z.re, leg), h};
}

template <bool Cosine, class V> FRIT_INLINE Complex<V> arc(Complex<V> z) {
  const Magnitudes<V> part = magnitudes(z);
  return rare(~arc_is_plain(abs(z.re), abs(z.im)), arc_plain<Cosine>(z, part),
              [=]() FRIT_INLINE_LAMBDA { return arc_full<Cosine>(z, part); });
}

// atanh of (|re|, |im|).
template <class V> FRIT_INLINE Complex<V> atanh_plain(V re, V im, Magnitudes<V> part) {
  using C = InverseHyperbolicConstants<ElementOf<V>>;
  using Bits = typename V::Bits;
  constexpr int mantissa = FormatOf<V>::mantissa;
  const Pair<V> im_square = two_product(im, im);
  const Pair<V> a = pair_sum(pair_square(two_sum(V(1), re)), im_square);
  const Pair<V> b = pair_sum(pair_square(two_sum(V(1), -re)), im_square);
  // n as in the real atanh, whose series this takes: the difference of images, rounded.
  const Bits n = sar(bits(a.hi) - bits(b.hi) + Bits::of(std::int64_t{1} << (mantissa - 1)), mantissa);
  const V scale = from_bits<V>(bits(V(1)) - (n << mantissa)), half = V::of(0.5);
  const Pair<V> near{a.hi * scale, a.lo * scale};
  const Pair<V> difference = select(n == Bits::of(0), Pair<V>{V(4) * re, V(0)}, pair_sum(near, Pair<V>{-b.hi, -b.lo}));
  const Pair<V> sum = pair_sum(near, b);
  const Pair<V> ratio = log_ratio(difference, Pair<V>{sum.hi * half, sum.lo * half}, C::tail);
  const V logarithm = log_sum(to_float<V>(n), ratio.hi, ratio.lo);

  const Pair<V> k = square_less_one(part);
  const V rise = im + im;
  const V turn = rise * k.lo * rough_inverse(fma(k.hi, k.hi, rise * rise));
  return {logarithm * V::of(0.25), (plain_angle(rise, -k.hi) + turn) * half};
}

// re / |z|^2 of a large number, beside which a small re keeps its bits.
template <class V> FRIT_INLINE V re_of_inverse(V re, Magnitudes<V> part) {
  const V scale = literal<V>(0x1p-520, 0x1p-66);
  const Triple<V> square = exact_square(Magnitudes<V>{part.large * scale, part.small * scale});
  const V quotient = re / square.hi;
  return fma(-quotient, square.mid * rough_inverse(square.hi), quotient) * scale * scale;
}

// Beside +-1, where |1 - z| = |im|; and far out, where atanh is 1 / z beside a quarter turn. Both parts of z are positive.
template <class V> FRIT_INLINE Complex<V> atanh_full(Complex<V> z, Magnitudes<V> part) {
  const V half = V::of(0.5), half_pi = V(Constants<V>::half_pi_hi);
  const V log_im = log_modulus_full(Complex<V>{z.im, V(0)}, Magnitudes<V>{z.im, V(0)});
  const Complex<V> at_pole{(V(Exp2Constants<ElementOf<V>>::ln2) - log_im) * half,
                           select(z.im == V(0), V(0), half_pi * half)};
  const V inverse = select(some_infinite(z) | (z.re == V(0)), V(0), re_of_inverse(z.re, part));
  const auto known = (~is_nan(z.re) | is_infinite(z.im)) & ~is_nan(z.im);
  const Complex<V> far{inverse, select(known, half_pi, not_a_number<V>())};
  return select(z.re + z.im <= V(2), at_pole, far);
}

}  // namespace complex_parts

// Cut along the real axis outside [-1, 1]; the sign of a zero imaginary part chooses the side.
template <class V> FRIT_INLINE Complex<V> asin(Complex<V> z) {
  const Complex<V> value = complex_parts::arc<false>(z);
  return {value.re, complex_parts::with_sign(value.im, z.im)};
}
template <class V> FRIT_INLINE Complex<V> acos(Complex<V> z) {
  const Complex<V> value = complex_parts::arc<true>(z);
  return {value.re, -complex_parts::with_sign(value.im, z.im)};
}
// Cut along the real axis below 1.
template <class V> FRIT_INLINE Complex<V> acosh(Complex<V> z) {
  const Complex<V> value = complex_parts::arc<true>(z);
  return {value.im, complex_parts::with_sign(value.re, z.im)};
}
// Cut along the imaginary axis outside [-i, i]; the sign of a zero real part chooses the side.
template <class V> FRIT_INLINE Complex<V> asinh(Complex<V> z) {
  return complex_parts::swapped(asin(complex_parts::swapped(z)));
}

// Cut as asin.
template <class V> FRIT_INLINE Complex<V> atanh(Complex<V> z) {
  namespace parts = complex_parts;
  const V re = abs(z.re), im = abs(z.im);
  const parts::Magnitudes<V> part = parts::magnitudes(z);
  const Complex<V> value =
      rare(~parts::arc_is_plain(re, im), parts::atanh_plain(re, im, part), [=]() FRIT_INLINE_LAMBDA {
        return parts::atanh_full(Complex<V>{re, im}, part);
      });
  return {parts::with_sign(value.re, z.re), parts::with_sign(value.im, z.im)};
}
// Cut as asinh.
template <class V> FRIT_INLINE Complex<V> atan(Complex<V> z) {
  return complex_parts::swapped(atanh(complex_parts::swapped(z)));
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
