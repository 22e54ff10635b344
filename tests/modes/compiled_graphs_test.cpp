// Random graphs as machine code with random options, cut into many functions too: the bits of the executor and of eager.
#include "support/compiled_graphs.hpp"
#include "passes/passes.hpp"
#include "support/compiled.hpp"
#include "support/graph_oracle.hpp"
#include "support/random_graph.hpp"

namespace frit::test {
namespace {

// A random graph that also returns a column, a parameter and a constant as they are, real, complex and boolean.
Graph graph_of(std::uint64_t seed, DType dtype, int nodes) {
  Graph graph = random_graph(seed, dtype, {.nodes = nodes, .outputs = 5});
  const auto add = [&](const char* name, NodeId id) { graph.add_output(name, id); };
  add("column", 0);
  add("complex column", 3);
  add("parameter", 2);
  add("complex parameter", 4);
  add("constant", 7);
  add("boolean constant", 9);
  add("boolean", graph.add_op(ops::id_of<ops::Less>, std::array<NodeId, 2>{0, 1}));
  add("boolean of parameters", graph.add_op(ops::id_of<ops::LessEqual>, std::array<NodeId, 2>{2, 6}));
  // Values from all over, so that many are alive across the cuts.
  std::mt19937_64 random(seed);
  for (int i = 0; i < nodes / 8; ++i)
    graph.add_output("inner_" + std::to_string(i), static_cast<NodeId>(random() % graph.size()));
  verify(graph);
  return graph;
}

template <class T> How random_how(std::mt19937_64& random) {
  const auto pick = [&](auto... values) {
    const std::common_type_t<decltype(values)...> all[] = {values...};
    return all[random() % sizeof...(values)];
  };
  const std::vector<std::string> targets = usable_targets();
  How how{
      .effort = pick(0, 1, 2),
      .width = pick(0, 0, 1, 2, 4, 8),
      .target = targets[random() % targets.size()],
      .full_form = random() % 4 == 0,
      .largest_function = pick(0, 1, 40, 40, 300, 1500),
      .threads = pick(1, 1, 3),
      .vectors = pick(0, 1, 2),
      .roots = pick(CompileOptions::Roots::by_balance, CompileOptions::Roots::divider, CompileOptions::Roots::estimate),
      .functions = pick(CompileOptions::Functions::by_policy, CompileOptions::Functions::in_line,
                        CompileOptions::Functions::called)};
  if (sizeof(T) == 4 && random() % 4 == 0) how.width = 16;
  // The full forms of all ops in one function take long at the higher efforts, and add nothing here.
  if (how.full_form) how.effort = 0;
  return how;
}

struct Seen {
  int functions = 0;  // the most of one plan
  std::int64_t arena_rows = 0;
};

template <class T> void check_graph(std::uint64_t seed, int nodes, Seen& seen) {
  const Graph graph = graph_of(seed, dtype_of<T>, nodes);
  Inputs<T> inputs(seed * 3 + 1);
  constexpr std::int64_t n = 64 * 9 + 5;
  std::vector<Bytes> columns = random_columns(graph, inputs, n);
  // The last tiles are ordinary numbers only, so that code without rare paths is not left to chance.
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t at = columns[c].size() / sizeof(T) / 2 * sizeof(T); at < columns[c].size(); at += sizeof(T)) {
      const T x = inputs.moderate();
      std::memcpy(&columns[c][at], &x, sizeof x);
    }
  }
  const std::vector<std::complex<double>> parameters = random_parameters(graph, inputs);
  const Graph passed = passes::run_passes(passes::drop_dead_nodes(graph), exec::evaluate_constant);
  const plan::Plan plan = plan::make_plan(passed);
  const exec::Program eager(plan::make_plan(graph, {.fuse = false}), exec::active_table());
  const std::vector<Bytes> want = run(eager, columns, parameters, n, {.whole_range = true});
  const How how = random_how<T>(inputs.random());
  const std::string name =
      "seed " + std::to_string(seed) + " " + std::string(frit::name_of(dtype_of<T>)) + ", " + how.name();
  const std::unique_ptr<CompiledKernel> kernel = compile(plan, how);
  seen.functions = std::max(seen.functions, static_cast<int>(kernel->functions().size()));
  seen.arena_rows = std::max(seen.arena_rows, kernel->arena_rows());
  const auto expect_same = [&](const std::vector<Bytes>& got, const std::string& what) {
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (got[i] == want[i]) continue;
      const std::string difference = first_difference(got[i], want[i], plan.outputs[i].dtype);
      ADD_FAILURE() << name << ", " << what << ", output " << plan.outputs[i].name << ": "
                    << (difference.empty() ? "a NaN that is not canonical" : difference);
    }
  };
  for (std::int64_t tile : {std::int64_t{0}, std::int64_t{64}}) {
    exec::Program program(plan, exec::active_table(), {.tile = tile});
    expect_same(run(program, columns, parameters, n), "graph, tile " + std::to_string(tile));
    program.use(kernel.get());
    expect_same(run(program, columns, parameters, n), "compiled, tile " + std::to_string(tile));
    const auto cut = static_cast<std::int64_t>(inputs.random()() % n);
    expect_same(run(program, columns, parameters, n, {.cuts = {cut}, .misalign = inputs.random()() % 64}),
                "compiled, cut at " + std::to_string(cut));
  }
  if (!how.full_form) return;
  // The code alone, without the executor's help.
  const exec::Program program(plan, exec::active_table());
  constexpr std::int64_t whole = n / 64 * 64;
  const CodeRun got = run_code<T>(program, *kernel, columns, parameters, whole, 64);
  for (std::size_t i = 0; i < want.size(); ++i)
    EXPECT_EQ(
        first_difference(got.outputs[i], part_of(want[i], plan.outputs[i].dtype, 0, whole), plan.outputs[i].dtype), "")
        << name << ", alone, output " << plan.outputs[i].name;
}

