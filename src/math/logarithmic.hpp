// log1p, log2, log10, logaddexp, logaddexp2, softplus.
#pragma once

#include "math/exponential.hpp"
#include "math/generated/logarithmic_f32.hpp"
#include "math/generated/logarithmic_f64.hpp"
#include "math/log.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// 1/a to 0.4 %, where rough_inverse() is within 5 %.
template <LaneValue V> FRIT_INLINE V near_inverse(V a) {
  const V rough = rough_inverse(a);
  return fma(rough, fma(-a, rough, V(1)), rough);
}

// log(1 + x) for -1 < x < 2^100 (float: 2^60).
//
// u = 1 + x rounded and c what that lost: log(u) + c / u. While u has the exponent 0 its f is x itself, u - 1 and c together,
// so that small arguments lose nothing: measured 0.85 ulp.
template <LaneValue V> FRIT_INLINE V log1p_ordinary(V x) {
  const V u = V(1) + x;
  const V lost = x - (u - V(1));  // exact below 2^53 (float: 2^24); above, the logarithm does not see it
  const Mantissa<V> parts = split_exponent(u);
  const auto near = parts.k == V();
  const V f = select(near, x, parts.m - V(1));
  const V more = select(near, V(), lost) * near_inverse(u);
  return log_sum(parts.k, f, log_rest(f) + more);
}

template <LaneValue V> FRIT_INLINE V log1p(V x) {
  const V large(is_double<V> ? ElementOf<V>(0x1p100f) : ElementOf<V>(0x1p60f));
  const auto ordinary = (x > V(-1)) & (x < large);
  // The sum of exponent and f has lost the sign of zero.
  return rare(~ordinary, copysign(log1p_ordinary(x), x), [=]() FRIT_INLINE_LAMBDA {
    // From `large` on the 1 is not seen; -1 and what lies below are a zero and negative numbers.
    const V argument = select(x > V(), x, x + V(1));
    return logarithm_general(argument, [](Mantissa<V> parts) FRIT_INLINE_LAMBDA { return log_of(parts); });
  });
}

// log2 and log10, measured 0.84 and 0.71 ulp. The last addition rounds what is nearly exact, so that powers of two and of ten
// give their whole exponents.
//
// NOTE: the sum of f and the rest is made before it is multiplied, or the rest would round twice at an eighth of the result.
template <LaneValue V> FRIT_INLINE V log2(V x) {
  using C = LogarithmicConstants<ElementOf<V>>;
  return logarithm(x, [](Mantissa<V> parts) FRIT_INLINE_LAMBDA {
    const V f = parts.m - V(1);
    const Pair<V> octaves = pair_product(fast_two_sum(f, log_rest(f)), Pair<V>{V(C::log2_e_hi), V(C::log2_e_lo)});
    const Pair<V> sum = fast_two_sum(parts.k, octaves.hi);
    return sum.hi + (sum.lo + octaves.lo);
  });
}

template <LaneValue V> FRIT_INLINE V log10(V x) {
  using C = LogarithmicConstants<ElementOf<V>>;
  return logarithm(x, [](Mantissa<V> parts) FRIT_INLINE_LAMBDA {
    const V f = parts.m - V(1);
    const Pair<V> decades = pair_product(fast_two_sum(f, log_rest(f)), Pair<V>{V(C::log10_e_hi), V(C::log10_e_lo)});
    const Pair<V> sum = fast_two_sum(parts.k * V(C::log10_2_hi), decades.hi);
    return sum.hi + (sum.lo + fma(parts.k, V(C::log10_2_lo), decades.lo));
  });
}

// log((2 d + n) / (2 d - n)) = t + t^3 tail(t^2) with t = n/d, to some 2^-58 (float: 2^-28) of itself.
template <LaneValue V, int N> FRIT_INLINE Pair<V> log_ratio(Pair<V> n, Pair<V> d, const ElementOf<V> (&tail)[N]) {
  const Pair<V> t = pair_quotient(n, d, V(1) / d.hi);
  const V z = t.hi * t.hi;
  return {t.hi, fma(t.hi * z, polynomial(z, tail), t.lo)};
}

