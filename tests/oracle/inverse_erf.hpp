// The inverses of erf and erfc in MPFR, by Newton's method: on erf in the middle, on log(erfc) in the tails.
#pragma once

#include <mpfr.h>

#include <cmath>

namespace frit::test::oracle {

// r = y with erf(y) = x, where rest = 1 - |x|, both exact enough.
inline void solve_erf(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr rest) {
  const mpfr_prec_t bits = mpfr_get_prec(r) + 30;
  mpfr_t y, value, step, half_root_pi, target;
  mpfr_inits2(bits, y, value, step, half_root_pi, target, nullptr);
  mpfr_const_pi(half_root_pi, MPFR_RNDN);
  mpfr_sqrt(half_root_pi, half_root_pi, MPFR_RNDN);
  mpfr_div_2ui(half_root_pi, half_root_pi, 1, MPFR_RNDN);
  mpfr_abs(target, x, MPFR_RNDN);
  const bool middle = mpfr_cmp_d(target, 0.5) < 0;
  if (middle) {
    mpfr_mul(y, target, half_root_pi, MPFR_RNDN);
  } else {
    mpfr_log(target, rest, MPFR_RNDN);
    const double w = -mpfr_get_d(target, MPFR_RNDN);
    mpfr_set_d(y, std::sqrt(w > 3 ? w - 0.2 - 0.5 * std::log(3.14 * w) : w - 0.2), MPFR_RNDN);
  }
  for (int i = 0; i < 60; ++i) {
    mpfr_sqr(step, y, MPFR_RNDN);
    mpfr_exp(step, step, MPFR_RNDN);
    mpfr_mul(step, step, half_root_pi, MPFR_RNDN);
    if (middle) {
      mpfr_erf(value, y, MPFR_RNDN);
      mpfr_sub(value, target, value, MPFR_RNDN);
    } else {
      mpfr_erfc(value, y, MPFR_RNDN);
      mpfr_mul(step, step, value, MPFR_RNDN);
      mpfr_log(value, value, MPFR_RNDN);
      mpfr_sub(value, value, target, MPFR_RNDN);
    }
    mpfr_mul(step, step, value, MPFR_RNDN);
    mpfr_add(y, y, step, MPFR_RNDN);
    // The next step would be the square of this one.
    if (mpfr_zero_p(step) != 0 || mpfr_get_exp(step) < mpfr_get_exp(y) - bits / 2) break;
  }
  mpfr_setsign(r, y, mpfr_signbit(x), MPFR_RNDN);
  mpfr_clears(y, value, step, half_root_pi, target, nullptr);
}

inline int inverse_erf(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t) {
  if (mpfr_nan_p(x) != 0 || mpfr_cmpabs_ui(x, 1) > 0) {
    mpfr_set_nan(r);
  } else if (mpfr_zero_p(x) != 0) {
    mpfr_set(r, x, MPFR_RNDN);
  } else if (mpfr_cmpabs_ui(x, 1) == 0) {
    mpfr_set_inf(r, mpfr_sgn(x));
  } else {
    mpfr_t rest;
    mpfr_init2(rest, 1200);  // exact for a double
    mpfr_abs(rest, x, MPFR_RNDN);
    mpfr_ui_sub(rest, 1, rest, MPFR_RNDN);
    solve_erf(r, x, rest);
    mpfr_clear(rest);
  }
  return 0;
}

inline int inverse_erfc(mpfr_ptr r, mpfr_srcptr p, mpfr_rnd_t) {
  if (mpfr_nan_p(p) != 0 || mpfr_sgn(p) < 0 || mpfr_cmp_ui(p, 2) > 0) {
    mpfr_set_nan(r);
  } else if (mpfr_zero_p(p) != 0 || mpfr_cmp_ui(p, 2) == 0) {
    mpfr_set_inf(r, mpfr_zero_p(p) != 0 ? 1 : -1);
  } else if (mpfr_cmp_ui(p, 1) == 0) {
    mpfr_set_zero(r, 1);
  } else {
    mpfr_t x, rest;
    mpfr_init2(x, 1200);
    mpfr_init2(rest, 1200);
    mpfr_ui_sub(x, 1, p, MPFR_RNDN);
    if (mpfr_cmp_ui(p, 1) < 0) {
      mpfr_set(rest, p, MPFR_RNDN);
    } else {
      mpfr_ui_sub(rest, 2, p, MPFR_RNDN);
    }
    solve_erf(r, x, rest);
    mpfr_clears(x, rest, nullptr);
  }
  return 0;
}

}  // namespace frit::test::oracle
