// sinh, cosh, tanh, and sin, cos, tan, which are those of i z with the parts exchanged.
//
//   sinh(x + iy) = sinh x cos y + i cosh x sin y          cosh(x + iy) = cosh x cos y + i sinh x sin y
//   tanh(x + iy) = (sinh x cosh x + i sin y cos y) / (sinh^2 x + cos^2 y)
//
// (W. Kahan, Branch cuts for complex elementary functions, 1987, has tanh in this form.) Nothing cancels, and the real
// functions are pairs, so each component rounds about once, near its zeros too.
#pragma once

#include "math/complex_exp.hpp"
#include "math/hyperbolic.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {
namespace complex_parts {

template <class V> struct HyperbolicPairs { Pair<V> sinh, cosh; };

// Up to here sinh^2 does not overflow and its inverse is a normal pair; beyond, tanh is 1 to the last bit.
template <class V> FRIT_INLINE V tanh_limit() { return literal<V>(300, 22); }

// For 0 <= x < hyperbolic_limit.
template <class V> FRIT_INLINE HyperbolicPairs<V> sinh_cosh_pairs(V x) {
  const HyperbolicParts<V> p = hyperbolic_parts(x);
  const Pair<V> plus = fast_two_sum(p.half_up, p.half_down), minus = fast_two_sum(p.half_up, -p.half_down);
  const Pair<V> sine = hyperbolic_pair(p, minus, plus), cosine = hyperbolic_pair(p, plus, minus);
  return {fast_two_sum(sine.hi, sine.lo), fast_two_sum(cosine.hi, cosine.lo)};
}

// a b rounded once, the low part of a below its last place. NOTE: the low part is what is to be subtracted, so that a zero
// keeps its sign.
template <class V> FRIT_INLINE V rounded_product(Pair<V> a, Pair<V> b) {
  const V product = a.hi * b.hi;
  return product - fma(-a.lo, b.hi, fma(-a.hi, b.lo, fma(-a.hi, b.hi, product)));
}

// The real part of sinh and the imaginary part of cosh have the sign of re besides that of the angle's function.
template <bool Cosh, class V> FRIT_INLINE Complex<V> with_sign_of_re(Complex<V> value, V re) {
  if constexpr (Cosh) {
    return {value.re, flip_sign(value.im, sign_of(re))};
  } else {
    return {flip_sign(value.re, sign_of(re)), value.im};
  }
}

// |re| from hyperbolic_limit on, infinities and NaN. `value` is the plain formula's.
template <bool Cosh, class V>
FRIT_INLINE Complex<V> hyperbolic_full(Complex<V> z, Direction<V> direction, Complex<V> value) {
  using C = ExpConstants<ElementOf<V>>;
  const V nan = not_a_number<V>();
  const V size = abs(z.re);
  // Both functions are exp(|re| - ln 2).
  const Pair<V> exponent = fast_two_sum(size, -V(C::ln2_hi));
  const Complex<V> far = stretched_far(direction, Pair<V>{exponent.hi, exponent.lo - V(C::ln2_lo)});
  Complex<V> result = select(size >= hyperbolic_limit<V>(), with_sign_of_re<Cosh>(far, z.re), value);
  // The sine or hyperbolic sine of zero is zero, whatever the other factor.
  const auto open_angle = ~is_finite(z.im);
  const V of_open_angle = select(is_infinite(z.re), infinity<V>(), nan);
  if constexpr (Cosh) {
    const V zero = select(is_nan(z.re), z.im, flip_sign(z.im, sign_of(z.re)));
    result.re = select(open_angle, of_open_angle, result.re);
    result.im = select(open_angle, select(z.re == V(0), V(0), nan), select(z.im == V(0), zero, result.im));
  } else {
    result.re = select(open_angle, select(z.re == V(0), z.re, of_open_angle), result.re);
    result.im = select(z.im == V(0), z.im, result.im);
  }
  return result;
}

template <bool Cosh, class V> FRIT_INLINE Complex<V> hyperbolic(Complex<V> z) {
  const V size = abs(z.re);
  const Direction<V> d = direction_of(z.im);
  const HyperbolicPairs<V> h = sinh_cosh_pairs(size);
  const auto odd = is_odd<V>(d.quadrant);
  const Pair<V> cosine = select(odd, d.reduced.sin, d.reduced.cos), sine = select(odd, d.reduced.cos, d.reduced.sin);
  const V re = rounded_product(Cosh ? h.cosh : h.sinh, cosine), im = rounded_product(Cosh ? h.sinh : h.cosh, sine);
  const Complex<V> value = with_sign_of_re<Cosh>(Complex<V>{flip_sign(re, half_turn<V>(d.quadrant + V::Bits::of(1))),
                                                            flip_sign(im, half_turn<V>(d.quadrant) ^ sign_of(z.im))},
                                                 z.re);
  return rare(~(size < hyperbolic_limit<V>()) | ~is_finite(z.im), value,
              [=]() FRIT_INLINE_LAMBDA { return hyperbolic_full<Cosh>(z, d, value); });
}

// |re| above tanh_limit: (1, 4 sin cos exp(-2 |re|)); infinities and NaN (of 0 + i infinity the real part is 0, as C17 has it).
template <class V>
FRIT_INLINE Complex<V> tanh_full(Complex<V> z, Pair<V> product, typename V::Bits im_flips, Complex<V> value) {
  const V nan = not_a_number<V>();
  const V size = abs(z.re);
  const V least = literal<V>(-760, -110);  // the imaginary part is 0
  const V exponent = V(-2) * size;
  const WideExp<V> e = wide_exp(Pair<V>{at_least(exponent, least), V(0)});
  const Pair<V> scaled = pair_product(fast_two_sum(e.mantissa.hi, e.mantissa.lo), product);
  const V im = scale_general(ScaledExp<V>{(scaled.hi + scaled.lo) * V(4), e.exponent});
  Complex<V> result = select(size > tanh_limit<V>(), Complex<V>{copysign(V(1), z.re), flip_sign(im, im_flips)}, value);
  const auto open_angle = ~is_finite(z.im);
  const auto unbounded = is_infinite(z.re);
  const V re_of_open = select(unbounded, result.re, select(z.re == V(0), z.re, nan));
  const V im_of_open = select(unbounded, with_sign(V(0), z.im), nan);
  result = select(open_angle, Complex<V>{re_of_open, im_of_open}, result);
  return {result.re, select(z.im == V(0), z.im, result.im)};
}

}  // namespace complex_parts

