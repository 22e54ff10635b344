// The complex functions against MPFR: random points over wide exponents, near the branch cuts and near |z| = 1, the special
// values of C99 Annex G, and the same bits at every width and position.
#include <algorithm>
#include <cmath>

#include "math/complex.hpp"
#include "support/complex.hpp"

namespace frit::test {
namespace {

// ---- The oracle: exact sums of products where they cancel.

Exact exact_divide(double a, double b, double c, double d) {
  const Real re = exactly(mpfr_add, Real(a) * Real(c), Real(b) * Real(d));
  const Real im = exactly(mpfr_sub, Real(b) * Real(c), Real(a) * Real(d));
  const Real square = exactly(mpfr_add, Real(c) * Real(c), Real(d) * Real(d));
  return {re / square, im / square};
}

Real exact_abs(double x, double y) { return apply(mpfr_hypot, Real(x), Real(y)); }
Real exact_arg(double x, double y) { return apply(mpfr_atan2, Real(y), Real(x)); }

Real exact_log_abs(double x, double y) {
  const double m = std::max(std::abs(x), std::abs(y));
  const double n = std::min(std::abs(x), std::abs(y));
  if (m > 0.5 && m < 2) {  // log1p((m - 1) (m + 1) + n^2) / 2, exact before the logarithm
    const Real beyond =
        apply(mpfr_add, (Real(m) - Real(1.0)) * (Real(m) + Real(1.0)), Real(n) * Real(n), exact_precision);
    return apply(mpfr_log1p, beyond) * Real(0.5);
  }
  return apply(mpfr_log, exact_abs(x, y));
}

Exact exact_log(double x, double y) { return {exact_log_abs(x, y), exact_arg(x, y)}; }

Exact exact_polar(const Real& exponent, const Real& angle) {
  const Real length = apply(mpfr_exp, exponent);
  return {length * apply(mpfr_cos, angle), length * apply(mpfr_sin, angle)};
}

Exact exact_exp(double x, double y) { return exact_polar(Real(x), Real(y)); }

Exact exact_sqrt(double x, double y) {
  const Real larger = apply(mpfr_sqrt, (Real(std::abs(x)) + exact_abs(x, y)) * Real(0.5));
  const Real smaller = Real(std::abs(y)) / (larger + larger);
  const bool down = std::signbit(y);
  if (x < 0) return {smaller, down ? negative(larger) : larger};
  return {larger, down ? negative(smaller) : smaller};
}

Exact exact_pow(double x, double y, double c, double d) {
  const Exact log = exact_log(x, y);
  return exact_polar(Real(c) * log.re - Real(d) * log.im, Real(c) * log.im + Real(d) * log.re);
}

struct Abs {
  template <class V> static Complex<V> of(Complex<V> a, Complex<V>) { return {math::abs(a), V(0)}; }
};
struct Arg {
  template <class V> static Complex<V> of(Complex<V> a, Complex<V>) { return {math::arg(a), V(0)}; }
};
struct Exp {
  template <class V> static Complex<V> of(Complex<V> a, Complex<V>) { return math::exp(a); }
};
struct Log {
  template <class V> static Complex<V> of(Complex<V> a, Complex<V>) { return math::log(a); }
};
struct Sqrt {
  template <class V> static Complex<V> of(Complex<V> a, Complex<V>) { return math::sqrt(a); }
};
struct Divide {
  template <class V> static Complex<V> of(Complex<V> a, Complex<V> b) { return math::divide(a, b); }
};
struct DivideReal {
  template <class V> static Complex<V> of(Complex<V> a, Complex<V> b) { return math::divide(a.re, b); }
};
struct Reciprocal {
  template <class V> static Complex<V> of(Complex<V>, Complex<V> b) { return math::reciprocal(b); }
};
struct Pow {
  template <class V> static Complex<V> of(Complex<V> a, Complex<V> b) { return math::pow(a, b); }
};
struct PowRealExponent {
  template <class V> static Complex<V> of(Complex<V> a, Complex<V> b) { return math::pow(a, b.re); }
};
struct PowRealBase {
  template <class V> static Complex<V> of(Complex<V> a, Complex<V> b) { return math::pow(a.re, b); }
};

template <class T> class Accuracy : public testing::Test {};
using Elements = testing::Types<double, float>;
TYPED_TEST_SUITE(Accuracy, Elements);

TYPED_TEST(Accuracy, Abs) {
  check<Abs>("abs", many<TypeParam>(count), {1.5, 0}, [](double x, double y, double, double) {
    return Exact{exact_abs(x, y), Real(0.0)};
  });
}

TYPED_TEST(Accuracy, Arg) {
  check<Arg>("arg", many<TypeParam>(count), {1, 0}, [](double x, double y, double, double) {
    return Exact{exact_arg(x, y), Real(0.0)};
  });
}

// A component far below its partner may lose bits: such pairs are left out, as math/complex.hpp says.
template <class T> bool balanced(T a, T b) {
  const int limit = sizeof(T) == 8 ? 400 : 32;
  return a == 0 || b == 0 || std::abs(std::ilogb(a) - std::ilogb(b)) < limit;
}

template <class T> std::vector<Point<T>> balanced_points(int n) {
  std::vector<Point<T>> points;
  for (const auto& p : many<T>(n)) {
    if (balanced(p.re, p.im) && balanced(p.re2, p.im2)) points.push_back(p);
  }
  return points;
}

TYPED_TEST(Accuracy, Divide) { check<Divide>("divide", balanced_points<TypeParam>(count), {2, 2}, exact_divide); }

TYPED_TEST(Accuracy, DivideWhereComponentsCancel) {
  ComplexPoints<TypeParam> make;
  std::vector<Point<TypeParam>> points;
  for (int i = 0; i < count; ++i) {
    Point<TypeParam> p = make.point(0);
    // a is near a real or imaginary multiple of b: up to nearly all bits of a component's products cancel.
    const double by_re = static_cast<double>(make.wide(-3, 3));
    const double by_im = by_re * (1 + static_cast<double>(make.wide(4 - std::numeric_limits<TypeParam>::digits, -1)));
    const Point<TypeParam> b = p;
    p.re =
        static_cast<TypeParam>((i & 1) != 0 ? by_re * static_cast<double>(b.re2) : -by_re * static_cast<double>(b.im2));
    p.im =
        static_cast<TypeParam>((i & 1) != 0 ? by_im * static_cast<double>(b.im2) : by_im * static_cast<double>(b.re2));
    points.push_back(p);
  }
  check<Divide>("divide, cancelling", points, {2, 2}, exact_divide);
}

TYPED_TEST(Accuracy, DivideReal) {
  check<DivideReal>("divide, real numerator", balanced_points<TypeParam>(count), {2, 2},
                    [](double x, double, double c, double d) { return exact_divide(x, 0, c, d); });
}

TYPED_TEST(Accuracy, Reciprocal) {
  const auto exact = [](double, double, double c, double d) { return exact_divide(1, 0, c, d); };
  check<Reciprocal>("reciprocal", balanced_points<TypeParam>(count), {2, 2}, exact);
  check<Reciprocal>("reciprocal, any exponent", many<TypeParam>(count), {2, 2}, exact);
}

TYPED_TEST(Accuracy, Sqrt) {
  check<Sqrt>("sqrt", many<TypeParam>(count), {2, 2},
              [](double x, double y, double, double) { return exact_sqrt(x, y); });
}

TYPED_TEST(Accuracy, Log) {
  check<Log>("log", many<TypeParam>(count), {1, 1}, [](double x, double y, double, double) { return exact_log(x, y); });
}

TYPED_TEST(Accuracy, LogOnTheUnitCircle) {
  using T = TypeParam;
  ComplexPoints<T> make;
  std::vector<Point<T>> points;
  for (int i = 0; i < count; ++i) {  // the representable neighbours of the circle: |z|^2 - 1 is a few 2^-53 or less
    const T re = make.wide(-12, -1);
    const auto im = static_cast<T>(std::sqrt((1 - static_cast<double>(re)) * (1 + static_cast<double>(re))));
    points.push_back((i & 1) != 0 ? Point<T>{re, im, 0, 0} : Point<T>{-im, re, 0, 0});
  }
  for (int e = 1; e < 1100; ++e) {
    points.push_back({T(1), static_cast<T>(std::ldexp(1.0, -e)), 0, 0});
    points.push_back({std::nextafter(T(1), T(0)), static_cast<T>(std::ldexp(1.0, -e)), 0, 0});
  }
  // Pythagorean neighbours: re^2 + im^2 is 1 to almost twice the precision.
  const int scale = std::numeric_limits<T>::digits / 2;
  for (int k = 1; k < 400; ++k) {
    const double n = std::ldexp(1.0, scale) - k;
    const double d = n * n + 1;
    points.push_back({static_cast<T>((n * n - 1) / d), static_cast<T>(2 * n / d), 0, 0});
  }
  check<Log>("log, |z| near 1", points, {1, 1}, [](double x, double y, double, double) { return exact_log(x, y); });
}

TYPED_TEST(Accuracy, Exp) {
  using T = TypeParam;
  const bool f64 = sizeof(T) == 8;
  ComplexPoints<T> make;
  std::vector<Point<T>> points;
  for (int i = 0; i < count; ++i) {
    switch (i % 4) {
      case 0: points.push_back({make.between(-5, 5), make.between(-10, 10), 0, 0}); break;
      case 1: points.push_back({make.wide(-40, 6), make.wide(-60, 20), 0, 0}); break;
      case 2:
        points.push_back({f64 ? make.between(-760, 720) : make.between(-110, 95), make.between(-4, 4), 0, 0});
        break;
      default:  // exp(re) overflows, the product need not
        points.push_back({f64 ? make.between(700, 1500) : make.between(85, 200),
                          f64 ? make.wide(-1074, 3) : make.wide(-149, 3), 0, 0});
    }
  }
  check<Exp>("exp", points, {2, 2}, [](double x, double y, double, double) { return exact_exp(x, y); });
}

template <class T> std::vector<Point<T>> pow_points(bool real_base, bool real_exponent) {
  // Exponents of every size up to |w log z| about 700 (f64), 85 (f32).
  const double limit = sizeof(T) == 8 ? 700 : 85;
  ComplexPoints<T> make;
  std::vector<Point<T>> points;
  while (points.size() < static_cast<std::size_t>(count)) {
    Point<T> p = make.point(static_cast<int>(make.bits() % 5));
    if (real_base) p.im = 0;
    const double x = static_cast<double>(p.re);
    const double y = static_cast<double>(p.im);
    const double size = std::hypot(std::log(std::hypot(x, y)), std::atan2(y, x));
    if (!std::isfinite(size) || size == 0) continue;
    const double target = limit * std::ldexp(1.0, -static_cast<int>(make.bits() % 12)) *
                          std::abs(static_cast<double>(make.between(0.5, 1)));
    const double angle = static_cast<double>(make.between(-3.2, 3.2));
    p.re2 = static_cast<T>(target / size * (real_exponent ? ((make.bits() & 1) != 0 ? 1 : -1) : std::cos(angle)));
    p.im2 = real_exponent ? T(0) : static_cast<T>(target / size * std::sin(angle));
    if (std::abs(p.re2) > T(1e30f) || std::abs(p.im2) > T(1e30f)) continue;
    points.push_back(p);
  }
  return points;
}

TYPED_TEST(Accuracy, Pow) {
  check<Pow>("pow", pow_points<TypeParam>(false, false), {4, 4, true}, exact_pow);
  check<PowRealExponent>("pow, real exponent", pow_points<TypeParam>(false, true), {4, 4, true},
                         [](double x, double y, double c, double) { return exact_pow(x, y, c, 0); });
  check<PowRealBase>("pow, real base", pow_points<TypeParam>(true, false), {4, 4, true},
                     [](double x, double, double c, double d) { return exact_pow(x, 0, c, d); });
}

// ---- Special values.

template <class T> class AnnexG : public testing::Test {};
TYPED_TEST_SUITE(AnnexG, Elements);

TYPED_TEST(AnnexG, Exp) {
  const Part any_zero{0, true};
  const Part any_inf{inf, true};
  check_special<Exp, TypeParam>("exp", with_conjugates({
                                           {0.0, 0.0, {1}, {0.0}},
                                           {-0.0, 0.0, {1}, {0.0}},
                                           {2.0, inf, {nan}, {nan}},
                                           {2.0, nan, {nan}, {nan}},
                                           {0.0, nan, {nan}, {nan}},
                                           {inf, 0.0, {inf}, {0.0}},
                                           {-inf, 0.0, {0.0}, {0.0}},
                                           {-inf, 1.0, {0.0}, {0.0}},
                                           {-inf, 2.0, {-0.0}, {0.0}},
                                           {-inf, 4.0, {-0.0}, {-0.0}},
                                           {inf, 1.0, {inf}, {inf}},
                                           {inf, 2.0, {-inf}, {inf}},
                                           {inf, 4.0, {-inf}, {-inf}},
                                           {-inf, inf, any_zero, any_zero},
                                           {inf, inf, any_inf, {nan}},
                                           {-inf, nan, any_zero, any_zero},
                                           {inf, nan, any_inf, {nan}},
                                           {nan, 0.0, {nan}, {0.0}},
                                           {nan, 1.0, {nan}, {nan}},
                                           {nan, inf, {nan}, {nan}},
                                           {nan, nan, {nan}, {nan}},
                                           // A real number stays real.
                                           {1.0, 0.0, {std::exp(1.0)}, {0.0}},
                                           {1e4, 0.0, {inf}, {0.0}},
                                           {-1e4, 0.0, {0.0}, {0.0}},
                                           {-1e4, 2.0, {-0.0}, {0.0}},
                                       }));
}

TYPED_TEST(AnnexG, Log) {
  check_special<Log, TypeParam>("log", with_conjugates({
                                           {-0.0, 0.0, {-inf}, {pi}},
                                           {0.0, 0.0, {-inf}, {0.0}},
                                           {2.0, inf, {inf}, {pi / 2}},
                                           {-2.0, inf, {inf}, {pi / 2}},
                                           {0.0, inf, {inf}, {pi / 2}},
                                           {2.0, nan, {nan}, {nan}},
                                           {0.0, nan, {nan}, {nan}},
                                           {-inf, 2.0, {inf}, {pi}},
                                           {-inf, 0.0, {inf}, {pi}},
                                           {inf, 2.0, {inf}, {0.0}},
                                           {inf, 0.0, {inf}, {0.0}},
                                           {-inf, inf, {inf}, {3 * pi / 4}},
                                           {inf, inf, {inf}, {pi / 4}},
                                           {inf, nan, {inf}, {nan}},
                                           {-inf, nan, {inf}, {nan}},
                                           {nan, 2.0, {nan}, {nan}},
                                           {nan, 0.0, {nan}, {nan}},
                                           {nan, inf, {inf}, {nan}},
                                           {nan, nan, {nan}, {nan}},
                                           // The cut, and the exact zeros of the real part.
                                           {-1.0, 0.0, {0.0}, {pi}},
                                           {1.0, 0.0, {0.0}, {0.0}},
                                           {0.0, 1.0, {0.0}, {pi / 2}},
                                           {-4.0, 0.0, {std::log(4.0)}, {pi}},
                                       }));
}

TYPED_TEST(AnnexG, Sqrt) {
  check_special<Sqrt, TypeParam>("sqrt", with_conjugates({
                                             {0.0, 0.0, {0.0}, {0.0}},
                                             {-0.0, 0.0, {0.0}, {0.0}},
                                             {2.0, inf, {inf}, {inf}},
                                             {-2.0, inf, {inf}, {inf}},
                                             {inf, inf, {inf}, {inf}},
                                             {-inf, inf, {inf}, {inf}},
                                             {nan, inf, {inf}, {inf}},
                                             {2.0, nan, {nan}, {nan}},
                                             {0.0, nan, {nan}, {nan}},
                                             {-inf, 2.0, {0.0}, {inf}},
                                             {-inf, 0.0, {0.0}, {inf}},
                                             {inf, 2.0, {inf}, {0.0}},
                                             {inf, 0.0, {inf}, {0.0}},
                                             {-inf, nan, {nan}, {inf, true}},
                                             {inf, nan, {inf}, {nan}},
                                             {nan, 2.0, {nan}, {nan}},
                                             {nan, 0.0, {nan}, {nan}},
                                             {nan, nan, {nan}, {nan}},
                                             // The cut: continuous with the side the zero is on.
                                             {-4.0, 0.0, {0.0}, {2}},
                                             {4.0, 0.0, {2}, {0.0}},
                                             {0.0, 2.0, {1}, {1}},
                                             {-0.0, 2.0, {1}, {1}},
                                         }));
}

TYPED_TEST(AnnexG, AbsAndArg) {
  const auto both = [](double re, double im, double modulus, double angle) {
    check_special<Abs, TypeParam>("abs", {{re, im, {modulus}, {0.0}},
                                          {re, -im, {modulus}, {0.0}},
                                          {im, re, {modulus}, {0.0}},
                                          {-re, im, {modulus}, {0.0}}});
    check_special<Arg, TypeParam>("arg", {{re, im, {angle}, {0.0}}, {re, -im, {-angle}, {0.0}}});
  };
  both(0.0, 0.0, 0, 0.0);
  both(-0.0, 0.0, 0, pi);
  both(3.0, 4.0, 5, std::atan2(4.0, 3.0));
  both(-3.0, 4.0, 5, std::atan2(4.0, -3.0));
  both(1.0, 0.0, 1, 0.0);
  both(-1.0, 0.0, 1, pi);
  both(0.0, 1.0, 1, pi / 2);
  both(inf, 0.0, inf, 0.0);
  both(inf, 2.0, inf, 0.0);
  both(-inf, 2.0, inf, pi);
  both(2.0, inf, inf, pi / 2);
  both(inf, inf, inf, pi / 4);
  both(-inf, inf, inf, 3 * pi / 4);
  both(inf, nan, inf, nan);
  both(-inf, nan, inf, nan);
  both(nan, inf, inf, nan);
  both(nan, 1.0, nan, nan);
  both(1.0, nan, nan, nan);
  both(nan, nan, nan, nan);
}

TYPED_TEST(AnnexG, DivideRecovers) {
  using T = TypeParam;
  const std::vector<double> parts = {0.0, -0.0, 1.5, -1.5, inf, -inf, nan};
  std::vector<Point<T>> points;
  for (double a : parts)
    for (double b : parts)
      for (double c : parts)
        for (double d : parts)
          points.push_back({static_cast<T>(a), static_cast<T>(b), static_cast<T>(c), static_cast<T>(d)});
  const auto got = values_native<Divide>(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point<T>& p = points[i];
    const Value<T>& r = got[i];
    const bool a_inf = std::isinf(p.re) || std::isinf(p.im);
    const bool b_inf = std::isinf(p.re2) || std::isinf(p.im2);
    const bool a_nan = !a_inf && (std::isnan(p.re) || std::isnan(p.im));
    const bool b_nan = !b_inf && (std::isnan(p.re2) || std::isnan(p.im2));
    const bool b_finite = std::isfinite(p.re2) && std::isfinite(p.im2);
    const bool a_zero = p.re == 0 && p.im == 0;
    const bool b_zero = p.re2 == 0 && p.im2 == 0;
    const bool r_inf = std::isinf(r.re) || std::isinf(r.im);
    const bool r_zero = r.re == 0 && r.im == 0;
    const bool r_nan = std::isnan(r.re) && std::isnan(r.im);
    const auto where = [&] {
      char text[160];
      std::snprintf(text, sizeof text, "(%g, %g) / (%g, %g) = (%g, %g)", static_cast<double>(p.re),
                    static_cast<double>(p.im), static_cast<double>(p.re2), static_cast<double>(p.im2),
                    static_cast<double>(r.re), static_cast<double>(r.im));
      return std::string(text);
    };
    // G.5.1: infinity by finite is an infinity, finite by infinity a zero, non-zero non-NaN by zero an infinity.
    if (a_inf && b_finite) {
      EXPECT_TRUE(r_inf) << where();
    }
    if (std::isfinite(p.re) && std::isfinite(p.im) && b_inf) {
      EXPECT_TRUE(r_zero) << where();
    }
    if (b_zero && !a_zero && !a_nan) {
      EXPECT_TRUE(r_inf) << where();
    }
    if (a_zero && b_zero) {
      EXPECT_TRUE(r_nan) << where();
    }
    if (a_inf && b_inf) {
      EXPECT_TRUE(r_nan) << where();
    }
    if (a_nan && b_finite && !b_zero) {
      EXPECT_TRUE(std::isnan(r.re) || std::isnan(r.im)) << where();
    }
    if (b_nan) {
      EXPECT_TRUE(r_nan) << where();
    }
    // Finite by finite: the plain formula's zeros and their signs.
    if (std::isfinite(p.re) && std::isfinite(p.im) && b_finite && !b_zero) {
      const T re = p.re * p.re2 + p.im * p.im2;
      const T im = p.im * p.re2 - p.re * p.im2;
      EXPECT_TRUE(std::signbit(re) == std::signbit(r.re) && (re == 0) == (r.re == 0)) << where();
      EXPECT_TRUE(std::signbit(im) == std::signbit(r.im) && (im == 0) == (r.im == 0)) << where();
    }
  }
  check_special<DivideReal, T>("real / complex", {
                                                     {1.0, 0, {0.5}, {-0.5}, 1.0, 1.0},
                                                     {1.0, 0, {0.5}, {-0.0}, 2.0, 0.0},
                                                     {1.0, 0, {0.5}, {0.0}, 2.0, -0.0},
                                                     {-1.0, 0, {0.0}, {1}, -0.0, 1.0},
                                                     {0.0, 0, {0.0}, {-0.0}, 2.0, 3.0},
                                                     {1.0, 0, {inf}, {nan}, 0.0, 0.0},
                                                     {-1.0, 0, {-inf}, {nan}, 0.0, 0.0},
                                                     {0.0, 0, {nan}, {nan}, 0.0, 0.0},
                                                     {inf, 0, {inf}, {-inf}, 1.0, 1.0},
                                                     {1.0, 0, {0.0}, {-0.0}, inf, 1.0},
                                                     {1.0, 0, {0.0}, {-0.0}, inf, nan},
                                                     {nan, 0, {nan}, {nan}, 1.0, 1.0},
                                                 });
}

TYPED_TEST(AnnexG, Pow) {
  using T = TypeParam;
  check_special<Pow, T>(
      "pow", {
                 {0.0, 0.0, {1}, {0.0}, 0.0, 0.0},
                 {nan, nan, {1}, {0.0}, 0.0, 0.0},
                 {inf, 1.0, {1}, {0.0}, 0.0, 0.0},
                 {0.0, 0.0, {0.0}, {0.0}, 2.5, 0.0},
                 {0.0, -0.0, {0.0}, {0.0}, 2.5, 7.0},
                 {0.0, 0.0, {inf}, {nan}, -1.0, 0.0},
                 {0.0, 0.0, {nan}, {nan}, 0.0, 1.0},
                 {0.0, 0.0, {nan}, {nan}, nan, 0.0},
                 {4.0, 0.0, {32}, {0.0}, 2.5, 0.0},
                 {4.0, -0.0, {32}, {0.0}, 2.5, 0.0},  // 2.5 (-0) + 0 log 4 is +0: w = 2.5 + 0i is not the real number
                 {inf, 0.0, {inf}, {0.0}, 2.5, 0.0},
                 {inf, 0.0, {0.0}, {0.0}, -2.5, 0.0},
                 {1.0, 0.0, {1}, {0.0}, inf, 0.0},
                 {0.5, 0.0, {0.0}, {0.0}, inf, 0.0},
                 {nan, 0.0, {nan}, {nan}, 1.0, 0.0},
                 {2.0, 0.0, {nan}, {nan}, nan, 0.0},
                 {2.0, 1.0, {nan}, {nan}, 1.0, nan},
             });
  check_special<PowRealExponent, T>("pow, real exponent", {
                                                              {4.0, 0.0, {32}, {0.0}, 2.5, 0},
                                                              {4.0, -0.0, {32}, {-0.0}, 2.5, 0},
                                                              {-1.0, 0.0, {0.0, true}, {1}, 0.5, 0},
                                                              {-1.0, -0.0, {0.0, true}, {-1}, 0.5, 0},
                                                              {0.0, 0.0, {1}, {0.0}, 0.0, 0},
                                                              {0.0, 0.0, {0.0}, {0.0}, 0.5, 0},
                                                              {nan, nan, {1}, {0.0}, 0.0, 0},
                                                          });
  check_special<PowRealBase, T>("pow, real base", {
                                                      {4.0, 0, {32}, {0.0}, 2.5, 0.0},
                                                      {-1.0, 0, {0.0, true}, {1}, 0.5, 0.0},
                                                      {0.0, 0, {1}, {0.0}, 0.0, 0.0},
                                                      {-0.0, 0, {0.0}, {0.0}, 2.0, 1.0},
                                                      {inf, 0, {inf}, {0.0}, 2.0, 0.0},
                                                      {nan, 0, {nan}, {nan}, 2.0, 0.0},
                                                  });
}

// ---- No spurious overflow or underflow: exact cases at both ends of the range.

TYPED_TEST(AnnexG, EndsOfTheRange) {
  using T = TypeParam;
  using L = std::numeric_limits<T>;
  const auto pow2 = [](int e) { return std::ldexp(1.0, e); };
  const int top = L::max_exponent - 3;
  const int bottom = L::min_exponent - L::digits;  // of the smallest subnormal
  for (int e : {top, bottom, bottom + 5, L::min_exponent, 0, top / 2, bottom / 2}) {
    const double s = pow2(e);
    check_special<Abs, T>("abs",
                          {{3 * s, 4 * s, {5 * s}, {0.0}}, {-4 * s, 3 * s, {5 * s}, {0.0}}, {s, 0.0, {s}, {0.0}}});
    check_special<Divide, T>("divide", {{3 * s, 4 * s, {1}, {0.0}, 3 * s, 4 * s},
                                        {2 * s, 6 * s, {4}, {2}, s, s},
                                        {2 * s, -6 * s, {4}, {-2}, s, -s},
                                        {4 * s, 0.0, {4 * s}, {0.0}, 1.0, 0.0},
                                        {0.0, 0.0, {0.0}, {0.0}, s, s}});
    check_special<Log, T>("log", {{s, 0.0, {e * std::log(2.0)}, {0.0}}, {0.0, -s, {e * std::log(2.0)}, {-pi / 2}}});
    const double half = pow2(e / 2);
    check_special<Sqrt, T>("sqrt", {{-half * half, 0.0, {0.0}, {half}}, {half * half, -0.0, {half}, {-0.0}}});
  }
  check_special<Divide, T>("divide", {{pow2(top), pow2(top), {inf}, {0.0}, pow2(bottom), pow2(bottom)},
                                      {pow2(bottom), pow2(bottom), {0.0}, {0.0}, pow2(top), pow2(top)}});
}

// Infinities, zeros and NaN as the division of 1.
TYPED_TEST(AnnexG, ReciprocalIsOneOver) {
  using T = TypeParam;
  std::vector<Point<T>> points;
  const double least = static_cast<double>(std::numeric_limits<T>::denorm_min());
  for (double c : {0.0, -0.0, 1.0, -2.5, inf, -inf, nan, least, -least}) {
    for (double d : {0.0, -0.0, 1.0, -2.5, inf, -inf, nan, least, -least}) {
      points.push_back({T(1), T(0), static_cast<T>(c), static_cast<T>(d)});
    }
  }
  const auto want = values_native<DivideReal>(points);
  const auto got = values_native<Reciprocal>(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto as = [](T x, T y) {
      return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
    };
    // Finite and ordinary parts have a budget of their own.
    if (std::isfinite(want[i].re) && std::isfinite(want[i].im) && want[i].re != 0 && want[i].im != 0) continue;
    EXPECT_TRUE((as(got[i].re, want[i].re) || (std::isfinite(want[i].re) && want[i].re != 0)) &&
                (as(got[i].im, want[i].im) || (std::isfinite(want[i].im) && want[i].im != 0)))
        << "1 / (" << points[i].re2 << ", " << points[i].im2 << ") is (" << got[i].re << ", " << got[i].im << "), not ("
        << want[i].re << ", " << want[i].im << ")";
  }
}

template <class T> class SameBits : public testing::Test {};
TYPED_TEST_SUITE(SameBits, Elements);

TYPED_TEST(SameBits, EveryWidthAndPosition) {
  using T = TypeParam;
  std::vector<Point<T>> points = many<T>(500);
  const std::vector<double> parts = {0.0, -0.0, 1.0, -2.5, inf, -inf, nan, 1e-40, 1e38};
  for (double a : parts)
    for (double b : parts) {
      points.push_back({static_cast<T>(a), static_cast<T>(b), T(0.75), T(-2)});
      points.push_back({T(0.75), T(-2), static_cast<T>(a), static_cast<T>(b)});
      points.push_back({static_cast<T>(inf), static_cast<T>(nan), static_cast<T>(a), static_cast<T>(b)});
      points.push_back({static_cast<T>(a), static_cast<T>(b), static_cast<T>(nan), static_cast<T>(-inf)});
    }
  check_widths<Abs>("abs", points);
  check_widths<Arg>("arg", points);
  check_widths<Exp>("exp", points);
  check_widths<Log>("log", points);
  check_widths<Sqrt>("sqrt", points);
  check_widths<Divide>("divide", points);
  check_widths<DivideReal>("divide, real numerator", points);
  check_widths<Reciprocal>("reciprocal", points);
  check_widths<Pow>("pow", points);
  check_widths<PowRealExponent>("pow, real exponent", points);
  check_widths<PowRealBase>("pow, real base", points);
}

}  // namespace
}  // namespace frit::test
