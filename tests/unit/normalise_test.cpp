// Expr -> Graph: each rewrite that normalise.hpp names, as the graph it gives.
#include "frontends/sympy/normalise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstring>

#include "exec/program.hpp"
#include "frit/error.hpp"
#include "frontends/sympy/reader.hpp"
#include "passes/passes.hpp"
#include "support/cpu_clock.hpp"
#include "support/graph_oracle.hpp"
#include "support/programs.hpp"

namespace frit {
namespace {

using test::Bytes;

// Symbols by their first letter: x y column, z w complex column, p q parameter, c d complex parameter.
Graph graph_of(std::string_view srepr, DType dtype = DType::f64) {
  const Expr expr = read_srepr(srepr);
  std::vector<sympy::SymbolBinding> bindings;
  for (std::size_t i = 0; i < expr.symbol_count(); ++i) {
    const char first = expr.symbol_name_at(i)[0];
    bindings.push_back({std::strchr("pqcd", first) != nullptr ? Role::parameter : Role::column,
                        std::strchr("zwcd", first) != nullptr});
  }
  Graph graph = passes::drop_dead_nodes(sympy::normalise(expr, bindings, dtype));
  verify(graph);
  return graph;
}

// The nodes as nested calls: what the first output computes. Constants as numbers, operands of commutative ops in the order
// of their texts.
std::string shown(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.kind == NodeKind::argument) return graph.arguments()[graph.argument_index(id)].name;
  if (node.kind == NodeKind::constant) {
    const ConstantValue& v = graph.constant(id);
    char text[64];
    if (node.dtype == DType::boolean) return v.re != 0 ? "true" : "false";
    std::snprintf(text, sizeof text, is_complex(node.dtype) ? "(%.17g,%.17g)" : "%.17g", v.re, v.im);
    return text;
  }
  std::vector<std::string> operands;
  for (NodeId operand : graph.operands(id)) operands.push_back(shown(graph, operand));
  if (info_of(node.op).commutative) std::sort(operands.begin(), operands.end());
  std::string text = std::string(info_of(node.op).name) + "(";
  for (std::size_t i = 0; i < operands.size(); ++i) text += (i == 0 ? "" : ", ") + operands[i];
  return text + ")";
}
std::string shown(const Graph& graph) { return shown(graph, graph.outputs()[0].node); }
std::string shown(std::string_view srepr) { return shown(graph_of(srepr)); }

std::size_t ops_in(const Graph& graph) {
  std::size_t count = 0;
  for (NodeId id = 0; id < graph.size(); ++id) count += graph.node(id).kind == NodeKind::op;
  return count;
}

#define X "Symbol('x')"
#define Y "Symbol('y')"
#define Z "Symbol('z')"
#define W "Symbol('w')"
#define P "Symbol('p')"
#define Q "Symbol('q')"
#define C "Symbol('c')"
#define I "I"

TEST(Normalise, PrintsAsAGraph) {
  EXPECT_EQ(print_graph(graph_of("Add(Mul(Integer(2), " P ", " X "), Rational(1, 3))")),
            "frit graph 1 f64\n"
            "%0 = argument \"p\" : f64 parameter\n"
            "%1 = argument \"x\" : f64 column\n"
            "%2 = constant 0x1p+1 : f64 constant\n"
            "%3 = multiply(%0, %2) : f64 parameter\n"
            "%4 = multiply(%1, %3) : f64 column\n"
            "%5 = constant 0x1.5555555555555p-2 : f64 constant\n"
            "%6 = add(%4, %5) : f64 column\n"
            "output \"output\" = %6\n");
}

struct Row {
  const char* srepr;
  const char* graph;
};

void expect_rows(std::initializer_list<Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(shown(row.srepr), row.graph) << row.srepr;
}

TEST(Normalise, Roles) {
  expect_rows({
      {"Mul(" X ", " P ", " Y ", Integer(3), " Q ")", "multiply(multiply(3, multiply(p, q)), multiply(x, y))"},
      {"Mul(" P ", " X ", " Y ", " Q ", Integer(3))", "multiply(multiply(3, multiply(p, q)), multiply(x, y))"},
      {"Add(" X ", " P ", " Y ", Integer(3), " Q ")", "add(add(3, add(p, q)), add(x, y))"},
      {"Add(Integer(3), " Q ", " Y ", " P ", " X ")", "add(add(3, add(p, q)), add(x, y))"},
      {"Mul(" Z ", " X ", " C ")", "multiply(c, multiply(x, z))"},
  });
}

TEST(Normalise, GroupingDependsOnRolesOnly) {
  // The value of the parameters is never looked at, and a literal 1 or 0 written as another number groups as any other.
  const auto structure = [](const char* number) {
    return ops_in(graph_of(std::string("Add(Mul(") + number + ", " X ", " P "), Mul(" Y ", " P "))"));
  };
  EXPECT_EQ(structure("Integer(3)"), structure("Float('0.0')"));
  EXPECT_EQ(structure("Integer(3)"), structure("Integer(7)"));
}

TEST(Normalise, QuarterTurn) {
  expect_rows({
      {"Mul(" I ", " X ")", "times_i(x)"},
      {"Mul(Integer(-1), " X ")", "negate(x)"},
      {"Mul(Integer(-1), " I ", " Z ")", "times_i(negate(z))"},
      {"Mul(" I ", " I ", " X ")", "negate(x)"},
      {"Add(" X ", Mul(Integer(-1), " Y "))", "subtract(x, y)"},
      {"Add(Mul(Integer(-1), " X "), Mul(Integer(-1), " Y "))", "negate(add(x, y))"},
      {"Mul(Integer(-2), " X ")", "negate(multiply(2, x))"},
      {"Pow(Mul(" I ", " X "), Integer(2))", "negate(multiply(x, x))"},
      {"Pow(Mul(" I ", " X "), Integer(-1))", "times_i(negate(reciprocal(x)))"},
      {"conjugate(Mul(" I ", " X "))", "times_i(negate(x))"},
      {"Abs(Mul(" I ", " Z "))", "abs(z)"},
      {"re(Mul(" I ", " X "))", "0"},
      {"im(Mul(" I ", " X "))", "x"},
  });
}

TEST(Normalise, Parts) {
  expect_rows({
      {"Add(" X ", Mul(" I ", " Y "))", "complex(x, y)"},
      {"Add(" X ", Mul(Integer(-1), " I ", " Y "))", "complex(x, negate(y))"},
      {"Add(" Z ", Mul(" I ", " Y "))", "complex(real(z), add(imag(z), y))"},
      {"Add(" Z ", " X ")", "add(x, z)"},
      {"Add(" Z ", Mul(" I ", " W "))", "add(times_i(w), z)"},
  });
}

TEST(Normalise, IntegerPowers) {
  expect_rows({
      {"Pow(" X ", Integer(2))", "multiply(x, x)"},
      {"Pow(" X ", Integer(3))", "multiply(multiply(x, x), x)"},
      {"Pow(" X ", Integer(4))", "multiply(multiply(x, x), multiply(x, x))"},
      {"Pow(" X ", Integer(-2))", "reciprocal(multiply(x, x))"},
      {"Pow(" X ", Integer(0))", "1"},
      {"Pow(" X ", Integer(1))", "x"},
      {"Pow(" X ", Float('2.0'))", "multiply(x, x)"},
      {"Pow(" X ", Integer(17))", "pow(x, 17)"},
      {"Pow(" X ", Integer(-17))", "pow(x, negate(17))"},
      {"Pow(" X ", " P ")", "pow(x, p)"},
      {"Pow(Integer(-2), " X ")", "pow(complex(negate(2), 0), x)"},
      {"Pow(Integer(-2), Integer(17))", "pow(negate(2), 17)"},
  });
  // x^6 is x^2 * x^4: one square fewer than its own chain, where x^4 stands too.
  EXPECT_EQ(ops_in(graph_of("Add(Pow(" X ", Integer(6)), Pow(" X ", Integer(4)))")), 4u);
  EXPECT_EQ(ops_in(graph_of("Pow(" X ", Integer(16))")), 4u);
}

// Beyond the chains, to the ends of 64 bits: the general power.
TEST(Normalise, LargeIntegerPowers) {
  for (const char* n : {"17", "-17", "9223372036854775807", "-9223372036854775807", "-9223372036854775808"})
    EXPECT_EQ(shown(std::string("Pow(" X ", Integer(") + n + "))").substr(0, 4), "pow(") << n;
}

TEST(Normalise, HalfPowers) {
  expect_rows({
      {"Pow(" X ", Rational(1, 2))", "sqrt(x)"},
      {"Pow(" X ", Float('0.5'))", "sqrt(x)"},
      {"Pow(" X ", Rational(3, 2))", "multiply(sqrt(x), x)"},
      {"Pow(" X ", Rational(-1, 2))", "reciprocal(sqrt(x))"},
      {"Pow(" X ", Rational(33, 2))", "pow(x, 16.5)"},
      {"Pow(" X ", Rational(1, 3))", "pow(x, 0.33333333333333331)"},
      {"Pow(Mul(Integer(-1), " X "), Rational(1, 2))", "sqrt(negate(x))"},
  });
}

TEST(Normalise, RootsAndLogarithmsOfNegativeLiteralsAreComplex) {
  expect_rows({
      {"Pow(Integer(-2), Rational(1, 2))", "sqrt(complex(negate(2), 0))"},
      {"sqrt(Integer(-2))", "sqrt(complex(negate(2), 0))"},
      {"log(Integer(-2))", "log(complex(negate(2), 0))"},
      {"Pow(Integer(-2), Rational(1, 3))", "pow(complex(negate(2), 0), 0.33333333333333331)"},
      {"log(Mul(Integer(-1), " X "))", "log(negate(x))"},
      {"sqrt(" X ")", "sqrt(x)"},
  });
}

TEST(Normalise, Reciprocals) {
  expect_rows({
      {"Mul(" X ", Pow(" Y ", Integer(-1)))", "divide(x, y)"},
      {"Mul(" X ", Pow(" Y ", Integer(-2)))", "divide(x, multiply(y, y))"},
      {"Mul(" X ", Pow(" Y ", Rational(-1, 2)))", "divide(x, sqrt(y))"},
      {"Mul(Pow(" X ", Integer(-1)), Pow(" Y ", Integer(-1)))", "reciprocal(multiply(x, y))"},
  });
  // Used twice: one division, two products.
  const Graph shared = graph_of("Add(Mul(" X ", Pow(" Y ", Integer(-1))), Mul(" P ", Pow(" Y ", Integer(-1))))");
  EXPECT_EQ(shown(shared), "add(multiply(p, reciprocal(y)), multiply(reciprocal(y), x))") << shown(shared);
  EXPECT_EQ(ops_in(shared), 4u);
}

// Breit-Wigner terms come in both writings, and with their conjugates: one reciprocal.
TEST(Normalise, ReciprocalsOfOneNumberUpToSigns) {
  const auto reciprocals = [](std::string_view srepr) {
    const Graph graph = graph_of(srepr);
    int count = 0;
    for (NodeId id = 0; id < graph.size(); ++id)
      count += graph.node(id).kind == NodeKind::op && graph.node(id).op == ops::id_of<ops::Reciprocal>;
    return count;
  };
  const std::string forward = "Pow(Add(" P ", Mul(Integer(-1), " X "), Mul(Integer(-1), I, " Y ")), Integer(-1))";
  const std::string minus = "Pow(Add(" X ", Mul(Integer(-1), " P "), Mul(I, " Y ")), Integer(-1))";
  const std::string conjugate = "Pow(Add(" P ", Mul(Integer(-1), " X "), Mul(I, " Y ")), Integer(-1))";
  const std::string minus_conjugate =
      "Pow(Add(" X ", Mul(Integer(-1), " P "), Mul(Integer(-1), I, " Y ")), Integer(-1))";
  EXPECT_EQ(reciprocals("List(" + forward + ", " + minus + ", " + conjugate + ", " + minus_conjugate + ")"), 1);
  EXPECT_EQ(reciprocals("List(" + forward + ", Pow(Add(" X ", I), Integer(-1)))"), 2);
  // Each with its value.
  for (const std::string& one : {forward, minus, conjugate, minus_conjugate}) {
    const Graph alone = graph_of("List(" + one + ")");
    const Graph both = graph_of("List(" + one + ", " + forward + ", " + minus_conjugate + ")");
    const Graph late = graph_of("List(" + forward + ", " + minus_conjugate + ", " + one + ")");
    const auto values = [](const Graph& graph, std::size_t output) {
      const double x = 0.3, y = 0.7;
      std::vector<Bytes> columns;
      std::vector<std::complex<double>> scalars;
      for (const GraphArgument& argument : graph.arguments()) {
        const double value = argument.name[0] == 'x' ? x : argument.name[0] == 'y' ? y : 1.25;
        if (argument.role == Role::column)
          columns.push_back(test::bytes_of<double>(std::vector<double>{value}));
        else
          scalars.emplace_back(value);
      }
      const exec::Program program(plan::make_plan(graph), exec::active_table());
      return test::run(program, columns, scalars, 1)[output];
    };
    EXPECT_EQ(values(alone, 0), values(late, 2)) << one;
    EXPECT_EQ(values(alone, 0), values(both, 0)) << one;
  }
}

TEST(Normalise, FusedSums) {
  EXPECT_EQ(shown("Add(Mul(" C ", " Z "), Mul(Symbol('d'), " W "))"), "multiply_add(d, w, multiply(c, z))");
  EXPECT_EQ(shown("Add(Mul(" C ", " Z "), Mul(Integer(-1), Symbol('d'), " W "))"),
            "multiply_subtract(d, w, multiply(c, z))");
  // Not real ones: the difference of equal products is zero.
  EXPECT_EQ(shown("Add(Mul(" X ", " Y "), Mul(" P ", " X "))"), "add(multiply(p, x), multiply(x, y))");
}

TEST(Normalise, AbsoluteSquares) {
  const char* const square = "add(multiply(imag(z), imag(z)), multiply(real(z), real(z)))";
  EXPECT_EQ(shown("Pow(Abs(" Z "), Integer(2))"), square);
  EXPECT_EQ(shown("Mul(" Z ", conjugate(" Z "))"), square);
  EXPECT_EQ(shown("Mul(conjugate(" Z "), " Z ")"), square);
  EXPECT_EQ(shown("Mul(" X ", Pow(Abs(" Z "), Integer(-2)))"), std::string("divide(x, ") + square + ")");
  EXPECT_EQ(shown("Pow(Abs(" Z "), Integer(4))"), std::string("multiply(") + square + ", " + square + ")");
  EXPECT_EQ(shown("Pow(Abs(" X "), Integer(2))"), "multiply(x, x)");
  EXPECT_EQ(shown("Pow(Abs(" Z "), Integer(3))"), "multiply(abs(z), multiply(abs(z), abs(z)))");
  EXPECT_EQ(graph_of("Mul(" Z ", " W ", conjugate(" Z "), conjugate(" W "))").node(7).dtype, DType::f64);
}

TEST(Normalise, Cis) {
  expect_rows({
      {"exp(Mul(" I ", " X "))", "cis(x)"},
      {"exp(Mul(Integer(-1), " I ", " X "))", "conj(cis(x))"},
      {"Pow(E, Mul(" I ", " X "))", "cis(x)"},
      {"exp(Mul(" I ", " Z "))", "exp(times_i(z))"},
      {"exp(Mul(Integer(-1), " X "))", "exp(negate(x))"},
      {"exp(" X ")", "exp(x)"},
  });
}

#define PAIR(value, condition) "ExprCondPair(" value ", " condition ")"
TEST(Normalise, Piecewise) {
  expect_rows({
      {"Piecewise(" PAIR(X, "StrictLessThan(" X ", Integer(0))") ", " PAIR(Y, "true") ")", "where(less(x, 0), x, y)"},
      {"Piecewise(" PAIR(X, "StrictLessThan(" X ", Integer(0))") ")", "where(less(x, 0), x, nan)"},
      {"Piecewise(" PAIR(Z, "false") ", " PAIR(X, "true") ")", "x"},
      {"Piecewise(" PAIR(X, "true") ", " PAIR(Z, "StrictLessThan(" X ", Integer(0))") ")", "x"},
      {"Piecewise(" PAIR(Z, "StrictLessThan(" X ", Integer(0))") ", " PAIR(X, "true") ")",
       "where(less(x, 0), z, complex(x, 0))"},
      {"Piecewise(" PAIR(Z, "StrictLessThan(" X ", Integer(0))") ")", "where(less(x, 0), z, complex(nan, nan))"},
      {"Piecewise(" PAIR(X, "And(StrictLessThan(" X ", Integer(0)), Not(Equality(" Y ", Integer(1))))") ", " PAIR(
           Y, "true") ")",
       "where(logical_and(less(x, 0), logical_not(equal(1, y))), x, y)"},
  });
  EXPECT_EQ(shown("Piecewise(" PAIR(X, "false") ")"), "nan");
}

TEST(Normalise, SymbolsOfDroppedBranchesAreNoArguments) {
  const Graph graph = graph_of("Piecewise(" PAIR("Pow(" Z ", Rational(1, 2))", "false") ", " PAIR(X, "true") ")");
  ASSERT_EQ(graph.arguments().size(), 1u);
  EXPECT_EQ(graph.arguments()[0].name, "x");
  EXPECT_EQ(graph.node(graph.outputs()[0].node).dtype, DType::f64);
}

TEST(Normalise, VariadicOpsFoldFromTheLeft) {
  EXPECT_EQ(shown("Max(" X ", " Y ", " P ")"), "maximum(maximum(x, y), p)");
}

TEST(Normalise, OutputsAreNamed) {
  EXPECT_EQ(graph_of(X).outputs()[0].name, "output");
  EXPECT_EQ(graph_of("Tuple(" X ")").outputs()[0].name, "output");
  const Graph two = graph_of("Tuple(" X ", Mul(Integer(-1), " Y "))");
  EXPECT_EQ(two.outputs()[0].name, "output_0");
  EXPECT_EQ(two.outputs()[1].name, "output_1");
}

TEST(Normalise, LiteralsAreRoundedOnce) {
  // Half an ulp above 1 in f32, and a little more: rounding through f64 would give 1.
  const Graph graph = graph_of("Rational(100000005960464477540, 100000000000000000000)", DType::f32);
  EXPECT_EQ(graph.constant(graph.outputs()[0].node).re, 0x1.000002p0);
  EXPECT_EQ(shown("pi"), "3.1415926535897931");
}

ErrorCode code_of(std::string_view srepr) {
  try {
    (void)graph_of(srepr);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(Normalise, Errors) {
  EXPECT_EQ(code_of("atan2(" Z ", " X ")"), ErrorCode::complex_op);
  EXPECT_EQ(code_of("StrictLessThan(" Z ", " X ")"), ErrorCode::complex_op);
  EXPECT_EQ(code_of("Add(" X ", StrictLessThan(" X ", " Y "))"), ErrorCode::sympy_argument);
  EXPECT_EQ(code_of("Piecewise(" PAIR(X, X) ")"), ErrorCode::sympy_argument);
  EXPECT_EQ(code_of("zoo"), ErrorCode::sympy_unsupported);
}

// The value that the rewrites keep: compared with the plain formula in long double.
TEST(Normalise, KeepsTheValue) {
  const Graph graph = graph_of("Add(Mul(" X ", Pow(" Y ", Rational(-3, 2))), Mul(Integer(-1), Pow(" X
                               ", Integer(5))), Mul(" P ", Pow(Add(" X ", " Y "), Integer(-1))))");
  const std::vector<double> x{0.5, 1.25, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  std::vector<double> y;
  for (double e : x) y.push_back(e + 0.75);
  std::vector<Bytes> columns;
  for (const GraphArgument& a : graph.arguments()) {
    if (a.role == Role::column) columns.push_back(test::bytes_of<double>(a.name == "x" ? x : y));
  }
  const std::vector<std::complex<double>> parameters{0.375};
  const auto image = test::oracle_outputs<double>(graph, exec::active_table(), columns, parameters, x.size())[0];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double a = x[i], b = y[i];
    const long double want = a * powl(b, -1.5L) - a * a * a * a * a + 0.375L / (a + b);
    EXPECT_NEAR(test::read_as<double>(&image[8 * i]), static_cast<double>(want),
                1e-14 * std::abs(static_cast<double>(want)));
  }
}

TEST(Normalise, LongSumsAndProductsTakeLinearTime) {
  const auto seconds = [](int factors) {
    std::string text = "Mul(conjugate(" Z "), ";
    for (int i = 0; i < factors; ++i) text += (i == 0 ? "" : ", ") + ("Symbol('x" + std::to_string(i)) + "')";
    const Expr expr = read_srepr(text + ", " Z ")");
    std::vector<sympy::SymbolBinding> bindings(expr.symbol_count());
    for (std::size_t i = 0; i < bindings.size(); ++i) bindings[i].complex = expr.symbol_name_at(i) == "z";
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
      const double start = test::cpu_seconds();
      (void)sympy::normalise(expr, bindings, DType::f64);
      best = std::min(best, test::cpu_seconds() - start);
    }
    return best;
  };
  const double one = seconds(40'000), eight = seconds(320'000);
  EXPECT_LT(eight, 24 * one) << one << " s and " << eight << " s";  // 64 times where it is quadratic
}

}  // namespace
}  // namespace frit
