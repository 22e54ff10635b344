#include "arrays/routine_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "arrays/operand_nodes.hpp"
#include "exec/program.hpp"
#include "frit/error.hpp"
#include "passes/passes.hpp"
#include "plan/estimate.hpp"

namespace frit::arrays {
namespace {

// NOTE: a routine is one function, and the time to allocate registers grows faster than its operations and the values that a
// loop carries: with these bounds it compiles within a second or two (measured at effort 1; 1,000 carries took 6 s, 75,000
// operations 40 s).
constexpr std::int64_t most_elements = 64;  // of one array
constexpr std::size_t most_values = 8'000;
constexpr std::int64_t most_operations = 8'000;

int parts_of(DType dtype) { return is_complex(dtype) ? 2 : 1; }

}  // namespace

std::int64_t count_of(std::span<const std::int64_t> extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

std::vector<std::int64_t> static_extents(const Type& type) {
  std::vector<std::int64_t> extents;
  std::int64_t count = 1;
  for (const Extent& extent : type.shape()) {
    if (extent.is_symbolic() || extent.constant() > most_elements) throw NoRoutine{};
    extents.push_back(extent.constant());
    count *= extent.constant();
    if (count > most_elements) throw NoRoutine{};
  }
  return extents;
}

NodeId RoutineArithmetic::part(Value value) {
  if (const auto here = computed_.find(value); here != computed_.end()) return here->second;
  if (const auto known = arguments_.find(value); known != arguments_.end()) return known->second;
  // A boolean from before is the number 0 or 1 here.
  const NodeId node = graph_.add_argument(fmt::format("v{}", inputs_.size()), width(), Role::column);
  inputs_.push_back(value);
  arguments_.emplace(value, node);
  return node;
}

NodeId RoutineArithmetic::operand(const Element& element, DType have, DType want) {
  const NodeId node = is_complex(have)
                          ? add_op_node<ops::MakeComplex>(graph_, part(element.parts[0]), part(element.parts[1]))
                          : part(element.parts[0]);
  if (want == DType::boolean) return dtype(node) == DType::boolean ? node : truth(graph_, node);
  return as_operand(graph_, node, want);
}

NodeId RoutineArithmetic::constant(double number, DType want) {
  return as_operand(graph_, graph_.add_constant(width(), {number, 0}), want);
}

void RoutineArithmetic::result_part(NodeId id, Value value) {
  graph_.add_output(fmt::format("r{}", outputs_.size()), id);
  outputs_.push_back(value);
  computed_.emplace(value, id);
}

void RoutineArithmetic::result(NodeId id, const Element& element) {
  if (!is_complex(dtype(id))) return result_part(id, element.parts[0]);
  result_part(add_op_node<ops::Real>(graph_, id), element.parts[0]);
  result_part(add_op_node<ops::Imag>(graph_, id), element.parts[1]);
}

plan::Plan RoutineArithmetic::finish(std::vector<Value>& operands, std::vector<Value>& results) {
  const Graph passed = passes::run_passes(passes::drop_dead_nodes(graph_), exec::evaluate_constant);
  plan::Plan plan = plan::make_plan(passed, {.fuse = false});
  for (const plan::ColumnPart& column : plan.columns) operands.push_back(inputs_[column.argument]);
  results = outputs_;
  return plan;
}

plan::RoutineValue RoutineValues::make(DType dtype) {
  if (routine_.values.size() >= most_values) throw NoRoutine{};
  routine_.values.push_back(dtype);
  return static_cast<Value>(routine_.values.size() - 1);
}

Elements RoutineValues::make(const Type& type) {
  Elements result{type.dtype, static_extents(type), {}};
  for (std::int64_t i = count_of(result.extents); i > 0; --i) {
    Element element;
    for (int part = 0; part < result.parts(); ++part) element.parts[part] = make(real_of(type.dtype));
    result.all.push_back(element);
  }
  return result;
}

Elements RoutineValues::like(const Elements& array) {
  Elements result = array;
  for (Element& element : result.all)
    for (int part = 0; part < array.parts(); ++part) element.parts[part] = make(real_of(array.dtype));
  return result;
}

bool RoutineValues::fits(const Element& element, DType wanted) const {
  if (wanted == DType::i64) return true;
  const auto literal_at = integers_.find(element.parts[0]);
  if (literal_at == integers_.end()) return false;
  try {
    check_fits(literal_at->second, wanted);
  } catch (const Error&) {
    return false;
  }
  return true;
}

void RoutineValues::flush() {
  if (!pending_) return;
  plan::RoutineStep made;
  made.kind = Kind::arithmetic;
  made.which = static_cast<std::uint32_t>(routine_.plans.size());
  routine_.plans.push_back(pending_->finish(made.operands, made.results));
  pending_.reset();
  steps_->push_back(std::move(made));
}

plan::RoutineStep& RoutineValues::step(Kind kind, std::vector<Value> operands, std::vector<Value> results) {
  if (pending_ && std::any_of(operands.begin(), operands.end(), [&](Value v) { return pending_->computes(v); }))
    flush();
  plan::RoutineStep made;
  made.kind = kind;
  made.operands = std::move(operands);
  made.results = std::move(results);
  steps_->push_back(std::move(made));
  return steps_->back();
}

plan::RoutineValue RoutineValues::literal(DType dtype, double number, std::int64_t integer) {
  plan::RoutineStep& made = step(Kind::literal, {}, {make(dtype)});
  made.number = number;
  made.integer = integer;
  if (is_integer(dtype) || dtype == DType::boolean) {
    integers_.emplace(made.results[0], integer);
  } else {
    numbers_.emplace(made.results[0], number);
  }
  return made.results[0];
}

plan::RoutineValue RoutineValues::converted(Value from, DType to) {
  if (dtype(from) == to) return from;
  // A literal is rounded here, once.
  const auto rounded = [&](auto x) {
    return to == DType::f32 ? static_cast<double>(static_cast<float>(x)) : static_cast<double>(x);
  };
  if (to == DType::f32 || to == DType::f64) {
    if (const double* const number = known(from)) return literal(to, rounded(*number), 0);
    if (const auto at = integers_.find(from); at != integers_.end()) return literal(to, rounded(at->second), 0);
  }
  return step(Kind::convert, {from}, {make(to)}).results[0];
}

Element RoutineValues::converted(const Element& element, DType have, DType want) {
  Element result;
  result.parts[0] = converted(element.parts[0], real_of(want));
  // A complex number is true where one of its parts is not zero.
  if (is_complex(have) && want == DType::boolean)
    return op(ops::id_of<ops::Or>, std::array{result, Element{{converted(element.parts[1], want)}}}, want);
  if (is_complex(want))
    result.parts[1] = is_complex(have) ? converted(element.parts[1], real_of(want)) : literal(real_of(want), 0, 0);
  return result;
}

plan::RoutineValue RoutineValues::integer_op(OpId op, std::vector<Value> operands, DType result) {
  plan::RoutineStep& made = step(Kind::integer, std::move(operands), {make(result)});
  made.op = op;
  return made.results[0];
}

Element RoutineValues::arithmetic(OpId op, std::span<const Element> operands, std::span<const DType> have,
                                  std::span<const DType> want) {
  // Of booleans alone any width will do.
  DType width = pending_ ? pending_->width() : DType::f64;
  for (const DType dtype : want)
    if (dtype != DType::boolean) width = real_of(dtype);
  if (pending_ && pending_->width() != width) flush();
  std::array<NodeId, 3> nodes{};
  std::array<Element, 3> fitting{};
  std::array<DType, 3> dtypes{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    // What is neither a boolean nor of the width is converted by a step of its own, in front of this one.
    const bool fits = have[i] == DType::boolean || real_of(have[i]) == width;
    dtypes[i] = fits ? have[i] : is_complex(have[i]) ? complex_of(width) : width;
    fitting[i] = fits ? operands[i] : converted(operands[i], have[i], dtypes[i]);
  }
  if (!pending_) pending_.emplace(width);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const double* const number =
        is_complex(dtypes[i]) || want[i] == DType::boolean ? nullptr : known(fitting[i].parts[0]);
    nodes[i] =
        number != nullptr ? pending_->constant(*number, want[i]) : pending_->operand(fitting[i], dtypes[i], want[i]);
  }
  const NodeId node = pending_->add(op, std::span<const NodeId>(nodes).first(operands.size()));
  operations_ += plan::machine_operations(op, pending_->form(node));
  if (operations_ > most_operations) throw NoRoutine{};
  Element result;
  const DType dtype = pending_->dtype(node);
  for (int part = 0; part < parts_of(dtype); ++part) result.parts[part] = make(real_of(dtype));
  pending_->result(node, result);
  return result;
}

Element RoutineValues::op(OpId op, std::span<const Element> operands, DType dtype) {
  if (is_integer(dtype)) {
    std::vector<Value> values;
    for (const Element& operand : operands) values.push_back(operand.parts[0]);
    return {{integer_op(op, std::move(values), dtype)}};
  }
  const std::vector<DType> dtypes(operands.size(), dtype);
  return arithmetic(op, operands, dtypes, dtypes);
}

}  // namespace frit::arrays
