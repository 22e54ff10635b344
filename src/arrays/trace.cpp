#include "arrays/trace.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frit/error.hpp"
#include "ops/table.hpp"

namespace frit::arrays {
namespace {

struct Open {
  const void* function;
  std::shared_ptr<Trace> trace;
};
thread_local std::vector<Open> open_here;  // NOLINT(readability-identifier-naming)

bool same_prefix(std::span<const std::int64_t> a, std::span<const std::int64_t> b, int rank) {
  return std::equal(a.begin(), a.begin() + rank, b.begin());
}

}  // namespace

Recording::Recording(const void* function, std::shared_ptr<Trace> trace) {
  open_here.push_back({function, std::move(trace)});
}
Recording::~Recording() { open_here.pop_back(); }
bool Recording::records(const void* function) {
  return std::any_of(open_here.begin(), open_here.end(), [&](const Open& open) { return open.function == function; });
}
bool Recording::any() {
  return std::any_of(open_here.begin(), open_here.end(), [](const Open& open) { return open.trace != nullptr; });
}
std::shared_ptr<Trace> Recording::innermost() {
  return open_here.empty() || !open_here.back().trace ? nullptr : open_here.back().trace->active();
}
std::shared_ptr<Trace> Recording::of(const Extent& extent) {
  std::shared_ptr<Trace> trace = innermost();
  if (!trace || !trace->knows(extent))
    throw Error(
        ErrorCode::traced_value,
        "an extent of a function that is not being traced now is used: return what depends on it from the function");
  return trace;
}

bool Condition::holds(std::span<const std::int64_t> symbols) const {
  const std::int64_t x = Symbols::evaluate(a, symbols), y = Symbols::evaluate(b, symbols);
  switch (kind) {
    case Kind::equal: return x == y;
    case Kind::different: return x != y;
    case Kind::at_least: return x >= y;
    default: return x < y;
  }
}

Trace::Trace(std::shared_ptr<Engine::Impl> engine, std::span<const Argument> arguments, Mode mode)
    : engine_(std::move(engine)), mode_(mode) {
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    call_.push_back(arguments[i].type);
    Type type = arguments[i].type;
    for (std::uint32_t axis = 0; axis < static_cast<std::uint32_t>(type.rank); ++axis) {
      if (!arguments[i].is_static[axis])
        type.extents[axis] = program_.symbols->argument(i, axis, arguments[i].names[axis]);
    }
    add_argument(type);
  }
}

Trace::Trace(std::shared_ptr<Trace> parent, std::span<const Type> arguments)
    : engine_(parent->engine_), parent_(std::move(parent)) {
  program_.symbols = parent_->program_.symbols;
  for (const Type& type : arguments) add_argument(type);
}

ValueId Trace::add_argument(const Type& type) {
  ArrayNode node;
  node.kind = ArrayNode::Kind::argument;
  node.type = type;
  node.payload = static_cast<std::uint32_t>(program_.arguments.size());
  program_.arguments.push_back(type);
  return add(node);
}

std::shared_ptr<Trace> Trace::active() {
  std::shared_ptr<Trace> innermost = root().shared_from_this();
  while (const std::shared_ptr<Trace> open = innermost->open_.lock()) innermost = open;
  return innermost;
}

bool Trace::encloses(const Trace& other) const {
  for (const Trace* at = &other; at != nullptr; at = at->parent_.get())
    if (at == this) return true;
  return false;
}

std::uint32_t Trace::add_region(RegionCall region) {
  for (const auto& program : region.programs) program_.has_effects = program_.has_effects || program->has_effects;
  program_.regions.push_back(std::move(region));
  return static_cast<std::uint32_t>(program_.regions.size() - 1);
}

std::vector<Array> Trace::arguments() {
  if (parent_) parent_->open_ = weak_from_this();
  std::vector<Array> result;
  for (ValueId id = 0; id < program_.arguments.size(); ++id) {
    auto value = std::make_shared<Value>();
    value->type = node(id).type;
    value->trace = shared_from_this();
    value->node = id;
    result.push_back(Access::make(std::move(value)));
  }
  return result;
}

ValueId Trace::add(const ArrayNode& node, std::span<const ValueId> operands) {
  if (program_.nodes.size() >= 0xffffffffu)
    throw Error(ErrorCode::trace_arguments, "a function has more than 2^32 operations");
  return program_.add(node, operands);
}

std::uint32_t Trace::add_view(View view) {
  program_.views.push_back(view);
  return static_cast<std::uint32_t>(program_.views.size() - 1);
}

std::uint32_t Trace::add_call(StructuralCall call) {
  program_.calls.push_back(std::move(call));
  return static_cast<std::uint32_t>(program_.calls.size() - 1);
}

Array Trace::array(const ArrayNode& node, std::span<const ValueId> operands) {
  auto value = std::make_shared<Value>();
  value->type = node.type;
  value->trace = shared_from_this();
  value->node = add(node, operands);
  return Access::make(std::move(value));
}

