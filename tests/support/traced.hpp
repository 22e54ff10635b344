// Traced functions in every mode beside eager arrays.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "support/compiled.hpp"

namespace frit::test {

inline Engine& engine() {
  static Engine one({.threads = 2});
  return one;
}

inline const std::vector<Mode>& modes() {
  static const std::vector<Mode> all = runtime::compiler_is_missing().empty()
                                           ? std::vector<Mode>{Mode::graph, Mode::compiled, Mode::automatic}
                                           : std::vector<Mode>{Mode::graph};
  return all;
}

inline Array random_array(std::vector<std::int64_t> shape, DType dtype, unsigned seed) {
  std::int64_t n = 1;
  for (const std::int64_t extent : shape) n *= extent;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-3, 3);
  std::vector<double> values(static_cast<std::size_t>(2 * n));
  for (double& x : values) x = uniform(random);
  if (is_complex(dtype)) return array(engine(), values.data(), DType::c128, shape).astype(dtype);
  return array(engine(), values.data(), DType::f64, shape).astype(dtype);
}

inline std::vector<std::byte> bytes_of(const Array& a) {
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

}  // namespace frit::test
