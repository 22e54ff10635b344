#include "frontends/sympy/reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "ops/table.hpp"

namespace {

using frit::Expr;
using frit::ExprId;
using frit::ExprKind;
using frit::read_srepr;

// As Python's repr for text without control characters.
std::string quoted(std::string_view name) {
  const bool single = name.find('\'') != std::string_view::npos;
  const char quote = single && name.find('"') == std::string_view::npos ? '"' : '\'';
  std::string result(1, quote);
  for (const char c : name) {
    if (c == quote || c == '\\') result += '\\';
    result += c;
  }
  return result + quote;
}

// What sympy.srepr would write, but for the precision of a Float, which an Expr does not keep.
void print(const Expr& e, ExprId id, std::string& out) {
  const frit::ExprNode& n = e.node(id);
  const auto list = [&](std::string_view open, std::size_t first, std::size_t count, std::string_view close) {
    out += open;
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) out += ", ";
      print(e, e.operands(id)[first + i], out);
    }
    out += close;
  };
  switch (n.kind) {
    case ExprKind::number: {
      const std::string text = e.number(id).text();
      const std::size_t slash = text.find('/');
      if (e.number(id).kind() == frit::ExactNumber::Kind::decimal) {
        out += "Float('" + text + "')";
      } else if (slash != std::string::npos) {
        out += "Rational(" + text.substr(0, slash) + ", " + text.substr(slash + 1) + ")";
      } else {
        out += "Integer(" + text + ")";
      }
      break;
    }
    case ExprKind::constant: {
      constexpr const char* names[] = {"pi", "E", "I", "oo", "-oo", "zoo", "nan"};
      out += names[n.payload];
      break;
    }
    case ExprKind::boolean: out += n.payload == 1 ? "true" : "false"; break;
    case ExprKind::symbol: {
      const std::string_view key = e.symbol_key(id);
      out += key.find("dummy_index") != std::string_view::npos ? "Dummy(" : "Symbol(";
      out += quoted(e.symbol_name(id));
      if (!key.empty()) out += ", " + std::string(key);
      out += ")";
      break;
    }
    case ExprKind::add: list("Add(", 0, n.count, ")"); break;
    case ExprKind::multiply: list("Mul(", 0, n.count, ")"); break;
    case ExprKind::power: list("Pow(", 0, n.count, ")"); break;
    case ExprKind::piecewise:
      out += "Piecewise(";
      for (std::size_t i = 0; i < n.count; i += 2) list(i == 0 ? "ExprCondPair(" : ", ExprCondPair(", i, 2, ")");
      out += ")";
      break;
    case ExprKind::call: list(frit::info_of(n.op).sympy + std::string("("), 0, n.count, ")"); break;
    case ExprKind::tuple: list("[", 0, n.count, "]"); break;
  }
}

std::string srepr(const Expr& e) {
  std::string out;
  print(e, e.root(), out);
  return out;
}

std::string round_trip(std::string_view text) { return srepr(read_srepr(text)); }

