// Random operations on arrays of all dtypes, chosen by numbers, so that a program can be repeated on traced arrays.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "ops/table.hpp"
#include "support/traced.hpp"

namespace frit::test {

using Random = std::mt19937_64;
inline std::size_t below(Random& random, std::size_t n) { return static_cast<std::size_t>(random() % n); }

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

inline Array Step::run(const std::vector<Array>& values) const {
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

inline std::string Step::text() const {
  std::string out = "kind " + std::to_string(static_cast<int>(kind));
  if (kind == Kind::op || kind == Kind::op_with_number)
    out += std::string(" ") + info_of(static_cast<OpId>(which)).name;
  if (kind == Kind::reduce) out += " " + std::to_string(which);
  for (const std::size_t i : operands) out += " v" + std::to_string(i);
  for (const int n : numbers) out += " " + std::to_string(n);
  return out;
}

inline Step random_step(Random& random, const std::vector<Array>& values) {
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

// Of ordinary size, seldom a special one.
inline double random_element(Random& random) {
  if (below(random, 40) == 0)
    return std::vector<double>{0.0, -0.0, HUGE_VAL, -HUGE_VAL, NAN, 5e-324, 1e300}[below(random, 7)];
  return static_cast<double>(static_cast<std::int64_t>(random() % 2001) - 1000) / 128.0;
}

inline std::vector<Array> random_arguments(Random& random) {
  std::vector<Array> arguments;
  const std::int64_t n = static_cast<std::int64_t>(below(random, 4) == 0 ? below(random, 3) : below(random, 200)),
                     m = static_cast<std::int64_t>(below(random, 5));
  const std::vector<std::vector<std::int64_t>> shapes{{n}, {n, m}, {}, {m}, {n, 1}};
  for (const std::vector<std::int64_t>& shape : shapes) {
    std::int64_t size = 2;
    for (const std::int64_t extent : shape) size *= extent;
    std::vector<double> elements(static_cast<std::size_t>(size));
    for (double& x : elements) x = random_element(random);
    const DType dtype = below(random, 2) == 0 ? DType::f64 : static_cast<DType>(below(random, dtype_count));
    arguments.push_back(
        array(engine(), elements.data(), is_complex(dtype) ? DType::c128 : DType::f64, shape).astype(dtype));
  }
  return arguments;
}

}  // namespace frit::test
