// What a name in srepr text means: the structural classes and constants listed here, the SymPy classes of the op table, and those
// that are derived from these.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "graph/expr.hpp"
#include "ops/info.hpp"

namespace frit::srepr {

enum class Form : std::uint8_t {
  // names that stand alone
  constant,
  boolean,
  number,
  // classes whose arguments are literals
  integer,
  rational,
  decimal,
  symbol,
  dummy,
  // classes whose arguments are expressions
  add,
  multiply,
  power,
  op,
  derived,
  piecewise,
  pair,
  sequence,
  matrix,
};

enum class ValueKind : std::uint8_t {
  number,     // one node on the operand stack that is no condition
  condition,  // one that is a truth value
  sequence,   // any number of them
  pair,       // a value and a condition
  defined,    // the symbol that a pair of a cse result replaces: nothing on the stack
};

struct Class {
  std::string_view name;
  Form form = Form::op;
  OpId op{};
  bool variadic = false;
  bool logical = false;                  // takes conditions
  ValueKind result = ValueKind::number;  // of an op
  int least = 0;                         // number of arguments
  int most = 0;                          // -1: any
  std::uint32_t payload = 0;             // NamedConstant, 1 for true, index of a derived class
  std::string_view value = {};           // number: its text
};

// nullptr where frit does not read the class.
const Class* find_class(std::string_view name);
// Brackets without a name.
extern const Class round_bracket;
extern const Class square_bracket;

// " Did you mean 'sin'? frit reads: Abs, Add, ..."
std::string known_names_hint(std::string_view name);

}  // namespace frit::srepr
