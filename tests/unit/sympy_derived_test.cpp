// SymPy classes that the reader replaces by expressions in others, and SymPy's constants: their values against the C library's
// functions, to the rounding of the expressions that they stand for.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "frontends/sympy/reader_derived.hpp"

namespace frit::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> values_of(const std::string& text, const std::vector<double>& x, const std::vector<double>& y) {
  const Model model = Model::parse(text);
  const Columns columns = Columns().add("x", x).add("y", y);
  const Engine engine;
  const Function f = engine.bind(model, Signature::of(columns, {}), {.mode = Mode::graph});
  const Result result = f(columns, {});
  const auto values = result.values<double>(0);
  return {values.begin(), values.end()};
}

void expect_values(const std::string& text, const std::vector<double>& x, const std::vector<double>& y,
                   const std::function<double(double, double)>& expected) {
  const std::vector<double> got = values_of(text, x, y);
  ASSERT_EQ(got.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double want = expected(x[i], y[i]);
    if (std::isnan(want) || std::isinf(want)) {
      EXPECT_TRUE(std::isnan(want) ? std::isnan(got[i]) : got[i] == want) << text << " at " << x[i] << " is " << got[i];
    } else {
      EXPECT_NEAR(got[i], want, 4e-15 * (want == 0 ? 1.0 : std::abs(want))) << text << " at " << x[i] << ", " << y[i];
    }
  }
}

struct Case {
  std::string name;       // of the class
  std::string arguments;  // in X and Y; (X > 0) and (Y > 0) are P and Q
  std::vector<double> x, y;
  double (*expected)(double x, double y);
};

const std::vector<double> around{-2.5, -1.25, -0.5, -0.125, 0.25, 0.75, 1.5, 3.0, nan};
const std::vector<double> beyond{-8.0, -1.5, 1.25, 4.0, nan};
const std::vector<double> inside{0.0625, 0.5, 0.875, 1.0};
const std::vector<double> signs{-1.0, -1.0, 1.0, 1.0, nan}, other_signs{-1.0, 1.0, -1.0, 1.0, 1.0};

const std::vector<Case> cases{
    {"log", "X", inside, inside, [](double x, double) { return std::log(x); }},
    {"log", "X, Y", inside, {2, 3, 10, 0.5}, [](double x, double y) { return std::log(x) / std::log(y); }},
    {"sec", "X", around, around, [](double x, double) { return 1 / std::cos(x); }},
    {"csc", "X", around, around, [](double x, double) { return 1 / std::sin(x); }},
    {"cot", "X", around, around, [](double x, double) { return 1 / std::tan(x); }},
    {"sech", "X", around, around, [](double x, double) { return 1 / std::cosh(x); }},
    {"csch", "X", around, around, [](double x, double) { return 1 / std::sinh(x); }},
    {"coth", "X", around, around, [](double x, double) { return 1 / std::tanh(x); }},
    {"asec", "X", beyond, beyond, [](double x, double) { return std::acos(1 / x); }},
    {"acsc", "X", beyond, beyond, [](double x, double) { return std::asin(1 / x); }},
    {"acot", "X", around, around, [](double x, double) { return std::atan(1 / x); }},
    {"asech", "X", inside, inside, [](double x, double) { return std::acosh(1 / x); }},
    {"acsch", "X", around, around, [](double x, double) { return std::asinh(1 / x); }},
    {"acoth", "X", beyond, beyond, [](double x, double) { return std::atanh(1 / x); }},
    {"sinc",
     "X",
     {-2.0, 0.0, -0.0, 1e-200, 0.5, nan},
     {1, 1, 1, 1, 1, 1},
     [](double x, double) { return x == 0 ? 1.0 : std::sin(x) / x; }},
    {"frac", "X", {-2.25, -0.25, 0.0, 1.75, 3.0}, {1, 1, 1, 1, 1}, [](double x, double) { return x - std::floor(x); }},
    {"Heaviside",
     "X",
     {-2.0, 0.0, 3.0, nan},
     {1, 1, 1, 1},
     [](double x, double) {
       return x < 0 ? 0 : x > 0 ? 1 : x == 0 ? 0.5 : nan;
     }},
    {"Heaviside",
     "X, Y",
     {-2.0, 0.0, 3.0, nan},
     {7, 8, 9, 1},
     [](double x, double y) {
       return x < 0 ? 0 : x > 0 ? 1 : x == 0 ? y : nan;
     }},
    {"factorial",
     "X",
     {0, 1, 2, 5, 10, 0.5, -0.5},
     {1, 1, 1, 1, 1, 1, 1},
     [](double x, double) { return std::tgamma(x + 1); }},
    {"loggamma",
     "X",
     {0.25, 1.0, 1.5, 40.0, -0.5},
     {1, 1, 1, 1, 1},
     [](double x, double) { return x < 0 ? nan : std::lgamma(x); }},
    {"polygamma",
     "Integer(0), X",
     {1.0, 0.5},
     {1, 1},
     [](double x, double) { return -std::numbers::egamma - (x == 1 ? 0 : 2 * std::numbers::ln2); }},
    {"digamma",
     "X",
     {1.0, 0.5},
     {1, 1},
     [](double x, double) { return -std::numbers::egamma - (x == 1 ? 0 : 2 * std::numbers::ln2); }},
    {"harmonic", "X", {0.0, 1.0, 4.0}, {1, 1, 1}, [](double x, double) { return x == 4 ? 25.0 / 12 : x; }},
    {"cosm1", "X", {1e-9, -0.5, 2.0}, {1, 1, 1}, [](double x, double) { return -2 * std::pow(std::sin(x / 2), 2); }},
    {"Sqrt", "X", {4.0, -1.0}, {1, 1}, [](double x, double) { return std::sqrt(x); }},
    {"fma", "X, Y, X", {0.5, 3.0}, {2, -1}, [](double x, double y) { return std::fma(x, y, x); }},
    {"isnan", "X", {nan, infinity, 1.0}, {1, 1, 1}, [](double x, double) { return std::isnan(x) ? 1.0 : 0.0; }},
    {"isinf",
     "X",
     {nan, infinity, -infinity, 1.0},
     {1, 1, 1, 1},
     [](double x, double) { return std::isinf(x) ? 1.0 : 0.0; }},
    {"ITE", "P, Q, Not(Q)", signs, other_signs, [](double x, double y) { return (x > 0) == (y > 0) ? 1.0 : 0.0; }},
    {"Implies", "P, Q", signs, other_signs, [](double x, double y) { return x > 0 && !(y > 0) ? 0.0 : 1.0; }},
    {"Equivalent", "P, Q, Q", signs, other_signs, [](double x, double y) { return (x > 0) == (y > 0) ? 1.0 : 0.0; }},
    {"Equivalent", "P", signs, other_signs, [](double, double) { return 1.0; }},
};

