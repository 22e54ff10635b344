// What a node of a graph becomes where an operation takes another kind of value.
#pragma once

#include <array>

#include "graph/graph.hpp"
#include "ops/list.hpp"

namespace frit::arrays {

template <class Op, class... Ids> NodeId add_op_node(Graph& graph, Ids... ids) {
  return graph.add_op(ops::id_of<Op>, std::array<NodeId, sizeof...(Ids)>{ids...});
}

// Whether a number is not zero.
inline NodeId truth(Graph& graph, NodeId number) {
  return add_op_node<ops::NotEqual>(graph, number, graph.add_constant(graph.kernel_dtype(), {0, 0}));
}

// A boolean as 0 or 1, a real number as a complex one, where that is wanted.
inline NodeId as_operand(Graph& graph, NodeId id, DType wanted) {
  const DType real = graph.kernel_dtype();
  const auto number = [&](double x) { return graph.add_constant(real, {x, 0}); };
  if (wanted != DType::boolean && graph.node(id).dtype == DType::boolean)
    id = add_op_node<ops::Select>(graph, id, number(1), number(0));
  if (is_complex(wanted) && !is_complex(graph.node(id).dtype))
    return add_op_node<ops::MakeComplex>(graph, id, number(0));
  return id;
}

}  // namespace frit::arrays
