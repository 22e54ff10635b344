// erf, erfc and their inverses against MPFR, over the whole range of both dtypes, and their special values.
#include "math/error_function.hpp"

#include "oracle/inverse_erf.hpp"
#include "support/accuracy.hpp"
#include "support/special.hpp"
#include "support/wide.hpp"

namespace frit::test {
namespace {

FUNCTION_OF_ONE(Erf, erf);
struct Erfc {
  static constexpr const char* name = "erfc";
  static constexpr double budget = 2;
  template <class V> static V value(V x, V) { return math::erfc(x); }
  template <class W> static W wide(W x, W) { return std::erfc(x); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t) { mpfr_erfc(r, x, MPFR_RNDN); }
};
// Results around 1, whose error is below the budget of the tail.
struct ErfcAround1 : Erfc {
  static constexpr double budget = 1;
};

struct Erfinv {
  static constexpr const char* name = "erfinv";
  static constexpr double budget = 2;
  template <class V> static V value(V x, V) { return math::erfinv(x); }
  template <class W> static W wide(W x, W) { return wide::erfinv(x); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t) { oracle::inverse_erf(r, x, MPFR_RNDN); }
};
struct Erfcinv {
  static constexpr const char* name = "erfcinv";
  static constexpr double budget = 2;
  template <class V> static V value(V p, V) { return math::erfcinv(p); }
  template <class W> static W wide(W p, W) { return wide::erfcinv(p); }
  static void exact(mpfr_t r, mpfr_t p, mpfr_t) { oracle::inverse_erfc(r, p, MPFR_RNDN); }
};

using Dtypes = testing::Types<double, float>;
TYPED_TEST_SUITE(Accuracy, Dtypes);
TYPED_TEST_SUITE(Special, Dtypes);

TYPED_TEST(Accuracy, Erf) {
  auto& p = this->points;
  this->template one<Erf>("all exponents", [&] { return p.any_exponent(); });
  this->template one<Erf>("small", [&] { return p.uniform(-0.8125, 0.8125); });
  this->template one<Erf>("where the form changes", [&] { return p.uniform(0.8, 0.825); });
  this->template one<Erf>("large", [&] { return p.uniform(0.8125, 3); });
  this->template one<Erf>("next to 1", [&] { return p.uniform(3, 6.5); });
}

TYPED_TEST(Accuracy, Erfc) {
  auto& p = this->points;
  const double normal = this->f64 ? 26.5 : 9.19, zero = this->f64 ? 27.4 : 10.2;
  this->template one<Erfc>("all exponents", [&] { return p.any_exponent(); });
  this->template one<ErfcAround1>("around 0", [&] { return p.uniform(-0.25, 0.25); });
  this->template one<ErfcAround1>("just below and above 1", [&] { return p.any_exponent(-60, -3); });
  this->template one<Erfc>("ordinary", [&] { return p.uniform(-6.5, 4); });
  this->template one<Erfc>("tail", [&] { return p.uniform(4, normal); });
  this->template one<Erfc>("subnormal results", [&] { return p.uniform(normal - 0.1, zero); });
}

TYPED_TEST(Accuracy, Erfinv) {
  auto& p = this->points;
  this->template one<Erfinv>("all exponents", [&] { return p.any_exponent(Limits<TypeParam>::min_exponent, -1); });
  this->template one<Erfinv>("subnormal", [&] {
    return p.any_exponent(Limits<TypeParam>::min_exponent - Limits<TypeParam>::digits, Limits<TypeParam>::min_exponent);
  });
  this->template one<Erfinv>("uniform", [&] { return p.uniform(-1, 1); });
  this->template one<Erfinv>("next to 1",
                             [&] { return 1 - std::fabs(p.any_exponent(-Limits<TypeParam>::digits, -6)); });
  this->template one<Erfinv>("where the form changes", [&] { return p.uniform(-0.99999, -0.99998); });
}

TYPED_TEST(Accuracy, Erfcinv) {
  auto& p = this->points;
  const int least = Limits<TypeParam>::min_exponent - Limits<TypeParam>::digits;
  this->template one<Erfcinv>("all exponents", [&] { return std::fabs(p.any_exponent(least, -1)); });
  this->template one<Erfcinv>("uniform", [&] { return p.uniform(0, 2); });
  this->template one<Erfcinv>("next to 1", [&] { return 1 + p.any_exponent(-60, -4); });
  this->template one<Erfcinv>("next to 2", [&] { return 2 - std::fabs(p.any_exponent(-60, -4)); });
  this->template one<Erfcinv>("where the tails begin", [&] { return p.uniform(0.00001, 0.00002); });
}

TYPED_TEST(Special, Erf) {
  VALUES;
  ONE(erf);
  is(zero, zero);
  is(-zero, -zero);
  is(inf, one);
  is(-inf, -one);
  is(nan, nan);
  is(least, least);
  is(-least, -least);
  is(most, one);
  is(-most, -one);
  is(T(6), one);
  is(T(-6), -one);
}

TYPED_TEST(Special, Erfc) {
  VALUES;
  ONE(erfc);
  is(zero, one);
  is(-zero, one);
  is(inf, zero);
  is(-inf, T(2));
  is(nan, nan);
  is(least, one);
  is(-least, one);
  is(most, zero);
  is(-most, T(2));
  is(T(-6), T(2));
  is(T(28), zero);
}

TYPED_TEST(Special, Erfinv) {
  VALUES;
  ONE(erfinv);
  is(zero, zero);
  is(-zero, -zero);
  is(one, inf);
  is(-one, -inf);
  is(nan, nan);
  is(inf, nan);
  is(-inf, nan);
  is(std::nextafter(one, inf), nan);
  is(-std::nextafter(one, inf), nan);
  for (int k = 1; k < Limits::max_exponent; ++k) {
    is(std::ldexp(one, k), nan);
    is(-std::ldexp(one, k), nan);
  }
  is(most, nan);
  is(-most, nan);
  is(least, least);
  is(-least, -least);
}

TYPED_TEST(Special, Erfcinv) {
  VALUES;
  ONE(erfcinv);
  is(one, zero);
  is(zero, inf);
  is(-zero, inf);
  is(T(2), -inf);
  is(nan, nan);
  is(inf, nan);
  is(-inf, nan);
  is(-least, nan);
  is(-one, nan);
  is(std::nextafter(T(2), inf), nan);
  for (int k = 1; k < Limits::max_exponent; ++k) {
    is(T(1.25) * std::ldexp(one, k), nan);
    is(-std::ldexp(one, k), nan);
  }
  is(most, nan);
  is(-most, nan);
}

}  // namespace
}  // namespace frit::test
