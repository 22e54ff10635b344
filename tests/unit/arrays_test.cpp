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
  EXPECT_EQ(sum(DType::i8, DType::u8), DType::i16);
  EXPECT_EQ(sum(DType::i32, DType::u16), DType::i32);
  EXPECT_EQ(sum(DType::i16, DType::u32), DType::i64);
  EXPECT_EQ(sum(DType::u8, DType::u64), DType::u64);
  EXPECT_EQ((of(DType::u8) + 7).dtype(), DType::u8);
  EXPECT_EQ((of(DType::i32) < 1).dtype(), DType::boolean);
  EXPECT_EQ(exp(of(DType::i32)).dtype(), DType::f64);
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
  const Array p = array(engine(), {true, false, true, false}), q = array(engine(), {true, true, false, false});
  EXPECT_EQ(where(p, q, ~q).values<bool>(), (std::vector<bool>{true, false, false, true}));
  EXPECT_EQ((p == q).values<bool>(), (std::vector<bool>{true, false, false, true}));
  EXPECT_EQ((p != true).values<bool>(), (std::vector<bool>{false, true, false, true}));
  EXPECT_EQ(where(p, q, false).values<bool>(), (std::vector<bool>{true, false, false, false}));
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

TEST(Arrays, Integers) {
  const Array n = array(engine(), std::vector<std::int32_t>{7, -7, 5, INT32_MIN}),
              m = array(engine(), std::vector<std::int32_t>{2, 2, -3, -1});
  using Values32 = std::vector<std::int32_t>;
  EXPECT_EQ((n + m).values<std::int32_t>(), (Values32{9, -5, 2, INT32_MAX}));
  EXPECT_EQ(floor_divide(n, m).values<std::int32_t>(), (Values32{3, -4, -2, INT32_MIN}));
  EXPECT_EQ((n % m).values<std::int32_t>(), (Values32{1, 1, -1, 0}));
  EXPECT_EQ((n & 3).values<std::int32_t>(), (Values32{3, 1, 1, 0}));
  EXPECT_EQ((~n).values<std::int32_t>(), (Values32{-8, 6, -6, INT32_MAX}));
  EXPECT_EQ(abs(n).values<std::int32_t>(), (Values32{7, 7, 5, INT32_MIN}));
  EXPECT_EQ(where(n > m, n, m).values<std::int32_t>(), (Values32{7, 2, 5, -1}));
  EXPECT_EQ((n / m).values<double>(), (Values{3.5, -3.5, 5.0 / -3.0, 2147483648.0}));
  EXPECT_EQ(pow(m, 3).values<std::int32_t>(), (Values32{8, 8, -27, -1}));
  EXPECT_EQ((n.expand_dims(1) * m).index(1, -1).values<std::int32_t>(), (Values32{-7, 7, -5, INT32_MIN}));
  const Array wide = array(engine(), std::vector<std::int64_t>{1, 2});
  EXPECT_EQ((wide + n.slice(0, {.step = -2})).values<std::int64_t>(),
            (std::vector<std::int64_t>{1 + std::int64_t{INT32_MIN}, -5}));
  std::vector<std::uint8_t> bytes(100'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  const std::vector<std::uint8_t> twice = (array(engine(), bytes) * 2 + 1).values<std::uint8_t>();
  for (std::size_t i = 0; i < bytes.size(); ++i) ASSERT_EQ(twice[i], static_cast<std::uint8_t>(2 * i + 1));
}

// Over every set of axes of a view, against loops over its elements.
TEST(Arrays, ReductionsOverAxes) {
  const Array x = (ascending({3, 4, 5}) * 0.25 - 7.0).transpose({1, 0, 2}).slice(2, {.step = -2});
  const std::vector<std::int64_t> extents = numbers(x.shape());
  const Values all = x.values<double>();
  for (unsigned mask = 0; mask < 8; ++mask) {
    std::vector<int> axes;
    for (int i = 0; i < 3; ++i)
      if ((mask >> i & 1u) != 0) axes.push_back(i - (i % 2 == 0 ? 3 : 0));
    std::vector<std::int64_t> kept;
    for (std::size_t i = 0; i < 3; ++i)
      if ((mask >> i & 1u) == 0) kept.push_back(extents[i]);
    std::int64_t rows = 1;
    for (const std::int64_t extent : kept) rows *= extent;
    Values sums(static_cast<std::size_t>(rows), 0), least(static_cast<std::size_t>(rows), 1e9),
        squares(static_cast<std::size_t>(rows), 0);
    std::size_t at = 0;
    for (std::int64_t i = 0; i < extents[0]; ++i)
      for (std::int64_t j = 0; j < extents[1]; ++j)
        for (std::int64_t k = 0; k < extents[2]; ++k, ++at) {
          const std::int64_t index[] = {i, j, k};
          std::int64_t row = 0;
          for (std::size_t axis = 0; axis < 3; ++axis)
            if ((mask >> axis & 1u) == 0) row = row * extents[axis] + index[axis];
          sums[static_cast<std::size_t>(row)] += all[at];
          squares[static_cast<std::size_t>(row)] += all[at] * all[at];
          least[static_cast<std::size_t>(row)] = std::min(least[static_cast<std::size_t>(row)], all[at]);
        }
    // Quarters: the sums are exact in any order.
    const Axes over(axes);
    EXPECT_EQ(sum(x, over).values<double>(), sums) << mask;
    EXPECT_EQ(min(x, over).values<double>(), least) << mask;
    EXPECT_EQ(sum(x, over, true).rank(), 3);
    EXPECT_EQ(numbers(max(x, over).shape()), kept);
    const Values means = mean(x, over).values<double>(), variance = var(x, over).values<double>(),
                 norms = norm(x, over).values<double>();
    const double count = static_cast<double>(all.size()) / static_cast<double>(rows);
    for (std::size_t r = 0; r < sums.size(); ++r) {
      EXPECT_EQ(means[r], sums[r] / count);
      EXPECT_NEAR(variance[r], squares[r] / count - means[r] * means[r], 1e-12);
      EXPECT_DOUBLE_EQ(norms[r], std::sqrt(squares[r]));
    }
  }
}

TEST(Arrays, ReductionsOfOtherKinds) {
  const Array x = array(engine(), {3.0, -1.0, 2.0, -1.0});
  EXPECT_EQ(argmin(x).item<std::int64_t>(), 1);
  EXPECT_EQ(argmax(x).item<std::int64_t>(), 0);
  EXPECT_TRUE(any(x > 2.5).item<bool>());
  EXPECT_FALSE(all(x > 0.0).item<bool>());
  EXPECT_EQ(count_nonzero(x < 0.0).item<std::int64_t>(), 2);
  EXPECT_EQ(sum(array(engine(), std::vector<std::uint8_t>{200, 100})).item<std::uint64_t>(), 300u);
  EXPECT_EQ(prod(x).item<double>(), 6.0);
  EXPECT_EQ(cumulative_sum(x, 0).values<double>(), (Values{3, 2, 4, 3}));
  EXPECT_EQ(cumulative_prod(ascending({2, 3}) + 1.0, 0).values<double>(), (Values{1, 2, 3, 4, 10, 18}));
  EXPECT_EQ(var(x, {}, 1.0).item<double>(), 4.25);
  EXPECT_DOUBLE_EQ(logsumexp(array(engine(), {1000.0, 1000.0})).item<double>(), 1000.0 + std::log(2.0));
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(logsumexp(array(engine(), {-inf, -inf})).item<double>(), -inf);
  EXPECT_EQ(logsumexp(array(engine(), {1.0, inf})).item<double>(), inf);
  EXPECT_EQ(sum(ascending({0})).item<double>(), 0.0);
  EXPECT_TRUE(std::isnan(mean(ascending({0})).item<double>()));
  EXPECT_EQ(mean(array(engine(), std::vector<std::int64_t>{1, 2})).item<double>(), 1.5);
  std::vector<float> tenths(1'000'000, 0.1f);
  EXPECT_NEAR(sum(array(engine(), tenths)).item<float>() / 100000.0f, 1.0f, 1.2e-7f);
}

TEST(Arrays, JoinsAndPlaces) {
  const Array a = ascending({2, 3}), b = ascending({1, 3}).astype(DType::f32);
  EXPECT_EQ(concat({a, b, a}).values<double>(), (Values{0, 1, 2, 3, 4, 5, 0, 1, 2, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(concat({a, a}, 1).values<double>(), (Values{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}));
  EXPECT_EQ(numbers(stack({a, a}, -1).shape()), (Shape{2, 3, 2}));
  EXPECT_EQ(stack({a, a + 10.0}, 1).index(0, 1).values<double>(), (Values{3, 4, 5, 13, 14, 15}));
  const Array places = array(engine(), std::vector<std::int32_t>{2, -1, 0});
  EXPECT_EQ(take(a, places, 1).values<double>(), (Values{2, 2, 0, 5, 5, 3}));
  EXPECT_EQ(take(a.transpose(), places).values<double>(), (Values{2, 5, 2, 5, 0, 3}));
  EXPECT_EQ(iota(engine(), 4).values<std::int64_t>(), (std::vector<std::int64_t>{0, 1, 2, 3}));
}

TEST(Arrays, Updates) {
  const Array x = ascending({3, 4});
  EXPECT_EQ(update(x, 0, 1, -1.0).values<double>(), (Values{0, 1, 2, 3, -1, -1, -1, -1, 8, 9, 10, 11}));
  EXPECT_EQ(update(x, 1, -1, array(engine(), {7.0, 8.0, 9.0})).values<double>(),
            (Values{0, 1, 2, 7, 4, 5, 6, 8, 8, 9, 10, 9}));
  EXPECT_EQ(update(x.transpose(), 0, {.step = -2}, ascending({3})).values<double>(),
            (Values{0, 4, 8, 0, 1, 2, 2, 6, 10, 0, 1, 2}));
  EXPECT_EQ(update(x, 0, {.start = 3}, 5.0).values<double>(), x.values<double>());
  EXPECT_EQ(update(x.astype(DType::i32), 1, {1, 3}, 9).index(0, 2).values<std::int32_t>(),
            (std::vector<std::int32_t>{8, 9, 9, 11}));
  const std::vector<Array> parts = split(x, {1, -1}, 1);
  EXPECT_EQ(parts[0].values<double>(), (Values{0, 4, 8}));
  EXPECT_EQ(parts[1].values<double>(), (Values{1, 2, 5, 6, 9, 10}));
  EXPECT_EQ(parts[2].values<double>(), (Values{3, 7, 11}));
  EXPECT_EQ(full(engine(), {2, 2}, 3.5).values<double>(), (Values{3.5, 3.5, 3.5, 3.5}));
  EXPECT_EQ(eye(engine(), 2, 3).values<double>(), (Values{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(linspace(engine(), 1.0, 2.0, 5).values<double>(), (Values{1, 1.25, 1.5, 1.75, 2}));
  EXPECT_EQ(linspace(engine(), 1.0, 2.0, 1).values<double>(), (Values{1}));
  EXPECT_EQ(linspace(engine(), 0.1, 0.7, 7).values<double>().back(), 0.7);
}

// A literal power is a chain of products.
TEST(Arrays, FunctionsOfOtherOps) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  using Truth = std::vector<bool>;
  const Array x = array(engine(), {1.5, -0.0, -inf, nan}), single = x.astype(DType::f32);
  EXPECT_EQ(isnan(x).values<bool>(), (Truth{false, false, false, true}));
  EXPECT_EQ(isinf(single).values<bool>(), (Truth{false, false, true, false}));
  EXPECT_EQ(isfinite(x).values<bool>(), (Truth{true, true, false, false}));
  EXPECT_EQ(signbit(x).values<bool>(), (Truth{false, true, true, false}));
  EXPECT_EQ(signbit(array(engine(), {-1, 0})).values<bool>(), (Truth{true, false}));
  // Not infinite, although its absolute value overflows.
  const Array z = array(engine(), {std::complex<double>(1e308, 1.7e308), std::complex<double>(nan, inf)});
  EXPECT_EQ(isinf(z).values<bool>(), (Truth{false, true}));
  EXPECT_EQ(isfinite(z).values<bool>(), (Truth{true, false}));

  EXPECT_EQ(clip(x.slice(0, {.stop = 3}), -1, 1.0).values<double>(), (Values{1, 0, -1}));
  EXPECT_EQ(clip(array(engine(), {-5, 0, 7}), -1, 3).dtype(), DType::i32);
  EXPECT_EQ(positive(single).dtype(), DType::f32);

  EXPECT_EQ(copysign(2.0, x).values<double>(), (Values{2, -2, -2, 2}));
  EXPECT_EQ(copysign(single.slice(0, {.stop = 3}), -0.0).values<float>(), (std::vector<float>{-1.5, -0.0F, -INFINITY}));
  EXPECT_EQ(copysign(single, x).dtype(), DType::f64);
  EXPECT_EQ(numbers(copysign(x.reshape({4, 1}), x).shape()), (Shape{4, 4}));
  EXPECT_THROW(copysign(z, x), Error);
  EXPECT_THROW(signbit(z), Error);
  EXPECT_THROW(isnan(2.0), Error);
  EXPECT_THROW(positive(x < 0.0), Error);
}

TEST(Arrays, IntegerPowers) {
  const Array x = array(engine(), {1.1, -0.7, 3.0});
  const Values values = x.values<double>(), cube = pow(x, 3).values<double>(), fourth = pow(x, 4).values<double>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double square = values[i] * values[i];
    EXPECT_EQ(cube[i], values[i] * square);
    EXPECT_EQ(fourth[i], square * square);
  }
}

// Against a loop over the places of the result, along every axis of a view, also of the greatest rank.
TEST(Arrays, Repeat) {
  const Array x = ascending({2, 3, 4}).slice(2, {.step = -1});
  for (const std::int64_t n : {0, 1, 2, 7}) {
    for (int axis = -3; axis < 3; ++axis) {
      const Array y = repeat(x, n, axis);
      EXPECT_EQ(y.dtype(), DType::f64);
      ASSERT_EQ(std::int64_t{y.extent(axis)}, n * x.extent(axis));
      for (std::int64_t i = 0; i < y.extent(axis); ++i)
        EXPECT_EQ(y.index(axis, i).values<double>(), x.index(axis, i / n).values<double>()) << n << " " << axis;
    }
  }
  EXPECT_EQ(repeat(x.index(0, 0).index(0, 1), 2).values<double>(), (Values{7, 7, 6, 6, 5, 5, 4, 4}));
  EXPECT_EQ(repeat(ascending({2, 2}), 2).values<double>(), (Values{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(repeat(scalar(engine(), 3.0), 2).values<double>(), (Values{3, 3}));
  EXPECT_EQ(numbers(repeat(ascending({1, 1, 1, 1, 1, 1, 2, 2}), 3, 6).shape()), (Shape{1, 1, 1, 1, 1, 1, 6, 2}));
  const auto counts = [](std::vector<std::uint8_t> all) { return array(engine(), all); };
  EXPECT_EQ(repeat(ascending({2, 3}), counts({2, 0, 1}), 1).values<double>(), (Values{0, 0, 2, 3, 3, 5}));
  EXPECT_EQ(repeat(ascending({2, 2}), counts({0, 3}), 0).values<double>(), (Values{2, 3, 2, 3, 2, 3}));
  EXPECT_EQ(repeat(ascending({2, 2}), counts({1, 0, 0, 2})).values<double>(), (Values{0, 3, 3}));
  EXPECT_EQ(repeat(ascending({3}), counts({2})).values<double>(), (Values{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(repeat(ascending({3}), counts({0, 0, 0})).size(), 0);
  EXPECT_EQ(repeat(ascending({0}), counts({})).size(), 0);
}

}  // namespace
}  // namespace frit
