// asin, acos, asinh, acosh, atan and atanh of complex numbers against MPFR: each component everywhere, at the branch points, along
// the cuts and near the unit circle; the special values of C99 Annex G; the sides of the cuts by the sign of zero; the
// symmetries; the same bits at every width and position.
#include <algorithm>

#include "math/complex_inverse.hpp"
#include "support/complex.hpp"

namespace frit::test {
namespace {

COMPLEX_FUNCTION(Asin, asin);
COMPLEX_FUNCTION(Acos, acos);
COMPLEX_FUNCTION(Acosh, acosh);
COMPLEX_FUNCTION(Asinh, asinh);
COMPLEX_FUNCTION(Atanh, atanh);
COMPLEX_FUNCTION(Atan, atan);

constexpr int points_each = count / 2;

// ---- Points for asin, acos, acosh and atanh, whose branch points are +-1.

// At the branch points, from either side, at any distance.
template <class T> std::vector<Point<T>> points_at_branch_points() {
  ComplexPoints<T> make;
  std::vector<Point<T>> points;
  for (int i = 0; i < points_each; ++i) {
    T x = 1 + make.wide(-std::numeric_limits<T>::digits - 2, -2);
    if (i % 4 == 0) x = 1;
    const T y = i % 2 == 0 ? make.any() : make.wide(-60, -2);
    points.push_back({i % 3 == 0 ? -x : x, y, 0, 0});
  }
  return points;
}

// Along the real and the imaginary axis, which the cuts are on, and the axes themselves.
template <class T> std::vector<Point<T>> points_at_axes() {
  ComplexPoints<T> make;
  std::vector<Point<T>> points;
  for (int i = 0; i < points_each; ++i) {
    const T along = i % 2 == 0 ? make.wide(-4, 4) : make.any();
    T across = i % 3 == 0 ? make.any() : make.wide(-80, -10);
    if (i % 5 == 0) across = i % 2 == 0 ? T(0) : -T(0);
    points.push_back(i % 7 < 4 ? Point<T>{along, across, 0, 0} : Point<T>{across, along, 0, 0});
  }
  return points;
}

// Representable neighbours of the unit circle, where k = |z|^2 - 1 loses all bits but those of its exact square.
template <class T> std::vector<Point<T>> points_at_unit_circle() {
  ComplexPoints<T> make;
  std::vector<Point<T>> points;
  for (int i = 0; i < points_each; ++i) {
    const T small = make.wide(-30, -1);
    const auto large = static_cast<T>(std::sqrt((1 - static_cast<double>(small)) * (1 + static_cast<double>(small))));
    const T off = i % 2 == 0 ? large : large * (1 + make.wide(-std::numeric_limits<T>::digits, -8));
    points.push_back(i % 3 == 0 ? Point<T>{small, off, 0, 0} : Point<T>{off, small, 0, 0});
  }
  return points;
}

// Where the quotient of squares in atanh crosses from one power of two to the next, and where the plain forms end.
template <class T> std::vector<Point<T>> points_at_limits() {
  const bool f64 = sizeof(T) == 8;
  ComplexPoints<T> make;
  std::vector<Point<T>> points;
  for (int i = 0; i < points_each; ++i) {
    if (i % 2 == 0) {
      const double n = static_cast<double>(make.bits() % 16) + 0.5,
                   ratio = std::exp2(n) * (1 + static_cast<double>(make.wide(-20, -4)));
      const double x = (std::sqrt(ratio) - 1) / (std::sqrt(ratio) + 1);
      points.push_back({static_cast<T>(x), make.wide(-60, -4), 0, 0});
    } else {
      const int e = f64 ? 250 : 30;
      points.push_back({make.wide(e - 3, e + 3), make.wide(e - 3, e + 3), 0, 0});
      if (i % 4 == 1) points.back() = {T(1), make.wide(f64 ? -104 : -44, f64 ? -96 : -36), 0, 0};
    }
  }
  return points;
}

template <class T> class Accuracy : public testing::Test {
 protected:
  template <class F> static void everywhere(Exact (*exact_value)(const Real&, const Real&)) {
    const auto exact = [&](double x, double y, double, double) { return exact_value(x, y); };
    const auto at = [&](const char* where, const std::vector<Point<T>>& points) {
      check<F>((std::string(F::name) + where).c_str(), points, {2, 2}, exact);
    };
    at("", many<T>(points_each));
    at(", branch points", points_at_branch_points<T>());
    at(", axes", points_at_axes<T>());
    at(", unit circle", points_at_unit_circle<T>());
    at(", limits", points_at_limits<T>());
  }
};
using Elements = testing::Types<double, float>;
TYPED_TEST_SUITE(Accuracy, Elements);

TYPED_TEST(Accuracy, Asin) { TestFixture::template everywhere<Asin>(oracle::exact_asin); }
TYPED_TEST(Accuracy, Acos) { TestFixture::template everywhere<Acos>(oracle::exact_acos); }
TYPED_TEST(Accuracy, Atanh) { TestFixture::template everywhere<Atanh>(oracle::exact_atanh); }

// asinh z = -i asin(i z), atan z = -i atanh(i z), acosh z = i acos z or -i acos z, bit for bit.
TYPED_TEST(Accuracy, TheOthersAreTheseTurned) {
  using T = TypeParam;
  for (const auto& points : {many<T>(count), points_at_branch_points<T>(), points_at_axes<T>()}) {
    check_exchanged<Asinh, Asin>(points);
    check_exchanged<Atan, Atanh>(points);
    check_turned<Acosh, Acos>(points, false, [](Point<T> p, Value<T> v) {
      return Value<T>{std::abs(v.im), std::isnan(p.im) ? v.re : std::copysign(v.re, p.im)};
    });
  }
}

// ---- Special values.

template <class T> class AnnexG : public testing::Test {};
TYPED_TEST_SUITE(AnnexG, Elements);

constexpr Part any_zero{0, true}, any_inf{inf, true};

TYPED_TEST(AnnexG, Acos) {
  check_special<Acos, TypeParam>("acos", with_conjugates({
                                             {0.0, 0.0, {pi / 2}, {-0.0}},
                                             {-0.0, 0.0, {pi / 2}, {-0.0}},
                                             {0.0, nan, {pi / 2}, {nan}},
                                             {-0.0, nan, {pi / 2}, {nan}},
                                             {2.0, inf, {pi / 2}, {-inf}},
                                             {-2.0, inf, {pi / 2}, {-inf}},
                                             {2.0, nan, {nan}, {nan}},
                                             {-inf, 2.0, {pi}, {-inf}},
                                             {-inf, 0.0, {pi}, {-inf}},
                                             {inf, 2.0, {0.0}, {-inf}},
                                             {inf, 0.0, {0.0}, {-inf}},
                                             {-inf, inf, {3 * pi / 4}, {-inf}},
                                             {inf, inf, {pi / 4}, {-inf}},
                                             {inf, nan, {nan}, any_inf},
                                             {-inf, nan, {nan}, any_inf},
                                             {nan, 0.0, {nan}, {nan}},
                                             {nan, 2.0, {nan}, {nan}},
                                             {nan, inf, {nan}, {-inf}},
                                             {nan, nan, {nan}, {nan}},
                                             // The ends of the cuts, and their sides.
                                             {1.0, 0.0, {0.0}, {-0.0}},
                                             {-1.0, 0.0, {pi}, {-0.0}},
                                             {2.0, 0.0, {0.0}, {-std::acosh(2.0)}},
                                             {-2.0, 0.0, {pi}, {-std::acosh(2.0)}},
                                             {0.5, 0.0, {std::acos(0.5)}, {-0.0}},
                                             {-0.5, 0.0, {std::acos(-0.5)}, {-0.0}},
                                         }));
}

TYPED_TEST(AnnexG, Acosh) {
  check_special<Acosh, TypeParam>("acosh", with_conjugates({
                                               {0.0, 0.0, {0.0}, {pi / 2}},
                                               {-0.0, 0.0, {0.0}, {pi / 2}},
                                               {2.0, inf, {inf}, {pi / 2}},
                                               {0.0, nan, {nan}, {pi / 2, true}},
                                               {2.0, nan, {nan}, {nan}},
                                               {-inf, 2.0, {inf}, {pi}},
                                               {inf, 2.0, {inf}, {0.0}},
                                               {-inf, inf, {inf}, {3 * pi / 4}},
                                               {inf, inf, {inf}, {pi / 4}},
                                               {inf, nan, {inf}, {nan}},
                                               {-inf, nan, {inf}, {nan}},
                                               {nan, 2.0, {nan}, {nan}},
                                               {nan, inf, {inf}, {nan}},
                                               {nan, nan, {nan}, {nan}},
                                               {1.0, 0.0, {0.0}, {0.0}},
                                               {2.0, 0.0, {std::acosh(2.0)}, {0.0}},
                                               {-2.0, 0.0, {std::acosh(2.0)}, {pi}},
                                               {0.5, 0.0, {0.0}, {std::acos(0.5)}},
                                           }));
}

TYPED_TEST(AnnexG, Asinh) {
  check_special<Asinh, TypeParam>("asinh", with_conjugates({
                                               {0.0, 0.0, {0.0}, {0.0}},
                                               {-0.0, 0.0, {-0.0}, {0.0}},
                                               {2.0, inf, {inf}, {pi / 2}},
                                               {2.0, nan, {nan}, {nan}},
                                               {0.0, nan, {nan}, {nan}},
                                               {inf, 2.0, {inf}, {0.0}},
                                               {-inf, 2.0, {-inf}, {0.0}},
                                               {inf, inf, {inf}, {pi / 4}},
                                               {inf, nan, {inf}, {nan}},
                                               {nan, 0.0, {nan}, {0.0}},
                                               {nan, 2.0, {nan}, {nan}},
                                               {nan, inf, any_inf, {nan}},
                                               {nan, nan, {nan}, {nan}},
                                               {2.0, 0.0, {std::asinh(2.0)}, {0.0}},
                                               // The cut: the sign of the zero is the side.
                                               {0.0, 2.0, {std::acosh(2.0)}, {pi / 2}},
                                               {-0.0, 2.0, {-std::acosh(2.0)}, {pi / 2}},
                                               {0.0, 1.0, {0.0}, {pi / 2}},
                                               {-0.0, 1.0, {-0.0}, {pi / 2}},
                                               {0.0, 0.5, {0.0}, {std::asin(0.5)}},
                                           }));
}

TYPED_TEST(AnnexG, Atanh) {
  check_special<Atanh, TypeParam>("atanh", with_conjugates({
                                               {0.0, 0.0, {0.0}, {0.0}},
                                               {-0.0, 0.0, {-0.0}, {0.0}},
                                               {0.0, nan, {0.0}, {nan}},
                                               {1.0, 0.0, {inf}, {0.0}},
                                               {-1.0, 0.0, {-inf}, {0.0}},
                                               {2.0, inf, {0.0}, {pi / 2}},
                                               {-2.0, inf, {-0.0}, {pi / 2}},
                                               {2.0, nan, {nan}, {nan}},
                                               {inf, 2.0, {0.0}, {pi / 2}},
                                               {inf, 0.0, {0.0}, {pi / 2}},
                                               {-inf, 0.0, {-0.0}, {pi / 2}},
                                               {inf, inf, {0.0}, {pi / 2}},
                                               {inf, nan, {0.0}, {nan}},
                                               {nan, 2.0, {nan}, {nan}},
                                               {nan, 0.0, {nan}, {nan}},
                                               {nan, inf, any_zero, {pi / 2}},
                                               {nan, nan, {nan}, {nan}},
                                               {0.5, 0.0, {std::atanh(0.5)}, {0.0}},
                                               {2.0, 0.0, {std::atanh(0.5)}, {pi / 2}},
                                               {-2.0, 0.0, {-std::atanh(0.5)}, {pi / 2}},
                                           }));
}

TYPED_TEST(AnnexG, AsinAndAtanAlongTheAxes) {
  check_special<Asin, TypeParam>("asin", with_conjugates({
                                             {0.5, 0.0, {std::asin(0.5)}, {0.0}},
                                             {1.0, 0.0, {pi / 2}, {0.0}},
                                             {2.0, 0.0, {pi / 2}, {std::acosh(2.0)}},
                                             {-2.0, 0.0, {-pi / 2}, {std::acosh(2.0)}},
                                             {0.0, 2.0, {0.0}, {std::asinh(2.0)}},
                                             {-0.0, 2.0, {-0.0}, {std::asinh(2.0)}},
                                             {0.0, nan, {0.0}, {nan}},
                                         }));
  check_special<Atan, TypeParam>("atan", with_conjugates({
                                             {0.5, 0.0, {std::atan(0.5)}, {0.0}},
                                             {2.0, 0.0, {std::atan(2.0)}, {0.0}},
                                             {0.0, 1.0, {0.0}, {inf}},
                                             {0.0, 2.0, {pi / 2}, {std::atanh(0.5)}},
                                             {-0.0, 2.0, {-pi / 2}, {std::atanh(0.5)}},
                                             {nan, 0.0, {nan}, {0.0}},
                                             {inf, 0.0, {pi / 2}, {0.0}},
                                         }));
}

TYPED_TEST(AnnexG, Symmetries) {
  const auto open = [](Point<TypeParam> p) { return std::isnan(p.re) || std::isnan(p.im); };
  check_symmetry<Asin, TypeParam>(Parity::odd, open);
  check_symmetry<Acos, TypeParam>(Parity::none, open);
  check_symmetry<Atanh, TypeParam>(Parity::odd, open);
}

template <class T> class SameBits : public testing::Test {};
TYPED_TEST_SUITE(SameBits, Elements);

TYPED_TEST(SameBits, EveryWidthAndPosition) {
  auto points = many<TypeParam>(400);
  const auto special = pairs_of_special_parts<TypeParam>();
  points.insert(points.end(), special.begin(), special.end());
  check_widths<Asin>("asin", points);
  check_widths<Acos>("acos", points);
  check_widths<Atanh>("atanh", points);
}

}  // namespace
}  // namespace frit::test
