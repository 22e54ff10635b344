// What each op must give: MPFR for real numbers, pairs of its numbers for complex ones, written from the mathematical
// definition of the op, C99 Annex F and G and docs/numerics.md. Shares no code with lanes, math or ops.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frit/dtype.hpp"
#include "ops/info.hpp"
#include "oracle/real.hpp"

namespace frit::test::oracle {

// A value in a graph; a boolean is 0 or 1 in `re`.
struct Number {
  double re = 0;
  double im = 0;
  bool complex = false;
};

// What a part of a result must be.
struct Part {
  enum class Is {
    exactly,       // `value`, sign of zero and infinity too; any NaN for a NaN
    near,          // within the budget of `value`, in units of the last place of `unit`
    any_infinity,  // of either sign
    any_zero,
    open,  // not said
  };
  Is is = Is::open;
  Real value = 0;
  Real unit = 0;
  double factor = 1;  // of the budget
  Real slack = 0;     // allowed besides the budget, absolute
};

struct Expected {
  Part re, im;
  enum class Pair { parts, an_infinity, a_zero, some_nan } pair = Pair::parts;
};

struct Question {
  std::string_view op;
  Budget budget;
  DType kernel_dtype;
};

// Throws std::runtime_error, naming the op, where it has no entry here.
Expected expected(const Question& question, std::span<const Number> operands);

// How far `got` is off in units of the last place, to compare with the budget; what must be a certain value is 0 or infinitely far
// off.
double ulps_off(double got, const Part& want, const Format& format);
// Whether the exact value lies below the normal range.
bool is_subnormal(const Part& want, const Format& format);

// "" where `got` is right, else what is wrong with it; `want` as `expected` gives it.
std::string difference(const Question& question, std::span<const Number> operands, const Number& got,
                       const Expected& want);
std::string difference(const Question& question, std::span<const Number> operands, const Number& got);

// The names of the entries.
std::vector<std::string> entries();

// ---- For the files of entries.

struct Operands {
  std::span<const Number> x;
  Format format;
};
using Entry = void (*)(const Operands& o, Expected& result);
struct NamedEntry {
  std::string_view name;
  Entry entry;
};
std::span<const NamedEntry> plain_entries();         // arithmetic, comparisons, selection, parts, real functions
std::span<const NamedEntry> complex_trig_entries();  // circular and hyperbolic functions of complex numbers
Entry complex_entry(std::string_view name);  // for operands of which one is complex; nullptr where there is none

inline Part is_exactly(double value) { return {.is = Part::Is::exactly, .value = value}; }
inline Part rounded(const Format& format, const Real& value) { return is_exactly(format.round(value)); }
// In units of its own last place.
inline Part near(const Real& value) { return {.is = Part::Is::near, .value = value, .unit = value}; }
inline Part near(const Real& value, const Real& unit) { return {.is = Part::Is::near, .value = value, .unit = unit}; }

}  // namespace frit::test::oracle
