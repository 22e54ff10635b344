// Complex functions of math/ against MPFR: points over wide exponents, near the axes and the unit circle, each part's error in ulp
// of its exact value or of the modulus; special values with their signs; the same bits at every width and position. A function
// is a struct with `of(a, b)` over complex lane values.
#pragma once

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lanes/native.hpp"
#include "math/complex_value.hpp"
#include "oracle/complex_exact.hpp"

namespace frit::test {

using lanes::Native;
using lanes::native_width;
using oracle::apply;
using oracle::Exact;
using oracle::exact_precision;
using oracle::exactly;
using oracle::Real;

// ---- The oracle's side: values of 400 bits.

inline Real negative(const Real& a) { return Real(0.0) - a; }

// The distance of `got` in units in the last place of `unit_of`, subnormal spacing below the normal range.
template <class T> double ulps(T got, const Real& exact, const Real& unit_of) {
  using L = std::numeric_limits<T>;
  const long smallest = L::min_exponent - L::digits;
  long unit = unit_of.is_zero() ? smallest : std::max(unit_of.exponent() - L::digits, smallest);
  if (std::isnan(got) || exact.is_nan()) return std::numeric_limits<double>::infinity();
  if (std::isinf(got)) {  // right where the exact value rounds to it
    Real limit(std::ldexp(1.0, 1000));
    mpfr_mul_2si(limit.get(), limit.get(), L::max_exponent - 1000, MPFR_RNDN);
    if (got < 0) limit = negative(limit);
    const bool beyond = got > 0 ? mpfr_cmp(exact.get(), limit.get()) >= 0 : mpfr_cmp(exact.get(), limit.get()) <= 0;
    if (beyond) return 0;
    unit = L::max_exponent - L::digits;
    Real away = exact - limit;
    mpfr_mul_2si(away.get(), away.get(), -unit, MPFR_RNDN);
    return std::abs(mpfr_get_d(away.get(), MPFR_RNDN));
  }
  Real away = exact - Real(static_cast<double>(got));
  mpfr_mul_2si(away.get(), away.get(), -unit, MPFR_RNDN);
  return std::abs(mpfr_get_d(away.get(), MPFR_RNDN));
}

// ---- The functions, applied to arrays.

template <class T> struct Point {
  T re, im;    // the first operand
  T re2, im2;  // the second
};

template <class T> struct Value { T re, im; };

template <class V, class F, class T>
__attribute__((noinline)) void run(const T* const in[4], T* const out[2], std::size_t n) {
  for (std::size_t i = 0; i < n; i += static_cast<std::size_t>(V::width)) {
    const Complex<V> r =
        F::of(Complex<V>{V::load(in[0] + i), V::load(in[1] + i)}, Complex<V>{V::load(in[2] + i), V::load(in[3] + i)});
    r.re.store(out[0] + i);
    r.im.store(out[1] + i);
  }
}

// The values at width W, the first point at position `shift` of its vector; the rest is filled with ordinary points.
template <class F, int W, class T>
std::vector<Value<T>> values(const std::vector<Point<T>>& points, std::size_t shift = 0) {
  const std::size_t n = (points.size() + shift + static_cast<std::size_t>(W) - 1) / W * W;
  std::vector<T> in[4];
  std::vector<T> out[2];
  for (auto& column : in) column.assign(n, T(1.5));
  for (auto& column : out) column.resize(n);
  for (std::size_t i = 0; i < points.size(); ++i) {
    in[0][i + shift] = points[i].re;
    in[1][i + shift] = points[i].im;
    in[2][i + shift] = points[i].re2;
    in[3][i + shift] = points[i].im2;
  }
  const T* const from[4] = {in[0].data(), in[1].data(), in[2].data(), in[3].data()};
  T* const to[2] = {out[0].data(), out[1].data()};
  run<Native<T, W>, F>(from, to, n);
  std::vector<Value<T>> result(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) result[i] = {out[0][i + shift], out[1][i + shift]};
  return result;
}

template <class T> std::vector<Point<T>> exchanged(std::vector<Point<T>> points) {
  for (Point<T>& p : points) std::swap(p.re, p.im);
  return points;
}

template <class F, class T> std::vector<Value<T>> values_native(const std::vector<Point<T>>& points) {
  return values<F, native_width<T>>(points);
}

// ---- Points.

template <class T> class ComplexPoints {
 public:
  using L = std::numeric_limits<T>;

  // Of any finite exponent, subnormals too.
  T any() { return wide(L::min_exponent - L::digits, L::max_exponent - 1); }
  // Exponent in [low, high].
  T wide(int low, int high) {
    const double mantissa = 1 + static_cast<double>(random_() >> 11) * 0x1p-53;
    const int exponent = low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
    const T x = static_cast<T>(std::ldexp(static_cast<T>(mantissa) < T(2) ? mantissa : 1.0, exponent));
    return (random_() & 1) != 0 ? -x : x;
  }
  T between(double low, double high) {
    return static_cast<T>(low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53);
  }
  std::uint64_t bits() { return random_(); }

  // Ordinary; of any exponents; of one any exponent for both parts; beside an axis; near the unit circle.
  Point<T> point(int kind) {
    switch (kind % 5) {
      case 0: return {wide(-3, 3), wide(-3, 3), wide(-3, 3), wide(-3, 3)};
      case 1: return {any(), any(), any(), any()};
      case 2: {
        const int e = static_cast<int>(random_() % 60) + L::max_exponent - 63;
        const int f = L::min_exponent + static_cast<int>(random_() % 60) - 22;
        const int g = (random_() & 1) != 0 ? e : f;
        const int h = (random_() & 1) != 0 ? e : f;
        return {wide(g, g + 2), wide(g, g + 2), wide(h, h + 2), wide(h, h + 2)};
      }
      case 3: {
        const T large = wide(-2, 2);
        const T small = wide(-L::digits - 20, -1);
        return (random_() & 1) != 0 ? Point<T>{large, small, small, large} : Point<T>{small, large, large, small};
      }
      default: {
        const double angle = static_cast<double>(between(-3.2, 3.2));
        const double radius = 1 + static_cast<double>(wide(-60, -3));
        return {static_cast<T>(radius * std::cos(angle)), static_cast<T>(radius * std::sin(angle)), wide(-3, 3),
                wide(-3, 3)};
      }
    }
  }

 private:
  std::mt19937_64 random_{20240607};
};

template <class T> std::vector<Point<T>> many(int n) {
  ComplexPoints<T> make;
  std::vector<Point<T>> points;
  for (int i = 0; i < n; ++i) points.push_back(make.point(i));
  return points;
}

// The largest error over the points against the budget. `exact` gives both parts; a unit is of the component, or of the
// modulus where `of_modulus`.
struct Budget {
  double re;
  double im;
  bool of_modulus = false;
};

template <class F, class T, class Oracle>
void check(const char* name, const std::vector<Point<T>>& points, Budget budget, Oracle oracle) {
  const auto got = values_native<F>(points);
  double worst[2] = {0, 0};
  std::size_t where[2] = {0, 0};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point<T>& p = points[i];
    const Exact exact = oracle(static_cast<double>(p.re), static_cast<double>(p.im), static_cast<double>(p.re2),
                               static_cast<double>(p.im2));
    const Real modulus = budget.of_modulus ? apply(mpfr_hypot, exact.re, exact.im) : Real();
    const double error[2] = {ulps(got[i].re, exact.re, budget.of_modulus ? modulus : exact.re),
                             ulps(got[i].im, exact.im, budget.of_modulus ? modulus : exact.im)};
    for (int k = 0; k < 2; ++k) {
      if (error[k] > worst[k]) {
        worst[k] = error[k];
        where[k] = i;
      }
    }
  }
  std::printf("%-24s %s  re %.3f  im %.3f ulp\n", name, sizeof(T) == 8 ? "f64" : "f32", worst[0], worst[1]);
  const auto describe = [&](std::size_t i) {
    char text[240];
    const Point<T>& p = points[i];
    std::snprintf(text, sizeof text, "at (%a, %a), (%a, %a) got (%a, %a)", static_cast<double>(p.re),
                  static_cast<double>(p.im), static_cast<double>(p.re2), static_cast<double>(p.im2),
                  static_cast<double>(got[i].re), static_cast<double>(got[i].im));
    return std::string(text);
  };
  EXPECT_LE(worst[0], budget.re) << name << " real part " << describe(where[0]);
  EXPECT_LE(worst[1], budget.im) << name << " imaginary part " << describe(where[1]);
}

