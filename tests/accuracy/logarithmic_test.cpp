// Logarithms of other bases and of sums, and roots: accuracy against MPFR and special values.
#include "math/logarithmic.hpp"

#include "math/root.hpp"
#include "oracle/logarithmic.hpp"
#include "support/accuracy.hpp"
#include "support/special.hpp"
#include "support/wide.hpp"

namespace frit::test {
namespace {

FUNCTION_OF_ONE(Log2, log2);
FUNCTION_OF_ONE(Log10, log10);
FUNCTION_OF_ONE(Log1p, log1p);
FUNCTION_OF_ONE(Cbrt, cbrt);

struct Rsqrt {
  static constexpr const char* name = "rsqrt";
  template <class V> static V value(V x, V) { return math::rsqrt(x); }
  template <class W> static W wide(W x, W) { return wide::rsqrt(x); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t) { oracle::inverse_root(r, x, MPFR_RNDN); }
};

struct Softplus {
  static constexpr const char* name = "softplus";
  template <class V> static V value(V x, V) { return math::softplus(x); }
  template <class W> static W wide(W x, W) { return wide::softplus(x); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t) { oracle::softplus(r, x, MPFR_RNDN); }
};

// Where the terms cancel the screen has no value.
struct Logaddexp {
  static constexpr const char* name = "logaddexp";
  template <class V> static V value(V x, V y) { return math::logaddexp(x, y); }
  template <class W> static W wide(W x, W y) { return wide::logaddexp(x, y); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t y) { oracle::logaddexp(r, x, y, MPFR_RNDN); }
  static void unit(mpfr_t r, mpfr_t x, mpfr_t y) { oracle::unit_of_sum<false>(r, x, y, MPFR_RNDN); }
};

struct Logaddexp2 {
  static constexpr const char* name = "logaddexp2";
  template <class V> static V value(V x, V y) { return math::logaddexp2(x, y); }
  template <class W> static W wide(W x, W y) { return wide::logaddexp2(x, y); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t y) { oracle::logaddexp2(r, x, y, MPFR_RNDN); }
  static void unit(mpfr_t r, mpfr_t x, mpfr_t y) { oracle::unit_of_sum<true>(r, x, y, MPFR_RNDN); }
};

using Dtypes = testing::Types<double, float>;
TYPED_TEST_SUITE(Accuracy, Dtypes);
TYPED_TEST_SUITE(Special, Dtypes);

TYPED_TEST(Accuracy, Log2AndLog10) {
  auto& p = this->points;
  const auto all = [&]<class F>(F) {
    this->template one<F>("all exponents", [&] { return std::fabs(p.any_exponent()); });
    this->template one<F>("around 1", [&] { return p.uniform(0.6, 1.7); });
    this->template one<F>("largest error", [&] { return p.uniform(1.35, 1.4142136); });
    this->template one<F>("next to 1", [&] { return 1 + p.any_exponent(-60, -4); });
    this->template one<F>("next to powers of two", [&] { return p.near_power_of_two(); });
  };
  all(Log2{});
  all(Log10{});
}

TYPED_TEST(Accuracy, Log1p) {
  auto& p = this->points;
  this->template one<Log1p>("all exponents", [&] { return std::fabs(p.any_exponent()); });
  this->template one<Log1p>("small", [&] { return p.any_exponent(Limits<TypeParam>::min_exponent - 30, -1); });
  this->template one<Log1p>("medium", [&] { return std::fabs(p.any_exponent(-6, 80)); });
  this->template one<Log1p>("next to -1", [&] { return std::fabs(p.any_exponent(-55, -2)) - 1; });
  // Where 1 + x gets another exponent.
  this->template one<Log1p>("next to sqrt(2) - 1", [&] { return p.uniform(0.41, 0.45); });
  this->template one<Log1p>("next to sqrt(1/2) - 1", [&] { return p.uniform(-0.31, -0.28); });
}

TYPED_TEST(Accuracy, Roots) {
  auto& p = this->points;
  this->template one<Cbrt>("all exponents", [&] { return p.any_exponent(); });
  this->template one<Cbrt>("three octaves", [&] { return p.uniform(1, 8); });
  this->template one<Rsqrt>("all exponents", [&] { return std::fabs(p.any_exponent()); });
  this->template one<Rsqrt>("two octaves", [&] { return p.uniform(1, 4); });
}

TYPED_TEST(Accuracy, Softplus) {
  auto& p = this->points;
  const double low = this->f64 ? -750 : -106;
  this->template one<Softplus>("all exponents", [&] { return p.any_exponent(-80, 20); });
  this->template one<Softplus>("ordinary", [&] { return p.uniform(-5, 5); });
  this->template one<Softplus>("all small results", [&] { return p.uniform(low, -1); });
  this->template one<Softplus>("subnormal results", [&] { return p.uniform(low, low * 0.82); });
}

TYPED_TEST(Accuracy, LogaddexpAndLogaddexp2) {
  auto& p = this->points;
  using T = TypeParam;
  const auto all = [&]<class F>(F, double least) {
    this->template two<F>("positive", [&] { return std::pair{p.uniform(0, 5), p.uniform(0, 5)}; });
    this->template two<F>("ordinary", [&] { return std::pair{p.uniform(-40, 40), p.uniform(-40, 40)}; });
    // The result is as small as the larger operand and the logarithm nearly as large as it gets, or larger by far than what is left.
    this->template two<F>("negative", [&] { return std::pair{p.uniform(-1.2, -0.25), p.uniform(-0.5, -0.25)}; });
    this->template two<F>("nearly equal and cancelled by half", [&] {
      const T x = p.uniform(-0.55, -0.25);
      return std::pair{x + p.uniform(-0.02, 0), x};
    });
    this->template two<F>("any larger operand", [&] {
      const T x = p.any_exponent(-30, 10);
      return std::pair{x - std::fabs(p.any_exponent(-20, 4)), x};
    });
    this->template two<F>("all exponents", [&] { return std::pair{p.any_exponent(), p.any_exponent()}; });
    // The smaller power alone, also where it is subnormal, beside nothing and beside numbers of its size.
    this->template two<F>("small powers", [&] { return std::pair{p.uniform(least, least * 0.8), T(0)}; });
    this->template two<F>("two small numbers", [&] {
      return std::pair{p.uniform(least, least * 0.8),
                       p.any_exponent(Limits<T>::min_exponent - Limits<T>::digits, Limits<T>::min_exponent + 20)};
    });
  };
  all(Logaddexp{}, this->f64 ? -750 : -106);
  all(Logaddexp2{}, this->f64 ? -1080 : -152);
}

// Where the larger operand and the logarithm beside it cancel: some ten thousand points, for which MPFR alone is the measure.
TYPED_TEST(Accuracy, SumsOfPowersThatCancel) {
  using T = TypeParam;
  auto& p = this->points;
  const auto all = [&]<class F>(F, auto partner) {
    std::vector<T> xs(20001), ys(20001);
    for (std::size_t i = 0; i < xs.size(); ++i) {
      xs[i] = -std::fabs(i % 2 ? p.any_exponent(-20, -1) : p.uniform(0.01, 1));
      ys[i] = p.near(static_cast<T>(partner(static_cast<double>(xs[i]))));
    }
    Checker<F, T>{}.check("cancels", xs, ys);
  };
  all(Logaddexp{}, [](double x) { return std::log(-std::expm1(x)); });
  all(Logaddexp2{}, [](double x) { return std::log2(-std::expm1(x * 0.6931471805599453)); });
}

TYPED_TEST(Special, Log2AndLog10) {
  VALUES;
  const auto all = [&](auto is) {
    is(zero, -inf);
    is(-zero, -inf);
    is(one, zero);
    is(-one, nan);
    is(-least, nan);
    is(-inf, nan);
    is(inf, inf);
    is(nan, nan);
  };
  {
    ONE(log2);
    all(is);
    for (int k = Limits::min_exponent - Limits::digits; k < Limits::max_exponent; ++k)
      is(std::ldexp(one, k), static_cast<T>(k));
  }
  {
    ONE(log10);
    all(is);
    T power = 1;
    for (int k = 0; k <= (sizeof(T) == 8 ? 22 : 10); ++k, power *= 10) is(power, static_cast<T>(k));
    is(least, static_cast<T>(std::log10(static_cast<long double>(least))));
    is(most, static_cast<T>(std::log10(static_cast<long double>(most))));
  }
}

TYPED_TEST(Special, Log1p) {
  VALUES;
  ONE(log1p);
  TestFixture::keeps_small(is);
  is(-one, -inf);
  is(std::nextafter(-one, -inf), nan);
  is(T(-2), nan);
  is(-most, nan);
  is(-inf, nan);
  is(inf, inf);
  is(nan, nan);
  is(most, static_cast<T>(std::log(static_cast<long double>(most))));
}

TYPED_TEST(Special, Roots) {
  VALUES;
  {
    ONE(cbrt);
    is(zero, zero);
    is(-zero, -zero);
    is(inf, inf);
    is(-inf, -inf);
    is(nan, nan);
    for (T x : {T(1), T(2), T(3), T(5), T(0x1p-30), T(0x1p30)}) {
      is(x * x * x, x);
      is(-x * x * x, -x);
    }
    is(least, static_cast<T>(std::cbrt(static_cast<long double>(least))));
    is(-most, static_cast<T>(std::cbrt(static_cast<long double>(-most))));
  }
  {
    ONE(rsqrt);
    is(zero, inf);
    is(-zero, -inf);
    is(inf, zero);
    is(-inf, nan);
    is(-one, nan);
    is(-least, nan);
    is(nan, nan);
    for (int k = (Limits::min_exponent - Limits::digits) / 2 + 1; 2 * k < Limits::max_exponent; ++k)
      is(std::ldexp(one, 2 * k), std::ldexp(one, -k));
    is(least, static_cast<T>(1 / std::sqrt(static_cast<long double>(least))));
    is(most, static_cast<T>(1 / std::sqrt(static_cast<long double>(most))));
  }
}

TYPED_TEST(Special, Softplus) {
  VALUES;
  ONE(softplus);
  is(inf, inf);
  is(-inf, zero);
  is(nan, nan);
  is(most, most);
  is(-most, zero);
  is(T(1000), T(1000));
  is(T(-1000), zero);
  const T ln2 = static_cast<T>(0.69314718055994530942);
  is(zero, ln2);
  is(-zero, ln2);
  is(least, ln2);
}

TYPED_TEST(Special, LogaddexpAndLogaddexp2) {
  VALUES;
  const auto all = [&](auto is) {
    for (T x : {zero, one, -most, most, least, -inf, inf}) {
      is(x, -inf, x);
      is(-inf, x, x);
      is(x, nan, nan);
      is(nan, x, nan);
      is(x, inf, inf);
      is(inf, x, inf);
    }
    is(nan, nan, nan);
    is(-zero, -inf, zero);
    is(most, -most, most);
    is(-most, -most, -most);
    is(least, T(-2000), least);
    is(-least, T(-2000), -least);
    is(T(-3000), small, small);
    is(T(100), T(-100), T(100));
  };
  {
    TWO(logaddexp);
    all(is);
    const T ln2 = static_cast<T>(0.69314718055994530942);
    is(zero, zero, ln2);
    is(zero, -zero, ln2);
    is(T(1024), T(1024), static_cast<T>(1024.69314718055994530942));
  }
  {
    TWO(logaddexp2);
    all(is);
    // The sum of equal powers is exact.
    for (T x : {T(-1), T(0), T(-0.75), T(3), T(-1000), std::nextafter(T(-1), zero)}) is(x, x, x + 1);
  }
}

TYPED_TEST(Special, SumsOfPowersAreSymmetric) {
  using T = TypeParam;
  using One = lanes::Native<T, 1>;
  Points<T> p(3);
  for (int i = 0; i < 20000; ++i) {
    const One x(p.any_exponent(-10, 8)), y(p.any_exponent(-10, 8));
    ASSERT_TRUE(all(bits(math::logaddexp(x, y)) == bits(math::logaddexp(y, x))));
    ASSERT_TRUE(all(bits(math::logaddexp2(x, y)) == bits(math::logaddexp2(y, x))));
    ASSERT_TRUE(all(bits(math::hypot(x, y)) == bits(math::hypot(y, x))));
  }
}

}  // namespace
}  // namespace frit::test