std::string file_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(SympyReader, TextOfSreprComesBack) {
  for (const char* text : {
           "Symbol('x')",
           "Symbol('J/\\\\psi, [1] {a b} (x)')",
           "Symbol(\"a'b\")",
           "Symbol('a\"b\\'c')",
           "Symbol('α β')",
           "Symbol('')",
           "Symbol('x', real=True)",
           "Dummy('x', dummy_index=17)",
           "Dummy('x', dummy_index=17, real=True)",
           "Integer(0)",
           "Integer(-1)",
           "Integer(127)",
           "Integer(-128)",
           "Integer(1000)",
           "Integer(10000000000000000000000000000000000000000)",
           "Rational(1, 2)",
           "Rational(-22, 7)",
           "Rational(1, 10000000000000000000000000000000000000000)",
           "Float('0.1')",
           "pi",
           "E",
           "I",
           "oo",
           "-oo",
           "zoo",
           "nan",
           "true",
           "Add(Symbol('x'), Mul(Integer(-1), Symbol('y')))",
           "Pow(Symbol('x'), Symbol('y'))",
           "exp(log(sqrt(sin(cos(tan(asin(acos(atan(Symbol('x'))))))))))",
           "atan2(Symbol('y'), Symbol('x'))",
           "Abs(sign(conjugate(re(im(arg(Symbol('z')))))))",
           "Min(Integer(1), Symbol('x'), Mul(Integer(2), Symbol('x')))",
           "Max(Integer(1), Symbol('x'))",
           "Mul(-oo, Symbol('x'))",
           "[Symbol('x'), StrictLessThan(Symbol('x'), Integer(1))]",
           "Piecewise(ExprCondPair(Symbol('x'), StrictLessThan(Symbol('x'), Integer(1))), ExprCondPair(Integer(2), "
           "true))",
           "Piecewise(ExprCondPair(Integer(1), And(StrictGreaterThan(Symbol('x'), Integer(0)), LessThan(Symbol('x'), "
           "Integer(3)), Unequality(Symbol('x'), Integer(2)))), ExprCondPair(Integer(2), Or(GreaterThan(Symbol('x'), "
           "Integer(5)), Not(Equality(Symbol('x'), Integer(4))))), ExprCondPair(nan, true))",
       }) {
    EXPECT_EQ(round_trip(text), text);
  }
}

