// fma of the lanes is correctly rounded: against MPFR, where software can go wrong.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "lanes/native.hpp"
#include "support/same.hpp"

namespace frit::test {
namespace {

// a * b + c rounded once, with the exponents of T.
template <class T> class Reference {
 public:
  Reference() {
    mpfr_set_emin(std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits + 1);
    mpfr_set_emax(std::numeric_limits<T>::max_exponent);
    for (auto* x : {a_, b_, c_, result_}) mpfr_init2(x, std::numeric_limits<T>::digits);
  }
  ~Reference() {
    for (auto* x : {a_, b_, c_, result_}) mpfr_clear(x);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  T operator()(T a, T b, T c) {
    set(a_, a);
    set(b_, b);
    set(c_, c);
    const int rounded = mpfr_fma(result_, a_, b_, c_, MPFR_RNDN);
    mpfr_subnormalize(result_, rounded, MPFR_RNDN);
    return static_cast<T>(mpfr_get_d(result_, MPFR_RNDN));
  }

 private:
  static void set(mpfr_t x, T value) { mpfr_set_d(x, static_cast<double>(value), MPFR_RNDN); }
  mpfr_t a_, b_, c_, result_;
};

template <class T> class LanesFma : public testing::Test {
 protected:
  using L = std::numeric_limits<T>;
  // All lanes at once, so that rare lanes have ordinary neighbours.
  void add(T a, T b, T c) {
    a_.push_back(a);
    b_.push_back(b);
    c_.push_back(c);
  }
  void check() {
    using V = lanes::Wide<T>;
    constexpr auto width = static_cast<std::size_t>(V::width);
    Reference<T> reference;
    while (a_.size() % width != 0) add(T(1), T(1), T(1));
    int shown = 0;
    for (std::size_t i = 0; i < a_.size(); i += width) {
      T results[width];
      fma(V::load(&a_[i]), V::load(&b_[i]), V::load(&c_[i])).store(results);
      for (std::size_t k = 0; k < width; ++k) {
        const T a = a_[i + k], b = b_[i + k], c = c_[i + k], expected = reference(a, b, c);
        if (same(results[k], expected) || ++shown > 5) continue;
        char text[200];
        std::snprintf(text, sizeof text, "fma(%a, %a, %a) is %a, expected %a", double(a), double(b), double(c),
                      double(results[k]), double(expected));
        ADD_FAILURE() << text;
      }
    }
  }

  // Mantissas with few bits, with many, and with ends that carry.
  T mantissa() {
    const T ulp = L::epsilon();
    const auto few = static_cast<T>(random_() % 8);
    switch (random_() % 4) {
      case 0: return T(1) + few * ulp;
      case 1: return T(2) - (few + 1) * ulp;
      case 2: return T(1) + std::ldexp(T(1), -static_cast<int>(random_() % L::digits));
      default: return T(1) + static_cast<T>(random_() % (std::uint64_t{1} << (L::digits - 1))) * ulp;
    }
  }
  T sign() { return random_() % 2 == 0 ? T(1) : T(-1); }
  int exponent(int from, int to) {
    return from + static_cast<int>(random_() % static_cast<std::uint64_t>(to - from + 1));
  }
  T number(int from, int to) { return sign() * std::ldexp(mantissa(), exponent(from, to)); }

  static constexpr int least = L::min_exponent - L::digits, greatest = L::max_exponent - 1;
  std::mt19937_64 random_{11};

 private:
  std::vector<T> a_, b_, c_;
};
using Elements = testing::Types<float, double>;
TYPED_TEST_SUITE(LanesFma, Elements);

TYPED_TEST(LanesFma, SpecialValues) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  for (T x : {T(0), Limits::denorm_min(), Limits::min() - Limits::denorm_min(), Limits::min(), Limits::epsilon(),
              T(0.5), T(1), T(1.5), T(3), T(1) / Limits::min(), Limits::max() / 2, Limits::max(), Limits::infinity()}) {
    values.push_back(x);
    values.push_back(-x);
  }
  values.push_back(Limits::quiet_NaN());
  for (T a : values) {
    for (T b : values) {
      for (T c : values) this->add(a, b, c);
    }
  }
  this->check();
}

TYPED_TEST(LanesFma, AnyExponents) {
  for (int i = 0; i < 300'000; ++i) {
    this->add(this->number(this->least, this->greatest), this->number(this->least, this->greatest),
              this->number(this->least, this->greatest));
  }
  this->check();
}

// The addend at every distance from the product, and beside what makes the sum a tie or cancels it.
TYPED_TEST(LanesFma, TiesAndCancellation) {
  using T = TypeParam;
  constexpr int digits = std::numeric_limits<T>::digits;
  for (int i = 0; i < 400'000; ++i) {
    const T a = this->number(-20, 20), b = this->number(-20, 20), product = a * b, rest = std::fma(a, b, -product);
    this->add(
        a, b,
        this->sign() * std::ldexp(this->mantissa(), std::ilogb(product) + this->exponent(-2 * digits - 2, digits + 2)));
    T c = -product;
    for (int steps = this->exponent(0, 3); steps > 0; --steps) c = std::nextafter(c, this->sign() * T(1e30));
    this->add(a, b, c);
    this->add(a, b, -rest);
    this->add(a, b, this->sign() * std::ldexp(rest, this->exponent(-2, 2)));
    // Half a unit of the sum is about the product, or the product's own rest decides a tie.
    this->add(a, b, this->sign() * std::ldexp(product, digits + this->exponent(-2, 2)));
    this->add(a, b, this->sign() * (std::ldexp(T(1), std::ilogb(product) - digits + this->exponent(-1, 1)) - rest));
  }
  this->check();
}

TYPED_TEST(LanesFma, SubnormalResults) {
  using T = TypeParam;
  const int low = this->least;
  for (int i = 0; i < 400'000; ++i) {
    // A product about the spacing of subnormal numbers, beside nothing, a subnormal or the least normal number.
    const int e = this->exponent(-60, 60);
    const T a = this->number(e, e), b = this->number(low - e - 3, low - e + std::numeric_limits<T>::digits + 3);
    this->add(a, b, this->sign() * T(0));
    this->add(a, b, this->number(low, low + std::numeric_limits<T>::digits + 2));
    this->add(a, b, this->sign() * std::numeric_limits<T>::denorm_min());
    this->add(a, b, -(a * b));
    // A product just beside half the spacing, with an addend beside which a wider type loses the difference.
    const T ulp = std::numeric_limits<T>::epsilon();
    this->add(std::ldexp(T(1) + ulp, e), std::ldexp(T(1) - ulp, low - 1 - e),
              this->number(low, low + std::numeric_limits<T>::digits));
    // A subnormal factor, also with a partner that makes up for it.
    this->add(this->number(low, low + 8), this->number(0, this->greatest), this->number(low, 0));
  }
  this->check();
}

TYPED_TEST(LanesFma, Overflow) {
  using T = TypeParam;
  const T largest = std::numeric_limits<T>::max();
  const int half = this->greatest / 2;
  for (int i = 0; i < 300'000; ++i) {
    const int e = this->exponent(-half, half);
    const T a = this->number(half + e, half + e),
            b = this->number(this->greatest - half - e - 2, this->greatest - half - e + 2);
    this->add(a, b, this->number(this->greatest - 3, this->greatest));
    this->add(a, b, this->sign() * largest);
    this->add(a, b, this->sign() * std::numeric_limits<T>::infinity());
    this->add(largest, this->sign(),
              this->sign() * std::ldexp(this->mantissa(), this->greatest - std::numeric_limits<T>::digits));
    this->add(largest, T(2), -largest);
    this->add(largest, T(2), -std::nextafter(largest, T(0)));
  }
  this->check();
}

// Where the fast way of software ends (src/lanes/software_fma.hpp).
using LanesFmaOfDoubles = LanesFma<double>;
TEST_F(LanesFmaOfDoubles, BesideTheLimitsOfTheFastWay) {
  for (int i = 0; i < 300'000; ++i) {
    const int e = exponent(-40, 40);
    const double a = number(e, e), b = number(-960 - e - 2, -960 - e + 2);
    add(a, b, sign() * 0.0);
    add(a, b, number(-1074, -900));
    add(a, b, -(a * b));
    const double c = number(993, 997);
    add(number(0, 2), number(990, 996), c);
    add(number(500, 500), number(490, 497), c);
    add(number(993, 997), number(-1000, -900), number(-60, 60));
  }
  check();
}

}  // namespace
}  // namespace frit::test
