// What is done to each row by itself runs over blocks of rows: the same bits, whatever the shapes, the views and the order of the
// program; and rows are divided by one number without the divider.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/random_arrays.hpp"
#include "support/traced.hpp"

namespace frit::test {
namespace {

// The rows of a function that is lowered for these arguments.
template <class F, class... A> std::int64_t row_regions(F callable, const A&... arguments) {
  const LoweredStage stage = traced(engine(), callable, {.mode = Mode::graph}).trace(arguments...).lower();
  std::int64_t n = 0;
  const std::string text = stage.text();
  for (std::size_t at = text.find("\nregion\n"); at != std::string::npos; at = text.find("\nregion\n", at + 1)) ++n;
  return n;
}

Array softmax(Array x) {
  const Array e = exp(x - max(x, -1, true));
  return e / sum(e, -1, true);
}
Array layer_norm(Array x, Array gain, Array shift) {
  return (x - mean(x, -1, true)) / sqrt(var(x, -1, 0, true) + 1e-5) * gain + shift;
}

TEST(Rows, OfAllSizes) {
  for (const DType dtype : {DType::f64, DType::f32})
    for (const std::int64_t rows : {1, 2, 3, 37, 900})
      for (const std::int64_t length : {1, 2, 7, 8, 33, 511, 512, 1000, 1003}) {
        const Array x = random_array({rows, length}, dtype, 1);
        same_in_every_mode(softmax, x);
        same_in_every_mode([](Array a) { return logsumexp(a, -1); }, x);
        same_in_every_mode(layer_norm, x, random_array({length}, dtype, 2), random_array({length}, dtype, 3));
      }
}

// Long rows go through all stages one after the other, in groups where a stage is of one number a row.
TEST(Rows, OneAfterTheOther) {
  for (const DType dtype : {DType::f64, DType::f32})
    for (const std::int64_t rows : {1, 2, 15, 16, 17, 70})
      for (const std::int64_t length : {512, 1003, 2064, 5000}) {
        if (length > 2000 && rows > 17) continue;
        Array x = random_array({rows, length}, dtype, 1);
        const Array one = random_array({rows}, dtype, 2), w = random_array({length}, dtype, 3);
        const auto stages = [](Array a, Array b, Array c) {
          const Array d = a - mean(a, 1, true);
          const Array scale = sqrt(mean(d * d, 1, true) + exp(b.expand_dims(1)));
          const Array e = exp(d / scale) * c;
          const Array s = sum(e, 1);
          return std::tuple<Array, Array, Array, Array>(e / s.expand_dims(1), log(s) + max(e, 1), d, min(d * a, 1));
        };
        same_in_every_mode(stages, x, one, w);
        // Rows that need rare paths, and numbers of rows that do, beside others.
        const double subnormal = dtype == DType::f64 ? 0x1p-1060 : 0x1p-140;
        const double special[] = {1,         1,    1, 0, 1, std::numeric_limits<double>::infinity(),
                                  subnormal, 1e30, 1, 1, 1, std::numeric_limits<double>::quiet_NaN()};
        std::vector<double> factors;
        for (std::int64_t row = 0; row < rows; ++row)
          factors.push_back(special[static_cast<std::size_t>(row + length) % 12]);
        const Array factor = array(engine(), factors).astype(dtype);
        const Array scaled = x * factor.expand_dims(1);
        const Array strange = update(x, 1, {.start = 100, .stop = 200}, scaled.slice(1, {.start = 100, .stop = 200}));
        same_in_every_mode(stages, strange, one * factor, w);
        same_in_every_mode(softmax, scaled);
      }
}

// With views inside of a row, arrays that are no runs, other dtypes, and results that are the same.
TEST(Rows, OneAfterTheOtherOfViews) {
  const Array x = random_array({37, 3, 400}, DType::f64, 1), other = random_array({74, 1200}, DType::f64, 2);
  const auto flat = [](Array a) {
    const Array b = a.reshape({37, -1});
    return exp(b - max(b, 1, true)) / sum(exp(b - max(b, 1, true)), 1, true);
  };
  same_in_every_mode(flat, x);
  for (const Array& one :
       {other.slice(0, {.step = 2}), other.slice(0, {.stop = 37}), other.slice(0, {.stop = 37, .step = 1}),
        random_array({1200, 37}, DType::f64, 3).transpose(), random_array({37, 1200}, DType::i32, 4),
        random_array({37, 1200}, DType::c128, 5), random_array({37, 1200}, DType::f32, 6)})
    same_in_every_mode(
        [](Array a) {
          const Array b = a * 0.5 - sum(a * 0.25, 1, true);
          return std::tuple<Array, Array, Array>(b, b, sum(b.slice(1, {.start = 1}) * b.slice(1, {.stop = -1}), 1));
        },
        one);
  same_in_every_mode([](Array a) { return exp(a) / sum(exp(a), std::vector{1, 2}, true) + mean(a, 2, true); }, x);
  same_in_every_mode([](Array a) { return (exp(a) / sum(exp(a), 1, true)).slice(1, {.step = -1}); }, other);
  // Reductions of rows that are longer than what the loops go over.
  same_in_every_mode(
      [](Array a) {
        return sum(a, 1, true) * a.slice(1, {.stop = 600}) + max(a.slice(1, {.stop = 600}) * 2.0, 1, true);
      },
      random_array({5, 70000}, DType::f64, 7));
  same_in_every_mode([](Array a) { return a - sum(a * a, 1, true) * mean(a, 0, true); }, other);
}

// What is one cheap operation on one array and numbers of a row is computed again, not stored.
TEST(Rows, CheapValuesAreComputedAgain) {
  const Array x = random_array({40, 600}, DType::f64, 1);
  const auto stored = [&](auto callable) {
    const std::string text = traced(engine(), callable, {.mode = Mode::graph}).trace(x).lower().text();
    int n = 0;
    for (std::size_t at = text.find("\noutput "); at != std::string::npos; at = text.find("\noutput ", at + 1)) ++n;
    return n;
  };
  // The mean, the squares, the root and the result; beside them the deviation where it is a result; the deviation and the sine where it is
  // made of what another loop computes.
  const auto scaled = [](Array a) {
    const Array d = a - mean(a, 1, true);
    return d / sqrt(sum(d * d, 1, true));
  };
  EXPECT_EQ(stored(scaled), 4);
  EXPECT_EQ(stored([&](Array a) { return std::tuple<Array, Array>(scaled(a), a - mean(a, 1, true)); }), 5);
  EXPECT_EQ(stored([](Array a) {
              const Array d = sin(a) - mean(a, 1, true);
              return d / sqrt(sum(d * d, 1, true));
            }),
            6);
  const auto all_uses = [](Array a) {
    const Array d = a - mean(a, 1, true), e = 3.0 - a, f = a * a;
    const Array s = sum(d * e * f, 1, true);
    return std::tuple<Array, Array, Array>(d / s + e * s, f * s, sum(f, 0));
  };
  same_in_every_mode(all_uses, x);
  same_in_every_mode(all_uses, x.astype(DType::f32));
  same_in_every_mode(all_uses, x.slice(1, {.step = 2}));
  same_in_every_mode([](Array a) { return (a - mean(a)) / sqrt(mean((a - mean(a)) * (a - mean(a)))); }, x);
}

TEST(Rows, AreFound) {
  const Array x = random_array({30, 40}, DType::f64, 1), w = random_array({40}, DType::f64, 2);
  EXPECT_EQ(row_regions(softmax, x), 1);
  EXPECT_EQ(row_regions(layer_norm, x, w, w), 1);
  // Nothing to fuse, no rows, columns.
  EXPECT_EQ(row_regions([](Array a) { return sum(a, 1); }, x), 0);
  EXPECT_EQ(row_regions([](Array a) { return exp(a) * 2.0; }, x), 0);
  EXPECT_EQ(row_regions([](Array a) { return exp(a) / sum(exp(a), 0, true); }, x), 0);
}

TEST(Rows, Empty) {
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{0, 5}, {5, 0}, {0, 0}, {4, 0, 3}, {0, 2, 3}}) {
    const Array x = random_array(shape, DType::f64, 1);
    same_in_every_mode([](Array a) { return exp(a) - sum(exp(a), -1, true); }, x);
    same_in_every_mode([](Array a) { return cumulative_sum(a * 2.0, -1) + a; }, x);
  }
}

