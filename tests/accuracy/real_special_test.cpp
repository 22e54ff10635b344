// The special values of C99 Annex F.
#include "math/exp.hpp"
#include "math/inverse_trig.hpp"
#include "math/log.hpp"
#include "math/pow.hpp"
#include "math/root.hpp"
#include "math/trig.hpp"
#include "support/special.hpp"

namespace frit::test {
namespace {

using Dtypes = testing::Types<double, float>;
TYPED_TEST_SUITE(Special, Dtypes);

TYPED_TEST(Special, Exp) {
  VALUES;
  ONE(exp);
  is(zero, one);
  is(-zero, one);
  is(inf, inf);
  is(-inf, zero);
  is(nan, nan);
  is(least, one);
  is(-least, one);
  is(most, inf);
  is(-most, zero);
  is(T(1000), inf);
  is(T(-1000), zero);
}

TYPED_TEST(Special, Log) {
  VALUES;
  ONE(log);
  is(zero, -inf);
  is(-zero, -inf);
  is(one, zero);
  is(-one, nan);
  is(-least, nan);
  is(-most, nan);
  is(-inf, nan);
  is(inf, inf);
  is(nan, nan);
  is(least, static_cast<T>(std::log(static_cast<long double>(least))));
  is(small, static_cast<T>(std::log(static_cast<long double>(small))));
  is(most, static_cast<T>(std::log(static_cast<long double>(most))));
}

TYPED_TEST(Special, Sqrt) {
  VALUES;
  ONE(sqrt);
  is(zero, zero);
  is(-zero, -zero);
  is(inf, inf);
  is(-inf, nan);
  is(-one, nan);
  is(-least, nan);
  is(nan, nan);
}

TYPED_TEST(Special, SinTanAsinAtanKeepSmallArguments) {
  VALUES;
  const auto all = [&](auto is) {
    TestFixture::keeps_small(is);
    is(nan, nan);
  };
  {
    ONE(sin);
    all(is);
    is(inf, nan);
    is(-inf, nan);
  }
  {
    ONE(tan);
    all(is);
    is(inf, nan);
    is(-inf, nan);
  }
  {
    ONE(asin);
    all(is);
    is(inf, nan);
    is(-inf, nan);
    is(T(1.5), nan);
    is(std::nextafter(one, inf), nan);
    is(-most, nan);
  }
  {
    ONE(atan);
    all(is);
  }
}

TYPED_TEST(Special, CosAcosAtan) {
  VALUES;
  {
    ONE(cos);
    is(zero, one);
    is(-zero, one);
    is(least, one);
    is(-small, one);
    is(inf, nan);
    is(-inf, nan);
    is(nan, nan);
  }
  {
    ONE(acos);
    is(one, zero);
    is(-one, this->pi);
    is(zero, this->half_pi);
    is(-zero, this->half_pi);
    is(least, this->half_pi);
    is(T(2), nan);
    is(-inf, nan);
    is(inf, nan);
    is(nan, nan);
    is(-std::nextafter(one, inf), nan);
  }
  {
    ONE(asin);
    is(one, this->half_pi);
    is(-one, -this->half_pi);
  }
  {
    ONE(atan);
    is(inf, this->half_pi);
    is(-inf, -this->half_pi);
    is(most, this->half_pi);
    is(-most, -this->half_pi);
    is(one, this->quarter_pi);
  }
}

TYPED_TEST(Special, Sincos) {
  VALUES;
  const auto sine = [](auto a, auto) { return math::sincos(a).sin; };
  const auto cosine = [](auto a, auto) { return math::sincos(a).cos; };
  for (T x : {zero, -zero, least, -least, small, -small}) {
    TestFixture::expect("sincos.sin", sine, x, zero, x);
    TestFixture::expect("sincos.cos", cosine, x, zero, one);
  }
  for (T x : {inf, -inf, nan}) {
    TestFixture::expect("sincos.sin", sine, x, zero, nan);
    TestFixture::expect("sincos.cos", cosine, x, zero, nan);
  }
}

TYPED_TEST(Special, Atan2) {
  VALUES;
  TWO(atan2);
  for (T sign : {one, -one}) {
    is(sign * zero, -zero, sign * this->pi);
    is(sign * zero, zero, sign * zero);
    for (T x : {least, small, one, most, inf}) {
      is(sign * zero, -x, sign * this->pi);
      is(sign * zero, x, sign * zero);
    }
    for (T y : {least, small, one, most}) {
      is(sign * y, zero, sign * this->half_pi);
      is(sign * y, -zero, sign * this->half_pi);
      is(sign * y, -inf, sign * this->pi);
      is(sign * y, inf, sign * zero);
      is(sign * inf, y, sign * this->half_pi);
      is(sign * inf, -y, sign * this->half_pi);
      is(sign * y, y, sign * this->quarter_pi);
      is(sign * y, -y, sign * this->three_quarters_pi);
    }
    is(sign * inf, zero, sign * this->half_pi);
    is(sign * inf, -inf, sign * this->three_quarters_pi);
    is(sign * inf, inf, sign * this->quarter_pi);
    is(sign * least, most, sign * zero);
    is(sign * least, -most, sign * this->pi);
    is(sign * most, least, sign * this->half_pi);
    is(sign * least, one, sign * least);
    is(sign * small, T(0.5), sign * small * 2);
    for (T x : {zero, one, inf, nan}) {
      is(nan, sign * x, nan);
      is(sign * x, nan, nan);
    }
  }
}

TYPED_TEST(Special, Hypot) {
  VALUES;
  TWO(hypot);
  for (T sign : {one, -one}) {
    for (T other : {zero, least, one, most, inf, nan}) {
      is(sign * inf, other, inf);
      is(other, sign * inf, inf);
    }
    for (T x : {zero, least, small, one, most}) {
      is(sign * zero, sign * x, x);
      is(sign * x, -zero, x);
      is(nan, sign * x, nan);
      is(sign * x, nan, nan);
    }
    is(sign * 3, 4, 5);
    is(sign * 3 * least, 4 * least, 5 * least);
    is(most, sign * most, inf);
  }
}

TYPED_TEST(Special, Pow) {
  VALUES;
  TWO(pow);
  const T odd = 3, odd_large = T(2) / Limits::epsilon() - 1, even = 4, fraction = T(2.5);
  for (T y : {odd, odd_large, one}) {
    is(zero, -y, inf);
    is(-zero, -y, -inf);
    is(zero, y, zero);
    is(-zero, y, -zero);
    is(-inf, y, -inf);
    is(-inf, -y, -zero);
    is(-one, y, -one);
    is(-one, -y, -one);
  }
  for (T y : {even, fraction, T(2) / Limits::epsilon(), most, inf}) {
    is(zero, y, zero);
    is(-zero, y, zero);
    is(zero, -y, inf);
    is(-zero, -y, inf);
    is(-inf, y, inf);
    is(-inf, -y, zero);
  }
  for (T y : {one, odd, fraction, least, most, inf}) {
    is(inf, y, inf);
    is(inf, -y, zero);
    is(one, y, one);
    is(one, -y, one);
  }
  for (T x : {zero, -zero, one, -one, least, -least, most, inf, -inf, nan}) {
    is(x, zero, one);
    is(x, -zero, one);
  }
  for (T y : {nan, inf, -inf, one, zero}) is(one, y, one);
  is(-one, inf, one);
  is(-one, -inf, one);
  is(-one, even, one);
  is(-one, fraction, nan);
  is(-most, fraction, nan);
  is(-least, T(0.5), nan);
  for (T x : {least, T(0.5), std::nextafter(one, zero)}) {
    is(x, inf, zero);
    is(x, -inf, inf);
    is(-x, inf, zero);
    is(-x, -inf, inf);
  }
  for (T x : {std::nextafter(one, T(2)), T(2), most}) {
    is(x, inf, inf);
    is(x, -inf, zero);
    is(-x, inf, inf);
    is(-x, -inf, zero);
  }
  for (T x : {T(2), zero, inf, -one, nan}) is(x, nan, nan);
  for (T y : {T(2), inf, -one, fraction}) is(nan, y, nan);
  // Exact cases, among them subnormal operands and results.
  is(T(2), T(10), T(1024));
  is(T(-2), odd, T(-8));
  is(T(-2), even, T(16));
  is(T(2), T(Limits::min_exponent - Limits::digits), least);
  is(T(-2), T(Limits::min_exponent - Limits::digits), sizeof(T) == 8 ? least : -least);
  is(T(2), T(Limits::max_exponent), inf);
  is(T(-2), T(Limits::max_exponent + 1), -inf);
  is(least, one, least);
  is(small, one, small);
  is(least, -one, inf);
  is(most, one, most);
  is(-most, one, -most);
  is(T(2), -most, zero);
  is(T(-2), -odd_large, -zero);
}

}  // namespace
}  // namespace frit::test
