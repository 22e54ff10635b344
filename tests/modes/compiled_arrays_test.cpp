// Traced functions: the same bits in every mode as eager, one trace for all sizes, and a reason for every other one.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <random>
#include <thread>

#include "frit/frit.hpp"
#include "support/compiled.hpp"
#include "support/same.hpp"

namespace frit {
namespace {

Engine& engine() {
  static Engine one({.threads = 2});
  return one;
}

const std::vector<Mode>& modes() {
  static const std::vector<Mode> all = runtime::compiler_is_missing().empty()
                                           ? std::vector<Mode>{Mode::graph, Mode::compiled, Mode::automatic}
                                           : std::vector<Mode>{Mode::graph};
  return all;
}

Array random_array(std::vector<std::int64_t> shape, DType dtype, unsigned seed) {
  std::int64_t n = 1;
  for (const std::int64_t extent : shape) n *= extent;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-3, 3);
  std::vector<double> values(static_cast<std::size_t>(2 * n));
  for (double& x : values) x = uniform(random);
  if (is_complex(dtype)) return array(engine(), values.data(), DType::c128, shape).astype(dtype);
  return array(engine(), values.data(), DType::f64, shape).astype(dtype);
}

std::vector<std::byte> bytes_of(const Array& a) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(a.size()) * size_of(a.dtype()));
  a.copy_to(bytes.data());
  return bytes;
}

// Runs the callable in every mode on the same arguments, and compares dtypes, shapes and bits with eager.
template <class F, class... A> void same_in_every_mode(F callable, const A&... arguments) {
  const std::vector<Array> want =
      arrays::Results<std::decay_t<decltype(traced(engine(), callable, {.mode = Mode::eager})(arguments...))>>::list(
          traced(engine(), callable, {.mode = Mode::eager})(arguments...));
  for (const Mode mode : modes()) {
    const auto function = traced(engine(), callable, {.mode = mode});
    for (int repeat = 0; repeat < 2; ++repeat) {
      const std::vector<Array> got =
          arrays::Results<std::decay_t<decltype(function(arguments...))>>::list(function(arguments...));
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].dtype(), want[i].dtype());
        ASSERT_EQ(got[i].rank(), want[i].rank());
        for (int axis = 0; axis < got[i].rank(); ++axis)
          EXPECT_EQ(std::int64_t{got[i].extent(axis)}, std::int64_t{want[i].extent(axis)});
        EXPECT_EQ(bytes_of(got[i]), bytes_of(want[i])) << "output " << i << " in mode " << name_of(mode) << "\n"
                                                       << function.print("trace") << function.print("lower");
      }
      if (mode == Mode::automatic) function.wait_for_code(20);
    }
    EXPECT_EQ(function.trace_count(), 1);
  }
}

// Without it the tests below compare graph mode alone.
TEST(Traced, TheCompilerIsThere) { FRIT_NEEDS_COMPILER(); }

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

// The error is the first in the order of the program, then the lowest element; also where nothing uses the result.
TEST(Traced, ErrorsOfValuesAreThoseOfEager) {
  const Array n = array(engine(), std::vector<std::int64_t>{4, 0, 6, 0}), x = array(engine(), {1.0, 2.0, 3.0, 4.0});
  const auto late = [](Array a, Array b) {
    const Array deep = floor_divide((exp(b) * 0.0).astype(DType::i64) + 12, a);
    const Array early = floor_divide(a, a - 6);
    return deep * 2 + early;
  };
  const auto unused = [](Array a, Array b) {
    (void)(a % 0);
    return b + 1.0;
  };
  const auto place = [](Array a, Array b) { return take(b, a); };
  const auto message = [&](auto callable, Mode mode) {
    try {
      traced(engine(), callable, {.mode = mode})(n, x);
    } catch (const Error& error) {
      return std::string(name_of(error.code())) + " " + error.message();
    }
    return std::string("no error");
  };
  for (const Mode mode : modes()) {
    EXPECT_EQ(message(late, mode), message(late, Mode::eager));
    EXPECT_EQ(message(unused, mode), message(unused, Mode::eager));
    EXPECT_EQ(message(place, mode), message(place, Mode::eager));
  }
  EXPECT_NE(message(late, Mode::eager).find("integer-domain floor_divide: element 1 has"), std::string::npos)
      << message(late, Mode::eager);
  EXPECT_NE(message(place, Mode::eager).find("index-range take: place 0 of the indices is 4, and axis 0 has extent 4"),
            std::string::npos);
}

