// Real functions of math/ against MPFR: error in ulp of the exact result over ranges of both dtypes, and one lane against a full
// register bit for bit. A test file defines its functions with FUNCTION_OF_ONE and FUNCTION_OF_TWO, or a struct as these make,
// and checks ranges of arguments in a fixture derived from Accuracy<T>.
//
// A next wider type screens (double for float, long double for double: a thousandth of an ulp with glibc's functions); MPFR decides
// what the screen puts above 0.8 of the budget. A function that has no wider one goes without `wide`, and MPFR decides all.
#pragma once

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "lanes/native.hpp"
#include "support/points.hpp"
#include "support/same.hpp"

namespace frit::test {

// FRIT_ACCURACY_POINTS multiplies the number of points of each range.
inline int scale() {
  const char* asked = std::getenv("FRIT_ACCURACY_POINTS");
  return asked ? std::atoi(asked) : 1;
}

template <class T> using Wider = std::conditional_t<sizeof(T) == 8, long double, double>;

// Results below 2^least count as that large; by default those below the normal range.
template <class T> constexpr int least_normal = Limits<T>::min_exponent - 1;

// The exponent of one ulp of a result of this size.
template <class T, class W> int ulp_exponent(W exact, int least = least_normal<T>) {
  const int exponent = exact == 0 ? least : std::ilogb(exact);
  return std::max(exponent, least) - (Limits<T>::digits - 1);
}

// An overflowed result counts as the power of two after the largest number.
template <class T, class W> double ulps(T got, W exact, int least = least_normal<T>) {
  if (std::isnan(got) || std::isnan(exact)) return std::isnan(got) && std::isnan(exact) ? 0 : 1e9;
  if (std::isinf(exact)) return static_cast<W>(got) == exact ? 0 : 1e9;
  const W value = std::isinf(got) ? std::copysign(std::ldexp(W(1), Limits<T>::max_exponent), static_cast<W>(got)) : got;
  if (std::isinf(got) && std::fabs(exact) > std::fabs(value) && (exact < 0) == (value < 0)) return 0;
  const int ulp = std::min(ulp_exponent<T>(exact, least), Limits<T>::max_exponent - Limits<T>::digits);
  return static_cast<double>(std::fabs(std::ldexp(value - exact, -ulp)));
}

// In units in the last place of `unit`, which counts as 2^least where it is smaller.
template <class T> double ulps_by_mpfr(T got, mpfr_t exact, mpfr_t unit, int least = least_normal<T>) {
  if (mpfr_nan_p(exact) || std::isnan(got)) return mpfr_nan_p(exact) && std::isnan(got) ? 0 : 1e9;
  const T largest = Limits<T>::max();
  if (mpfr_inf_p(exact) || mpfr_zero_p(exact)) return got == static_cast<T>(mpfr_get_d(exact, MPFR_RNDN)) ? 0 : 1e9;
  if (std::isinf(got)) {
    // Rounding to nearest overflows from half an ulp above the largest number on.
    return mpfr_cmp_d(exact, static_cast<double>(std::fabs(largest))) > 0 ||
                   mpfr_cmp_d(exact, -static_cast<double>(std::fabs(largest))) < 0
               ? 0.5
               : 1e9;
  }
  const long exponent = std::max<long>(mpfr_get_exp(unit) - 1, least);
  mpfr_t difference;
  mpfr_init2(difference, 300);
  mpfr_sub_d(difference, exact, static_cast<double>(got), MPFR_RNDN);
  mpfr_mul_2si(difference, difference, -(exponent - (Limits<T>::digits - 1)), MPFR_RNDN);
  const double result = std::fabs(mpfr_get_d(difference, MPFR_RNDN));
  mpfr_clear(difference);
  return result;
}

// One struct a function: value (under test), wide (glibc, the screen), exact (MPFR). What the error is counted in last places of,
// where that is not the result, is `unit`, made as `exact` is, or `least(x)`, the exponent of the smallest result that is measured by
// its own size. A budget above 1 is `static constexpr double budget`.
#define FUNCTION_OF_ONE(Name, function)                                                 \
  struct Name {                                                                         \
    static constexpr const char* name = #function;                                      \
    template <class V> static V value(V x, V) { return math::function(x); }             \
    template <class W> static W wide(W x, W) { return std::function(x); }               \
    static void exact(mpfr_t r, mpfr_t x, mpfr_t) { mpfr_##function(r, x, MPFR_RNDN); } \
  }
#define FUNCTION_OF_TWO(Name, function)                                                      \
  struct Name {                                                                              \
    static constexpr const char* name = #function;                                           \
    template <class V> static V value(V x, V y) { return math::function(x, y); }             \
    template <class W> static W wide(W x, W y) { return std::function(x, y); }               \
    static void exact(mpfr_t r, mpfr_t x, mpfr_t y) { mpfr_##function(r, x, y, MPFR_RNDN); } \
  }

template <class F> constexpr double budget_of() {
  if constexpr (requires { F::budget; }) return F::budget;
  return 1;
}

template <class F, class T> int least_of(T x) {
  if constexpr (requires { F::least(x); }) return F::least(x);
  return least_normal<T>;
}

template <class F, class T> struct Checker {
  static constexpr double limit = budget_of<F>();
  double worst = 0;
  T worst_x{}, worst_y{};

  void check(const char* range, const std::vector<T>& xs, const std::vector<T>& ys) {
    using V = lanes::Wide<T>;
    using One = lanes::Native<T, 1>;
    const std::size_t n = xs.size(), width = static_cast<std::size_t>(V::width);
    std::vector<T> got(n);
    // Offset by one element every other time, so that values meet different lanes and neighbours.
    for (std::size_t i = n % width; i < n; i += width) F::value(V::load(&xs[i]), V::load(&ys[i])).store(&got[i]);
    F::value(V::load_partial(xs.data(), static_cast<std::ptrdiff_t>(n % width)),
             V::load_partial(ys.data(), static_cast<std::ptrdiff_t>(n % width)))
        .store_partial(got.data(), static_cast<std::ptrdiff_t>(n % width));
    double range_worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      T alone;
      F::value(One(xs[i]), One(ys[i])).store(&alone);
      ASSERT_TRUE(same(alone, got[i])) << F::name << ": one lane gives " << alone << ", a register " << got[i]
                                       << " for " << xs[i] << ", " << ys[i];
      using W = Wider<T>;
      double error = limit;
      if constexpr (requires(W w) { F::wide(w, w); }) {
        // A NaN says nothing: a screen may have no value where the function has one.
        const W exact = F::wide(static_cast<W>(xs[i]), static_cast<W>(ys[i]));
        if (!std::isnan(exact)) error = ulps(got[i], exact, least_of<F>(xs[i]));
      }
      if (error > 0.8 * limit) error = confirm(xs[i], ys[i], got[i]);
      range_worst = std::max(range_worst, error);
      if (error > worst) {
        worst = error;
        worst_x = xs[i];
        worst_y = ys[i];
      }
      EXPECT_LE(error, limit) << F::name << " of " << std::hexfloat << xs[i] << ", " << ys[i] << " is " << got[i];
      if (error > limit) return;
    }
    std::printf("  %-9s f%zu %-28s %.4f\n", F::name, 8 * sizeof(T), range, range_worst);
  }

