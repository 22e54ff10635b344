// Loops and branches over scalars and small arrays, and map: what eager arrays do step by step, every mode does, and mode
// compiled by machine code.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

#include "ops/table.hpp"
#include "support/integer_cases.hpp"
#include "support/traced.hpp"
#include "support/vmap.hpp"

namespace frit::test {
namespace {

using Given = std::span<const Array>;

void expect_equal(const std::vector<Array>& got, const std::vector<Array>& want, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].dtype(), want[i].dtype()) << what << ", result " << i;
    EXPECT_EQ(bytes_of(got[i]), bytes_of(want[i])) << what << ", result " << i;
  }
}

// A map beside its body applied one by one, in every mode.
void check_map(const Region& body, const std::vector<Array>& elements, const std::string& what) {
  const std::vector<Array> want = looped(body, BatchAxes(elements.size(), 0), elements);
  expect_equal(map(body, elements), want, what + ", eager");
  const std::vector<Operand> operands(elements.begin(), elements.end());
  for (const Mode mode : modes()) {
    const auto f = trace_function(engine(), elements.size(),
                                  [&](Given all) {
                                    return map(body, {all.begin(), all.end()});
                                  },
                                  {.mode = mode});
    for (int repeat = 0; repeat < 2; ++repeat) {
      expect_equal(f.call(operands), want, what + ", mode " + std::string(name_of(mode)));
      if (mode == Mode::automatic) f.wait_for_code(20);
    }
    const bool has_code = f.print("lower").find("routine\n") != std::string::npos;
    EXPECT_EQ(has_code, mode != Mode::graph) << what << "\n" << f.print("lower");
  }
}

std::vector<Array> mandelbrot(Given c) {
  const Array none = c[0] * 0.0;
  return {while_loop([](Given s) { return (s[0] * s[0] + s[1] * s[1] <= 4.0) & (s[2] < 100); },
                     [&](Given s) {
                       return std::vector{s[0] * s[0] - s[1] * s[1] + c[0], 2.0 * s[0] * s[1] + c[1], s[2] + 1};
                     },
                     {none, none, none.astype(DType::i64)})[2]};
}

TEST(Map, LoopsEndAtAnotherStepForEachElement) {
  for (const DType dtype : {DType::f64, DType::f32})
    for (const std::int64_t n : {1, 2, 7, 31, 33, 64, 1000, 9001})
      check_map(mandelbrot, {random_array({n}, dtype, 50), random_array({n}, dtype, 51)}, std::to_string(n));
}

TEST(Map, OfNoElements) {
  const Array none = random_array({0}, DType::f64, 52);
  EXPECT_EQ(map(mandelbrot, {none, none})[0].size(), 0);
  same_in_every_mode([](Array a, Array b) { return map(mandelbrot, {a, b})[0]; }, none, none);
}

// Newton's method until it no longer changes anything, with a branch in each step.
TEST(Map, NewtonUntilConverged) {
  const Array x = abs(random_array({500}, DType::f64, 53)) + 0.01;
  check_map(
      [](Given c) {
        const Array root = while_loop([&](Given s) { return abs(s[0] - s[1]) > 1e-15 * s[0]; },
                                      [&](Given s) {
                                        const Array next = 0.5 * (s[0] + c[0] / s[0]);
                                        return std::vector{cond(
                                                               next < s[0], [&](Given) { return std::vector{next}; },
                                                               [&](Given) { return std::vector{s[0] * 1.0}; }, {})[0],
                                                           s[0]};
                                      },
                                      {c[0] + 1.0, c[0] * 0.0})[0];
        return std::vector{root, root * root};
      },
      {x}, "newton");
}

TEST(Map, BoundsBranchesAndCapturesOfEachKind) {
  const Array x = random_array({300}, DType::f64, 54), z = random_array({300}, DType::c64, 55);
  const Array k = (random_array({300}, DType::f64, 56) * 2.0).astype(DType::i32);
  const Array captured = scalar(engine(), 1.25), table = array(engine(), {0.5, 1.5, 2.5});
  check_map(
      [&](Given c) {
        const Array sums = fori_loop(
            0, c[2], [&](Array i, Array s) { return s + c[0] * captured + i; }, c[0]);
        const std::vector<Array> chosen =
            switch_(c[2],
                    {[&](Given in) {
                       return std::vector{in[0] * table.index(0, 1), c[1]};
                     },
                     [&](Given in) {
                       return std::vector{exp(sin(in[0]) * 3.0) / (abs(in[0]) + 1.0), c[1] * c[1]};
                     },
                     [&](Given in) {
                       return std::vector{-in[0], exp(c[1])};
                     }},
                    {sums});
        return std::vector{sums, chosen[0], chosen[1], c[2] > 0, c[2].astype(DType::u8)};
      },
      {x, z, k}, "captures");
}