// Each component at most 1.6 ulp off.
template <class V> FRIT_INLINE Complex<V> sinh(Complex<V> z) { return complex_parts::hyperbolic<false>(z); }
template <class V> FRIT_INLINE Complex<V> cosh(Complex<V> z) { return complex_parts::hyperbolic<true>(z); }

template <class V> FRIT_INLINE Complex<V> tanh(Complex<V> z) {
  namespace parts = complex_parts;
  const V size = abs(z.re);
  const parts::Direction<V> d = parts::direction_of(z.im);
  const parts::HyperbolicPairs<V> h = parts::sinh_cosh_pairs(at_most(size, parts::tanh_limit<V>()));
  const auto odd = is_odd<V>(d.quadrant);
  const Pair<V> sine = fast_two_sum(d.reduced.sin.hi, d.reduced.sin.lo);
  const Pair<V> cosine = fast_two_sum(d.reduced.cos.hi, d.reduced.cos.lo);
  const Pair<V> product = pair_product(sine, cosine);
  const Pair<V> divisor = pair_sum(pair_square(h.sinh), pair_square(select(odd, sine, cosine)));
  // NOTE: a pair, and not a quotient corrected by its residual, which of a subnormal numerator has no bits left.
  const V inverse = V(1) / divisor.hi;
  const V inverse_lo = fma(-inverse, divisor.lo, fma(-inverse, divisor.hi, V(1))) * inverse;
  const auto quotient = [&](Pair<V> a)
                            FRIT_INLINE_LAMBDA { return fma(a.hi, inverse, fma(a.hi, inverse_lo, a.lo * inverse)); };
  const typename V::Bits im_flips = (d.quadrant << (FormatOf<V>::bits - 1)) ^ sign_of(z.im);
  const Complex<V> value{flip_sign(quotient(pair_product(h.sinh, h.cosh)), sign_of(z.re)),
                         flip_sign(quotient(product), im_flips)};
  return rare(~(size <= parts::tanh_limit<V>()) | ~parts::is_finite(z.im), value,
              [=]() FRIT_INLINE_LAMBDA { return parts::tanh_full(z, product, im_flips, value); });
}

template <class V> FRIT_INLINE Complex<V> sin(Complex<V> z) {
  return complex_parts::swapped(sinh(complex_parts::swapped(z)));
}
template <class V> FRIT_INLINE Complex<V> cos(Complex<V> z) {
  const Complex<V> value = cosh(complex_parts::swapped(z));
  return {value.re, -value.im};
}
template <class V> FRIT_INLINE Complex<V> tan(Complex<V> z) {
  return complex_parts::swapped(tanh(complex_parts::swapped(z)));
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
