// The text form: a graph and its text determine each other.
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "graph/graph.hpp"
#include "ops/list.hpp"
#include "support/cpu_clock.hpp"
#include "support/random_graph.hpp"
#include "trace/traced.hpp"

namespace frit {
namespace {

using trace::apply;
using trace::Traced;

void expect_round_trip(const Graph& graph) {
  const std::string text = print_graph(graph);
  const Graph back = parse_graph(text);
  EXPECT_TRUE(equal(graph, back)) << text;
  EXPECT_EQ(print_graph(back), text);
}

TEST(GraphText, IsWhatTheHeaderOfTextCppShows) {
  Graph graph(DType::f64);
  const NodeId m = graph.add_argument("m_{12}", DType::f64, Role::column);
  const Traced c(graph, graph.add_argument("c", DType::c128, Role::parameter));
  const Traced literal(graph, graph.add_constant(DType::c128, {3, -0.0}));
  const Traced flag(graph, graph.add_constant(DType::boolean, {1, 0}));
  const Traced product = c * literal;
  const Traced real = apply<ops::Select>(flag, apply<ops::Real>(product), Traced(graph, m));
  graph.add_output("output_0", product.id());
  graph.add_output("output \"1\"", real.id());
  EXPECT_EQ(print_graph(graph),
            "frit graph 1 f64\n"
            "%0 = argument \"m_{12}\" : f64 column\n"
            "%1 = argument \"c\" : c128 parameter\n"
            "%2 = constant (0x1.8p+1, -0x0p+0) : c128 constant\n"
            "%3 = constant true : bool constant\n"
            "%4 = multiply(%1, %2) : c128 parameter\n"
            "%5 = real(%4) : f64 parameter\n"
            "%6 = where(%3, %5, %0) : f64 column\n"
            "output \"output_0\" = %4\n"
            "output \"output \\\"1\\\"\" = %6\n");
  expect_round_trip(graph);
}

TEST(GraphText, EveryOpAndFormHasAText) {
  for (DType dtype : {DType::f32, DType::f64}) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) expect_round_trip(test::random_graph(seed, dtype, {.nodes = 40}));
  }
}

TEST(GraphText, ConstantsAreExact) {
  using L = std::numeric_limits<double>;
  Graph graph(DType::f64);
  std::uint64_t state = 1;
  NodeId last = no_node;
  for (double x : {0.0, -0.0, 1.0, -1.5, 0.1, L::denorm_min(), -L::min(), L::min() / 3, L::max(), L::infinity(),
                   -L::infinity(), L::quiet_NaN()})
    last = graph.add_constant(DType::f64, {x, 0});
  for (int i = 0; i < 5000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    last = graph.add_constant(DType::f64, {std::bit_cast<double>(state), 0});
    state = state * 6364136223846793005u + 1442695040888963407u;
    last = graph.add_constant(DType::c128,
                              {std::bit_cast<double>(state & 0x800fffffffffffffu), std::bit_cast<double>(state)});
  }
  graph.add_output("output", last);
  expect_round_trip(graph);
  const std::string text = print_graph(graph);
  for (const char* line : {"constant 0x0p+0 :", "constant -0x0p+0 :", "constant 0x1p+0 :", "constant -0x1.8p+0 :",
                           "constant 0x1.999999999999ap-4 :", "constant 0x1p-1074 :", "constant -0x1p-1022 :",
                           "constant 0x1.fffffffffffffp+1023 :", "constant inf :", "constant -inf :", "constant nan :"})
    EXPECT_NE(text.find(line), std::string::npos) << line;
}

TEST(GraphText, F32ConstantsAreExact) {
  using L = std::numeric_limits<float>;
  Graph graph(DType::f32);
  NodeId last = no_node;
  for (float x : {0.1f, L::denorm_min(), L::max(), -L::infinity()})
    last = graph.add_constant(DType::f32, {static_cast<double>(x), 0});
  graph.add_output("output", last);
  expect_round_trip(graph);
}

TEST(GraphText, NamesMayHoldAnyBytes) {
  Graph graph(DType::f64);
  std::string every_byte;
  for (int i = 0; i < 256; ++i) every_byte += static_cast<char>(i);
  NodeId last = no_node;
  for (const std::string& name :
       {std::string(R"(A^{\Lambda_{c}^{+} \to p "K"}_{-\frac{1}{2}})"), std::string(""), every_byte,
        std::string("m²₁₂ → αβ \U0001F600"), std::string("a\nb\tc"), std::string("half a sequence \xe2\x82"),
        std::string("overlong \xc0\xaf"), std::string("surrogate \xed\xa0\x80"), std::string("a zero \0 byte", 13)})
    last = graph.add_argument(name, DType::f64, Role::column);
  graph.add_output(every_byte, last);
  expect_round_trip(graph);
  const std::string text = print_graph(graph);
  EXPECT_NE(text.find("\"m²₁₂ → αβ \U0001F600\""), std::string::npos) << "UTF-8 is not escaped";
  EXPECT_NE(text.find("\"half a sequence \\xe2\\x82\""), std::string::npos) << text;
  EXPECT_NE(text.find(R"("A^{\\Lambda_{c}^{+} \\to p \"K\"}_{-\\frac{1}{2}}")"), std::string::npos) << text;
}

TEST(GraphText, TimeIsLinear) {
  const auto seconds = [](int nodes) {
    Graph graph(DType::f64);
    Traced x(graph, graph.add_argument("x", DType::f64, Role::column));
    const Traced y = x;
    for (int i = 0; i < nodes; ++i) x = apply<ops::Exp>(x) + y;
    graph.add_output("output", x.id());
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
      const double start = test::cpu_seconds();
      const Graph back = parse_graph(print_graph(graph));
      best = std::min(best, test::cpu_seconds() - start);
      EXPECT_EQ(back.size(), graph.size());
    }
    return best;
  };
  const double one = seconds(10'000), eight = seconds(80'000);
  EXPECT_LT(eight, 24 * one) << one << " s and " << eight << " s";  // 64 times where it is quadratic
}

}  // namespace
}  // namespace frit
