// exp, and exp of a pair.
//
// x = n ln 2 + r with |r| <= ln(2)/2, exp(x) = 2^n (1 + r + r^2 p(r)). The rounding of 1 + r is taken back, and r is kept
// exact where it is added to 1, so that the last addition rounds and the second-order term a little: measured 0.70 ulp, and 0.78
// where a subnormal result is rounded once more.
#pragma once

#include "math/generated/exp_f32.hpp"
#include "math/generated/exp_f64.hpp"
#include "math/pair.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// Where 2^n (1 + ...) is a normal number, with its neighbours: direct() covers (least, most).
template <class T> struct ExpRange;
template <> struct ExpRange<double> {
  static constexpr double least = -708, most = 709;
  static constexpr double zero = -746, infinite = 710;  // exp is 0 or infinity from here on
};
template <> struct ExpRange<float> {
  static constexpr float least = -87, most = 88;
  static constexpr float zero = -104, infinite = 89;
};

// exp(x) = mantissa * 2^n with mantissa in [0.7, 1.42); n as an integer in the low bits of `exponent`, the bits above
// undefined.
template <class V> struct ScaledExp {
  V mantissa;
  typename V::Bits exponent;
};

// x = n ln 2 + r with r = hi - n ln2_lo, where hi is exact.
template <class V> struct ReducedArgument {
  V n, hi, r;
  typename V::Bits exponent;  // n as in ScaledExp
};

// The integer nearest to x / ln 2, or one next to it, stands in the low bits of `shifted`.
template <LaneValue V> FRIT_INLINE ReducedArgument<V> reduce_exp(V x, V shifted) {
  using C = ExpConstants<ElementOf<V>>;
  const V n = shifted - V(FormatOf<V>::integer_magic);
  const V hi = fma(n, V(-C::ln2_hi), x);  // no rounding: a multiple of the last bit of x, smaller than x
  return {n, hi, fma(n, V(-C::ln2_lo), hi), bits(shifted)};
}
template <LaneValue V> FRIT_INLINE ReducedArgument<V> reduce_exp(V x) {
  return reduce_exp(x, fma(x, V(ExpConstants<ElementOf<V>>::log2_e), V(FormatOf<V>::integer_magic)));
}

// exp(r) - 1 - r + more
template <LaneValue V> FRIT_INLINE V exp_tail(V r, V more) {
  using C = ExpConstants<ElementOf<V>>;
  if constexpr (is_double<V>) {
    return fma(r * r, horner_first(r, C::tail), more);
  } else {
    return fma(r * r, horner_first(r, C::short_tail), more);
  }
}

template <LaneValue V> FRIT_INLINE ScaledExp<V> scaled_exp(V x) {
  const ReducedArgument<V> a = reduce_exp(x);
  const V sum = V(1) + a.hi;
  const V lost = fma(a.n, V(-ExpConstants<ElementOf<V>>::ln2_lo), a.hi - (sum - V(1)));
  return {sum + exp_tail(a.r, lost), a.exponent};
}

// The same before the last addition: exp of a pair, as a pair that is not normalised.
template <class V> struct WideExp {
  Pair<V> mantissa;
  typename V::Bits exponent;
};

// exp(r.hi + r.lo) for |r.hi| <= ln(2)/2.
template <LaneValue V> FRIT_INLINE Pair<V> exp_near(Pair<V> x) {
  using C = ExpConstants<ElementOf<V>>;
  const V sum = V(1) + x.hi;
  const V r = x.hi + x.lo;
  const V lost = (x.hi - (sum - V(1))) + x.lo;
  return {sum, fma(r * r, polynomial(r, C::tail), lost)};
}

// x.lo must be below 2^-20 of 1, not of x.hi: what matters is its absolute size.
template <LaneValue V> FRIT_INLINE WideExp<V> wide_exp(Pair<V> x) {
  const ReducedArgument<V> a = reduce_exp(x.hi);
  return {exp_near(Pair<V>{a.hi, fma(a.n, V(-ExpConstants<ElementOf<V>>::ln2_lo), x.lo)}), a.exponent};
}

