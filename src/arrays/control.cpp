// The public functions of control flow: C++ loops on eager arrays, regions on traced ones.
#include "frit/control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "arrays/control.hpp"
#include "arrays/trace.hpp"
#include "arrays/value.hpp"
#include "frit/engine.hpp"
#include "frit/reduce.hpp"

namespace frit {

using arrays::Access;
using arrays::RegionCall;
using arrays::Trace;
using arrays::Type;
using arrays::Value;
using arrays::ValueId;

namespace arrays {

std::int64_t truth_or_index(const Data& data, std::string_view what) {
  std::int64_t value = 0;
  if (data.rank != 0 || !(data.dtype == DType::boolean || is_integer(data.dtype)))
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("{} has dtype {} and rank {}", what, name_of(data.dtype), data.rank));
  Data one = make_data(DType::i64, {});
  convert(data, one, {&exec::active_table(), 1, 0});
  std::memcpy(&value, one.at, sizeof value);
  return data.dtype == DType::u64 && value < 0 ? INT64_MAX : value;
}

void check_steps(std::int64_t steps, std::int64_t most) {
  if (most > 0 && steps >= most)
    throw Error(ErrorCode::cancelled, fmt::format("while_loop was cut after {} steps, its limit", most));
}

}  // namespace arrays

namespace {

// Carries are of arrays, not of numbers: the dtype of a number would depend on what is beside it.
Array strong(const Array& array) { return array.astype(array.dtype()); }
std::vector<Array> strong(const std::vector<Array>& arrays) {
  std::vector<Array> result;
  result.reserve(arrays.size());
  for (const Array& array : arrays) result.push_back(strong(array));
  return result;
}

const Type& type_of(const Array& array) { return Access::value(array).type; }

// Where the operation is recorded, or nullptr.
std::shared_ptr<Trace> trace_of(std::span<const Array> given) {
  const std::vector<Operand> operands(given.begin(), given.end());
  std::vector<const Operand*> pointers;
  pointers.reserve(operands.size());
  for (const Operand& operand : operands) pointers.push_back(&operand);
  const std::shared_ptr<Trace> trace = pointers.empty() ? nullptr : arrays::home_of(pointers).trace;
  // Carries that are not traced in a traced function: the callables may use what is.
  return trace ? trace : arrays::Recording::innermost();
}

void check_scalar(const Array& array, bool boolean, std::string_view what) {
  const Type& type = type_of(array);
  if (type.rank != 0 || (boolean ? type.dtype != DType::boolean : !is_integer(type.dtype)))
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("{} is {} of rank 0, not {} of rank {}", what, boolean ? "a boolean" : "an integer",
                            name_of(type.dtype), type.rank));
}

// What a region gives must be what is carried on.
void check_same(std::span<const Array> got, std::span<const Array> want, arrays::Extents& extents,
                std::string_view what, bool more_allowed = false) {
  if (got.size() < want.size() || (got.size() > want.size() && !more_allowed))
    throw Error(ErrorCode::trace_arguments,
                fmt::format("{} gives {} arrays, where {} are expected", what, got.size(), want.size()));
  for (std::size_t i = 0; i < want.size(); ++i) {
    const Type &a = type_of(want[i]), &b = type_of(got[i]);
    bool same = a.rank == b.rank;
    for (std::size_t axis = 0; same && axis < static_cast<std::size_t>(a.rank); ++axis)
      same = identical(a.extents[axis], b.extents[axis]) || extents.equal(a.extents[axis], b.extents[axis]);
    if (a.dtype != b.dtype)
      throw Error(ErrorCode::dtype_mismatch, fmt::format("{}: array {} is {} and was {}; convert it with astype", what,
                                                         i, name_of(b.dtype), name_of(a.dtype)));
    if (!same)
      throw Error(ErrorCode::shape_mismatch, fmt::format("{}: array {} has shape {} and had {}", what, i,
                                                         text_of(b, extents), text_of(a, extents)));
  }
}

// Runs a callable as a region of `parent`.
struct Recorded {
  std::shared_ptr<const arrays::Program> program;
  std::vector<Array> captures;
  std::vector<Array> outputs;  // for their types; the arrays themselves are dead
};
Recorded record(const std::shared_ptr<Trace>& parent, std::span<const Type> arguments, const Region& callable) {
  const auto trace = std::make_shared<Trace>(parent, arguments);
  Recorded result;
  try {
    const std::vector<Array> inputs = trace->arguments();
    for (const Array& output : callable(inputs)) {
      // A captured or eager array becomes one of the region.
      const Operand operand(output, SourceLine{});
      auto value = std::make_shared<Value>();
      value->trace = trace;
      value->node = trace->node_of(operand);
      value->type = trace->node(value->node).type;
      value->type.weak = false;
      result.outputs.push_back(strong(Access::make(std::move(value))));
    }
    result.program = std::make_shared<const arrays::Program>(trace->finish(result.outputs));
  } catch (...) {
    trace->finish({});
    throw;
  }
  result.captures = trace->captures();
  return result;
}

