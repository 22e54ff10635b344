// sign(z) = z / |z| where |z| has few bits or none: zeros, axes, subnormal and huge numbers, through the public API.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "frit/frit.hpp"

namespace frit {
namespace {

template <class T> void check(std::complex<T> z, std::complex<double> expected) {
  const Model model = Model::parse("sign(Symbol('z'))");
  const std::vector<std::complex<T>> values(3, z);
  const Columns columns = Columns().add("z", values);
  const Engine engine;
  for (const Mode mode : {Mode::eager, Mode::graph}) {
    const Function f = engine.bind(model, Signature::of(columns, {}),
                                   {.mode = mode, .dtype = sizeof(T) == 8 ? DType::f64 : DType::f32});
    const Result result = f(columns, {});
    const std::complex<T> y = result.values<std::complex<T>>(0)[1];
    const double ulp = std::numeric_limits<T>::epsilon();
    EXPECT_NEAR(y.real(), expected.real(), 2 * ulp) << z << ", mode " << name_of(mode);
    EXPECT_NEAR(y.imag(), expected.imag(), 2 * ulp) << z << ", mode " << name_of(mode);
  }
}

template <class T> void check_all() {
  using Limits = std::numeric_limits<T>;
  const double diagonal = std::sqrt(0.5);
  for (const T re : {T(0), T(-0.0)}) {
    for (const T im : {T(0), T(-0.0)}) check<T>({re, im}, {0, 0});
    check<T>({re, T(2)}, {0, 1});
    check<T>({re, T(-2)}, {0, -1});
    check<T>({T(2), re}, {1, 0});
    check<T>({T(-2), re}, {-1, 0});
  }
  for (const T size : {Limits::denorm_min(), Limits::min() / 8, Limits::min(), T(1), Limits::max()}) {
    check<T>({size, size}, {diagonal, diagonal});
    check<T>({-size, size}, {-diagonal, diagonal});
    check<T>({size, T(0)}, {1, 0});
    check<T>({T(0), -size}, {0, -1});
  }
  check<T>({T(3) * Limits::denorm_min(), T(4) * Limits::denorm_min()}, {0.6, 0.8});
}

TEST(ComplexSign, F64) { check_all<double>(); }
TEST(ComplexSign, F32) { check_all<float>(); }

}  // namespace
}  // namespace frit
