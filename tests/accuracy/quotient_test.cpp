// Quotients from the inverse of the divisor (math/quotient.hpp) are those of the divider, wherever they say that they count.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>

#include "math/quotient.hpp"

namespace frit {
namespace {

template <class T> struct Parts;
template <> struct Parts<double> {
  using Bits = std::uint64_t;
  static constexpr int mantissa = 52, bias = 1023;
};
template <> struct Parts<float> {
  using Bits = std::uint32_t;
  static constexpr int mantissa = 23, bias = 127;
};

// As compiled code does it: whether the quotient counts, and what it is.
template <class T> bool counts(T a, T b, T& quotient) {
  using Range = math::QuotientRange<T>;
  if (!(std::abs(b) >= Range::least_divisor && std::abs(b) <= Range::greatest_divisor)) return false;
  const T inverse = T(1) / b;
  const T q = math::quotient_from_inverse(a, b, inverse);
  quotient = std::copysign(q, a * inverse);
  return std::abs(q) >= Range::least_quotient || a == 0;
}

std::int64_t pairs() { return std::getenv("FRIT_NIGHTLY") != nullptr ? 1'000'000'000 : 20'000'000; }

// Mantissas that are random, and near the ends of their range, where quotients lie close to the middle of two numbers.
template <class T> T number(std::mt19937_64& random, int least_exponent, int greatest_exponent) {
  using P = Parts<T>;
  using Bits = typename P::Bits;
  const std::uint64_t r = random(), s = random();
  const Bits all = (Bits{1} << P::mantissa) - 1;
  Bits mantissa = static_cast<Bits>(r) & all;
  if (s % 8 == 0) mantissa = static_cast<Bits>(all - (s >> 8) % 16);
  if (s % 8 == 1) mantissa = static_cast<Bits>((s >> 8) % 16);
  const int exponent =
      least_exponent + static_cast<int>((s >> 32) % static_cast<unsigned>(greatest_exponent - least_exponent + 1));
  const Bits sign = static_cast<Bits>(s >> 63) << (8 * sizeof(T) - 1);
  return std::bit_cast<T>(static_cast<Bits>(sign | static_cast<Bits>(exponent + P::bias) << P::mantissa | mantissa));
}

template <class T> void check(int dividends, int divisors, std::uint64_t seed, bool all_count) {
  std::mt19937_64 random(seed);
  std::int64_t counted = 0;
  for (std::int64_t i = 0; i < pairs() / 4; ++i) {
    const T a = number<T>(random, -dividends, dividends), b = number<T>(random, -divisors, divisors);
    T quotient = 0;
    if (!counts(a, b, quotient)) continue;
    ++counted;
    ASSERT_EQ(quotient, a / b) << std::hexfloat << a << " / " << b;
  }
  EXPECT_GE(counted, all_count ? pairs() / 4 : 1000);
}

TEST(Quotient, OfOneBinade) {
  check<double>(0, 0, 1, true);
  check<float>(0, 0, 2, true);
}

TEST(Quotient, OfAllSizes) {
  check<double>(1022, 402, 3, false);
  check<float>(126, 42, 4, false);
}

// Which count, at every edge of the range.
TEST(Quotient, OfSpecialValues) {
  const auto run = [&]<class T>(T) {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values{
        0, 1, 3, Limits::denorm_min(), Limits::min(), Limits::max(), Limits::infinity(), Limits::quiet_NaN()};
    for (int e = -Parts<T>::bias - Parts<T>::mantissa; e <= Parts<T>::bias; ++e)
      for (const T m : {T(1), T(1.25), T(2) - Limits::epsilon()}) values.push_back(std::ldexp(m, e));
    const std::size_t n = values.size();
    for (std::size_t i = 0; i < n; ++i) values.push_back(-values[i]);
    for (const T a : values)
      for (const T b : values) {
        T quotient = 0;
        if (!counts(a, b, quotient)) continue;
        ASSERT_EQ(quotient, a / b) << std::hexfloat << a << " / " << b;
        ASSERT_EQ(std::signbit(quotient), std::signbit(a / b)) << std::hexfloat << a << " / " << b;
      }
    T quotient = 1;
    EXPECT_TRUE(counts(T(0), T(3), quotient));
    EXPECT_FALSE(counts(Limits::infinity(), T(3), quotient));
    EXPECT_FALSE(counts(Limits::quiet_NaN(), T(3), quotient));
    EXPECT_FALSE(counts(T(1), T(0), quotient));
  };
  run(double{});
  run(float{});
}

}  // namespace
}  // namespace frit
