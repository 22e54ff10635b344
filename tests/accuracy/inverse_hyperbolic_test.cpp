// asinh, acosh, atanh: accuracy against MPFR and special values.
#include "math/inverse_hyperbolic.hpp"

#include "support/accuracy.hpp"
#include "support/special.hpp"

namespace frit::test {
namespace {

FUNCTION_OF_ONE(Asinh, asinh);
FUNCTION_OF_ONE(Acosh, acosh);
FUNCTION_OF_ONE(Atanh, atanh);

using Dtypes = testing::Types<double, float>;
TYPED_TEST_SUITE(Accuracy, Dtypes);
TYPED_TEST_SUITE(Special, Dtypes);

TYPED_TEST(Accuracy, Asinh) {
  auto& p = this->points;
  this->template one<Asinh>("all exponents", [&] { return p.any_exponent(); });
  this->template one<Asinh>("[-3, 3]", [&] { return p.uniform(-3, 3); });
  this->template one<Asinh>("medium", [&] { return p.any_exponent(-12, 70); });
  // Where exp(asinh(x)) gets another exponent: at sinh(ln(2)/2).
  this->template one<Asinh>("next to sqrt(1/8)", [&] { return p.uniform(0.34, 0.37); });
}

TYPED_TEST(Accuracy, Acosh) {
  auto& p = this->points;
  this->template one<Acosh>("all exponents", [&] { return 1 + std::fabs(p.any_exponent()); });
  this->template one<Acosh>("[1, 4]", [&] { return p.uniform(1, 4); });
  this->template one<Acosh>("next to 1", [&] { return 1 + std::fabs(p.any_exponent(-52, -1)); });
  this->template one<Acosh>("medium", [&] { return 1 + std::fabs(p.any_exponent(0, 70)); });
  // At cosh(ln(2)/2).
  this->template one<Acosh>("next to sqrt(9/8)", [&] { return p.uniform(1.05, 1.07); });
}

TYPED_TEST(Accuracy, Atanh) {
  auto& p = this->points;
  this->template one<Atanh>("[-1, 1]", [&] { return p.uniform(-1, 1); });
  this->template one<Atanh>("small", [&] { return p.any_exponent(Limits<TypeParam>::min_exponent - 30, -1); });
  this->template one<Atanh>("next to 1", [&] { return 1 - std::fabs(p.any_exponent(-55, -2)); });
  this->template one<Atanh>("next to -1", [&] { return std::fabs(p.any_exponent(-55, -2)) - 1; });
  // The images of 1 + x and 1 - x are half an exponent apart.
  this->template one<Atanh>("first exponent", [&] { return p.uniform(0.14, 0.21); });
}

TYPED_TEST(Special, AsinhAndAtanhKeepSmallArguments) {
  VALUES;
  const auto all = [&](auto is) {
    TestFixture::keeps_small(is);
    is(nan, nan);
  };
  {
    ONE(asinh);
    all(is);
    is(inf, inf);
    is(-inf, -inf);
    is(most, static_cast<T>(std::asinh(static_cast<long double>(most))));
    is(-most, static_cast<T>(std::asinh(static_cast<long double>(-most))));
  }
  {
    ONE(atanh);
    all(is);
    is(one, inf);
    is(-one, -inf);
    is(std::nextafter(one, inf), nan);
    is(std::nextafter(-one, -inf), nan);
    is(T(-2), nan);
    is(most, nan);
    is(inf, nan);
    is(-inf, nan);
  }
}

TYPED_TEST(Special, Acosh) {
  VALUES;
  ONE(acosh);
  is(one, zero);
  is(inf, inf);
  is(-inf, nan);
  is(std::nextafter(one, zero), nan);
  is(zero, nan);
  is(-one, nan);
  is(-most, nan);
  is(nan, nan);
  is(most, static_cast<T>(std::acosh(static_cast<long double>(most))));
}

}  // namespace
}  // namespace frit::test
