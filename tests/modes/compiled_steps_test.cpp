// Loops over arrays of any size: what the same operations do one after the other on eager arrays. Steps from the fifth on are set up once
// for many of them.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "support/random_arrays.hpp"

namespace frit::test {
namespace {

using Arrays = std::vector<Array>;

// The carries and what else a step gives.
struct Outcome {
  Arrays carries, given;
};
using Body = std::function<Arrays(const Array& number, std::span<const Array> carries)>;  // results behind the carries

// Step by step, outside of any function.
Outcome by_hand(const Body& body, Arrays carries, std::int64_t steps) {
  Outcome out;
  std::vector<Arrays> given;
  for (std::int64_t i = 0; i < steps; ++i) {
    Arrays all = body(scalar(engine(), i), carries);
    const auto results = all.begin() + static_cast<std::ptrdiff_t>(carries.size());
    given.emplace_back(results, all.end());
    all.erase(results, all.end());
    carries = std::move(all);
  }
  for (std::size_t k = 0; !given.empty() && k < given[0].size(); ++k) {
    Arrays rows;
    for (const Arrays& one : given) rows.push_back(one[k]);
    out.given.push_back(stack(rows, 0));
  }
  out.carries = std::move(carries);
  return out;
}

Region scanned(const Body& body, std::size_t carries) {
  return [=](std::span<const Array> in) { return body(in[carries], in.first(carries)); };
}
Arrays as_scan(const Body& body, const Arrays& carries, const Array& numbers) {
  return scan(scanned(body, carries.size()), carries, {numbers});
}
Arrays as_while(const Body& body, const Arrays& carries, const Array& steps) {
  Arrays all{steps * 0};
  all.insert(all.end(), carries.begin(), carries.end());
  all = while_loop([&](std::span<const Array> in) { return in[0] < steps; },
                   [&](std::span<const Array> in) {
                     Arrays next = body(in[0], in.subspan(1));
                     next.resize(carries.size());
                     next.insert(next.begin(), in[0] + 1);
                     return next;
                   },
                   all);
  all.erase(all.begin());
  return all;
}

void expect_same(const Array& got, const Array& want, const std::string& what) {
  ASSERT_EQ(got.dtype(), want.dtype()) << what;
  ASSERT_EQ(got.rank(), want.rank()) << what;
  for (int axis = 0; axis < got.rank(); ++axis)
    ASSERT_EQ(std::int64_t{got.extent(axis)}, std::int64_t{want.extent(axis)}) << what;
  ASSERT_EQ(bytes_of(got), bytes_of(want)) << what;
}

// Both kinds of loop in every mode.
void check(const Body& body, const Arrays& carries, std::int64_t steps) {
  const Outcome want = by_hand(body, carries, steps);
  std::vector<Mode> each{Mode::eager};
  each.insert(each.end(), modes().begin(), modes().end());
  const Array numbers = iota(engine(), steps), count = scalar(engine(), steps);
  for (const Mode mode : each) {
    const std::string what = std::string(name_of(mode)) + ", " + std::to_string(steps) + " steps";
    Arrays arguments = carries;
    arguments.push_back(numbers);
    const auto all = [&](std::span<const Array> in) {
      return as_scan(body, Arrays(in.begin(), in.end() - 1), in.back());
    };
    const std::vector<Operand> operands(arguments.begin(), arguments.end());
    const Arrays got = trace_function(engine(), arguments.size(), all, {.mode = mode}).call(operands);
    ASSERT_EQ(got.size(), want.carries.size() + want.given.size()) << what;
    for (std::size_t i = 0; i < got.size(); ++i)
      expect_same(got[i], i < want.carries.size() ? want.carries[i] : want.given[i - want.carries.size()],
                  "scan, " + what + ", result " + std::to_string(i));
    arguments.back() = count;
    const auto until = [&](std::span<const Array> in) {
      return as_while(body, Arrays(in.begin(), in.end() - 1), in.back());
    };
    const std::vector<Operand> others(arguments.begin(), arguments.end());
    const Arrays last = trace_function(engine(), arguments.size(), until, {.mode = mode}).call(others);
    for (std::size_t i = 0; i < last.size(); ++i)
      expect_same(last[i], want.carries[i], "while_loop, " + what + ", carry " + std::to_string(i));
  }
}

TEST(Steps, OfAllNumbers) {
  const Array x = random_array({300}, DType::f64, 1), y = random_array({300}, DType::f32, 2);
  for (const std::int64_t steps : {1, 2, 3, 4, 5, 6, 7, 1027, 1028, 1029, 2053})
    check(
        [&](const Array& i, std::span<const Array> in) {
          return Arrays{in[0] * 0.75 + x * i, in[1] - y / (i + 1).astype(DType::f32)};
        },
        {x, y}, steps);
}

TEST(Steps, OfAllSizes) {
  for (const std::int64_t n : {0, 1, 2, 7, 64, 65, 1000, 5000, 40'000})
    for (const DType dtype : {DType::f64, DType::f32, DType::c128}) {
      const Array x = random_array({n}, dtype, 1);
      check([&](const Array&, std::span<const Array> in) { return Arrays{in[0] * 0.5 + x, sum(in[0])}; }, {x}, 9);
    }
}

// Carries that change places, that stay, that become a number, and that are given twice.
TEST(Steps, CarriesFromElsewhere) {
  const Array x = random_array({100}, DType::f64, 1), y = random_array({100}, DType::f64, 2);
  check([](const Array&, std::span<const Array> in) { return Arrays{in[1], in[0]}; }, {x, y}, 8);
  check([](const Array&, std::span<const Array> in) { return Arrays{in[1], in[0] + 1.0, in[2]}; }, {x, y, x}, 9);
  check(
      [](const Array&, std::span<const Array> in) {
        const Array z = in[0] * in[1];
        return Arrays{z, z, z + 1.0};
      },
      {x, y}, 7);
  check(
      [](const Array&, std::span<const Array> in) {
        return Arrays{in[0].slice(0, {.step = -1}), in[1] * in[0]};
      },
      {x, y}, 8);
  check([&](const Array&, std::span<const Array>) { return Arrays{x, x, exp(x)}; }, {x, y}, 6);
  check(
      [](const Array& i, std::span<const Array> in) {
        return Arrays{in[0] + i, i + in[1], i};
      },
      {scalar(engine(), std::int64_t{3}), x}, 11);
}

// Numbers that change, where an operation takes them as a number and where it takes them as a vector.
TEST(Steps, NumbersThatChange) {
  for (const DType dtype : {DType::f64, DType::f32}) {
    const Array x = random_array({150}, dtype, 1), number = random_array({}, dtype, 2);
    check(
        [](const Array&, std::span<const Array> in) {
          return Arrays{remainder(in[1], in[0]) + 0.5, in[1] * 1.25, where(in[1] > 2, in[0], in[1]),
                        atan2(in[1], in[0]), hypot(in[0], in[1])};
        },
        {x, number}, 12);
    check(
        [](const Array&, std::span<const Array> in) {
          return Arrays{in[0] * 0.5 + in[1], sin(in[1]) + sum(in[0])};
        },
        {x, number}, 12);
  }
}

// Operations that are no loop over elements, with arrays that move: of all kinds, and inside of each other.
TEST(Steps, OfOtherOperations) {
  const Array m = random_array({12, 12}, DType::f64, 1) * 0.1, v = random_array({12}, DType::f64, 2);
  const Array n = iota(engine(), 100), b = n % 3 == 0;
  check(
      [&](const Array& i, std::span<const Array> in) {
        return Arrays{matmul(m, in[0]) + i, cumulative_sum(in[1] * 0.1 + in[0], 0), max(in[1], 0)};
      },
      {v, v}, 10);
  check(
      [](const Array& i, std::span<const Array> in) {
        return Arrays{concat({in[0].slice(0, {.start = 1}), in[0].slice(0, {.stop = 1})}, 0),
                      in[0].astype(DType::f32) * i.astype(DType::f32)};
      },
      {v}, 17);
  check(
      [](const Array& i, std::span<const Array> in) {
        const Array next = (in[0] * 5 + 1) % 97;
        return Arrays{next, logical_xor(in[1], next > i), where(in[1], next, 0)};
      },
      {n, b}, 12);
  check(
      [](const Array& i, std::span<const Array> in) {
        return Arrays{update(in[0], 0, {.start = 2, .stop = 5}, in[0].slice(0, {.start = 2, .stop = 5}) * 2.0),
                      take(in[0], (i % 7).expand_dims(0), 0)};
      },
      {v}, 10);
  check(
      [&](const Array&, std::span<const Array> in) {
        return Arrays{in[0].transpose({1, 0}) + m, sum(in[0], 1), mean(in[0], 0)};
      },
      {m}, 9);
  const Array inner = scalar(engine(), std::int64_t{3});
  check(
      [&](const Array& i, std::span<const Array> in) {
        return Arrays{fori_loop(
            0, inner, [&](const Array& k, const Array& c) { return c * 0.5 + k + i; }, in[0])};
      },
      {random_array({80}, DType::f64, 3)}, 9);
}

// Elements of a scan that are no runs, and such captures.
TEST(Steps, OverViews) {
  const Array table = random_array({90, 40}, DType::f64, 1), x = random_array({90}, DType::f64, 2);
  const auto f = [](Array t, Array a) {
    const Array all = t.transpose({1, 0});
    return scan(
        [&](std::span<const Array> in) {
          return Arrays{in[0] * 0.5 + in[1], in[1] * in[0] + t.index(1, 3)};
        },
        {a}, {all});
  };
  const Arrays want = [&] {
    Array carry = x;
    Arrays rows;
    for (int i = 0; i < 40; ++i) {
      const Array row = table.index(1, i);
      rows.push_back(row * carry + table.index(1, 3));
      carry = carry * 0.5 + row;
    }
    return Arrays{carry, stack(rows, 0)};
  }();
  for (const Mode mode : modes()) {
    const Arrays got =
        trace_function(engine(), 2, [&](std::span<const Array> in) { return f(in[0], in[1]); }, {.mode = mode})
            .call(std::vector<Operand>{table, x});
    for (std::size_t i = 0; i < 2; ++i) expect_same(got[i], want[i], std::string(name_of(mode)));
  }
}

// A step that raises, among steps that were set up: the error of that step, and no other.
TEST(Steps, ErrorsAreThoseOfTheStep) {
  const Array x = random_array({100}, DType::f64, 1), n = iota(engine(), 100) + 1;
  const auto out_of_range = [&](const Array& i, std::span<const Array> in) {
    return Arrays{in[0] + take(x, (i * 9).expand_dims(0), 0)};
  };
  const auto by_zero = [&](const Array& i, std::span<const Array> in) {
    return Arrays{floor_divide(in[0] + n, n - i * 3)};
  };
  const auto message = [&](const Body& body, const Array& carry, std::int64_t steps, Mode mode) {
    try {
      trace_function(engine(), 2, [&](std::span<const Array> in) { return as_scan(body, {in[0]}, in[1]); },
                     {.mode = mode})
          .call(std::vector<Operand>{carry, iota(engine(), steps)});
    } catch (const Error& error) {
      return std::string(name_of(error.code())) + " " + error.message();
    }
    return std::string("no error");
  };
  for (const Mode mode : modes()) {
    EXPECT_NE(message(out_of_range, x, 30, mode).find("index-range take: place 0 of the indices is 108"),
              std::string::npos)
        << message(out_of_range, x, 30, mode);
    EXPECT_EQ(message(out_of_range, x, 12, mode), "no error");
    EXPECT_NE(message(by_zero, n, 30, mode).find("integer-domain floor_divide: element 2 has"), std::string::npos)
        << message(by_zero, n, 30, mode);
  }
}

// Elements of a map that are arrays: on all threads, and the error is that of the lowest.
TEST(Steps, MapOverRows) {
  const Array w = random_array({120}, DType::f64, 2);
  for (const std::int64_t rows : {1, 4, 5, 6, 21, 22, 200}) {
    const Array table = random_array({rows, 120}, DType::f64, 1), numbers = iota(engine(), rows);
    const Body row = [&](const Array& i, std::span<const Array> in) {
      return Arrays{cumulative_sum(in[0] * w, 0) + i, take(w, (i % 120).expand_dims(0), 0)};
    };
    Arrays want[2];
    for (std::int64_t i = 0; i < rows; ++i) {
      const Arrays one = row(scalar(engine(), i), Arrays{table.index(0, i)});
      for (std::size_t k = 0; k < 2; ++k) want[k].push_back(one[k]);
    }
    for (const Mode mode : modes()) {
      const auto f = trace_function(
          engine(), 2,
          [&](std::span<const Array> in) {
            return map([&](std::span<const Array> one) { return row(one[1], one.first(1)); }, {in[0], in[1]});
          },
          {.mode = mode});
      const Arrays got = f.call(std::vector<Operand>{table, numbers});
      for (std::size_t k = 0; k < 2; ++k) expect_same(got[k], stack(want[k], 0), std::string(name_of(mode)));
      if (rows < 200) continue;
      // From 60 on they are out of range, those of other threads too.
      const auto g = trace_function(
          engine(), 2,
          [&](std::span<const Array> in) {
            return map([&](std::span<const Array> one) { return Arrays{take(one[0], one[1].expand_dims(0), 0)}; },
                       {in[0], in[1]});
          },
          {.mode = mode});
      try {
        (void)g.call(std::vector<Operand>{table, where(numbers >= 60, numbers + 1'000, numbers)});
        ADD_FAILURE() << "no error in mode " << name_of(mode);
      } catch (const Error& error) {
        EXPECT_NE(error.message().find("place 0 of the indices is 1060,"), std::string::npos) << error.message();
      }
    }
  }
}

TEST(Steps, EndAfterTheirMostAndWhenCancelled) {
  const Array x = random_array({200}, DType::f64, 1);
  for (const Mode mode : modes()) {
    const auto endless = [](Array a) {
      return while_loop([](std::span<const Array> in) { return sum(in[0]) < 1e300; },
                        [](std::span<const Array> in) { return Arrays{in[0] * 0.5}; }, {a}, {.most_steps = 2'000})[0];
    };
    try {
      (void)traced(engine(), endless, {.mode = mode})(x);
      ADD_FAILURE() << "it ended";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::cancelled);
      EXPECT_NE(error.message().find("2000"), std::string::npos) << error.message();
    }
    std::int32_t cancel = 0;
    Engine other({.threads = 1, .cancel = &cancel});
    const auto long_one = [](Array a) {
      return fori_loop(
          0, std::int64_t{1} << 40, [](const Array&, const Array& c) { return c * 0.5 + 1.0; }, a);
    };
    const Array y = iota(other, 200, DType::f64);
    const auto f = traced(other, long_one, {.mode = mode});
    std::thread stop([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      __atomic_store_n(&cancel, 1, __ATOMIC_RELAXED);
    });
    try {
      (void)f(y);
      ADD_FAILURE() << "it ended in mode " << name_of(mode);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::cancelled) << name_of(mode) << ": " << error.message();
    }
    stop.join();
  }
}

// A random body over random arrays, some of which are carried.
void check_random(std::uint64_t seed, std::span<const Mode> in_modes, int& compared) {
  Random random(seed);
  const Arrays arguments = random_arguments(random);
  std::vector<Step> steps;
  Arrays values = arguments;
  const std::size_t length = 1 + below(random, 9);
  for (int tries = 0; steps.size() < length && tries < 200; ++tries) {
    const Step step = random_step(random, values);
    try {
      const Array value = step.run(values);
      if (value.size() > 20'000) continue;
      values.push_back(value);
      steps.push_back(step);
    } catch (const Error&) {
      continue;
    }
  }
  // What each argument is in the next step, if it is carried.
  std::vector<std::size_t> next(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < values.size(); ++k) {
      bool same = values[k].dtype() == arguments[i].dtype() && values[k].rank() == arguments[i].rank();
      for (int axis = 0; same && axis < values[k].rank(); ++axis)
        same = std::int64_t{values[k].extent(axis)} == std::int64_t{arguments[i].extent(axis)};
      if (same) all.push_back(k);
    }
    next[i] = below(random, 3) == 0 ? all[below(random, all.size())] : all.back();
  }
  std::vector<std::size_t> given{values.size() - 1, below(random, values.size())};
  const Body body = [&](const Array& number, std::span<const Array> in) {
    Arrays now(in.begin(), in.end());
    for (const Step& step : steps) now.push_back(step.run(now));
    Arrays out;
    for (const std::size_t i : next) out.push_back(now[i]);
    for (const std::size_t i : given) out.push_back(now[i]);
    out.push_back(number + 1);
    return out;
  };
  const auto count = static_cast<std::int64_t>(4 + below(random, 8));
  std::string text = "seed " + std::to_string(seed) + ", " + std::to_string(count) + " steps";
  for (std::size_t i = 0; i < steps.size(); ++i)
    text += "\n  v" + std::to_string(i + arguments.size()) + " = " + steps[i].text();
  for (std::size_t i = 0; i < next.size(); ++i)
    text += "\n  carry " + std::to_string(i) + " = v" + std::to_string(next[i]);

  Arrays operands = arguments;
  operands.push_back(iota(engine(), count));
  const std::vector<Operand> all(operands.begin(), operands.end());
  std::optional<Outcome> want;
  ErrorCode raised{};
  try {
    want = by_hand(body, arguments, count);
  } catch (const Error& error) {
    raised = error.code();
  }
  for (const Mode mode : in_modes) {
    try {
      const auto f = trace_function(
          engine(), operands.size(),
          [&](std::span<const Array> in) { return as_scan(body, Arrays(in.begin(), in.end() - 1), in.back()); },
          {.mode = mode});
      const Arrays got = f.call(all);
      ASSERT_TRUE(want.has_value()) << name_of(raised) << " was raised by hand\n" << text;
      for (std::size_t i = 0; i < got.size(); ++i)
        expect_same(got[i], i < arguments.size() ? want->carries[i] : want->given[i - arguments.size()],
                    text + "\nin mode " + std::string(name_of(mode)) + ", result " + std::to_string(i) + "\n" +
                        (mode == Mode::eager ? "" : f.print("lower")));
      ++compared;
    } catch (const Error& error) {
      // Extents that happen to be equal are no reason for a carry to take another's, which a trace says.
      if (want && error.code() == ErrorCode::shape_mismatch) continue;
      ASSERT_FALSE(want.has_value()) << error.what() << "\n" << text;
      ASSERT_EQ(name_of(error.code()), name_of(raised)) << error.what() << "\n" << text;
    }
  }
}

void random_bodies(std::span<const Mode> in_modes, std::uint64_t first, std::uint64_t count) {
  int compared = 0;
  if (const char* const seed = std::getenv("FRIT_SEED"))
    return check_random(std::strtoull(seed, nullptr, 10), in_modes, compared);
  for (std::uint64_t seed = first; seed < first + count && !::testing::Test::HasFailure(); ++seed)
    check_random(seed, in_modes, compared);
  EXPECT_GT(compared, static_cast<int>(count / 4)) << "hardly a program could be traced";
}
TEST(StepsRandom, GraphIsByHand) {
  random_bodies(std::vector{Mode::eager, Mode::graph}, 1, std::getenv("FRIT_NIGHTLY") != nullptr ? 20'000 : 2'000);
}
TEST(StepsRandom, CompiledIsByHand) {
  FRIT_NEEDS_COMPILER();
  random_bodies(std::vector{Mode::compiled}, 1'000'000, std::getenv("FRIT_NIGHTLY") != nullptr ? 1'000 : 25);
}

}  // namespace
}  // namespace frit::test