template <LaneValue V> FRIT_INLINE ScaledExp<V> scaled_exp(Pair<V> x) {
  const WideExp<V> e = wide_exp(x);
  return {e.mantissa.hi + e.mantissa.lo, e.exponent};
}

// For results in the normal range: one integer addition.
template <LaneValue V> FRIT_INLINE V scale_direct(ScaledExp<V> e) {
  return from_bits<V>(bits(e.mantissa) + (e.exponent << FormatOf<V>::mantissa));
}
// For all exponents that clamped arguments give. Each factor is normal and so only the last product rounds.
template <LaneValue V> FRIT_INLINE V scale_general(ScaledExp<V> e) {
  const typename V::Bits n = e.exponent - bits(V(FormatOf<V>::integer_magic));
  return times_power_of_two(e.mantissa, n);
}

// To [zero, infinite]; NaN stays.
template <class R, LaneValue V> FRIT_INLINE V clamp_to(V x) { return clamp(x, V(R::zero), V(R::infinite)); }
template <LaneValue V> FRIT_INLINE V clamp_exp(V x) { return clamp_to<ExpRange<ElementOf<V>>>(x); }

// For results below the normal range too, down to half of the least subnormal number. A subnormal image is how far its multiple
// of 2^-126, or of 2^-1022, lies above 1 in units of the last place: one fma rounds it.
//
// NOTE: not by a product that is subnormal, for which x86 takes a hundred cycles and more.
template <LaneValue V> FRIT_INLINE V scale_low(ScaledExp<V> e) {
  using Bits = typename V::Bits;
  using F = FormatOf<V>;
  constexpr std::int64_t one = std::int64_t{1} << F::mantissa;
  const Bits n = e.exponent << F::mantissa;
  const Bits direct = bits(e.mantissa) + n;
  // Where the result is normal this is some other number, 0, infinity or NaN, but not a slow subnormal one.
  const V scale = from_bits<V>(n + Bits::of((2 * F::bias - 1) * one));
  const Bits low = bits(fma(e.mantissa, scale, V(1))) - Bits::of(F::bias * one);
  return from_bits<V>(select(direct < Bits::of(one), low, direct));
}

// A function of one argument that `scaled` gives as mantissa and exponent, R being its range.
//
// NOTE: in float the exponential of a Gaussian's tail is subnormal or zero from 13 standard deviations on, which is ordinary
// data; so float has that range in line and only large arguments and NaN are rare. In double it begins at 37.
template <class R, LaneValue V, class Scaled> FRIT_INLINE V scaled_function(V x, Scaled scaled) {
  const auto general = [=]() FRIT_INLINE_LAMBDA { return scale_general(scaled(clamp_to<R>(x))); };
  if constexpr (is_double<V>) {
    return rare(~((x > V(R::least)) & (x < V(R::most))), scale_direct(scaled(x)), general);
  } else {
    return rare(~(x < V(R::most)), select(x < V(R::zero), V(), scale_low(scaled(x))), general);
  }
}

template <LaneValue V> FRIT_INLINE V exp(V x) {
  return scaled_function<ExpRange<ElementOf<V>>>(x, [](V a) FRIT_INLINE_LAMBDA { return scaled_exp(a); });
}

// exp(x.hi + x.lo), where x.lo is at most some ulps of x.hi. Any x.hi; a NaN or infinite x.lo counts only beside a NaN.
template <LaneValue V> FRIT_INLINE V exp_pair_general(Pair<V> x) {
  const V clamped = clamp_exp(x.hi);
  return scale_general(scaled_exp(Pair<V>{clamped, select(clamped == x.hi, x.lo, V())}));
}
template <LaneValue V> FRIT_INLINE V exp_pair(Pair<V> x) {
  using R = ExpRange<ElementOf<V>>;
  const auto ordinary = (x.hi > V(R::least)) & (x.hi < V(R::most));
  return rare(~ordinary, scale_direct(scaled_exp(x)), [=]() FRIT_INLINE_LAMBDA { return exp_pair_general(x); });
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