TEST(Traced, Branches) {
  const Array x = random_array({50}, DType::f64, 30), m = random_array({5, 50}, DType::f32, 31);
  for (const double limit : {-100.0, 100.0}) {
    same_in_every_mode(
        [](Array a, Array b, Array l) {
          const std::vector<Array> both = cond(
              sum(a) > l,
              [&](std::span<const Array> in) {
                return std::vector<Array>{in[0] * 2.0 + a, sum(in[1], 0)};
              },
              [&](std::span<const Array> in) {
                return std::vector<Array>{exp(a) - l, in[1].index(0, 1)};
              },
              {a + 1.0, b});
          return std::tuple{both[0], both[1] * 3.0};
        },
        x, m, scalar(engine(), limit));
  }
  for (const int branch : {-1, 0, 1, 2, 7}) {
    same_in_every_mode(
        [](Array a, Array i) {
          const auto power = [](int n) {
            return [n](std::span<const Array> in) { return std::vector<Array>{pow(in[0], n + 2)}; };
          };
          return switch_(i, {power(0), power(1), power(2)}, {a})[0];
        },
        x, scalar(engine(), branch));
  }
  // A branch that is not taken raises nothing.
  const Array n = array(engine(), std::vector<std::int64_t>{4, 0});
  same_in_every_mode(
      [](Array a) {
        return cond(
            all(a != 0), [](std::span<const Array> in) { return std::vector<Array>{floor_divide(12, in[0])}; },
            [](std::span<const Array> in) { return std::vector<Array>{in[0]}; }, {a})[0];
      },
      n);
}

TEST(Traced, Loops) {
  const Array x = random_array({40}, DType::f64, 32), y = random_array({40}, DType::f64, 33);
  // Newton's method for a square root, until all have converged.
  same_in_every_mode(
      [](Array a) {
        const Array target = abs(a) + 0.5;
        return while_loop([&](std::span<const Array> c) { return any(abs(c[0] * c[0] - target) > 1e-12 * target); },
                          [&](std::span<const Array> c) {
                            return std::vector<Array>{0.5 * (c[0] + target / c[0]), c[1] + 1};
                          },
                          {target, iota(engine(), 1).index(0, 0)});
      },
      x);
  same_in_every_mode(
      [](Array a, Array n) {
        return fori_loop(
            0, n, [&](Array i, Array c) { return c * 0.5 + a * i; }, a);
      },
      x, scalar(engine(), 7));
  same_in_every_mode(
      [](Array a) {
        return fori_loop(
            2, a.extent(0), [](Array i, Array c) { return c + i; }, a);
      },
      x);
  // A loop in a loop, each of which uses what surrounds it.
  same_in_every_mode(
      [](Array a, Array b) {
        return fori_loop(
            0, 3,
            [&](Array i, Array c) {
              return fori_loop(
                         0, i + 1, [&](Array k, Array d) { return d * b + k * a; }, c) -
                     i;
            },
            a + b);
      },
      x, y);
  same_in_every_mode(
      [](Array a, Array b) {
        return scan(
            [&](std::span<const Array> in) {
              return std::vector<Array>{in[0] * 0.9 + in[1], in[0] * in[2], in[1] + sum(a)};
            },
            {a.index(0, 0)}, {a, b});
      },
      x, y);
}

