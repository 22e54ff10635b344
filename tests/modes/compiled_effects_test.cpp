// Effects: print, check and callback run in the order of the program, once for each time that it comes to them, in every mode.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <mutex>
#include <regex>
#include <stdexcept>
#include <thread>

#include "support/traced.hpp"

namespace frit::test {
namespace {

struct Lines {
  std::mutex mutex;
  std::string text;
  void add(std::string_view line) {
    const std::lock_guard lock(mutex);
    text += line;
  }
};
Lines& lines() {
  static Lines all;
  return all;
}

// An engine whose lines go there.
Engine& logging() {
  static Engine one({.threads = 2, .print = [](std::string_view line) { lines().add(line); }});
  return one;
}

Array doubles(std::initializer_list<double> values) { return array(logging(), values); }
Array integers(std::vector<std::int64_t> values) { return array(logging(), values); }

// What two calls print, and how they end.
template <class F, class... A> std::string told(F callable, Mode mode, const A&... arguments) {
  lines().text.clear();
  const auto function = traced(logging(), callable, {.mode = mode});
  for (int repeat = 0; repeat < 2; ++repeat) {
    try {
      (void)function(arguments...);
      lines().add("done\n");
    } catch (const Error& error) {
      lines().add(std::string(name_of(error.code())) + ": " + error.message() + "\n");
    } catch (const std::exception& error) {
      lines().add(std::string(error.what()) + "\n");
    }
  }
  return lines().text;
}

std::string without_places(const std::string& text) {
  return std::regex_replace(text, std::regex(" \\(at [^)]*\\)"), "");
}

// In every mode the calls print `want`, which stands for each of them, and name the same lines in errors.
template <class F, class... A> void tells(const std::string& want, F callable, const A&... arguments) {
  const std::string eager = told(callable, Mode::eager, arguments...);
  EXPECT_EQ(without_places(eager), want + want);
  for (const Mode mode : modes()) EXPECT_EQ(told(callable, mode, arguments...), eager) << name_of(mode);
}

void say(std::string_view text) { print(logging(), text); }

const auto keep = [](std::span<const Array> in) { return std::vector<Array>(in.begin(), in.end()); };

TEST(Effects, KeepTheOrderOfTheProgram) {
  tells(
      "first\n[0.5] is deep: f64[3] [1, 2, 3]\ncalled with 6\nlast 12\ndone\n",
      [](Array a) {
        say("first");
        const Array deep = log(exp(a));
        print("[0.5] is deep: {}", {rint(deep)});
        const Array total = callback(
            [](std::span<const Array> in) {
              print("called with {}", {in[0]});
              return std::vector<Array>{in[0] * 2.0};
            },
            {sum(a)}, {{DType::f64, {}}})[0];
        check(total > 11.0, "never");
        print("last {}", {total});
        return a;
      },
      doubles({1, 2, 3}));
  // Nothing uses the results, and the first one is the one that is ready last.
  tells(
      "1\n0\n2\ndone\n",
      [](Array a) {
        for (int i = 0; i < 3; ++i) a = matmul(a.reshape({1, -1}), a.reshape({-1, 1})).index(0, 0) + a * 0.0 + 1.0;
        callback([](std::span<const Array>) { lines().add("1\n"); }, {a});
        callback([](std::span<const Array>) { lines().add("0\n"); }, {});
        callback(
            [](std::span<const Array> in) {
              lines().add("2\n");
              return std::vector<Array>{in[0]};
            },
            {scalar(logging(), 1)}, {{DType::i32, {}}});
        return a;
      },
      doubles({1, 2}));
}

TEST(Effects, OfRegionsRunWithTheStepsThatRun) {
  const auto branch = [](const char* text) {
    return [=](std::span<const Array> in) {
      print(text, {in[0]});
      return keep(in);
    };
  };
  const auto choice = [=](Array a, Array limit) {
    say("before");
    (void)cond(sum(a) > limit, branch("yes {}"), branch("no {}"), {sum(a)});
    say("behind");
    return a;
  };
  tells("before\nyes 3\nbehind\ndone\n", choice, doubles({1, 2}), 2.0);
  tells("before\nno 3\nbehind\ndone\n", choice, doubles({1, 2}), 4.0);
  tells(
      "?0\nstep 0\n  0 of 0\n?1\nstep 1\n  0 of 1\n  1 of 1\n?2\nend 2\ndone\n",
      [](Array n) {
        const Array last = while_loop(
            [&](std::span<const Array> c) {
              print("?{}", {c[0]});
              return c[0] < n;
            },
            [](std::span<const Array> c) {
              print("step {}", {c[0]});
              (void)fori_loop(
                  0, c[0] + 1,
                  [&](Array i, Array carry) {
                    print("  {} of {}", {i, c[0]});
                    return carry;
                  },
                  c[0]);
              return std::vector<Array>{c[0] + 1};
            },
            {scalar(logging(), std::int64_t{0})})[0];
        print("end {}", {last});
        return n;
      },
      scalar(logging(), std::int64_t{2}));
  tells(
      "0 and 5\n5 and 6\ndone\n",
      [](Array a) {
        return scan(
            [](std::span<const Array> in) {
              print("{} and {}", {in[0], in[1]});
              return std::vector<Array>{in[0] + in[1], in[0]};
            },
            {scalar(logging(), 0.0)}, {a});
      },
      doubles({5, 6}));
}

// Behind the first error nothing runs; all before it has, also what is ready later than the error.
TEST(Effects, BesideErrors) {
  const Array n = integers({4, 0}), x = doubles({1, 2});
  tells(
      "before 0\ninteger-domain: remainder: element 1 has no integer result: a division by zero, a negative exponent "
      "or a "
      "negative shift\n",
      [](Array a, Array b) {
        print("before {}", {rint(sum(sin(exp(b)) * 0.0))});
        (void)(a % a);
        print("behind {}", {b});
        check(b > 100.0, "another error");
        return b;
      },
      n, x);
  tells(
      "check-failed: too large: false at index [1]\n",
      [](Array a, Array b) {
        check(exp(sin(b) * 0.0) + b < 2.5, "too large");
        (void)(a % a);
        say("behind");
        return b;
      },
      n, x);
  tells(
      "in 1\nbelow false\nin 2\ncheck-failed: below 2\n",
      [](Array, Array b) {
        const Array c = scan(
            [](std::span<const Array> in) {
              print("in {}", {in[1]});
              check(in[1] < 2.0, "below 2");
              print("below {}", {in[1] > 1.0});
              return std::vector<Array>{in[0]};
            },
            {b.index(0, 0)}, {b})[0];
        print("never {}", {c});
        return c;
      },
      n, x.slice(0, {.step = -1}).slice(0, {.step = -1}) * 1.0 + array(logging(), {0.0, 0.0}));
}

// An error of an operation on integers within a region with effects, and a loop that a check keeps from running.
TEST(Effects, GuardWhatComesBehind) {
  const Array n = integers({4, 0}), x = doubles({1, -2});
  for (const Mode mode : {Mode::eager, Mode::graph}) {
    const std::string inside = told(
        [](Array a) {
          const Array d = cond(all(a >= 0),
                               [](std::span<const Array> in) {
                                 say("in");
                                 const Array q = floor_divide(in[0], in[0]);
                                 print("never {}", {q});
                                 return std::vector<Array>{q};
                               },
                               keep, {a})[0];
          (void)(d % 0);
          print("never {}", {d});
          return d;
        },
        mode, n);
    EXPECT_EQ(inside.find("in\ninteger-domain: floor_divide: element 1"), 0U) << inside;
    EXPECT_EQ(inside.find("never"), std::string::npos) << inside;
  }
  const std::string text = "check-failed: the loop ends: false at index [1]";
  const auto guarded = [](Array b) {
    check(log(exp(b)) > 0.0, "the loop ends");
    return while_loop([](std::span<const Array> c) { return any(c[0] < 5.0); },
                      [&](std::span<const Array> c) { return std::vector<Array>{c[0] + b}; }, {b},
                      {.most_steps = 1000})[0];
  };
  EXPECT_EQ(told(guarded, Mode::eager, x).substr(0, text.size()), text);
  for (const Mode mode : modes()) EXPECT_EQ(told(guarded, mode, x).substr(0, text.size()), text);
}

TEST(Effects, FunctionsInsideOfFunctions) {
  const auto inner = traced(logging(),
                            [](Array a, Array b) {
                              print("inner {} {}", {a, b});
                              check(a > b, "ordered");
                              return a - b;
                            },
                            {.mode = Mode::graph});
  const Array constant = scalar(logging(), 7.0);
  // Also where its arguments are known while the other function is traced.
  tells(
      "inner 3 1\ninner 7 2\ninner 2 2\ncheck-failed: ordered\n",
      [&](Array a) {
        const Array first = inner(a, 1.0), known = inner(constant, 2.0) + first * 0.0;
        return known + inner(a - 1.0, 2.0);
      },
      scalar(logging(), 3.0));
}

TEST(Effects, SeveralThreads) {
  for (const Mode mode : modes()) {
    std::atomic<int> calls{0};
    const auto function = traced(logging(),
                                 [&](Array a) {
                                   const Array b = callback(
                                       [&](std::span<const Array> in) {
                                         ++calls;
                                         return std::vector<Array>{in[0] + 1.0};
                                       },
                                       {a}, {{DType::f64, {a.extent(0)}}})[0];
                                   print("{}", {sum(b)});
                                   return b * 2.0;
                                 },
                                 {.mode = mode});
    lines().text.clear();
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 20; ++i) {
          const Array x = array(logging(), {1.0 * t, 2.0});
          right += function(x).values<double>() == std::vector<double>{2.0 * t + 2, 6};
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, 40);
    EXPECT_EQ(calls, 40);
    std::size_t fours = 0, fives = 0;
    for (const char c : lines().text) {
      fours += c == '4';
      fives += c == '5';
    }
    EXPECT_EQ(fours, 20U);
    EXPECT_EQ(fives, 20U);
  }
}

struct OwnError : Error {
  using Error::Error;
};

TEST(Effects, WhatACallbackThrowsComesOutOfTheCall) {
  const auto throwing = [](bool region) {
    return [=](Array a) {
      (void)(a.astype(DType::i64) % 2);
      const auto body = [](std::span<const Array> in) {
        callback([](std::span<const Array>) { throw OwnError(ErrorCode::file_read, "own"); }, {in[0]});
        return keep(in);
      };
      if (region) return cond(sum(a) > 0.0, body, keep, {a})[0];
      return body(std::array{a})[0];
    };
  };
  std::vector<Mode> all = modes();
  all.push_back(Mode::eager);
  for (const Mode mode : all) {
    for (const bool region : {false, true}) {
      try {
        (void)traced(logging(), throwing(region), {.mode = mode})(doubles({1, 2}));
        ADD_FAILURE() << "no error";
      } catch (const OwnError& error) {
        EXPECT_EQ(error.message(), "own");
      }
    }
  }
  tells(
      "no runtime\n",
      [](Array a) {
        callback([](std::span<const Array>) { throw std::runtime_error("no runtime"); }, {});
        say("behind");
        return a;
      },
      doubles({1}));
}

TEST(Effects, CallbacksMustGiveWhatTheyDeclare) {
  const Array x = doubles({1, 2});
  const auto giving = [](auto fn) {
    return [=](Array a) {
      return callback([=](std::span<const Array> in) { return std::vector<Array>{fn(in[0])}; }, {a},
                      {{DType::f64, {a.extent(0)}}})[0];
    };
  };
  tells("done\n", giving([](Array a) { return a.slice(0, {.step = -1}); }), x);
  tells("dtype-mismatch: callback: array 0 is f32[2], where f64[2] is declared\n",
        giving([](Array a) { return a.astype(DType::f32); }), x);
  tells("shape-mismatch: callback: array 0 is f64[1], where f64[2] is declared\n",
        giving([](Array a) { return a.slice(0, {1}); }), x);
  tells("usage: callback: array 0 belongs to another engine\n", giving([](Array) {
          return array(engine(), {1.0, 2.0});
        }),
        x);
  tells("usage: an Array that was never given a value is used\n", giving([](Array) { return Array(); }), x);
  const std::string lines = told(
      [](Array a) {
        return callback([](std::span<const Array>) { return std::vector<Array>(); }, {a}, {{DType::f64, {}}});
      },
      Mode::graph, x);
  EXPECT_EQ(lines.find("trace-arguments: callback gives 0 arrays, where 1 are declared (at "), 0U) << lines;
  // An array of the trace is dead when the callback runs.
  const std::string traced_one = told(
      [](Array a) {
        return callback([a](std::span<const Array>) { return std::vector<Array>{a}; }, {a}, {{DType::f64, {2}}});
      },
      Mode::graph, x);
  EXPECT_EQ(traced_one.find("traced-value: callback: array 0 has no elements"), 0U) << traced_one;
}

TEST(Effects, CallbacksMayCallFunctions) {
  const auto other = traced(logging(),
                            [](Array a) {
                              print("other {}", {a});
                              return cond(sum(a) > 0.0, keep, keep, {a * 2.0})[0];
                            },
                            {.mode = Mode::graph});
  tells(
      "other 3\nother 6\ngives 12\ndone\n",
      [&](Array a) {
        Array b = a;
        for (int i = 0; i < 2; ++i)
          b = callback([&](std::span<const Array> in) { return std::vector<Array>{other(in[0])}; }, {b},
                       {{DType::f64, {}}})[0];
        print("gives {}", {b});
        return b;
      },
      scalar(logging(), 3.0));
  // While another function is traced, what a callback does is not part of that.
  tells(
      "other 5\ndone\n",
      [&](Array a) {
        const auto helper =
            traced(logging(),
                   [&](Array b) {
                     return callback([&](std::span<const Array> in) { return std::vector<Array>{other(in[0])}; }, {b},
                                     {{DType::f64, {}}})[0];
                   },
                   {.mode = Mode::graph});
        return helper(a);
      },
      scalar(logging(), 5.0));
  // A callback may keep its arrays, and call the function that it is part of.
  for (const Mode mode : modes()) {
    std::vector<Array> kept;
    std::function<Array(double)> again;
    const auto factorial = traced(logging(),
                                  [&](Array a) {
                                    return callback(
                                        [&](std::span<const Array> in) {
                                          kept.push_back(in[0]);
                                          const double n = in[0].item<double>();
                                          return std::vector<Array>{n < 2 ? in[0] : in[0] * again(n - 1)};
                                        },
                                        {a}, {{DType::f64, {}}})[0];
                                  },
                                  {.mode = mode});
    again = [&](double n) { return factorial(scalar(logging(), n)); };
    EXPECT_EQ(again(5).item<double>(), 120.0);
    (void)factorial(1.0);
    ASSERT_EQ(kept.size(), 6U);
    EXPECT_EQ(kept[0].item<double>(), 5.0);
    EXPECT_EQ(kept[5].item<double>(), 1.0);
  }
}

TEST(Effects, TextOfArrays) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = HUGE_VAL;
  const std::string dtypes[] = {"bool", "i8",  "i16", "i32", "i64", "u8",  "u16",
                                "u32",  "u64", "f32", "f64", "c64", "c128"};
  for (int t = 0; t < dtype_count; ++t) {
    const DType dtype = static_cast<DType>(t);
    const std::string one = dtype == DType::boolean ? "true" : is_complex(dtype) ? "1+0i" : "1";
    const std::string two = dtype == DType::boolean ? "false" : is_complex(dtype) ? "0+0i" : "0";
    const std::string name(name_of(dtype));
    tells(
        name + "[2] [" + one + ", " + two + "] and " + one + " and " + name + "[0, 3] []\ndone\n",
        [](Array a) {
          print("{} and {} and {}", {a, a.index(0, 0), a.slice(0, {.stop = 0}).expand_dims(1).broadcast_to({0, 3})});
          return a;
        },
        doubles({1, 0}).astype(dtype));
  }
  tells(
      "f64[6] [nan, nan, inf, -inf, -0, 0.1] f64[1, 1] [[5e-324]] 0.1\ndone\n",
      [](Array a, Array b) {
        print("{} {} {}", {a, b, b.index(0, 0).index(0, 0).astype(DType::f32) * 0.0 + 0.1F});
        return a;
      },
      doubles({nan, -nan, inf, -inf, -0.0, 0.1}), doubles({5e-324}).expand_dims(0));
  tells(
      "c128[3] [1-2i, nan+nani, 0-infi]\ndone\n",
      [](Array a) {
        print("{}", {a});
        return a;
      },
      array(logging(), std::vector<std::complex<double>>{{1, -2}, {-nan, -nan}, {0, -inf}}));
  tells(
      "i64[2, 3] [[5, 4, 3], [2, 1, 0]]\nf64[65] [0, 1, 2, ..., 62, 63, 64]\ni64[8, 9] [[0, 1, 2, ..., 6, 7, 8], [9, "
      "10, "
      "11, ..., 15, 16, 17], [18, 19, 20, ..., 24, 25, 26], ..., [45, 46, 47, ..., 51, 52, 53], [54, 55, 56, ..., 60, "
      "61, 62], [63, 64, 65, ..., 69, 70, 71]]\ni64[2, 3, 12] [[[0, ..., 11], ..., [24, ..., 35]], [[36, ..., 47], "
      "..., [60, ..., 71]]]\ndone\n",
      [](Array a) {
        print("{}", {a.slice(0, {.stop = 6}).slice(0, {.step = -1}).reshape({2, 3})});
        print("{}", {a.slice(0, {.stop = 65}).astype(DType::f64)});
        print("{}\n{}", {a.reshape({8, 9}), a.reshape({2, 3, 12})});
        return a;
      },
      iota(logging(), 72));
  tells(
      "3 {of} 2 true 2.5\ndone\n",
      [](Array a, Array b) {
        print("{} {{of}} {} {} {}", {a.extent(0), 2, b, 2.5});
        return a;
      },
      doubles({1, 2, 3}), true);
}

