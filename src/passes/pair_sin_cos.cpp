#include <array>
#include <vector>

#include "ops/list.hpp"
#include "passes/passes.hpp"
#include "passes/rebuild.hpp"

namespace frit::passes {

// sin(x) and cos(x) of one real x become the parts of cis(x), which computes both with the bits that each has alone.
Graph pair_sin_cos(const Graph& graph) {
  std::vector<char> has(graph.size(), 0);
  constexpr char sine = 1, cosine = 2;
  const auto kind_of = [&](NodeId id) -> char {
    const Node& node = graph.node(id);
    if (node.kind != NodeKind::op || is_complex(node.dtype)) return 0;
    return node.op == ops::id_of<ops::Sin> ? sine : node.op == ops::id_of<ops::Cos> ? cosine : char{0};
  };
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (const char kind = kind_of(id)) has[graph.operands(id)[0]] |= kind;
  }
  Rebuild rebuild(graph);
  for (NodeId id = 0; id < graph.size(); ++id) {
    const char kind = kind_of(id);
    if (kind == 0 || has[graph.operands(id)[0]] != (sine | cosine)) {
      rebuild.copy(id);
      continue;
    }
    const std::array<NodeId, 1> angle{rebuild.mapped(graph.operands(id)[0])};
    const std::array<NodeId, 1> both{rebuild.to().add_op(ops::id_of<ops::Cis>, angle)};
    rebuild.map(id, rebuild.to().add_op(kind == sine ? ops::id_of<ops::Imag> : ops::id_of<ops::Real>, both));
  }
  return rebuild.finish();
}

}  // namespace frit::passes
