#include "passes/passes.hpp"
#include "passes/rebuild.hpp"

namespace frit::passes {

Graph drop_dead_nodes(const Graph& graph) {
  Rebuild rebuild(graph);
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
        const NodeId operand = operands[top.next_operand++];
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