  static double confirm(T x, T y, T got) {
    mpfr_t a, b, r;
    mpfr_init2(a, 64);
    mpfr_init2(b, 64);
    mpfr_init2(r, 200);
    mpfr_set_d(a, static_cast<double>(x), MPFR_RNDN);
    mpfr_set_d(b, static_cast<double>(y), MPFR_RNDN);
    F::exact(r, a, b);
    mpfr_t unit;
    mpfr_init2(unit, 200);
    mpfr_set(unit, r, MPFR_RNDN);
    if constexpr (requires { F::unit(unit, a, b); }) F::unit(unit, a, b);
    const double error = ulps_by_mpfr(got, r, unit, least_of<F>(x));
    mpfr_clears(a, b, r, unit, nullptr);
    return error;
  }
};

template <class T> class Accuracy : public testing::Test {
 protected:
  Points<T> points{20240517};

  template <class F, class X> void one(const char* range, X x) {
    two<F>(range, [&] { return std::pair{x(), T(0)}; });
  }
  template <class F, class XY> void two(const char* range, XY xy) {
    const std::size_t n = 200001 * static_cast<std::size_t>(scale());
    std::vector<T> xs(n), ys(n);
    for (std::size_t i = 0; i < n; ++i) std::tie(xs[i], ys[i]) = xy();
    Checker<F, T>{}.check(range, xs, ys);
  }
  static constexpr bool f64 = sizeof(T) == 8;
};

}  // namespace frit::test
