// exp2, exp10, expm1, logistic, sinh, cosh, tanh: accuracy where they can go wrong, and the special values of C99 Annex F.
#include "math/exponential.hpp"

#include "math/hyperbolic.hpp"
#include "oracle/logarithmic.hpp"
#include "support/accuracy.hpp"
#include "support/special.hpp"
#include "support/wide.hpp"

namespace frit::test {
namespace {

FUNCTION_OF_ONE(Exp2, exp2);
FUNCTION_OF_ONE(Expm1, expm1);
FUNCTION_OF_ONE(Sinh, sinh);
FUNCTION_OF_ONE(Cosh, cosh);
FUNCTION_OF_ONE(Tanh, tanh);

struct Exp10 {
  static constexpr const char* name = "exp10";
  template <class V> static V value(V x, V) { return math::exp10(x); }
  template <class W> static W wide(W x, W) { return wide::exp10(x); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t) { mpfr_exp10(r, x, MPFR_RNDN); }
};

struct Logistic {
  static constexpr const char* name = "logistic";
  template <class V> static V value(V x, V) { return math::logistic(x); }
  template <class W> static W wide(W x, W) { return wide::logistic(x); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t) { oracle::logistic(r, x, MPFR_RNDN); }
};

using Dtypes = testing::Types<double, float>;
TYPED_TEST_SUITE(Accuracy, Dtypes);
TYPED_TEST_SUITE(Special, Dtypes);

TYPED_TEST(Accuracy, Exp2AndExp10) {
  auto& p = this->points;
  const auto all = [&]<class F>(F, double low, double least, double most) {
    this->template one<F>("all exponents", [&] { return p.any_exponent(); });
    this->template one<F>("near 1", [&] { return p.uniform(-1, 1); });
    this->template one<F>("all results", [&] { return p.uniform(low, most); });
    this->template one<F>("subnormal results", [&] { return p.uniform(low, least + 1); });
    this->template one<F>("overflow", [&] { return p.uniform(most - 1, most + 1); });
    this->template one<F>("next to half of whole",
                          [&] { return p.near(static_cast<TypeParam>(std::floor(p.uniform(least, most)) + 0.5)); });
  };
  const bool d = this->f64;
  all(Exp2{}, d ? -1076 : -151, d ? -1022 : -126, d ? 1024 : 128);
  all(Exp10{}, d ? -324 : -45.5, d ? -307.65 : -37.9, d ? 308.25 : 38.5);
}

TYPED_TEST(Accuracy, Expm1) {
  auto& p = this->points;
  this->template one<Expm1>("all exponents", [&] { return p.any_exponent(); });
  this->template one<Expm1>("around 0", [&] { return p.uniform(-1.5, 1.5); });
  this->template one<Expm1>("0 to 1 halves of ln 2", [&] { return p.uniform(0.25, 0.45); });
  this->template one<Expm1>("1 is lost beside exp", [&] { return p.uniform(14, 45); });
  this->template one<Expm1>("exp is lost beside 1", [&] { return p.uniform(-45, -10); });
  this->template one<Expm1>("overflow", [&] { return this->f64 ? p.uniform(707, 710) : p.uniform(86, 89); });
}

TYPED_TEST(Accuracy, Logistic) {
  auto& p = this->points;
  const double low = this->f64 ? -746 : -104;
  this->template one<Logistic>("all exponents", [&] { return p.any_exponent(); });
  this->template one<Logistic>("around 0", [&] { return p.uniform(-2, 2); });
  this->template one<Logistic>("all results", [&] { return p.uniform(low, 45); });
  this->template one<Logistic>("1 beside exp", [&] { return p.any_exponent(2, 6); });
  const double lost = this->f64 ? 36.7368 : 16.6355;  // the last place of 1 in powers of e
  this->template one<Logistic>("1 is lost beside exp", [&] { return p.uniform(-lost - 3, -lost + 1); });
  this->template one<Logistic>("exp is lost beside 1", [&] { return p.uniform(lost - 1, lost + 2); });
  this->template one<Logistic>("subnormal results", [&] { return p.uniform(low, low * 0.82); });
}

TYPED_TEST(Accuracy, SinhAndCosh) {
  auto& p = this->points;
  const auto all = [&]<class F>(F) {
    this->template one<F>("all exponents", [&] { return p.any_exponent(); });
    this->template one<F>("around 0", [&] { return p.uniform(-2, 2); });
    this->template one<F>("exp(-x) is lost", [&] { return p.uniform(5, 25); });
    this->template one<F>("all results", [&] { return this->f64 ? p.uniform(-710, 710) : p.uniform(-89, 89); });
    this->template one<F>("overflow", [&] { return this->f64 ? p.uniform(707, 711) : p.uniform(86, 90); });
  };
  all(Sinh{});
  all(Cosh{});
}

TYPED_TEST(Accuracy, Tanh) {
  auto& p = this->points;
  this->template one<Tanh>("all exponents", [&] { return p.any_exponent(); });
  this->template one<Tanh>("around 0", [&] { return p.uniform(-2, 2); });
  this->template one<Tanh>("halves of ln 2", [&] { return p.uniform(0.1, 0.25); });
  this->template one<Tanh>("next to 1", [&] { return p.uniform(5, 25); });
}

// The arguments at which 1 + h of the reduced argument is a whole power: no error is left to round.
TYPED_TEST(Special, PowersAreExact) {
  VALUES;
  {
    ONE(exp10);
    constexpr int most_exact = sizeof(T) == 8 ? 22 : 10;
    T power = 1;
    for (int n = 0; n <= most_exact; ++n, power *= 10) is(static_cast<T>(n), power);
  }
  {
    ONE(exp2);
    for (int n = Limits::min_exponent - Limits::digits; n < Limits::max_exponent; ++n)
      is(static_cast<T>(n), std::ldexp(one, n));
  }
}

TYPED_TEST(Special, Exp2AndExp10) {
  VALUES;
  const auto all = [&](auto is) {
    is(zero, one);
    is(-zero, one);
    is(least, one);
    is(-small, one);
    is(inf, inf);
    is(-inf, zero);
    is(most, inf);
    is(-most, zero);
    is(nan, nan);
  };
  {
    ONE(exp2);
    all(is);
    is(static_cast<T>(Limits::max_exponent), inf);
    is(static_cast<T>(Limits::min_exponent - Limits::digits - 1), zero);  // a tie, to even
    is(std::nextafter(static_cast<T>(Limits::min_exponent - Limits::digits - 1), zero), least);
  }
  {
    ONE(exp10);
    all(is);
    is(static_cast<T>(sizeof(T) == 8 ? 309 : 39), inf);
    is(static_cast<T>(sizeof(T) == 8 ? -324 : -46), zero);
  }
}

TYPED_TEST(Special, Expm1AndLogistic) {
  VALUES;
  {
    ONE(expm1);
    TestFixture::keeps_small(is);
    is(inf, inf);
    is(-inf, -one);
    is(most, inf);
    is(-most, -one);
    is(T(-50), -one);
    is(nan, nan);
  }
  {
    ONE(logistic);
    is(zero, T(0.5));
    is(-zero, T(0.5));
    is(least, T(0.5));
    is(-small, T(0.5));
    is(inf, one);
    is(-inf, zero);
    is(most, one);
    is(-most, zero);
    is(T(100), one);
    is(nan, nan);
  }
}

TYPED_TEST(Special, Hyperbolic) {
  VALUES;
  const auto keeps_small = [&](auto is) {
    TestFixture::keeps_small(is);
    is(nan, nan);
  };
  // The largest argument whose result is a number, and the next.
  const T last = sizeof(T) == 8 ? static_cast<T>(0x1.633ce8fb9f87dp+9) : static_cast<T>(0x1.65a9f8p+6);
  {
    ONE(sinh);
    keeps_small(is);
    is(inf, inf);
    is(-inf, -inf);
    is(-most, -inf);
    is(std::nextafter(last, inf), inf);
    is(last, static_cast<T>(std::sinh(static_cast<long double>(last))));
  }
  {
    ONE(cosh);
    is(zero, one);
    is(-zero, one);
    is(-least, one);
    is(inf, inf);
    is(-inf, inf);
    is(-most, inf);
    is(nan, nan);
    is(std::nextafter(last, inf), inf);
    is(-last, static_cast<T>(std::cosh(static_cast<long double>(last))));
  }
  {
    ONE(tanh);
    keeps_small(is);
    is(inf, one);
    is(-inf, -one);
    is(most, one);
    is(T(20), one);
    is(T(-20), -one);
  }
}

}  // namespace
}  // namespace frit::test
