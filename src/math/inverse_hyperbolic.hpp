// asinh, acosh, atanh.
#pragma once

#include "math/generated/inverse_hyperbolic_f32.hpp"
#include "math/generated/inverse_hyperbolic_f64.hpp"
#include "math/logarithmic.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// The a >= 0 with the given sinh(a) and cosh(a), exp(a) = w = sinh + cosh = 2^k m. For k = 0 it is 2 atanh(sinh / (1 + cosh)), which
// needs no difference; else k ln 2 + 2 atanh((w - 2^k) / (w + 2^k)). Both below 2^500 (float: 2^60): measured 0.68 ulp.
template <LaneValue V> FRIT_INLINE V hyperbolic_area(Pair<V> sinh, Pair<V> cosh) {
  using C = InverseHyperbolicConstants<ElementOf<V>>;
  const Pair<V> sum = fast_two_sum(cosh.hi, sinh.hi);
  const Pair<V> w{sum.hi, sum.lo + (cosh.lo + sinh.lo)};
  const V k = split_exponent(w.hi).k;
  const V power = power_of_two<V>(to_int(k));
  const auto near = k == V();
  const Pair<V> over = select(near, sinh, Pair<V>{w.hi - power, w.lo});
  const Pair<V> other = select(near, cosh, w);
  const Pair<V> under = fast_two_sum(power, other.hi);
  const V half(ElementOf<V>(0.5));
  const Pair<V> area = log_ratio(over, Pair<V>{half * under.hi, half * (under.lo + other.lo)}, C::tail);
  return log_sum(k, area.hi, area.lo);
}

template <class T> struct AreaRange;
template <> struct AreaRange<double> { static constexpr double most = 0x1p500; };
template <> struct AreaRange<float> { static constexpr float most = 0x1p60f; };

// log(2 x) for large x.
template <LaneValue V> FRIT_INLINE V log_of_twice(V x) {
  Mantissa<V> parts = split_exponent(x);
  parts.k = parts.k + V(1);
  return log_of(parts);
}

template <LaneValue V> FRIT_INLINE V asinh(V x) {
  using R = AreaRange<ElementOf<V>>;
  const V a = abs(x);
  const V square = fma(a, a, V(1));
  const Pair<V> cosh = sqrt_pair(Pair<V>{square, fma(a, a, V(1) - square)});
  const V area = hyperbolic_area(Pair<V>{a, V()}, cosh);
  return copysign(rare(~(a < V(R::most)), area,
                       [=]() FRIT_INLINE_LAMBDA { return select(a < V(FormatOf<V>::infinity), log_of_twice(a), a); }),
                  x);
}

// x^2 - 1 as t^2 + 2 t with t = x - 1, which is exact where the difference is small.
template <LaneValue V> FRIT_INLINE V acosh(V x) {
  using R = AreaRange<ElementOf<V>>;
  const V t = x - V(1);
  const V twice = t + t;
  const V square = fma(t, t, twice);
  const Pair<V> sinh = sqrt_pair(Pair<V>{square, fma(t, t, twice - square)});
  const auto ordinary = (x >= V(1)) & (x < V(R::most));
  return rare(~ordinary, hyperbolic_area(sinh, Pair<V>{x, V()}), [=]() FRIT_INLINE_LAMBDA {
    const V large = select(x < V(FormatOf<V>::infinity), log_of_twice(x), x);
    return select(x >= V(1), large, V(FormatOf<V>::nan));
  });
}

// (1 + x) / (1 - x) = 2^k m, and atanh(x) = k ln(2)/2 + atanh((m - 1) / (m + 1)). With c = 2^k the ratio is
// (x (c + 1) - (c - 1)) / ((c + 1) - x (c - 1)), whose terms are exact products. Next to x = 1 the differences cancel down to the
// lower parts. k is the difference of the images of 1 + x and 1 - x, rounded: a little off the nearest, which the series
// allows for. Measured 0.57 ulp.
//
// Above `most` c + 1 is no number of the dtype, and 1 + x is 2 to the last bit of the result.
template <LaneValue V> FRIT_INLINE V atanh(V x) {
  using C = InverseHyperbolicConstants<ElementOf<V>>;
  using F = FormatOf<V>;
  using Bits = typename V::Bits;
  const V a = abs(x);
  const V one(1), half(ElementOf<V>(0.5));
  constexpr std::int64_t round = std::int64_t{1} << (F::mantissa - 1);
  const Bits k = (bits(one + a) - bits(one - a) + Bits::of(round)) >> F::mantissa;
  const V c = from_bits<V>((k << F::mantissa) + bits(half));  // half of 2^k
  const V more = c + half, less = c - half;
  const Pair<V> twice = two_product(a + a, more);
  const Pair<V> over = fast_two_sum(fma(V(-2), less, twice.hi), twice.lo);
  const Pair<V> product = two_product(a, less);
  const Pair<V> difference = fast_two_sum(more, -product.hi);
  const Pair<V> under = fast_two_sum(difference.hi, difference.lo - product.lo);
  const Pair<V> logarithm = log_ratio(over, under, C::tail);
  const V area = half * log_sum(to_float<V>(k), logarithm.hi, logarithm.lo);
  const V most(is_double<V> ? ElementOf<V>(1 - 0x1p-50) : ElementOf<V>(1 - 0x1p-21));
  const auto special = [=]() FRIT_INLINE_LAMBDA {
    const V next = -half * log_of(split_exponent(half * (one - a)));
    return select(a < one, next, select(a == one, V(F::infinity), V(F::nan)));
  };
  return copysign(rare(~(a < most), area, special), x);
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