TEST(SympyReader, OtherFormsMeanTheSame) {
  const std::pair<const char*, const char*> cases[] = {
      {"Add()", "Integer(0)"},
      {"Mul()", "Integer(1)"},
      {"Add(Symbol('x'))", "Symbol('x')"},
      {"Mul(Symbol('x'))", "Symbol('x')"},
      {"Min(Symbol('x'))", "Symbol('x')"},
      {"And()", "true"},
      {"Or()", "false"},
      {"And(StrictLessThan(Symbol('x'), 1))", "StrictLessThan(Symbol('x'), Integer(1))"},
      {"S.Half", "Rational(1, 2)"},
      {"S . NegativeOne", "Integer(-1)"},
      {"S.Exp1", "E"},
      {"S.ImaginaryUnit", "I"},
      {"S.NegativeInfinity", "-oo"},
      {"ComplexInfinity", "zoo"},
      {"True", "true"},
      {"BooleanFalse", "false"},
      {"Integer(+5)", "Integer(5)"},
      {"Integer( -007 )", "Integer(-7)"},
      {"Rational(4, -6)", "Rational(-2, 3)"},
      {"Rational(8, 2)", "Integer(4)"},
      {"Rational(3)", "Integer(3)"},
      {"Float('1.5', precision=53)", "Float('1.5')"},
      {"Float('1.50', 15)", "Float('1.5')"},
      {"Float(1.5, dps=15)", "Float('1.5')"},
      {"Float('inf')", "oo"},
      {"Float('-inf', precision=53)", "-oo"},
      {"Float('nan')", "nan"},
      {"Symbol('x', positive=True, integer=None, commutative=True)", "Symbol('x', positive=True)"},
      {"Symbol('x', real=True, finite=False)", "Symbol('x', finite=False, real=True)"},
      {"Symbol('\\x41\\u03b1\\U0001F600\\101\\t')", "Symbol('Aα😀A\t')"},
      {"Symbol(\"\\\"\\'\")", "Symbol('\"\\'')"},
      {" Add ( Symbol( 'x' ) ,\n\tInteger( 2 ) , ) ", "Add(Symbol('x'), Integer(2))"},
      {"((Add((Symbol('x')), 2)))", "Add(Symbol('x'), Integer(2))"},
      {"Pow(Symbol('x'), -2)", "Pow(Symbol('x'), Integer(-2))"},
      {"[1.5, 2, -3e2]", "[Float('1.5'), Integer(2), Float('-300.0')]"},
      {"log(Symbol('x'), Integer(2))", "Mul(log(Symbol('x')), Pow(log(Integer(2)), Integer(-1)))"},
      {"Piecewise((Symbol('x'), StrictLessThan(Symbol('x'), 1)), (2, True))",
       "Piecewise(ExprCondPair(Symbol('x'), StrictLessThan(Symbol('x'), Integer(1))), ExprCondPair(Integer(2), true))"},
      {"(Symbol('x'),)", "[Symbol('x')]"},
      {"Tuple(Symbol('x'), Integer(1))", "[Symbol('x'), Integer(1)]"},
      {"List(Symbol('x'))", "[Symbol('x')]"},
      {"[Symbol('x'), [Symbol('y'), (Symbol('z'), 1)]]", "[Symbol('x'), Symbol('y'), Symbol('z'), Integer(1)]"},
      {"MutableDenseMatrix([[Symbol('x'), Integer(1)], [Integer(2), Symbol('y')]])",
       "[Symbol('x'), Integer(1), Integer(2), Symbol('y')]"},
      {"ImmutableDenseMatrix([Symbol('x'), Integer(1)])", "[Symbol('x'), Integer(1)]"},
      {"Matrix(1, 2, [Symbol('x'), Integer(1)])", "[Symbol('x'), Integer(1)]"},
      {"[ImmutableMatrix([[Symbol('x')]]), Symbol('y')]", "[Symbol('x'), Symbol('y')]"},
      {"\xef\xbb\xbfSymbol('x')\n", "Symbol('x')"},
      // Nested outputs that resemble a result of cse but are none.
      {"([(Symbol('x'), 1)],)", "[Symbol('x'), Integer(1)]"},
      {"([(Symbol('x'), 1, 2)], [Symbol('x')])", "[Symbol('x'), Integer(1), Integer(2), Symbol('x')]"},
      {"([(1, Symbol('x'))], [Symbol('x')])", "[Integer(1), Symbol('x'), Symbol('x')]"},
      {"([(Symbol('x'), 1)], Symbol('x'))", "[Symbol('x'), Integer(1), Symbol('x')]"},
      {"([], [Symbol('x')])", "[Symbol('x')]"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(round_trip(text), expected) << text;
}

TEST(SympyReader, EqualSubexpressionsAreOneNode) {
  const Expr e =
      read_srepr("Add(Pow(sin(Symbol('x')), Integer(2)), Mul(Integer(2), sin(Symbol( 'x' ))), sin(Symbol(\"x\")))");
  EXPECT_EQ(e.size(), 6u);  // x, sin, 2, Pow, Mul, Add
  EXPECT_EQ(e.symbol_count(), 1u);
}

TEST(SympyReader, SymbolsOfACseResultAreReplaced) {
  const Expr e = read_srepr(
      "([(Symbol('x0'), sin(Symbol('x'))), (Symbol('x1'), Pow(Symbol('x0'), Integer(2))), (Symbol('x2'), "
      "StrictLessThan(Symbol('x1'), Integer(1)))], [Add(Symbol('x1'), Symbol('x0')), Piecewise((Symbol('x1'), "
      "Symbol('x2')), (1, True))])");
  EXPECT_EQ(
      srepr(e),
      "[Add(Pow(sin(Symbol('x')), Integer(2)), sin(Symbol('x'))), Piecewise(ExprCondPair(Pow(sin(Symbol('x')), "
      "Integer(2)), StrictLessThan(Pow(sin(Symbol('x')), Integer(2)), Integer(1))), ExprCondPair(Integer(1), true))]");
  EXPECT_EQ(e.symbol_count(), 1u);
  EXPECT_EQ(e.output_count(), 2u);
  EXPECT_EQ(round_trip("([(Symbol('x0'), sin(Symbol('x')))], [MutableDenseMatrix([[Symbol('x0')], [Add(Symbol('x0'), "
                       "Integer(1))]])])"),
            "[sin(Symbol('x')), Add(sin(Symbol('x')), Integer(1))]");
  EXPECT_EQ(round_trip("[[[Dummy('t', dummy_index=3), Symbol('x')]], [Dummy('t', dummy_index=3)]]"), "[Symbol('x')]");
  // The replaced symbol is gone, so a free one of its name and other assumptions is not ambiguous.
  EXPECT_EQ(round_trip("([(Symbol('x', real=True), Symbol('x'))], [Symbol('x', real=True)])"), "[Symbol('x')]");
}

TEST(SympyReader, FloatOf53BitsIsItsDouble) {
  // 1 + 2^-24 lies halfway between two floats; its 17 digits, as srepr writes them, lie above.
  const Expr tie = read_srepr("Float('1.0000000596046448', precision=53)");
  EXPECT_EQ(tie.number(tie.root()).to_f64(), 1 + 0x1p-24);
  EXPECT_EQ(tie.number(tie.root()).to_f32(), 1.0f);
  const Expr precise = read_srepr("Float('1.00000005960464480000000000000000', precision=103)");
  EXPECT_EQ(precise.number(precise.root()).to_f32(), 1.0f + 0x1p-23f);
  const Expr tenth = read_srepr("Float('0.10000000000000001', precision=53)");
  EXPECT_EQ(tenth.number(tenth.root()).to_f64(), 0.1);
  const Expr long_one = read_srepr("Float('3.14159265358979323846264338327950288', precision=120)");
  EXPECT_EQ(long_one.number(long_one.root()).text(), "3.14159265358979323846264338327950288");
}

TEST(SympyReader, DepthCostsNoStack) {
  constexpr int depth = 200'000;
  std::string text;
  for (int i = 0; i < depth; ++i) text += "sin(";
  text += "Symbol('x')";
  text.append(depth, ')');
  const Expr e = read_srepr(text);
  EXPECT_EQ(e.size(), depth + 1u);
  EXPECT_EQ(e.root(), static_cast<ExprId>(depth));
  std::string sum;
  for (int i = 0; i < depth; ++i) sum += "Add(Symbol('x'), ";
  sum += "Integer(1)";
  sum.append(depth, ')');
  EXPECT_EQ(read_srepr(sum).size(), depth + 2u);
}

TEST(SympyReader, MemoryFollowsTheText) {
  std::string text = "Add(Integer(0)";
  for (int i = 1; i < 200'000; ++i)
    text += ", Mul(Integer(" + std::to_string(i) + "), Symbol('x" + std::to_string(i) + "'))";
  text += ")";
  const Expr e = read_srepr(text);
  EXPECT_EQ(e.symbol_count(), 199'999u);
  EXPECT_LT(e.bytes(), 5 * text.size());  // with what the vectors have to spare
}

struct Model {
  const char* name;
  std::size_t nodes;
  std::size_t symbols;
  std::size_t outputs;
};

// Distinct nodes as read. SymPy counts more where srepr splits a rational coefficient (-1/2 is written -1 times 1/2)
// and for the pairs of a Piecewise; a list of outputs is a node here.
constexpr Model models[] = {
    {"jpsi-2f0", 101, 13, 1}, {"jpsi-6f0", 191, 26, 1},        {"jpsi-kinematics", 130, 12, 8}, {"kmatrix", 242, 21, 1},
    {"lc2pkpi", 906, 93, 1},  {"kmatrix-complex", 242, 21, 1}, {"simple-fit", 37, 10, 1},
};

TEST(SympyReader, ModelsComeBackToTheLetter) {
  std::vector<std::filesystem::path> folders = {std::filesystem::path(FRIT_SOURCE_DIR) / "examples" / "models"};
  if (const char* more = std::getenv("FRIT_MODELS")) folders.emplace_back(more);
  int read = 0;
  for (const auto& folder : folders) {
    for (const Model& model : models) {
      const auto path = folder / model.name / "model.srepr";
      if (!std::filesystem::exists(path)) continue;
      ++read;
      const Expr e = frit::read_srepr_file(path.string());
      EXPECT_EQ(e.size(), model.nodes) << path;
      EXPECT_EQ(e.symbol_count(), model.symbols) << path;
      EXPECT_EQ(e.output_count(), model.outputs) << path;
      std::string text = file_text(path);
      while (!text.empty() && text.back() == '\n') text.pop_back();
      EXPECT_TRUE(srepr(e) == text) << path;
    }
  }
  EXPECT_GE(read, 4);
}

}  // namespace
