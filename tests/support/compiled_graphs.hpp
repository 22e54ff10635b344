// Graphs of many outputs, so that one compilation serves many checks: every op in every form, and every fused pattern.
#pragma once

#include <array>

#include "graph/graph.hpp"
#include "support/programs.hpp"

namespace frit::test {

// Every op of the table in every form, one output each, on the arguments a, b, c (real) and za, zb, zc (complex); operand i is
// a parameter where bit i of `scalars` is set, and ops without a column are left out. The real acosh, whose domain no other op has,
// takes the argument `beyond_1` for a.
inline Graph every_op(DType dtype, unsigned scalars = 0) {
  Graph graph(dtype);
  NodeId real[ops::max_arity], complex[ops::max_arity], boolean[ops::max_arity];
  const NodeId zero = graph.add_constant(dtype, {0, 0});
  for (unsigned i = 0; i < ops::max_arity; ++i) {
    const Role role = (scalars >> i & 1u) != 0 ? Role::parameter : Role::column;
    const std::string name(1, static_cast<char>('a' + i));
    real[i] = graph.add_argument(name, dtype, role);
    complex[i] = graph.add_argument("z" + name, complex_of(dtype), role);
    boolean[i] = graph.add_op(ops::id_of<ops::NotEqual>, std::array<NodeId, 2>{zero, real[i]});
  }
  const NodeId beyond_1 = graph.add_argument("beyond_1", dtype, graph.node(real[0]).role);
  for (int k = 0; k < op_count(); ++k) {
    const auto op = static_cast<OpId>(k);
    const auto arity = static_cast<unsigned>(info_of(op).arity);
    if (is_composite(op) || (scalars & ((1u << arity) - 1)) == (1u << arity) - 1) continue;
    for (unsigned form = 0; form < exec::form_count; ++form) {
      if ((forms_of(op) >> form & 1u) == 0) continue;
      std::vector<NodeId> operands;
      for (unsigned i = 0; i < arity; ++i) {
        const ops::OperandKind kind = kind_of(op, form, static_cast<int>(i));
        operands.push_back(kind == ops::OperandKind::complex   ? complex[i]
                           : kind == ops::OperandKind::boolean ? boolean[i]
                                                               : real[i]);
      }
      if (op == ops::id_of<ops::Acosh> && form == 0) operands[0] = beyond_1;
      graph.add_output(std::string(info_of(op).name) + " form " + std::to_string(form), graph.add_op(op, operands));
    }
  }
  verify(graph);
  return graph;
}

inline constexpr auto all_patterns = []<class... T>(fusion::Patterns<T...>) {
  return std::array<fusion::Pattern, sizeof...(T)>{fusion::pattern_of<T>()...};
}(fusion::AllFusions{});

// Every fused pattern on arguments of its own, one output each.
inline Graph every_pattern(DType dtype) {
  using Kind = fusion::PatternNode::Kind;
  Graph graph(dtype);
  for (std::size_t k = 0; k < all_patterns.size(); ++k) {
    std::size_t at = 0;
    const auto build = [&](const auto& self) -> NodeId {
      const fusion::PatternNode& node = all_patterns[k].nodes[at++];
      if (node.kind == Kind::op) {
        std::vector<NodeId> operands;
        for (int i = 0; i < node.arity; ++i) operands.push_back(self(self));
        return graph.add_op(node.op, operands);
      }
      const bool complex = node.kind == Kind::complex || node.kind == Kind::complex_scalar;
      const bool scalar = node.kind == Kind::real_scalar || node.kind == Kind::complex_scalar;
      return graph.add_argument("a" + std::to_string(graph.arguments().size()), complex ? complex_of(dtype) : dtype,
                                scalar ? Role::parameter : Role::column);
    };
    const NodeId root = build(build);
    graph.add_output(plan::fusion_name(static_cast<FusionId>(k)), root);
  }
  verify(graph);
  return graph;
}

// Columns of n events: pairs of special values in neighbouring parts first, then random ones.
template <class T> std::vector<Bytes> hard_columns(const Graph& graph, std::uint64_t seed, std::size_t n) {
  const std::vector<T> special = special_values<T>();
  Inputs<T> inputs(seed);
  std::vector<Bytes> columns;
  std::size_t part = 0;
  for (const GraphArgument& argument : graph.arguments()) {
    if (argument.role != Role::column) continue;
    const std::size_t parts = is_complex(argument.dtype) ? 2 : 1;
    std::vector<T> values = inputs.take(parts * n);
    for (std::size_t k = 0; k < parts; ++k, ++part) {
      // Even parts run through the values slowly, odd ones fast; later pairs start elsewhere, so that they differ.
      for (std::size_t i = 0; i < std::min(n, special.size() * special.size()); ++i)
        values[i * parts + k] = special[((part % 2 == 0 ? i / special.size() : i) + 7 * (part / 2)) % special.size()];
    }
    columns.push_back(bytes_of<T>(values));
  }
  return columns;
}

}  // namespace frit::test