TEST(Rows, OfEveryDtype) {
  for (int t = 0; t < dtype_count; ++t) {
    const auto dtype = static_cast<DType>(t);
    const Array x = random_array({400, 130}, dtype, 1);
    if (dtype == DType::boolean) {
      same_in_every_mode([](Array a) { return (a & logical_not(any(a, 1, true))) | all(logical_not(a), 1, true); }, x);
      continue;
    }
    same_in_every_mode(
        [](Array a) { return a * a - sum(a * 2, 1, true).astype(a.dtype()) * cumulative_sum(a, 1).astype(a.dtype()); },
        x);
    same_in_every_mode([](Array a) { return count_nonzero(a * a, 1) + 1; }, x);
  }
}

// A square array may be taken by rows and by columns at once.
TEST(Rows, OfSquareArrays) {
  const Array x = random_array({300, 300}, DType::f64, 1), v = random_array({300}, DType::f64, 2);
  same_in_every_mode([](Array a) { return exp(a) / sum(exp(a), 1, true) + a.transpose(); }, x);
  same_in_every_mode([](Array a) { return exp(a) / sum(exp(a), 1, true) * sum(exp(a), 1); }, x);
  same_in_every_mode([](Array a, Array b) { return sum(a * b, 1) * b + max(a + b.expand_dims(1), 1); }, x, v);
  same_in_every_mode([](Array a) { return exp(a) - sum(exp(a.slice(0, {.step = -1})), 1, true); }, x);
  same_in_every_mode([](Array a) { return cumulative_sum(sum(a * 2.0, 1).expand_dims(0) + a, 1) * 0.5; }, x);
}

