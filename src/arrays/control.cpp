// The public functions of control flow: C++ loops on eager arrays, regions on traced ones.
#include "frit/control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "arrays/batch.hpp"
#include "arrays/control.hpp"
#include "arrays/lower.hpp"
#include "arrays/trace.hpp"
#include "arrays/value.hpp"
#include "frit/engine.hpp"
#include "frit/functions.hpp"
#include "frit/reduce.hpp"

namespace frit {

using arrays::Access;
using arrays::batch_of;
using arrays::Levels;
using arrays::RegionCall;
using arrays::root_of;
using arrays::Trace;
using arrays::Type;
using arrays::united;
using arrays::Value;
using arrays::ValueId;
using arrays::with_axis_moved;
using arrays::with_levels;
using arrays::with_root;

namespace arrays {

void truths_or_indices(const Data& data, std::span<std::int64_t> to) {
  const auto n = static_cast<std::int64_t>(to.size());
  Data numbers = laid_out(DType::i64, {&n, 1});
  numbers.at = reinterpret_cast<std::byte*>(to.data());
  convert(data, numbers, {&exec::active_table(), 1, 0});
  if (data.dtype == DType::u64)
    for (std::int64_t& number : to) number = number < 0 ? INT64_MAX : number;
}

std::int64_t truth_or_index(const Data& data, std::string_view what) {
  if (data.rank != 0 || !(data.dtype == DType::boolean || is_integer(data.dtype)))
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("{} has dtype {} and rank {}", what, name_of(data.dtype), data.rank));
  std::int64_t value = 0;
  truths_or_indices(data, {&value, 1});
  return value;
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
  const std::shared_ptr<Trace> trace =
      operands.empty() ? nullptr : arrays::home_of(arrays::pointers_to(operands)).trace;
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

std::vector<Levels> levels_of(std::span<const Array> arrays) {
  std::vector<Levels> levels;
  for (const Array& array : arrays) levels.push_back(arrays::levels_of(array));
  return levels;
}

// What goes over the border of a region: arrays without vmaps, and the vmaps that they are of on the other side.
struct Carried {
  std::vector<Type> types;
  std::vector<Levels> levels;

