#include "random/grow.hpp"

#include <algorithm>
#include <limits>

#include "ops/list.hpp"
#include "ops/table.hpp"
#include "support/compiled_graphs.hpp"
#include "support/programs.hpp"

namespace frit::test {

const std::vector<OpForm>& every_op_form() {
  static const std::vector<OpForm> all = [] {
    std::vector<OpForm> result;
    for (int i = 0; i < op_count(); ++i) {
      for (unsigned form = 0; form < exec::form_count; ++form) {
        if ((forms_of(static_cast<OpId>(i)) >> form & 1u) != 0) result.push_back({static_cast<OpId>(i), form});
      }
    }
    return result;
  }();
  return all;
}

DType Grower::dtype_of_kind(Kind kind) const {
  const DType real = graph_.kernel_dtype();
  return kind == Kind::boolean ? DType::boolean : kind == Kind::complex ? complex_of(real) : real;
}

void Grower::offer(NodeId id) {
  const DType dtype = graph_.node(id).dtype;
  const Kind kind = dtype == DType::boolean ? Kind::boolean : is_complex(dtype) ? Kind::complex : Kind::real;
  std::vector<NodeId>& pool = pool_[static_cast<std::size_t>(kind)];
  if (std::find(pool.begin(), pool.end(), id) == pool.end()) pool.push_back(id);
}

NodeId Grower::argument(Kind kind, Role role) {
  return graph_.add_argument("a" + std::to_string(graph_.arguments().size()), dtype_of_kind(kind), role);
}

NodeId Grower::constant(Kind kind) {
  if (kind == Kind::boolean) return graph_.add_constant(DType::boolean, {static_cast<double>(below(2)), 0});
  // Those that a wrong simplification would drop are common.
  constexpr double neutral[] = {0.0, -0.0, 1, -1, 2, 0.5, std::numeric_limits<double>::infinity()};
  const auto number = [&] {
    if (below(3) == 0) return neutral[below(std::size(neutral))];
    return graph_.kernel_dtype() == DType::f64 ? data64_.next(data64_.any_kind())
                                               : static_cast<double>(data32_.next(data32_.any_kind()));
  };
  const double re = number();
  return graph_.add_constant(dtype_of_kind(kind), {re, kind == Kind::complex ? number() : 0});
}

NodeId Grower::leaf(Kind kind) {
  constexpr std::size_t most_arguments = 8;
  const std::size_t choice = below(8);
  NodeId id = no_node;
  if (kind == Kind::boolean && choice != 0) {
    // There are no boolean arguments: a comparison of two real values.
    std::vector<OpForm> comparisons;
    for (const OpForm& f : every_op_form()) {
      if (info_of(f.op).type == TypeRule::compare && f.form == 0) comparisons.push_back(f);
    }
    const OpId op = comparisons[below(comparisons.size())].op;
    const NodeId a = operand(Kind::real), b = operand(Kind::real);
    id = graph_.add_op(op, std::array<NodeId, 2>{a, b});
  } else if (kind == Kind::boolean || choice < 2 || graph_.arguments().size() >= most_arguments) {
    id = constant(kind);
  } else {
    id = argument(kind, choice < 4 ? Role::parameter : Role::column);
  }
  offer(id);
  return id;
}

NodeId Grower::leaf() { return leaf(below(2) == 0 ? Kind::real : Kind::complex); }

// Half of the operands are recent, so that graphs grow deep and values die.
NodeId Grower::operand(Kind kind) {
  const std::vector<NodeId>& pool = pool_[static_cast<std::size_t>(kind)];
  if (pool.empty() || below(6) == 0) return leaf(kind);
  const std::size_t window = below(2) == 0 ? std::min<std::size_t>(pool.size(), 4) : pool.size();
  return pool[pool.size() - 1 - below(window)];
}

NodeId Grower::operand(Kind kind, bool scalar) {
  std::vector<NodeId> fitting;
  for (const NodeId id : pool_[static_cast<std::size_t>(kind)]) {
    if ((graph_.node(id).role != Role::column) == scalar) fitting.push_back(id);
  }
  if (!fitting.empty() && below(6) != 0) return fitting[below(fitting.size())];
  const NodeId id = argument(kind, scalar ? Role::parameter : Role::column);
  offer(id);
  return id;
}

void Grower::add(OpForm what) {
  std::vector<NodeId> operands;
  operands.reserve(ops::max_arity);
  for (int i = 0; i < info_of(what.op).arity; ++i) operands.push_back(operand(kind_of(what.op, what.form, i)));
  offer(graph_.add_op(what.op, operands));
}

void Grower::add_relative() {
  std::vector<NodeId> candidates;
  for (NodeId id = 0; id < graph_.size(); ++id) {
    if (graph_.node(id).kind == NodeKind::op) candidates.push_back(id);
  }
  if (candidates.empty()) return add(every_op_form()[below(every_op_form().size())]);
  const NodeId like = candidates[below(candidates.size())];
  const std::vector<NodeId> operands(graph_.operands(like).begin(), graph_.operands(like).end());
  std::vector<DType> dtypes;
  dtypes.reserve(operands.size());
  for (const NodeId id : operands) dtypes.push_back(graph_.node(id).dtype);
  std::vector<OpId> relatives;
  for (const OpForm& f : every_op_form()) {
    DType result{};
    unsigned form = 0;
    if (result_of(f.op, dtypes, graph_.kernel_dtype(), result, form)) relatives.push_back(f.op);
  }
  relatives.erase(std::unique(relatives.begin(), relatives.end()), relatives.end());
  offer(graph_.add_op(relatives[below(relatives.size())], operands));
}

void Grower::add_pattern() {
  using Node = fusion::PatternNode::Kind;
  const fusion::Pattern& pattern = all_patterns[below(all_patterns.size())];
  std::size_t at = 0;
  const auto build = [&](const auto& self) -> NodeId {
    const fusion::PatternNode& node = pattern.nodes[at++];
    if (node.kind != Node::op) {
      const bool complex = node.kind == Node::complex || node.kind == Node::complex_scalar;
      const bool scalar = node.kind == Node::real_scalar || node.kind == Node::complex_scalar;
      return operand(complex ? Kind::complex : Kind::real, scalar);
    }
    std::vector<NodeId> operands;
    operands.reserve(node.arity);
    for (int i = 0; i < node.arity; ++i) operands.push_back(self(self));
    return graph_.add_op(node.op, operands);
  };
  offer(build(build));
}

void Grower::grow() {
  const std::size_t choice = below(16);
  if (choice < 2) return add_relative();
  if (choice < 3) return add_pattern();
  add(every_op_form()[below(every_op_form().size())]);
}

}  // namespace frit::test