TEST(Rows, OfViews) {
  const Array x = random_array({60, 24, 50}, DType::f64, 1);
  const Array back = random_array({50, 24, 60}, DType::f64, 2).transpose();
  const Array apart =
      random_array({180, 48, 50}, DType::f64, 3).slice(0, {.step = 3}).slice(1, {.start = 1, .step = 2});
  for (const Array& one : {x, back, apart}) {
    same_in_every_mode([](Array a) { return exp(a) / sum(exp(a), std::vector{1, 2}, true); }, one);
    same_in_every_mode([](Array a) { return sum(exp(a).transpose({0, 2, 1}) * 2.0, 2) - mean(a, 1); }, one);
    same_in_every_mode(
        [](Array a) {
          return exp(a).reshape({60, 1200}) / sum(exp(a).reshape({60, 1200}), 1, true);
        },
        one);
    same_in_every_mode([](Array a) { return sum(exp(a).slice(2, {.stop = -1, .step = -2}) * 0.5, 2); }, one);
    same_in_every_mode([](Array a) { return sum(exp(a).index(1, -1) * 0.5, 1).expand_dims(1) + sum(a, 2); }, one);
    same_in_every_mode([](Array a) { return cumulative_sum(update(a * 2.0, 1, {.start = 3, .stop = 9}, 1.5), 2) + a; },
                       one);
    same_in_every_mode(
        [](Array a) {
          return update(exp(a), 2, 0, sum(a * 3.0, 2)) - max(a, std::vector{1, 2}, true);
        },
        one);
  }
}

// What is computed in blocks is an output, is used by what has no rows, and by rows of something else.
TEST(Rows, UsedInEveryWay) {
  const Array x = random_array({700, 90}, DType::f64, 1);
  same_in_every_mode(
      [](Array a) {
        const Array e = exp(a), s = sum(e, 1, true), p = e / s;
        return std::tuple<Array, Array, Array, Array, Array>(p, s, e, sum(p), s.expand_dims(0) + 1.0);
      },
      x);
  same_in_every_mode(
      [](Array a) {
        const Array p = exp(a) / sum(exp(a), 1, true);
        const Array columns = sum(p, 0, true);  // of all rows
        const Array q = p / columns;
        return std::tuple<Array, Array, Array>(q / sum(q, 1, true), columns, p.index(0, 3));
      },
      x);
  same_in_every_mode(
      [](Array a) {
        const Array s = max(a * 2.0, 1, true);
        return std::tuple<Array, Array, Array>(s, s, (s + 1.0).reshape({-1}));
      },
      x);
}

