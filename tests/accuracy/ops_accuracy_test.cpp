// Every op of the table in every form: the budgets are those of the ops' own structs. Complex forms against __float128; all else
// against the oracle of tests/oracle, which has special values too. An op that either lacks fails here.
#include <gtest/gtest.h>
#include <quadmath.h>

#include <map>

#include "oracle/oracle.hpp"
#include "support/programs.hpp"

namespace frit::test {
namespace {

__complex128 complex_of_parts(__float128 re, __float128 im) {
  __complex128 z;
  __real__ z = re;
  __imag__ z = im;
  return z;
}

// A form with complex operands by libquadmath, whose functions the oracle does not use; what is real is widened.
struct Quad {
  __complex128 (*quad)(__complex128 a, __complex128 b) = nullptr;
  // a b + c and its like: the error is counted in units of the last place of |a b| + |c|.
  __complex128 (*quad_sum)(__complex128 a, __complex128 b, __complex128 c) = nullptr;
};

const std::map<std::string, Quad> quads = {
    {"add", {.quad = [](__complex128 a, __complex128 b) { return a + b; }}},
    {"subtract", {.quad = [](__complex128 a, __complex128 b) { return a - b; }}},
    {"multiply", {.quad = [](__complex128 a, __complex128 b) { return a * b; }}},
    {"divide", {.quad = [](__complex128 a, __complex128 b) { return a / b; }}},
    {"multiply_add", {.quad_sum = [](__complex128 a, __complex128 b, __complex128 c) { return a * b + c; }}},
    {"multiply_subtract", {.quad_sum = [](__complex128 a, __complex128 b, __complex128 c) { return c - a * b; }}},
    {"sqrt", {.quad = [](__complex128 a, __complex128) { return csqrtq(a); }}},
    {"abs", {.quad = [](__complex128 a, __complex128) { return complex_of_parts(cabsq(a), 0); }}},
    {"sign", {.quad = [](__complex128 a, __complex128) { return a / cabsq(a); }}},
    {"square", {.quad = [](__complex128 a, __complex128) { return a * a; }}},
    {"reciprocal", {.quad = [](__complex128 a, __complex128) { return 1 / a; }}},
    {"abs_square",
     {.quad = [](__complex128 a,
                 __complex128) { return complex_of_parts(__real__ a * __real__ a + __imag__ a * __imag__ a, 0); }}},
    {"exp", {.quad = [](__complex128 a, __complex128) { return cexpq(a); }}},
    {"log", {.quad = [](__complex128 a, __complex128) { return clogq(a); }}},
    {"sin", {.quad = [](__complex128 a, __complex128) { return csinq(a); }}},
    {"cos", {.quad = [](__complex128 a, __complex128) { return ccosq(a); }}},
    {"tan", {.quad = [](__complex128 a, __complex128) { return ctanq(a); }}},
    {"asin", {.quad = [](__complex128 a, __complex128) { return casinq(a); }}},
    {"acos", {.quad = [](__complex128 a, __complex128) { return cacosq(a); }}},
    {"atan", {.quad = [](__complex128 a, __complex128) { return catanq(a); }}},
    {"pow", {.quad = [](__complex128 a, __complex128 b) { return cexpq(b * clogq(a)); }}},
    {"asinh", {.quad = [](__complex128 a, __complex128) { return casinhq(a); }}},
    {"acosh", {.quad = [](__complex128 a, __complex128) { return cacoshq(a); }}},
    {"atanh", {.quad = [](__complex128 a, __complex128) { return catanhq(a); }}},
    {"angle", {.quad = [](__complex128 a, __complex128) { return complex_of_parts(cargq(a), 0); }}},
    {"sinh", {.quad = [](__complex128 a, __complex128) { return csinhq(a); }}},
    {"cosh", {.quad = [](__complex128 a, __complex128) { return ccoshq(a); }}},
    {"tanh", {.quad = [](__complex128 a, __complex128) { return ctanhq(a); }}},
};

// One op in one form on many inputs.
template <class T> struct Sample {
  std::vector<std::vector<T>> parts;  // of the operands, in order
  std::vector<int> operand_of;
  DType result{};
  Bytes image;
  std::size_t n = 0;

  T got(std::size_t i, std::size_t part) const {
    if (result == DType::boolean) return static_cast<T>(image[i] != std::byte{0} ? 1 : 0);
    return read_as<T>(&image[i * size_of(result) + part * sizeof(T)]);
  }
  std::string inputs(std::size_t i) const {
    std::string text;
    char number[40];
    for (const auto& part : parts) {
      std::snprintf(number, sizeof number, " %a", static_cast<double>(part[i]));
      text += number;
    }
    return text;
  }
};

template <class T> Sample<T> sample(OpId op, unsigned form, bool moderate, std::size_t random_count) {
  Sample<T> s;
  const Graph graph = op_graph(op, form, dtype_of<T>);
  s.result = graph.node(graph.outputs()[0].node).dtype;
  Inputs<T> inputs(static_cast<std::uint64_t>(op) * 8 + form);
  for (int i = 0; i < info_of(op).arity; ++i) {
    for (int k = 0; k < (kind_of(op, form, i) == ops::OperandKind::complex ? 2 : 1); ++k) {
      std::vector<T> values;
      for (std::size_t e = 0; e < random_count; ++e)
        values.push_back(moderate || e % 2 == 0 ? inputs.moderate() : inputs.next());
      s.parts.push_back(std::move(values));
      s.operand_of.push_back(i);
    }
  }
  const std::vector<T> special = special_values<T>();
  if (!moderate && s.parts.size() == 1) s.parts[0].insert(s.parts[0].end(), special.begin(), special.end());
  if (!moderate && s.parts.size() == 2) {
    for (T x : special) {
      s.parts[0].insert(s.parts[0].end(), special.size(), x);
      s.parts[1].insert(s.parts[1].end(), special.begin(), special.end());
    }
  }
  s.n = s.parts[0].size();
  std::vector<Bytes> columns;
  for (std::size_t i = 0; i < s.parts.size(); ++i) {
    if (i > 0 && s.operand_of[i] == s.operand_of[i - 1]) continue;
    std::vector<T> elements;
    for (std::size_t e = 0; e < s.n; ++e) {
      for (std::size_t k = i; k < s.parts.size() && s.operand_of[k] == s.operand_of[i]; ++k)
        elements.push_back(s.parts[k][e]);
    }
    columns.push_back(bytes_of<T>(elements));
  }
  const exec::Program program(plan::make_plan(graph), exec::active_table());
  s.image = run(program, columns, {}, static_cast<std::int64_t>(s.n))[0];
  return s;
}

// All that is not in `quads`, by the oracle: real forms and what is exact.
template <class T> void check_by_oracle(OpId op, unsigned form) {
  const OpInfo& info = info_of(op);
  const Sample<T> s = sample<T>(op, form, false, 3000);
  const oracle::Question question{info.name, info.budget, dtype_of<T>};
  std::vector<oracle::Number> operands(static_cast<std::size_t>(info.arity));
  for (std::size_t i = 0; i < s.n; ++i) {
    for (std::size_t k = s.parts.size(); k-- > 0;) {
      oracle::Number& x = operands[static_cast<std::size_t>(s.operand_of[k])];
      const double part = static_cast<double>(s.parts[k][i]);
      x.complex = kind_of(op, form, s.operand_of[k]) == ops::OperandKind::complex;
      const bool imaginary = x.complex && k > 0 && s.operand_of[k - 1] == s.operand_of[k];
      const bool boolean = kind_of(op, form, s.operand_of[k]) == ops::OperandKind::boolean;
      (imaginary ? x.im : x.re) = boolean ? (part != 0 ? 1 : 0) : part;
    }
    const bool complex = is_complex(s.result);
    const oracle::Number got{static_cast<double>(s.got(i, 0)), complex ? static_cast<double>(s.got(i, 1)) : 0, complex};
    const oracle::Expected want = oracle::expected(question, operands);
    ASSERT_TRUE(want.pair == oracle::Expected::Pair::parts && want.re.is != oracle::Part::Is::open &&
                (!complex || want.im.is != oracle::Part::Is::open))
        << info.name << " form " << form << ": the oracle says nothing of the result at" << s.inputs(i);
    ASSERT_EQ(oracle::difference(question, operands, got, want), "") << "form " << form;
  }
}

// Each part in units in the last place of the modulus, on inputs of magnitude 2^-8 to 2^8: accuracy/complex_* tests have the
// whole range and each part by itself.
template <class T> void check_by_quad(OpId op, unsigned form, const Quad& oracle) {
  const Sample<T> s = sample<T>(op, form, true, 2000);
  const double budget = info_of(op).budget.complex;
  std::size_t checked = 0;
  for (std::size_t i = 0; i < s.n; ++i) {
    __complex128 operands[3] = {};
    for (std::size_t k = s.parts.size(); k-- > 0;) {
      __complex128& z = operands[s.operand_of[k]];
      z = complex_of_parts(static_cast<__float128>(s.parts[k][i]),
                           k + 1 < s.parts.size() && s.operand_of[k + 1] == s.operand_of[k] ? __real__ z : 0);
    }
    const auto [a, b, c] = operands;
    const __complex128 want = oracle.quad_sum != nullptr ? oracle.quad_sum(a, b, c) : oracle.quad(a, b);
    const __float128 modulus = oracle.quad_sum != nullptr ? cabsq(a) * cabsq(b) + cabsq(c) : cabsq(want);
    ASSERT_FALSE(isnanq(modulus)) << info_of(op).name << " form " << form << " at" << s.inputs(i);
    // A power that overflows, or comes near subnormal numbers, is not well conditioned.
    if (modulus >= static_cast<__float128>(std::numeric_limits<T>::max()) / 4 ||
        modulus < static_cast<__float128>(std::numeric_limits<T>::min()) * 16)
      continue;
    ++checked;
    int exponent = 0;
    frexpq(modulus, &exponent);
    const __float128 ulp = ldexpq(1, exponent - std::numeric_limits<T>::digits);
    const __float128 parts[] = {__real__ want, __imag__ want};
    for (std::size_t part = 0; part < (is_complex(s.result) ? 2u : 1u); ++part) {
      const T got = s.got(i, part);
      const auto error = static_cast<double>(fabsq(static_cast<__float128>(got) - parts[part]) / ulp);
      ASSERT_LE(error, budget) << info_of(op).name << " form " << form << " " << name_of(dtype_of<T>) << " at"
                               << s.inputs(i) << ": part " << part << " is " << std::hexfloat << got << ", not "
                               << static_cast<double>(parts[part]);
    }
  }
  EXPECT_GE(checked, s.n / 4) << info_of(op).name << " form " << form;
}

template <class T> void check(OpId op, unsigned form) {
  const auto found = form != 0 ? quads.find(info_of(op).name) : quads.end();
  if (found != quads.end()) return check_by_quad<T>(op, form, found->second);
  ASSERT_TRUE(form == 0 || info_of(op).budget.complex == 0)
      << "op '" << info_of(op).name << "' has complex forms that round: add it to the table in "
      << "tests/accuracy/ops_accuracy_test.cpp";
  check_by_oracle<T>(op, form);
}

TEST(OpsAccuracy, EveryOpKeepsItsBudgetInEveryForm) {
  for (int i = 0; i < op_count(); ++i) {
    const OpId op = static_cast<OpId>(i);
    for (unsigned form = 0; form < exec::form_count; ++form) {
      if ((all_forms(op) >> form & 1u) == 0) continue;
      check<float>(op, form);
      check<double>(op, form);
    }
  }
}

TEST(OpsAccuracy, EveryQuadHasAnOpWithComplexForms) {
  for (const auto& [name, oracle] : quads) {
    const auto op = find_op(name);
    ASSERT_TRUE(op.has_value()) << name;
    EXPECT_NE(all_forms(*op) & ~1u, 0u) << name;
  }
}

// Where an operand of `where` is NaN and not chosen, it is not seen: every pair of special values under both conditions.
TEST(OpsAccuracy, WhereDoesNotSeeTheOtherOperand) {
  const std::vector<double> special = special_values<double>();
  std::vector<double> condition, a, b;
  for (double x : special) {
    condition.insert(condition.end(), {1, 0});
    a.insert(a.end(), {x, std::numeric_limits<double>::quiet_NaN()});
    b.insert(b.end(), {std::numeric_limits<double>::quiet_NaN(), x});
  }
  const exec::Program program(plan::make_plan(op_graph(ops::id_of<ops::Select>, 0, DType::f64)), exec::active_table());
  const std::vector<Bytes> columns{bytes_of<double>(condition), bytes_of<double>(a), bytes_of<double>(b)};
  const Bytes image = run(program, columns, {}, static_cast<std::int64_t>(a.size()))[0];
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_TRUE(same(read_as<double>(&image[8 * i]), special[i / 2])) << special[i / 2];
}

}  // namespace
}  // namespace frit::test
