// Random programs of arrays: views, broadcasts, every element-wise op, reductions and joins over all dtypes. What eager arrays
// compute, traced functions compute in every mode, bit for bit. FRIT_SEED replays one program; FRIT_NIGHTLY runs many.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "frit/frit.hpp"
#include "ops/table.hpp"
#include "support/compiled.hpp"
#include "support/vmap.hpp"

namespace frit {
namespace {

Engine& engine() {
  static Engine one({.threads = 2});
  return one;
}

using Random = std::mt19937_64;
std::size_t below(Random& random, std::size_t n) { return static_cast<std::size_t>(random() % n); }

// One operation on values computed before, chosen by numbers, so that it can be repeated on traced arrays.
struct Step {
  enum class Kind {
    op,
    op_with_number,
    slice,
    index,
    transpose,
    expand,
    reshape,
    broadcast,
    convert,
    reduce,
    cumulate,
    concat,
    take,
    repeat,
    matmul,
    update
  } kind;
  int which = 0;
  std::vector<std::size_t> operands;
  std::vector<int> numbers;
  double number = 0;

  Array run(const std::vector<Array>& values) const;
  std::string text() const;
};

Array Step::run(const std::vector<Array>& values) const {
  const Array& a = values[operands[0]];
  const auto b = [&](std::size_t i) -> const Array& { return values[operands[i]]; };
  switch (kind) {
    case Kind::op: {
      std::vector<Operand> all;
      for (const std::size_t i : operands) all.emplace_back(values[i]);
      if (all.size() == 1) return arrays::call(which, {&all[0]});
      if (all.size() == 2) return arrays::call(which, {&all[0], &all[1]});
      return arrays::call(which, {&all[0], &all[1], &all[2]});
    }
    case Kind::op_with_number: {
      const Operand x(a), n = numbers[0] == 0 ? Operand(static_cast<int>(number)) : Operand(number);
      return numbers[1] == 0 ? arrays::call(which, {&x, &n}) : arrays::call(which, {&n, &x});
    }
    case Kind::slice: return a.slice(numbers[0], {numbers[1], numbers[2], numbers[3]});
    case Kind::index: return a.index(numbers[0], numbers[1]);
    case Kind::transpose: return a.transpose(numbers);
    case Kind::expand: return a.expand_dims(numbers[0]);
    case Kind::reshape: return a.reshape({-1});
    case Kind::broadcast: {
      std::vector<Extent> shape = a.shape();
      shape.insert(shape.begin(), Extent(numbers[0]));
      return a.broadcast_to(shape);
    }
    case Kind::convert: return a.astype(static_cast<DType>(numbers[0]));
    case Kind::reduce: {
      const Axes axes = numbers[0] < 0 ? Axes() : Axes(numbers[0]);
      const bool keep = numbers[1] != 0;
      switch (which) {
        case 0: return sum(a, axes, keep);
        case 1: return prod(a, axes, keep);
        case 2: return min(a, axes, keep);
        case 3: return max(a, axes, keep);
        case 4: return argmin(a, axes, keep);
        case 5: return argmax(a, axes, keep);
        case 6: return any(a, axes, keep);
        case 7: return all(a, axes, keep);
        case 8: return count_nonzero(a, axes, keep);
        case 9: return mean(a, axes, keep);
        case 10: return var(a, axes, 0.5, keep);
        case 11: return logsumexp(a, axes, keep);
        default: return norm(a, axes, keep);
      }
    }
    case Kind::cumulate: return which == 0 ? cumulative_sum(a, numbers[0]) : cumulative_prod(a, numbers[0]);
    case Kind::concat: return concat({a, b(1)}, numbers[0]);
    case Kind::take: return take(a, b(1), numbers[0]);
    case Kind::repeat: return frit::repeat(a, numbers[0], numbers[1]);
    case Kind::matmul: return frit::matmul(a, b(1));
    case Kind::update: return frit::update(a, numbers[0], Slice{numbers[1], {}, numbers[2]}, b(1));
  }
  return a;
}

std::string Step::text() const {
  std::string out = "kind " + std::to_string(static_cast<int>(kind));
  if (kind == Kind::op || kind == Kind::op_with_number)
    out += std::string(" ") + info_of(static_cast<OpId>(which)).name;
  if (kind == Kind::reduce) out += " " + std::to_string(which);
  for (const std::size_t i : operands) out += " v" + std::to_string(i);
  for (const int n : numbers) out += " " + std::to_string(n);
  return out;
}

Step random_step(Random& random, const std::vector<Array>& values) {
  Step step{};
  const auto any_value = [&] { return below(random, 3) == 0 ? values.size() - 1 : below(random, values.size()); };
  const std::size_t a = any_value();
  const int rank = values[a].rank();
  step.operands = {a};
  const auto axis = [&] { return rank == 0 ? 0 : static_cast<int>(below(random, static_cast<std::size_t>(rank))); };
  const int kind = static_cast<int>(below(random, 29));
  if (kind < 11) {
    step.kind = Step::Kind::op;
    step.which = static_cast<int>(below(random, static_cast<std::size_t>(op_count())));
    for (int i = 1; i < info_of(static_cast<OpId>(step.which)).arity; ++i) step.operands.push_back(any_value());
    return step;
  }
  if (kind < 14) {
    step.kind = Step::Kind::op_with_number;
    do step.which = static_cast<int>(below(random, static_cast<std::size_t>(op_count())));
    while (info_of(static_cast<OpId>(step.which)).arity != 2);
    step.numbers = {static_cast<int>(below(random, 2)), static_cast<int>(below(random, 2))};
    step.number = static_cast<double>(below(random, 9)) - (step.numbers[0] == 0 ? 2.0 : 3.7);
    return step;
  }
  switch (kind) {
    case 14:
    case 15:
      step.kind = Step::Kind::slice;
      step.numbers = {axis(), static_cast<int>(below(random, 9)) - 4, static_cast<int>(below(random, 9)) - 4,
                      static_cast<int>(below(random, 5)) - 2};
      break;
    case 16:
      step.kind = Step::Kind::index;
      step.numbers = {axis(), static_cast<int>(below(random, 5)) - 2};
      break;
    case 17:
      step.kind = Step::Kind::transpose;
      for (int i = 0; i < rank; ++i) step.numbers.push_back(i);
      std::shuffle(step.numbers.begin(), step.numbers.end(), random);
      break;
    case 18:
      step.kind = Step::Kind::expand;
      step.numbers = {static_cast<int>(below(random, static_cast<std::size_t>(rank) + 1))};
      break;
    case 19: step.kind = Step::Kind::reshape; break;
    case 20:
      step.kind = Step::Kind::broadcast;
      step.numbers = {static_cast<int>(below(random, 4))};
      break;
    case 21:
      step.kind = Step::Kind::convert;
      step.numbers = {static_cast<int>(below(random, dtype_count))};
      break;
    case 22:
      step.kind = Step::Kind::cumulate;
      step.which = static_cast<int>(below(random, 2));
      step.numbers = {axis()};
      break;
    case 23:
      step.kind = Step::Kind::concat;
      step.operands.push_back(any_value());
      step.numbers = {axis()};
      break;
    case 24:
      step.kind = Step::Kind::take;
      step.operands.push_back(any_value());
      step.numbers = {axis()};
      break;
    case 25:
      step.kind = Step::Kind::repeat;
      step.numbers = {static_cast<int>(below(random, 4)), axis()};
      break;
    case 26:
      step.kind = Step::Kind::matmul;
      step.operands.push_back(any_value());
      break;
    case 27:
      step.kind = Step::Kind::update;
      step.operands.push_back(any_value());
      step.numbers = {axis(), static_cast<int>(below(random, 5)) - 2, below(random, 2) == 0 ? 1 : -2};
      break;
    default:
      step.kind = Step::Kind::reduce;
      step.which = static_cast<int>(below(random, 13));
      step.numbers = {static_cast<int>(below(random, static_cast<std::size_t>(rank) + 1)) - 1,
                      static_cast<int>(below(random, 2))};
  }
  return step;
}

std::vector<Array> random_arguments(Random& random) {
  std::vector<Array> arguments;
  const std::int64_t n = static_cast<std::int64_t>(below(random, 4) == 0 ? below(random, 3) : below(random, 200)),
                     m = static_cast<std::int64_t>(below(random, 5));
  const std::vector<std::vector<std::int64_t>> shapes{{n}, {n, m}, {}, {m}, {n, 1}};
  for (const std::vector<std::int64_t>& shape : shapes) {
    std::int64_t size = 2;
    for (const std::int64_t extent : shape) size *= extent;
    std::vector<double> elements(static_cast<std::size_t>(size));
    for (double& x : elements) {
      x = static_cast<double>(static_cast<std::int64_t>(random() % 2001) - 1000) / 128.0;
      if (below(random, 40) == 0)
        x = std::vector<double>{0.0, -0.0, HUGE_VAL, -HUGE_VAL, NAN, 5e-324, 1e300}[below(random, 7)];
    }
    const DType dtype = below(random, 2) == 0 ? DType::f64 : static_cast<DType>(below(random, dtype_count));
    arguments.push_back(
        array(engine(), elements.data(), is_complex(dtype) ? DType::c128 : DType::f64, shape).astype(dtype));
  }
  return arguments;
}

std::vector<std::byte> bytes_of(const Array& a) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(a.size()) * size_of(a.dtype()));
  a.copy_to(bytes.data());
  return bytes;
}

