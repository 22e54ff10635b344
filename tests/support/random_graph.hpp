// Random graphs over all primitive ops, their forms and every role.
#pragma once

#include <array>
#include <random>

#include "graph/graph.hpp"
#include "ops/list.hpp"
#include "ops/table.hpp"

namespace frit::test {

struct RandomGraphOptions {
  int nodes = 60;  // ops tried
  int outputs = 3;
};

inline Graph random_graph(std::uint64_t seed, DType dtype, const RandomGraphOptions& options = {}) {
  std::mt19937_64 random(seed);
  Graph graph(dtype);
  std::vector<NodeId> pool;
  const DType complex = complex_of(dtype);
  for (const auto& [name, type, role] :
       std::initializer_list<std::tuple<const char*, DType, Role>>{{"x", dtype, Role::column},
                                                                   {"y", dtype, Role::column},
                                                                   {"p", dtype, Role::parameter},
                                                                   {"z", complex, Role::column},
                                                                   {"c", complex, Role::parameter},
                                                                   {"w", complex, Role::column}})
    pool.push_back(graph.add_argument(name, type, role));
  pool.push_back(graph.add_constant(dtype, {1.5, 0}));
  pool.push_back(graph.add_constant(dtype, {-0.0, 0}));
  pool.push_back(graph.add_constant(complex, {0.25, -3}));
  pool.push_back(graph.add_constant(DType::boolean, {1, 0}));
  // Booleans are rare operands, so one of each role stands ready.
  for (NodeId x : {NodeId{0}, NodeId{2}, NodeId{6}})
    pool.push_back(graph.add_op(ops::id_of<ops::Less>, std::array<NodeId, 2>{x, 6}));
  for (int tries = 0; tries < options.nodes;) {
    const OpId op = static_cast<OpId>(random() % static_cast<std::uint64_t>(op_count()));
    if (is_composite(op)) continue;
    std::array<NodeId, ops::max_arity> operands{};
    std::array<DType, ops::max_arity> dtypes{};
    const auto arity = static_cast<std::size_t>(info_of(op).arity);
    // Half of the operands are recent, so that graphs grow deep and values die.
    for (std::size_t i = 0; i < arity; ++i) {
      const std::size_t window = random() % 2 == 0 ? std::min<std::size_t>(pool.size(), 8) : pool.size();
      operands[i] = pool[pool.size() - 1 - random() % window];
      dtypes[i] = graph.node(operands[i]).dtype;
    }
    DType result{};
    unsigned form = 0;
    if (!result_of(op, std::span<const DType>(dtypes).first(arity), dtype, result, form)) continue;
    ++tries;
    pool.push_back(graph.add_op(op, std::span<const NodeId>(operands).first(arity)));
  }
  for (int i = 0; i < options.outputs; ++i) {
    const std::size_t window = std::min<std::size_t>(pool.size(), 12);
    graph.add_output("output_" + std::to_string(i), pool[pool.size() - 1 - random() % window]);
  }
  return graph;
}

}  // namespace frit::test