// What a call of `callable` says in this mode.
template <class F, class... A> std::string outcome(F callable, Mode mode, const A&... arguments) {
  try {
    (void)traced(engine(), callable, {.mode = mode})(arguments...);
  } catch (const Error& error) {
    return std::string(name_of(error.code())) + ": " + error.message();
  }
  return "no error";
}
template <class F, class... A>
void same_error_in_every_mode(const std::string& begin, F callable, const A&... arguments) {
  const std::string want = outcome(callable, Mode::eager, arguments...);
  EXPECT_EQ(want.substr(0, begin.size()), begin);
  for (const Mode mode : modes()) EXPECT_EQ(outcome(callable, mode, arguments...), want) << name_of(mode);
}

TEST(Traced, LoopsThatGoWrong) {
  const Array x = array(engine(), {1.0, 2.0});
  const auto run = [&](auto callable, Mode mode) { return outcome(callable, mode, x); };
  const auto endless = [](Array a) {
    return while_loop([](std::span<const Array> c) { return c[0].index(0, 0) < 2.0; },
                      [](std::span<const Array> c) { return std::vector<Array>{c[0]}; }, {a}, {.most_steps = 1000})[0];
  };
  const auto other_dtype = [](Array a) {
    return fori_loop(
        0, 3, [](Array, Array c) { return c.astype(DType::f32); }, a);
  };
  const auto other_shape = [](Array a) {
    return fori_loop(
        0, 3, [](Array, Array c) { return c.slice(0, {.start = 1}); }, a);
  };
  const auto no_truth = [](Array a) {
    return while_loop([](std::span<const Array> c) { return c[0]; },
                      [](std::span<const Array> c) { return std::vector<Array>{c[0]}; }, {a})[0];
  };
  const auto leak = [](Array a) {
    Array kept;
    (void)fori_loop(
        0, 3, [&](Array i, Array c) { return kept = c + i; }, a);
    return kept + 1.0;
  };
  std::vector<Mode> all = modes();
  all.push_back(Mode::eager);
  for (const Mode mode : all) {
    EXPECT_EQ(run(endless, mode).substr(0, 57), "cancelled: while_loop was cut after 1000 steps, its limit");
    EXPECT_EQ(run(other_dtype, mode),
              "dtype-mismatch: the body of fori_loop: array 0 is f32 and was f64; convert it with astype");
    EXPECT_EQ(run(other_shape, mode).substr(0, 61), "shape-mismatch: the body of fori_loop: array 0 has shape f64[")
        << run(other_shape, mode);
    EXPECT_EQ(run(no_truth, mode),
              "dtype-mismatch: the condition of while_loop is a boolean of rank 0, not f64 of rank 1");
    if (mode != Mode::eager) {
      EXPECT_EQ(run(leak, mode).substr(0, 12), "traced-value");
    }
  }
}

