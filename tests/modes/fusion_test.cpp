// Fused patterns round as their ops do alone: every pattern of the list, built from its own data, against the plan without
// fusion, in both dtypes and on every ISA that runs here.
#include <gtest/gtest.h>

#include "support/programs.hpp"

namespace frit::test {
namespace {

constexpr auto patterns = []<class... T>(fusion::Patterns<T...>) {
  return std::array<fusion::Pattern, sizeof...(T)>{fusion::pattern_of<T>()...};
}(fusion::AllFusions{});

// The pattern as a graph. `leaves_first`: all arguments before all ops, which swaps the operands of commutative ops whose
// second operand is a leaf, since those stand in the order of their ids.
Graph pattern_graph(const fusion::Pattern& pattern, DType dtype, bool leaves_first) {
  using Kind = fusion::PatternNode::Kind;
  Graph graph(dtype);
  std::vector<NodeId> leaves;
  const auto add_leaf = [&](Kind kind) {
    const bool complex = kind == Kind::complex || kind == Kind::complex_scalar;
    const bool scalar = kind == Kind::real_scalar || kind == Kind::complex_scalar;
    return graph.add_argument("a" + std::to_string(graph.arguments().size()), complex ? complex_of(dtype) : dtype,
                              scalar ? Role::parameter : Role::column);
  };
  if (leaves_first) {
    for (int i = 0; i < pattern.size; ++i) {
      const Kind kind = pattern.nodes[static_cast<std::size_t>(i)].kind;
      if (kind != Kind::op) leaves.push_back(add_leaf(kind));
    }
  }
  std::size_t at = 0, next_leaf = 0;
  const auto build = [&](const auto& self) -> NodeId {
    const fusion::PatternNode& node = pattern.nodes[at++];
    if (node.kind != Kind::op) return leaves_first ? leaves[next_leaf++] : add_leaf(node.kind);
    std::vector<NodeId> operands;
    for (int i = 0; i < node.arity; ++i) operands.push_back(self(self));
    return graph.add_op(node.op, operands);
  };
  graph.add_output("output", build(build));
  verify(graph);
  return graph;
}

template <class T> void check_pattern(std::size_t k, bool leaves_first) {
  const Graph graph = pattern_graph(patterns[k], dtype_of<T>, leaves_first);
  const std::string name = plan::fusion_name(static_cast<FusionId>(k)) + (leaves_first ? " leaves first" : "");
  const plan::Plan fused = plan::make_plan(graph);
  const plan::Plan plain = plan::make_plan(graph, {.fuse = false});
  ASSERT_EQ(fused.loop.size(), 1u) << name << " is not one step:\n" << plan::print_plan(fused);
  EXPECT_EQ(static_cast<std::size_t>(fused.loop[0].fusion), k)
      << name << " is shadowed by " << plan::fusion_name(fused.loop[0].fusion);
  EXPECT_GT(plain.loop.size(), 1u) << name;
  EXPECT_EQ(fused.loop_nodes, plain.loop_nodes) << name;
  const DType result = graph.node(graph.outputs()[0].node).dtype;
  Inputs<T> inputs(k + 1);
  constexpr std::int64_t n = 3001;
  for (int round = 0; round < 6; ++round) {
    std::vector<Bytes> columns;
    std::vector<std::complex<double>> parameters;
    for (const GraphArgument& argument : graph.arguments()) {
      const bool complex = is_complex(argument.dtype);
      if (argument.role == Role::column) {
        columns.push_back(bytes_of<T>(inputs.take(static_cast<std::size_t>(complex ? 2 * n : n))));
      } else {
        const T re = inputs.next();
        parameters.emplace_back(re, complex ? inputs.next() : T(0));
      }
    }
    Bytes want;
    for (const exec::KernelTable* table : exec::usable_tables()) {
      const Bytes alone = run(exec::Program(plain, *table), columns, parameters, n)[0];
      if (want.empty()) want = alone;
      EXPECT_EQ(first_difference(alone, want, result), "") << name << " not fused " << table->isa;
      for (std::int64_t tile : {0, 64}) {
        const exec::Program program(fused, *table, {.tile = tile});
        EXPECT_EQ(first_difference(run(program, columns, parameters, n)[0], want, result), "")
            << name << " tile " << tile << " " << table->isa;
      }
    }
  }
}

TEST(Fusion, EveryPatternHasTheBitsOfItsOps) {
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    for (bool leaves_first : {false, true}) {
      check_pattern<float>(k, leaves_first);
      check_pattern<double>(k, leaves_first);
    }
  }
}

TEST(Fusion, NoPatternHasMoreLeavesThanAKernelTakes) {
  for (const fusion::Pattern& pattern : patterns) EXPECT_LE(pattern.size, fusion::max_pattern_nodes);
}

}  // namespace
}  // namespace frit::test
