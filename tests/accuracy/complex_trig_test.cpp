// sinh, cosh, tanh, sin, cos and tan of complex numbers against MPFR: each component where it is near a zero, where it overflows
// or underflows while its factors do so earlier, and beside the poles; the special values of C99 Annex G (tanh as C17 has it); the
// symmetries, on all pairs of special parts; the same bits at every width and position.
#include <algorithm>

#include "math/complex_trig.hpp"
#include "support/complex.hpp"

namespace frit::test {
namespace {

COMPLEX_FUNCTION(Sinh, sinh);
COMPLEX_FUNCTION(Cosh, cosh);
COMPLEX_FUNCTION(Tanh, tanh);
COMPLEX_FUNCTION(Sin, sin);
COMPLEX_FUNCTION(Cos, cos);
COMPLEX_FUNCTION(Tan, tan);

// ---- Points (exponent, angle) for the hyperbolic functions; the parts exchanged for the circular ones.

template <class T> std::vector<Point<T>> ordinary_points() {
  ComplexPoints<T> make;
  std::vector<Point<T>> points;
  for (int i = 0; i < count; ++i) {
    switch (i % 4) {
      case 0: points.push_back({make.between(-3, 3), make.between(-10, 10), 0, 0}); break;
      case 1: points.push_back({make.wide(-30, 4), make.wide(-40, 40), 0, 0}); break;
      case 2: points.push_back({make.any(), make.any(), 0, 0}); break;
      // Where the quotient by ln 2 changes.
      default:
        points.push_back(
            {static_cast<T>((static_cast<int>(make.bits() % 80) - 40 + 0.5) * std::log(2.0)) + make.wide(-40, -8),
             make.between(-4, 4), 0, 0});
    }
  }
  return points;
}

// A zero of the sine or cosine, or a pole of tanh: y near a multiple of pi/2, x of any size up to 1.
template <class T> std::vector<Point<T>> points_at_zeros() {
  ComplexPoints<T> make;
  std::vector<Point<T>> points;
  for (int i = 0; i < count; ++i) {
    const int limit = i % 2 == 0 ? 16 : 100000;
    const double turns = static_cast<double>(make.bits() % static_cast<unsigned>(limit)) * (pi / 2);
    T y = static_cast<T>((make.bits() & 1) != 0 ? turns : -turns);
    if (i % 3 == 0) y += make.wide(-30, -4) * std::max(T(1), std::abs(y)) / T(64);
    points.push_back({i % 5 == 0 ? make.any() : make.wide(-60, 0), y, 0, 0});
  }
  return points;
}

// |x| where exp(x), its square or its inverse leave the range, the angle of any size down to the smallest.
template <class T> std::vector<Point<T>> points_at_ends() {
  const bool f64 = sizeof(T) == 8;
  ComplexPoints<T> make;
  std::vector<Point<T>> points;
  for (int i = 0; i < count; ++i) {
    const double most = f64 ? 1500 : 220;
    T x = make.between(0, most);
    if (i % 3 == 0) x = f64 ? make.between(280, 400) : make.between(35, 60);
    if (i % 3 == 1) x = f64 ? make.between(690, 720) : make.between(80, 95);
    const T y = i % 2 == 0 ? make.any() : make.between(-4, 4);
    points.push_back({(make.bits() & 1) != 0 ? x : -x, y, 0, 0});
  }
  return points;
}

template <class T> class Accuracy : public testing::Test {
 protected:
  template <class F> static void everywhere(Exact (*exact_value)(const Real&, const Real&)) {
    const auto exact = [&](double x, double y, double, double) { return exact_value(x, y); };
    check<F>(F::name, ordinary_points<T>(), {2, 2}, exact);
    check<F>((std::string(F::name) + ", zeros").c_str(), points_at_zeros<T>(), {2, 2}, exact);
    check<F>((std::string(F::name) + ", ends").c_str(), points_at_ends<T>(), {2, 2}, exact);
  }
};
using Elements = testing::Types<double, float>;
TYPED_TEST_SUITE(Accuracy, Elements);

TYPED_TEST(Accuracy, Sinh) { TestFixture::template everywhere<Sinh>(oracle::exact_sinh); }
TYPED_TEST(Accuracy, Cosh) { TestFixture::template everywhere<Cosh>(oracle::exact_cosh); }
TYPED_TEST(Accuracy, Tanh) { TestFixture::template everywhere<Tanh>(oracle::exact_tanh); }

// sin z = -i sinh(i z), cos z = cosh(i z), tan z = -i tanh(i z), bit for bit.
TYPED_TEST(Accuracy, CircularFunctionsAreTheHyperbolicOnesTurned) {
  using T = TypeParam;
  for (const auto& points : {ordinary_points<T>(), points_at_zeros<T>(), points_at_ends<T>()}) {
    check_exchanged<Sin, Sinh>(points);
    check_exchanged<Tan, Tanh>(points);
    check_turned<Cos, Cosh>(points, true, [](Point<T>, Value<T> v) { return Value<T>{v.re, -v.im}; });
  }
}

// ---- Special values.

template <class T> class AnnexG : public testing::Test {};
TYPED_TEST_SUITE(AnnexG, Elements);

constexpr Part any_zero{0, true}, any_inf{inf, true};

TYPED_TEST(AnnexG, Sinh) {
  check_special<Sinh, TypeParam>("sinh", with_conjugates({
                                             {0.0, 0.0, {0.0}, {0.0}},
                                             {-0.0, 0.0, {-0.0}, {0.0}},
                                             {0.0, inf, any_zero, {nan}},
                                             {0.0, nan, any_zero, {nan}},
                                             {2.0, inf, {nan}, {nan}},
                                             {2.0, nan, {nan}, {nan}},
                                             {inf, 0.0, {inf}, {0.0}},
                                             {-inf, 0.0, {-inf}, {0.0}},
                                             {inf, 1.0, {inf}, {inf}},
                                             {inf, 2.0, {-inf}, {inf}},
                                             {inf, 4.0, {-inf}, {-inf}},
                                             {-inf, 2.0, {inf}, {inf}},
                                             {inf, inf, any_inf, {nan}},
                                             {inf, nan, any_inf, {nan}},
                                             {nan, 0.0, {nan}, {0.0}},
                                             {nan, 1.0, {nan}, {nan}},
                                             {nan, inf, {nan}, {nan}},
                                             {nan, nan, {nan}, {nan}},
                                             {1.0, 0.0, {std::sinh(1.0)}, {0.0}},
                                             {0.0, 2.0, {-0.0}, {std::sin(2.0)}},
                                             {1e4, 0.0, {inf}, {0.0}},
                                             {-1e4, 2.0, {inf}, {inf}},
                                         }));
}

TYPED_TEST(AnnexG, Cosh) {
  check_special<Cosh, TypeParam>("cosh", with_conjugates({
                                             {0.0, 0.0, {1}, {0.0}},
                                             {-0.0, 0.0, {1}, {-0.0}},
                                             {0.0, inf, {nan}, any_zero},
                                             {0.0, nan, {nan}, any_zero},
                                             {2.0, inf, {nan}, {nan}},
                                             {2.0, nan, {nan}, {nan}},
                                             {inf, 0.0, {inf}, {0.0}},
                                             {-inf, 0.0, {inf}, {-0.0}},
                                             {inf, 1.0, {inf}, {inf}},
                                             {inf, 2.0, {-inf}, {inf}},
                                             {inf, 4.0, {-inf}, {-inf}},
                                             {-inf, 2.0, {-inf}, {-inf}},
                                             {inf, inf, any_inf, {nan}},
                                             {inf, nan, {inf}, {nan}},
                                             {nan, 0.0, {nan}, any_zero},
                                             {nan, 1.0, {nan}, {nan}},
                                             {nan, inf, {nan}, {nan}},
                                             {nan, nan, {nan}, {nan}},
                                             {1.0, 0.0, {std::cosh(1.0)}, {0.0}},
                                             {0.0, 2.0, {std::cos(2.0)}, {0.0}},
                                             {1e4, -0.0, {inf}, {-0.0}},
                                         }));
}

TYPED_TEST(AnnexG, Tanh) {
  check_special<Tanh, TypeParam>("tanh", with_conjugates({
                                             {0.0, 0.0, {0.0}, {0.0}},
                                             {-0.0, 0.0, {-0.0}, {0.0}},
                                             {0.0, inf, {0.0}, {nan}},
                                             {0.0, nan, {0.0}, {nan}},
                                             {2.0, inf, {nan}, {nan}},
                                             {2.0, nan, {nan}, {nan}},
                                             {inf, 0.0, {1}, {0.0}},
                                             {inf, 1.0, {1}, {0.0}},
                                             {inf, 2.0, {1}, {-0.0}},
                                             {-inf, 4.0, {-1}, {0.0}},
                                             {inf, inf, {1}, any_zero},
                                             {inf, nan, {1}, any_zero},
                                             {nan, 0.0, {nan}, {0.0}},
                                             {nan, 1.0, {nan}, {nan}},
                                             {nan, inf, {nan}, {nan}},
                                             {nan, nan, {nan}, {nan}},
                                             {1.0, 0.0, {std::tanh(1.0)}, {0.0}},
                                             {0.0, 2.0, {0.0}, {std::tan(2.0)}},
                                             {-1e4, 2.0, {-1}, {-0.0}},
                                             {1e4, -0.0, {1}, {-0.0}},
                                         }));
}

TYPED_TEST(AnnexG, Symmetries) {
  // A sign is open where a part is a NaN, and where an infinite angle leaves none.
  const auto open = [](Point<TypeParam> p) { return !std::isfinite(p.im) || std::isnan(p.re); };
  check_symmetry<Sinh, TypeParam>(Parity::odd, open);
  check_symmetry<Cosh, TypeParam>(Parity::even, open);
  check_symmetry<Tanh, TypeParam>(Parity::odd, open);
}

TYPED_TEST(AnnexG, SinAndCosOfRealNumbers) {
  check_special<Sin, TypeParam>("sin", {{1.0, 0.0, {std::sin(1.0)}, {0.0}}, {2.0, -0.0, {std::sin(2.0)}, {0.0}}});
  check_special<Cos, TypeParam>("cos", {{1.0, 0.0, {std::cos(1.0)}, {-0.0}}, {0.0, 0.0, {1}, {-0.0}}});
  check_special<Tan, TypeParam>("tan", {{1.0, 0.0, {std::tan(1.0)}, {0.0}}, {1.0, inf, {0.0}, {1}}});
}

template <class T> class SameBits : public testing::Test {};
TYPED_TEST_SUITE(SameBits, Elements);

TYPED_TEST(SameBits, EveryWidthAndPosition) {
  auto points = ordinary_points<TypeParam>();
  points.resize(400);
  const auto special = pairs_of_special_parts<TypeParam>();
  points.insert(points.end(), special.begin(), special.end());
  check_widths<Sinh>("sinh", points);
  check_widths<Cosh>("cosh", points);
  check_widths<Tanh>("tanh", points);
}

}  // namespace
}  // namespace frit::test