// What depends on a value that could not be computed is neither computed with rubbish nor reported.
TEST(Traced, ErrorsWhoseResultsAreUsed) {
  const Array n = array(engine(), std::vector<std::int64_t>{1, 2}),
              small = array(engine(), std::vector<std::int8_t>{1, 2});
  const auto keep = [](std::span<const Array> in) { return std::vector<Array>(in.begin(), in.end()); };
  const auto divided = [](std::span<const Array> in) { return std::vector<Array>{floor_divide(in[0], 0)}; };
  same_error_in_every_mode(
      "integer-domain: floor_divide: element 0",
      [=](Array a) { return cond(sum(a) > 0, divided, keep, {a})[0].astype(DType::f64) * 2.0; }, n);
  same_error_in_every_mode(
      "integer-domain: the integer 300 does not fit i8",
      [](Array a, Array b) { return floor_divide(a, b).astype(DType::f64) * 2.0; }, small, 300);
  same_error_in_every_mode(
      "integer-domain: the integer 300", [](Array a, Array b) { return a + b; }, small, 300);
  same_error_in_every_mode(
      "integer-domain: the integer -1", [](Array a, Array b) { return a.astype(DType::u8) * b; }, small, -1);
  same_error_in_every_mode(
      "integer-domain: the integer 400", [](Array a, Array b) { return a + b * b; }, small, 20);
  same_error_in_every_mode(
      "integer-domain: the integer 300",
      [](Array a) {
        return cond(
            sum(a) > 0, [](std::span<const Array> in) { return std::vector<Array>{in[0] + 300}; },
            [](std::span<const Array> in) { return std::vector<Array>{in[0]}; }, {a})[0];
      },
      small);
  same_error_in_every_mode(
      "no error",
      [](Array a) {
        return cond(
            sum(a) < 0, [](std::span<const Array> in) { return std::vector<Array>{in[0] + 300}; },
            [](std::span<const Array> in) { return std::vector<Array>{in[0]}; }, {a})[0];
      },
      small);
  same_error_in_every_mode(
      "integer-domain: floor_divide: element 0",
      [](Array a) {
        const Array q = floor_divide(a, a - a);
        return fori_loop(
            0, sum(q) * sum(q) * 0 + 1'000'000'000'000, [](Array i, Array c) { return c + i; }, a);
      },
      n);
  const auto wide = array(engine(), std::vector<double>(300, 1.0));
  same_error_in_every_mode(
      "integer-domain: the integer 300",
      [](Array a, Array x) {
        (void)(a + x.extent(0));
        return x;
      },
      small, wide);
  same_error_in_every_mode(
      "index-range: take: place 0",
      [](Array a, Array x) {
        const Array t = take(a, a.astype(DType::i64) + 1 + 1);
        (void)(a + x.extent(0));
        return t;
      },
      small, wide);
  const auto limited = [](Array a) {
    (void)while_loop([](std::span<const Array> c) { return all(c[0] > 0); },
                     [](std::span<const Array> c) { return std::vector<Array>{c[0]}; }, {a}, {.most_steps = 10});
    return a;
  };
  same_error_in_every_mode("cancelled: while_loop was cut after 10 steps", limited, n);
  same_error_in_every_mode(
      "integer-domain: floor_divide",
      [=](Array a) {
        const Array late = floor_divide((exp(sin(a.astype(DType::f64))) * 0.0).astype(DType::i64), a - a);
        return std::tuple{late, limited(a)};
      },
      n);
  // Errors of nested regions name one line.
  const std::string nested = outcome(
      [=](Array a) {
        return cond(sum(a) > 0, [=](std::span<const Array> in) { return cond(sum(in[0]) > 0, divided, keep, {in[0]}); },
                    keep, {a})[0];
      },
      Mode::graph, n);
  EXPECT_EQ(nested.find("(at "), nested.rfind("(at ")) << nested;
}

TEST(Traced, ExtentsBesideArraysThatAreNotTraced) {
  const Array x = random_array({3}, DType::f64, 40), c = random_array({3}, DType::f64, 41), one = scalar(engine(), 0.0);
  same_in_every_mode([=](Array a) { return a + c * a.extent(0); }, x);
  same_in_every_mode([=](Array a) { return one.broadcast_to({a.extent(0), 2}) + a.expand_dims(1); }, x);
  same_in_every_mode(
      [=](Array a) {
        return fori_loop(
                   0, a.extent(0), [](Array i, Array s) { return s + i; }, one) +
               a;
      },
      x);
  same_in_every_mode(
      [=](Array a) {
        return while_loop([&](std::span<const Array> s) { return s[0] < sum(abs(a)); },
                          [](std::span<const Array> s) { return std::vector<Array>{s[0] + 1.0}; }, {one})[0] *
               a;
      },
      x);
  same_in_every_mode(
      [=](Array a) {
        return fori_loop(
            0, 3, [&](Array i, Array s) { return s * 0.5 + a * i; }, c);
      },
      x);
  same_in_every_mode([](Array a) { return a.reshape({a.extent(0), -1}); }, x);
  // An extent of another function is an error, not a number.
  Extent leaked = 0;
  const auto f = traced(engine(),
                        [&](Array a) {
                          leaked = a.extent(0);
                          return a;
                        },
                        {.mode = Mode::graph});
  (void)f(x);
  EXPECT_THROW((void)(x * leaked), Error);
  EXPECT_THROW((void)traced(engine(), [&](Array a) { return a * leaked; }, {.mode = Mode::graph})(x), Error);
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
}  // namespace frit