  Carried() = default;
  explicit Carried(std::span<const Array> arrays) : levels(levels_of(arrays)) {
    for (const Array& array : arrays) {
      types.push_back(type_of(root_of(array)));
      types.back().weak = false;
    }
  }
  void add(const Carried& other) {
    types.insert(types.end(), other.types.begin(), other.types.end());
    levels.insert(levels.end(), other.levels.begin(), other.levels.end());
  }
  std::vector<Array> with_roots(const std::vector<Array>& roots) const {
    std::vector<Array> arrays;
    for (std::size_t i = 0; i < roots.size(); ++i) arrays.push_back(with_root(roots[i], levels[i]));
    return arrays;
  }
};

// Runs a callable as a region of `parent`. What it gives is at least of the vmaps `wanted`, where there are such.
struct Recorded {
  std::shared_ptr<const arrays::Program> program;
  std::vector<Array> captures;
  std::vector<Array> outputs;  // for their types and vmaps; the arrays themselves are dead
};
Recorded record(const std::shared_ptr<Trace>& parent, const Carried& arguments, const Region& callable,
                const std::vector<Levels>& wanted = {}) {
  const auto trace = std::make_shared<Trace>(parent, arguments.types);
  Recorded result;
  try {
    const std::vector<Array> inputs = arguments.with_roots(trace->arguments());
    std::vector<Array> roots;
    for (const Array& given : callable(inputs)) {
      const std::size_t i = roots.size();
      Levels levels = arrays::levels_of(given);
      if (i < wanted.size()) levels = united(levels, wanted[i]);
      // A captured or eager array becomes one of the region.
      const Operand operand(root_of(with_levels(given, levels)), SourceLine{});
      auto value = std::make_shared<Value>();
      value->trace = trace;
      value->node = trace->node_of(operand);
      value->type = trace->node(value->node).type;
      value->type.weak = false;
      roots.push_back(strong(Access::make(std::move(value))));
      result.outputs.push_back(with_root(roots.back(), levels));
    }
    result.program = std::make_shared<const arrays::Program>(trace->finish(roots));
  } catch (...) {
    trace->finish({});
    throw;
  }
  result.captures = trace->captures();
  return result;
}

// The body of a loop, again until its carries are of the vmaps that it makes them of; `first` and `last` are the arguments
// around them.
Recorded record_body(const std::shared_ptr<Trace>& trace, const Carried& first, std::vector<Array>& carries,
                     const Carried& last, const Region& body, std::string_view what, bool more_allowed = false) {
  for (;;) {
    Carried arguments = first;
    arguments.add(Carried(carries));
    arguments.add(last);
    Recorded recorded = record(trace, arguments, body, levels_of(carries));
    check_same(recorded.outputs, carries, *trace, what, more_allowed);
    bool grew = false;
    for (std::size_t i = 0; i < carries.size(); ++i) {
      const Levels levels = arrays::levels_of(recorded.outputs[i]);
      if (levels == arrays::levels_of(carries[i])) continue;
      carries[i] = with_levels(carries[i], levels);
      grew = true;
    }
    if (!grew) return recorded;
  }
}

// The node of a region and the arrays that are its results.
std::vector<Array> emit(Trace& trace, RegionCall region, std::vector<Array> operands, std::vector<Recorded>& programs,
                        const Carried& results, SourceLine where) {
  for (Recorded& recorded : programs) {
    region.captured.push_back(static_cast<std::uint32_t>(recorded.captures.size()));
    operands.insert(operands.end(), recorded.captures.begin(), recorded.captures.end());
    region.programs.push_back(recorded.program);
  }
  region.results = static_cast<std::uint32_t>(results.types.size());
  std::vector<ValueId> ids;
  ids.reserve(operands.size());
  for (const Array& operand : operands) ids.push_back(trace.node_of(Operand(root_of(operand), where)));
  arrays::ArrayNode node;
  node.kind = arrays::ArrayNode::Kind::region;
  node.payload = trace.add_region(std::move(region));
  node.where = where;
  return results.with_roots(trace.results(Access::value(trace.array(node, ids)).node, results.types, where));
}

Array array_of(const Operand& operand, const Array* beside, std::string_view what) {
  if (operand.kind == Operand::Kind::array) return operand.array;
  if (beside == nullptr)
    throw Error(ErrorCode::usage, fmt::format("{} is a number, and there is no array beside it", what));
  return strong(arrays::number_beside(*beside, operand));
}

// Where the choice is another one for each element of a batch: all branches, and of each result what is chosen.
std::vector<Array> select_of_all(const Array& index, const std::vector<Region>& branches,
                                 const std::vector<Array>& operands, arrays::Extents& extents, std::string_view what,
                                 SourceLine where) {
  std::vector<Array> results = strong(branches[0](operands));
  for (std::size_t at = 1; at < branches.size(); ++at) {
    const std::vector<Array> others = strong(branches[at](operands));
    check_same(others, results, extents, what);
    check_same(results, others, extents, what);
    const Operand place(index, where);
    const Array is_here = index.dtype() == DType::boolean ? index : greater_equal(place, Operand(at, where));
    for (std::size_t i = 0; i < results.size(); ++i)
      results[i] = frit::where(Operand(is_here, where), others[i], results[i]);
  }
  return results;
}

std::vector<Array> choose(const Array& index, bool boolean, const std::vector<Region>& branches,
                          const std::vector<Array>& given, SourceLine where) {
  const char* const what = boolean ? "cond" : "switch_";
  check_scalar(index, boolean, boolean ? "the condition of cond" : "the index of switch_");
  if (branches.empty()) arrays::located(where, [] { throw Error(ErrorCode::usage, "switch_ without branches"); });
  const std::vector<Array> operands = strong(given);
  std::vector<Array> all{index};
  all.insert(all.end(), operands.begin(), operands.end());
  const std::shared_ptr<Trace> trace = trace_of(all);
  if (batch_of(index) != nullptr) {
    arrays::Numbers numbers;
    // Branch numbers are beside integers of 8 bits, too.
    const Array wide = boolean || index.dtype() == DType::u64 ? index : index.astype(DType::i64);
    return select_of_all(wide, branches, operands, trace ? static_cast<arrays::Extents&>(*trace) : numbers, what,
                         where);
  }
  if (!trace) {
    // Branch 0 of a condition is the one for false.
    const std::int64_t number = arrays::truth_or_index(Access::value(index).data, what);
    const auto at =
        static_cast<std::size_t>(std::clamp<std::int64_t>(number, 0, static_cast<std::int64_t>(branches.size()) - 1));
    return strong(branches[at](operands));
  }
  std::vector<Recorded> programs;
  const Carried arguments(operands);
  for (std::vector<Levels> wanted;;) {
    programs.clear();
    std::vector<Levels> all_levels = wanted;
    for (const Region& branch : branches) {
      programs.push_back(record(trace, arguments, branch, wanted));
      all_levels.resize(std::max(all_levels.size(), programs.back().outputs.size()));
      for (std::size_t i = 0; i < programs.back().outputs.size(); ++i)
        all_levels[i] = united(all_levels[i], arrays::levels_of(programs.back().outputs[i]));
    }
    // Results are of the same vmaps, whichever branch gives them.
    wanted = all_levels;
    if (std::all_of(programs.begin(), programs.end(), [&](const Recorded& one) {
          return std::equal(one.outputs.begin(), one.outputs.end(), wanted.begin(),
                            [](const Array& a, const Levels& levels) { return arrays::levels_of(a) == levels; });
        }))
      break;
  }
  for (std::size_t i = 1; i < programs.size(); ++i) {
    check_same(programs[i].outputs, programs[0].outputs, *trace, what);
    check_same(programs[0].outputs, programs[i].outputs, *trace, what);
  }
  RegionCall region;
  region.kind = RegionCall::Kind::choose;
  region.carries = static_cast<std::uint32_t>(operands.size());
  return emit(*trace, std::move(region), all, programs, Carried(programs[0].outputs), where);
}

bool any_goes_on(const Array& more) { return any(Operand(root_of(more))).item<bool>(); }

// A loop that ends at another step for each element of a batch: it goes on while one does, and those that have ended keep
// their carries. `more`: the condition on the carries.
std::vector<Array> batched_while(const std::function<Array(std::span<const Array>)>& condition, const Region& body,
                                 const std::vector<Array>& carries, const Array& more, LoopOptions options,
                                 arrays::Extents& extents, SourceLine where) {
  const auto step = [&](std::span<const Array> now) {
    const std::span<const Array> old = now.subspan(1);
    std::vector<Array> next = strong(body(old));
    check_same(next, old, extents, "the body of while_loop");
    for (std::size_t i = 0; i < next.size(); ++i)
      next[i] = frit::where(Operand(now[0], where), Operand(next[i], where), Operand(old[i], where));
    next.insert(next.begin(), logical_and(Operand(now[0], where), Operand(condition(next), where)));
    return next;
  };
  std::vector<Array> all{more};
  all.insert(all.end(), carries.begin(), carries.end());
  all = while_loop([](std::span<const Array> now) { return any(root_of(now[0])); }, step, all, options, where);
  all.erase(all.begin());
  return all;
}

}  // namespace

std::vector<Array> arrays::call_region(const std::shared_ptr<Trace>& trace,
                                       const std::function<std::vector<Array>()>& callable, CalledFunction called,
                                       SourceLine where) {
  std::vector<Recorded> programs{record(trace, {}, [&](std::span<const Array>) { return callable(); })};
  RegionCall region;
  region.kind = RegionCall::Kind::call;
  region.called = std::make_shared<const CalledFunction>(std::move(called));
  return emit(*trace, std::move(region), {}, programs, Carried(programs[0].outputs), where);
}

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
      if (batch_of(more) != nullptr) {
        if (any_goes_on(more)) arrays::located(where, [&] { arrays::check_steps(step, options.most_steps); });
        if (options.most_steps > 0) options.most_steps = std::max<std::int64_t>(options.most_steps - step, 1);
        return batched_while(condition, body, carries, more, options, numbers, where);
      }
      if (arrays::truth_or_index(Access::value(more).data, "while_loop") == 0) return carries;
      arrays::located(where, [&] { arrays::check_steps(step, options.most_steps); });
      std::vector<Array> next = strong(body(carries));
      check_same(next, carries, numbers, "the body of while_loop");
      carries = std::move(next);
    }
  }
  const auto record_condition = [&] {
    Recorded recorded =
        record(trace, Carried(carries), [&](std::span<const Array> now) { return std::vector<Array>{condition(now)}; });
    check_scalar(recorded.outputs[0], true, "the condition of while_loop");
    return recorded;
  };
  std::vector<Recorded> programs{record_condition()};
  const std::vector<Levels> before = levels_of(carries);
  programs.push_back(record_body(trace, {}, carries, {}, body, "the body of while_loop"));
  if (levels_of(carries) != before) programs[0] = record_condition();
  if (batch_of(programs[0].outputs[0]) != nullptr)
    return batched_while(condition, body, carries, condition(carries), options, *trace, where);
  RegionCall region;
  region.kind = RegionCall::Kind::loop;
  region.carries = static_cast<std::uint32_t>(carries.size());
  region.most_steps = options.most_steps;
  return emit(*trace, std::move(region), carries, programs, Carried(carries), where);
}

