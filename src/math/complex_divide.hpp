// The modulus, and division.
//
// Division is a conj(b) / |b|^2 with one reciprocal. The numerators and |b|^2 are each a fused sum of two products with
// what its rounding lost beside it, so that a component is right to 1.5 ulp even where its two products cancel, unless
// nearly all their bits do.
#pragma once

#include "math/complex_parts.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {
namespace complex_parts {

// NOTE: the plain forms hold while
//   f64: |z|^2 >= 2^-960 and is finite (abs); |b|^2 in [2^-500, 2^900], |re a| + |im a| in [2^-300, 2^500] or 0 (divide)
//   f32: |z|^2 >= 2^-100 and is finite (abs); |b|^2 in [2^-70, 2^100],  |re a| + |im a| in [2^-40, 2^70] or 0 (divide)
// There no product overflows, and one that loses bits by being subnormal has a component below 2^-400 (f64) or 2^-32
// (f32) of its partner as a factor.
template <class V> FRIT_INLINE typename V::Mask divisor_is_plain(V square) {
  return within(square, literal<V>(0x1p-500, 0x1p-70), literal<V>(0x1p900, 0x1p100));
}

template <class V> FRIT_INLINE typename V::Mask dividend_is_plain(V size) {
  return within(size, literal<V>(0x1p-300, 0x1p-40), literal<V>(0x1p500, 0x1p70)) | (size == V(0));
}

// Scales that bring the larger component of any finite non-zero number into [2^-350, 2^350] (f32: [2^-53, 2^49]).
// `half` is the square root of the scale. Dividends are raised a little more: that leaves room for a small component, and
// for no more than a quotient that is computed plainly.
template <class V> struct Scale {
  V half;
  V half_inverse;
};

template <class V> FRIT_INLINE Scale<V> scale_of(V large) {
  const auto big = large >= literal<V>(0x1p326, 0x1p47);
  const auto small = large < literal<V>(0x1p-374, 0x1p-47);
  const V down = literal<V>(0x1p-338, 0x1p-43);
  const V down_inverse = literal<V>(0x1p338, 0x1p43);
  const V up = literal<V>(0x1p362, 0x1p48);
  const V up_inverse = literal<V>(0x1p-362, 0x1p-48);
  return {select(big, down, select(small, up, V(1))), select(big, down_inverse, select(small, up_inverse, V(1)))};
}

template <class V> FRIT_INLINE Scale<V> raised(Scale<V> scale) {
  return {scale.half * literal<V>(0x1p100, 0x1p14), scale.half_inverse * literal<V>(0x1p-100, 0x1p-14)};
}

template <class V> FRIT_INLINE V scaled(V a, Scale<V> scale) { return a * scale.half * scale.half; }

template <class V> FRIT_INLINE Complex<V> scaled(Complex<V> a, Scale<V> scale) {
  return {scaled(a.re, scale), scaled(a.im, scale)};
}

// 1 / |b|^2 as a pair whose low part is not negative.
//
// NOTE: the reciprocal is taken two units down, so that n * lo has the sign of n: for a numerator of -0 every term of
// the quotient is -0, and the sign survives without a select.
template <class V> struct Reciprocal {
  V hi;
  V lo;
};

template <class V> FRIT_INLINE V square_of_modulus(Complex<V> b) { return fma(b.re, b.re, b.im * b.im); }

template <class V> FRIT_INLINE Reciprocal<V> reciprocal_of_square(Complex<V> b, V square) {
  // The rounding error of square = fl(re^2 + fl(im^2)): a two-sum whose one operand, re^2, is never rounded.
  const V im_square = b.im * b.im;
  const V re_part = square - im_square;
  const V im_lost = im_square - (square - re_part);
  const V re_lost = fma(b.re, b.re, -re_part);
  const V square_lost = fma(b.im, b.im, -im_square);
  const V low = (im_lost + re_lost) + square_lost;
  using Bits = typename V::Bits;
  const V estimate = from_bits<V>(bits(V(1) / square) - Bits::of(2));
  return {estimate, fma(-low, estimate, fma(-square, estimate, V(1))) * estimate};
}

// (a c + b d) r.
template <class V> FRIT_INLINE V fused_dot(V a, V c, V b, V d, Reciprocal<V> r) {
  const V product = b * d;
  const V sum = fma(a, c, product);
  const V excess = fma(-b, d, product);
  return fma(sum, r.hi, fma(-excess, r.hi, sum * r.lo));
}

// (a c) r.
template <class V> FRIT_INLINE V fused_dot(V a, V c, Reciprocal<V> r) {
  const V product = a * c;
  const V excess = fma(-a, c, product);
  return fma(product, r.hi, fma(-excess, r.hi, product * r.lo));
}

template <class V> FRIT_INLINE Complex<V> divide_plain(Complex<V> a, Complex<V> b, V square) {
  const auto r = reciprocal_of_square(b, square);
  return {fused_dot(a.re, b.re, a.im, b.im, r), fused_dot(a.im, b.re, -a.re, b.im, r)};
}

template <class V> FRIT_INLINE Complex<V> divide_plain(V a, Complex<V> b, V square) {
  const auto r = reciprocal_of_square(b, square);
  return {fused_dot(a, b.re, r), fused_dot(-a, b.im, r)};
}

template <class V> FRIT_INLINE V largest(Complex<V> z) { return magnitudes(z).large; }
template <class V> FRIT_INLINE V largest(V a) { return abs(a); }

// The parts of a conj(b) by the plain formula, for infinite and zero operands.
template <class V> FRIT_INLINE Complex<V> times_conjugate(Complex<V> a, Complex<V> b) {
  return {a.re * b.re + a.im * b.im, a.im * b.re - a.re * b.im};
}
template <class V> FRIT_INLINE Complex<V> times_conjugate(V a, Complex<V> b) { return {a * b.re, -a * b.im}; }

// Of a real a the imaginary part would be 0 times an infinity.
template <class V> FRIT_INLINE Complex<V> times_real(Complex<V> a, V b) { return {a.re * b, a.im * b}; }
template <class V> FRIT_INLINE Complex<V> times_real(V a, V b) { return {a * b, not_a_number<V>()}; }

template <class V> FRIT_INLINE typename V::Mask some_infinite(V a) { return is_infinite(a); }
template <class V> FRIT_INLINE typename V::Mask all_finite(Complex<V> z) { return is_finite(z.re) & is_finite(z.im); }
template <class V> FRIT_INLINE typename V::Mask all_finite(V a) { return is_finite(a); }

// Any operands: scaled, then Annex G's recovery of infinities and zeros. A is V or Complex<V>.
template <class V, class A> FRIT_INLINE Complex<V> divide_full(A a, Complex<V> b) {
  const Scale<V> a_scale = raised(scale_of(largest(a)));
  const Scale<V> b_scale = scale_of(largest(b));
  const Complex<V> divisor = scaled(b, b_scale);
  const Complex<V> quotient = divide_plain(scaled(a, a_scale), divisor, square_of_modulus(divisor));
  const V half = a_scale.half_inverse * b_scale.half;
  Complex<V> result{quotient.re * half * half, quotient.im * half * half};

  const V unbounded = infinity<V>();
  const Complex<V> by_zero = times_real(a, copysign(unbounded, b.re));
  const Complex<V> of_infinity = times_conjugate(boxed(a), b);
  // Made smaller, so that the sum of two large parts is finite.
  const V smaller = select(largest(a) >= V(1), V::of(0.5), V(1));
  const Complex<V> by_infinity = times_conjugate(scaled(a, Scale<V>{smaller, smaller}), boxed(b));
  const auto zero_divisor = is_zero(b);
  result = select(zero_divisor, by_zero, result);
  result = select(some_infinite(a) & all_finite(b) & ~zero_divisor, times_real(of_infinity, unbounded), result);
  return select(all_finite(a) & some_infinite(b), times_real(by_infinity, V(0)), result);
}

// The modulus of any number.
template <class V> FRIT_INLINE V abs_full(Complex<V> z) {
  const V large = largest(z);
  const auto big = large >= V(1);
  const V scale = select(big, literal<V>(0x1p-600, 0x1p-70), literal<V>(0x1p600, 0x1p100));
  const V inverse = select(big, literal<V>(0x1p600, 0x1p70), literal<V>(0x1p-600, 0x1p-100));
  const V modulus = sqrt(square_of_modulus(Complex<V>{z.re * scale, z.im * scale})) * inverse;
  return select(some_infinite(z), infinity<V>(), modulus);
}

}  // namespace complex_parts