inline constexpr int count = 20000;

// ---- Special values.

// What a part must be: a value with its sign, any NaN, or a value of unspecified sign.
struct Part {
  double value;
  bool any_sign = false;
};
inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline const double pi = std::acos(-1.0);

template <class T> bool is(T got, Part want) {
  const T value = static_cast<T>(want.value);
  if (std::isnan(value)) return std::isnan(got);
  if (want.any_sign) return std::abs(got) == std::abs(value);
  if (value == 0 || std::isinf(value)) return got == value && std::signbit(got) == std::signbit(value);
  return std::abs(got - value) <= std::abs(value) * std::numeric_limits<T>::epsilon();
}

struct Special {
  double re, im;
  Part want_re, want_im;
  double re2 = 1, im2 = 0;
};

template <class F, class T> void check_special(const char* name, const std::vector<Special>& table) {
  std::vector<Point<T>> points;
  for (const Special& s : table) {
    points.push_back({static_cast<T>(s.re), static_cast<T>(s.im), static_cast<T>(s.re2), static_cast<T>(s.im2)});
  }
  const auto got = values_native<F>(points);
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_TRUE(is(got[i].re, table[i].want_re) && is(got[i].im, table[i].want_im))
        << name << " of (" << table[i].re << ", " << table[i].im << "), (" << table[i].re2 << ", " << table[i].im2
        << ") is (" << got[i].re << ", " << got[i].im << "), not (" << table[i].want_re.value << ", "
        << table[i].want_im.value << ")";
  }
}

