// Grows graphs by random ops over the whole op table.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "graph/graph.hpp"
#include "random/data.hpp"
#include "random/program.hpp"

namespace frit::test {

class Grower {
 public:
  // `calm`: as Data, for constants.
  Grower(Graph& graph, std::mt19937_64& random, bool calm)
      : graph_(graph), random_(random), data64_(random(), calm), data32_(random(), calm) {}

  // One op, or a few: a random one on values there are or new leaves, the relative of one there is on its operands, or one of
  // the planner's fused patterns.
  void grow();
  // One leaf: an argument or constant, real or complex.
  NodeId leaf();
  // May be an operand from now on.
  void offer(NodeId id);

 private:
  using Kind = ops::OperandKind;
  std::size_t below(std::size_t n) { return random_() % n; }
  DType dtype_of_kind(Kind kind) const;
  NodeId leaf(Kind kind);
  NodeId argument(Kind kind, Role role);
  NodeId constant(Kind kind);
  NodeId operand(Kind kind);
  NodeId operand(Kind kind, bool scalar);
  void add(OpForm what);
  void add_relative();
  void add_pattern();

  Graph& graph_;
  std::mt19937_64& random_;
  Data<double> data64_;
  Data<float> data32_;
  std::array<std::vector<NodeId>, 3> pool_;  // by kind
};

}  // namespace frit::test