// |z|, at most 1.5 ulp off. An infinite part gives infinity, whatever the other.
template <class V> FRIT_INLINE V abs(Complex<V> z) {
  namespace parts = complex_parts;
  const V square = parts::square_of_modulus(z);
  const auto unusual = ~((square >= parts::literal<V>(0x1p-960, 0x1p-100)) & (square < parts::infinity<V>()));
  return rare(unusual, sqrt(square), [=]() FRIT_INLINE_LAMBDA { return parts::abs_full(z); });
}

// z / |z|, and 0 for 0.
template <class V> FRIT_INLINE Complex<V> sign(Complex<V> z) {
  namespace parts = complex_parts;
  const V modulus = abs(z);
  const auto unusual =
      ~parts::within(modulus, parts::literal<V>(0x1p-900, 0x1p-100), parts::literal<V>(0x1p900, 0x1p100));
  return rare(unusual, Complex<V>{z.re / modulus, z.im / modulus}, [=]() FRIT_INLINE_LAMBDA {
    // By a power of two, so that the modulus has all its bits.
    const Complex<V> near = parts::scaled(z, parts::scale_of(parts::largest(z)));
    const V size = abs(near);
    return select(parts::is_zero(z), Complex<V>{V(0), V(0)}, Complex<V>{near.re / size, near.im / size});
  });
}