// What is rare in a function is a branch in a routine.
TEST(Map, RareArgumentsOfFunctions) {
  std::vector<double> values{0.0, -0.0, 1e308, -1e308, 5e-324, HUGE_VAL, -HUGE_VAL,
                             NAN, 1e22, 0.5,   710.0,  -745.2, 1.0,      -1.0};
  while (values.size() < 100)
    values.push_back(values[values.size() % 14] * 0.75 + 1e5 * static_cast<double>(values.size()));
  const Array x = array(engine(), values);
  for (int op = 0; op < op_count(); ++op) {
    const OpInfo& info = info_of(static_cast<OpId>(op));
    if (info.type == TypeRule::integer || info.type == TypeRule::logical || info.type == TypeRule::select) continue;
    for (const DType dtype : {DType::f64, DType::f32, DType::c128}) {
      const Array a = x.astype(dtype), b = x.slice(0, {.step = -1}).astype(dtype);
      const Region body = [&](Given c) {
        std::vector<Operand> operands;
        for (int i = 0; i < info.arity; ++i) operands.emplace_back(c[static_cast<std::size_t>(i % 2)]);
        const Operand* const o = operands.data();
        return std::vector{info.arity == 1   ? arrays::call(op, {o})
                           : info.arity == 2 ? arrays::call(op, {o, o + 1})
                                             : arrays::call(op, {o, o + 1, o + 2})};
      };
      try {
        (void)body(std::vector{a.index(0, 0), b.index(0, 0)});
      } catch (const Error& error) {
        if (error.code() != ErrorCode::dtype_mismatch) throw;
        continue;  // the op takes no numbers of this dtype
      }
      const Region in_loop = [&](Given c) {
        return std::vector{scan([&](Given in) { return body(std::vector{in[0], in[1]}); }, {}, {c[0], c[1]})[0]};
      };
      check_map(body, {a, b}, info.name);
      same_in_every_mode([&](Array p, Array q) { return in_loop(std::vector{p, q})[0]; }, a, b);
      if (HasFailure()) return;
    }
  }
}

TEST(Routines, IntegersOfEveryDtype) {
  for_each_integer_dtype([&]<class T>(DType dtype) {
    std::mt19937_64 random(57);
    std::vector<T> p(40), q(40);
    for (std::size_t i = 0; i < p.size(); ++i) {
      p[i] = any_integer<T>(random);
      do q[i] = any_integer<T>(random);
      while (q[i] == 0);
    }
    const Array a = array(engine(), p), b = array(engine(), q);
    for (int op = 0; op < op_count(); ++op) {
      const OpInfo& info = info_of(static_cast<OpId>(op));
      if (!info.integers || info.type == TypeRule::select) continue;
      const Region body = [&](Given c) {
        // Counts of shifts and exponents are not negative.
        const Array second = can_raise(static_cast<OpId>(op)) ? (c[1] & 31) + 1 : c[1];
        const Operand x(c[0]), y(second);
        return std::vector{info.arity == 1 ? arrays::call(op, {&x}) : arrays::call(op, {&x, &y})};
      };
      check_map(body, {a, b}, std::string(info.name) + " of " + std::string(name_of(dtype)));
      if (HasFailure()) return;
    }
    same_in_every_mode(
        [](Array x, Array y) {
          return scan(
              [](Given c) {
                const Array next = where(c[1] > c[0], c[0] + c[1], c[0] * 3 - c[1]);
                return std::vector{next, next.astype(DType::f32), next > 3, next.astype(DType::i16)};
              },
              {x.index(0, 0)}, {y});
        },
        a, b);
  });
}

