// Random bodies of map and of loops over scalars, with control flow in them: what eager scalars compute one by one, every mode
// computes side by side or as machine code, bit for bit and error for error. FRIT_SEED replays one; FRIT_NIGHTLY runs many.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/random_arrays.hpp"
#include "support/vmap.hpp"

namespace frit::test {
namespace {

using Given = std::span<const Array>;

// A body: operations on scalars, between them branches and loops over one of them.
struct Body {
  struct Part {
    enum class Kind { step, cond, count, loop } kind = Kind::step;
    Step step{};
    std::size_t value = 0, by = 0;  // control flow: what it changes, and what decides
    std::vector<Body> inner;
  };
  std::vector<Part> parts;

  std::vector<Array> run(Given given) const;
  std::string text(const std::string& indent = "\n  ") const;
};

std::string Body::text(const std::string& indent) const {
  std::string out;
  for (const Part& part : parts) {
    const char* const names[] = {"", "cond", "count", "loop"};
    out +=
        indent + (part.kind == Part::Kind::step ? part.step.text()
                                                : std::string(names[static_cast<int>(part.kind)]) + " v" +
                                                      std::to_string(part.value) + " by v" + std::to_string(part.by));
    for (const Body& body : part.inner) out += indent + "  {" + body.text(indent + "    ") + indent + "  }";
  }
  return out;
}

Array number_of(const Array& x) {
  const Array real_part = is_complex(x.dtype()) ? real(x) : x;
  return real_part.astype(DType::i64) & 7;
}

// The last value of a body in the dtype of the carry, which it may not be converted to where it is complex.
Array as_carry(const Array& result, const Array& carry) {
  if (is_complex(result.dtype()) && !is_complex(carry.dtype())) return real(result).astype(carry.dtype());
  return result.astype(carry.dtype());
}

std::vector<Array> Body::run(Given given) const {
  std::vector<Array> all(given.begin(), given.end());
  for (const Part& part : parts) {
    if (part.kind == Part::Kind::step) {
      all.push_back(part.step.run(all));
      continue;
    }
    const Array decides = number_of(all[part.by]);
    const auto changed = [&](std::size_t which, const Array& carry) {
      std::vector<Array> inside = all;
      inside[part.value] = carry;
      return as_carry(part.inner[which].run(inside).back(), carry);
    };
    const Array start = all[part.value].astype(all[part.value].dtype());
    switch (part.kind) {
      case Part::Kind::cond:
        all.push_back(cond((decides & 1) == 1, [&](Given c) { return std::vector{changed(0, c[0])}; },
                           [&](Given c) { return std::vector{changed(1, c[0])}; }, {start})[0]);
        break;
      case Part::Kind::count:
        all.push_back(fori_loop(
            0, decides, [&](Array, Array carry) { return changed(0, carry); }, start));
        break;
      default:
        all.push_back(while_loop([&](Given c) { return c[1] < decides; },
                                 [&](Given c) {
                                   return std::vector{changed(0, c[0]), c[1] + 1};
                                 },
                                 {start, decides - decides})[0]);
    }
  }
  return {all.begin() + static_cast<std::ptrdiff_t>(given.size()), all.end()};
}

// Finds parts that the operations take, by trying them on `given`.
Body random_body(Random& random, std::vector<Array> given, std::size_t length, int depth) {
  Body body;
  for (int tries = 0; body.parts.size() < length && tries < 200; ++tries) {
    Body::Part part;
    if (depth > 0 && below(random, 5) == 0) {
      part.kind = static_cast<Body::Part::Kind>(1 + below(random, 3));
      part.value = below(random, given.size());
      part.by = below(random, given.size());
      const std::size_t inner = part.kind == Body::Part::Kind::cond ? 2 : 1;
      for (std::size_t i = 0; i < inner; ++i)
        part.inner.push_back(random_body(random, given, 1 + below(random, 4), depth - 1));
      if (std::any_of(part.inner.begin(), part.inner.end(), [](const Body& b) { return b.parts.empty(); })) continue;
    } else {
      part.step = random_step(random, given);
    }
    Body one;
    one.parts.push_back(part);
    try {
      const Array value = one.run(given).back();
      if (value.rank() != 0) continue;
      given.push_back(value);
    } catch (const Error& error) {
      EXPECT_NE(class_of(error.code()), ErrorClass::internal) << error.what() << one.text();
      continue;  // other elements may raise, this one must have a value
    }
    body.parts.push_back(std::move(part));
  }
  return body;
}

struct Outcome {
  std::vector<Array> values;
  std::string error;
};
template <class F> Outcome outcome_of(F fn) {
  Outcome result;
  try {
    result.values = fn();
  } catch (const Error& error) {
    EXPECT_NE(class_of(error.code()), ErrorClass::internal) << error.what();
    result.error = std::string(name_of(error.code())) + ": " + error.message();
  }
  return result;
}

void expect_same(const Outcome& got, const Outcome& want, const std::string& what) {
  ASSERT_EQ(got.error, want.error) << what;
  ASSERT_EQ(got.values.size(), want.values.size()) << what;
  for (std::size_t i = 0; i < got.values.size(); ++i) {
    ASSERT_EQ(got.values[i].dtype(), want.values[i].dtype()) << what << ", result " << i;
    const std::vector<std::byte> bytes = bytes_of(got.values[i]), wanted = bytes_of(want.values[i]);
    const auto differ = std::mismatch(bytes.begin(), bytes.end(), wanted.begin(), wanted.end());
    ASSERT_TRUE(bytes == wanted) << what << ", result " << i << " differs from byte " << differ.first - bytes.begin();
  }
}

void check(std::uint64_t seed, const std::vector<Mode>& in_modes) {
  Random random(seed);
  // Two arrays whose elements are mapped and a scalar that is captured.
  const std::int64_t n = static_cast<std::int64_t>(1 + below(random, below(random, 4) == 0 ? 150 : 9));
  std::vector<Array> arguments;
  for (const std::int64_t extent : {n, n, std::int64_t{0}}) {
    std::vector<double> elements(static_cast<std::size_t>(2 * n));
    for (double& x : elements) x = random_element(random);
    const DType dtype = static_cast<DType>(below(random, dtype_count));
    const std::vector<std::int64_t> shape(extent > 0 ? 1 : 0, n);
    arguments.push_back(
        array(engine(), elements.data(), is_complex(dtype) ? DType::c128 : DType::f64, shape).astype(dtype));
  }
  const auto element = [&](std::int64_t i) {
    return std::vector<Array>{arguments[0].index(0, i), arguments[1].index(0, i), arguments[2]};
  };
  const Body body = random_body(random, element(0), 2 + below(random, 10), 2);
  if (body.parts.empty()) return;
  std::string what = "seed " + std::to_string(seed) + ", of";
  for (const Array& argument : arguments) what += " " + std::string(name_of(argument.dtype()));
  what += body.text() + "\n";

  const Outcome mapped = outcome_of([&] {
    const auto own = [&](Given c) {
      std::vector<Array> row = body.run(std::vector<Array>{c[0], c[1], arguments[2]});
      for (Array& value : row) value = value.astype(value.dtype());
      return row;
    };
    return looped(own, {0, 0}, std::span(arguments).first(2));
  });
  const auto map_all = [&](Given all) {
    return map([&](Given c) { return body.run(std::vector<Array>{c[0], c[1], all[2]}); }, {all[0], all[1]});
  };
  expect_same(outcome_of([&] { return map_all(arguments); }), mapped, what + ", map of eager arrays");

  // And one element after the other, carried.
  const auto walk = [&](Given all) {
    return scan(
        [&](Given c) {
          const std::vector<Array> values = body.run(std::vector<Array>{c[0], c[1], all[2]});
          std::vector<Array> results{as_carry(values.back(), c[0])};
          results.insert(results.end(), values.begin(), values.end());
          return results;
        },
        {all[0].index(0, 0)}, {all[1]});
  };
  const Outcome walked = outcome_of([&] { return walk(arguments); });
  const std::vector<Operand> operands(arguments.begin(), arguments.end());
  for (const Mode mode : in_modes) {
    const auto in_mode = [&](const auto& callable, const Outcome& want, const char* name) {
      const auto f = trace_function(engine(), arguments.size(), callable, {.mode = mode});
      expect_same(outcome_of([&] { return f.call(operands); }), want,
                  what + ", " + name + " in mode " + std::string(name_of(mode)));
    };
    in_mode([&](Given all) { return map_all(all); }, mapped, "map");
    in_mode([&](Given all) { return walk(all); }, walked, "scan");
    if (testing::Test::HasFatalFailure()) return;
  }
}

void check_many(std::uint64_t first, std::uint64_t programs, Mode mode) {
  if (const char* const seed = std::getenv("FRIT_SEED")) return check(std::strtoull(seed, nullptr, 10), {mode});
  for (std::uint64_t seed = first; seed < first + programs && !testing::Test::HasFailure(); ++seed) check(seed, {mode});
}

TEST(RoutinesRandom, GraphIsEager) {
  check_many(1, std::getenv("FRIT_NIGHTLY") != nullptr ? 30'000 : 400, Mode::graph);
}

TEST(RoutinesRandom, CompiledIsEager) {
  FRIT_NEEDS_COMPILER();
  check_many(1'000'000, std::getenv("FRIT_NIGHTLY") != nullptr ? 2'000 : 30, Mode::compiled);
}

}  // namespace
}  // namespace frit::test
