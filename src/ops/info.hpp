// What an op says of itself besides its value: name, arity, dtype rule, cost class, error budget, and the SymPy class that
// reads as it. Plain data, so that every table, printer, parser, page and test can derive from the list of ops.
#pragma once

#include <cstdint>

namespace frit {

// An index into AllOps (ops/list.hpp). Only id_of<Op> makes one.
enum class OpId : std::uint16_t {};

// Which operands an op takes and what it returns.
enum class TypeRule : std::uint8_t {
  arithmetic,  // real or complex operands; complex as soon as one operand is, where the op has that form
  real,        // real operands and result
  to_real,     // one real or complex operand, real result
  to_complex,  // real operands, complex result
  compare,     // real or complex operands, boolean result
  logical,     // boolean operands and result
  select,      // (boolean, a, b) with a and b of one dtype, which is the result's
  integer,     // integer operands and result; no form of floating dtypes
};

// All ops so far are element-wise: the result has the broadcast shape of the operands.
enum class ShapeRule : std::uint8_t { elementwise };

enum class CostClass : std::uint8_t {
  free,       // renames parts of its operands
  cheap,      // add, multiply, compare, select
  divide,     // division and square root
  elementary  // exp, log, trigonometric functions and what is made of them
};

// Largest error allowed, in units in the last place of the exact result (subnormal spacing below the normal range); for
// a complex result per part where it is well conditioned. 0.5 is correctly rounded, 0 exact.
struct Budget {
  double real = 0;
  double complex = 0;
  double subnormal = -1;          // of a real result below the normal range; negative: as `real`
  const char* special = nullptr;  // what special values do otherwise than C99 Annex F and G; nullptr where nothing

  constexpr double of_real(bool subnormal_result) const {
    return subnormal_result && subnormal >= 0 ? subnormal : real;
  }
};

struct OpInfo {
  const char* name;
  int arity;
  TypeRule type = TypeRule::arithmetic;
  ShapeRule shape = ShapeRule::elementwise;
  CostClass cost = CostClass::cheap;
  Budget budget = {};
  const char* sympy = nullptr;  // class name in srepr text; nullptr where SymPy writes it in other classes
  bool variadic = false;        // SymPy's class takes any number of operands and is folded from the left
  bool commutative = false;     // value(a, b) and value(b, a) have the same bits
  bool integers = false;        // has a form of integer operands too, all of one dtype
};

}  // namespace frit
