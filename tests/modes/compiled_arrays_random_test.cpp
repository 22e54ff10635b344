// Random programs of arrays: views, broadcasts, every element-wise op, reductions and joins over all dtypes. What eager arrays
// compute, traced functions compute in every mode, bit for bit. FRIT_SEED replays one program; FRIT_NIGHTLY runs many.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/random_arrays.hpp"

namespace frit::test {
namespace {

void check(std::uint64_t seed, std::span<const Mode> in_modes) {
  Random random(seed);
  const std::vector<Array> arguments = random_arguments(random);
  std::vector<Array> values = arguments;
  std::vector<Step> steps;
  const std::size_t length = 3 + below(random, 22);
  for (int tries = 0; steps.size() < length && tries < 400; ++tries) {
    const Step step = random_step(random, values);
    Array value;
    try {
      value = step.run(values);
    } catch (const Error& error) {
      EXPECT_NE(class_of(error.code()), ErrorClass::internal) << "seed " << seed << ": " << error.what();
      continue;
    }
    if (value.size() > 200'000) continue;
    values.push_back(value);
    steps.push_back(step);
  }
  const auto program = [&](std::span<const Array> given) {
    std::vector<Array> all(given.begin(), given.end());
    for (const Step& step : steps) all.push_back(step.run(all));
    return std::vector<Array>(all.begin() + static_cast<std::ptrdiff_t>(given.size()), all.end());
  };
  std::string text = "seed " + std::to_string(seed);
  for (std::size_t i = 0; i < steps.size(); ++i)
    text += "\n  v" + std::to_string(i + arguments.size()) + " = " + steps[i].text();
  // All values as results, and only the last, where more is fused and less stored.
  for (const bool last_only : {false, true}) {
    if (steps.empty()) break;
    for (const Mode mode : in_modes) {
      const auto f = trace_function(engine(), arguments.size(),
                                    [&](std::span<const Array> given) {
                                      std::vector<Array> all = program(given);
                                      if (last_only) all.erase(all.begin(), all.end() - 1);
                                      return all;
                                    },
                                    {.mode = mode});
      const std::vector<Operand> operands(arguments.begin(), arguments.end());
      std::vector<Array> got;
      try {
        got = f.call(operands);
      } catch (const Error& error) {
        ADD_FAILURE() << error.what() << " in mode " << name_of(mode) << "\n" << text;
        return;
      }
      const std::size_t first = last_only ? values.size() - 1 : arguments.size();
      for (std::size_t i = 0; i < got.size(); ++i) {
        const Array& want = values[first + i];
        ASSERT_EQ(got[i].dtype(), want.dtype()) << "v" << first + i << "\n" << text;
        ASSERT_EQ(got[i].rank(), want.rank()) << "v" << first + i << "\n" << text;
        for (int axis = 0; axis < want.rank(); ++axis)
          ASSERT_EQ(std::int64_t{got[i].extent(axis)}, std::int64_t{want.extent(axis)}) << "v" << first + i << "\n"
                                                                                        << text;
        ASSERT_EQ(bytes_of(got[i]), bytes_of(want))
            << "v" << first + i << " in mode " << name_of(mode) << (last_only ? ", the last alone" : "") << "\n"
            << text << "\n"
            << f.print("trace") << f.print("lower");
      }
      ASSERT_EQ(f.trace_count(), 1);
    }
  }
}

TEST(TracedRandom, GraphIsEager) {
  if (const char* const seed = std::getenv("FRIT_SEED"))
    return check(std::strtoull(seed, nullptr, 10), std::vector{Mode::graph});
  const std::uint64_t programs = std::getenv("FRIT_NIGHTLY") != nullptr ? 50'000 : 1'500;
  for (std::uint64_t seed = 1; seed <= programs && !HasFailure(); ++seed) check(seed, std::vector{Mode::graph});
}

TEST(TracedRandom, CompiledIsEager) {
  FRIT_NEEDS_COMPILER();
  if (const char* const seed = std::getenv("FRIT_SEED"))
    return check(std::strtoull(seed, nullptr, 10), std::vector{Mode::compiled});
  const std::uint64_t programs = std::getenv("FRIT_NIGHTLY") != nullptr ? 2'000 : 40;
  for (std::uint64_t seed = 1; seed <= programs && !HasFailure(); ++seed)
    check(100'000 + seed, std::vector{Mode::compiled});
}

}  // namespace
}  // namespace frit::test