// Every entry and its conjugate: f(conj z) = conj f(z).
inline std::vector<Special> with_conjugates(std::vector<Special> table) {
  const std::size_t n = table.size();
  for (std::size_t i = 0; i < n; ++i) {
    Special s = table[i];
    s.im = -s.im;
    s.want_im.value = -s.want_im.value;
    table.push_back(s);
  }
  return table;
}

// ---- The same bits at every width and position.

// Equal bits, except that a NaN equals any NaN.
template <class T> bool same(Value<T> a, Value<T> b) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const auto equal = [](T x, T y) {
    return (std::isnan(x) && std::isnan(y)) || std::bit_cast<Bits>(x) == std::bit_cast<Bits>(y);
  };
  return equal(a.re, b.re) && equal(a.im, b.im);
}

template <class F, int W, class T> void check_width(const char* name, const std::vector<Point<T>>& points) {
  const auto one = values<F, 1>(points);
  for (std::size_t shift = 0; shift < static_cast<std::size_t>(W); ++shift) {
    const auto wide = values<F, W>(points, shift);
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_TRUE(same(one[i], wide[i])) << name << ", width " << W << ", point " << i << ", position "
                                         << (i + shift) % static_cast<std::size_t>(W);
    }
  }
}

// The sign of a NaN in an operand, which differs between processors, must not be seen.
template <class F, class T> void check_sign_of_nan(const char* name, const std::vector<Point<T>>& points) {
  const auto flipped = [](T x) { return std::isnan(x) ? -x : x; };
  std::vector<Point<T>> others;
  for (const Point<T>& p : points) {
    others.push_back({flipped(p.re), flipped(p.im), flipped(p.re2), flipped(p.im2)});
  }
  const auto a = values_native<F>(points);
  const auto b = values_native<F>(others);
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_TRUE(same(a[i], b[i])) << name << " of (" << points[i].re << ", " << points[i].im << "), (" << points[i].re2
                                  << ", " << points[i].im2 << ") sees the sign of a NaN";
  }
}