// A fraction between 0 and 1: a pair, which needs not be normalised, over a power of two.
template <class V> struct Fraction {
  Pair<V> m;
  V s;
};

// log(1 + m/s), as log_ratio(); t.lo counts for what it changes in t^3 as well, an eighth of itself at most.
//
// NOTE: where t^3 is not seen t counts as 0 in it: t may be as small as power(least), and x86 takes a hundred cycles for a product
// that is subnormal.
template <LaneValue V> FRIT_INLINE Pair<V> log1p_of_fraction(Fraction<V> e) {
  const V half(ElementOf<V>(0.5)), quarter(ElementOf<V>(0.25));
  const V d = fma(e.m.hi, half, e.s);
  const Pair<V> t = pair_quotient(e.m, Pair<V>{d, fma(e.m.lo, half, fma(e.m.hi, half, e.s - d))}, V(1) / d);
  const V seen = select(t.hi < V(is_double<V> ? ElementOf<V>(0x1p-40) : ElementOf<V>(0x1p-20f)), V(), t.hi);
  const V z = seen * seen;
  const V cube = seen * z;
  return {t.hi, fma(cube, polynomial(z, LogarithmicConstants<ElementOf<V>>::tail), fma(quarter * z, t.lo, t.lo))};
}

template <LaneValue V> FRIT_INLINE V add_pair(V x, Pair<V> y) {
  const Pair<V> sum = two_sum(x, y.hi);
  return sum.hi + (sum.lo + y.lo);
}

// The base of logaddexp: exp(x), and log(1 + e) of it added to the larger operand.
template <LaneValue V> struct Natural {
  using T = ElementOf<V>;
  // exp(least) is normal, and what it has beside it as a pair is as well; exp(zero) moves no rounding of a subnormal number.
  static constexpr T least = is_double<V> ? T(-660) : T(-68), zero = is_double<V> ? T(-780) : T(-125);
  static FRIT_INLINE WideExp<V> power(Pair<V> x) { return wide_exp(x); }
  static FRIT_INLINE V add(V larger, Fraction<V> e) { return add_pair(larger, log1p_of_fraction(e)); }
};

// The base of logaddexp2.
template <LaneValue V> struct Binary {
  using T = ElementOf<V>;
  using C = LogarithmicConstants<T>;
  static constexpr T least = is_double<V> ? T(-960) : T(-98), zero = is_double<V> ? T(-1130) : T(-180);
  // 2^n (1 + r ln 2 + ...) with r = x - n, and what the sum of 1 and r ln 2 loses.
  static FRIT_INLINE WideExp<V> power(Pair<V> x) {
    const V one(1), ln2(Exp2Constants<T>::ln2), magic(FormatOf<V>::integer_magic);
    const V shifted = x.hi + magic;
    const V r = x.hi - (shifted - magic);
    const V sum = fma(r, ln2, one);
    const V lost = fma(x.lo, ln2, fma(r, ln2, one - sum));
    const V whole = r + x.lo;
    return {Pair<V>{sum, fma(whole * whole, polynomial(whole, Exp2Constants<T>::tail), lost)}, bits(shifted)};
  }
  static FRIT_INLINE V add(V larger, Fraction<V> e) {
    const Pair<V> octaves = pair_product(log1p_of_fraction(e), Pair<V>{V(C::log2_e_hi), V(C::log2_e_lo)});
    // Of two equal operands the sum is one octave higher, exactly.
    return select(e.m.hi == e.s, larger + V(1), add_pair(larger, octaves));
  }
};

