#include "passes/passes.hpp"

namespace frit::passes {

// This list is the order. A pass that is not here does not run.
std::vector<Pass> make_passes(const EvaluateConstant& evaluate) {
  return {
      {"fold-constants", "first, so that later passes and the plan see literals as literals",
       [evaluate](const Graph& graph) { return fold_constants(graph, evaluate); }},
      {"pair-sin-cos",
       "the sine and cosine of one angle share the argument reduction; after folding, since a constant angle "
       "needs neither",
       [](const Graph& graph) { return pair_sin_cos(graph); }},
      {"drop-dead-nodes",
       "last: the passes above leave what they replaced; also puts operands near their users, which keeps "
       "few values live",
       [](const Graph& graph) { return drop_dead_nodes(graph); }},
  };
}

Graph run_passes(Graph graph, const EvaluateConstant& evaluate,
                 const std::function<void(const Pass&, const Graph&)>& after) {
  verify(graph);
  for (const Pass& pass : make_passes(evaluate)) {
    graph = pass.run(graph);
#ifndef NDEBUG
    verify(graph);
#endif
    if (after) after(pass, graph);
  }
  verify(graph);
  return graph;
}

}  // namespace frit::passes
