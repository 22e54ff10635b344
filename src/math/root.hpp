// Roots: the square root as a function of this room, its inverse, the cube root, and the length of (x, y).
#pragma once

#include "math/generated/cube_root_f32.hpp"
#include "math/generated/cube_root_f64.hpp"
#include "math/generated/inverse_root_f32.hpp"
#include "math/generated/inverse_root_f64.hpp"
#include "math/log.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// The lanes' own root is correctly rounded.
template <LaneValue V> FRIT_INLINE V sqrt(V x) {
  return sqrt(x);  // NOTE: the lane function, which overload resolution prefers to this template
}

// 1/sqrt(x) for positive normal x, by multiplications alone: root and division take twice the time and two roundings.
//
// The first value y comes from the image of x, within 3.5 % (J. F. Blinn, Floating-point tricks, 1997); a polynomial in
// h = 1 - x y^2 brings it to 2^-20 (float: 2^-15), and the series of (1 - h)^(-1/2) to the result. The second h comes
// from the exact product x y, so that the last rounding alone is seen: measured 0.515 ulp.
template <LaneValue V> FRIT_INLINE V inverse_root(V x) {
  using C = InverseRootConstants<ElementOf<V>>;
  const V first = from_bits<V>(V::Bits::of(C::image_half) - (bits(x) >> 1));
  const V y = first * horner(fma(-(x * first), first, V(1)), C::inverse);
  const Pair<V> product = two_product(x, y);
  const V h = fma(-product.lo, y, fma(-product.hi, y, V(1)));
  const V half(ElementOf<V>(0.5));
  if constexpr (is_double<V>) {
    return fma(y * h, fma(h, V(ElementOf<V>(0.375)), half), y);
  } else {
    return fma(y * half, h, y);
  }
}

template <LaneValue V> FRIT_INLINE V rsqrt(V x) {
  using C = InverseRootConstants<ElementOf<V>>;
  using F = FormatOf<V>;
  return rare(~is_positive_normal(x), inverse_root(x), [=]() FRIT_INLINE_LAMBDA {
    V r = select(x < V(F::infinity), inverse_root(x * V(F::raise)) * V(C::back), V());
    r = select(x >= V(), r, V(F::nan));
    return select(x == V(), copysign(V(F::infinity), x), r);
  });
}

// The cube root of a >= 0, which must be so large that a 2^-80 (float: a 2^-40) is normal.
//
// y = x^(-1/3) from the image of x within 3.5 %, and by a polynomial to 2^-22 (float: 2^-18). c = x y^2 has twice that error;
// the exact residual x - c^3 takes it away, whose factor is known from y to as many bits: measured 0.503 ulp.
template <LaneValue V> FRIT_INLINE V cube_root(V a) {
  using C = CubeRootConstants<ElementOf<V>>;
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  constexpr std::int64_t base = (F::bias + F::mantissa) << F::mantissa;
  const V image = from_bits<V>((bits(a) >> C::image_cut) | Bits::of(base));
  const V first = from_bits<V>(bits(fma(image, V(-C::third), V(C::image_third))) << C::image_cut);
  const V y = first * horner(fma(-(a * first), first * first, V(1)), C::inverse);
  const V y2 = y * y;
  const V c = a * y2;
  const Pair<V> square = two_product(c, c);
  const V e = fma(-square.lo, c, fma(-square.hi, c, a)) * (y2 * y);
  if constexpr (is_double<V>) {
    return fma(c * e, fma(e, V(C::second), V(C::third)), c);
  } else {
    return fma(c * V(C::third), e, c);
  }
}

template <LaneValue V> FRIT_INLINE V cbrt(V x) {
  using C = CubeRootConstants<ElementOf<V>>;
  using F = FormatOf<V>;
  const V a = abs(x);
  const V least(is_double<V> ? ElementOf<V>(0x1p-900) : ElementOf<V>(0x1p-80f));
  const auto ordinary = (a >= least) & (a < V(F::infinity));
  return rare(~ordinary, copysign(cube_root(a), x), [=]() FRIT_INLINE_LAMBDA {
    const auto finite = (a > V()) & (a < V(F::infinity));
    const auto large = a >= V(1);
    const V r = cube_root(select(large, a, a * V(C::raise))) * select(large, V(1), V(C::lower));
    return select(finite, copysign(r, x), x);
  });
}

template <class T> struct HypotRange;
template <> struct HypotRange<double> {
  static constexpr double least = 0x1p-450, most = 0x1p500, raise = 0x1p700, lower = 0x1p-600;
};
template <> struct HypotRange<float> {
  static constexpr float least = 0x1p-50f, most = 0x1p60f, raise = 0x1p100f, lower = 0x1p-70f;
};

// The sum of squares as a pair, its root, and the root's error from the residual: measured 0.53 ulp, 0.77 where the
// result is subnormal.
template <LaneValue V> FRIT_INLINE V hypot_scaled(V small, V large) {
  const Pair<V> a = two_product(large, large), b = two_product(small, small);
  const Pair<V> sum = fast_two_sum(a.hi, b.hi);
  const V root = sqrt(sum.hi);
  const V residual = fma(-root, root, sum.hi) + (sum.lo + (a.lo + b.lo));
  return fma(residual, rough_inverse(root + root), root);
}

template <LaneValue V> FRIT_INLINE V hypot(V x, V y) {
  using R = HypotRange<ElementOf<V>>;
  const V a = abs(x), b = abs(y);
  const auto first = a > b;
  const V small = select(first, b, a), large = select(first, a, b);
  const auto ordinary = (large >= V(R::least)) & (large <= V(R::most));
  return rare(~ordinary, hypot_scaled(small, large), [=]() FRIT_INLINE_LAMBDA {
    const V infinity(FormatOf<V>::infinity);
    const auto tiny = large<V(R::least), huge = large> V(R::most);
    const V scale = select(tiny, V(R::raise), select(huge, V(R::lower), V(1)));
    const V back = select(tiny, V(1) / V(R::raise), select(huge, V(1) / V(R::lower), V(1)));
    V r = hypot_scaled(small * scale, large * scale) * back;
    r = select(large == V(), large, r);
    r = select(is_nan(x) | is_nan(y), x + y, r);
    return select((a == infinity) | (b == infinity), infinity, r);
  });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
