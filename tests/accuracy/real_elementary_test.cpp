// The real elementary functions against MPFR, over the whole range of both dtypes. real_special_test.cpp has the special values.
#include "math/exp.hpp"
#include "math/inverse_trig.hpp"
#include "math/log.hpp"
#include "math/pow.hpp"
#include "math/root.hpp"
#include "math/trig.hpp"
#include "support/accuracy.hpp"

namespace frit::test {
namespace {

FUNCTION_OF_ONE(Exp, exp);
FUNCTION_OF_ONE(Log, log);
FUNCTION_OF_ONE(Sqrt, sqrt);
FUNCTION_OF_ONE(Sin, sin);
FUNCTION_OF_ONE(Cos, cos);
FUNCTION_OF_ONE(Tan, tan);
FUNCTION_OF_ONE(Asin, asin);
FUNCTION_OF_ONE(Acos, acos);
FUNCTION_OF_ONE(Atan, atan);
FUNCTION_OF_TWO(Atan2, atan2);
FUNCTION_OF_TWO(Pow, pow);
FUNCTION_OF_TWO(Hypot, hypot);

using Dtypes = testing::Types<double, float>;
TYPED_TEST_SUITE(Accuracy, Dtypes);

TYPED_TEST(Accuracy, Exp) {
  auto& p = this->points;
  const double low = this->f64 ? -746 : -104, high = this->f64 ? 710 : 89;
  this->template one<Exp>("all exponents", [&] { return p.any_exponent(); });
  this->template one<Exp>("near 1", [&] { return p.uniform(-1, 1); });
  this->template one<Exp>("all results", [&] { return p.uniform(low, high); });
  this->template one<Exp>("subnormal results", [&] { return p.uniform(low, low * 0.82); });
  this->template one<Exp>("overflow", [&] { return p.uniform(high - 1.5, high); });
}

TYPED_TEST(Accuracy, Log) {
  auto& p = this->points;
  this->template one<Log>("all exponents", [&] { return std::fabs(p.any_exponent()); });
  this->template one<Log>("around 1", [&] { return p.uniform(0.6, 1.7); });
  this->template one<Log>("next to 1", [&] { return 1 + p.any_exponent(-60, -4); });
  this->template one<Log>("next to powers of two", [&] { return p.near_power_of_two(); });
}

TYPED_TEST(Accuracy, Sqrt) {
  auto& p = this->points;
  this->template one<Sqrt>("all exponents", [&] { return std::fabs(p.any_exponent()); });
}

TYPED_TEST(Accuracy, SinCosTan) {
  auto& p = this->points;
  const auto all = [&]<class F>(F) {
    this->template one<F>("all exponents", [&] { return p.any_exponent(); });
    this->template one<F>("two circles", [&] { return p.uniform(-7, 7); });
    this->template one<F>("direct reduction", [&] { return p.uniform(-2000, 2000); });
    this->template one<F>("next to quarter turns", [&] { return p.near_quarter_turn(); });
    this->template one<F>("medium", [&] { return p.any_exponent(-5, 40); });
  };
  all(Sin{});
  all(Cos{});
  all(Tan{});
}

TYPED_TEST(Accuracy, SinCosIsSinAndCos) {
  using T = TypeParam;
  using V = lanes::Wide<T>;
  auto& p = this->points;
  for (int i = 0; i < 20000; ++i) {
    T x[V::width];
    for (T& e : x) e = i % 2 ? p.uniform(-30, 30) : p.any_exponent();
    const V v = V::load(x);
    const auto both = math::sincos(v);
    ASSERT_TRUE(all(bits(both.sin) == bits(math::sin(v))));
    ASSERT_TRUE(all(bits(both.cos) == bits(math::cos(v))));
  }
}

TYPED_TEST(Accuracy, AsinAcosAtan) {
  auto& p = this->points;
  const auto inside = [&]<class F>(F) {
    this->template one<F>("[-1, 1]", [&] { return p.uniform(-1, 1); });
    this->template one<F>("small", [&] { return p.any_exponent(Limits<TypeParam>::min_exponent - 30, -1); });
    this->template one<F>("next to 1", [&] { return 1 - std::fabs(p.any_exponent(-55, -2)); });
    this->template one<F>("next to -1", [&] { return std::fabs(p.any_exponent(-55, -2)) - 1; });
    this->template one<F>("next to 1/2", [&] { return TypeParam(0.5) + p.any_exponent(-52, -3); });
  };
  inside(Asin{});
  inside(Acos{});
  this->template one<Atan>("all exponents", [&] { return p.any_exponent(); });
  this->template one<Atan>("[-2, 2]", [&] { return p.uniform(-2, 2); });
  this->template one<Atan>("medium", [&] { return p.any_exponent(-5, 6); });
}

TYPED_TEST(Accuracy, Atan2AndHypot) {
  auto& p = this->points;
  const auto all = [&]<class F>(F) {
    this->template two<F>("all exponents", [&] { return std::pair{p.any_exponent(), p.any_exponent()}; });
    this->template two<F>("square", [&] { return std::pair{p.uniform(-1, 1), p.uniform(-1, 1)}; });
    this->template two<F>("same size", [&] {
      const auto x = p.any_exponent();
      return std::pair{x * p.uniform(-2, 2), x};
    });
    this->template two<F>("smallest and largest", [&] {
      using L = Limits<TypeParam>;
      const int least = L::min_exponent - L::digits, most = L::max_exponent - 1;
      const bool up = p.uniform_int(0, 1) != 0;
      return std::pair{p.any_exponent(up ? most - 4 : least, up ? most : least + 60),
                       p.any_exponent(up ? most - 4 : least, up ? most : least + 60)};
    });
  };
  all(Atan2{});
  all(Hypot{});
}

TYPED_TEST(Accuracy, Pow) {
  using T = TypeParam;
  auto& p = this->points;
  const double reach = this->f64 ? 745 : 103;
  // y chosen for a given logarithm of the result, so that results cover the whole range for every size of x.
  const auto aimed = [&](T x, double low, double high) {
    return std::pair{x, static_cast<T>(p.uniform(low, high) / std::log(static_cast<double>(x)))};
  };
  this->template two<Pow>("all results", [&] { return aimed(std::fabs(p.any_exponent()), -reach, reach); });
  this->template two<Pow>("x next to 1",
                          [&] { return aimed(1 + p.any_exponent(-Limits<T>::digits + 2, -2), -reach, reach); });
  this->template two<Pow>("subnormal results",
                          [&] { return aimed(p.uniform(1.1, 50), -reach, this->f64 ? -708 : -87); });
  this->template two<Pow>("overflow",
                          [&] { return aimed(p.uniform(1.1, 50), this->f64 ? 705 : 87, this->f64 ? 710 : 89); });
  this->template two<Pow>("ordinary", [&] { return std::pair{p.uniform(0, 10), p.uniform(-5, 5)}; });
  this->template two<Pow>("all exponents", [&] { return std::pair{std::fabs(p.any_exponent()), p.any_exponent()}; });
  this->template two<Pow>("whole exponents", [&] {
    return std::pair{p.uniform(-10, 10), static_cast<T>(p.uniform_int(-40, 40))};
  });
}

}  // namespace
}  // namespace frit::test
