// The gamma function, its logarithm and digamma against MPFR, and their special values.
#include "math/gamma.hpp"
#include "math/digamma.hpp"
#include "oracle/logarithmic.hpp"
#include "support/accuracy.hpp"
#include "support/special.hpp"
#include "support/wide.hpp"

namespace frit::test {
namespace {

// docs/numerics.md: for negative arguments the unit is that of 1 where the result is smaller.
template <class T> int least_for(T x) { return x < 0 ? 0 : least_normal<T>; }

struct Gamma {
  static constexpr const char* name = "tgamma";
  template <class V> static V value(V x, V) { return math::tgamma(x); }
  template <class W> static W wide(W x, W) { return std::tgamma(x); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t) { mpfr_gamma(r, x, MPFR_RNDN); }
};

struct LogGamma {
  static constexpr const char* name = "lgamma";
  template <class V> static V value(V x, V) { return math::lgamma(x); }
  template <class W> static W wide(W x, W) { return std::lgamma(x); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t) { oracle::log_gamma(r, x, MPFR_RNDN); }
  template <class T> static int least(T x) { return least_for(x); }
};

struct Digamma {
  static constexpr const char* name = "digamma";
  static constexpr double budget = 3;
  template <class V> static V value(V x, V) { return math::digamma(x); }
  template <class W> static W wide(W x, W) { return wide::digamma(x); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t) { mpfr_digamma(r, x, MPFR_RNDN); }
  template <class T> static int least(T x) { return least_for(x); }
};

using Dtypes = testing::Types<double, float>;
TYPED_TEST_SUITE(Accuracy, Dtypes);
TYPED_TEST_SUITE(Special, Dtypes);

// A pole at a whole number down to -reach, and what lies beside it.
template <class T> T near_pole(Points<T>& p, int reach) {
  return -static_cast<T>(p.uniform_int(0, reach)) + p.any_exponent(-30, -2);
}

TYPED_TEST(Accuracy, Gamma) {
  auto& p = this->points;
  const double over = this->f64 ? 171.7 : 35.1, under = this->f64 ? -186 : -43;
  this->template one<Gamma>("shifted up", [&] { return p.uniform(0, 2.1); });
  this->template one<Gamma>("all results", [&] { return p.uniform(1.9, over); });
  this->template one<Gamma>("overflow", [&] { return p.uniform(over - 1, over); });
  this->template one<Gamma>("small", [&] { return p.any_exponent(Limits<TypeParam>::min_exponent - 10, 1); });
  this->template one<Gamma>("negative", [&] { return p.uniform(under, 0); });
  this->template one<Gamma>("next to poles", [&] { return near_pole(p, this->f64 ? 190 : 45); });
  this->template one<Gamma>("subnormal results", [&] { return p.uniform(under, under + (this->f64 ? 16 : 10)); });
}

TYPED_TEST(Accuracy, GammaOfWholeNumbersIsExact) {
  using T = TypeParam;
  T factorial = 1;
  for (int n = 1; n <= (this->f64 ? 23 : 14); ++n) {
    T got;
    math::tgamma(lanes::Native<T, 1>(static_cast<T>(n))).store(&got);
    EXPECT_EQ(got, factorial) << n;
    factorial *= static_cast<T>(n);
  }
}

// The zeros at 1 and 2, each interval's form, and its ends.
TYPED_TEST(Accuracy, LogGamma) {
  using T = TypeParam;
  auto& p = this->points;
  this->template one<LogGamma>("[0, 3]", [&] { return p.uniform(0, 3); });
  this->template one<LogGamma>("next to 1", [&] { return 1 + p.any_exponent(-Limits<T>::digits, -2); });
  this->template one<LogGamma>("next to 2", [&] { return 2 + p.any_exponent(-Limits<T>::digits + 1, -2); });
  this->template one<LogGamma>("next to halves", [&] {
    return p.near(static_cast<T>(p.uniform_int(0, 5)) / 2 + p.any_exponent(-Limits<T>::digits, -6));
  });
  this->template one<LogGamma>("ordinary", [&] { return p.uniform(2, 100); });
  this->template one<LogGamma>("all exponents", [&] { return std::fabs(p.any_exponent()); });
  this->template one<LogGamma>("negative", [&] { return p.uniform(-30, 0); });
  this->template one<LogGamma>("negative and large", [&] { return -std::fabs(p.any_exponent(3, Limits<T>::digits)); });
  this->template one<LogGamma>("next to poles", [&] { return near_pole(p, 100); });
}

TYPED_TEST(Accuracy, Digamma) {
  using T = TypeParam;
  auto& p = this->points;
  const T zero = static_cast<T>(1.46163214496836234126);
  this->template one<Digamma>("[0, 3]", [&] { return p.uniform(0, 3); });
  // NOTE: few of the first, since the screen is no help there.
  this->template one<Digamma>("next to the zero, 1 and 2", [&] {
    const long place = p.uniform_int(0, 31);
    return place == 0 ? zero + p.any_exponent(-Limits<T>::digits, -3)
                      : p.near(static_cast<T>(1 + place % 2) + p.any_exponent(-Limits<T>::digits, -6));
  });
  this->template one<Digamma>("ordinary", [&] { return p.uniform(1.9, 100); });
  this->template one<Digamma>("all exponents", [&] { return std::fabs(p.any_exponent()); });
  this->template one<Digamma>("negative", [&] { return p.uniform(-30, 0); });
  this->template one<Digamma>("negative and large", [&] { return -std::fabs(p.any_exponent(3, Limits<T>::digits)); });
  this->template one<Digamma>("next to poles", [&] { return near_pole(p, 100); });
}

TYPED_TEST(Special, Gamma) {
  VALUES;
  ONE(tgamma);
  is(zero, inf);
  is(-zero, -inf);
  is(inf, inf);
  is(-inf, nan);
  is(nan, nan);
  is(-one, nan);
  is(T(-2), nan);
  is(T(-190), nan);
  is(-most, nan);
  is(most, inf);
  is(least, inf);
  is(-least, -inf);
  is(small, 1 / small);
  is(one, one);
  is(T(2), one);
  is(T(5), T(24));
  is(T(171.75), inf);
  // From here on the sign is that of an even or odd number of negative factors.
  is(T(-200.5), -zero);
  is(T(-201.5), zero);
  is(T(-4000000.5), -zero);
  is(T(-4000001.5), zero);
}

TYPED_TEST(Special, LogGamma) {
  VALUES;
  ONE(lgamma);
  is(zero, inf);
  is(-zero, inf);
  is(inf, inf);
  is(-inf, inf);
  is(nan, nan);
  is(one, zero);
  is(T(2), zero);
  is(-one, inf);
  is(T(-1000), inf);
  is(-most, inf);
  is(most, inf);
  is(least, static_cast<T>(-std::log(static_cast<long double>(least))));
  is(-least, static_cast<T>(-std::log(static_cast<long double>(least))));
  is(small, static_cast<T>(-std::log(static_cast<long double>(small))));
}

TYPED_TEST(Special, Digamma) {
  VALUES;
  ONE(digamma);
  is(zero, -inf);
  is(-zero, inf);
  is(inf, inf);
  is(-inf, nan);
  is(nan, nan);
  is(-one, nan);
  is(T(-1000), nan);
  is(-most, nan);
  is(least, -inf);
  is(-least, inf);
  is(small, -1 / small);
  is(most, static_cast<T>(std::log(static_cast<long double>(most))));
}

}  // namespace
}  // namespace frit::test
