#include "oracle/oracle.hpp"

#include <cstdio>
#include <stdexcept>

namespace frit::test::oracle {
namespace {

std::string text_of(double x) {
  char text[48];
  std::snprintf(text, sizeof text, "%a", x);
  return text;
}
std::string text_of(const Number& x) {
  return x.complex ? "(" + text_of(x.re) + ", " + text_of(x.im) + ")" : text_of(x.re);
}

bool same_value(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

// "" or how far `got` is off.
std::string judge_near(double got, const Part& want, const Format& format, const Budget& budget, bool complex) {
  const bool measured =
      want.value.is_regular() || (want.value.is_zero() && (want.unit.is_regular() || want.slack.is_regular()));
  if (!measured) return same_value(got, want.value.shown()) ? "" : "is not " + text_of(want.value.shown());
  if (std::isnan(got)) return "is NaN and not near " + text_of(want.value.shown());
  // An infinity, and what lies beyond the range, count as the power of two above the largest number.
  Real limit;
  mpfr_set_si_2exp(limit.get(), 1, format.max_exponent, MPFR_RNDN);
  const auto within = [&](const Real& x) {
    if (mpfr_cmpabs(x.get(), limit.get()) <= 0) return x;
    return x.is_negative() ? -limit : limit;
  };
  const Real value = within(want.value);
  const Real off = magnitude(within(Real(got)) - value);
  Real unit = 0.0;
  if (want.unit.is_regular()) mpfr_set_si_2exp(unit.get(), 1, format.last_place(within(want.unit)), MPFR_RNDN);
  const bool subnormal = want.value.exponent() < format.min_exponent;
  const double ulps = complex ? budget.complex : budget.of_real(want.value.is_regular() && subnormal);
  const Real allowed = unit * Real(ulps * want.factor) + want.slack;
  if (mpfr_cmp(off.get(), allowed.get()) <= 0) return "";
  return "is " + text_of((off / unit).shown()) + " ulp from " + text_of(value.shown());
}

std::string judge(double got, const Part& want, const Format& format, const Budget& budget, bool complex) {
  switch (want.is) {
    case Part::Is::exactly: return same_value(got, want.value.shown()) ? "" : "is not " + text_of(want.value.shown());
    case Part::Is::near: return judge_near(got, want, format, budget, complex);
    case Part::Is::any_infinity: return std::isinf(got) ? "" : "is not infinite";
    case Part::Is::any_zero: return got == 0 ? "" : "is not zero";
    case Part::Is::open: break;
  }
  return "";
}

bool any_complex(std::span<const Number> operands) {
  return std::any_of(operands.begin(), operands.end(), [](const Number& x) { return x.complex; });
}

}  // namespace

Expected expected(const Question& question, std::span<const Number> operands) {
  Expected result;
  const Operands o{operands, Format::of(question.kernel_dtype)};
  if (any_complex(operands)) {
    if (const Entry entry = complex_entry(question.op)) {
      entry(o, result);
      return result;
    }
  }
  for (const NamedEntry& e : plain_entries()) {
    if (e.name != question.op) continue;
    e.entry(o, result);
    return result;
  }
  throw std::runtime_error("op '" + std::string(question.op) + "' has no oracle: add an entry for it in tests/oracle/");
}

std::string difference(const Question& question, std::span<const Number> operands, const Number& got) {
  const Expected want = expected(question, operands);
  std::string wrong;
  const bool some_nan = std::isnan(got.re) || std::isnan(got.im);
  switch (want.pair) {
    case Expected::Pair::an_infinity:
      if (!std::isinf(got.re) && !std::isinf(got.im)) wrong = "is not an infinity";
      break;
    case Expected::Pair::a_zero:
      if (got.re != 0 || got.im != 0) wrong = "is not a zero";
      break;
    case Expected::Pair::some_nan:
      if (!some_nan) wrong = "has no NaN";
      break;
    case Expected::Pair::parts: {
      const Format format = Format::of(question.kernel_dtype);
      const bool complex = any_complex(operands);
      wrong = judge(got.re, want.re, format, question.budget, complex);
      if (wrong.empty() && got.complex) wrong = judge(got.im, want.im, format, question.budget, complex);
      break;
    }
  }
  if (wrong.empty()) return "";
  std::string text = std::string(question.op) + "(";
  for (std::size_t i = 0; i < operands.size(); ++i) text += (i == 0 ? "" : ", ") + text_of(operands[i]);
  return text + ") in " + std::string(name_of(question.kernel_dtype)) + " is " + text_of(got) + ", which " + wrong;
}

std::vector<std::string> entries() {
  std::vector<std::string> names;
  for (const NamedEntry& e : plain_entries()) names.emplace_back(e.name);
  return names;
}

}  // namespace frit::test::oracle
