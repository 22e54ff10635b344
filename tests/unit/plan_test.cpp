// The plan: an interpreter that shares nothing with the executor but the kernels of single ops runs its steps over named
// buffers and compares with the graph; and what a plan must and must not hold.
#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "passes/passes.hpp"
#include "support/cpu_clock.hpp"
#include "support/graph_oracle.hpp"
#include "support/random_graph.hpp"
#include "trace/traced.hpp"

namespace frit::test {
namespace {

using plan::Part;
using plan::Plan;
using plan::Step;
using trace::apply;
using trace::Traced;

constexpr auto patterns = []<class... T>(fusion::Patterns<T...>) {
  return std::array<fusion::Pattern, sizeof...(T)>{fusion::pattern_of<T>()...};
}(fusion::AllFusions{});

constexpr std::size_t events = 32;

template <class T> class Interpreter {
 public:
  Interpreter(const Plan& p, std::span<const Bytes> columns, std::span<const std::complex<double>> parameters)
      : plan_(p), scalars_(p.scalars), buffers_(p.buffers) {
    std::vector<std::size_t> place;
    std::size_t next_column = 0, next_parameter = 0;
    for (const GraphArgument& argument : p.arguments)
      place.push_back(argument.role == Role::column ? next_column++ : next_parameter++);
    for (const plan::ScalarConstant& c : p.constants) set_once(c.scalar, splat_lanes<T>(c.value, c.boolean, events));
    for (const plan::ScalarArgument& s : p.parameters) {
      const std::complex<double> value = parameters[place[s.argument]];
      set_once(s.scalar, splat_lanes<T>(s.imaginary ? value.imag() : value.real(), false, events));
    }
    for (const plan::ColumnPart& c : p.columns) {
      const std::size_t step = is_complex(p.arguments[c.argument].dtype) ? 2 : 1;
      Lanes<T> lanes;
      for (std::size_t i = 0; i < events; ++i)
        lanes.push_back(read_as<T>(&columns[place[c.argument]][(i * step + (c.imaginary ? 1 : 0)) * sizeof(T)]));
      columns_.push_back(lanes);
    }
  }

  std::vector<Bytes> outputs() {
    for (const Step& step : plan_.prologue) run(step, true);
    for (const Step& step : plan_.loop) run(step, false);
    std::vector<Bytes> images;
    for (const plan::Output& output : plan_.outputs) {
      OracleValue<T> value;
      value.re = read(output.parts[0]);
      if (is_complex(output.dtype)) value.im = read(output.parts[1]);
      images.push_back(image_of(value, output.dtype));
    }
    return images;
  }

 private:
  void set_once(std::uint32_t scalar, Lanes<T> lanes) {
    ASSERT_LT(scalar, scalars_.size());
    EXPECT_TRUE(scalars_[scalar].empty()) << "scalar " << scalar << " is set twice";
    scalars_[scalar] = std::move(lanes);
  }
  Lanes<T> read(const Part& part) {
    const std::vector<Lanes<T>>& from = part.kind == Part::Kind::scalar   ? scalars_
                                        : part.kind == Part::Kind::column ? columns_
                                                                          : buffers_;
    EXPECT_LT(part.index, from.size());
    EXPECT_FALSE(from[part.index].empty()) << "a place is read before it is written";
    return from[part.index];
  }
  OracleValue<T> value_of(const fusion::Pattern& pattern, std::size_t& node, std::span<const Lanes<T>> parts,
                          std::size_t& part) {
    using Kind = fusion::PatternNode::Kind;
    const fusion::PatternNode& n = pattern.nodes[node++];
    if (n.kind != Kind::op) {
      OracleValue<T> leaf{parts[part++], {}};
      if (n.kind == Kind::complex || n.kind == Kind::complex_scalar) leaf.im = parts[part++];
      return leaf;
    }
    std::vector<OracleValue<T>> operands;
    for (int i = 0; i < n.arity; ++i) operands.push_back(value_of(pattern, node, parts, part));
    std::vector<const OracleValue<T>*> pointers;
    for (const auto& operand : operands) pointers.push_back(&operand);
    return evaluate_op<T>(exec::active_table(), n.op, n.form, n.form != 0, pointers, events);
  }
  void run(const Step& step, bool prologue) {
    std::vector<Lanes<T>> parts;
    for (int i = 0; i < step.operands; ++i) {
      EXPECT_TRUE(!prologue || step.parts[i].kind == Part::Kind::scalar) << "the prologue reads per-event values";
      parts.push_back(read(step.parts[i]));
    }
    OracleValue<T> value;
    if (step.fusion == FusionId::single_op) {
      EXPECT_NE(info_of(step.op).cost, CostClass::free) << info_of(step.op).name << " is a step";
      std::vector<OracleValue<T>> operands;
      for (int i = 0, at = 0; i < info_of(step.op).arity; ++i) {
        OracleValue<T> operand{parts[static_cast<std::size_t>(at++)], {}};
        if ((step.form >> i & 1) != 0) operand.im = parts[static_cast<std::size_t>(at++)];
        operands.push_back(operand);
      }
      std::vector<const OracleValue<T>*> pointers;
      for (const auto& operand : operands) pointers.push_back(&operand);
      value = evaluate_op<T>(exec::active_table(), step.op, step.form, step.results == 2, pointers, events);
    } else {
      std::size_t node = 0, part = 0;
      value = value_of(patterns[static_cast<std::size_t>(step.fusion)], node, parts, part);
      EXPECT_EQ(part, parts.size());
    }
    for (int i = 0; i < step.results; ++i) {
      const Part& to = step.parts[step.operands + i];
      Lanes<T>& lanes = i == 0 ? value.re : value.im;
      EXPECT_TRUE(i == 0 || !(to == step.parts[step.operands])) << "two results in one place";
      if (prologue) {
        ASSERT_EQ(to.kind, Part::Kind::scalar);
        set_once(to.index, lanes);
      } else {
        ASSERT_EQ(to.kind, Part::Kind::buffer);
        ASSERT_LT(to.index, buffers_.size());
        buffers_[to.index] = lanes;
      }
    }
  }

  const Plan& plan_;
  std::vector<Lanes<T>> scalars_, columns_, buffers_;
};

template <class T> void check_plan(const Graph& graph, std::uint64_t seed) {
  Inputs<T> inputs(seed);
  const std::vector<Bytes> columns = random_columns<T>(graph, inputs, events);
  const auto parameters = random_parameters<T>(graph, inputs);
  const std::vector<Bytes> want = oracle_outputs<T>(graph, exec::active_table(), columns, parameters, events);
  for (bool fuse : {false, true}) {
    const Plan p = plan::make_plan(graph, {.fuse = fuse});
    const std::vector<Bytes> interpreted = Interpreter<T>(p, columns, parameters).outputs();
    const exec::Program program(p, exec::active_table());
    const std::vector<Bytes> executed = run(program, columns, parameters, events);
    const std::vector<Bytes> eager = run(program, columns, parameters, events, {.whole_range = true});
    for (std::size_t i = 0; i < want.size(); ++i) {
      const DType dtype = graph.node(graph.outputs()[i].node).dtype;
      EXPECT_EQ(first_difference(interpreted[i], want[i], dtype), "") << "interpreted, seed " << seed << "\n"
                                                                      << print_graph(graph) << plan::print_plan(p);
      EXPECT_EQ(first_difference(executed[i], want[i], dtype), "") << "executed, seed " << seed << "\n"
                                                                   << print_graph(graph) << plan::print_plan(p);
      EXPECT_EQ(first_difference(eager[i], want[i], dtype), "") << "eager, seed " << seed;
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Plan, HasTheBitsOfTheGraphOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    check_plan<double>(random_graph(seed, DType::f64), seed);
    check_plan<float>(random_graph(seed, DType::f32), seed);
    check_plan<double>(passes::run_passes(random_graph(seed, DType::f64), exec::evaluate_constant), seed);
    if (HasFailure()) return;
  }
}

// Chains of sums and products in one order and the other: what fusion and the reuse of buffers see most.
TEST(Plan, HasTheBitsOfTheGraphOnSumsAndProducts) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    Graph graph(DType::f64);
    std::vector<Traced> pool;
    for (const char* name : {"x", "y", "u"})
      pool.emplace_back(graph, graph.add_argument(name, DType::f64, Role::column));
    for (const char* name : {"z", "w"}) pool.emplace_back(graph, graph.add_argument(name, DType::c128, Role::column));
    pool.emplace_back(graph, graph.add_argument("p", DType::f64, Role::parameter));
    pool.emplace_back(graph, graph.add_argument("c", DType::c128, Role::parameter));
    for (int i = 0; i < 60; ++i) {
      const auto pick = [&] {
        return pool[random() % 2 == 0 ? pool.size() - 1 - random() % 4 : random() % pool.size()];
      };
      const Traced a = pick(), b = pick();
      switch (random() % 8) {
        case 0: pool.push_back(a - b); break;
        case 1: pool.push_back(trace::is_complex(a) ? apply<ops::Conjugate>(a) : apply<ops::QuarterTurn>(a)); break;
        case 2: pool.push_back(apply<ops::Imag>(a)); break;
        case 3: pool.push_back(apply<ops::MakeComplex>(apply<ops::Real>(a), apply<ops::Imag>(b))); break;
        case 4:
        case 5: pool.push_back(a + b); break;
        default: pool.push_back(a * b); break;
      }
    }
    for (std::size_t i = 0; i < 3; ++i)
      graph.add_output("output_" + std::to_string(i), pool[pool.size() - 1 - 5 * i].id());
    check_plan<double>(graph, seed);
    if (HasFailure()) return;
  }
}

Graph graph_of(const std::function<Traced(Traced x, Traced z, Traced p)>& body) {
  Graph graph(DType::f64);
  const Traced x(graph, graph.add_argument("x", DType::f64, Role::column));
  const Traced z(graph, graph.add_argument("z", DType::c128, Role::column));
  const Traced p(graph, graph.add_argument("p", DType::f64, Role::parameter));
  graph.add_output("output", body(x, z, p).id());
  return graph;
}

TEST(Plan, RenamingPartsCostsNoStep) {
  const Plan p = plan::make_plan(
      graph_of([](Traced x, Traced z, Traced) { return apply<ops::MakeComplex>(apply<ops::Real>(z), x); }));
  EXPECT_EQ(p.loop.size() + p.prologue.size(), 0u) << plan::print_plan(p);
  EXPECT_EQ(p.buffers, 0u);
}

TEST(Plan, ASignIsOneNegationOfAPartAndOnlyWhereItIsRead) {
  const Plan conjugated = plan::make_plan(graph_of([](Traced, Traced z, Traced) { return apply<ops::Conjugate>(z); }));
  EXPECT_EQ(conjugated.loop.size(), 1u) << plan::print_plan(conjugated);
  const Plan back = plan::make_plan(
      graph_of([](Traced, Traced z, Traced) { return apply<ops::Conjugate>(apply<ops::Conjugate>(z)); }));
  EXPECT_EQ(back.loop.size(), 0u) << plan::print_plan(back);
  const Plan unread =
      plan::make_plan(graph_of([](Traced, Traced z, Traced) { return apply<ops::Real>(apply<ops::Conjugate>(z)); }));
  EXPECT_EQ(unread.loop.size(), 0u) << plan::print_plan(unread);
}

TEST(Plan, WhatIsKnownBeforeTheLoopIsInThePrologue) {
  const Plan p = plan::make_plan(graph_of([](Traced x, Traced, Traced a) { return apply<ops::Exp>(a + a) * x; }));
  EXPECT_EQ(p.prologue.size(), 2u) << plan::print_plan(p);
  EXPECT_EQ(p.loop.size(), 1u) << plan::print_plan(p);
  EXPECT_EQ(p.prologue_nodes, 2u);
  EXPECT_EQ(p.loop_nodes, 1u);
}

TEST(Plan, UnusedNodesAreNotRun) {
  const Plan p = plan::make_plan(graph_of([](Traced x, Traced z, Traced) {
    (void)apply<ops::Exp>(z);
    return x + x;
  }));
  EXPECT_EQ(p.loop.size(), 1u) << plan::print_plan(p);
}

TEST(Plan, BuffersAreReusedAlongAChain) {
  const Plan p = plan::make_plan(graph_of([](Traced x, Traced, Traced) {
    Traced y = x;
    for (int i = 0; i < 1000; ++i) y = apply<ops::Sin>(y);
    return y;
  }));
  EXPECT_EQ(p.loop.size(), 1000u);
  EXPECT_LE(p.buffers, 2u);
}

TEST(Plan, PrintsEachStepAndOutput) {
  const std::string text =
      plan::print_plan(plan::make_plan(graph_of([](Traced x, Traced, Traced p) { return apply<ops::Exp>(x) * p; })));
  EXPECT_NE(text.find("exp.0("), std::string::npos) << text;
  EXPECT_NE(text.find("output \"output\" f64"), std::string::npos) << text;
}

// A model of about 16,000 nodes: sums of resonances with shared parts.
Graph large_graph(int terms) {
  Graph graph(DType::f64);
  std::vector<Traced> x, p;
  for (int i = 0; i < 8; ++i)
    x.emplace_back(graph, graph.add_argument("x" + std::to_string(i), DType::f64, Role::column));
  for (int i = 0; i < terms; ++i)
    p.emplace_back(graph, graph.add_argument("p" + std::to_string(i), DType::f64, Role::parameter));
  Traced total = apply<ops::MakeComplex>(x[0], x[1]);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Traced a = x[i % 8], b = x[(i / 8) % 8];
    const Traced width = apply<ops::SquareRoot>(p[i] * p[i] + a);
    const Traced below = apply<ops::MakeComplex>(p[i] - a * b, width * p[i]);
    total = total + apply<ops::Sin>(width) * (p[i] / below);
  }
  graph.add_output("output", total.id());
  return graph;
}

TEST(Plan, PassesAndPlanAreLinear) {
  const auto seconds = [](int terms, std::size_t& nodes) {
    double best = 1e9;
    for (int round = 0; round < 7; ++round) {
      Graph graph = large_graph(terms);
      nodes = graph.size();
      const double start = cpu_seconds();
      const Plan p = plan::make_plan(passes::run_passes(std::move(graph), exec::evaluate_constant));
      const exec::Program program(p, exec::active_table());
      best = std::min(best, cpu_seconds() - start);
    }
    return best;
  };
  std::size_t nodes = 0, more = 0;
  const double one = seconds(1350, nodes), eight = seconds(8 * 1350, more);
  EXPECT_NEAR(static_cast<double>(nodes), 16'000, 1'600);
  EXPECT_LT(one, 0.1) << nodes << " nodes";
  // 64 times where it is quadratic.
  EXPECT_LT(eight, 24 * one) << nodes << " nodes in " << one << " s, " << more << " in " << eight << " s";
}

}  // namespace
}  // namespace frit::test
