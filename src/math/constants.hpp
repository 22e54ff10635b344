// What the function families share: the number format of an element, the generated constants' names, polynomials.
#pragma once

#include "lanes/concepts.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

using lanes::from_bits;
using lanes::LaneValue;
using lanes::to_float;

template <class V> using ElementOf = typename V::Element;

// IEEE 754 binary formats, as far as the functions read bits.
template <class T> struct Format;
template <> struct Format<double> {
  static constexpr int mantissa = 52;
  static constexpr int bits = 64;
  static constexpr std::int64_t bias = 1023;
  static constexpr double least_normal = 0x1p-1022;
  static constexpr double infinity = __builtin_inf();
  static constexpr double nan = __builtin_nan("");
  // Brings a subnormal into the normal range, exactly.
  static constexpr double raise = 0x1p54;
  static constexpr double raise_exponent = 54;
  // 1.5 * 2^52: adding it leaves an integer in the last bits.
  static constexpr double integer_magic = 0x1.8p52;
};
template <> struct Format<float> {
  static constexpr int mantissa = 23;
  static constexpr int bits = 32;
  static constexpr std::int64_t bias = 127;
  static constexpr float least_normal = 0x1p-126f;
  static constexpr float infinity = __builtin_inff();
  static constexpr float nan = __builtin_nanf("");
  static constexpr float raise = 0x1p26f;
  static constexpr float raise_exponent = 26;
  static constexpr float integer_magic = 0x1.8p23f;
};
template <class V> using FormatOf = Format<ElementOf<V>>;
template <class V> inline constexpr bool is_double = sizeof(ElementOf<V>) == 8;

// Filled in by the headers in generated/.
template <class T> struct ExpConstants;
template <class T> struct Exp2Constants;
template <class T> struct Exp10Constants;
template <class T> struct Expm1Constants;
template <class T> struct HyperbolicConstants;
template <class T> struct LogConstants;
template <class T> struct TrigConstants;
template <class T> struct InverseTrigConstants;
template <class T> struct SincConstants;
template <class T> struct LogarithmicConstants;
template <class T> struct InverseHyperbolicConstants;
template <class T> struct CubeRootConstants;
template <class T> struct InverseRootConstants;
template <class T> struct ErfConstants;
template <class T> struct ErfcConstants;
template <class T> struct ErfinvConstants;
template <class T> struct GammaConstants;
template <class T> struct DigammaConstants;

// c[0] + c[1] x + ... in Horner's order, every step one fma.
template <class V, int N, int First = 0, int Step = 1> FRIT_INLINE V horner(V x, const ElementOf<V> (&c)[N]) {
  constexpr int last = First + (N - 1 - First) / Step * Step;
  V sum(c[last]);
#pragma GCC unroll 32
  for (int i = last - Step; i >= First; i -= Step) sum = fma(sum, x, V(c[i]));
  return sum;
}

// The same polynomial as even and odd parts in x^2: half the latency for one multiplication.
// NOTE: Estrin's scheme is shorter still, but a fused kernel is bound by the number of operations, not by latency.
template <class V, int N> FRIT_INLINE V polynomial(V x, const ElementOf<V> (&c)[N]) {
  if constexpr (N <= 4) {
    return horner(x, c);
  } else {
    const V x2 = x * x;
    return fma(horner<V, N, 1, 2>(x2, c), x, horner<V, N, 0, 2>(x2, c));
  }
}

// The polynomial without its constant term, over x.
template <class V, int N> FRIT_INLINE V polynomial_rest(V x, const ElementOf<V> (&c)[N]) {
  const V x2 = x * x;
  return fma(horner<V, N, 2, 2>(x2, c), x, horner<V, N, 1, 2>(x2, c));
}

// c0 + x times the rest as even and odd parts: one rounding at the size of c0 instead of two.
template <class V, int N> FRIT_INLINE V horner_first(V x, const ElementOf<V> (&c)[N]) {
  return fma(polynomial_rest(x, c), x, V(c[0]));
}

template <class V> FRIT_INLINE typename V::Bits sign_bit() {
  return V::Bits::of(std::int64_t{1} << (FormatOf<V>::bits - 1));
}

template <class V> FRIT_INLINE typename V::Bits sign_of(V x) { return bits(x) & sign_bit<V>(); }

// a with the sign bits of `flips` turned over; the other bits of flips must be zero.
template <class V> FRIT_INLINE V flip_sign(V a, typename V::Bits flips) { return from_bits<V>(bits(a) ^ flips); }

// 2^n for an integer n in the range of normal numbers.
template <class V> FRIT_INLINE V power_of_two(typename V::Bits n) {
  return from_bits<V>((n + V::Bits::of(FormatOf<V>::bias)) << FormatOf<V>::mantissa);
}

// x 2^n in two factors: only the last product rounds, and not even 2^n need be a number.
template <class V> FRIT_INLINE V times_power_of_two(V x, typename V::Bits n) {
  const typename V::Bits half = sar(n, 1);
  return x * power_of_two<V>(half) * power_of_two<V>(n - half);
}

// The image of a 2^raised, which is normal where a >= 0 is positive and finite.
template <class V> struct NormalImage { typename V::Bits image, raised; };
template <class V> FRIT_INLINE NormalImage<V> normal_image(V a) {
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  const auto small = a < V(F::least_normal);
  return {bits(select(small, a * V(F::raise), a)),
          select(small, Bits::of(static_cast<std::int64_t>(F::raise_exponent)), Bits::of(0))};
}

// NaN stays.
template <LaneValue V> FRIT_INLINE V at_most(V x, V most) { return select(x > most, most, x); }
template <LaneValue V> FRIT_INLINE V at_least(V x, V least) { return select(x < least, least, x); }
template <LaneValue V> FRIT_INLINE V clamp(V x, V least, V most) { return at_least(at_most(x, most), least); }

// 1/a within 5 % for a positive normal a whose inverse is normal, from the image alone: along a binade the image of 1/a
// falls as that of a rises. The slope is right at the ends only; the 0.05 shares the error between ends and middle.
// It turns a residual of half an ulp into a correction good to 0.03 ulp, where a division would cost 16 cycles.
template <class V> FRIT_INLINE V rough_inverse(V a) {
  using F = FormatOf<V>;
  constexpr std::int64_t twice_bias = (2 * F::bias) << F::mantissa;
  constexpr std::int64_t share = (std::int64_t{1} << (F::mantissa + 1)) / 20;
  return from_bits<V>(V::Bits::of(twice_bias - share) - bits(a));
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
