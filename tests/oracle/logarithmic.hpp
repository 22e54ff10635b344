// Functions that MPFR lacks, from their definitions, in the form of its own.
#pragma once

#include <mpfr.h>

#include <algorithm>

namespace frit::test::oracle {

inline int inverse_root(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode) {
  mpfr_sqrt(r, x, mode);  // mpfr_rec_sqrt has +infinity for -0
  return mpfr_ui_div(r, 1, r, mode);
}

// log(exp(x) + exp(y)), or to the base 2 both.
template <bool binary> int log_of_sum(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  if (mpfr_nan_p(x) != 0 || mpfr_nan_p(y) != 0) {
    mpfr_set_nan(r);
    return 0;
  }
  const bool first = mpfr_greater_p(x, y) != 0;
  const mpfr_srcptr larger = first ? x : y, smaller = first ? y : x;
  if (mpfr_inf_p(larger) != 0) return mpfr_set(r, larger, mode);
  mpfr_t power, octave;
  mpfr_inits2(mpfr_get_prec(r) + 64, power, octave, nullptr);
  mpfr_sub(power, smaller, larger, mode);
  (binary ? mpfr_exp2 : mpfr_exp)(power, power, mode);
  mpfr_log1p(power, power, mode);
  mpfr_const_log2(octave, mode);
  if (binary) mpfr_div(power, power, octave, mode);
  const int inexact = mpfr_add(r, larger, power, mode);
  mpfr_clears(power, octave, nullptr);
  return inexact;
}
inline constexpr auto logaddexp = log_of_sum<false>, logaddexp2 = log_of_sum<true>;

// What the errors of the two are counted in last places of: the larger operand, and the result where that is larger.
template <bool binary> int unit_of_sum(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  log_of_sum<binary>(r, x, y, mode);
  mpfr_srcptr larger = mpfr_greater_p(x, y) != 0 ? x : y;
  return mpfr_cmpabs(larger, r) > 0 ? mpfr_set(r, larger, mode) : 0;
}

inline int log_gamma(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode) {
  int sign_of_gamma = 0;
  return mpfr_lgamma(r, &sign_of_gamma, x, mode);
}

// NOTE: not correctly rounded: four roundings at the precision of r.
inline int logistic(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode) {
  mpfr_neg(r, x, mode);
  mpfr_exp(r, r, mode);
  mpfr_add_ui(r, r, 1, mode);
  return mpfr_ui_div(r, 1, r, mode);
}

inline int softplus(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode) {
  mpfr_t zero;
  mpfr_init2(zero, 2);
  mpfr_set_zero(zero, 1);
  const int inexact = logaddexp(r, x, zero, mode);
  mpfr_clear(zero);
  return inexact;
}

}  // namespace frit::test::oracle
