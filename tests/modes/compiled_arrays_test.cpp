// Traced functions: the same bits in every mode as eager, one trace for all sizes, and a reason for every other one.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

#include "support/traced.hpp"

namespace frit::test {
namespace {

// Without it the tests below compare graph mode alone.

TEST(Traced, TheCompilerIsThere) { FRIT_NEEDS_COMPILER(); }

TEST(Traced, UseJit) {
  EXPECT_EQ(mode_of_use_jit({}), Mode::automatic);
  EXPECT_EQ(mode_of_use_jit(true), Mode::compiled);
  EXPECT_EQ(mode_of_use_jit(false), Mode::eager);
}

TEST(Traced, ElementWise) {
  for (const DType dtype : {DType::f64, DType::f32, DType::c128, DType::c64}) {
    for (const std::int64_t n : {0, 1, 7, 64, 5000}) {
      const Array x = random_array({n}, dtype, 1), y = random_array({n}, dtype, 2);
      same_in_every_mode([](Array a, Array b) { return exp(a * b) / (b + 2.5) - sin(a); }, x, y);
      same_in_every_mode(
          [](Array a, Array b) {
            return std::tuple{pow(a, 3) * b, abs(a), a == b, abs_square(b)};
          },
          x, y);
    }
  }
}

TEST(Traced, MixedDtypesAndConditions) {
  const Array x = random_array({1000}, DType::f64, 3), y = random_array({1000}, DType::f32, 4),
              z = random_array({1000}, DType::c64, 5);
  const Array n = (x * 50.0).astype(DType::i32), small = (x * 20.0).astype(DType::i8);
  same_in_every_mode(
      [](Array a, Array b, Array c) {
        return std::tuple{a * b, exp(b) + c, where((b > 0.0) & (a < 1.0), c, b)};
      },
      x, y, z);
  same_in_every_mode(
      [](Array a, Array b, Array c) {
        return std::tuple{sqrt(a) * c, b / c, (a / b).astype(DType::f32) * 2.0};
      },
      n, small, y);
  same_in_every_mode(
      [](Array a, Array c) {
        return std::tuple{~(a > 0.5) ^ c, where(c, a, -a), c & (a > 1.0)};
      },
      x, x > 0.0);
  same_in_every_mode(
      [](Array a, Array b) {
        return std::tuple{(a > 0.0).astype(DType::f64) * 3.0, b.astype(DType::i16), real(b.astype(DType::c64))};
      },
      x, y);
}

TEST(Traced, BroadcastAndViews) {
  const Array m = random_array({30, 41}, DType::f64, 6), row = random_array({41}, DType::f64, 7),
              column = random_array({30, 1}, DType::f64, 8);
  same_in_every_mode([](Array a, Array b, Array c) { return exp(a - b) * c + 1.0; }, m, row, column);
  same_in_every_mode([](Array b, Array c) { return b * c; }, row, column);
  same_in_every_mode(
      [](Array a) {
        return std::tuple{a.transpose() * 2.0, sin(a).transpose(), (a + 1.0).slice(0, {1, -1}).slice(1, {.step = -3})};
      },
      m);
  same_in_every_mode([](Array a) { return a.slice(0, {.start = 1}) - a.slice(0, {.stop = -1}); }, row);
  // A 5-point stencil.
  same_in_every_mode(
      [](Array a) {
        const Array inner = a.slice(0, {1, -1}).slice(1, {1, -1});
        return a.slice(0, {.start = 2}).slice(1, {1, -1}) + a.slice(0, {.stop = -2}).slice(1, {1, -1}) +
               a.slice(0, {1, -1}).slice(1, {.start = 2}) + a.slice(0, {1, -1}).slice(1, {.stop = -2}) - inner * 4.0;
      },
      m);
  same_in_every_mode(
      [](Array a) {
        return std::tuple{cos(a).reshape({-1}), a.reshape({-1, 3, 10}) * 0.5,
                          a.expand_dims(1).broadcast_to({30, 2, 41}) + a.index(0, -1)};
      },
      m);
}

// Long rows are computed where they lie, short ones gathered, and those of which a reduction takes the elements are too.
TEST(Traced, RowsOfColumnsThatAreNoRuns) {
  for (const DType dtype : {DType::f64, DType::c64}) {
    for (const auto& [rows, columns] : {std::pair{3, 700}, {170, 1000}, {700, 3}, {1, 600}, {5, 1}, {0, 600}}) {
      const Array m = random_array({rows, columns}, dtype, 6), column = random_array({rows, 1}, dtype, 7),
                  row = random_array({columns}, dtype, 8);
      const Array wide = random_array({columns, rows}, DType::f32, 9),
                  inside = random_array({rows, columns + 2}, dtype, 5);
      same_in_every_mode([](Array a, Array b, Array c) { return (a - b) * c + 1.0; }, m, column, row);
      same_in_every_mode([](Array b, Array c) { return std::tuple{b * c, b - c}; }, column, row);
      same_in_every_mode([](Array a, Array b) { return a * b.transpose() + 2.0; }, m, wide);
      same_in_every_mode([](Array a, Array b) { return sum(a * b.slice(1, {1, -1})); }, column, inside);
      same_in_every_mode([](Array a, Array b) { return std::tuple{sum(a * b), prod(a - b), a + b}; }, m, column);
    }
  }
}

TEST(Traced, ScalarsAndExtents) {
  const Array x = random_array({500}, DType::f64, 9), y = random_array({500}, DType::f32, 10);
  const Array a = random_array({}, DType::f64, 11), b = random_array({}, DType::f32, 12),
              z = random_array({}, DType::c128, 13);
  same_in_every_mode(
      [](Array p, Array q, Array r, Array s) {
        return std::tuple{exp(p * r) * q, (p + s) * q, r * s, exp(-r) + 1.0};
      },
      x, y, a, b);
  same_in_every_mode([](Array p, Array c) { return p * c + abs(c); }, x, z);
  same_in_every_mode(
      [](Array p, Array q) {
        return std::tuple{p / p.extent(0), q * (q.extent(0) - 1), p * (q.extent(0) + 2)};
      },
      x, y);
  same_in_every_mode([](Array p, Array c) { return p * c; }, x, 3);
  same_in_every_mode([](Array p, Array c) { return p * c; }, y, 16777217);
  same_in_every_mode([](Array p, Array c) { return p * c; }, y, 0.1);
}

TEST(Traced, IntegersBesideFloatingPoint) {
  const Array x = random_array({777}, DType::f64, 20), n = (x * 30.0).astype(DType::i32),
              m = (x * x * 5.0).astype(DType::u8);
  same_in_every_mode(
      [](Array a, Array b, Array c) {
        return std::tuple{b * 3 + c,   floor_divide(b, c + 1) * a, exp(a) * b,
                          (b & 7) > 2, where(b > 0, b, -b),        where((b % 5 == 0) | (a > 1.0), a, 0.0)};
      },
      x, n, m);
  same_in_every_mode([](Array b, Array k) { return b * k + b.extent(0); }, n, 3);
}

TEST(Traced, ReductionsAndJoins) {
  const Array m = random_array({60, 41}, DType::f64, 21), z = random_array({900}, DType::c64, 22),
              x = random_array({100'000}, DType::f32, 23);
  same_in_every_mode(
      [](Array a) {
        return std::tuple{sum(exp(a)), sum(sin(a), 0) * 2.0, max(a, 1, true) - a, argmin(a, 0),
                          mean(a),     var(a, 0, 1.0)};
      },
      m);
  same_in_every_mode(
      [](Array a) {
        return std::tuple{sum(a * a), prod(a.slice(0, {.stop = 9})), norm(a), any(abs(a) > 4.0),
                          cumulative_sum(real(a), 0)};
      },
      z);
  same_in_every_mode(
      [](Array a) {
        return std::tuple{sum(exp(-a * a)), logsumexp(a), a - mean(a), std_deviation(a), count_nonzero(a > 0.0)};
      },
      x);
  // Softmax of rows, layer norm.
  same_in_every_mode([](Array a) { return exp(a - logsumexp(a, 1, true)); }, m);
  same_in_every_mode([](Array a) { return (a - mean(a, -1, true)) * rsqrt(var(a, -1, 0, true) + 1e-5); }, m);
  const Array places = array(engine(), std::vector<std::int64_t>{3, -1, 40});
  same_in_every_mode(
      [](Array a, Array i) {
        return std::tuple{concat({a, a * 2.0}, 0), stack({sum(a, 0), max(a, 0)}), take(sqrt(abs(a)), i, 1) + 1.0};
      },
      m, places);
}

TEST(Traced, MatrixProducts) {
  const Array a = random_array({60, 300}, DType::f64, 24), b = random_array({300, 41}, DType::f64, 25),
              c = random_array({7, 1, 20, 30}, DType::c64, 26), d = random_array({5, 30, 8}, DType::f32, 27),
              v = random_array({41}, DType::f32, 28);
  same_in_every_mode(
      [](Array x, Array y, Array z) {
        const Array w = matmul(sin(x), y * 0.5);
        return std::tuple{exp(w * 1e-2) + z, matmul(w, z), sum(matmul(w.transpose(), x), 0), matmul(z, z) * 2.0};
      },
      a, b, v);
  same_in_every_mode(
      [](Array x, Array y) {
        return std::tuple{abs(matmul(x, y)), matmul(conj(x).transpose({0, 1, 3, 2}), x),
                          tensordot(x, y, {3, 1}, {1, 0}), tensordot(y, x, 0)};
      },
      c, d.slice(0, {.stop = 1}));
  same_in_every_mode(
      [](Array x, Array y) {
        const Array i = (x * 40.0).astype(DType::i16), j = (y * 40.0).astype(DType::i32);
        return std::tuple{matmul(i, j), matmul(j.transpose(), y),
                          matmul(x.slice(1, {.stop = 0}), y.slice(0, {.stop = 0}))};
      },
      a, b);
}

TEST(Traced, OneTraceOfAProductServesAllSizes) {
  const auto function = traced(engine(), [](Array x, Array y) { return tensordot(exp(x), y, 1) + 1.0; });
  for (const std::int64_t n : {3, 1, 70, 400}) {
    const Array x = random_array({n, 2 * n}, DType::f64, 29), y = random_array({2 * n, n + 1}, DType::f64, 30);
    EXPECT_EQ(bytes_of(function(x, y)), bytes_of(matmul(exp(x), y) + 1.0)) << n;
  }
  EXPECT_EQ(function.trace_count(), 1);
}

TEST(Traced, Updates) {
  const Array m = random_array({6, 9}, DType::f64, 24), row = random_array({9}, DType::f64, 25);
  same_in_every_mode(
      [](Array a, Array b) {
        const Array inner = update(exp(a), 0, {1, -1}, b * 2.0);
        return std::tuple{update(inner, 1, -2, sum(a, 1)), update(a, 1, {.step = -3}, 0.5) + inner,
                          update(a, 0, {4, 99}, a.slice(0, {.stop = 2}))};
      },
      m, row);
  // Row by row, as a loop writes it.
  same_in_every_mode(
      [](Array a) {
        return scan(
            [](std::span<const Array> in) {
              return std::vector<Array>{update(in[0], 0, 2, in[1].index(0, 0)), in[0] * in[1]};
            },
            {a.index(0, 0)}, {a});
      },
      m);
}

TEST(Traced, Repeats) {
  const Array m = random_array({6, 9}, DType::f64, 26), counts = array(engine(), {1, 0, 3, 2, 0, 1});
  same_in_every_mode(
      [=](Array a) {
        return std::tuple{repeat(a, 3, 0) * 2.0, repeat(exp(a), 20, -1), repeat(a, 2), repeat(a, counts, 0) + 1.0};
      },
      m);
  // The extents stay those of each call.
  const auto function = traced(engine(), [](Array a) { return repeat(a + 1.0, 3, 0) * a.extent(0); });
  for (const std::int64_t n : {4, 1, 0, 70}) {
    const Array x = random_array({n, 2}, DType::f32, 27);
    EXPECT_EQ(bytes_of(function(x)), bytes_of(repeat(x + 1.0, 3, 0) * n)) << n;
  }
  EXPECT_EQ(function.trace_count(), 1);
}

TEST(Traced, CallsInsideOfCalls) {
  const Array x = random_array({4}, DType::f64, 42);
  const auto scaled = traced(engine(), [](Array a, Array b) { return a * b; },
                             {.mode = Mode::graph, .signature = {spec(DType::f64, {"n"}), spec(DType::f64, {})}});
  same_in_every_mode([&](Array a) { return scaled(a, 2) + scaled(a + 1.0, sum(a)); }, x);
  EXPECT_THROW(
      (void)traced(engine(), [&](Array a) { return scaled(a.astype(DType::f32), 1.0); }, {.mode = Mode::graph})(x),
      Error);
  // A callable may look at functions, and functions may call each other from several threads.
  for (int round = 0; round < 20; ++round) {
    std::function<Array(Array)> first, second;
    std::atomic<int> inside{0};
    const auto f = traced(engine(),
                          [&](Array a) {
                            ++inside;
                            for (int i = 0; i < 100 && inside < 2; ++i)
                              std::this_thread::sleep_for(std::chrono::microseconds(50));
                            (void)second(x);
                            return a + 1.0;
                          },
                          {.mode = Mode::graph});
    const auto g = traced(engine(),
                          [&](Array a) {
                            ++inside;
                            for (int i = 0; i < 100 && inside < 2; ++i)
                              std::this_thread::sleep_for(std::chrono::microseconds(50));
                            (void)f.trace_count();
                            return a + 2.0;
                          },
                          {.mode = Mode::graph});
    second = [&](Array a) { return g(a); };
    std::thread other([&] { (void)g(x); });
    EXPECT_EQ(bytes_of(f(x)), bytes_of(x + 1.0));
    other.join();
    EXPECT_EQ(g.trace_count(), 1);
  }
}

TEST(Traced, CapturedArrays) {
  const Array x = random_array({300}, DType::f64, 14), table = random_array({300}, DType::f64, 15),
              factor = random_array({}, DType::f64, 16);
  same_in_every_mode([=](Array a) { return a * table + table * factor; }, x);
}

TEST(Traced, ThousandSizesAndFiftyNumbersAreOneTrace) {
  const auto f = traced(
      engine(), [](Array x, Array y, Array a) { return exp(-a * x) * y; },
      {.mode = Mode::graph, .signature = {spec(DType::f64, {"n"}), spec(DType::f64, {"n"}), spec(DType::f64, {})}});
  const Array all = random_array({2000}, DType::f64, 17);
  for (std::int64_t n = 0; n < 1000; ++n) {
    const Array x = n % 2 == 0 ? all.slice(0, {.stop = n}) : all.slice(0, {.stop = 2 * n, .step = 2}),
                y = all.slice(0, {.start = 2000 - n});
    const double a = static_cast<double>(n % 50) * 0.01;
    const Array got = f(x, y, a), want = exp(-scalar(engine(), a) * x) * y;
    ASSERT_EQ(bytes_of(got), bytes_of(want)) << n;
  }
  EXPECT_EQ(f.trace_count(), 1);
  EXPECT_TRUE(f.why_retraced().empty());
}

TEST(Traced, WithoutASignatureSizesAreNoReasonEither) {
  const auto f = traced(engine(), [](Array x, Array y) { return x * y + x; }, {.mode = Mode::graph});
  for (const std::int64_t n : {5, 1, 0, 1000})
    (void)f(random_array({n}, DType::f64, 1), random_array({n}, DType::f64, 2));
  EXPECT_EQ(f.trace_count(), 1);
}

// A chain of questions: of all extents that are equal one stands for the others, also in a region.
TEST(Traced, ExtentsThatAConditionMakesEqualAreOneShape) {
  const auto loops = [](const auto& f) {
    const std::string text = f.print("lower");
    int count = 0;
    for (std::size_t at = 0; (at = text.find("loop over", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  const Array x = random_array({30}, DType::f64, 1), y = random_array({30}, DType::f64, 2),
              z = random_array({30}, DType::f64, 3);
  const auto callable = [](Array a, Array b, Array c) { return sin(b) + c * 2.0 + (b - a) * exp(a) + c; };
  const auto f = traced(engine(), callable, {.mode = Mode::graph});
  (void)f(x, y, z);
  EXPECT_EQ(loops(f), 1) << f.print("lower");
  same_in_every_mode(callable, x, y, z);
  const auto g = traced(engine(),
                        [](Array a, Array b) {
                          return fori_loop(
                              0, 3, [&](Array, Array carry) { return carry * b + b * 2.0; }, a + b);
                        },
                        {.mode = Mode::graph});
  (void)g(x, y);
  EXPECT_EQ(loops(g), 2) << g.print("lower");
}

TEST(Traced, EveryRetraceHasItsReason) {
  const auto f = traced(engine(),
                        [](Array x, Array y) {
                          return x.slice(0, {1, -1}).expand_dims(0) * y;
                        },
                        {.mode = Mode::graph, .name = "pull"});
  const Array x = random_array({9}, DType::f64, 1), y = random_array({7}, DType::f64, 2);
  const auto last = [&](int traces) {
    EXPECT_EQ(f.trace_count(), traces);
    return f.why_retraced().empty() ? "" : f.why_retraced().back();
  };
  (void)f(x, y);
  EXPECT_EQ(last(1), "");
  (void)f(x.slice(0, {.stop = 5}), y.slice(0, {.stop = 3}));
  EXPECT_EQ(last(1), "");
  (void)f(x.astype(DType::f32), y);
  EXPECT_EQ(last(2),
            "argument 0 of pull was f64 of rank 1 and is f32 of rank 1; convert it before the call to keep one trace");
  (void)f(x, 2.0);
  EXPECT_NE(last(3).find("argument 1 of pull was f64 of rank 1 and is a C++ floating-point number"), std::string::npos)
      << last(3);
  (void)f(x, y.expand_dims(0));
  EXPECT_NE(last(4).find("rank 1 and is f64 of rank 2"), std::string::npos) << last(4);
  // y is repeated now, which it was not before.
  (void)f(x, y.slice(0, {.stop = 1}));
  EXPECT_NE(
      last(5).find("pull: the trace before holds where extent(argument 0, axis 0) - 2 == extent(argument 1, axis 0)"),
      std::string::npos)
      << last(5);
  (void)f(x.slice(0, {.stop = 1}), 2.0);
  EXPECT_NE(last(6).find("extent(argument 0, axis 0) - 2 >= 1"), std::string::npos) << last(6);
  EXPECT_FALSE(f.notes().empty());
  EXPECT_NE(f.notes().back().find("traced again 5 times within 20 calls"), std::string::npos);
  (void)f(x, y);
  EXPECT_EQ(f.trace_count(), 6);
}

TEST(Traced, ConcurrentFirstCallsTraceOnce) {
  std::atomic<int> runs{0};
  const auto f = traced(engine(),
                        [&runs](Array x) {
                          ++runs;
                          std::this_thread::sleep_for(std::chrono::milliseconds(20));
                          return x * 2.0;
                        },
                        {.mode = Mode::graph});
  const Array x = array(engine(), {1.0, 2.0});
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { right += f(x).values<double>() == std::vector<double>{2.0, 4.0}; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(right, 8);
}

TEST(Traced, ACallableThatThrowsLeavesNothingBehind) {
  bool fail = true;
  Array kept;
  const auto f = traced(engine(),
                        [&](Array x) {
                          kept = x * 2.0;
                          if (fail) throw std::runtime_error("no");
                          return x + 1.0;
                        },
                        {.mode = Mode::graph});
  const Array x = array(engine(), {1.0});
  EXPECT_THROW(f(x), std::runtime_error);
  EXPECT_EQ(f.trace_count(), 0);
  EXPECT_THROW((void)(kept + 1.0), Error);
  fail = false;
  EXPECT_EQ(f(x).values<double>(), std::vector<double>{2.0});
}

TEST(Traced, AFunctionInsideAnotherIsPartOfIt) {
  const auto inner =
      traced(engine(), [](Array x, Array y) { return x * y; }, {.mode = Mode::compiled, .fallback = Fallback::graph});
  const auto outer = traced(engine(), [&](Array x) { return inner(x, x + 1.0) - 1.0; }, {.mode = Mode::graph});
  EXPECT_EQ(outer(array(engine(), {2.0, 3.0})).values<double>(), (std::vector<double>{5.0, 11.0}));
  EXPECT_EQ(inner.trace_count(), 0);
}

TEST(Traced, AChainOfHundredThousandOperations) {
  const auto f = traced(engine(),
                        [](Array x) {
                          for (int i = 0; i < 100'000; ++i) x = x * 1.0000001 + 1e-9;
                          return x;
                        },
                        {.mode = Mode::graph});
  double want = 1.5;
  for (int i = 0; i < 100'000; ++i) want = want * 1.0000001 + 1e-9;
  EXPECT_EQ(f(array(engine(), {1.5})).values<double>()[0], want);
}

}  // namespace
}  // namespace frit::test