template <class F, class T> void check_widths(const char* name, const std::vector<Point<T>>& points) {
  check_width<F, native_width<T>>(name, points);
  check_width<F, native_width<T> / 2>(name, points);
  check_sign_of_nan<F>(name, points);
}

// ---- Functions that are others of a turned number.

#define COMPLEX_FUNCTION(Name, function)                                                            \
  struct Name {                                                                                     \
    static constexpr const char* name = #function;                                                  \
    template <class V> static Complex<V> of(Complex<V> z, Complex<V>) { return math::function(z); } \
  }

// All pairs of zeros, ordinary numbers, infinities, NaN, the largest and the smallest numbers.
template <class T> std::vector<Point<T>> pairs_of_special_parts() {
  using L = std::numeric_limits<T>;
  std::vector<T> parts = {0,        T(0.5),          1,      2, 4, L::infinity(), L::quiet_NaN(), L::max(),
                          L::min(), L::denorm_min(), T(1e-3)};
  const std::size_t n = parts.size();
  for (std::size_t i = 0; i < n; ++i) parts.push_back(-parts[i]);
  std::vector<Point<T>> points;
  for (T x : parts)
    for (T y : parts) points.push_back({x, y, 0, 0});
  return points;
}

// F of the points has the bits of turned(p, G of p), of the points with their parts exchanged where asked for.
template <class F, class G, class T, class Turned>
void check_turned(std::vector<Point<T>> points, bool exchange, Turned turned) {
  const auto special = pairs_of_special_parts<T>();
  points.insert(points.end(), special.begin(), special.end());
  const auto a = values_native<F>(points), b = values_native<G>(exchange ? exchanged(points) : points);
  for (std::size_t i = 0; i < points.size(); ++i)
    ASSERT_TRUE(same(a[i], turned(points[i], b[i])))
        << F::name << " of (" << points[i].re << ", " << points[i].im << ") is (" << a[i].re << ", " << a[i].im << ")";
}
template <class F, class G, class T> void check_exchanged(const std::vector<Point<T>>& points) {
  check_turned<F, G>(points, true, [](Point<T>, Value<T> v) { return Value<T>{v.im, v.re}; });
}

// f(conj z) = conj f(z), and f(-z) = f(z) or -f(z), on all pairs but those where `open`, since a sign of the result is.
enum class Parity { even, odd, none };
template <class F, class T, class Open> void check_symmetry(Parity parity, Open open) {
  const auto points = pairs_of_special_parts<T>();
  const auto of = [&](T by_re, T by_im) {
    std::vector<Point<T>> other;
    for (const Point<T>& p : points) other.push_back({p.re * by_re, p.im * by_im, 0, 0});
    return values_native<F>(other);
  };
  const auto value = of(1, 1), conjugate = of(1, -1), negative = of(-1, -1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point<T>& p = points[i];
    const Value<T>& v = value[i];
    if (open(p)) continue;
    EXPECT_TRUE(same(conjugate[i], Value<T>{v.re, -v.im})) << F::name << " of conj(" << p.re << ", " << p.im << ")";
    if (parity == Parity::none) continue;
    EXPECT_TRUE(same(negative[i], parity == Parity::odd ? Value<T>{-v.re, -v.im} : v))
        << F::name << " of -(" << p.re << ", " << p.im << ")";
  }
}

}  // namespace frit::test
