// Copies a graph node by node into a new one, letting a pass replace nodes on the way.
#pragma once

#include <vector>

#include "graph/graph.hpp"

namespace frit::passes {

class Rebuild {
 public:
  explicit Rebuild(const Graph& from) : from_(from), to_(from.kernel_dtype()), map_(from.size(), no_node) {
    // All arguments stay, in order, used or not: they are the program's signature.
    std::vector<NodeId> nodes(from.arguments().size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const GraphArgument& argument = from.arguments()[i];
      nodes[i] = to_.add_argument(argument.name, argument.dtype, argument.role, argument.repeats);
    }
    for (NodeId id = 0; id < from.size(); ++id) {
      if (from.node(id).kind == NodeKind::argument) map_[id] = nodes[from.argument_index(id)];
    }
  }

  Graph& to() { return to_; }
  NodeId mapped(NodeId id) const { return map_[id]; }
  void map(NodeId id, NodeId replacement) { map_[id] = replacement; }
  bool done(NodeId id) const { return map_[id] != no_node; }

  // The node with its operands mapped. Operands must be done.
  void copy(NodeId id) {
    if (done(id)) return;
    const Node& node = from_.node(id);
    if (node.kind == NodeKind::constant) {
      map_[id] = to_.add_constant(node.dtype, from_.constant(id));
      return;
    }
    operands_.clear();
    for (NodeId operand : from_.operands(id)) operands_.push_back(map_[operand]);
    map_[id] = to_.add_op(node.op, operands_);
  }

  Graph finish() {
    for (const GraphOutput& output : from_.outputs()) to_.add_output(output.name, map_[output.node]);
    return std::move(to_);
  }

 private:
  const Graph& from_;
  Graph to_;
  std::vector<NodeId> map_;
  std::vector<NodeId> operands_;
};

}  // namespace frit::passes
