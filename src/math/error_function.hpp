// erf, erfc and their inverses.
#pragma once

#include "math/exp.hpp"
#include "math/generated/erf_f32.hpp"
#include "math/generated/erf_f64.hpp"
#include "math/generated/erfc_f32.hpp"
#include "math/generated/erfc_f64.hpp"
#include "math/generated/erfinv_f32.hpp"
#include "math/generated/erfinv_f64.hpp"
#include "math/log.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// Below `split` the odd series x + x p(x^2). Above, 1 - erfc(x) where erfc need be good to an ulp of 1 only: it is
// erfc(split) 2^(t p(t)) with t = x - split, and what it falls by damps the rounding errors of the exponent.
template <LaneValue V> FRIT_INLINE V erf(V x) {
  using C = ErfConstants<ElementOf<V>>;
  const V size = abs(x);
  const V t = at_most(size, V(C::most)) - V(C::split);
  const V slope = polynomial(t, C::log_ratio);
  const V magic(FormatOf<V>::integer_magic);
  const V shifted = fma(t, slope, magic);
  const V power = horner_first(fma(t, slope, magic - shifted), C::power);
  const V complement = from_bits<V>(bits(power) + (bits(shifted) << FormatOf<V>::mantissa));
  const V small = fma(x, polynomial(x * x, C::small), x);
  return select(size >= V(C::split), copysign(V(1) - complement, x), small);
}

// exp(-x^2) times (1 + c x) exp(x^2) erfc(x), a polynomial in t = x / (x + k) - middle that falls from 1 to 0.63, over 1 + c x
// (after M. M. Shepherd, J. G. Laframboise, Math. Comp. 36, 1981). One division serves both denominators, and what the factors
// lose by rounding is added at the end. A negative x is 2 - erfc(-x). Measured 0.95 ulp for |x| < 1/4 and 1.6 ulp elsewhere.
//
// NOTE: c is next to 2 / sqrt(pi), so that the polynomial is level at 0: there the rounding of t does not matter to results just
// below 1, whose ulp is small.
template <LaneValue V> FRIT_INLINE ScaledExp<V> scaled_erfc(V x) {
  using C = ErfcConstants<ElementOf<V>>;
  const V one(1), factor(C::factor);
  const V shifted = x + V(C::shift);
  const V under = fma(factor, x, one);
  const V under_lo = fma(factor, x, one - under);
  const V both = one / (shifted * under);
  const V inverse = shifted * both;
  const V lost = fma(-inverse, under_lo, fma(-inverse, under, one));
  const V t = fma(x, under * both, V(-C::middle));
  const V slope = polynomial_rest(t, C::scaled);
  const V first(C::scaled[0]);
  const V scaled = fma(t, slope, first);
  const V scaled_lo = fma(t, slope, first - scaled) + V(C::scaled_lo);
  const Pair<V> quotient = two_product(inverse, scaled);
  const V quotient_lo = fma(quotient.hi, lost, fma(inverse, scaled_lo, quotient.lo));
  const V square = x * -x;
  const WideExp<V> e = wide_exp(Pair<V>{square, -fma(x, x, square)});
  const V rest = fma(e.mantissa.lo, quotient.hi, e.mantissa.hi * quotient_lo);
  return {fma(e.mantissa.hi, quotient.hi, rest), e.exponent};
}

template <LaneValue V> FRIT_INLINE V erfc(V x) {
  using C = ErfcConstants<ElementOf<V>>;
  const V size = abs(x);
  const auto negative = x < V();
  const auto to_zero = [=]() FRIT_INLINE_LAMBDA { return scale_low(scaled_erfc(at_most(size, V(C::zero)))); };
  if constexpr (is_double<V>) {
    const V direct = scale_direct(scaled_erfc(at_most(size, V(C::least))));
    return rare(~(x < V(C::least)), select(negative, V(2) - direct, direct),
                [=]() FRIT_INLINE_LAMBDA { return select(is_nan(x), x, to_zero()); });
  } else {
    const V low = to_zero();
    return select(is_nan(x), x, select(negative, V(2) - low, low));
  }
}

// erfinv for small q = 1 - x^2: sqrt(w) times nearly 1.
template <bool far, LaneValue V> FRIT_INLINE V erfinv_tail(V q) {
  using C = ErfinvConstants<ElementOf<V>>;
  const Pair<V> log = log_terms(split_exponent_general(q));
  const V s = sqrt(-(log.hi + log.lo));
  const V s_lo = (fma(-s, s, -log.hi) - log.lo) * rough_inverse(s + s);
  const V inverse = V(1) / (s + V(C::shift));
  V h = polynomial(inverse - V(C::tail_middle), C::tail);
  if constexpr (far && is_double<V>)
    h = select(s > V(C::tail_end), polynomial(inverse - V(C::far_tail_middle), C::far_tail), h);
  return s + fma(s, h, s_lo);
}

// The inverse of erf at x + x_lo, for |x| <= 1, q = 1 - x^2 of any size and the logarithm w of 1/q. In the middle it is
// x (base + slope w + p(w)), whose large terms are added without loss; beyond, sqrt(w) times nearly 1
// (after M. Giles, Approximating the erfinv function, GPU Computing Gems, 2011).
//
// NOTE: with random numbers in (-1, 1) one in 60000 is beyond.
template <bool far, LaneValue V> FRIT_INLINE V inverse_of_erf(V x, V x_lo, V q) {
  using C = ErfinvConstants<ElementOf<V>>;
  const Pair<V> log = log_terms(split_exponent(q));
  const V p = polynomial(V(-C::middle) - (log.hi + log.lo), C::centre);
  const V base(C::base), slope(-C::slope);
  const V factor = fma(log.hi, slope, base);
  const V factor_lo = fma(log.lo, slope, fma(log.hi, slope, base - factor)) + p;
  const V central = copysign(fma(x, factor, fma(x_lo, factor, x * factor_lo)), x);
  return rare(~(q >= V(C::least)), central, [=]() FRIT_INLINE_LAMBDA {
    const V infinity(FormatOf<V>::infinity), nan(FormatOf<V>::nan);
    const V size = select(q > V(), erfinv_tail<far>(q), select(q == V(), infinity, nan));
    return copysign(size, x);
  });
}

template <LaneValue V> FRIT_INLINE V erfinv(V x) { return inverse_of_erf<false>(x, V(), fma(-x, x, V(1))); }

// The inverse of erfc: x = 1 - p, and 1 - x^2 = p (2 - p) without loss for small p.
template <LaneValue V> FRIT_INLINE V erfcinv(V p) {
  const Pair<V> x = fast_two_sum(V(1), -p);
  const V q = fma(-p, p, p + p);
  return inverse_of_erf<true>(x.hi, x.lo, select(p > V(2), V(-1), q));  // 2 p may overflow
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