// What an update takes is computed where it belongs: in rows, in columns, in updates of updates, with everything else beside it.
TEST(Rows, UpdatesInPlace) {
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{3, 3}, {40, 30}, {70, 600}, {5, 1030}, {1030, 5}})
    for (const DType dtype : {DType::f64, DType::f32, DType::c128}) {
      const Array u = random_array(shape, dtype, 1);
      same_in_every_mode(
          [](Array a) {
            const Slice inside{.start = 1, .stop = -1}, before{.stop = -2}, behind{.start = 2};
            const Array rows = a.slice(0, inside), columns = a.slice(1, inside);
            const Array around =
                rows.slice(1, before) + rows.slice(1, behind) + columns.slice(0, before) + columns.slice(0, behind);
            return update(a, 0, inside, update(rows, 1, inside, 0.5 * rows.slice(1, inside) + 0.125 * around));
          },
          u);
      same_in_every_mode(
          [](Array a) {
            const Array twice = a * 2.0, part = twice.slice(0, {.start = 1});
            const Array b = update(a, 0, {.start = 1}, part + 1.0);                     // at the end
            const Array c = update(b, 0, {.stop = -1}, sin(b.slice(0, {.start = 1})));  // an update of an update
            return std::tuple<Array, Array, Array>(b, c, update(c, 1, 0, a.index(1, 1) * 3.0));
          },
          u);
      same_in_every_mode(
          [](Array a) {
            const Array v = a.slice(1, {.start = 1}) * 3.0;
            // Used twice, by steps, broadcast, of another dtype.
            return std::tuple<Array, Array, Array, Array>(
                update(a, 1, {.stop = -1}, v) + update(a, 1, {.start = 1}, v),
                update(a, 0, {.start = 2, .step = -2}, a.slice(0, {.start = 2, .step = -2}) * 2.0),
                update(a, 0, {.start = 1}, a.index(0, 0) * 5.0),
                update(a, 0, 0, a.astype(DType::f32).index(0, 0) * 5.0F));
          },
          is_complex(dtype) ? real(u) : u);
      same_in_every_mode(
          [shape](Array a) {
            const Array p = exp(a) / sum(exp(a), 1, true);
            return std::tuple<Array, Array>(update(concat({a, a}, 0), 0, {.stop = shape[0]}, p) * 1.0,
                                            update(concat({a, a}, 1), 1, {.start = 0, .stop = -shape[1]}, a * 2.0));
          },
          u);
      const Array x = random_array({shape[0]}, dtype, 2);
      same_in_every_mode(
          [](Array a) { return update(a, 0, {.start = 1, .stop = -1}, cos(a.slice(0, {.start = 1, .stop = -1}))); }, x);
    }
}