std::vector<Array> Trace::results(ValueId of, std::span<const Type> types, const SourceLine& where) {
  std::vector<Array> results;
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    ArrayNode node;
    node.kind = ArrayNode::Kind::result;
    node.type = types[i];
    node.type.weak = false;
    node.payload = i;
    node.where = where;
    results.push_back(array(node, {&of, 1}));
  }
  return results;
}

std::vector<Array> Trace::add_effect(Effect effect, std::span<const Operand* const> operands, const SourceLine& where) {
  std::vector<ValueId> ids;
  for (const Operand* operand : operands) ids.push_back(node_of(*operand));
  const std::vector<Type> types = effect.results;
  ArrayNode node;
  node.kind = ArrayNode::Kind::effect;
  node.payload = static_cast<std::uint32_t>(program_.effects.size());
  node.where = where;
  program_.effects.push_back(std::move(effect));
  program_.has_effects = true;
  return results(Access::value(array(node, ids)).node, types, where);
}

ValueId Trace::node_of(const Operand& operand) {
  ArrayNode node;
  node.where = operand.where;
  if (operand.kind == Operand::Kind::array) {
    const Value& value = Access::value(operand.array);
    if (value.batch)
      throw Error(ErrorCode::traced_value,
                  "a traced function that is called inside of vmap uses an array of it that is not an argument of the "
                  "function: pass it");
    if ((value.trace ? value.trace->engine() : value.engine) != engine_)
      throw Error(ErrorCode::usage,
                  "an array of another engine is used in a traced function; copy it with frit::array");
    if (value.trace.get() == this) return value.node;
    if (value.trace) {
      if (!value.trace->encloses(*this))
        throw Error(ErrorCode::traced_value, "an array of a region is used outside of it: return it from the region");
      for (std::size_t i = 0; i < captures_.size(); ++i) {
        const Value& known = Access::value(captures_[i]);
        if (known.trace == value.trace && known.node == value.node) return capture_arguments_[i];
      }
      captures_.push_back(operand.array);
      capture_arguments_.push_back(add_argument(value.type));
      return capture_arguments_.back();
    }
    // Arrays are immutable, so what is captured is a reference.
    for (std::uint32_t i = 0; i < program_.captured.size(); ++i) {
      const Data& other = program_.captured[i];
      if (other.at == value.data.at && other.dtype == value.data.dtype && other.rank == value.data.rank &&
          same_prefix(other.extents, value.data.extents, other.rank) &&
          same_prefix(other.strides, value.data.strides, other.rank)) {
        for (ValueId id = 0; id < program_.nodes.size(); ++id)
          if (program_.nodes[id].kind == ArrayNode::Kind::captured && program_.nodes[id].payload == i) return id;
      }
    }
    program_.captured.push_back(value.data);
    node.kind = ArrayNode::Kind::captured;
    node.payload = static_cast<std::uint32_t>(program_.captured.size() - 1);
    node.type = value.type;
    return add(node);
  }
  node.type.dtype = default_dtype(operand.kind);
  node.type.weak = true;
  if (operand.extent.is_symbolic()) {
    program_.extents.push_back(operand.extent);
    node.kind = ArrayNode::Kind::extent;
    node.payload = static_cast<std::uint32_t>(program_.extents.size() - 1);
    return add(node);
  }
  node.kind = ArrayNode::Kind::number;
  program_.numbers.push_back(number_of(operand));
  node.payload = static_cast<std::uint32_t>(program_.numbers.size() - 1);
  return add(node);
}

Program Trace::finish(std::span<const Array> outputs) {
  for (const Array& output : outputs) {
    const Operand operand(output, SourceLine{});
    const ValueId id = node_of(operand);
    program_.outputs.push_back(id);
  }
  finished_ = true;
  if (parent_) parent_->open_.reset();
  return std::move(program_);
}

std::int64_t Trace::value_of(const Extent& a) {
  if (symbol_values_.size() != program_.symbols->size())
    program_.symbols->evaluate_all(
        [&](std::uint32_t argument, std::uint32_t axis) { return call_[argument].extents[axis].constant(); },
        symbol_values_);
  return Symbols::evaluate(a, symbol_values_);
}

bool Trace::is_named(const Extent& a) const {
  return a.terms() != nullptr && a.constant() == 0 && a.terms()->factors.size() == 1 &&
         a.terms()->factors[0].second == 1 && !program_.symbols->symbol(a.terms()->factors[0].first).name.empty();
}

// What the call that is traced says, which other calls must say too.
bool Trace::decide(Condition condition, Condition::Kind otherwise) {
  if (parent_) return root().decide(condition, otherwise);
  value_of(condition.a);
  const bool yes = condition.holds(symbol_values_);
  if (!yes) condition.kind = otherwise;
  for (const Condition& known : program_.conditions)
    if (known.kind == condition.kind && identical(known.a, condition.a) && identical(known.b, condition.b)) return yes;
  program_.conditions.push_back(condition);
  return yes;
}