// The node of a region and the arrays that are its results.
std::vector<Array> emit(Trace& trace, RegionCall region, std::vector<Array> operands, std::vector<Recorded>& programs,
                        std::span<const Type> results, SourceLine where) {
  for (Recorded& recorded : programs) {
    region.captured.push_back(static_cast<std::uint32_t>(recorded.captures.size()));
    operands.insert(operands.end(), recorded.captures.begin(), recorded.captures.end());
    region.programs.push_back(recorded.program);
  }
  region.results = static_cast<std::uint32_t>(results.size());
  std::vector<ValueId> ids;
  ids.reserve(operands.size());
  for (const Array& operand : operands) ids.push_back(trace.node_of(Operand(operand, where)));
  arrays::ArrayNode node;
  node.kind = arrays::ArrayNode::Kind::region;
  node.payload = trace.add_region(std::move(region));
  node.where = where;
  return trace.results(Access::value(trace.array(node, ids)).node, results, where);
}

std::vector<Type> types_of(std::span<const Array> arrays) {
  std::vector<Type> types;
  for (const Array& array : arrays) {
    types.push_back(type_of(array));
    types.back().weak = false;
  }
  return types;
}

Array array_of(const Operand& operand, const Array* beside, std::string_view what) {
  if (operand.kind == Operand::Kind::array) return operand.array;
  if (beside == nullptr)
    throw Error(ErrorCode::usage, fmt::format("{} is a number, and there is no array beside it", what));
  return strong(arrays::number_beside(*beside, operand));
}

std::vector<Array> choose(const Array& index, bool boolean, const std::vector<Region>& branches,
                          const std::vector<Array>& given, SourceLine where) {
  const char* const what = boolean ? "cond" : "switch_";
  check_scalar(index, boolean, boolean ? "the condition of cond" : "the index of switch_");
  if (branches.empty()) throw Error(ErrorCode::usage, "switch_ without branches");
  const std::vector<Array> operands = strong(given);
  std::vector<Array> all{index};
  all.insert(all.end(), operands.begin(), operands.end());
  const std::shared_ptr<Trace> trace = trace_of(all);
  if (!trace) {
    // Branch 0 of a condition is the one for false.
    const std::int64_t number = arrays::truth_or_index(Access::value(index).data, what);
    const auto at =
        static_cast<std::size_t>(std::clamp<std::int64_t>(number, 0, static_cast<std::int64_t>(branches.size()) - 1));
    return strong(branches[at](operands));
  }
  std::vector<Recorded> programs;
  programs.reserve(branches.size());
  const std::vector<Type> types = types_of(operands);
  for (const Region& branch : branches) programs.push_back(record(trace, types, branch));
  for (std::size_t i = 1; i < programs.size(); ++i) {
    check_same(programs[i].outputs, programs[0].outputs, *trace, what);
    check_same(programs[0].outputs, programs[i].outputs, *trace, what);
  }
  RegionCall region;
  region.kind = RegionCall::Kind::choose;
  region.carries = static_cast<std::uint32_t>(operands.size());
  const std::vector<Type> results = types_of(programs[0].outputs);
  return emit(*trace, std::move(region), all, programs, results, where);
}

}  // namespace

std::vector<Array> cond(const Operand& condition, const Region& yes, const Region& no,
                        const std::vector<Array>& operands) {
  return choose(array_of(condition, operands.empty() ? nullptr : operands.data(), "the condition of cond"), true,
                {no, yes}, operands, condition.where);
}

std::vector<Array> switch_(const Operand& index, const std::vector<Region>& branches,
                           const std::vector<Array>& operands) {
  return choose(array_of(index, operands.empty() ? nullptr : operands.data(), "the index of switch_"), false, branches,
                operands, index.where);
}

std::vector<Array> while_loop(const std::function<Array(std::span<const Array>)>& condition, const Region& body,
                              const std::vector<Array>& given, LoopOptions options, SourceLine where) {
  std::vector<Array> carries = strong(given);
  const std::shared_ptr<Trace> trace = trace_of(carries);
  if (!trace) {
    arrays::Numbers numbers;
    for (std::int64_t step = 0;; ++step) {
      const Array more = condition(carries);
      check_scalar(more, true, "the condition of while_loop");
      if (arrays::truth_or_index(Access::value(more).data, "while_loop") == 0) return carries;
      arrays::located(where, [&] { arrays::check_steps(step, options.most_steps); });
      std::vector<Array> next = strong(body(carries));
      check_same(next, carries, numbers, "the body of while_loop");
      carries = std::move(next);
    }
  }
  const std::vector<Type> types = types_of(carries);
  std::vector<Recorded> programs;
  programs.push_back(
      record(trace, types, [&](std::span<const Array> now) { return std::vector<Array>{condition(now)}; }));
  check_scalar(programs[0].outputs[0], true, "the condition of while_loop");
  programs.push_back(record(trace, types, body));
  check_same(programs[1].outputs, carries, *trace, "the body of while_loop");
  RegionCall region;
  region.kind = RegionCall::Kind::loop;
  region.carries = static_cast<std::uint32_t>(carries.size());
  region.most_steps = options.most_steps;
  return emit(*trace, std::move(region), carries, programs, types, where);
}

