#include "arrays/routines.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "arrays/routine_structural.hpp"
#include "arrays/routine_values.hpp"
#include "arrays/value.hpp"
#include "core/fp_state.hpp"
#include "frit/error.hpp"
#include "ops/list.hpp"
#include "ops/table.hpp"

namespace frit::arrays {
namespace {

using plan::RoutineBlock;
using plan::RoutineStep;
using plan::RoutineValue;
using Kind = RoutineStep::Kind;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// Of each element of an array of this shape, which element of `operand` is beside it.
std::vector<std::int64_t> broadcast(const Elements& operand, std::span<const std::int64_t> extents) {
  Data seen = numbered(operand.extents, 0);
  const auto strides = strides_as(seen, extents);
  seen.rank = static_cast<int>(extents.size());
  std::copy(extents.begin(), extents.end(), seen.extents.begin());
  seen.strides = strides;
  return numbers_in(seen);
}

using Arrays = std::vector<Elements>;

std::vector<RoutineValue> flat(std::span<const Elements> arrays) {
  std::vector<RoutineValue> values;
  for (const Elements& array : arrays)
    for (const Element& element : array.all) values.insert(values.end(), element.parts, element.parts + array.parts());
  return values;
}

class Builder {
 public:
  explicit Builder(const Program& program) : program_(program) {}

  RegionRoutine run(ValueId region);

 private:
  using Source = RegionRoutine::Source;
  using Condition = std::function<RoutineValue(const Arrays& carries)>;
  using Step = std::function<Arrays(const Arrays& carries)>;

  // The operand of the routine that is this, each once.
  std::uint32_t source(Source::Kind kind, std::uint32_t number, plan::RoutineArray array);
  Elements load(std::uint32_t which, const Type& type, std::optional<RoutineValue> row = std::nullopt);
  Elements load_before(Source::Kind kind, std::uint32_t number, const Type& type);
  RoutineValue extent(const Extent& extent);
  std::uint32_t new_result(DType dtype, bool each_lane = false);
  void store(std::uint32_t result, const Elements& array, std::optional<RoutineValue> row = std::nullopt);

  Arrays run_program(const Program& p, const Arrays& arguments);
  Elements made_of(const Program& p, const ArrayNode& n, std::span<const Elements> operands);
  Elements number(const Program& p, const ArrayNode& n);
  Elements op(const Program& p, const ArrayNode& n, std::span<const Elements> operands);
  Elements view(const Program& p, const ArrayNode& n, const Elements& from);

  Arrays region(const RegionCall& call, SourceLine where, const Arrays& operands);
  Arrays choose(const RegionCall& call, const Arrays& operands);
  Arrays loop(const Arrays& carries, const Condition& condition, const Step& body, RegionRoutine::Loop limit);
  // What is carried begins with a number that goes up to `last`.
  Arrays counted(const Arrays& carries, RoutineValue last, const Step& body);
  void scan(const RegionCall& call, const ArrayNode& n);
  void map(const RegionCall& call, const ArrayNode& n);
  Elements region_operand(ValueId id, std::uint32_t place);