// Loops on parts of rows, short ones too, are computed where these lie, many rows in one call of code.
TEST(Rows, PartsOfRows) {
  const auto parts = [](Array u, Array each, Array wide) {
    const Slice inside{.start = 1, .stop = -1}, before{.stop = -2}, behind{.start = 2};
    const Array rows = u.slice(0, inside), columns = u.slice(1, inside);
    const Array around =
        rows.slice(1, before) + rows.slice(1, behind) + columns.slice(0, before) + columns.slice(0, behind);
    const Array next = rows.slice(1, inside) / each + 0.125 * around;
    const Array strange = log(abs(next)) * wide.slice(1, {.start = 1, .stop = -1});
    return std::tuple<Array, Array, Array>(update(u, 0, inside, update(rows, 1, inside, next)), strange,
                                           update(u, 0, inside, update(rows, 1, inside, strange)));
  };
  for (const DType dtype : {DType::f64, DType::f32})
    for (const int threads : {1, 2}) {
      Engine one({.threads = threads});
      const auto eager = traced(one, parts, {.mode = Mode::eager});
      for (const Mode mode : modes()) {
        const auto f = traced(one, parts, {.mode = mode});
        for (const std::int64_t n : {3, 9, 17, 18, 19, 20, 21, 33, 34, 66, 100, 131, 514, 515, 600}) {
          const auto moved = [&](const Array& a, std::initializer_list<std::int64_t> shape) {
            return array(one, bytes_of(a).data(), a.dtype(), shape);
          };
          Array u = moved(random_array({n + 3, n}, dtype, 1), {n + 3, n});
          const Array each = moved(random_array({n + 1, 1}, dtype, 2), {n + 1, 1});
          const Array wide = moved(random_array({1, n}, dtype, 3), {1, n});
          for (const bool rare : {false, true}) {
            // A rare event in a few of the rows.
            if (rare)
              u = where((iota(one, n + 3).expand_dims(1) == 2) & (iota(one, n) == n / 2),
                        dtype == DType::f64 ? 0x1p-1060 : 0x1p-140, u)
                      .astype(dtype);
            const auto want = eager(u, each, wide), got = f(u, each, wide);
            const std::string what = std::string(name_of(mode)) + ", " + std::to_string(n);
            ASSERT_EQ(bytes_of(std::get<0>(got)), bytes_of(std::get<0>(want))) << what;
            ASSERT_EQ(bytes_of(std::get<1>(got)), bytes_of(std::get<1>(want))) << what;
            ASSERT_EQ(bytes_of(std::get<2>(got)), bytes_of(std::get<2>(want))) << what;
          }
        }
      }
    }
}

// A reduction that is the only user of a loop takes its rows as they come, where they are neither short nor very long.
TEST(Rows, ReducedAsTheyCome) {
  for (const std::int64_t length : {0, 1, 40, 511, 512, 1003, 1300, 33000})
    for (const std::int64_t rows : {0, 1, 3, 70}) {
      if (length > 2000 && rows > 3) continue;
      const Array x = random_array({rows, length}, DType::f64, 1), w = random_array({length}, DType::f64, 2);
      same_in_every_mode(
          [](Array a, Array b) {
            return std::tuple<Array, Array, Array, Array, Array>(sum(a * b, 1), sum(sin(a), 1, true),
                                                                 count_nonzero(a < b, 1), any(a > 2.9, 1), sum(a - b));
          },
          x, w);
      same_in_every_mode([](Array a, Array b) { return prod(1.0 + 0.001 * a * b, 1) + sum(cos(a)); }, x, w);
      if (length > 0)
        same_in_every_mode(
            [](Array a, Array b) {
              return std::tuple<Array, Array, Array>(argmax(a * b, 1), min(a - b, 1, true),
                                                     max(a.expand_dims(1) * b, 2));
            },
            x, w);
    }
  const Array deep = random_array({5, 4, 300}, DType::c128, 3), flat = random_array({5, 1, 1}, DType::c128, 4);
  same_in_every_mode(
      [](Array a, Array b) {
        return std::tuple<Array, Array, Array, Array>(sum(a * b, std::vector{1, 2}), sum(a * b * 2.0, 2),
                                                      sum(a * a, std::vector{0, 1}), sum(a - b, std::vector{0, 2}));
      },
      deep, flat);
  // No rows to reduce, but rows to compute.
  same_in_every_mode(
      [](Array a, Array b) {
        return sum(a * b, std::vector{1, 2});
      },
      random_array({4, 0, 600}, DType::f64, 1), random_array({600}, DType::f64, 2));
  // Beside what is stored.
  same_in_every_mode(
      [](Array a, Array b) {
        const Array c = a * b;
        return std::tuple<Array, Array, Array>(c, sum(c * c, 1), c - mean(c * 3.0, 1, true));
      },
      random_array({90, 700}, DType::f32, 5), random_array({90, 1}, DType::f32, 6));
}

