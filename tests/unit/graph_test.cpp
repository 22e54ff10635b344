// Graph: equal nodes are one, dtypes and roles follow from operands, and what an op does not take is a clear error.
#include "graph/graph.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "frit/error.hpp"
#include "ops/list.hpp"
#include "ops/table.hpp"
#include "support/random_graph.hpp"

namespace frit {
namespace {

template <class Op> NodeId add(Graph& graph, std::initializer_list<NodeId> operands) {
  return graph.add_op(ops::id_of<Op>, std::vector<NodeId>(operands));
}

struct GraphTest : testing::Test {
  Graph graph{DType::f64};
  NodeId x = graph.add_argument("x", DType::f64, Role::column);
  NodeId z = graph.add_argument("z", DType::c128, Role::column);
  NodeId p = graph.add_argument("p", DType::f64, Role::parameter);
  NodeId two = graph.add_constant(DType::f64, {2, 0});
};

TEST_F(GraphTest, EqualNodesAreOne) {
  const NodeId a = add<ops::Multiply>(graph, {x, z});
  const std::size_t size = graph.size();
  EXPECT_EQ(add<ops::Multiply>(graph, {x, z}), a);
  EXPECT_EQ(graph.add_constant(DType::f64, {2, 0}), two);
  EXPECT_EQ(graph.size(), size);
  EXPECT_NE(graph.add_constant(DType::c128, {2, 0}), two);
}

TEST_F(GraphTest, ConstantsAreEqualByTheirBits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(graph.add_constant(DType::f64, {0.0, 0}), graph.add_constant(DType::f64, {-0.0, 0}));
  EXPECT_EQ(graph.add_constant(DType::f64, {nan, 0}), graph.add_constant(DType::f64, {-nan, 0}));
  EXPECT_NE(graph.add_constant(DType::c128, {1, 0.0}), graph.add_constant(DType::c128, {1, -0.0}));
}

TEST_F(GraphTest, ConstantsOfAnF32GraphAreRoundedOnce) {
  Graph single(DType::f32);
  EXPECT_EQ(single.constant(single.add_constant(DType::f32, {0.1, 0})).re, static_cast<double>(0.1f));
}

TEST_F(GraphTest, CommutativeOpsHaveOneOrder) {
  for (int i = 0; i < op_count(); ++i) {
    const OpId op = static_cast<OpId>(i);
    const OpInfo& info = info_of(op);
    if (info.arity != 2 || info.type == TypeRule::logical || (forms_of(op) & 1u) == 0) continue;
    const std::array<NodeId, 2> one{x, p}, other{p, x};
    EXPECT_EQ(graph.add_op(op, one) == graph.add_op(op, other), info.commutative) << info.name;
  }
}

TEST_F(GraphTest, TheRoleIsTheLatestOfTheOperands) {
  EXPECT_EQ(graph.node(add<ops::Exp>(graph, {two})).role, Role::constant);
  EXPECT_EQ(graph.node(add<ops::Add>(graph, {two, p})).role, Role::parameter);
  EXPECT_EQ(graph.node(add<ops::Add>(graph, {p, x})).role, Role::column);
}

TEST_F(GraphTest, TheDtypeFollowsTheRuleOfTheOp) {
  const NodeId condition = add<ops::Less>(graph, {x, p});
  EXPECT_EQ(graph.node(condition).dtype, DType::boolean);
  EXPECT_EQ(graph.node(add<ops::Add>(graph, {x, p})).dtype, DType::f64);
  EXPECT_EQ(graph.node(add<ops::Add>(graph, {x, z})).dtype, DType::c128);
  EXPECT_EQ(graph.node(add<ops::Absolute>(graph, {z})).dtype, DType::f64);
  EXPECT_EQ(graph.node(add<ops::Cis>(graph, {x})).dtype, DType::c128);
  EXPECT_EQ(graph.node(add<ops::Select>(graph, {condition, x, p})).dtype, DType::f64);
  EXPECT_EQ(graph.node(add<ops::Select>(graph, {condition, z, z})).dtype, DType::c128);
}

ErrorCode code_of(const std::function<void()>& action, std::string& message) {
  try {
    action();
  } catch (const Error& error) {
    message = error.message();
    return error.code();
  }
  message = "no error";
  return ErrorCode::internal;
}

TEST_F(GraphTest, AnOpWithoutAComplexFormSaysSoAndWhatToDo) {
  std::string message;
  EXPECT_EQ(code_of([&] { add<ops::Atan2>(graph, {z, x}); }, message), ErrorCode::complex_op);
  EXPECT_EQ(message.find("atan2 does not take complex operands (c128, f64)"), 0u) << message;
  EXPECT_NE(message.find("re(...)"), std::string::npos) << message;
  EXPECT_EQ(code_of([&] { add<ops::Less>(graph, {x, z}); }, message), ErrorCode::complex_op);
  EXPECT_NE(message.find("(f64, c128)"), std::string::npos) << message;
}

TEST_F(GraphTest, WrongOperandsAreABugOfTheCaller) {
  std::string message;
  EXPECT_EQ(code_of([&] { add<ops::Add>(graph, {x}); }, message), ErrorCode::graph_invalid);
  EXPECT_EQ(message, "add takes 2 operands, not 1");
  const NodeId condition = add<ops::Less>(graph, {x, p});
  EXPECT_EQ(code_of([&] { add<ops::Add>(graph, {x, condition}); }, message), ErrorCode::graph_invalid);
  EXPECT_EQ(message, "add does not take operands of dtypes f64, bool");
  EXPECT_EQ(code_of([&] { add<ops::Not>(graph, {x}); }, message), ErrorCode::graph_invalid);
  EXPECT_EQ(code_of([&] { Graph of_integers(DType::i32); }, message), ErrorCode::graph_invalid);
}

TEST_F(GraphTest, VerifyNamesWhatIsWrong) {
  std::string message;
  EXPECT_EQ(code_of([&] { verify(graph); }, message), ErrorCode::graph_invalid);
  EXPECT_NE(message.find("at least one output"), std::string::npos) << message;
  graph.add_output("output", x);
  EXPECT_NO_THROW(verify(graph));
  graph.add_argument("p", DType::f64, Role::column);
  EXPECT_EQ(code_of([&] { verify(graph); }, message), ErrorCode::graph_invalid);
  EXPECT_NE(message.find("two arguments are named 'p'"), std::string::npos) << message;
}

TEST_F(GraphTest, VerifyFindsAnOutputThatDoesNotExistAndAConstantArgument) {
  std::string message;
  graph.add_output("output", 1000);
  EXPECT_EQ(code_of([&] { verify(graph); }, message), ErrorCode::graph_invalid);
  Graph other(DType::f64);
  other.add_output("output", other.add_argument("x", DType::f64, Role::constant));
  EXPECT_EQ(code_of([&] { verify(other); }, message), ErrorCode::graph_invalid);
  Graph narrow(DType::f64);
  narrow.add_output("output", narrow.add_argument("x", DType::f32, Role::column));
  EXPECT_EQ(code_of([&] { verify(narrow); }, message), ErrorCode::graph_invalid);
}

TEST(Graph, VerifyIsLinearInTheArguments) {
  Graph graph(DType::f64);
  NodeId last = no_node;
  for (int i = 0; i < 200'000; ++i)
    last = graph.add_argument("argument " + std::to_string(i), DType::f64, Role::column);
  graph.add_output("output", last);
  EXPECT_NO_THROW(verify(graph));  // 2 * 10^10 comparisons would run into the test's time limit
}

TEST(Graph, RandomGraphsAreValid) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Graph graph = test::random_graph(seed, seed % 2 == 0 ? DType::f64 : DType::f32);
    EXPECT_NO_THROW(verify(graph)) << seed;
    EXPECT_TRUE(equal(graph, graph));
  }
}

}  // namespace
}  // namespace frit
