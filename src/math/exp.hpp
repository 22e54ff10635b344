// exp, and exp of a pair.
//
// x = n ln 2 + r with |r| <= ln(2)/2, exp(x) = 2^n (1 + r + r^2 p(r)). The rounding of 1 + r is taken back, and r is kept
// exact where it is added to 1, so that the last addition rounds and the second-order term a little: measured 0.77 ulp.
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

template <LaneValue V> FRIT_INLINE ScaledExp<V> scaled_exp(V x) {
  using C = ExpConstants<ElementOf<V>>;
  const V magic(FormatOf<V>::integer_magic);
  const V shifted = fma(x, V(C::log2_e), magic);
  const V n = shifted - magic;
  const V exact = fma(-n, V(C::ln2_hi), x);  // no rounding: a multiple of the last bit of x, smaller than x
  const V sum = V(1) + exact;
  const V r = fma(-n, V(C::ln2_lo), exact);
  const V lost = fma(-n, V(C::ln2_lo), exact - (sum - V(1)));
  return {sum + fma(r * r, polynomial(r, C::tail), lost), bits(shifted)};
}

// exp(x) = (mantissa.hi + mantissa.lo) * 2^n, where the sum is not rounded yet and lo is a sixteenth of hi at most.
template <class V> struct ScaledExpPair {
  Pair<V> mantissa;
  typename V::Bits exponent;
};

// x.lo must be below 2^-20 of 1, not of x.hi: what matters is its absolute size.
template <LaneValue V> FRIT_INLINE ScaledExpPair<V> scaled_exp_pair(Pair<V> x) {
  using C = ExpConstants<ElementOf<V>>;
  const V magic(FormatOf<V>::integer_magic);
  const V shifted = fma(x.hi, V(C::log2_e), magic);
  const V n = shifted - magic;
  const V exact = fma(-n, V(C::ln2_hi), x.hi);
  const V rest = fma(-n, V(C::ln2_lo), x.lo);
  const V sum = V(1) + exact;
  const V r = exact + rest;
  const V lost = (exact - (sum - V(1))) + rest;
  return {{sum, fma(r * r, polynomial(r, C::tail), lost)}, bits(shifted)};
}
template <LaneValue V> FRIT_INLINE ScaledExp<V> scaled_exp(Pair<V> x) {
  const ScaledExpPair<V> e = scaled_exp_pair(x);
  return {e.mantissa.hi + e.mantissa.lo, e.exponent};
}

// For results in the normal range: one integer addition.
template <LaneValue V> FRIT_INLINE V scale_direct(ScaledExp<V> e) {
  return from_bits<V>(bits(e.mantissa) + (e.exponent << FormatOf<V>::mantissa));
}
// For all exponents that clamped arguments give. Each factor is normal and so only the last product rounds.
template <LaneValue V> FRIT_INLINE V scale_general(ScaledExp<V> e) {
  const typename V::Bits n = e.exponent - bits(V(FormatOf<V>::integer_magic));
  const typename V::Bits half = sar(n, 1);
  return e.mantissa * power_of_two<V>(half) * power_of_two<V>(n - half);
}

// To [zero, infinite]; NaN stays.
template <LaneValue V> FRIT_INLINE V clamp_exp(V x) {
  using R = ExpRange<ElementOf<V>>;
  const V below = select(x > V(R::infinite), V(R::infinite), x);
  return select(below < V(R::zero), V(R::zero), below);
}

// For results below the normal range too, down to the argument R::zero. There the result is an integer multiple of the least
// subnormal number: one addition rounds it, whose sum's low bits it is.
//
// NOTE: not by a product that is subnormal, for which x86 takes a hundred cycles and more.
template <LaneValue V> FRIT_INLINE V scale_low(ScaledExp<V> e) {
  using Bits = typename V::Bits;
  constexpr int mantissa = FormatOf<V>::mantissa;
  constexpr std::int64_t one = 1;
  const Bits direct = bits(e.mantissa) + (e.exponent << mantissa);
  const auto low = direct < Bits::of(one << mantissa);
  const Bits raised = direct + Bits::of((FormatOf<V>::bias + mantissa - 1) * (one << mantissa));
  const V unit(ElementOf<V>(one << mantissa));
  const V sum = from_bits<V>(select(low, raised, Bits::of(0))) + unit;
  return from_bits<V>(select(low, bits(sum) - bits(unit), direct));
}

// NOTE: in float the exponential of a Gaussian's tail is subnormal or zero from 13 standard deviations on, which is ordinary
// data; so float has that range in line and only large arguments and NaN are rare. In double it begins at 37.
template <LaneValue V> FRIT_INLINE V exp(V x) {
  using R = ExpRange<ElementOf<V>>;
  if constexpr (is_double<V>) {
    const auto ordinary = (x > V(R::least)) & (x < V(R::most));
    return rare(~ordinary, scale_direct(scaled_exp(x)),
                [=]() FRIT_INLINE_LAMBDA { return scale_general(scaled_exp(clamp_exp(x))); });
  } else {
    return rare(~(x < V(R::most)), scale_low(scaled_exp(select(x < V(R::zero), V(R::zero), x))),
                [=]() FRIT_INLINE_LAMBDA { return scale_general(scaled_exp(clamp_exp(x))); });
  }
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