// A program that runs on these arguments.
struct Program {
  std::vector<Array> arguments;
  std::vector<Array> values;  // the arguments and what each step gives
  std::vector<Step> steps;
  std::string text;

  Program(std::uint64_t seed, Random& random);
  // What the steps give.
  std::vector<Array> run(std::span<const Array> given) const {
    std::vector<Array> all(given.begin(), given.end());
    for (const Step& step : steps) all.push_back(step.run(all));
    return {all.begin() + static_cast<std::ptrdiff_t>(given.size()), all.end()};
  }
};

Program::Program(std::uint64_t seed, Random& random) : arguments(random_arguments(random)), values(arguments) {
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
  text = "seed " + std::to_string(seed);
  for (std::size_t i = 0; i < steps.size(); ++i)
    text += "\n  v" + std::to_string(i + arguments.size()) + " = " + steps[i].text();
}

void check(std::uint64_t seed, std::span<const Mode> modes) {
  Random random(seed);
  const Program program(seed, random);
  const auto& [arguments, values, steps, text] = program;
  // All values as results, and only the last, where more is fused and less stored.
  for (const bool last_only : {false, true}) {
    if (steps.empty()) break;
    for (const Mode mode : modes) {
      const auto f = trace_function(engine(), arguments.size(),
                                    [&](std::span<const Array> given) {
                                      std::vector<Array> all = program.run(given);
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

// The array and others of its type as a batch along a new axis.
Array batch_of(const Array& a, int axis) {
  const Array first = a.rank() == 0 ? a : a.slice(0, {.step = -1}),
              last = a.rank() == 0 ? a : a.slice(-1, {.step = -1});
  return stack({a, first, last}, axis);
}

// One vmap, or two in each other, is a loop; its errors are none that the loop has not.
void check_vmap(std::uint64_t seed) {
  Random random(seed);
  const Program program(seed, random);
  for (const Array& value : program.values)
    if (value.rank() > 6 || value.size() > 2'000) return;
  if (program.steps.empty()) return;
  std::vector<Array> arguments = program.arguments;
  Region batched = [&](std::span<const Array> given) { return program.run(given); }, loop = batched;
  const std::size_t levels = 1 + below(random, 2);
  for (std::size_t level = 0; level < levels; ++level) {
    test::BatchAxes axes(arguments.size());
    const std::size_t certain = below(random, arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (i != certain && below(random, 2) == 0) continue;
      axes[i] = static_cast<int>(below(random, static_cast<std::size_t>(arguments[i].rank()) + 1));
      arguments[i] = batch_of(arguments[i], *axes[i]);
    }
    batched = [=](std::span<const Array> given) { return arrays::vmapped(batched, {.in_axes = axes}, given, {}); };
    loop = [=](std::span<const Array> given) { return test::looped(loop, axes, given); };
  }
  std::vector<Array> want;
  try {
    want = loop(arguments);
  } catch (const Error&) {
    return;
  }
  const auto compare = [&](const std::vector<Array>& got, const char* how) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i].dtype(), want[i].dtype()) << how << " step " << i << "\n" << program.text;
      ASSERT_EQ(got[i].rank(), want[i].rank()) << how << " step " << i << "\n" << program.text;
      ASSERT_EQ(bytes_of(got[i]), bytes_of(want[i])) << how << " step " << i << "\n" << program.text;
    }
  };
  try {
    compare(batched(arguments), "eager");
    const std::vector<Operand> operands(arguments.begin(), arguments.end());
    compare(trace_function(engine(), arguments.size(), batched, {.mode = Mode::graph}).call(operands), "graph");
  } catch (const Error& error) {
    ADD_FAILURE() << error.what() << "\n" << program.text;
  }
}

TEST(TracedRandom, VmapIsALoop) {
  if (const char* const seed = std::getenv("FRIT_SEED")) return check_vmap(std::strtoull(seed, nullptr, 10));
  const std::uint64_t programs = std::getenv("FRIT_NIGHTLY") != nullptr ? 20'000 : 500;
  for (std::uint64_t seed = 1; seed <= programs && !HasFailure(); ++seed) check_vmap(seed);
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
}  // namespace frit
