// sinpi, cospi and sinc against MPFR, over the whole range of both dtypes, and their special values.
#include "math/trig_pi.hpp"

#include "oracle/rounding.hpp"
#include "support/accuracy.hpp"
#include "support/special.hpp"
#include "support/wide.hpp"

namespace frit::test {
namespace {

struct SinPi {
  static constexpr const char* name = "sinpi";
  template <class V> static V value(V x, V) { return math::sinpi(x); }
  template <class W> static W wide(W x, W) { return wide::sinpi(x); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t) { mpfr_sinpi(r, x, MPFR_RNDN); }
};
struct CosPi {
  static constexpr const char* name = "cospi";
  template <class V> static V value(V x, V) { return math::cospi(x); }
  template <class W> static W wide(W x, W) { return wide::cospi(x); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t) { mpfr_cospi(r, x, MPFR_RNDN); }
};
struct Sinc {
  static constexpr const char* name = "sinc";
  template <class V> static V value(V x, V) { return math::sinc(x); }
  template <class W> static W wide(W x, W) { return wide::sinc(x); }
  static void exact(mpfr_t r, mpfr_t x, mpfr_t) { oracle::sinc(r, x, MPFR_RNDN); }
};

using Dtypes = testing::Types<double, float>;
TYPED_TEST_SUITE(Accuracy, Dtypes);

TYPED_TEST(Accuracy, FunctionsOfPiX) {
  using T = TypeParam;
  auto& p = this->points;
  const auto half_integer = [&] { return static_cast<T>(p.uniform_int(-100, 100)) / 2; };
  const int least = Limits<T>::min_exponent - Limits<T>::digits;
  const auto all = [&]<class F>(F) {
    this->template one<F>("two circles", [&] { return p.uniform(-2.2, 2.2); });
    this->template one<F>("up to the last fraction", [&] { return p.any_exponent(-3, Limits<T>::digits); });
    this->template one<F>("all exponents", [&] { return p.any_exponent(least, Limits<T>::max_exponent - 1); });
    this->template one<F>("next to half-integers", [&] { return half_integer() + p.any_exponent(-60, -5); });
    this->template one<F>("next to odd eighths", [&] { return p.near(half_integer() / 2 + T(0.125)); });
  };
  all(SinPi{});
  all(CosPi{});
  all(Sinc{});
  // Where the product with pi leaves the subnormal numbers.
  const int leaves = Limits<T>::min_exponent;
  this->template one<SinPi>("least normal results", [&] { return p.any_exponent(leaves - 5, leaves + 2); });
}

TYPED_TEST_SUITE(Special, Dtypes);

TYPED_TEST(Special, SinPi) {
  VALUES;
  ONE(sinpi);
  is(zero, zero);
  is(-zero, -zero);
  is(inf, nan);
  is(-inf, nan);
  is(nan, nan);
  is(least, T(3) * least);
  is(-least, T(-3) * least);
  for (const T n : {T(1), T(2), T(3), T(4), T(1023), std::ldexp(T(1), Limits::digits) - 1, most}) {
    is(n, zero);
    is(-n, -zero);
  }
  for (const T n : {T(0), T(2), T(-2), T(400)}) {
    is(n + T(0.5), one);
    is(n + T(1.5), -one);
  }
}

TYPED_TEST(Special, CosPi) {
  VALUES;
  ONE(cospi);
  is(inf, nan);
  is(-inf, nan);
  is(nan, nan);
  is(least, one);
  is(-most, one);
  const T last_odd = std::ldexp(T(1), Limits::digits) - 1;
  is(last_odd, -one);
  is(-last_odd, -one);
  for (const T n : {T(0), T(-0.0), T(2), T(-2), T(400)}) {
    is(n, one);
    is(n + 1, -one);
    is(n + T(0.5), zero);
    is(n + T(1.5), zero);
    is(n - T(0.5), zero);
  }
}

TYPED_TEST(Special, Sinc) {
  VALUES;
  ONE(sinc);
  is(nan, nan);
  for (const T x : {zero, least, small, Limits::min(), T(1e-30)}) {
    is(x, one);
    is(-x, one);
  }
  for (const T x : {one, T(2), T(3), T(1024), T(1e30), most, inf}) {
    is(x, zero);
    is(-x, zero);
  }
}

}  // namespace
}  // namespace frit::test