// Two operands in order. difference = the smaller minus the larger.
//
// NOTE: what the difference loses is exact where the smaller operand has the larger magnitude. Elsewhere it is off by half of the
// larger operand's last place at most, of which the sum sees a fifth, and nothing cancels.
template <class V> struct Ordered {
  V larger;
  Pair<V> difference;
};
template <LaneValue V> FRIT_INLINE Ordered<V> ordered(V x, V y) {
  const auto first = x > y;
  const V larger = select(first, x, y), smaller = select(first, y, x);
  const V difference = smaller - larger;
  return {larger, {difference, (smaller - difference) - larger}};
}

template <LaneValue V> FRIT_INLINE Fraction<V> fraction(WideExp<V> e) {
  const V s = from_bits<V>(bits(V(1)) - (e.exponent << FormatOf<V>::mantissa));
  return {fast_two_sum(e.mantissa.hi, e.mantissa.lo), s};
}

template <LaneValue V> FRIT_INLINE Pair<V> at_least(Pair<V> x, ElementOf<V> least) {
  return select(x.hi < V(least), Pair<V>{V(least), V()}, x);
}

// The larger plus log(1 + power(difference)): the difference and the logarithm as pairs, so that the last addition is all that
// rounds at the size of the result.
template <class Base, LaneValue V> FRIT_INLINE V sum_of_powers(Ordered<V> x) {
  return Base::add(x.larger, fraction(Base::power(at_least(x.difference, Base::least))));
}

// Beside a larger operand from 2^blind on it does not matter how far below power(least) a power is.
template <class T> struct SumRange;
template <> struct SumRange<double> {
  static constexpr int blind = -800;
  static constexpr double raise = 0x1p200;
};
template <> struct SumRange<float> {
  static constexpr int blind = -60;
  static constexpr float raise = 0x1p60f;
};

// A power below power(least) that is seen: all is made larger, which log(1 + e) follows while e is below the last place of 1.
template <class Base, LaneValue V> FRIT_INLINE V sum_of_powers_low(Ordered<V> x) {
  constexpr ElementOf<V> raise = SumRange<ElementOf<V>>::raise;
  WideExp<V> e = Base::power(at_least(x.difference, Base::zero));
  e.exponent = e.exponent + ((bits(V(raise)) - bits(V(1))) >> FormatOf<V>::mantissa);
  return Base::add(x.larger * V(raise), fraction(e)) * V(1 / raise);
}

template <class Base, LaneValue V> FRIT_INLINE V log_add(V x, V y) {
  const V infinity(FormatOf<V>::infinity);
  const Ordered<V> o = ordered(x, y);
  const V size = abs(o.larger);
  // NOTE: two infinities of one sign have a difference that is NaN; any other NaN goes through the sum.
  const auto ordinary = (o.difference.hi >= V(Base::least)) | is_finite_from<SumRange<ElementOf<V>>::blind>(size);
  return rare(~ordinary, sum_of_powers<Base>(o), [=]() FRIT_INLINE_LAMBDA {
    const V r = select(size == infinity, o.larger, sum_of_powers_low<Base>(o));
    return select(is_nan(x) | is_nan(y), x + y, r);
  });
}

// log(exp(x) + exp(y)) and log2(2^x + 2^y): measured 0.92 ulp, in units of the larger operand's last place where that is larger.
template <LaneValue V> FRIT_INLINE V logaddexp(V x, V y) { return log_add<Natural<V>>(x, y); }
template <LaneValue V> FRIT_INLINE V logaddexp2(V x, V y) { return log_add<Binary<V>>(x, y); }

// log(1 + exp(x)), which is logaddexp(x, 0): measured 0.78 ulp.
template <LaneValue V> FRIT_INLINE V softplus(V x) {
  const auto ordinary = (x >= V(Natural<V>::least)) & (x < V(FormatOf<V>::infinity));
  const V larger = select(x > V(), x, V());
  return rare(~ordinary, sum_of_powers<Natural<V>>(Ordered<V>{larger, {-abs(x), V()}}),
              [=]() FRIT_INLINE_LAMBDA { return select(x < V(), exp(x), x); });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