// a / b, each component at most 2 ulp off, where components cancel too.
template <class V> FRIT_INLINE Complex<V> divide(Complex<V> a, Complex<V> b) {
  namespace parts = complex_parts;
  const V square = parts::square_of_modulus(b);
  const auto unusual = ~(parts::divisor_is_plain(square) & parts::dividend_is_plain(abs(a.re) + abs(a.im)));
  return rare(unusual, parts::divide_plain(a, b, square),
              [=]() FRIT_INLINE_LAMBDA { return parts::divide_full(a, b); });
}

// A real number by a complex one: a conj(b) / |b|^2, the numerator not widened.
template <class V> FRIT_INLINE Complex<V> divide(V a, Complex<V> b) {
  namespace parts = complex_parts;
  const V square = parts::square_of_modulus(b);
  const auto unusual = ~(parts::divisor_is_plain(square) & parts::dividend_is_plain(abs(a)));
  return rare(unusual, parts::divide_plain(a, b, square),
              [=]() FRIT_INLINE_LAMBDA { return parts::divide_full(a, b); });
}

// 1 / z = (re, -im) / |z|^2, each component at most 2 ulp off: 1.5 from |z|^2, whose larger square is not rounded before it
// is added, and half from the last rounding, since the reciprocal keeps what its own rounding lost.
// NOTE: no division at all. Loops of amplitude models hold tens of these and wait for the divider; the reciprocal need not be
// rounded correctly, since it is used with its residual.
template <class V> FRIT_INLINE Complex<V> reciprocal(Complex<V> z) {
  namespace parts = complex_parts;
  const V re_square = z.re * z.re;
  const V im_square = z.im * z.im;
  const auto re_larger = re_square > im_square;
  const V large = select(re_larger, z.re, z.im);
  const V square = fma(large, large, select(re_larger, im_square, re_square));
  // There neither |z|^2 nor a product leaves the normal range except beside a larger partner.
  const auto unusual =
      ~parts::within(square, parts::literal<V>(0x1p-900, 0x1p-100), parts::literal<V>(0x1p900, 0x1p100));
  // 5 % off at first; each step cubes the error, so 2e-12 after two, and its square is left in the pair.
  V high = rough_inverse(square);
  for (int step = 0; step < 2; ++step) {
    const V error = fma(-square, high, V(1));
    high = fma(high, fma(error, error, error), high);
  }
  // Lowered by more than its error, so that the low part has the sign of the high one and a zero numerator keeps its own.
  high = from_bits<V>(bits(high) - V::Bits::of(is_double<V> ? std::int64_t{1} << 16 : 2));
  const V low = fma(-square, high, V(1)) * high;
  const V re = fma(z.re, high, z.re * low);
  const V im = fma(z.im, high, z.im * low);
  return rare(unusual, Complex<V>{re, -im}, [=]() FRIT_INLINE_LAMBDA { return parts::divide_full(V(1), z); });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
