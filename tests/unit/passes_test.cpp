// Every pass preserves bits, on random graphs over all ops, and does what it is there for.
#include "passes/passes.hpp"

#include <gtest/gtest.h>

#include "exec/program.hpp"
#include "ops/list.hpp"
#include "support/graph_oracle.hpp"
#include "support/random_graph.hpp"
#include "trace/traced.hpp"

namespace frit::test {
namespace {

using trace::apply;
using trace::Traced;

constexpr std::size_t events = 64;

template <class T>
void expect_same_outputs(const Graph& before, const Graph& after, std::uint64_t seed, std::string_view what) {
  Inputs<T> inputs(seed);
  const std::vector<Bytes> columns = random_columns<T>(before, inputs, events);
  const auto parameters = random_parameters<T>(before, inputs);
  const exec::KernelTable& table = exec::active_table();
  const std::vector<Bytes> want = oracle_outputs<T>(before, table, columns, parameters, events);
  const std::vector<Bytes> got = oracle_outputs<T>(after, table, columns, parameters, events);
  ASSERT_EQ(want.size(), got.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(first_difference(got[i], want[i], before.node(before.outputs()[i].node).dtype), "")
        << what << ", seed " << seed << "\n"
        << print_graph(before) << print_graph(after);
  }
}

template <class T> void check_every_pass(std::uint64_t seed) {
  Graph graph = random_graph(seed, dtype_of<T>);
  for (const passes::Pass& pass : passes::make_passes(exec::evaluate_constant)) {
    Graph next = pass.run(graph);
    EXPECT_NO_THROW(verify(next)) << pass.name << ", seed " << seed;
    ASSERT_EQ(next.arguments().size(), graph.arguments().size()) << pass.name;
    ASSERT_EQ(next.outputs().size(), graph.outputs().size()) << pass.name;
    for (std::size_t i = 0; i < graph.outputs().size(); ++i)
      EXPECT_EQ(next.node(next.outputs()[i].node).dtype, graph.node(graph.outputs()[i].node).dtype) << pass.name;
    expect_same_outputs<T>(graph, next, seed, pass.name);
    graph = std::move(next);
  }
}

TEST(Passes, EachPreservesBitsOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    check_every_pass<double>(seed);
    check_every_pass<float>(seed);
  }
}

TEST(Passes, HaveDistinctNamesAndReasons) {
  const auto all = passes::make_passes(exec::evaluate_constant);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_FALSE(all[i].reason.empty());
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(all[i].name, all[k].name);
  }
}

int count_ops(const Graph& graph, OpId op) {
  int count = 0;
  for (NodeId id = 0; id < graph.size(); ++id) count += graph.node(id).kind == NodeKind::op && graph.node(id).op == op;
  return count;
}

// A constant folded in the pass is what the kernel computes of a parameter of its value.
template <class T> void check_folding() {
  for (int i = 0; i < op_count(); ++i) {
    const OpId op = static_cast<OpId>(i);
    for (unsigned form = 0; form < exec::form_count; ++form) {
      if ((forms_of(op) >> form & 1u) == 0) continue;
      Inputs<T> inputs(static_cast<std::uint64_t>(i) * 8 + form);
      for (int round = 0; round < 40; ++round) {
        const unsigned all = (1u << info_of(op).arity) - 1;
        const Graph of_parameters = op_graph(op, form, dtype_of<T>, all);
        const auto values = random_parameters<T>(of_parameters, inputs);
        Graph of_constants(dtype_of<T>);
        std::vector<NodeId> operands;
        for (std::size_t k = 0; k < values.size(); ++k) {
          const ops::OperandKind kind = kind_of(op, form, static_cast<int>(k));
          if (kind == ops::OperandKind::boolean) {
            operands.push_back(of_constants.add_constant(DType::boolean, {values[k].real() != 0 ? 1.0 : 0.0, 0}));
          } else {
            const DType type = kind == ops::OperandKind::complex ? complex_of(dtype_of<T>) : dtype_of<T>;
            operands.push_back(of_constants.add_constant(type, {values[k].real(), values[k].imag()}));
          }
        }
        of_constants.add_output("output", of_constants.add_op(op, operands));
        const Graph folded = passes::fold_constants(of_constants, exec::evaluate_constant);
        const NodeId output = folded.outputs()[0].node;
        ASSERT_EQ(folded.node(output).kind, NodeKind::constant) << info_of(op).name;
        const exec::KernelTable& table = exec::active_table();
        const Bytes got = oracle_outputs<T>(folded, table, {}, {}, 16)[0];
        const Bytes want = oracle_outputs<T>(of_parameters, table, {}, values, 16)[0];
        EXPECT_EQ(first_difference(got, want, folded.node(output).dtype), "") << info_of(op).name << " form " << form;
      }
    }
  }
}