TEST(CompiledGraphs, RandomGraphsHaveTheBitsOfEveryMode) {
  FRIT_NEEDS_COMPILER();
  const std::uint64_t seeds = nightly() ? 2000 : 20;
  Seen seen;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    check_graph<double>(seed, 200, seen);
    check_graph<float>(seed, 200, seen);
  }
  EXPECT_GT(seen.functions, 20);
  EXPECT_GT(seen.arena_rows, 20);
}

TEST(CompiledGraphs, SmallRandomGraphs) {
  FRIT_NEEDS_COMPILER();
  const std::uint64_t seeds = nightly() ? 20'000 : 60;
  Seen seen;
  for (std::uint64_t seed = 1001; seed <= 1000 + seeds; ++seed) {
    check_graph<double>(seed, 8, seen);
    check_graph<float>(seed, 8, seen);
  }
}

// A graph without a loop: its outputs are columns, parameters and constants.
TEST(CompiledGraphs, OutputsWithoutAnyOp) {
  FRIT_NEEDS_COMPILER();
  for (int effort : {0, 1, 2}) {
    Graph graph(DType::f64);
    const NodeId x = graph.add_argument("x", DType::f64, Role::column);
    const NodeId z = graph.add_argument("z", DType::c128, Role::column);
    const NodeId p = graph.add_argument("p", DType::f64, Role::parameter);
    graph.add_output("x", x);
    graph.add_output("z", z);
    graph.add_output("p", p);
    graph.add_output("x again", x);
    graph.add_output("true", graph.add_constant(DType::boolean, {1, 0}));
    graph.add_output("complex", graph.add_constant(DType::c128, {-0.0, 2}));
    Inputs<double> inputs(5);
    constexpr std::int64_t n = 133;
    const std::vector<Bytes> columns = random_columns(graph, inputs, n);
    const std::vector<std::complex<double>> parameters{{0.5, 0}};
    exec::Program program(plan::make_plan(graph), exec::active_table(), {.tile = 64});
    const std::vector<Bytes> want = run(program, columns, parameters, n);
    const auto kernel = compile(program.plan(), {.effort = effort});
    program.use(kernel.get());
    EXPECT_EQ(run(program, columns, parameters, n), want);
  }
}

}  // namespace
}  // namespace frit::test
