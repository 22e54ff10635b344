#include "oracle/oracle.hpp"

#include <cstdio>
#include <stdexcept>

namespace frit::test::oracle {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

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

// Whether the last bits of a part decide; else it is a special value.
bool is_measured(const Part& want) {
  return want.value.is_regular() || (want.value.is_zero() && (want.unit.is_regular() || want.slack.is_regular()));
}

std::string judge(double got, const Part& want, const Format& format, const Budget& budget, bool complex) {
  const bool subnormal = is_subnormal(want, format);
  const double off = ulps_off(got, want, format);
  if (off <= (complex ? budget.complex : budget.of_real(subnormal)) && off < infinite) return "";
  switch (want.is) {
    case Part::Is::any_infinity: return "is not infinite";
    case Part::Is::any_zero: return "is not zero";
    case Part::Is::open: return "";
    default: break;
  }
  if (want.is == Part::Is::exactly || !is_measured(want)) return "is not " + text_of(want.value.shown());
  if (std::isnan(got)) return "is NaN and not near " + text_of(want.value.shown());
  return "is " + text_of(off) + " ulp from " + text_of(want.value.shown());
}

bool any_complex(std::span<const Number> operands) {
  return std::any_of(operands.begin(), operands.end(), [](const Number& x) { return x.complex; });
}

}  // namespace

bool is_subnormal(const Part& want, const Format& format) {
  return want.value.is_regular() && want.value.exponent() < format.min_exponent;
}

double ulps_off(double got, const Part& want, const Format& format) {
  const auto whether = [](bool right) { return right ? 0 : infinite; };
  switch (want.is) {
    case Part::Is::exactly: return whether(same_value(got, want.value.shown()));
    case Part::Is::any_infinity: return whether(std::isinf(got));
    case Part::Is::any_zero: return whether(got == 0);
    case Part::Is::open: return 0;
    case Part::Is::near: break;
  }
  if (!is_measured(want)) return whether(same_value(got, want.value.shown()));
  if (std::isnan(got)) return infinite;
  // An infinity, and what lies beyond the range, count as the power of two above the largest number.
  Real limit;
  mpfr_set_si_2exp(limit.get(), 1, format.max_exponent, MPFR_RNDN);
  const auto within = [&](const Real& x) {
    if (mpfr_cmpabs(x.get(), limit.get()) <= 0) return x;
    return x.is_negative() ? -limit : limit;
  };
  const Real beyond = magnitude(within(Real(got)) - within(want.value)) - want.slack;
  if (beyond.is_zero() || beyond.is_negative()) return 0;
  if (!want.unit.is_regular()) return infinite;
  Real unit;
  mpfr_set_si_2exp(unit.get(), 1, format.last_place(within(want.unit)), MPFR_RNDN);
  return mpfr_get_d((beyond / (unit * Real(want.factor))).get(), MPFR_RNDU);
}

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
  return difference(question, operands, got, expected(question, operands));
}

std::string difference(const Question& question, std::span<const Number> operands, const Number& got,
                       const Expected& want) {
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
