// Numbers of MPFR, and the two formats that results are rounded to.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "frit/dtype.hpp"

namespace frit::test::oracle {

inline constexpr mpfr_prec_t precision = 400;
inline constexpr mpfr_prec_t exact_precision = 4600;  // holds any sum of two products of doubles

class Real {
 public:
  Real() { mpfr_init2(value_, precision); }
  static Real of_precision(mpfr_prec_t bits) {
    Real r;
    mpfr_set_prec(r.value_, bits);
    return r;
  }
  Real(double x) : Real() { mpfr_set_d(value_, x, MPFR_RNDN); }  // implicit: a double is exact
  Real(const Real& other) {
    mpfr_init2(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Real& operator=(const Real& other) {
    if (this == &other) return *this;
    mpfr_set_prec(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  bool is_zero() const { return mpfr_zero_p(value_) != 0; }
  bool is_nan() const { return mpfr_nan_p(value_) != 0; }
  bool is_infinite() const { return mpfr_inf_p(value_) != 0; }
  bool is_regular() const { return mpfr_regular_p(value_) != 0; }
  bool is_negative() const { return mpfr_signbit(value_) != 0; }
  long exponent() const { return mpfr_get_exp(value_); }  // of a regular number in [1/2, 1) 2^exponent
  double shown() const { return mpfr_get_d(value_, MPFR_RNDN); }

 private:
  mpfr_t value_;
};

using Function1 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Function2 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
using Function3 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

inline Real apply(Function1 f, const Real& a) {
  Real r;
  f(r.get(), a.get(), MPFR_RNDN);
  return r;
}
inline Real apply(Function2 f, const Real& a, const Real& b, mpfr_prec_t bits = precision) {
  Real r = Real::of_precision(bits);
  f(r.get(), a.get(), b.get(), MPFR_RNDN);
  return r;
}
inline Real operator+(const Real& a, const Real& b) { return apply(mpfr_add, a, b); }
inline Real operator-(const Real& a, const Real& b) { return apply(mpfr_sub, a, b); }
inline Real operator*(const Real& a, const Real& b) { return apply(mpfr_mul, a, b); }
inline Real operator/(const Real& a, const Real& b) { return apply(mpfr_div, a, b); }
inline Real operator-(const Real& a) { return apply(mpfr_neg, a); }
inline Real magnitude(const Real& a) { return apply(mpfr_abs, a); }
inline Real exactly(Function2 f, const Real& a, const Real& b) { return apply(f, a, b, exact_precision); }

struct Format {
  int digits, min_exponent, max_exponent;  // as std::numeric_limits
  bool f64;

  static Format of(DType kernel_dtype) {
    using D = std::numeric_limits<double>;
    using F = std::numeric_limits<float>;
    if (kernel_dtype == DType::f64) return {D::digits, D::min_exponent, D::max_exponent, true};
    return {F::digits, F::min_exponent, F::max_exponent, false};
  }
  double largest() const { return f64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max(); }
  double smallest_normal() const { return std::ldexp(1.0, min_exponent - 1); }
  double smallest() const { return std::ldexp(1.0, min_exponent - digits); }
  // To nearest even, subnormal results too.
  double round(const Real& x) const {
    return f64 ? mpfr_get_d(x.get(), MPFR_RNDN) : static_cast<double>(mpfr_get_flt(x.get(), MPFR_RNDN));
  }
  // The exponent of the unit in the last place of x, which is regular.
  long last_place(const Real& x) const { return std::max<long>(x.exponent() - digits, min_exponent - digits); }
};

// A function that MPFR rounds, for one more rounding to a format: what lies beyond the precision is a bit of its own, so
// that ties are ties of the exact value.
template <class Compute> Real for_rounding(Compute compute) {
  Real r;
  const int inexact = compute(r.get(), MPFR_RNDZ);
  if (inexact == 0 || !r.is_regular()) return r;
  Real beyond;
  mpfr_set_si_2exp(beyond.get(), mpfr_sgn(r.get()), r.exponent() - precision - 1, MPFR_RNDN);
  return apply(mpfr_add, r, beyond, precision + 2);
}
inline Real for_rounding(Function1 f, const Real& a) {
  return for_rounding([&](mpfr_ptr r, mpfr_rnd_t mode) { return f(r, a.get(), mode); });
}
inline Real for_rounding(Function2 f, const Real& a, const Real& b) {
  return for_rounding([&](mpfr_ptr r, mpfr_rnd_t mode) { return f(r, a.get(), b.get(), mode); });
}
inline Real for_rounding(Function3 f, const Real& a, const Real& b, const Real& c) {
  return for_rounding([&](mpfr_ptr r, mpfr_rnd_t mode) { return f(r, a.get(), b.get(), c.get(), mode); });
}

}  // namespace frit::test::oracle
