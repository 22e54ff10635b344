// Rounding, remainders, ldexp, frexp and nextafter: exact or correctly rounded, so compared bit for bit, the sign of zero too.
#include "math/rounding.hpp"

#include "math/remainder.hpp"
#include "oracle/rounding.hpp"
#include "support/accuracy.hpp"
#include "support/special.hpp"

namespace frit::test {
namespace {

// One struct a function: value (under test) and the reference.
#define FUNCTION(Name, call, result)                                    \
  struct Name {                                                         \
    template <class V> static V value(V x, V) { return call; }          \
    template <class T> static T reference(T x, T) { return T(result); } \
  }
FUNCTION(Floor, floor(x), std::floor(x));
FUNCTION(Ceil, math::ceil(x), std::ceil(x));
FUNCTION(Trunc, trunc(x), std::trunc(x));
FUNCTION(Rint, round_even(x), std::nearbyint(x));
FUNCTION(RoundHalfAway, math::round_half_away(x), std::round(x));
FUNCTION(FrexpMantissa, math::frexp_mantissa(x), oracle::frexp_mantissa(x));
FUNCTION(FrexpExponent, math::frexp_exponent(x), oracle::frexp_exponent(x));
#undef FUNCTION

// The exact result, rounded once.
template <oracle::Function2 f, class T> T rounded(T x, T y) {
  const oracle::Real r = oracle::exactly(f, static_cast<double>(x), static_cast<double>(y));
  return sizeof(T) == 8 ? static_cast<T>(mpfr_get_d(r.get(), MPFR_RNDN))
                        : static_cast<T>(mpfr_get_flt(r.get(), MPFR_RNDN));
}
struct Fmod {
  template <class V> static V value(V x, V y) { return math::fmod(x, y); }
  template <class T> static T reference(T x, T y) { return std::fmod(x, y); }
};
struct Remainder {
  template <class V> static V value(V x, V y) { return math::remainder(x, y); }
  template <class T> static T reference(T x, T y) { return rounded<oracle::remainder>(x, y); }
};
struct FloorDivide {
  template <class V> static V value(V x, V y) { return math::floor_divide(x, y); }
  template <class T> static T reference(T x, T y) { return rounded<oracle::floor_divide>(x, y); }
};
struct Ldexp {
  template <class V> static V value(V x, V y) { return math::ldexp(x, y); }
  template <class T> static T reference(T x, T y) { return rounded<oracle::ldexp>(x, y); }
};
struct NextAfter {
  template <class V> static V value(V x, V y) { return math::nextafter(x, y); }
  template <class T> static T reference(T x, T y) { return std::nextafter(x, y); }
};

template <class T> class Exact : public testing::Test {
 protected:
  Points<T> points{20240517};

  template <class F, class XY> void two(const char* range, XY xy) {
    using V = lanes::Wide<T>;
    using One = lanes::Native<T, 1>;
    for (int i = 0; i < 30000 * scale() / V::width; ++i) {
      T xs[V::width], ys[V::width], got[V::width], alone;
      for (int k = 0; k < V::width; ++k) std::tie(xs[k], ys[k]) = xy();
      F::value(V::load(xs), V::load(ys)).store(got);
      for (int k = 0; k < V::width; ++k) {
        F::value(One(xs[k]), One(ys[k])).store(&alone);
        ASSERT_TRUE(same(alone, got[k])) << range << ": one lane gives " << alone << ", a register " << got[k];
        const T wanted = F::reference(xs[k], ys[k]);
        ASSERT_TRUE(same(got[k], wanted))
            << range << ": of " << std::hexfloat << xs[k] << ", " << ys[k] << " is " << got[k] << ", not " << wanted;
      }
    }
  }
  template <class F, class X> void one(const char* range, X x) {
    two<F>(range, [&] { return std::pair{x(), T(0)}; });
  }
};

using Dtypes = testing::Types<double, float>;
TYPED_TEST_SUITE(Exact, Dtypes);

TYPED_TEST(Exact, Rounding) {
  using T = TypeParam;
  auto& p = this->points;
  const auto all = [&]<class F>(F) {
    this->template one<F>("all exponents", [&] { return p.any_exponent(); });
    this->template one<F>("where fractions end", [&] { return p.any_exponent(-2, Limits<T>::digits + 1); });
    this->template one<F>("at ties", [&] { return p.near(std::floor(p.any_exponent(-2, 12)) + T(0.5)); });
    this->template one<F>("at integers", [&] { return p.near(std::floor(p.any_exponent(-2, 12))); });
  };
  all(Floor{});
  all(Ceil{});
  all(Trunc{});
  all(Rint{});
  all(RoundHalfAway{});
}

TYPED_TEST(Exact, Remainders) {
  using T = TypeParam;
  auto& p = this->points;
  constexpr int digits = Limits<T>::digits, lowest = Limits<T>::min_exponent - digits,
                highest = Limits<T>::max_exponent;
  const auto all = [&]<class F>(F) {
    this->template two<F>("all exponents", [&] { return std::pair{p.any_exponent(), p.any_exponent()}; });
    this->template two<F>("small quotients", [&] { return std::pair{p.any_exponent(-5, 8), p.any_exponent(-3, 3)}; });
    this->template two<F>("multiples", [&] {
      const T y = p.any_exponent(-9, 9);
      return std::pair{p.near(y * std::floor(p.any_exponent(0, digits + 3))), y};
    });
    this->template two<F>("where integers cease to be exact", [&] {
      const T y = p.any_exponent(-9, 9);
      return std::pair{y * p.any_exponent(digits - 4, 2 * digits + 2), y};
    });
    this->template two<F>("short divisors, whose multiples are ties", [&] {
      return std::pair{p.any_exponent(digits - 2, digits + 12), static_cast<T>(p.uniform_int(-25, 25)) + T(0.5)};
    });
    this->template two<F>("subnormal", [&] {
      return std::pair{p.any_exponent(lowest, lowest + 2 * digits), p.any_exponent(lowest, lowest + digits + 8)};
    });
    this->template two<F>("largest", [&] {
      return std::pair{p.any_exponent(highest - 4, highest - 1), p.any_exponent(highest - 4, highest - 1)};
    });
  };
  all(Fmod{});
  all(Remainder{});
  all(FloorDivide{});
}

TYPED_TEST(Exact, LdexpFrexpNextAfter) {
  using T = TypeParam;
  auto& p = this->points;
  constexpr int lowest = Limits<T>::min_exponent - Limits<T>::digits, highest = Limits<T>::max_exponent;
  this->template two<Ldexp>("all exponents", [&] {
    return std::pair{p.any_exponent(), static_cast<T>(p.uniform_int(-3 * highest, 3 * highest))};
  });
  this->template two<Ldexp>("subnormal results", [&] {
    const long e = p.uniform_int(lowest, highest - 1);
    const T x = p.any_exponent(static_cast<int>(e), static_cast<int>(e));
    return std::pair{x, static_cast<T>(p.uniform_int(lowest - 3, Limits<T>::min_exponent + 3) - e)};
  });
  this->template two<Ldexp>("overflow", [&] {
    const long e = p.uniform_int(lowest, highest - 1);
    const T x = p.any_exponent(static_cast<int>(e), static_cast<int>(e));
    return std::pair{x, static_cast<T>(p.uniform_int(highest - 4, highest + 2) - e)};
  });
  this->template two<Ldexp>("no integers", [&] { return std::pair{p.any_exponent(), p.any_exponent(-4, 14)}; });
  this->template one<FrexpMantissa>("all exponents", [&] { return p.any_exponent(); });
  this->template one<FrexpExponent>("all exponents", [&] { return p.any_exponent(); });
  this->template one<FrexpMantissa>("powers of two", [&] { return p.near_power_of_two(); });
  this->template one<FrexpExponent>("powers of two", [&] { return p.near_power_of_two(); });
  this->template two<NextAfter>("all exponents", [&] { return std::pair{p.any_exponent(), p.any_exponent()}; });
  this->template two<NextAfter>("neighbours", [&] {
    const T x = p.near_power_of_two();
    return std::pair{x, p.near(x)};
  });
}

TYPED_TEST_SUITE(Special, Dtypes);

TYPED_TEST(Special, RoundingKeepsZerosAndInfinities) {
  VALUES;
  const auto all = [&](auto is) {
    for (T x : {zero, inf, most, T(7), T(-7)}) {
      is(x, x);
      is(-x, -x);
    }
    is(nan, nan);
  };
  {
    ONE(ceil);
    all(is);
    is(-least, -zero);
    is(least, one);
    is(T(-0.75), -zero);
  }
  {
    ONE(round_half_away);
    all(is);
    is(least, zero);
    is(-least, -zero);
    is(T(0.5), one);
    is(T(-0.5), -one);
    is(T(2.5), T(3));
    is(std::nextafter(T(0.5), zero), zero);
    is(std::nextafter(T(-0.5), zero), -zero);
  }
}

TYPED_TEST(Special, Fmod) {
  VALUES;
  TWO(fmod);
  for (T y : {one, T(-3), least, most, inf, -inf}) {
    is(zero, y, zero);
    is(-zero, y, -zero);
    is(inf, y, nan);
    is(-inf, y, nan);
    is(nan, y, nan);
    is(y, nan, nan);
    is(y, zero, nan);
    is(y, -zero, nan);
  }
  is(zero, zero, nan);
  for (T x : {one, T(-3), least, -most, small}) {
    is(x, inf, x);
    is(x, -inf, x);
  }
  is(T(6), T(-3), zero);
  is(T(-6), T(3), -zero);
  is(most, least, zero);
  is(-most, least, -zero);
}

TYPED_TEST(Special, Remainder) {
  VALUES;
  TWO(remainder);
  for (T y : {one, T(-3), least, most, inf, -inf}) {
    is(zero, y, std::copysign(zero, y));
    is(-zero, y, std::copysign(zero, y));
    is(inf, y, nan);
    is(-inf, y, nan);
    is(nan, y, nan);
    is(y, nan, nan);
    is(y, zero, nan);
    is(y, -zero, nan);
  }
  for (T x : {one, T(3), least, most, small}) {
    is(x, inf, x);
    is(x, -inf, -inf);
    is(-x, inf, inf);
    is(-x, -inf, -x);
  }
  is(T(5), T(3), T(2));
  is(T(-5), T(3), one);
  is(T(5), T(-3), -one);
  is(T(-6), T(3), zero);
  is(T(6), T(-3), -zero);
  is(-least, most, most);
  is(-most, least, zero);
}

TYPED_TEST(Special, FloorDivide) {
  VALUES;
  TWO(floor_divide);
  for (T y : {one, T(-3), least, most, inf, -inf}) {
    is(zero, y, y > 0 ? zero : -zero);
    is(-zero, y, y > 0 ? -zero : zero);
    is(inf, y, nan);
    is(-inf, y, nan);
    is(nan, y, nan);
    is(y, nan, nan);
  }
  for (T x : {one, T(3), least, most, small}) {
    is(x, zero, inf);
    is(x, -zero, -inf);
    is(-x, zero, -inf);
    is(x, inf, zero);
    is(x, -inf, -one);
    is(-x, inf, -one);
    is(-x, -inf, zero);
  }
  is(zero, zero, nan);
  is(zero, -zero, nan);
  is(-least, most, -one);
  is(least, most, zero);
  is(most, least, inf);
  is(most, -least, -inf);
}

TYPED_TEST(Special, Ldexp) {
  VALUES;
  TWO(ldexp);
  for (T n : {zero, T(-1), T(2000), -most, most, inf, -inf}) {
    if (n != inf) {
      is(zero, n, zero);
      is(-zero, n, -zero);
    }
    if (n != -inf) {
      is(inf, n, inf);
      is(-inf, n, -inf);
    }
    is(nan, n, nan);
    is(n, nan, nan);
    is(one, n, n == 0 ? one : n == -1 ? T(0.5) : n > 0 && n > Limits::max_exponent ? inf : zero);
  }
  is(zero, inf, nan);
  is(inf, -inf, nan);
  is(one, T(0.5), nan);
  is(one, T(1e6) + T(0.5), nan);
  is(least, T(Limits::digits - Limits::min_exponent), one);
  is(most, T(-3 * Limits::max_exponent), zero);
}

TYPED_TEST(Special, Frexp) {
  VALUES;
  {
    ONE(frexp_mantissa);
    for (T x : {zero, inf}) {
      is(x, x);
      is(-x, -x);
    }
    is(nan, nan);
    is(least, T(0.5));
    is(-most, -std::nextafter(one, zero));
  }
  {
    ONE(frexp_exponent);
    for (T x : {zero, inf}) {
      is(x, zero);
      is(-x, zero);
    }
    is(nan, nan);
    is(least, T(Limits::min_exponent - Limits::digits + 1));
    is(most, T(Limits::max_exponent));
  }
}

TYPED_TEST(Special, NextAfter) {
  VALUES;
  TWO(nextafter);
  const T values[] = {zero, -zero, one, -one, least, -least, most, -most, inf, -inf, Limits::min(), nan};
  for (T x : values) {
    for (T y : values) is(x, y, std::nextafter(x, y));
  }
}

}  // namespace
}  // namespace frit::test