Array fori_loop(const Operand& first, const Operand& last, const std::function<Array(Array i, Array carry)>& body,
                const Array& given) {
  std::vector<Array> carries{strong(given)};
  const Array from = array_of(first, &given, "the first number of fori_loop");
  const Array to = array_of(last, &given, "the last number of fori_loop");
  check_scalar(from, false, "the first number of fori_loop");
  check_scalar(to, false, "the last number of fori_loop");
  // Numbers beyond i64 are its greatest.
  const auto bound = [](const Array& x) {
    return (x.dtype() == DType::u64 ? minimum(Operand(x), Operand(INT64_MAX)) : x).astype(DType::i64);
  };
  const Array begin = bound(from), end = bound(to);
  const std::shared_ptr<Trace> trace = trace_of(std::array{begin, end, carries[0]});
  if (batch_of(begin) != nullptr || batch_of(end) != nullptr)
    return while_loop([&](std::span<const Array> now) { return now[0] < end; },
                      [&](std::span<const Array> now) {
                        return std::vector<Array>{now[0] + 1, body(now[0], now[1])};
                      },
                      {begin, carries[0]}, {}, first.where)[1];
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
  std::vector<Recorded> programs{record_body(
      trace, Carried(std::array{begin}), carries, {},
      [&](std::span<const Array> now) { return std::vector<Array>{body(now[0], now[1])}; }, "the body of fori_loop")};
  RegionCall region;
  region.kind = RegionCall::Kind::count;
  region.carries = 1;
  return emit(*trace, std::move(region), {begin, end, carries[0]}, programs, Carried(carries), first.where)[0];
}

