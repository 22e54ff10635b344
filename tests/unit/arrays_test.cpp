// Arrays: views, shapes, promotion and element-wise operations, against plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "frit/frit.hpp"
#include "support/same.hpp"

namespace frit {
namespace {

Engine& engine() {
  static Engine one({.threads = 2});
  return one;
}

std::vector<double> counting(std::int64_t n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

Array ascending(std::vector<std::int64_t> shape) {
  std::int64_t n = 1;
  for (const std::int64_t extent : shape) n *= extent;
  return array(engine(), counting(n).data(), DType::f64, shape);
}

std::vector<std::int64_t> numbers(const std::vector<Extent>& shape) { return {shape.begin(), shape.end()}; }
using Shape = std::vector<std::int64_t>;
using Values = std::vector<double>;

// Every bound, also absent ones, beyond the ends and negative, by every step: as Python slices a range.
TEST(Arrays, SlicesAreThoseOfPython) {
  for (std::int64_t n = 0; n <= 5; ++n) {
    const Array x = ascending({n});
    for (int start = -8; start <= 8; ++start) {
      for (int stop = -8; stop <= 8; ++stop) {
        for (const std::int64_t step : {1, 2, 3, 7, -1, -2, -7}) {
          Slice slice{.step = step};
          if (start != -8) slice.start = start;
          if (stop != -8) slice.stop = stop;
          // slice.indices(n) of Python.
          const auto clamp = [&](std::int64_t i, std::int64_t low, std::int64_t high) {
            if (i < 0) i = std::max(i + n, low);
            return std::min(i, high);
          };
          const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
          const std::int64_t first = slice.start ? clamp(*slice.start, low, high) : step > 0 ? 0 : n - 1;
          const std::int64_t last = slice.stop ? clamp(*slice.stop, low, high) : step > 0 ? n : -1;
          Values want;
          for (std::int64_t i = first; step > 0 ? i < last : i > last; i += step)
            want.push_back(static_cast<double>(i));
          EXPECT_EQ(x.slice(0, slice).values<double>(), want) << n << ": " << start << ", " << stop << ", " << step;
        }
      }
    }
  }
}

TEST(Arrays, ViewsOfViews) {
  const Array x = ascending({2, 3, 4});
  EXPECT_EQ(numbers(x.shape()), (Shape{2, 3, 4}));
  const Array t = x.transpose({2, 0, 1});
  EXPECT_EQ(numbers(t.shape()), (Shape{4, 2, 3}));
  EXPECT_EQ(t.index(0, 1).values<double>(), (Values{1, 5, 9, 13, 17, 21}));
  EXPECT_EQ(t.index(0, -1).index(1, 2).values<double>(), (Values{11, 23}));
  EXPECT_EQ(x.slice(2, {.step = -2}).index(0, 0).index(0, 0).values<double>(), (Values{3, 1}));
  EXPECT_EQ(x.transpose().index(2, 0).index(0, 3).values<double>(), (Values{3, 7, 11}));
  const Array row = ascending({3}).expand_dims(0).broadcast_to({2, 3});
  EXPECT_EQ(row.values<double>(), (Values{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(ascending({3}).expand_dims(-1).broadcast_to({3, 2}).values<double>(), (Values{0, 0, 1, 1, 2, 2}));
}

// A reshape of any view is its elements in row-major order in another shape.
TEST(Arrays, ReshapesOfViews) {
  const Array x = ascending({4, 6});
  const std::vector<Array> views{x,
                                 x.transpose(),
                                 x.slice(0, {.step = 2}),
                                 x.slice(1, {1, 5}),
                                 x.slice(1, {.step = -1}),
                                 x.transpose().slice(0, {.start = 2}),
                                 x.index(0, 1).expand_dims(0)};
  for (const Array& view : views) {
    const Values flat = view.values<double>();
    const auto n = static_cast<std::int64_t>(flat.size());
    for (std::int64_t a = 1; a <= n; ++a) {
      if (n % a != 0) continue;
      for (std::int64_t b = 1; b <= n / a; ++b) {
        if (n / a % b != 0) continue;
        const Array y = view.reshape({a, b, n / a / b});
        EXPECT_EQ(y.values<double>(), flat);
        EXPECT_EQ((y * 1.0).values<double>(), flat);
        EXPECT_EQ(numbers(view.reshape({a, -1, b}).shape()), (Shape{a, n / a / b, b}));
      }
    }
  }
  EXPECT_EQ(numbers(ascending({0, 3}).reshape({3, 0}).shape()), (Shape{3, 0}));
}

// The table of the array API, section "type promotion".
TEST(Arrays, Promotion) {
  const auto of = [](DType t) { return ascending({2}).astype(t); };
  const auto sum = [&](DType a, DType b) { return (of(a) * of(b)).dtype(); };
  EXPECT_EQ(sum(DType::f32, DType::f64), DType::f64);
  EXPECT_EQ(sum(DType::f32, DType::c64), DType::c64);
  EXPECT_EQ(sum(DType::f64, DType::c64), DType::c128);
  EXPECT_EQ(sum(DType::f32, DType::c128), DType::c128);
  EXPECT_EQ(sum(DType::i16, DType::f32), DType::f32);
  EXPECT_EQ(sum(DType::u8, DType::f32), DType::f32);
  EXPECT_EQ(sum(DType::i32, DType::f32), DType::f64);
  EXPECT_EQ(sum(DType::i64, DType::c64), DType::c128);
  EXPECT_EQ((of(DType::i64) / of(DType::i32)).dtype(), DType::f64);
  EXPECT_EQ((of(DType::f32) * 2).dtype(), DType::f32);
  EXPECT_EQ((of(DType::f32) * 2.5).dtype(), DType::f32);
  EXPECT_EQ((of(DType::f32) * std::complex<double>(0, 1)).dtype(), DType::c64);
  EXPECT_EQ((of(DType::i32) * 2.5).dtype(), DType::f64);
  EXPECT_EQ((of(DType::f64) < of(DType::f32)).dtype(), DType::boolean);
}

// Operands of every layout give the values of the same operation on copies.
TEST(Arrays, BroadcastAndStridedOperands) {
  const Array x = ascending({7, 5});
  const Array row = ascending({5}) * 0.5, column = (ascending({7}) + 1.0).expand_dims(1);
  const Values flat = x.values<double>();
  const Values got = (x * row - column / 3.0).values<double>();
  const Values transposed = (x.transpose() * row.expand_dims(1) - column.transpose() / 3.0).values<double>();
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t k = 0; k < 5; ++k) {
      const double want = flat[5 * i + k] * (0.5 * static_cast<double>(k)) - static_cast<double>(i + 1) / 3.0;
      EXPECT_EQ(got[5 * i + k], want);
      EXPECT_EQ(transposed[7 * k + i], want);
    }
  }
}

// All lengths round the vectors, tiles and thread grains, of contiguous, reversed and interleaved elements.
TEST(Arrays, EveryLength) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 0; n <= 130; ++n) lengths.push_back(n);
  for (const std::int64_t n : {511, 512, 513, 1025, 65536, 100003}) lengths.push_back(n);
  for (const std::int64_t n : lengths) {
    const Array x = ascending({2 * n});
    for (const Slice& slice :
         {Slice{.stop = n}, Slice{.step = 2}, Slice{.start = n - 1, .stop = n == 0 ? 0 : -2 * n - 1, .step = -1}}) {
      const Array a = x.slice(0, slice);
      const Values values = a.values<double>(), got = (a * 3.0 + a).values<double>();
      const std::vector<float> narrow = (a.astype(DType::f32) * 3.0).values<float>();
      const std::vector<bool> low = (a < 7.0).values<bool>();
      ASSERT_EQ(got.size(), values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(got[i], values[i] * 3.0 + values[i]) << n;
        ASSERT_EQ(narrow[i], static_cast<float>(values[i]) * 3.0f);
        ASSERT_EQ(low[i], values[i] < 7.0);
      }
    }
  }
}

TEST(Arrays, ComplexAndConditions) {
  using Z = std::complex<double>;
  const std::vector<Z> zs{{1, 2}, {-3, 0.5}, {0, -1}};
  const Array z = array(engine(), zs);
  const std::vector<Z> product = (z * z + 1.0).values<Z>();
  for (std::size_t i = 0; i < zs.size(); ++i) {
    const double re = zs[i].real(), im = zs[i].imag();
    EXPECT_EQ(product[i], Z(re * re - im * im + 1.0, re * im + im * re));
  }
  EXPECT_EQ(real(z).values<double>(), (Values{1, -3, 0}));
  EXPECT_EQ(abs_square(z).values<double>(), (Values{5, 9.25, 1}));
  const Array re = real(z);
  EXPECT_EQ(where((re > -1.0) & (re < 1.0), 7.0, re).values<double>(), (Values{1, -3, 7}));
  EXPECT_EQ((~(re < 0.0)).values<bool>(), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(where(re < 0.0, z, 1.0).values<Z>(), (std::vector<Z>{1, {-3, 0.5}, 1}));
  EXPECT_TRUE(static_cast<bool>(re.index(0, 1) < 0.0));
}

TEST(Arrays, Conversions) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const Array x = array(engine(), {0.0, -1.9, 300.7, 1e30, -inf, nan});
  EXPECT_EQ(x.astype(DType::i8).values<std::int8_t>(), (std::vector<std::int8_t>{0, -1, 127, 127, -128, 0}));
  EXPECT_EQ(x.astype(DType::u8).values<std::uint8_t>(), (std::vector<std::uint8_t>{0, 0, 255, 255, 0, 0}));
  EXPECT_EQ(x.astype(DType::i64).values<std::int64_t>(),
            (std::vector<std::int64_t>{0, -1, 300, INT64_MAX, INT64_MIN, 0}));
  EXPECT_EQ(x.astype(DType::u64).values<std::uint64_t>(), (std::vector<std::uint64_t>{0, 0, 300, UINT64_MAX, 0, 0}));
  EXPECT_EQ(x.astype(DType::boolean).values<bool>(), (std::vector<bool>{false, true, true, true, true, true}));
  const Array n = array(engine(), std::vector<std::int64_t>{-1, 256, (std::int64_t{1} << 53) + 1});
  EXPECT_EQ(n.astype(DType::u8).values<std::uint8_t>(), (std::vector<std::uint8_t>{255, 0, 1}));
  EXPECT_EQ(n.astype(DType::f64).values<double>(), (Values{-1, 256, 9007199254740992.0}));
  using Z = std::complex<float>;
  EXPECT_EQ(n.astype(DType::c64).values<Z>(), (std::vector<Z>{-1.0f, 256.0f, 9007199254740992.0f}));
}

// A literal power is a chain of products.
TEST(Arrays, IntegerPowers) {
  const Array x = array(engine(), {1.1, -0.7, 3.0});
  const Values values = x.values<double>(), cube = pow(x, 3).values<double>(), fourth = pow(x, 4).values<double>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double square = values[i] * values[i];
    EXPECT_EQ(cube[i], values[i] * square);
    EXPECT_EQ(fourth[i], square * square);
  }
}

}  // namespace
}  // namespace frit
