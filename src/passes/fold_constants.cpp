#include "passes/passes.hpp"
#include "passes/rebuild.hpp"

namespace frit::passes {

Graph fold_constants(const Graph& graph, const EvaluateConstant& evaluate) {
  Rebuild rebuild(graph);
  std::vector<ConstantValue> values;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    if (node.kind != NodeKind::op || node.role != Role::constant) {
      rebuild.copy(id);
      continue;
    }
    // Operands come first and have the role constant too, so they are constants by now.
    values.clear();
    for (NodeId operand : graph.operands(id)) values.push_back(rebuild.to().constant(rebuild.mapped(operand)));
    const ConstantValue value = evaluate(node.op, node.form, graph.kernel_dtype(), values);
    rebuild.map(id, rebuild.to().add_constant(node.dtype, value));
  }
  return rebuild.finish();
}

}  // namespace frit::passes
