// The general power exp(w log z). log z is a pair in modulus and angle, so that the product with w keeps its error below a
// unit in the last place of the result up to the largest exponents. Beyond angles of 2^40 (f64), 2^16 (f32) the modulus of the
// result is right, and its direction is what so large an angle leaves of it.
//
// Zero and infinity (Annex G leaves cpow at exp(w log z)): z^0 = 1 for every z; 0^w = 0 where re w > 0, infinity + i NaN
// where re w < 0, else NaN; in w log z zero times infinity is zero, so that a real power of an infinity has no NaN.
#pragma once

#include "math/complex_exp.hpp"
#include "math/complex_log.hpp"
#include "math/log.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {
namespace complex_parts {

// log z: both parts pairs.
template <class V> struct LogPair {
  Pair<V> modulus;
  Pair<V> angle;
};

// a * b for the plain form, and for the full one, where zero times infinity is zero.
template <bool full, class V> FRIT_INLINE Pair<V> term(V a, Pair<V> b) {
  const Pair<V> product = pair_product(b, a);
  if constexpr (!full) return product;
  const auto zero = (a == V(0)) | (b.hi == V(0));
  return select(zero, Pair<V>{copysign(V(0), a) * copysign(V(1), b.hi), V(0)}, product);
}

template <bool full, class V> FRIT_INLINE Pair<V> settled(Pair<V> a) {
  if constexpr (!full) return a;
  return {a.hi, select(is_finite(a.hi), a.lo, V(0))};
}

template <bool full, class V> FRIT_INLINE Polar<V> exponent_times(LogPair<V> log_z, V w) {
  return {settled<full>(term<full>(w, log_z.modulus)), settled<full>(term<full>(w, log_z.angle))};
}

template <bool full, class V> FRIT_INLINE Pair<V> sum_of(Pair<V> a, Pair<V> b) { return settled<full>(pair_sum(a, b)); }

template <bool full, class V> FRIT_INLINE Polar<V> exponent_times(LogPair<V> log_z, Complex<V> w) {
  return {sum_of<full>(term<full>(w.re, log_z.modulus), term<full>(-w.im, log_z.angle)),
          sum_of<full>(term<full>(w.re, log_z.angle), term<full>(w.im, log_z.modulus))};
}

// The base, real or complex: its magnitudes, its logarithm.

template <class V> FRIT_INLINE Magnitudes<V> base_magnitudes(Complex<V> z) { return magnitudes(z); }
template <class V> FRIT_INLINE Magnitudes<V> base_magnitudes(V x) { return {abs(x), V(0)}; }

template <class V> FRIT_INLINE typename V::Mask base_is_plain(Complex<V>, Magnitudes<V> part) {
  return log_is_plain(part.large);
}
template <class V> FRIT_INLINE typename V::Mask base_is_plain(V, Magnitudes<V> part) {
  return (part.large > V(0)) & is_finite(part.large);
}

template <class V> FRIT_INLINE LogPair<V> log_parts(Complex<V> z, Magnitudes<V> part) {
  return {half_log_pair(reduce_log(exact_square(part))), angle_pair(z, part)};
}

template <class V> FRIT_INLINE Pair<V> real_angle_pair(V x) {
  using C = Constants<V>;
  const auto negative = x < V(0);
  return {select(negative, V(C::pi_hi), V(0)), select(negative, V(C::pi_lo), V(0))};
}

template <class V> FRIT_INLINE LogPair<V> log_parts(V x, Magnitudes<V> part) {
  return {log_pair(part.large), real_angle_pair(x)};
}

template <class V> FRIT_INLINE Pair<V> unless_infinite(Magnitudes<V> part, Pair<V> modulus) {
  const auto unbounded = is_infinite(part.large) | is_infinite(part.small);
  return {select(unbounded, infinity<V>(), modulus.hi), select(unbounded, V(0), modulus.lo)};
}

template <class V> FRIT_INLINE LogPair<V> log_parts_full(Complex<V> z, Magnitudes<V> part) {
  const auto unbounded = is_infinite(part.large) | is_infinite(part.small);
  const V scale = log_scale(part.large).scale;
  const Complex<V> near = select(unbounded, boxed(z), Complex<V>{z.re * scale, z.im * scale});
  return {unless_infinite(part, half_log_pair(reduce_log_full(part))), angle_pair(near, magnitudes(near))};
}

template <class V> FRIT_INLINE LogPair<V> log_parts_full(V x, Magnitudes<V> part) {
  return {unless_infinite(part, log_pair(part.large)), real_angle_pair(x)};
}

template <class V> FRIT_INLINE typename V::Mask some_nan(Complex<V> z) { return is_nan(z.re) | is_nan(z.im); }
template <class V> FRIT_INLINE typename V::Mask some_nan(V x) { return is_nan(x); }
template <class V> FRIT_INLINE V real_part(Complex<V> z) { return z.re; }
template <class V> FRIT_INLINE V real_part(V x) { return x; }

template <class V, class Base, class Exponent> FRIT_INLINE Complex<V> pow_full(Base z, Exponent w) {
  const V nan = not_a_number<V>();
  const Magnitudes<V> part = base_magnitudes(z);
  Complex<V> result = exp_polar_full(exponent_times<true>(log_parts_full(z, part), w));
  const V re = real_part(w);
  const V of_zero = select(re > V(0), V(0), select(re < V(0), infinity<V>(), nan));
  result = select(is_zero(z), Complex<V>{of_zero, select(re > V(0), V(0), nan)}, result);
  result = select(some_nan(z) | some_nan(w), Complex<V>{nan, nan}, result);
  return select(is_zero(w), Complex<V>{V(1), V(0)}, result);
}

template <class V, class Base, class Exponent> FRIT_INLINE Complex<V> pow_any(Base z, Exponent w) {
  const Magnitudes<V> part = base_magnitudes(z);
  const Polar<V> power = exponent_times<false>(log_parts(z, part), w);
  const Complex<V> value = stretched(direction_of(power.angle), exp_pair(power.modulus));
  const auto unusual =
      ~(base_is_plain(z, part) & exp_is_plain(power.modulus.hi) & angle_is_plain(power.angle.hi)) | is_nan(value.re);
  return rare(unusual, value, [=]() FRIT_INLINE_LAMBDA { return pow_full<V>(z, w); });
}

}  // namespace complex_parts

// z^w, principal branch. A real base or exponent is not widened.
template <class V> FRIT_INLINE Complex<V> pow(Complex<V> z, Complex<V> w) { return complex_parts::pow_any<V>(z, w); }
template <class V> FRIT_INLINE Complex<V> pow(Complex<V> z, V w) { return complex_parts::pow_any<V>(z, w); }
template <class V> FRIT_INLINE Complex<V> pow(V z, Complex<V> w) { return complex_parts::pow_any<V>(z, w); }

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