namespace {

// All have a first axis, and the same extent of it.
void check_rows(std::span<const Array> rows, arrays::Extents& extents, std::string_view what, SourceLine where) {
  arrays::located(where, [&] {
    for (const Array& array : rows) {
      if (array.rank() == 0)
        throw Error(ErrorCode::shape_mismatch,
                    fmt::format("{} goes over the first axis of arrays, and one has rank 0", what));
      if (!extents.equal(array.extent(0), rows[0].extent(0)))
        throw Error(ErrorCode::shape_mismatch,
                    fmt::format("{}: the first axes have extents {} and {}", what, extents.text(rows[0].extent(0)),
                                extents.text(array.extent(0))));
    }
  });
}

// Arrays as a region takes them row by row: in front of the axes of batches stands the axis that the steps go over.
struct Rows {
  std::vector<Array> arrays;
  Carried row;

  Rows(std::span<const Array> given, SourceLine where) {
    for (const Array& array : given) {
      const Levels levels = arrays::levels_of(array);
      const Array& root = root_of(array);
      arrays.push_back(with_axis_moved(root, static_cast<int>(levels.size()), 0, where));
      Type type = type_of(root);
      type.weak = false;
      --type.rank;
      std::copy(type.extents.begin() + static_cast<std::ptrdiff_t>(levels.size()) + 1, type.extents.end(),
                type.extents.begin() + static_cast<std::ptrdiff_t>(levels.size()));
      row.types.push_back(type);
      row.levels.push_back(levels);
    }
  }
};

// The region whose results from `first` on are rows of what it gives.
std::vector<Array> emit_stacked(Trace& trace, const RegionCall& region, const std::vector<Array>& operands,
                                std::vector<Recorded>& programs, std::size_t first, const Extent& n,
                                std::string_view what, SourceLine where) {
  Carried results(programs[0].outputs);
  const std::vector<Levels> levels = results.levels;
  for (std::size_t i = first; i < results.types.size(); ++i) {
    Type& result = results.types[i];
    if (result.rank == max_rank)
      throw Error(ErrorCode::axis_range, fmt::format("{}: a result would have more than {} axes", what, max_rank));
    std::copy_backward(result.extents.begin(), result.extents.begin() + result.rank,
                       result.extents.begin() + result.rank + 1);
    result.extents[0] = n;
    ++result.rank;
    results.levels[i].clear();
  }
  std::vector<Array> outputs = emit(trace, region, operands, programs, results, where);
  for (std::size_t i = first; i < outputs.size(); ++i)
    outputs[i] = with_root(with_axis_moved(outputs[i], 0, static_cast<int>(levels[i].size()), where), levels[i]);
  return outputs;
}

// Records what is done to eager arrays, and runs it in mode graph.
std::vector<Array> run_once(const Region& callable, std::span<const Array> given) {
  std::vector<Trace::Argument> arguments;
  std::vector<const arrays::Data*> data;
  for (const Array& array : given) {
    data.push_back(&Access::value(array).data);
    arguments.push_back({type_of(array), {}, {}});
  }
  const std::shared_ptr<Engine::Impl>& engine = Access::value(given[0]).engine;
  arrays::Program program = arrays::traced_program(&callable, engine, arguments, Mode::graph, callable);
  std::vector<std::int64_t> symbols;
  program.symbols->evaluate_all(
      [&](std::uint32_t argument, std::uint32_t axis) { return data[argument]->extents[axis]; }, symbols);
  FunctionOptions how;
  how.mode = Mode::graph;
  const arrays::Lowered lowered =
      arrays::lower(std::make_shared<const arrays::Program>(std::move(program)), engine, how);
  std::vector<Array> results;
  for (arrays::Data& result : arrays::run(lowered, data, symbols, *engine, engine->cancel))
    results.push_back(arrays::eager(engine, std::move(result)));
  return results;
}

}  // namespace

