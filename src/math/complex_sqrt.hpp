// The principal square root, its cut on the negative real axis, continuous from above (+0) and from below (-0).
//
// t = sqrt((|re| + |z|) / 2) and |im| / (2 t) are the parts of the root, the first one real where re >= 0. Both carry what
// the roundings of the sum and of t lost, so that each is right to 1.5 ulp.
#pragma once

#include "math/complex_parts.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {
namespace complex_parts {

// sqrt((|re| + |z|) / 2) as a pair.
template <class V> FRIT_INLINE Pair<V> larger_root(V re, Magnitudes<V> part) {
  const V modulus = sqrt(fma(part.large, part.large, part.small * part.small));
  const Pair<V> sum = fast_two_sum(modulus, re);
  const V half_sum = sum.hi * V::of(0.5);
  const V root = sqrt(half_sum);
  return {root, fma(sum.lo, V::of(0.5), fma(-root, root, half_sum))};  // the low part times 2 root
}

// The root from its larger part and |im|.
template <class V> struct RootParts {
  V larger;
  V smaller;
};

template <class V> FRIT_INLINE RootParts<V> root_parts(V im, Pair<V> root) {
  const V twice = root.hi + root.hi;
  const V inverse = V(1) / twice;
  const V low = root.lo * inverse;
  const V quotient = im * inverse;
  const V remainder = fma(-(quotient + quotient), low, fma(-quotient, twice, im));
  return {root.hi + low, fma(remainder, inverse, quotient)};
}

template <class V> FRIT_INLINE Complex<V> placed(RootParts<V> root, Complex<V> z) {
  const auto left = z.re < V(0);
  return {select(left, root.smaller, root.larger), copysign(select(left, root.larger, root.smaller), z.im)};
}

template <class V> FRIT_INLINE Complex<V> sqrt_full(Complex<V> z, Magnitudes<V> part) {
  // Scaled by powers of four, whose roots are powers of two. A large number is scaled for its modulus only: scaled down,
  // a small imaginary part could underflow that gives no small root.
  const auto big = part.large >= V(1);
  const V one(1);
  const V scale = select(big, literal<V>(0x1p-600, 0x1p-70), literal<V>(0x1p600, 0x1p100));
  const Pair<V> near = larger_root(abs(z.re) * scale, Magnitudes<V>{part.large * scale, part.small * scale});
  const V grow = select(big, literal<V>(0x1p300, 0x1p35), one);
  const V shrink = select(big, one, literal<V>(0x1p-300, 0x1p-50));
  const RootParts<V> root =
      root_parts(abs(z.im) * select(big, one, scale), Pair<V>{near.hi * grow, near.lo * grow * grow});
  Complex<V> result = placed(RootParts<V>{root.larger * shrink, root.smaller * shrink}, z);
  // Annex G: zero keeps the sign of its imaginary part; an infinite imaginary part wins over everything; then an infinite
  // real part decides, whatever the other.
  const V unbounded = infinity<V>();
  result = select(is_zero(z), Complex<V>{V(0), z.im}, result);
  const V im_beside = select(is_nan(z.im), z.im, copysign(V(0), z.im));
  result = select(z.re == unbounded, Complex<V>{unbounded, im_beside}, result);
  result = select(z.re == -unbounded, Complex<V>{abs(im_beside), with_sign(unbounded, z.im)}, result);
  return select(is_infinite(z.im), Complex<V>{unbounded, z.im}, result);
}

}  // namespace complex_parts

// sqrt(z). NOTE: plain while the larger component lies in [2^-450, 2^510] (f64), [2^-45, 2^62] (f32).
template <class V> FRIT_INLINE Complex<V> sqrt(Complex<V> z) {
  namespace parts = complex_parts;
  const auto part = parts::magnitudes(z);
  const auto unusual =
      ~parts::within(part.large, parts::literal<V>(0x1p-450, 0x1p-45), parts::literal<V>(0x1p510, 0x1p62));
  const auto root = parts::root_parts(abs(z.im), parts::larger_root(abs(z.re), part));
  return rare(unusual, parts::placed(root, z), [=]() FRIT_INLINE_LAMBDA { return parts::sqrt_full(z, part); });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