TEST(Passes, FoldedConstantsHaveTheKernelsBits) {
  check_folding<double>();
  check_folding<float>();
}

TEST(Passes, FoldingStopsAtParameters) {
  Graph graph(DType::f64);
  const Traced p(graph, graph.add_argument("p", DType::f64, Role::parameter));
  const Traced folded = apply<ops::Exp>(Traced::literal_like(p, 2)) + Traced::literal_like(p, 1);
  graph.add_output("output", (folded * p).id());
  const Graph after = passes::drop_dead_nodes(passes::fold_constants(graph, exec::evaluate_constant));
  EXPECT_EQ(after.size(), 3u) << print_graph(after);
  EXPECT_EQ(count_ops(after, ops::id_of<ops::Multiply>), 1);
}

TEST(Passes, PairSinCosOnlyWhereBothAreUsed) {
  Graph graph(DType::f64);
  const Traced x(graph, graph.add_argument("x", DType::f64, Role::column));
  const Traced y(graph, graph.add_argument("y", DType::f64, Role::column));
  graph.add_output("output", (apply<ops::Sin>(x) * apply<ops::Cos>(x) + apply<ops::Sin>(y)).id());
  const Graph after = passes::drop_dead_nodes(passes::pair_sin_cos(graph));
  EXPECT_EQ(count_ops(after, ops::id_of<ops::Cis>), 1);
  EXPECT_EQ(count_ops(after, ops::id_of<ops::Sin>), 1);
  EXPECT_EQ(count_ops(after, ops::id_of<ops::Cos>), 0);
  for (std::uint64_t seed = 0; seed < 50; ++seed) expect_same_outputs<double>(graph, after, seed, "pair-sin-cos");
}

TEST(Passes, DeadNodesAreGoneAndArgumentsStay) {
  Graph graph(DType::f64);
  const Traced x(graph, graph.add_argument("x", DType::f64, Role::column));
  graph.add_argument("unused", DType::f64, Role::column);
  const Traced y = apply<ops::Exp>(x);
  (void)apply<ops::Log>(y);
  graph.add_output("output", y.id());
  const Graph after = passes::drop_dead_nodes(graph);
  EXPECT_EQ(print_graph(after),
            "frit graph 1 f64\n%0 = argument \"x\" : f64 column\n%1 = argument \"unused\" : f64 column\n"
            "%2 = exp(%0) : f64 column\noutput \"output\" = %2\n");
}

TEST(Passes, ADeepGraphTakesNoStack) {
  Graph graph(DType::f64);
  Traced x(graph, graph.add_argument("x", DType::f64, Role::column));
  for (int i = 0; i < 300'000; ++i) x = apply<ops::Negate>(x);
  graph.add_output("output", x.id());
  const std::size_t size = graph.size();
  EXPECT_EQ(passes::run_passes(std::move(graph), exec::evaluate_constant).size(), size);
}

TEST(Passes, RunPassesShowsEachStage) {
  std::vector<std::string> seen;
  passes::run_passes(random_graph(1, DType::f64), exec::evaluate_constant,
                     [&](const passes::Pass& pass, const Graph&) { seen.emplace_back(pass.name); });
  EXPECT_EQ(seen.size(), passes::make_passes(exec::evaluate_constant).size());
}

}  // namespace
}  // namespace frit::test