std::vector<Array> scan(const Region& body, const std::vector<Array>& given, const std::vector<Array>& elements,
                        SourceLine where) {
  if (elements.empty())
    arrays::located(where, [] { throw Error(ErrorCode::usage, "scan over no arrays: use fori_loop"); });
  std::vector<Array> carries = strong(given);
  std::vector<Array> all = carries;
  all.insert(all.end(), elements.begin(), elements.end());
  const std::shared_ptr<Trace> trace = trace_of(all);
  arrays::Numbers numbers;
  arrays::Extents& extents = trace ? static_cast<arrays::Extents&>(*trace) : numbers;
  check_rows(elements, extents, "scan", where);
  if (!extents.at_least(elements[0].extent(0), 1))
    arrays::located(where, [] {
      throw Error(ErrorCode::empty_reduction,
                  "scan over no elements: the shapes of its results are known from a step only");
    });
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
  const Rows rows(elements, where);
  std::vector<Recorded> programs{record_body(trace, {}, carries, rows.row, body, "the body of scan", true)};
  RegionCall region;
  region.kind = RegionCall::Kind::scan;
  region.carries = static_cast<std::uint32_t>(carries.size());
  region.elements = static_cast<std::uint32_t>(elements.size());
  std::vector<Array> operands = carries;
  operands.insert(operands.end(), rows.arrays.begin(), rows.arrays.end());
  return emit_stacked(*trace, region, operands, programs, carries.size(), elements[0].extent(0), "scan", where);
}

std::vector<Array> map(const Region& body, const std::vector<Array>& elements, SourceLine where) {
  if (elements.empty()) arrays::located(where, [] { throw Error(ErrorCode::usage, "map over no arrays"); });
  const std::vector<Array> all = strong(elements);
  const std::shared_ptr<Trace> trace = trace_of(all);
  // Eager elements are computed side by side too.
  if (!trace) {
    arrays::Numbers numbers;
    check_rows(all, numbers, "map", where);
    const Carried given(all);
    std::vector<Levels> levels;
    std::vector<Array> roots;
    roots.reserve(all.size());
    for (const Array& array : all) roots.push_back(root_of(array));
    std::vector<Array> results = run_once(
        [&](std::span<const Array> traced) {
          std::vector<Array> outputs = map(body, given.with_roots({traced.begin(), traced.end()}), where);
          levels = levels_of(outputs);
          for (Array& output : outputs) output = root_of(output);
          return outputs;
        },
        roots);
    for (std::size_t i = 0; i < results.size(); ++i) results[i] = with_root(results[i], levels[i]);
    return results;
  }
  check_rows(all, *trace, "map", where);
  const Rows rows(all, where);
  std::vector<Recorded> programs{record(trace, rows.row, body)};
  RegionCall region;
  region.kind = RegionCall::Kind::map;
  region.elements = static_cast<std::uint32_t>(all.size());
  return emit_stacked(*trace, region, rows.arrays, programs, 0, all[0].extent(0), "map", where);
}

}  // namespace frit
