// Graph -> Graph, bit-preserving. Equal nodes are one node from the start (Graph is hash-consed), so common subexpressions
// need no pass.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/graph.hpp"

namespace frit::passes {

// The value of op(operands) on constants, by the op's own template in the kernel's dtype: what the kernels compute.
// `form` as in Node. Booleans are 0 or 1 in the real part.
using EvaluateConstant =
    std::function<ConstantValue(OpId op, unsigned form, DType kernel_dtype, std::span<const ConstantValue> operands)>;

Graph fold_constants(const Graph& graph, const EvaluateConstant& evaluate);
Graph pair_sin_cos(const Graph& graph);
// Nodes that no output needs are gone; the others are ordered depth first from the outputs, operands just before users.
Graph drop_dead_nodes(const Graph& graph);

struct Pass {
  std::string_view name;
  std::string_view reason;  // why it is there and why at this place
  std::function<Graph(const Graph&)> run;
};

// All passes, in order.
std::vector<Pass> make_passes(const EvaluateConstant& evaluate);

// Runs them; `after` sees the graph after each (for `frit explain`). The graph is verified before the first and after the
// last pass, and after each in a debug build.
Graph run_passes(Graph graph, const EvaluateConstant& evaluate,
                 const std::function<void(const Pass&, const Graph&)>& after = {});

}  // namespace frit::passes