std::string text_of(const Case& c) {
  std::string text = c.name + "(";
  for (const char letter : c.arguments) {
    switch (letter) {
      case 'X': text += "Symbol('x')"; break;
      case 'Y': text += "Symbol('y')"; break;
      case 'P': text += "StrictGreaterThan(Symbol('x'), Integer(0))"; break;
      case 'Q': text += "StrictGreaterThan(Symbol('y'), Integer(0))"; break;
      default: text += letter;
    }
  }
  return text + ")";
}

TEST(SympyDerived, HasTheValuesOfTheFunctions) {
  for (const Case& c : cases) {
    std::string text = text_of(c);
    for (const srepr::DerivedClass& cls : srepr::derived_classes()) {
      if (cls.name == c.name && (cls.logical || cls.relation)) {
        text = "Piecewise(ExprCondPair(Integer(1), " + text + "), ExprCondPair(Integer(0), true))";
      }
    }
    expect_values(text, c.x, c.y, c.expected);
  }
}

TEST(SympyDerived, EveryClassIsTested) {
  std::set<std::string> tested;
  for (const Case& c : cases) tested.insert(c.name);
  for (const srepr::DerivedClass& cls : srepr::derived_classes()) {
    EXPECT_TRUE(tested.count(std::string(cls.name)) == 1) << cls.name << " has no case";
  }
}

TEST(SympyDerived, AnOrderOfPolygammaThatIsNotThereIsOneError) {
  for (const char* const order : {"Integer(1)", "Symbol('n')", "Integer(-1)"}) {
    try {
      Model::parse("Add(Integer(1), polygamma(" + std::string(order) + ", Symbol('x')))");
      ADD_FAILURE() << "polygamma of order " << order << " was read";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::sympy_unsupported);
      EXPECT_NE(std::string(e.what()).find("polygamma"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("byte 16"), std::string::npos) << e.what();
    }
  }
}

TEST(SympyDerived, ConditionsAndNumbersAreToldApart) {
  for (const char* const text : {"sec(true)", "ITE(Symbol('x'), true, false)", "Add(isnan(Symbol('x')), Integer(1))",
                                 "Implies(true, Integer(1))"}) {
    try {
      Model::parse(text);
      ADD_FAILURE() << text << " was read";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::sympy_argument) << e.what();
    }
  }
}

TEST(SympyDerived, ConstantsAreRoundedOnce) {
  const struct {
    const char* name;
    double value;
  } constants[]{{"EulerGamma", 0x1.2788cfc6fb619p-1},
                {"GoldenRatio", 0x1.9e3779b97f4a8p+0},
                {"Catalan", 0x1.d4f9713e8135dp-1},
                {"TribonacciConstant", 0x1.d6db7f2d9c5c1p+0}};
  for (const auto& c : constants) {
    EXPECT_EQ(values_of(c.name, {1.0}, {1.0})[0], c.value) << c.name;
    EXPECT_EQ(values_of(std::string("S.") + c.name, {1.0}, {1.0})[0], c.value) << c.name;
  }
}

}  // namespace
}  // namespace frit::test