bool Trace::equal(const Extent& a, const Extent& b) {
  if (identical(a, b)) return true;
  // The same symbols and another number: never equal.
  if (a.terms() == b.terms()) return false;
  return decide({Condition::Kind::equal, a, b}, Condition::Kind::different);
}

bool Trace::is_one(const Extent& a) {
  if (!a.is_symbolic()) return a.constant() == 1;
  // A named extent is a size, not the absence of one: it is never repeated.
  if (is_named(a)) return false;
  return decide({Condition::Kind::equal, a, 1}, Condition::Kind::different);
}

bool Trace::at_least(const Extent& a, std::int64_t least) {
  if (!a.is_symbolic()) return a.constant() >= least;
  // Extents are not negative.
  bool grows = true;
  for (const auto& [symbol, times] : a.terms()->factors) grows = grows && times > 0;
  if (grows && a.constant() >= least) return true;
  return decide({Condition::Kind::at_least, a, least}, Condition::Kind::below);
}

Extent Trace::sum(const Extent& a, const Extent& b, std::int64_t factor) { return program_.symbols->sum(a, b, factor); }
Extent Trace::product(const Extent& a, const Extent& b) { return program_.symbols->product(a, b); }
Extent Trace::quotient(const Extent& a, std::int64_t divisor) { return program_.symbols->quotient(a, divisor); }

ValueId Program::add(ArrayNode node, std::span<const ValueId> operands) {
  node.first = static_cast<std::uint32_t>(operand_list.size());
  node.count = static_cast<std::uint32_t>(operands.size());
  operand_list.insert(operand_list.end(), operands.begin(), operands.end());
  nodes.push_back(node);
  return static_cast<ValueId>(nodes.size() - 1);
}

std::vector<bool> Program::needed() const {
  std::vector<bool> needed(nodes.size(), false);
  for (const ValueId output : outputs) needed[output] = true;
  for (ValueId id = static_cast<ValueId>(nodes.size()); id-- > 0;) {
    if (can_raise(nodes[id])) needed[id] = true;
    if (!needed[id]) continue;
    for (const ValueId operand : operands(nodes[id])) needed[operand] = true;
  }
  return needed;
}

std::uint32_t Program::result_count(const ArrayNode& node) const {
  if (node.kind == ArrayNode::Kind::region) return regions[node.payload].results;
  return node.kind == ArrayNode::Kind::effect ? static_cast<std::uint32_t>(effects[node.payload].results.size()) : 0;
}

bool Program::has_effect(const ArrayNode& node) const {
  if (node.kind != ArrayNode::Kind::region) return node.kind == ArrayNode::Kind::effect;
  const auto& programs = regions[node.payload].programs;
  return std::any_of(programs.begin(), programs.end(), [](const auto& program) { return program->has_effects; });
}

bool Program::can_raise(const ArrayNode& node) const {
  if (node.kind == ArrayNode::Kind::effect) return true;
  if (node.kind == ArrayNode::Kind::structural) return structural_of(calls[node.payload].id).can_raise;
  if (node.kind == ArrayNode::Kind::region) {
    if (regions[node.payload].most_steps > 0) return true;
    for (const auto& program : regions[node.payload].programs)
      for (const ArrayNode& inner : program->nodes)
        if (program->can_raise(inner)) return true;
    return false;
  }
  if (node.kind != ArrayNode::Kind::op) return false;
  // A weak integer may not fit the dtype that it takes.
  for (std::uint32_t i = 0; i < node.count; ++i) {
    const Type& type = nodes[operands(node)[i]].type;
    if (type.weak && type.dtype == DType::i64 && is_integer(node.operand_dtypes[i]) &&
        node.operand_dtypes[i] != DType::i64)
      return true;
  }
  return is_integer(node.operand_dtypes[0]) && frit::can_raise(node.op);
}

std::string Program::text(const Condition& condition) const {
  const std::string_view signs[] = {"==", "!=", ">=", "<"};
  return fmt::format("{} {} {}", symbols->text(condition.a), signs[static_cast<int>(condition.kind)],
                     symbols->text(condition.b));
}

Program traced_program(const void* function, std::shared_ptr<Engine::Impl> engine,
                       std::span<const Trace::Argument> arguments, Mode mode,
                       const std::function<std::vector<Array>(std::span<const Array>)>& callable) {
  const auto trace = std::make_shared<Trace>(std::move(engine), arguments, mode);
  const Recording recording(function, trace);
  try {
    return trace->finish(callable(trace->arguments()));
  } catch (...) {
    trace->finish({});
    throw;
  }
}

}  // namespace frit::arrays
