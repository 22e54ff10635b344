// Traced: a value that stands for a node of a graph under construction. Composite ops are expanded by running their
// template on it; front ends write graphs with it.
#pragma once

#include <array>

#include "graph/graph.hpp"
#include "ops/list.hpp"

namespace frit::trace {

class Traced {
 public:
  Traced(Graph& graph, NodeId id) : graph_(&graph), id_(id) {}

  NodeId id() const { return id_; }
  Graph& graph() const { return *graph_; }
  DType dtype() const { return graph_->node(id_).dtype; }
  Role role() const { return graph_->node(id_).role; }

  // The real literal `value` in the graph of `like`.
  static Traced literal_like(Traced like, double value) {
    return {like.graph(), like.graph().add_constant(like.graph().kernel_dtype(), {value, 0})};
  }

  friend Traced operator+(Traced a, Traced b);
  friend Traced operator-(Traced a, Traced b);
  friend Traced operator*(Traced a, Traced b);
  friend Traced operator/(Traced a, Traced b);
  friend Traced operator-(Traced a);

 private:
  Graph* graph_;
  NodeId id_;
};

// The op applied to traced values: a node for a primitive op, the expansion for a composite one.
template <class Op, class... T> Traced apply(Traced first, T... rest) {
  if constexpr (ops::Composite<Op>) {
    return Op::expand(first, rest...);
  } else {
    const std::array<NodeId, 1 + sizeof...(T)> operands{first.id(), rest.id()...};
    return {first.graph(), first.graph().add_op(ops::id_of<Op>, operands)};
  }
}

inline Traced operator+(Traced a, Traced b) { return apply<ops::Add>(a, b); }
inline Traced operator-(Traced a, Traced b) { return apply<ops::Subtract>(a, b); }
inline Traced operator*(Traced a, Traced b) { return apply<ops::Multiply>(a, b); }
inline Traced operator/(Traced a, Traced b) { return apply<ops::Divide>(a, b); }
inline Traced operator-(Traced a) { return apply<ops::Negate>(a); }

inline bool is_complex(Traced a) { return frit::is_complex(a.dtype()); }
// Of a real value: itself, and zero.
inline Traced real(Traced a) { return is_complex(a) ? apply<ops::Real>(a) : a; }
inline Traced imag(Traced a) { return is_complex(a) ? apply<ops::Imag>(a) : Traced::literal_like(a, 0); }

}  // namespace frit::trace
