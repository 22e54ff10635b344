// The logarithm, and the angle.
//
// The modulus is kept as the exact square re^2 + im^2 (a pair and its last error), reduced to m 2^K with m near 1, so
// log|z| = K ln2/2 + atanh(u), u = (m - 1) / (m + 1). Near |z| = 1 nothing of m - 1 is lost, however much cancels.
// pow takes the same logarithm as a pair, and the angle as a pair.
#pragma once

#include "math/complex_parts.hpp"
#include "math/generated/complex_log.hpp"
#include "math/inverse_trig.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {
namespace complex_parts {

// q holds Q of atanh(u) = u + u t (1/3 + t Q(t)), t = u^2.
template <class V> using Constants = ComplexLogConstants<typename V::Element>;

// A positive number hi + mid + lo, mid below the last place of hi, lo below that of mid.
template <class V> struct Triple {
  V hi;
  V mid;
  V lo;
};

// re^2 + im^2, exact but for the last bits of lo.
template <class V> FRIT_INLINE Triple<V> exact_square(Magnitudes<V> part) {
  const Pair<V> large = two_product(part.large, part.large);
  const Pair<V> small = two_product(part.small, part.small);
  const Pair<V> sum = fast_two_sum(large.hi, small.hi);
  const Pair<V> lost = two_sum(large.lo, small.lo);
  const Pair<V> low = two_sum(sum.lo, lost.hi);
  return {sum.hi, low.hi, low.lo + lost.lo};
}

// u = (m - 1) / (m + 1) as a pair, and K, where the number is m 2^K, m in [sqrt(1/2), sqrt(2)).
template <class V> struct ReducedLog {
  Pair<V> u;
  V exponent;
};

template <class V> FRIT_INLINE ReducedLog<V> reduce_log(Triple<V> x) {
  using Bits = typename V::Bits;
  constexpr int mantissa = FormatOf<V>::mantissa;
  const Bits origin = bits(literal<V>(0x1.6a09e667f3bcdp-1, 0x1.6a09e6p-1));  // sqrt(1/2)
  const Bits exponent = sar(bits(x.hi) - origin, mantissa);
  const V scale = from_bits<V>(bits(V(1)) - (exponent << mantissa));
  const V hi = x.hi * scale - V(1);  // exact
  const Pair<V> f = fast_two_sum(hi, x.mid * scale);
  const V f_low = fma(x.lo, scale, f.lo);
  const Pair<V> divisor = fast_two_sum(V(2), f.hi);
  return {pair_quotient(Pair<V>{f.hi, f_low}, Pair<V>{divisor.hi, divisor.lo + f_low}, V(1) / divisor.hi),
          to_float<V>(exponent)};
}

// Half the logarithm of the number, at most 1 ulp off.
template <class V> FRIT_INLINE V half_log(ReducedLog<V> x) {
  using C = Constants<V>;
  const V t = x.u.hi * x.u.hi;
  const V tail = x.u.hi * t * fma(polynomial(t, C::q), t, V(C::third_hi));
  const Pair<V> sum = fast_two_sum(x.exponent * V(C::half_ln2_hi), x.u.hi);
  return sum.hi + (sum.lo + (tail + fma(x.exponent, V(C::half_ln2_lo), x.u.lo)));
}

// atanh(u) or atan(u) beyond u.hi: the term u^3/3 as a pair, the rest in its low part. t_sign is 1 for atanh, -1 for atan.
template <class V> FRIT_INLINE Pair<V> beyond_linear(Pair<V> u, V t_sign) {
  using C = Constants<V>;
  const V square = u.hi * u.hi;
  const V t = square * t_sign;
  const V t_low = fma(u.hi, u.hi, -square) * t_sign;
  const V third(C::third_hi);
  const V head = t * third;
  const V head_low = fma(t, third, -head) + fma(t_low, third, t * fma(polynomial(t, C::q), t, V(C::third_lo)));
  const V term = u.hi * head;
  const V term_low = fma(u.hi, head, -term) + u.hi * head_low;
  return {term, term_low + fma(u.lo, t, u.lo)};
}

// Half the logarithm as a pair, relative error about 2^-63 (f32: 2^-32).
template <class V> FRIT_INLINE Pair<V> half_log_pair(ReducedLog<V> x) {
  using C = Constants<V>;
  const Pair<V> beyond = beyond_linear(x.u, V(1));
  const Pair<V> head = fast_two_sum(x.exponent * V(C::half_ln2_hi), x.u.hi);
  const Pair<V> sum = fast_two_sum(head.hi, beyond.hi);
  const V low = (head.lo + sum.lo) + fma(x.exponent, V(C::half_ln2_lo), beyond.lo);
  return fast_two_sum(sum.hi, low);
}

// The angle of z as a pair in (-pi, pi], relative error about 2^-63 (f32: 2^-32). The components are finite, not both 0.
template <class V> FRIT_INLINE Pair<V> angle_pair(Complex<V> z, Magnitudes<V> part) {
  using C = Constants<V>;
  // Seen from the nearest of three rays the tangent of the remaining angle is (small - c large) / (large + c small).
  const auto past1 = part.small > part.large * V(C::limit1);
  const auto past2 = part.small > part.large * V(C::limit2);
  const V centre = select(past2, V(C::centre2), select(past1, V(C::centre1), V(0)));
  const Pair<V> above = two_product(centre, part.large);
  const Pair<V> numerator = two_sum(part.small, -above.hi);
  const Pair<V> along = two_product(centre, part.small);
  const Pair<V> divisor = fast_two_sum(part.large, along.hi);
  const Pair<V> u = pair_quotient(Pair<V>{numerator.hi, numerator.lo - above.lo},
                                  Pair<V>{divisor.hi, divisor.lo + along.lo}, V(1) / divisor.hi);
  const Pair<V> beyond = beyond_linear(u, V(-1));

  // centre's angle + u + beyond; then, where the axes are exchanged, pi/2 minus it; then, on the left, pi minus that.
  const V angle_hi = select(past2, V(C::centre2_angle_hi), select(past1, V(C::centre1_angle_hi), V(0)));
  const V angle_lo = select(past2, V(C::centre2_angle_lo), select(past1, V(C::centre1_angle_lo), V(0)));
  const Pair<V> near = fast_two_sum(u.hi, beyond.hi);
  const Pair<V> seen = fast_two_sum(angle_hi, near.hi);
  const Pair<V> octant = fast_two_sum(seen.hi, (seen.lo + near.lo) + (angle_lo + beyond.lo));
  const auto exchanged = abs(z.im) > abs(z.re);
  const auto left = bits(z.re) < V::Bits::of(0);
  const V base_hi = select(exchanged, V(C::half_pi_hi), select(left, V(C::pi_hi), V(0)));
  const V base_lo = select(exchanged, V(C::half_pi_lo), select(left, V(C::pi_lo), V(0)));
  const V turn = select(exchanged ^ left, V(-1), V(1));
  const Pair<V> whole = fast_two_sum(base_hi, octant.hi * turn);
  const Pair<V> angle = fast_two_sum(whole.hi, whole.lo + fma(octant.lo, turn, base_lo));
  const V side = copysign(V(1), z.im);
  return {angle.hi * side, angle.lo * side};
}

// NOTE: plain while the larger component lies in [2^-450, 2^510] (f64), [2^-48, 2^62] (f32): its square, and the error of
// that, keep all bits that count.
template <class V> FRIT_INLINE typename V::Mask log_is_plain(V large) {
  return within(large, literal<V>(0x1p-450, 0x1p-48), literal<V>(0x1p510, 0x1p62));
}

// The scale that brings the larger component into that window, and what K of the square grows by when it is taken back.
template <class V> struct LogScale {
  V scale;
  V exponent;
};

template <class V> FRIT_INLINE LogScale<V> log_scale(V large) {
  const auto plain = log_is_plain(large);
  const auto big = large >= V(1);
  const V scale = select(big, literal<V>(0x1p-600, 0x1p-70), literal<V>(0x1p600, 0x1p100));
  const V exponent = select(big, literal<V>(1200, 140), literal<V>(-1200, -200));
  return {select(plain, V(1), scale), select(plain, V(0), exponent)};
}

template <class V> FRIT_INLINE ReducedLog<V> reduce_log_full(Magnitudes<V> part) {
  const LogScale<V> by = log_scale(part.large);
  const ReducedLog<V> near = reduce_log(exact_square(Magnitudes<V>{part.large * by.scale, part.small * by.scale}));
  return {near.u, near.exponent + by.exponent};
}

// log|z| of any number: -infinity of 0, +infinity where a part is infinite, else NaN where one is NaN.
template <class V> FRIT_INLINE V log_modulus_full(Complex<V> z, Magnitudes<V> part) {
  const V unbounded = infinity<V>();
  const V of_number = half_log(reduce_log_full(part));
  const V of_zero = select(part.large == V(0), -unbounded, of_number);
  const V of_nan = select(is_nan(z.re) | is_nan(z.im), not_a_number<V>(), of_zero);
  return select(is_infinite(z.re) | is_infinite(z.im), unbounded, of_nan);
}

}  // namespace complex_parts

// The angle of z in [-pi, pi]; the sign of a zero imaginary part chooses the side of the cut.
template <class V> FRIT_INLINE V arg(Complex<V> z) { return atan2(z.im, z.re); }

// log(z) = log|z| + i arg(z), cut on the negative real axis.
template <class V> FRIT_INLINE Complex<V> log(Complex<V> z) {
  namespace parts = complex_parts;
  const auto part = parts::magnitudes(z);
  const V modulus =
      rare(~parts::log_is_plain(part.large), parts::half_log(parts::reduce_log(parts::exact_square(part))),
           [=]() FRIT_INLINE_LAMBDA { return parts::log_modulus_full(z, part); });
  return {modulus, atan2(z.im, z.re)};
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
