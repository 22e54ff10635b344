// Every op of the table against an oracle that shares no code with it: MPFR for real values, __float128 for complex ones, plain
// scalar code for what is exact. The error budgets are those of the ops' own structs. An op without an oracle fails here.
#include <gtest/gtest.h>
#include <mpfr.h>
#include <quadmath.h>

#include <map>

#include "oracle/inverse_erf.hpp"
#include "oracle/logarithmic.hpp"
#include "oracle/rounding.hpp"
#include "support/programs.hpp"

namespace frit::test {
namespace {

using Rounded = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Rounded2 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
using Rounded3 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

__complex128 complex_of_parts(__float128 re, __float128 im) {
  __complex128 z;
  __real__ z = re;
  __imag__ z = im;
  return z;
}

// What an op gives for operands whose parts are doubles (a boolean is 0 or 1), in order.
struct Oracle {
  // The exact result, one or two parts; `form` as in Node.
  void (*exact)(const double* parts, unsigned form, double* result) = nullptr;
  // The same in f32, where the dtype decides.
  void (*exact_f32)(const double* parts, unsigned form, double* result) = nullptr;
  // The real form, correctly rounded at any precision; `imaginary` where a real operand gives a complex result.
  Rounded one = nullptr;
  Rounded2 two = nullptr;
  Rounded3 three = nullptr;
  Rounded imaginary = nullptr;
  // For `two`: what the error is counted in units of the last place of, where that is not the result.
  Rounded2 unit = nullptr;
  // Forms with complex operands; `a` and `b` are widened where real.
  __complex128 (*quad)(__complex128 a, __complex128 b) = nullptr;
  // a b + c and its like: the error is counted in units of the last place of |a b| + |c|.
  __complex128 (*quad_sum)(__complex128 a, __complex128 b, __complex128 c) = nullptr;
  // For negative operands the error is counted in units of the last place of 1 where the result is smaller.
  bool unit_of_one = false;
};

int real_multiply_subtract(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c, mpfr_rnd_t mode) {
  mpfr_t negative;
  mpfr_init2(negative, mpfr_get_prec(a));
  mpfr_neg(negative, a, mode);
  const int inexact = mpfr_fma(r, negative, b, c, mode);
  mpfr_clear(negative);
  return inexact;
}

int real_square(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode) { return mpfr_sqr(r, x, mode); }
int real_reciprocal(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode) { return mpfr_ui_div(r, 1, x, mode); }
int real_angle(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode) {
  mpfr_t zero;
  mpfr_init2(zero, 53);
  mpfr_set_zero(zero, 1);
  const int inexact = mpfr_atan2(r, zero, x, mode);
  mpfr_clear(zero);
  return inexact;
}

// NOTE: mpfr_min and mpfr_max order zeros the same way, but let a number win over NaN.
double least(double a, double b) {
  if (a != a || b != b) return std::numeric_limits<double>::quiet_NaN();
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
double greatest(double a, double b) { return -least(-a, -b); }

const std::map<std::string, Oracle> oracles = {
    {"add", {.two = mpfr_add, .quad = [](__complex128 a, __complex128 b) { return a + b; }}},
    {"subtract", {.two = mpfr_sub, .quad = [](__complex128 a, __complex128 b) { return a - b; }}},
    {"multiply", {.two = mpfr_mul, .quad = [](__complex128 a, __complex128 b) { return a * b; }}},
    {"divide", {.two = mpfr_div, .quad = [](__complex128 a, __complex128 b) { return a / b; }}},
    {"negate",
     {.exact =
          [](const double* x, unsigned form, double* r) {
            r[0] = -x[0];
            if (form != 0) r[1] = -x[1];
          }}},
    {"multiply_add",
     {.three = mpfr_fma, .quad_sum = [](__complex128 a, __complex128 b, __complex128 c) { return a * b + c; }}},
    {"multiply_subtract",
     {.three = real_multiply_subtract,
      .quad_sum = [](__complex128 a, __complex128 b, __complex128 c) { return c - a * b; }}},
    {"sqrt", {.one = mpfr_sqrt, .quad = [](__complex128 a, __complex128) { return csqrtq(a); }}},
    {"abs",
     {.exact = nullptr,
      .one = mpfr_abs,
      .quad = [](__complex128 a, __complex128) { return complex_of_parts(cabsq(a), 0); }}},
    {"sign",
     {.one =
          [](mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode) {
            return mpfr_nan_p(x) != 0 ? mpfr_set(r, x, mode) : mpfr_set_si(r, mpfr_sgn(x), mode);
          },
      .quad = [](__complex128 a, __complex128) { return a / cabsq(a); }}},
    {"minimum", {.exact = [](const double* x, unsigned, double* r) { r[0] = least(x[0], x[1]); }}},
    {"maximum", {.exact = [](const double* x, unsigned, double* r) { r[0] = greatest(x[0], x[1]); }}},
    {"square", {.one = real_square, .quad = [](__complex128 a, __complex128) { return a * a; }}},
    {"reciprocal", {.one = real_reciprocal, .quad = [](__complex128 a, __complex128) { return 1 / a; }}},
    {"abs_square",
     {.one = real_square,
      .quad = [](__complex128 a,
                 __complex128) { return complex_of_parts(__real__ a * __real__ a + __imag__ a * __imag__ a, 0); }}},
    {"exp", {.one = mpfr_exp, .quad = [](__complex128 a, __complex128) { return cexpq(a); }}},
    {"log", {.one = mpfr_log, .quad = [](__complex128 a, __complex128) { return clogq(a); }}},
    {"sin", {.one = mpfr_sin, .quad = [](__complex128 a, __complex128) { return csinq(a); }}},
    {"cos", {.one = mpfr_cos, .quad = [](__complex128 a, __complex128) { return ccosq(a); }}},
    {"cis", {.one = mpfr_cos, .imaginary = mpfr_sin}},
    {"tan", {.one = mpfr_tan, .quad = [](__complex128 a, __complex128) { return ctanq(a); }}},
    {"asin", {.one = mpfr_asin, .quad = [](__complex128 a, __complex128) { return casinq(a); }}},
    {"acos", {.one = mpfr_acos, .quad = [](__complex128 a, __complex128) { return cacosq(a); }}},
    {"atan", {.one = mpfr_atan, .quad = [](__complex128 a, __complex128) { return catanq(a); }}},
    {"atan2", {.two = mpfr_atan2}},
    {"erf", {.one = mpfr_erf}},
    {"erfc", {.one = mpfr_erfc}},
    {"erfinv", {.one = oracle::inverse_erf}},
    {"erfcinv", {.one = oracle::inverse_erfc}},
    {"pow", {.two = mpfr_pow, .quad = [](__complex128 a, __complex128 b) { return cexpq(b * clogq(a)); }}},
    {"log2", {.one = mpfr_log2}},
    {"log10", {.one = mpfr_log10}},
    {"log1p", {.one = mpfr_log1p}},
    {"logaddexp", {.two = oracle::logaddexp, .unit = oracle::unit_of_sum<false>}},
    {"logaddexp2", {.two = oracle::logaddexp2, .unit = oracle::unit_of_sum<true>}},
    {"softplus", {.one = oracle::softplus}},
    {"asinh", {.one = mpfr_asinh, .quad = [](__complex128 a, __complex128) { return casinhq(a); }}},
    {"acosh", {.one = mpfr_acosh, .quad = [](__complex128 a, __complex128) { return cacoshq(a); }}},
    {"atanh", {.one = mpfr_atanh, .quad = [](__complex128 a, __complex128) { return catanhq(a); }}},
    {"cbrt", {.one = mpfr_cbrt}},
    {"rsqrt", {.one = oracle::inverse_root}},
    {"hypot", {.two = mpfr_hypot}},
    {"angle", {.one = real_angle, .quad = [](__complex128 a, __complex128) { return complex_of_parts(cargq(a), 0); }}},
    {"floor", {.exact = [](const double* x, unsigned, double* r) { r[0] = std::floor(x[0]); }}},
    {"ceil", {.exact = [](const double* x, unsigned, double* r) { r[0] = std::ceil(x[0]); }}},
    {"trunc", {.exact = [](const double* x, unsigned, double* r) { r[0] = std::trunc(x[0]); }}},
    {"rint", {.exact = [](const double* x, unsigned, double* r) { r[0] = std::nearbyint(x[0]); }}},
    {"round_half_away", {.exact = [](const double* x, unsigned, double* r) { r[0] = std::round(x[0]); }}},
    {"frexp_mantissa", {.exact = [](const double* x, unsigned, double* r) { r[0] = oracle::frexp_mantissa(x[0]); }}},
    {"frexp_exponent", {.exact = [](const double* x, unsigned, double* r) { r[0] = oracle::frexp_exponent(x[0]); }}},
    {"heaviside", {.exact = [](const double* x, unsigned, double* r) { r[0] = oracle::heaviside(x[0], x[1]); }}},
    {"nextafter",
     {.exact = [](const double* x, unsigned, double* r) { r[0] = std::nextafter(x[0], x[1]); },
      .exact_f32 = [](const double* x, unsigned,
                      double* r) { r[0] = std::nextafter(static_cast<float>(x[0]), static_cast<float>(x[1])); }}},
    {"fmod", {.two = mpfr_fmod}},
    {"remainder", {.two = oracle::remainder}},
    {"floor_divide", {.two = oracle::floor_divide}},
    {"ldexp", {.two = oracle::ldexp}},
    {"sinpi", {.one = mpfr_sinpi}},
    {"cospi", {.one = mpfr_cospi}},
    {"sinc", {.one = oracle::sinc}},
    {"logical_xor", {.exact = [](const double* x, unsigned, double* r) { r[0] = (x[0] != 0) != (x[1] != 0); }}},
    {"exp2", {.one = mpfr_exp2}},
    {"exp10", {.one = mpfr_exp10}},
    {"expm1", {.one = mpfr_expm1}},
    {"logistic", {.one = oracle::logistic}},
    {"sinh", {.one = mpfr_sinh, .quad = [](__complex128 a, __complex128) { return csinhq(a); }}},
    {"cosh", {.one = mpfr_cosh, .quad = [](__complex128 a, __complex128) { return ccoshq(a); }}},
    {"tanh", {.one = mpfr_tanh, .quad = [](__complex128 a, __complex128) { return ctanhq(a); }}},
    {"gamma", {.one = mpfr_gamma}},
    {"lgamma", {.one = oracle::log_gamma, .unit_of_one = true}},
    {"digamma", {.one = mpfr_digamma, .unit_of_one = true}},
    {"less", {.exact = [](const double* x, unsigned, double* r) { r[0] = x[0] < x[1]; }}},
    {"less_equal", {.exact = [](const double* x, unsigned, double* r) { r[0] = x[0] <= x[1]; }}},
    {"greater", {.exact = [](const double* x, unsigned, double* r) { r[0] = x[0] > x[1]; }}},
    {"greater_equal", {.exact = [](const double* x, unsigned, double* r) { r[0] = x[0] >= x[1]; }}},
    {"equal",
     {.exact = [](const double* x, unsigned form,
                  double* r) { r[0] = form == 0 ? x[0] == x[1] : x[0] == x[2] && x[1] == x[3]; }}},
    {"not_equal",
     {.exact = [](const double* x, unsigned form,
                  double* r) { r[0] = form == 0 ? x[0] != x[1] : x[0] != x[2] || x[1] != x[3]; }}},
    {"logical_and", {.exact = [](const double* x, unsigned, double* r) { r[0] = x[0] != 0 && x[1] != 0; }}},
    {"logical_or", {.exact = [](const double* x, unsigned, double* r) { r[0] = x[0] != 0 || x[1] != 0; }}},
    {"logical_not", {.exact = [](const double* x, unsigned, double* r) { r[0] = x[0] == 0; }}},
    {"where",
     {.exact =
          [](const double* x, unsigned form, double* r) {
            const double* const chosen = x[0] != 0 ? x + 1 : form == 0 ? x + 2 : x + 3;
            r[0] = chosen[0];
            if (form != 0) r[1] = chosen[1];
          }}},
    {"real", {.exact = [](const double* x, unsigned, double* r) { r[0] = x[0]; }}},
    {"imag", {.exact = [](const double* x, unsigned form, double* r) { r[0] = form == 0 ? 0 : x[1]; }}},
    {"conj",
     {.exact =
          [](const double* x, unsigned form, double* r) {
            r[0] = x[0];
            if (form != 0) r[1] = -x[1];
          }}},
    {"complex",
     {.exact =
          [](const double* x, unsigned, double* r) {
            r[0] = x[0];
            r[1] = x[1];
          }}},
    {"times_i",
     {.exact =
          [](const double* x, unsigned form, double* r) {
            r[0] = form == 0 ? 0 : -x[1];
            r[1] = x[0];
          }}},
};

const Oracle& oracle_of(OpId op) {
  const auto found = oracles.find(info_of(op).name);
  if (found == oracles.end())
    throw std::runtime_error(std::string("op '") + info_of(op).name +
                             "' has no oracle: add one to the table in tests/accuracy/ops_accuracy_test.cpp");
  return found->second;
}

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

class Number {
 public:
  Number() { mpfr_init2(value_, 240); }
  explicit Number(double x) : Number() { mpfr_set_d(value_, x, MPFR_RNDN); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

// The distance in units in the last place of `unit`, subnormal spacing below the normal range; an infinity counts as the power of two
// above the largest number. The unit is at least that of a number in [1/2, 1) 2^least_exponent.
template <class T>
double ulps(T got, Number& exact, Number& unit, long least_exponent = std::numeric_limits<T>::min_exponent) {
  using L = std::numeric_limits<T>;
  if (mpfr_nan_p(exact.get()) != 0) return got != got ? 0 : L::infinity();
  if (mpfr_inf_p(exact.get()) != 0 || mpfr_zero_p(exact.get()) != 0)
    return same(got, static_cast<T>(mpfr_get_d(exact.get(), MPFR_RNDN))) ? 0 : L::infinity();
  if (got != got) return L::infinity();
  // What lies above the range is as good as its end.
  Number end(0);
  mpfr_set_si_2exp(end.get(), mpfr_sgn(exact.get()), L::max_exponent, MPFR_RNDN);
  if (mpfr_cmpabs(exact.get(), end.get()) > 0) mpfr_set(exact.get(), end.get(), MPFR_RNDN);
  Number distance;
  if (std::isinf(got)) {
    if (mpfr_cmpabs(exact.get(), Number(0.75 * static_cast<double>(L::max())).get()) < 0) return L::infinity();
    mpfr_set_si_2exp(distance.get(), got > 0 ? 1 : -1, L::max_exponent, MPFR_RNDN);
  } else {
    mpfr_set_d(distance.get(), static_cast<double>(got), MPFR_RNDN);
  }
  mpfr_sub(distance.get(), distance.get(), exact.get(), MPFR_RNDN);
  const long exponent = std::clamp<long>(mpfr_get_exp(unit.get()), least_exponent, L::max_exponent);
  mpfr_mul_2si(distance.get(), distance.get(), L::digits - exponent, MPFR_RNDN);
  return std::abs(mpfr_get_d(distance.get(), MPFR_RNDN));
}

template <class T> void check_real(OpId op, const Oracle& oracle) {
  const Sample<T> s = sample<T>(op, 0, false, 2000);
  double worst = 0;
  std::string where;
  for (std::size_t i = 0; i < s.n; ++i) {
    for (std::size_t part = 0; part < (is_complex(s.result) ? 2u : 1u); ++part) {
      Number a(static_cast<double>(s.parts[0][i])), exact, unit;
      if (oracle.three != nullptr) {
        Number b(static_cast<double>(s.parts[1][i])), c(static_cast<double>(s.parts[2][i]));
        oracle.three(exact.get(), a.get(), b.get(), c.get(), MPFR_RNDN);
      } else if (oracle.two != nullptr) {
        Number b(static_cast<double>(s.parts[1][i]));
        oracle.two(exact.get(), a.get(), b.get(), MPFR_RNDN);
        if (oracle.unit != nullptr) oracle.unit(unit.get(), a.get(), b.get(), MPFR_RNDN);
      } else {
        (part == 0 ? oracle.one : oracle.imaginary)(exact.get(), a.get(), MPFR_RNDN);
      }
      // Beyond the budget of its kind: normal or subnormal results.
      const bool subnormal = mpfr_cmpabs(exact.get(), Number(std::numeric_limits<T>::min()).get()) < 0;
      const bool unit_of_one = oracle.unit_of_one && s.parts[0][i] < 0;
      const double error = ulps(s.got(i, part), exact, oracle.unit != nullptr ? unit : exact,
                                unit_of_one ? 1 : std::numeric_limits<T>::min_exponent);
      const double beyond = error - info_of(op).budget.of_real(subnormal);
      if (beyond <= worst) continue;
      worst = beyond;
      where = s.inputs(i);
    }
  }
  EXPECT_LE(worst, 0) << info_of(op).name << " " << name_of(dtype_of<T>) << " exceeds its budget at" << where;
}

// Each part in units in the last place of the modulus, on inputs of magnitude 2^-8 to 2^8: accuracy/complex_* tests have the
// whole range and each part by itself.
template <class T> void check_complex(OpId op, unsigned form, const Oracle& oracle) {
  const Sample<T> s = sample<T>(op, form, true, 2000);
  double worst = 0;
  std::string where;
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
    // A power that overflows, or comes near subnormal numbers, is not well conditioned.
    if (!(modulus < static_cast<__float128>(std::numeric_limits<T>::max()) / 4) ||
        modulus < static_cast<__float128>(std::numeric_limits<T>::min()) * 16)
      continue;
    int exponent = 0;
    frexpq(modulus, &exponent);
    const __float128 ulp = ldexpq(1, exponent - std::numeric_limits<T>::digits);
    __float128 distance = fabsq(static_cast<__float128>(s.got(i, 0)) - __real__ want);
    if (is_complex(s.result)) distance = fmaxq(distance, fabsq(static_cast<__float128>(s.got(i, 1)) - __imag__ want));
    const double error = static_cast<double>(distance / ulp);
    if (error <= worst) continue;
    worst = error;
    where = s.inputs(i);
  }
  EXPECT_LE(worst, info_of(op).budget.complex)
      << info_of(op).name << " form " << form << " " << name_of(dtype_of<T>) << " at" << where;
}

template <class T> void check_exact(OpId op, unsigned form, const Oracle& oracle) {
  const Sample<T> s = sample<T>(op, form, false, 3000);
  const bool f32 = sizeof(T) == sizeof(float) && oracle.exact_f32 != nullptr;
  for (std::size_t i = 0; i < s.n; ++i) {
    double parts[6], want[2];
    for (std::size_t k = 0; k < s.parts.size(); ++k) {
      const bool boolean = kind_of(op, form, s.operand_of[k]) == ops::OperandKind::boolean;
      parts[k] = boolean ? (s.parts[k][i] != 0 ? 1 : 0) : static_cast<double>(s.parts[k][i]);
    }
    (f32 ? oracle.exact_f32 : oracle.exact)(parts, form, want);
    for (std::size_t part = 0; part < (is_complex(s.result) ? 2u : 1u); ++part)
      ASSERT_TRUE(same(s.got(i, part), static_cast<T>(want[part])))
          << info_of(op).name << " form " << form << " at" << s.inputs(i) << ": " << s.got(i, part) << ", not "
          << want[part];
  }
}

TEST(OpsAccuracy, EveryOpKeepsItsBudgetInEveryForm) {
  for (int i = 0; i < op_count(); ++i) {
    const OpId op = static_cast<OpId>(i);
    const Oracle& oracle = oracle_of(op);
    for (unsigned form = 0; form < exec::form_count; ++form) {
      if ((all_forms(op) >> form & 1u) == 0) continue;
      if (oracle.exact != nullptr) {
        check_exact<float>(op, form, oracle);
        check_exact<double>(op, form, oracle);
      } else if (form == 0) {
        ASSERT_TRUE(oracle.one != nullptr || oracle.two != nullptr || oracle.three != nullptr)
            << info_of(op).name << ": the oracle has no real form";
        check_real<float>(op, oracle);
        check_real<double>(op, oracle);
      } else {
        ASSERT_TRUE(oracle.quad != nullptr || oracle.quad_sum != nullptr)
            << info_of(op).name << ": the oracle has no complex form";
        check_complex<float>(op, form, oracle);
        check_complex<double>(op, form, oracle);
      }
    }
  }
}

TEST(OpsAccuracy, EveryOracleHasAnOp) {
  for (const auto& [name, oracle] : oracles) EXPECT_TRUE(find_op(name).has_value()) << name;
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