// Errors and effects keep their places between the blocks.
TEST(Rows, ErrorsAreTheFirst) {
  const Array x = random_array({50, 20}, DType::f64, 1);
  const Array good = array(engine(), std::vector<std::int64_t>{0, 3, 49});
  const Array bad = array(engine(), std::vector<std::int64_t>{0, 50}),
              worse = array(engine(), std::vector<std::int64_t>{-77});
  const auto pick = [](Array a, Array i, Array j) {
    const Array p = exp(a) / sum(exp(a), 1, true);
    const Array first = take(p, i, 0);
    const Array q = a / sum(a, 1, true);
    return std::tuple<Array, Array>(sum(first), sum(take(q + p, j, 0), 1));
  };
  same_in_every_mode(pick, x, good, good);
  same_error_in_every_mode("index-range: take: place 1 of the indices is 50", pick, x, bad, worse);
  same_error_in_every_mode("index-range: take: place 0 of the indices is -77", pick, x, good, worse);
  same_error_in_every_mode("index-range: take: place 1 of the indices is 50", pick, x, bad, good);
}

TEST(Rows, OfCompiledFunctionsInOthers) {
  FRIT_NEEDS_COMPILER();
  const Array x = random_array({300, 70}, DType::f64, 1);
  const auto inner = traced(engine(), softmax, {.mode = Mode::compiled});
  same_in_every_mode([&](Array a) { return inner(a * 2.0) - mean(inner(a), 1, true); }, x);
}

// Equal operations on the same operands are one.
TEST(Rows, WhatIsDoneTwiceIsDoneOnce) {
  const Array x = random_array({40, 50}, DType::f64, 1);
  const auto f = traced(engine(), [](Array a) { return (a - mean(a, 1, true)) * sin(a) + sin(a) / mean(a, 1, true); });
  const LoweredStage stage = f.trace(x).lower();
  EXPECT_EQ(stage.cost(x).real.functions, 40 * 50);
  same_in_every_mode(
      [](Array a) { return a.slice(0, {.start = 1}) + a.slice(0, {.start = 1}) * a.slice(0, {.stop = -1}); }, x);
  // Zeros of both signs are two numbers.
  same_in_every_mode(
      [](Array a) { return copysign(a, a * 0.0 + -0.0) + copysign(a, 0.0) * copysign(1.0, -0.0 * abs(a)); }, x);
}

// By one number a row: every special value by every other, in rows that are divided by the inverse and by the divider.
TEST(Rows, DividedByOneNumber) {
  for (const DType dtype : {DType::f64, DType::f32}) {
    const double least = dtype == DType::f64 ? std::numeric_limits<double>::denorm_min() : 0x1p-149;
    const double normal = dtype == DType::f64 ? std::numeric_limits<double>::min() : 0x1p-126;
    const double most = dtype == DType::f64 ? std::numeric_limits<double>::max() : 0x1.fffffep127;
    std::vector<double> special{0,         1,      3,    0.1,      least,
                                3 * least, normal, most, most / 3, std::numeric_limits<double>::infinity()};
    for (const double edge : {600.0, 599.0, 601.0, 400.0, 399.0, 401.0, 80.0, 79.0, 81.0, 40.0, 39.0, 41.0})
      for (const double sign : {1.0, -1.0})
        if (dtype == DType::f64 || edge < 127) special.push_back(std::exp2(sign * edge) * 1.25);
    for (std::size_t i = special.size(); i-- > 0;) special.push_back(-special[i]);
    special.push_back(std::numeric_limits<double>::quiet_NaN());
    const Array divisors = array(engine(), special).astype(dtype);
    std::mt19937_64 random(7);
    for (const std::int64_t length : {9, 600}) {
      // Ordinary numbers, numbers with zeros, and with everything.
      std::vector<double> ordinary, zeros, all;
      std::uniform_real_distribution<double> uniform(-9, 9);
      for (std::int64_t i = 0; i < length; ++i) {
        ordinary.push_back(uniform(random));
        zeros.push_back(i % 3 == 0 ? uniform(random) : i % 3 == 1 ? 0.0 : -0.0);
        all.push_back(i % 2 == 0 ? uniform(random) : special[static_cast<std::size_t>(i) % special.size()]);
      }
      for (const std::vector<double>& dividends : {ordinary, zeros, all}) {
        const Array x = array(engine(), dividends).astype(dtype);
        same_in_every_mode([](Array a, Array b) { return a / b.expand_dims(1); }, x, divisors);
        same_in_every_mode([](Array a, Array b) { return a / (b.expand_dims(1) + 0.0) * 2.0 + b.expand_dims(1) / a; },
                           x, divisors);
      }
    }
  }
}

