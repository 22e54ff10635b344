// Compilation of large plans: time that grows with the operations, bounded memory, the same bits.
#include <sys/resource.h>

#include <chrono>

#include "support/compiled.hpp"

namespace frit::test {
namespace {

// A chain of `nodes` nodes as models have them: products and sums of recent values and columns, a root or quotient in forty,
// an exponential or a sine in a hundred.
Graph synthetic(int nodes, DType dtype = DType::f64) {
  Graph graph(dtype);
  std::vector<NodeId> pool;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) pool.push_back(graph.add_argument(name, dtype, Role::column));
  const NodeId one = graph.add_constant(dtype, {1, 0}), half = graph.add_constant(dtype, {0.5, 0});
  std::mt19937_64 random(7);
  const auto recent = [&] { return pool[pool.size() - 1 - random() % std::min<std::size_t>(pool.size(), 24)]; };
  const auto op = [&](OpId id, auto... operands) {
    return graph.add_op(id, std::array<NodeId, sizeof...(operands)>{operands...});
  };
  while (static_cast<int>(graph.size()) < nodes) {
    const std::uint64_t kind = random() % 200;
    NodeId value = 0;
    // Every value stays between 0 and 1.
    if (kind < 2) {
      value = op(ops::id_of<ops::Sin>, recent());
    } else if (kind < 6) {
      value = op(ops::id_of<ops::Reciprocal>, op(ops::id_of<ops::Add>, one, recent()));
    } else if (kind < 120) {
      value = op(ops::id_of<ops::Subtract>, one, op(ops::id_of<ops::Multiply>, recent(), recent()));
    } else {
      value = op(ops::id_of<ops::Multiply>, half, op(ops::id_of<ops::Add>, recent(), recent()));
    }
    pool.push_back(value);
  }
  // What is left over is used, so that no node is dead.
  std::vector<char> used(graph.size());
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (graph.node(id).kind == NodeKind::op) {
      for (NodeId operand : graph.operands(id)) used[operand] = 1;
    }
  }
  NodeId sum = pool.back();
  for (NodeId id = 0; id < used.size(); ++id) {
    if (graph.node(id).kind == NodeKind::op && used[id] == 0 && id != pool.back())
      sum = op(ops::id_of<ops::Add>, sum, id);
  }
  graph.add_output("sum", sum);
  verify(graph);
  return graph;
}

struct Cost {
  double compile_s;
  std::int64_t operations;
  std::int64_t functions;
  double ns;  // for each event and operation
};

Cost measure(int nodes, int effort) {
  const plan::Plan plan = plan::make_plan(synthetic(nodes));
  const auto start = std::chrono::steady_clock::now();
  const auto kernel = compile(plan, {.effort = effort});
  Cost cost{std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
            kernel->statistics().operations, kernel->statistics().functions, 0};
  exec::Program program(plan, exec::active_table());
  Inputs<double> inputs(1);
  constexpr std::int64_t n = 1024;
  std::vector<Bytes> columns;
  for (int i = 0; i < 6; ++i) {
    std::vector<double> x(n);
    for (double& value : x) value = std::abs(inputs.moderate()) / 512;
    columns.push_back(bytes_of<double>(x));
  }
  const std::vector<Bytes> want = run(program, columns, {}, n);
  program.use(kernel.get());
  EXPECT_EQ(run(program, columns, {}, n), want) << nodes << " nodes, effort " << effort;
  const auto began = std::chrono::steady_clock::now();
  int rounds = 0;
  for (; rounds < 3 || std::chrono::steady_clock::now() - began < std::chrono::milliseconds(30); ++rounds)
    (void)run(program, columns, {}, n);
  cost.ns = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() * 1e9 /
            static_cast<double>(rounds * n * cost.operations);
  return cost;
}

void report(const char* what, int nodes, int effort, const Cost& cost) {
  std::printf(
      "%s %6d nodes, effort %d: %7lld operations in %3lld functions, %8.1f ms, %6.2f us an operation, %.4f ns an event "
      "and operation\n",
      what, nodes, effort, static_cast<long long>(cost.operations), static_cast<long long>(cost.functions),
      cost.compile_s * 1e3, cost.compile_s * 1e6 / static_cast<double>(cost.operations), cost.ns);
}

// The bounds are loose, for machines with other work on them; `frit explain` and the benchmarks have the exact figures.
TEST(LlvmSize, CompileTimeGrowsWithTheOperations) {
  FRIT_NEEDS_COMPILER();
  for (int effort : {0, 1}) {
    const Cost small = measure(1000, effort);
    report("plan of", 1000, effort, small);
    for (int nodes : nightly() ? std::vector<int>{250, 4000, 16'000, 64'000} : std::vector<int>{4000, 16'000}) {
      if (nodes == 4000 && !nightly() && effort == 1) continue;
      const Cost large = measure(nodes, effort);
      report("plan of", nodes, effort, large);
      if (nodes < 1000) continue;
      EXPECT_LT(large.compile_s / static_cast<double>(large.operations),
                4 * small.compile_s / static_cast<double>(small.operations));
    }
  }
}

// A large frame is touched page by page, so that a stack that is too small ends at its guard page.
TEST(LlvmSize, NoFrameStepsOverAGuardPage) {
  FRIT_NEEDS_COMPILER();
  const auto kernel = compile(plan::make_plan(synthetic(8000)), {.effort = 0, .keep_text = true});
  const std::string& text = kernel->assembly();
  int frames = 0;
  for (std::size_t at = text.find("subq\t$"); at != std::string::npos; at = text.find("subq\t$", at + 1)) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    if (line.find("%rsp") == std::string::npos) continue;
    ++frames;
    EXPECT_LE(std::stol(line.substr(6)), 4096) << line;
  }
  EXPECT_GT(frames, 0);
}

TEST(LlvmSize, TwoHundredThousandNodes) {
  if (!nightly()) GTEST_SKIP() << "only with FRIT_NIGHTLY=1";
  FRIT_NEEDS_COMPILER();
  const Cost cost = measure(200'000, 0);
  report("plan of", 200'000, 0, cost);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("peak memory %ld MB\n", usage.ru_maxrss / 1024);
  EXPECT_LT(usage.ru_maxrss, 2'000'000);
  EXPECT_LT(cost.compile_s, 300);
}

}  // namespace
}  // namespace frit::test