Array fori_loop(const Operand& first, const Operand& last, const std::function<Array(Array i, Array carry)>& body,
                const Array& given) {
  const std::vector<Array> carries{strong(given)};
  const Array from = array_of(first, &given, "the first number of fori_loop");
  const Array to = array_of(last, &given, "the last number of fori_loop");
  check_scalar(from, false, "the first number of fori_loop");
  check_scalar(to, false, "the last number of fori_loop");
  const Array begin = from.astype(DType::i64), end = to.astype(DType::i64);
  const std::shared_ptr<Trace> trace = trace_of(std::array{begin, end, carries[0]});
  if (!trace) {
    arrays::Numbers numbers;
    Array carry = carries[0];
    const std::int64_t stop = end.item<std::int64_t>();
    for (std::int64_t i = begin.item<std::int64_t>(); i < stop; ++i) {
      const Array next = strong(body(strong(arrays::number_beside(carry, Operand(i))), carry));
      check_same(std::array{next}, std::array{carry}, numbers, "the body of fori_loop");
      carry = next;
    }
    return carry;
  }
  std::vector<Type> types = types_of(std::array{begin, carries[0]});
  std::vector<Recorded> programs;
  programs.push_back(
      record(trace, types, [&](std::span<const Array> now) { return std::vector<Array>{body(now[0], now[1])}; }));
  check_same(programs[0].outputs, carries, *trace, "the body of fori_loop");
  RegionCall region;
  region.kind = RegionCall::Kind::count;
  region.carries = 1;
  types.erase(types.begin());
  return emit(*trace, std::move(region), {begin, end, carries[0]}, programs, types, first.where)[0];
}

std::vector<Array> scan(const Region& body, const std::vector<Array>& given, const std::vector<Array>& elements,
                        SourceLine where) {
  if (elements.empty()) throw Error(ErrorCode::usage, "scan over no arrays: use fori_loop");
  std::vector<Array> carries = strong(given);
  std::vector<Array> all = carries;
  all.insert(all.end(), elements.begin(), elements.end());
  const std::shared_ptr<Trace> trace = trace_of(all);
  arrays::Numbers numbers;
  arrays::Extents& extents = trace ? static_cast<arrays::Extents&>(*trace) : numbers;
  std::vector<Type> types = types_of(carries);
  for (const Array& array : elements) {
    if (array.rank() == 0)
      throw Error(ErrorCode::shape_mismatch, "scan goes over the first axis of arrays, and one has rank 0");
    if (!extents.equal(array.extent(0), elements[0].extent(0)))
      throw Error(ErrorCode::shape_mismatch,
                  fmt::format("scan: the first axes have extents {} and {}", extents.text(elements[0].extent(0)),
                              extents.text(array.extent(0))));
    Type element = type_of(array);
    element.weak = false;
    --element.rank;
    std::copy(element.extents.begin() + 1, element.extents.end(), element.extents.begin());
    types.push_back(element);
  }
  if (!extents.at_least(elements[0].extent(0), 1))
    throw Error(ErrorCode::empty_reduction,
                "scan over no elements: the shapes of its results are known from a step only");
  if (!trace) {
    const std::int64_t n = elements[0].extent(0);
    std::vector<std::vector<Array>> rows;
    for (std::int64_t i = 0; i < n; ++i) {
      std::vector<Array> inputs = carries;
      for (const Array& array : elements) inputs.push_back(strong(array.index(0, i)));
      std::vector<Array> next = strong(body(inputs));
      check_same(next, carries, numbers, "the body of scan", true);
      rows.resize(next.size() - carries.size());
      for (std::size_t k = 0; k < rows.size(); ++k) rows[k].push_back(next[carries.size() + k]);
      next.resize(carries.size());
      carries = std::move(next);
    }
    for (const std::vector<Array>& row : rows) carries.push_back(stack(row, 0, where));
    return carries;
  }
  std::vector<Recorded> programs;
  programs.push_back(record(trace, types, body));
  check_same(programs[0].outputs, carries, *trace, "the body of scan", true);
  std::vector<Type> results = types_of(programs[0].outputs);
  for (std::size_t i = carries.size(); i < results.size(); ++i) {
    Type& result = results[i];
    if (result.rank == max_rank)
      throw Error(ErrorCode::axis_range, fmt::format("scan: a result would have more than {} axes", max_rank));
    std::copy_backward(result.extents.begin(), result.extents.begin() + result.rank,
                       result.extents.begin() + result.rank + 1);
    result.extents[0] = elements[0].extent(0);
    ++result.rank;
  }
  RegionCall region;
  region.kind = RegionCall::Kind::scan;
  region.carries = static_cast<std::uint32_t>(carries.size());
  region.elements = static_cast<std::uint32_t>(elements.size());
  return emit(*trace, std::move(region), all, programs, results, where);
}

}  // namespace frit