TEST(Rows, DividedByManyNumbers) {
  for (const DType dtype : {DType::f64, DType::f32, DType::c64, DType::c128}) {
    const Array x = random_array({300, 700}, dtype, 5);
    const Array divisors = random_array({300, 1}, real_of(dtype), 6),
                few = random_array({300, 700}, dtype, 7).slice(1, {.stop = 3});
    same_in_every_mode([](Array a, Array b) { return a / b; }, x, divisors);
    same_in_every_mode([](Array a, Array b) { return a / b; }, few, divisors);
    same_in_every_mode([](Array a, Array b) { return a / b - b; }, x, random_array({1, 1}, real_of(dtype), 8));
  }
}

// Random operations on arrays of several rows.
TEST(Rows, RandomPrograms) {
  const int programs = std::getenv("FRIT_NIGHTLY") != nullptr ? 20000 : 400;
  for (int seed = 0; seed < programs; ++seed) {
    std::mt19937_64 random(static_cast<unsigned>(seed));
    // Long rows are computed one after the other, where no step wants more than rows by themselves.
    const bool is_long = seed % 4 == 3;
    const std::int64_t rows = 1 + static_cast<std::int64_t>(random() % 40),
                       length = (is_long ? 512 : 1) + static_cast<std::int64_t>(random() % (is_long ? 700 : 40));
    const std::size_t kinds = is_long && seed % 8 == 3 ? 7 : 10;
    const DType dtype = random() % 2 == 0 ? DType::f64 : DType::f32;
    std::vector<unsigned> choices;
    for (int i = 0; i < 40; ++i) choices.push_back(static_cast<unsigned>(random()));
    const auto program = [choices, kinds](Array a, Array b) {
      std::vector<Array> values{a, b, a * 0.5};
      std::size_t next = 0;
      const auto choose = [&](std::size_t n) { return static_cast<std::size_t>(choices[next++ % choices.size()]) % n; };
      for (int step = 0; step < 12; ++step) {
        const Array x = values[choose(values.size())], y = values[choose(values.size())];
        switch (choose(kinds)) {
          case 0: values.push_back(sin(x) + y); break;
          case 1: values.push_back(x * y); break;
          case 2: values.push_back(x / (abs(y) + 1.0)); break;
          case 3: values.push_back(x - sum(x, -1, true)); break;
          case 4: values.push_back(max(x, 1, true) * y); break;
          case 5: values.push_back(x - y / (1.0 + abs(mean(x, 1).reshape({-1, 1})))); break;
          case 6: values.push_back(sqrt(abs(min(y * x, 1, true)) + 2.0) + x); break;
          case 7: values.push_back(cumulative_sum(x, static_cast<int>(choose(2))) * 0.1); break;
          case 8: values.push_back(y + sum(x, 0, true)); break;
          default: values.push_back(update(x, 1, 0, mean(y, 1))); break;
        }
      }
      return std::tuple<Array, Array>(values.back(), values[values.size() - 3]);
    };
    const Array x = random_array({rows, length}, dtype, static_cast<unsigned>(seed)),
                y = random_array({1, length}, dtype, static_cast<unsigned>(seed) + 1);
    const Array shaped = seed % 2 == 0 ? y : random_array({rows, length}, dtype, 9);
    const auto eager = program(x, shaped.broadcast_to({rows, length}));
    const auto graph = traced(engine(), program, {.mode = Mode::graph})(x, shaped.broadcast_to({rows, length}));
    ASSERT_EQ(bytes_of(std::get<0>(graph)), bytes_of(std::get<0>(eager))) << "seed " << seed;
    ASSERT_EQ(bytes_of(std::get<1>(graph)), bytes_of(std::get<1>(eager))) << "seed " << seed;
    if (seed % 40 == 0) same_in_every_mode(program, x, shaped.broadcast_to({rows, length}));
  }
}

}  // namespace
}  // namespace frit::test