  const Program& program_;
  RegionRoutine out_;
  RoutineValues values_{out_.routine};
  RoutineBlock before_;  // loads, in front of everything: a loop must not repeat them
};

std::uint32_t Builder::source(Source::Kind kind, std::uint32_t number, plan::RoutineArray array) {
  for (std::uint32_t i = 0; i < out_.sources.size(); ++i)
    if (out_.sources[i].kind == kind && out_.sources[i].number == number) return i;
  out_.sources.push_back({kind, number});
  out_.routine.operands.push_back(array);
  return static_cast<std::uint32_t>(out_.sources.size() - 1);
}

Elements Builder::load(std::uint32_t which, const Type& type, std::optional<RoutineValue> row) {
  Elements result = values_.make(type);
  const auto count = static_cast<std::int64_t>(result.all.size());
  for (std::int64_t i = 0; i < count; ++i) {
    RoutineStep& step = values_.step(Kind::load, row ? std::vector{*row} : std::vector<RoutineValue>{},
                                     {result.all[index(i)].parts, result.all[index(i)].parts + result.parts()});
    step.which = which;
    step.integer = i;
    step.row = count;
  }
  return result;
}

Elements Builder::load_before(Source::Kind kind, std::uint32_t number, const Type& type) {
  Elements result;
  const std::uint32_t which = source(kind, number, {type.dtype});
  values_.fill(before_, [&] { result = load(which, type); });
  return result;
}

RoutineValue Builder::extent(const Extent& extent) {
  std::size_t place = 0;
  while (place < out_.extents.size() && !identical(out_.extents[place], extent)) ++place;
  if (place == out_.extents.size()) out_.extents.push_back(extent);
  const std::uint32_t which = source(Source::Kind::extents, 0, {DType::i64});
  RoutineValue result = 0;
  values_.fill(before_, [&] {
    result = values_.make(DType::i64);
    RoutineStep& step = values_.step(Kind::load, {}, {result});
    step.which = which;
    step.integer = static_cast<std::int64_t>(place);
  });
  return result;
}

std::uint32_t Builder::new_result(DType dtype, bool each_lane) {
  out_.routine.results.push_back({dtype, each_lane});
  return static_cast<std::uint32_t>(out_.routine.results.size() - 1);
}

// As this result of the routine, or as a row of it.
void Builder::store(std::uint32_t result, const Elements& array, std::optional<RoutineValue> row) {
  for (std::size_t i = 0; i < array.all.size(); ++i) {
    std::vector<RoutineValue> operands(array.all[i].parts, array.all[i].parts + array.parts());
    if (row) operands.push_back(*row);
    RoutineStep& step = values_.step(Kind::store, std::move(operands), {});
    step.which = result;
    step.integer = static_cast<std::int64_t>(i);
    if (row) step.row = static_cast<std::int64_t>(array.all.size());
  }
}

Arrays Builder::run_program(const Program& p, const Arrays& arguments) {
  const std::vector<bool> needed = p.needed();
  Arrays of_node(p.nodes.size());
  for (ValueId id = 0; id < p.nodes.size(); ++id) {
    const ArrayNode& n = p.nodes[id];
    using K = ArrayNode::Kind;
    if (!needed[id] || n.kind == K::result) continue;
    if (n.kind == K::argument) {
      of_node[id] = arguments[n.payload];
      continue;
    }
    Arrays operands;
    for (const ValueId operand : p.operands(n)) operands.push_back(of_node[operand]);
    if (n.kind != K::region) {
      of_node[id] = made_of(p, n, operands);
      continue;
    }
    // The results of a region are the nodes behind it.
    Arrays results = region(p.regions[n.payload], n.where, operands);
    for (std::size_t i = 0; i < results.size(); ++i) of_node[id + 1 + i] = std::move(results[i]);
  }
  Arrays outputs;
  for (const ValueId id : p.outputs) outputs.push_back(of_node[id]);
  return outputs;
}

Elements Builder::made_of(const Program& p, const ArrayNode& n, std::span<const Elements> operands) {
  using K = ArrayNode::Kind;
  switch (n.kind) {
    case K::captured: {
      out_.captured.push_back(p.captured[n.payload]);
      return load_before(Source::Kind::captured, static_cast<std::uint32_t>(out_.captured.size() - 1), n.type);
    }
    case K::number: return number(p, n);
    case K::extent: return {DType::i64, {}, {{{extent(p.extents[n.payload])}}}};
    case K::op: return op(p, n, operands);
    case K::convert: {
      Elements result{n.type.dtype, operands[0].extents, {}};
      for (const Element& element : operands[0].all)
        result.all.push_back(values_.converted(element, operands[0].dtype, n.type.dtype));
      return result;
    }
    case K::view: return view(p, n, operands[0]);
    case K::structural: return routine_structural(values_, p.calls[n.payload], n.type, operands);
    default: throw NoRoutine{};
  }
}

Elements Builder::number(const Program& p, const ArrayNode& n) {
  const Number& number = p.numbers[n.payload];
  Elements result{n.type.dtype, {}, {Element{}}};
  const DType real = real_of(n.type.dtype);
  result.all[0].parts[0] = values_.literal(real, number.value.real(), number.integer);
  if (result.parts() == 2) result.all[0].parts[1] = values_.literal(real, number.value.imag(), 0);
  return result;
}

Elements Builder::op(const Program& p, const ArrayNode& n, std::span<const Elements> operands) {
  Elements result{n.type.dtype, static_extents(n.type), {}};
  std::vector<std::vector<std::int64_t>> places;
  for (const Elements& operand : operands) places.push_back(broadcast(operand, result.extents));
  const auto wanted = std::span(n.operand_dtypes).first(operands.size());
  // A weak integer that does not fit raises when it is run.
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (p.nodes[p.operands(n)[i]].type.weak && is_integer(wanted[i]) && !values_.fits(operands[i].all[0], wanted[i]))
      throw NoRoutine{};
  for (std::int64_t e = 0; e < count_of(result.extents); ++e) {
    std::array<Element, 3> elements{};
    std::array<DType, 3> have{};
    for (std::size_t i = 0; i < operands.size(); ++i) {
      elements[i] = operands[i].all[index(places[i][index(e)])];
      have[i] = operands[i].dtype;
    }
    if (!n.computes_integers()) {
      result.all.push_back(values_.arithmetic(n.op, std::span(elements).first(operands.size()),
                                              std::span(have).first(operands.size()), wanted));
      continue;
    }
    std::vector<RoutineValue> values;
    for (std::size_t i = 0; i < operands.size(); ++i)
      values.push_back(values_.converted(elements[i].parts[0], wanted[i]));
    result.all.push_back({{values_.integer_op(n.op, std::move(values), n.type.dtype)}});
  }
  return result;
}

Elements Builder::view(const Program& p, const ArrayNode& n, const Elements& from) {
  const View& view = p.views[n.payload];
  if (view.start.is_symbolic()) throw NoRoutine{};
  Elements result{n.type.dtype, static_extents(n.type), {}};
  for (const std::int64_t place :
       numbers_in(apply(view, numbered(from.extents, 0), result.extents, view.start.constant())))
    result.all.push_back(from.all[index(place)]);
  return result;
}

// What a program of the region takes, and behind it what it captures.
Arrays arguments_of(const RegionCall& call, std::size_t which, Arrays taken, const Arrays& operands) {
  const std::size_t first = call.first_captured(which, operands.size());
  taken.insert(taken.end(), operands.begin() + static_cast<std::ptrdiff_t>(first),
               operands.begin() + static_cast<std::ptrdiff_t>(first + call.captured[which]));
  return taken;
}
Arrays part_of(const Arrays& arrays, std::size_t first, std::size_t count) {
  return {arrays.begin() + static_cast<std::ptrdiff_t>(first),
          arrays.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

Arrays Builder::region(const RegionCall& call, SourceLine where, const Arrays& operands) {
  switch (call.kind) {
    case RegionCall::Kind::choose: return choose(call, operands);
    case RegionCall::Kind::loop: {
      const auto taken = [&](std::size_t which) {
        return [&, which](const Arrays& carries) {
          return run_program(*call.programs[which], arguments_of(call, which, carries, operands));
        };
      };
      return loop(part_of(operands, 0, call.carries),
                  [&](const Arrays& carries) { return taken(0)(carries)[0].all[0].parts[0]; }, taken(1),
                  {call.most_steps, where});
    }
    case RegionCall::Kind::count: {
      // The operands are the first number, the last and what is carried.
      if (operands[0].dtype == DType::u64 || operands[1].dtype == DType::u64) throw NoRoutine{};
      Arrays carries = part_of(operands, 1, call.carries + 1u);
      carries[0] = operands[0];
      carries[0].dtype = DType::i64;
      carries[0].all[0] = values_.converted(operands[0].all[0], operands[0].dtype, DType::i64);
      const RoutineValue last = values_.converted(operands[1].all[0].parts[0], DType::i64);
      return counted(carries, last, [&](const Arrays& now) {
        return run_program(*call.programs[0], arguments_of(call, 0, now, operands));
      });
    }
    case RegionCall::Kind::call: return run_program(*call.programs[0], arguments_of(call, 0, {}, operands));
    default: throw NoRoutine{};
  }
}

Arrays Builder::choose(const RegionCall& call, const Arrays& operands) {
  if (operands[0].dtype == DType::u64) throw NoRoutine{};
  const RoutineValue index_value = values_.converted(operands[0].all[0].parts[0], DType::i64);
  std::vector<RoutineBlock> blocks(call.programs.size());
  Arrays results;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    values_.fill(blocks[i], [&] {
      results = run_program(*call.programs[i], arguments_of(call, i, part_of(operands, 1, call.carries), operands));
      blocks[i].yields = flat(results);
    });
  }
  for (Elements& result : results) result = values_.like(result);
  values_.step(Kind::choose, {index_value}, flat(results)).blocks = std::move(blocks);
  return results;
}

// What a loop carries, in registers where there is room.
constexpr std::size_t most_carried = 200;

Arrays Builder::loop(const Arrays& carries, const Condition& condition, const Step& body, RegionRoutine::Loop limit) {
  if (flat(carries).size() > most_carried) throw NoRoutine{};
  std::vector<RoutineBlock> blocks(2);
  const auto fresh = [&] {
    Arrays result;
    for (const Elements& carry : carries) result.push_back(values_.like(carry));
    return result;
  };
  const Arrays tested = fresh(), stepped = fresh();
  Arrays results = fresh();
  blocks[0].parameters = flat(tested);
  blocks[1].parameters = flat(stepped);
  values_.fill(blocks[0], [&] { blocks[0].yields = {condition(tested)}; });
  values_.fill(blocks[1], [&] { blocks[1].yields = flat(body(stepped)); });
  RoutineStep& step = values_.step(Kind::loop, flat(carries), flat(results));
  step.blocks = std::move(blocks);
  step.most_steps = limit.most_steps;
  step.number_of_loop = static_cast<std::uint32_t>(out_.loops.size());
  out_.loops.push_back(limit);
  return results;
}

Arrays Builder::counted(const Arrays& carries, RoutineValue last, const Step& body) {
  const auto number = [](const Arrays& now) { return now[0].all[0].parts[0]; };
  Arrays results = loop(
      carries,
      [&](const Arrays& now) {
        return values_.integer_op(ops::id_of<ops::Less>, {number(now), last}, DType::boolean);
      },
      [&](const Arrays& now) {
        Arrays next = body(now);
        Elements up = now[0];
        up.all[0].parts[0] =
            values_.integer_op(ops::id_of<ops::Add>, {number(now), values_.literal(DType::i64, 0, 1)}, DType::i64);
        next.insert(next.begin(), up);
        return next;
      },
      {});
  results.erase(results.begin());
  return results;
}

// An operand of the region itself.
Elements Builder::region_operand(ValueId id, std::uint32_t place) {
  const ArrayNode& n = program_.nodes[id];
  if (n.kind == ArrayNode::Kind::number || n.kind == ArrayNode::Kind::extent) return made_of(program_, n, {});
  return load_before(Source::Kind::operand, place, n.type);
}

void Builder::scan(const RegionCall& call, const ArrayNode& n) {
  const auto ids = program_.operands(n);
  Arrays operands(ids.size());
  const std::uint32_t rows_end = call.carries + call.elements;
  std::vector<std::uint32_t> rows;
  std::vector<Type> row_types;
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    const Type& type = program_.nodes[ids[i]].type;
    if (i < call.carries || i >= rows_end) {
      operands[i] = region_operand(ids[i], i);
      continue;
    }
    rows.push_back(source(Source::Kind::operand, i, {type.dtype}));
    Type row = type;
    std::copy(type.extents.begin() + 1, type.extents.begin() + type.rank, row.extents.begin());
    --row.rank;
    row_types.push_back(row);
  }
  const Extent& length = program_.nodes[ids[call.carries]].type.extents[0];
  const RoutineValue last = extent(length);
  Arrays carries = part_of(operands, 0, call.carries);
  carries.insert(carries.begin(), Elements{DType::i64, {}, {Element{{values_.literal(DType::i64, 0, 0)}}}});
  const auto& outputs = call.programs[0]->outputs;
  for (std::uint32_t i = 0; i < call.results; ++i) new_result(call.programs[0]->nodes[outputs[i]].type.dtype);
  const Arrays results = counted(carries, last, [&](const Arrays& now) {
    Arrays taken(now.begin() + 1, now.end());
    const RoutineValue step = now[0].all[0].parts[0];
    for (std::size_t k = 0; k < rows.size(); ++k) taken.push_back(load(rows[k], row_types[k], step));
    Arrays next = run_program(*call.programs[0], arguments_of(call, 0, std::move(taken), operands));
    for (std::uint32_t i = call.carries; i < call.results; ++i) store(i, next[i], step);
    next.resize(call.carries);
    return next;
  });
  for (std::uint32_t i = 0; i < call.carries; ++i) store(i, results[i]);
}

// Each lane has its own elements; what is captured is the same for all.
void Builder::map(const RegionCall& call, const ArrayNode& n) {
  out_.routine.lanes = true;
  const auto ids = program_.operands(n);
  Arrays operands(ids.size());
  Arrays taken;
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    Type type = program_.nodes[ids[i]].type;
    if (i >= call.elements) {
      operands[i] = region_operand(ids[i], i);
      continue;
    }
    if (type.rank != 1) throw NoRoutine{};
    type.rank = 0;
    taken.push_back(load(source(Source::Kind::operand, i, {type.dtype, true}), type));
  }
  for (const Elements& result : run_program(*call.programs[0], arguments_of(call, 0, std::move(taken), operands))) {
    if (!result.extents.empty()) throw NoRoutine{};
    store(new_result(result.dtype, true), result);
  }
}

RegionRoutine Builder::run(ValueId id) {
  const ArrayNode& n = program_.nodes[id];
  const RegionCall& call = program_.regions[n.payload];
  RoutineBlock body;
  values_.fill(body, [&] {
    if (call.kind == RegionCall::Kind::scan) return scan(call, n);
    if (call.kind == RegionCall::Kind::map) return map(call, n);
    Arrays operands;
    const auto ids = program_.operands(n);
    for (std::uint32_t i = 0; i < ids.size(); ++i) operands.push_back(region_operand(ids[i], i));
    for (const Elements& result : region(call, n.where, operands)) store(new_result(result.dtype), result);
  });
  out_.routine.body.steps = std::move(before_.steps);
  std::move(body.steps.begin(), body.steps.end(), std::back_inserter(out_.routine.body.steps));
  return std::move(out_);
}

}  // namespace

std::optional<RegionRoutine> routine_of(const Program& program, ValueId region) {
  const FpState state;
  try {
    return Builder(program).run(region);
  } catch (const NoRoutine&) {
    return std::nullopt;
  }
}

}  // namespace frit::arrays
