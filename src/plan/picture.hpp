// Pictures of a graph. Colours tell when a value is known: constant, parameter (once per call) or column (per event).
#pragma once

#include <cstddef>
#include <string>

#include "graph/graph.hpp"
#include "plan/plan.hpp"

namespace frit::plan {

// Graphviz text, for graphs of any size.
std::string dot_of(const Graph& graph);

// Beyond this many nodes a picture of nodes is a grey area; svg_of draws the stages of the plan instead.
inline constexpr std::size_t most_drawn_nodes = 400;

// An SVG document, laid out here; nothing else is needed. `plan` was made of `graph`.
std::string svg_of(const Graph& graph, const Plan& plan);

}  // namespace frit::plan