TEST(Routines, SmallArraysAreTheirElements) {
  for (const DType dtype : {DType::f64, DType::f32, DType::c128, DType::c64, DType::i32, DType::u8}) {
    const Array m = random_array({40, 3, 3}, dtype, 58), v = random_array({3}, dtype, 59);
    const Array start = random_array({3, 3}, dtype, 60);
    for (const Mode mode : modes()) {
      const auto walk = [&](Array c, Array rows, Array column) {
        return scan(
            [&](Given s) {
              const Array next = matmul(s[1], s[0]) + s[1].transpose();
              const Array turned = concat({next.slice(0, {.start = 1}), next.slice(0, {.stop = 1})}, 0);
              const Array last = next.index(1, -1).slice(0, {.step = -1});
              return std::vector{turned,
                                 sum(next, 0),
                                 matmul(next, column),
                                 update(last, 0, {.stop = 1}, column.slice(0, {.stop = 1})),
                                 prod(real(last)),
                                 sum(next),
                                 any(next, 1),
                                 norm(last)};
            },
            {c}, {rows});
      };
      const auto function = [&](Mode in) {
        return traced(engine(), walk,
                      {.mode = in, .signature = {spec(dtype, {3, 3}), spec(dtype, {"n", 3, 3}), spec(dtype, {3})}});
      };
      const auto f = function(mode);
      expect_equal(f(start, m, v), function(Mode::eager)(start, m, v),
                   std::string(name_of(dtype)) + ", mode " + std::string(name_of(mode)));
      const bool has_code = f.print("lower").find("routine\n") != std::string::npos;
      EXPECT_EQ(has_code, mode != Mode::graph) << name_of(dtype) << f.print("lower");
    }
  }
}

TEST(Routines, SumsOfEveryShortLength) {
  for (const std::int64_t n : {0, 1, 2, 3, 5, 8, 17, 31, 32, 33, 64}) {
    const Array x = random_array({20, n}, DType::f64, 61);
    const auto function = [&](Mode mode) {
      return traced(engine(),
                    [](Array rows) {
                      return scan(
                          [](Given s) {
                            return std::vector{s[0] + sum(s[1]) * prod(s[1]), sum(s[1]), all(s[1] > 0.0)};
                          },
                          {sum(rows.index(0, 0)) * 0.0}, {rows});
                    },
                    {.mode = mode, .signature = {spec(DType::f64, {"n", n})}});
    };
    for (const Mode mode : modes()) expect_equal(function(mode)(x), function(Mode::eager)(x), std::to_string(n));
  }
}

TEST(Routines, ErrorsAreThoseOfTheStep) {
  const Array n = array(engine(), std::vector<std::int64_t>{12, 6, 0, 3, 0});
  same_error_in_every_mode(
      "integer-domain: floor_divide",
      [](Array x) {
        return scan([](Given s) { return std::vector{floor_divide(s[0] + 100, s[1])}; }, {x.index(0, 0)}, {x});
      },
      n);
  same_error_in_every_mode(
      "cancelled: while_loop was cut after 1000 steps",
      [](Array x) {
        return while_loop([](Given s) { return s[0] >= 0; }, [](Given s) { return std::vector{s[0] + 0}; },
                          {x.index(0, 0)}, {.most_steps = 1000})[0];
      },
      n);
  // Steps behind the end of a loop, and lanes that have ended or are of another branch, raise nothing.
  check_map(
      [](Given c) {
        const Array left = while_loop([](Given s) { return s[0] != 0; },
                                      [](Given s) {
                                        return std::vector{s[0] - 1, s[1] + floor_divide(60, s[0])};
                                      },
                                      {c[0], c[0] * 0})[1];
        return std::vector{left, cond(
                                     c[0] != 0, [&](Given) { return std::vector{100 % c[0]}; },
                                     [&](Given) { return std::vector{c[0]}; }, {})[0]};
      },
      {n}, "guarded");
}

// A map fails as the lowest element that does.
TEST(Map, TheErrorIsThatOfTheLowestElement) {
  std::vector<std::int64_t> values(9000, 5);
  values[4321] = 0;
  values[8000] = -1;
  const auto late = [](Array x) {
    return map(
        [](Given c) {
          const Array quotient = floor_divide(100, c[0]);
          return std::vector{quotient + (bitwise_left_shift(c[0], c[0] - 1))};
        },
        {x})[0];
  };
  same_error_in_every_mode("integer-domain: floor_divide", late, array(engine(), values));
  values[100] = -3;
  same_error_in_every_mode("integer-domain: bitwise_left_shift", late, array(engine(), values));
}