TEST(Effects, WrongUse) {
  const Array x = doubles({1, 2});
  const auto message = [&](auto callable) {
    const std::string text = told(
        [=](Array a) {
          callable(a);
          return a;
        },
        Mode::graph, x);
    EXPECT_EQ(text, told(
                        [=](Array a) {
                          callable(a);
                          return a;
                        },
                        Mode::eager, x));
    return text.substr(0, text.find(" (at"));
  };
  EXPECT_EQ(message([](Array a) { print("{} {}", {a}); }), "usage: print: 1 values for 2 places in \"{} {}\"");
  EXPECT_EQ(message([](Array a) { print("x", {a}); }), "usage: print: 1 values for 0 places in \"x\"");
  EXPECT_EQ(message([](Array a) { print("{0}", {a}); }),
            "usage: print: '{' in \"{0}\" is not the place of a value, {}; write {{");
  EXPECT_EQ(message([](Array a) { check(a, "a"); }), "dtype-mismatch: check takes booleans, not f64; compare first");
  EXPECT_EQ(message([](Array) { check(true, "a"); }),
            "usage: check needs an array, not a number: use `if` on values of C++");
  EXPECT_EQ(message([](Array a) { print(engine(), "{}", {a}); }),
            "usage: print: the arrays belong to another engine than the one that prints");
  EXPECT_THROW(print("{}", {2.0}), Error);
  EXPECT_THROW(callback(keep, {x}, {{DType::f64, std::vector<Extent>(9, 1)}}), Error);
  // A failed check is found in row-major order, whatever lies where in memory.
  tells(
      "check-failed: small: false at index [0, 2]\n",
      [](Array a) {
        check(a.reshape({3, 2}).transpose() < 3.0, "small");
        return a;
      },
      doubles({0, 3, 1, 1, 5, 0}));
}

TEST(Effects, ErrorsNameTheLineOfTheCheck) {
  const int line = __LINE__ + 2;
  const auto checked = [](Array a) {
    check(a > 0.0, "positive");
    return a;
  };
  const std::string want =
      "check-failed: positive: false at index [1] (at " + std::string(__FILE__) + ":" + std::to_string(line) + ")\n";
  for (const Mode mode : {Mode::eager, Mode::graph}) EXPECT_EQ(told(checked, mode, doubles({1, -1})), want + want);
}

// What is printed without a sink goes to stdout, behind what the program has written there.
TEST(Effects, StandardOutput) {
  testing::internal::CaptureStdout();
  std::printf("before\n");
  print("{}", {scalar(engine(), 1)});
  std::printf("behind\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "before\n1\nbehind\n");
}

}  // namespace
}  // namespace frit::test
