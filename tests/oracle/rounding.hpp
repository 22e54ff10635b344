// Remainders, ldexp and the functions of pi x as functions of MPFR, with the special values of docs/numerics.md. The integers that
// they go through are exact.
#pragma once

#include "oracle/real.hpp"

namespace frit::test::oracle {

inline bool opposite_signs(mpfr_srcptr a, mpfr_srcptr b) { return (mpfr_signbit(a) != 0) != (mpfr_signbit(b) != 0); }

// With the sign of the divisor, of a zero too.
inline int remainder(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  Real rest = Real::of_precision(exact_precision);
  mpfr_fmod(rest.get(), x, y, MPFR_RNDN);
  if (rest.is_zero()) return mpfr_setsign(r, rest.get(), mpfr_signbit(y), mode);
  if (rest.is_nan() || !opposite_signs(rest.get(), y)) return mpfr_set(r, rest.get(), mode);
  return mpfr_add(r, rest.get(), y, mode);
}

// Of an infinite dividend NaN, as NumPy has it.
inline int floor_divide(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  if (mpfr_inf_p(x) != 0) {
    mpfr_set_nan(r);
    return 0;
  }
  if (mpfr_inf_p(y) != 0 && mpfr_regular_p(x) != 0 && opposite_signs(x, y)) return mpfr_set_si(r, -1, mode);
  Real quotient = Real::of_precision(exact_precision);
  mpfr_div(quotient.get(), x, y, MPFR_RNDD);
  mpfr_floor(quotient.get(), quotient.get());
  return mpfr_set(r, quotient.get(), mode);
}

inline int ldexp(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr n, mpfr_rnd_t mode) {
  if (mpfr_inf_p(n) != 0) {
    Real power = mpfr_signbit(n) != 0 ? 0.0 : std::numeric_limits<double>::infinity();
    return mpfr_mul(r, x, power.get(), mode);
  }
  if (mpfr_integer_p(n) == 0) {  // NaN too
    mpfr_set_nan(r);
    return 0;
  }
  const double exponent = std::clamp(mpfr_get_d(n, MPFR_RNDN), -10000.0, 10000.0);
  return mpfr_mul_2si(r, x, static_cast<long>(exponent), mode);
}

inline int sinc(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (mpfr_zero_p(x) != 0) return mpfr_set_si(r, 1, mode);
  if (mpfr_inf_p(x) != 0) return mpfr_set_si(r, 0, mode);
  Real sine, angle;
  mpfr_sinpi(sine.get(), x, MPFR_RNDN);
  if (sine.is_zero()) return mpfr_set_si(r, 0, mode);
  mpfr_const_pi(angle.get(), MPFR_RNDN);
  mpfr_mul(angle.get(), angle.get(), x, MPFR_RNDN);
  return mpfr_div(r, sine.get(), angle.get(), mode);
}

inline double heaviside(double x, double h) { return x > 0 ? 1 : x < 0 ? 0 : x == 0 ? h : x; }

inline double frexp_mantissa(double x) {
  int exponent = 0;
  return std::frexp(x, &exponent);
}
inline double frexp_exponent(double x) {
  int exponent = 0;
  if (std::isfinite(x)) (void)std::frexp(x, &exponent);
  return std::isnan(x) ? x : exponent;
}

}  // namespace frit::test::oracle
