// exp2, exp10, expm1 and the logistic function.
#pragma once

#include "math/exp.hpp"
#include "math/generated/exp10_f32.hpp"
#include "math/generated/exp10_f64.hpp"
#include "math/generated/exp2_f32.hpp"
#include "math/generated/exp2_f64.hpp"
#include "math/generated/expm1_f32.hpp"
#include "math/generated/expm1_f64.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// The ranges of ExpRange in powers of two and of ten.
template <class T> struct Exp2Range;
template <> struct Exp2Range<double> {
  static constexpr double least = -1022, most = 1023;
  static constexpr double zero = -1076, infinite = 1025;
};
template <> struct Exp2Range<float> {
  static constexpr float least = -126, most = 127;
  static constexpr float zero = -150, infinite = 129;
};
template <class T> struct Exp10Range;
template <> struct Exp10Range<double> {
  static constexpr double least = -307, most = 308;
  static constexpr double zero = -324, infinite = 309;
};
template <> struct Exp10Range<float> {
  static constexpr float least = -37, most = 38;
  static constexpr float zero = -46, infinite = 39;
};

// 2^x = 2^n (1 + r ln 2 + ...) with r = x - n, exactly.
template <LaneValue V> FRIT_INLINE ScaledExp<V> scaled_exp2(V x) {
  using C = Exp2Constants<ElementOf<V>>;
  const V magic(FormatOf<V>::integer_magic);
  const V shifted = x + magic;
  const V r = x - (shifted - magic);
  return {fma(r, fma(r, polynomial(r, C::tail), V(C::ln2)), V(1)), bits(shifted)};
}
template <LaneValue V> FRIT_INLINE V exp2(V x) {
  return scaled_function<Exp2Range<ElementOf<V>>>(x, [](V a) FRIT_INLINE_LAMBDA { return scaled_exp2(a); });
}

// 10^x = 2^n 10^r. The rounding of 1 + r ln 10 is taken back, so that whole powers of ten that are numbers are exact.
template <LaneValue V> FRIT_INLINE ScaledExp<V> scaled_exp10(V x) {
  using C = Exp10Constants<ElementOf<V>>;
  const V magic(FormatOf<V>::integer_magic);
  const V shifted = fma(x, V(C::log2_10), magic);
  const V n = shifted - magic;
  const V hi = fma(n, V(-C::lg2_hi), x);  // exact, as in reduce_exp()
  const V r = fma(n, V(-C::lg2_lo), hi);
  const V sum = fma(hi, V(C::ln10_hi), V(1));
  const V lost = fma(hi, V(C::ln10_hi), V(1) - sum);
  const V low = fma(n, V(-C::ln2_lo), fma(hi, V(C::ln10_lo), lost));
  return {sum + fma(r * r, polynomial(r, C::tail), low), bits(shifted)};
}
template <LaneValue V> FRIT_INLINE V exp10(V x) {
  return scaled_function<Exp10Range<ElementOf<V>>>(x, [](V a) FRIT_INLINE_LAMBDA { return scaled_exp10(a); });
}

// s - 1 for a power of two s and what it loses: of positive exponents, or of negative ones.
template <bool Positive, LaneValue V> FRIT_INLINE Pair<V> less_one(V s) {
  return Positive ? fast_two_sum(s, V(-1)) : fast_two_sum(V(-1), s);
}

// exp(x) - 1 = hi + lo, where |lo| may be a quarter of |hi|, for 2^n a normal number. exp(x) = s (1 + r + tail) with s = 2^n, and
// s - 1 and s r are added without loss: s r is never the larger one, but where n = 0 and s - 1 is zero.
//
// NOTE: r runs from -0.28 to 0.41 and its square is rounded once. With s = 2 the tail's errors count twice, so the result should
// be above 1/2 there.
template <bool Positive, LaneValue V> FRIT_INLINE Pair<V> expm1_pair(V x) {
  using C = Expm1Constants<ElementOf<V>>;
  const V turns = fma(x, V(ExpConstants<ElementOf<V>>::log2_e), V(C::offset));
  const ReducedArgument<V> a = reduce_exp(x, turns + V(FormatOf<V>::integer_magic));
  const V s = power_of_two<V>(a.exponent);
  const Pair<V> base = less_one<Positive>(s);
  const Pair<V> sum = fast_two_sum(base.hi, s * a.hi);
  const V rest = a.n * V(-ExpConstants<ElementOf<V>>::ln2_lo);
  const V cubic = fma(a.r * a.r * a.r, polynomial(a.r, C::tail), rest);
  const V tail = fma(V(ElementOf<V>(0.5)) * a.r, a.r, cubic);
  return {sum.hi, fma(s, tail, sum.lo + base.lo)};
}

// From here down exp(x) is lost beside 1.
template <class T> struct Expm1Range;
template <> struct Expm1Range<double> { static constexpr double least = -40; };
template <> struct Expm1Range<float> { static constexpr float least = -20; };

template <LaneValue V> FRIT_INLINE V expm1(V x) {
  using R = ExpRange<ElementOf<V>>;
  const V least(Expm1Range<ElementOf<V>>::least);
  const Pair<V> pair = expm1_pair<true>(at_least(x, least));
  // The sum has the sign of x but where it is zero.
  const V value = from_bits<V>(bits(pair.hi + pair.lo) | sign_of(x));
  return rare(~(x < V(R::most)), value, [=]() FRIT_INLINE_LAMBDA { return exp(x); });
}

// 1 / (1 + exp(-x)) = t / (t + m) for exp(-x) = m / t, where t is a power of two and m = 1 + r + tail as in exp. The denominator is
// the sum of t, 1 and r, rounded, and the rest; the residual of its inverse is taken back: measured 0.89 ulp.
//
// NOTE: t - (sum - 1) has no error but where t is too small to be seen beside m, a sixth of an ulp, and where it is 2^54 (float: 2^25)
// or more, next to the bound: there the sum has lost the 1, and the result is 1 or the number before. Below the range the 1 is lost
// beside exp(-x), and the result is exp(x).
template <LaneValue V> FRIT_INLINE V logistic(V x) {
  using R = ExpRange<ElementOf<V>>;
  const V one(1);
  const V bounded = at_most(x, V(-Expm1Range<ElementOf<V>>::least));  // exp(-x) is lost beside 1 from there on
  const V turns = fma(bounded, V(-ExpConstants<ElementOf<V>>::log2_e), V(FormatOf<V>::integer_magic));
  const ReducedArgument<V> a = reduce_exp(-bounded, turns);
  const V t = from_bits<V>(bits(one) - (a.exponent << FormatOf<V>::mantissa));
  const V sum = (one + t) + a.hi;
  const V lost = fma(a.n, V(-ExpConstants<ElementOf<V>>::ln2_lo), (t - (sum - one)) + a.hi);
  const V rest = exp_tail(a.r, lost);
  const V inverse = one / (sum + rest);
  const V residual = fma(-inverse, rest, fma(-inverse, sum, one));
  return rare(~(x > V(R::least)), t * fma(residual, inverse, inverse), [=]() FRIT_INLINE_LAMBDA { return exp(x); });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