TEST(Map, OfRowsAndInsideOfVmap) {
  const Array x = random_array({6, 5, 4}, DType::f64, 62), w = random_array({4}, DType::f64, 63);
  const auto rows = [](Array a, Array b) {
    return map([&](Given c) { return std::vector{sum(c[0] * b, 1), c[0].transpose()}; }, {a});
  };
  same_in_every_mode([&](Array a, Array b) { return rows(a, b); }, x, w);
  expect_equal(rows(x, w),
               looped(
                   [&](Given c) {
                     return std::vector{sum(c[0] * w, 1), c[0].transpose()};
                   },
                   {0}, {{x}}),
               "rows");
  const Array flat = random_array({6, 5}, DType::f64, 64);
  const auto each = [](Array row) { return map(mandelbrot, {row, row * 0.5})[0]; };
  expect_equal({vmap(each)(flat)}, looped([&](Given in) { return std::vector{each(in[0])}; }, {0}, {{flat}}), "vmap");
}

TEST(Routines, ThreadsShareOne) {
  const auto f = traced(engine(), [](Array x, Array n) {
    return fori_loop(
        0, n, [](Array i, Array c) { return c * 0.5 + i; }, x);
  });
  const Array x = scalar(engine(), 1.0), n = scalar(engine(), std::int64_t{20'000});
  const auto want = bytes_of(f(x, n));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) EXPECT_EQ(bytes_of(f(x, n)), want);
    });
  for (std::thread& thread : threads) thread.join();
}

// An endless loop ends when it is told to, in every mode.
TEST(Routines, EndlessLoopsAreInterrupted) {
  std::int32_t stop = 0;
  Engine own({.threads = 1, .cancel = &stop});
  const Array x = scalar(own, 1.0), many = array(own, std::vector<double>(100, 1.0));
  const auto endless = [](Array c) {
    return while_loop([](Given s) { return s[0] > 0.0; }, [](Given s) { return std::vector{s[0] + 1e-9}; }, {c})[0];
  };
  const auto lanes = [&](Array c) { return map([&](Given s) { return std::vector{endless(s[0])}; }, {c})[0]; };
  std::vector<Mode> all = modes();
  all.push_back(Mode::eager);
  for (const Mode mode : all) {
    for (const bool of_lanes : {false, true}) {
      stop = 0;
      std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
      });
      try {
        of_lanes ? (void)traced(own, lanes, {.mode = mode})(many) : (void)traced(own, endless, {.mode = mode})(x);
        ADD_FAILURE() << name_of(mode);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what();
      }
      later.join();
    }
  }
  stop = 0;
  EXPECT_EQ((x + 1.0).item<double>(), 2.0);
}

// Compiling takes more than linear time, so what is large runs step by step.
TEST(Routines, AreOfBoundedSize) {
  FRIT_NEEDS_COMPILER();
  const Array x = random_array({64}, DType::f64, 65);
  const auto wide = [](Array a) {
    return fori_loop(
        0, 3,
        [](Array, Array c) {
          for (int i = 0; i < 4; ++i) c = sin(c) * 3.0 + cos(c) + exp(sin(c)) * 0.01;
          return c;
        },
        a);
  };
  const auto carried = [](Array a) {
    const std::vector<Array> carries(300, a.index(0, 0));
    return while_loop([](Given s) { return s[0] < 50.0; },
                      [](Given s) {
                        std::vector<Array> next;
                        for (std::size_t i = 0; i < s.size(); ++i)
                          next.push_back(s[i] + s[(i + 1) % s.size()] * 0.5 + 1.0);
                        return next;
                      },
                      carries)[7];
  };
  const auto check = [&](const auto& callable) {
    const auto f = traced(engine(), callable, {.mode = Mode::compiled, .signature = {spec(DType::f64, {64})}});
    EXPECT_EQ(bytes_of(f(x)), bytes_of(callable(x)));
    EXPECT_EQ(f.print("lower").find("routine\n"), std::string::npos);
  };
  check(wide);
  check(carried);
}

TEST(Routines, BoundsBeyondI64AreItsGreatest) {
  const Array most = scalar(engine(), UINT64_MAX), few = scalar(engine(), std::uint64_t{4});
  const auto count = [](Array first, Array last) {
    return fori_loop(
        first, last, [](Array, Array c) { return c + 1; }, first.astype(DType::i64) * 0);
  };
  EXPECT_EQ(count(most, few).item<std::int64_t>(), 0);
  same_in_every_mode(count, most, few);
  same_in_every_mode(count, few, most - (most - few) + 3);
}

}  // namespace
}  // namespace frit::test
