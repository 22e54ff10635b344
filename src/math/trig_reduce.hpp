// The argument of the circular functions, reduced by multiples of pi/2.
#pragma once

#include "math/generated/trig_f32.hpp"
#include "math/generated/trig_f64.hpp"
#include "math/pair.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// x = quadrant pi/2 + hi + lo, |hi| a little above pi/4 at most; the low two bits of quadrant count, the others are
// undefined. hi + lo is good to some 2^-60 (float: 2^-28) of itself.
template <class V> struct Reduced {
  V hi, lo;
  typename V::Bits quadrant;
};

template <class M, class V> FRIT_INLINE Reduced<V> select(M mask, Reduced<V> a, Reduced<V> b) {
  return {select(mask, a.hi, b.hi), select(mask, a.lo, b.lo), select(mask, a.quadrant, b.quadrant)};
}

template <LaneValue V> FRIT_INLINE Pair<V> pi_pair() {
  using C = TrigConstants<ElementOf<V>>;
  return {V(2 * C::pio2_hi), V(2 * C::pio2_lo)};
}

// For 0 <= x <= direct_limit: pi/2 in three parts. The first difference is exact, since it is a multiple of the last bit
// of both; so is the product with the second part, which is short; the third product is added to what the second
// difference lost.
template <LaneValue V> FRIT_INLINE Reduced<V> reduce_direct(V x) {
  using C = TrigConstants<ElementOf<V>>;
  const V magic(FormatOf<V>::integer_magic);
  const V shifted = fma(x, V(C::two_over_pi), magic);
  const V n = shifted - magic;
  const V first = fma(-n, V(C::pio2_1), x);
  const V product = n * V(C::pio2_2);
  const V hi = first - product;
  const V lost = (first - hi) - product;
  return {hi, fma(-n, V(C::pio2_3), lost), bits(shifted)};
}

// For x > direct_limit, after Payne and Hanek: the bits of 2/pi that turn x by whole circles are left out, by a table
// over the exponent; what is left is multiplied exactly and reduced by its integer part. The rows are 2^16 (2^4) apart,
// so the integer M has that many more bits and the first product is reduced like the others.
// Infinity and NaN give NaN. Lanes below direct_limit give anything.
template <LaneValue V> FRIT_INLINE Reduced<V> reduce_large(V x) {
  using C = TrigConstants<ElementOf<V>>;
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  constexpr std::int64_t last = (C::rows << C::row_shift) - 1;
  Bits above = (bits(x) >> F::mantissa) - Bits::of(F::bias + C::least_exponent);
  above = select(above < Bits::of(0), Bits::of(0), above);
  above = select(above > Bits::of(last), Bits::of(last), above);
  const Bits row = (above >> C::row_shift) << 2;
  const Bits shift = above & Bits::of((std::int64_t{1} << C::row_shift) - 1);
  const Bits fraction = bits(x) & Bits::of((std::int64_t{1} << F::mantissa) - 1);
  const V m = from_bits<V>(fraction | ((shift + Bits::of(F::bias + F::mantissa)) << F::mantissa));

  const Pair<V> p0 = two_product(m, V(table(C::turns, row)));
  const Pair<V> p1 = two_product(m, V(table(C::turns, row + Bits::of(1))));
  const Pair<V> p2 = two_product(m, V(table(C::turns, row + Bits::of(2))));
  const V p3 = m * table(C::turns, row + Bits::of(3));
  const V quarter(ElementOf<V>(0.25));
  const V part = p0.hi - V(4) * round_even(p0.hi * quarter);
  const Pair<V> s1 = two_sum(part, p0.lo);
  const V n1 = round_even(s1.hi);
  const Pair<V> s2 = two_sum(s1.hi - n1, p1.hi);
  const V n2 = round_even(s2.hi);
  const V s3 = s2.hi - n2;
  // Below one unit of the last place of the products: as a pair.
  const Pair<V> t1 = two_sum(s1.lo, s2.lo);
  const Pair<V> t2 = two_sum(p1.lo, p2.hi);
  const Pair<V> t3 = two_sum(t1.hi, t2.hi);
  const V t_lo = t3.lo + (t1.lo + t2.lo) + (p2.lo + p3);
  const Pair<V> t4 = two_sum(s3, t3.hi);
  const Pair<V> turn = fast_two_sum(t4.hi, t4.lo + t_lo);
  const Pair<V> angle = two_product(turn.hi, V(C::pio2_hi));
  const V angle_lo = angle.lo + fma(turn.hi, V(C::pio2_lo), turn.lo * V(C::pio2_hi));
  const Pair<V> r = fast_two_sum(angle.hi, angle_lo);
  return {select(x < V(F::infinity), r.hi, V(F::nan)), r.lo, to_int(n1) + to_int(n2)};
}

template <LaneValue V> FRIT_INLINE Reduced<V> reduce(V x) {
  using C = TrigConstants<ElementOf<V>>;
  return rare(~(x <= V(C::direct_limit)), reduce_direct(x), [=]() FRIT_INLINE_LAMBDA { return reduce_large(x); });
}

// x = part / parts + rest exactly, for a power of two of parts, and whole circles of 2; of `part` the bits below 2 parts count.
// |rest| <= 1 / (2 parts). Infinity and NaN give NaN.
template <class V> struct Turns {
  V rest;
  typename V::Bits part;
};

template <int parts, LaneValue V> FRIT_INLINE Turns<V> reduce_turns(V x) {
  using T = ElementOf<V>;
  const V magic(FormatOf<V>::integer_magic);
  const V circle = fma(round_even(x * V(T(0.5))), V(-2), x);  // in [-1, 1]
  const V shifted = fma(circle, V(T(parts)), magic);
  return {fma(shifted - magic, V(T(-1) / T(parts)), circle), bits(shifted)};
}

// The angle pi x = part pi / parts + hi + lo with part as the quadrant, for any x; hi = lo = 0 at multiples of 1 / parts.
template <int parts = 2, LaneValue V> FRIT_INLINE Reduced<V> reduce_pi(V x) {
  using C = TrigConstants<ElementOf<V>>;
  const Turns<V> turns = reduce_turns<parts>(x);
  const V twice = turns.rest + turns.rest;
  const Pair<V> angle = two_product(twice, V(C::pio2_hi));
  return {angle.hi, fma(twice, V(C::pio2_lo), angle.lo), turns.part};
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
