// Control flow and errors of values in traced functions: what eager arrays do, every mode does.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

#include "support/traced.hpp"

namespace frit::test {
namespace {

// The error is the first in the order of the program, then the lowest element; also where nothing uses the result.
TEST(Control, ErrorsOfValuesAreThoseOfEager) {
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

TEST(Control, Branches) {
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

TEST(Control, Loops) {
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

TEST(Control, LoopsThatGoWrong) {
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
TEST(Control, ErrorsWhoseResultsAreUsed) {
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

// An element that has ended must not go on: the inner loop would never end for it.
TEST(Control, ElementsOfAMapThatHaveEndedEnterNoLoop) {
  const Array x = full(engine(), {64}, 20.0) + iota(engine(), 64);
  const Array one = update(x, 0, 0, 1.0);
  const auto body = [](std::span<const Array> outer) {
    return while_loop([](std::span<const Array> c) { return c[0] > 0.0; },
                      [](std::span<const Array> c) {
                        const Array up = while_loop([](std::span<const Array> y) { return y[0] < 10.0; },
                                                    [&](std::span<const Array> y) { return std::vector{y[0] + c[0]}; },
                                                    {c[0] * 0.0})[0];
                        return std::vector{c[0] - 1.0, c[1] + up};
                      },
                      {outer[0], outer[0] * 0.0});
  };
  same_in_every_mode([&](Array a) { return map(body, {a})[1]; }, one);
}

// A map raises also where it has no results.
TEST(Control, MapsRaise) {
  const Array n = array(engine(), std::vector<std::int64_t>{4, 0, 6});
  for (const Mode mode : modes()) {
    const auto f = traced(engine(),
                          [](Array a) {
                            (void)map(
                                [](std::span<const Array> c) {
                                  (void)(Array(c[0] * 0 + 1) % c[0]);
                                  return std::vector<Array>{};
                                },
                                {a});
                            return a;
                          },
                          {.mode = mode});
    EXPECT_THROW((void)f(n), Error) << name_of(mode);
  }
}

TEST(Control, ExtentsBesideArraysThatAreNotTraced) {
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

// A function that is compiled is so in one that is not, too.
TEST(Control, OnlyACalledFunctionIsCompiled) {
  FRIT_NEEDS_COMPILER();
  const Array x = random_array({300}, DType::f64, 70), captured = random_array({300}, DType::f64, 71);
  const auto hot = traced(engine(), [&](Array a, Array k) { return exp(-a * a * k) + captured; },
                          {.mode = Mode::compiled, .name = "hot"});
  const auto whole = [&](Array a) { return cumulative_sum(hot(a + 1.0, 0.5), 0) * hot(a, scalar(engine(), 2.0)); };
  for (const Mode outer : {Mode::graph, Mode::automatic, Mode::compiled}) {
    const auto f = traced(engine(), whole, {.mode = outer});
    EXPECT_EQ(bytes_of(f(x)), bytes_of(whole(x))) << name_of(outer);
    // In a compiled function it is a part of it as any other.
    EXPECT_EQ(f.print("trace").find("region call") != std::string::npos, outer != Mode::compiled) << f.print("trace");
    EXPECT_EQ(f.trace_count(), 1);
  }
  // And in a loop over scalars, which becomes machine code as a whole.
  same_in_every_mode(
      [&](Array a) {
        const auto step = traced(engine(), [](Array c) { return sin(c) * 0.5; }, {.mode = Mode::compiled});
        return fori_loop(
            0, 10, [&](Array, Array c) { return step(c); }, sum(a));
      },
      x);
}

}  // namespace
}  // namespace frit::test
