#include <algorithm>

#include "passes/passes.hpp"
#include "passes/rebuild.hpp"

namespace frit::passes {

// NOTE: of a node's operands the one with more work below it comes first, since its result is then the only value that waits
// while the smaller ones are computed. On lc2pkpi that leaves 96 live buffers instead of 119.
Graph drop_dead_nodes(const Graph& graph) {
  Rebuild rebuild(graph);
  // Per-event nodes below each node, shared ones counted for each use; as double, since that number can be exponential.
  std::vector<double> work(graph.size(), 0);
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (graph.node(id).role != Role::column) continue;
    work[id] = 1;
    for (NodeId operand : graph.operands(id)) work[id] += work[operand];
  }
  const auto larger_first = [&](NodeId a, NodeId b) { return work[a] > work[b]; };
  std::vector<NodeId> ordered;
  struct Visit {
    NodeId id;
    std::size_t next_operand;
  };
  std::vector<Visit> stack;
  for (const GraphOutput& output : graph.outputs()) {
    stack.push_back({output.node, 0});
    while (!stack.empty()) {
      Visit& top = stack.back();
      const auto operands = graph.operands(top.id);
      if (rebuild.done(top.id)) {
        stack.pop_back();
      } else if (top.next_operand < operands.size()) {
        ordered.assign(operands.begin(), operands.end());
        std::stable_sort(ordered.begin(), ordered.end(), larger_first);
        const NodeId operand = ordered[top.next_operand++];
        if (!rebuild.done(operand)) stack.push_back({operand, 0});
      } else {
        rebuild.copy(top.id);
        stack.pop_back();
      }
    }
  }
  return rebuild.finish();
}

}  // namespace frit::passes
