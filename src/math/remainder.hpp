// fmod, remainder and floor_divide, exact for every pair of numbers.
//
// With the rounded quotient q of a and b, floor(q) is that of the exact quotient or 1 above it, and a - floor(q) b is exact in
// one fma: its sign tells which. That holds as long as integers are exact. Beyond, the remainder is m 2^k mod n for
// integers m and n of one mantissa each, and 2^k mod n is made by squaring: with k in 12 (float: 9) bits that is 6 (4) squarings,
// where one exact step after the other would take up to 40 divisions, or a loop, which a function of lanes has not.
#pragma once

#include "math/pair.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// a = m 2^exponent with an integer m of full length, for positive finite a; anything for others.
template <class V> struct Integral {
  V m;
  typename V::Bits exponent;
};

template <LaneValue V> FRIT_INLINE Integral<V> split_integer(V a) {
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  const auto [image, raised] = normal_image(a);
  const Bits fraction = image & Bits::of((std::int64_t{1} << F::mantissa) - 1);
  return {from_bits<V>(fraction | Bits::of((F::bias + F::mantissa) << F::mantissa)),
          (image >> F::mantissa) - Bits::of(F::bias + F::mantissa) - raised};
}

// v - n or v + n where that is nearer to zero.
template <LaneValue V> FRIT_INLINE V centred(V v, V n) { return select(abs(v + v) > n, v - copysign(n, v), v); }

// u v modulo n, for integers |u|, |v| <= n/2 and n of full length; the result is at most n/2 too. The quotient is below a quarter of n,
// so it is off by 3/4 at most when it is rounded, and the low part of the product is below n/4: all sums are exact.
template <LaneValue V> FRIT_INLINE V multiply_modulo(V u, V v, V n) {
  const Pair<V> product = two_product(u, v);
  const V quotient = round_even(product.hi / n);
  return centred(fma(-quotient, n, product.hi) + product.lo, n);
}

// |x| modulo |y|, for any numbers.
template <LaneValue V> FRIT_INLINE V fmod_general(V x, V y) {
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  constexpr int squarings = is_double<V> ? 6 : 4;
  const V a = abs(x), b = abs(y);
  const Integral<V> above = split_integer(a), below = split_integer(b);
  const V n = below.m;
  const Bits difference = above.exponent - below.exponent;
  const Bits k = select(difference < Bits::of(0), Bits::of(0), difference);
  V power = power_of_two<V>(k >> squarings);  // at most 2^32 (float: 2^17)
#pragma GCC unroll 8
  for (int i = squarings - 1; i >= 0; --i) {
    power = multiply_modulo(power, power, n);
    power = select(mask_of(k & Bits::of(std::int64_t{1} << i)), centred(power + power, n), power);
  }
  const V residue = multiply_modulo(centred(above.m - n, n), power, n);
  const V integer = select(residue < V(), residue + n, residue);
  const V scaled = times_power_of_two(integer, below.exponent);
  const auto defined = (a < V(F::infinity)) & (b > V());
  return select(defined, select(a < b, a, scaled), V(F::nan));
}

// True where r, which is not zero, has another sign than y.
template <LaneValue V> FRIT_INLINE typename V::Mask other_sign(V r, V y) { return flip_sign(r, sign_of(y)) < V(); }

// x - y trunc(x / y), with the sign of x: C's fmod.
template <LaneValue V> FRIT_INLINE V fmod(V x, V y) {
  const V a = abs(x), b = abs(y);
  const V rest = fma(-trunc(a / b), b, a);
  // A rest that is smaller than b is exact, however large the quotient is.
  const V result = select(rest < V(), rest + b, rest);
  return copysign(rare(~(abs(rest) < b), result, [=]() FRIT_INLINE_LAMBDA { return fmod_general(x, y); }), x);
}

// x - y floor(x / y), with the sign of y: Python's and NumPy's %. It is rounded where |x| < |y| only.
template <LaneValue V> FRIT_INLINE V remainder(V x, V y) {
  using F = FormatOf<V>;
  constexpr ElementOf<V> most = static_cast<ElementOf<V>>(std::int64_t{1} << (F::mantissa + 1));
  const auto with_sign = [=](V rest) FRIT_INLINE_LAMBDA { return select(other_sign(rest, y), rest + y, rest); };
  const V quotient = floor(x / y);
  const auto ordinary = (abs(quotient) < V(most)) & (abs(y) < V(F::infinity));
  const V result = rare(~ordinary, with_sign(fma(-quotient, y, x)),
                        [=]() FRIT_INLINE_LAMBDA { return with_sign(copysign(fmod_general(x, y), x)); });
  return copysign(result, y);
}

// floor(x / y) of the exact quotient, rounded once.
template <LaneValue V> FRIT_INLINE V floor_divide(V x, V y) {
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  const V quotient = x / y;
  const V whole = floor(quotient);
  const V rest = fma(-whole, y, x);
  const V result = select(other_sign(rest, y), whole - V(1), whole);
  // Where |rest| <= |y| the floor is `whole` or one less, and the subtraction rounds it if integers are not exact there.
  return rare(~(abs(rest) <= abs(y)), result, [=]() FRIT_INLINE_LAMBDA {
    // The quotient is the floor, rounded, but where the floor is the midpoint below it and the exact quotient is not.
    const auto negative = quotient < V();
    const Bits next = bits(quotient) + select(negative, Bits::of(1), Bits::of(-1));
    const V half = (quotient - from_bits<V>(next)) * V(ElementOf<V>(0.5));
    const V from_midpoint = fma(half - V(1), y, rest);  // (x / y - midpoint - 1) y
    const V large = select(other_sign(from_midpoint, y), quotient - half, quotient);
    const auto infinite = abs(y) == V(F::infinity);
    const V by_infinity = select(other_sign(x, y), V(-1), quotient);
    return select(abs(x) < V(F::infinity), select(infinite, by_infinity, large), V(F::nan));
  });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
