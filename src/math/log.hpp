// log, and log to twice the precision.
//
// x = 2^k m with m in [sqrt(1/2), sqrt(2)), f = m - 1, s = f / (2 + f): log(m) = 2 atanh(s) = f - f^2/2 + s (f^2/2 + R)
// with R = s^2 times a polynomial in s^2. The large terms k ln 2 + f are added without loss: measured 0.79 ulp.
#pragma once

#include "math/generated/log_f32.hpp"
#include "math/generated/log_f64.hpp"
#include "math/pair.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <class V> struct Mantissa {
  V m;  // [sqrt(1/2), sqrt(2))
  V k;  // the exponent
};

// x = m 2^k for positive normal x.
template <LaneValue V> FRIT_INLINE Mantissa<V> split_exponent(V x) {
  using C = LogConstants<ElementOf<V>>;
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  constexpr std::int64_t one = F::bias << F::mantissa;
  const Bits from_begin = bits(x) + Bits::of(one - C::mantissa_begin);
  // k + bias as the last bits of a number in [2^52, 2^53) is that number after one subtraction.
  constexpr std::int64_t base = (F::bias + F::mantissa) << F::mantissa;
  constexpr ElementOf<V> offset = static_cast<ElementOf<V>>((std::int64_t{1} << F::mantissa) + F::bias);
  const V k = from_bits<V>((from_begin >> F::mantissa) | Bits::of(base)) - V(offset);
  const Bits fraction = from_begin & Bits::of((std::int64_t{1} << F::mantissa) - 1);
  return {from_bits<V>(fraction + Bits::of(C::mantissa_begin)), k};
}

// True for 2^exponent <= x < infinity: one comparison of the image, shifted so that those are the smallest integers.
template <int exponent, LaneValue V> FRIT_INLINE typename V::Mask is_finite_from(V x) {
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  constexpr std::uint64_t top = std::uint64_t{1} << (F::bits - 1);
  constexpr std::uint64_t least = std::uint64_t{F::bias + exponent} << F::mantissa;
  constexpr std::uint64_t count = std::uint64_t{F::bias + 1 - exponent} << F::mantissa;
  return bits(x) + Bits::of(static_cast<std::int64_t>(top - least)) < Bits::of(static_cast<std::int64_t>(top + count));
}
template <LaneValue V> FRIT_INLINE typename V::Mask is_positive_normal(V x) {
  return is_finite_from<1 - static_cast<int>(FormatOf<V>::bias)>(x);
}

// Any positive finite x, subnormal too.
template <LaneValue V> FRIT_INLINE Mantissa<V> split_exponent_general(V x) {
  using F = FormatOf<V>;
  const auto small = x < V(F::least_normal);
  Mantissa<V> parts = split_exponent(select(small, x * V(F::raise), x));
  parts.k = select(small, parts.k - V(F::raise_exponent), parts.k);
  return parts;
}

// log(1 + f) - f, for the f of a mantissa and s = f / (2 + f), an error of which counts a tenth.
template <LaneValue V> FRIT_INLINE V log_rest(V f, V s) {
  using C = LogConstants<ElementOf<V>>;
  const V z = s * s;
  const V half = V(ElementOf<V>(0.5)) * f;
  const V part = fma(half, f, z * polynomial(z, C::tail));
  return fma(-half, f, s * part);
}
template <LaneValue V> FRIT_INLINE V log_rest(V f) { return log_rest(f, f / (V(2) + f)); }

// k ln 2 + f + rest before the last rounding: hi is exact but for the small terms, which are lo.
template <LaneValue V> FRIT_INLINE Pair<V> log_terms(V k, V f, V rest) {
  using C = LogConstants<ElementOf<V>>;
  const V exponent = k * V(C::ln2_hi);
  const Pair<V> sum = fast_two_sum(exponent, f);
  return {sum.hi, sum.lo + fma(k, V(C::ln2_lo), rest)};
}
template <LaneValue V> FRIT_INLINE Pair<V> log_terms(Mantissa<V> x) {
  const V f = x.m - V(1);
  return log_terms(x.k, f, log_rest(f));
}

template <LaneValue V> FRIT_INLINE V log_sum(V k, V f, V rest) {
  const Pair<V> sum = log_terms(k, f, rest);
  return sum.hi + sum.lo;
}

template <LaneValue V> FRIT_INLINE V log_of(Mantissa<V> x) {
  const V f = x.m - V(1);
  return log_sum(x.k, f, log_rest(f));
}

// A logarithm of any x, whose value for positive normal x is of(x's mantissa and exponent).
template <LaneValue V, class Of> FRIT_INLINE V logarithm_general(V x, Of of) {
  using F = FormatOf<V>;
  V r = of(split_exponent_general(x));
  r = select(x < V(F::infinity), r, x);
  r = select(x < V(), V(F::nan), r);
  return select(x == V(), V(-F::infinity), r);
}
template <LaneValue V, class Of> FRIT_INLINE V logarithm(V x, Of of) {
  return rare(~is_positive_normal(x), of(split_exponent(x)),
              [=]() FRIT_INLINE_LAMBDA { return logarithm_general(x, of); });
}

template <LaneValue V> FRIT_INLINE V log(V x) {
  return logarithm(x, [](Mantissa<V> parts) FRIT_INLINE_LAMBDA { return log_of(parts); });
}

// log(x) to some 2^-65 (float: 2^-36) of itself, for positive normal x, with `below` = 1 + m and its inverse, some ulps of which
// may be wrong.
template <LaneValue V> FRIT_INLINE Pair<V> log_pair_of(Mantissa<V> x, Pair<V> below, V inverse) {
  using C = LogConstants<ElementOf<V>>;
  const V f = x.m - V(1);
  const V s = f * inverse;
  const V s_lo = fma(-s, below.lo, fma(-s, below.hi, f)) * inverse;
  const V z = s * s;
  const V z_lo = fma(s + s, s_lo, fma(s, s, -z));
  // atanh(s) = s + s u, u = z g, g = 1/3 + z tail; z_lo times the derivative of u belongs to u as well.
  const V tail = horner_first(z, C::pair_tail);
  const V g = fma(z, tail, V(C::third_hi));
  const V g_lo = fma(z, tail, V(C::third_hi) - g) + V(C::third_lo);
  const Pair<V> u = two_product(z, g);
  const V u_lo = fma(z_lo, fma(z, tail, g), fma(z, g_lo, u.lo));
  const Pair<V> su = two_product(s, u.hi);
  const V su_lo = su.lo + fma(s, u_lo, s_lo * u.hi);
  const Pair<V> first = fast_two_sum(x.k * V(C::ln2_hi), s + s);
  const Pair<V> second = fast_two_sum(first.hi, su.hi + su.hi);
  const V rest = V(2) * (s_lo + su_lo);
  return fast_two_sum(second.hi, fma(x.k, V(C::ln2_lo), first.lo + second.lo) + rest);
}

template <LaneValue V> FRIT_INLINE Pair<V> log_pair_of(Mantissa<V> x) {
  const Pair<V> below = fast_two_sum(V(1), x.m);
  return log_pair_of(x, below, V(1) / below.hi);
}

// Any positive finite x.
template <LaneValue V> FRIT_INLINE Pair<V> log_pair(V x) { return log_pair_of(split_exponent_general(x)); }

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
