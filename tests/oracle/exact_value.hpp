// Expressions and graphs in numbers of 400 bits, each op as mathematics has it: what an expression means must be what the graph
// computes that it becomes, but for rounding. Shares no code with math, ops or the front end's normalisation.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/expr.hpp"
#include "graph/graph.hpp"
#include "oracle/real.hpp"

namespace frit::test::oracle {

struct Value {
  Real re = 0.0;  // of a boolean 0 or 1
  Real im = 0.0;
  bool complex = false;
};

// Raised where rounding, of which there is some in 400 bits too, decides: beside a branch cut, where nearly all digits cancel,
// where numbers are next to equal, beyond all sizes.
struct Undecided {};

// The primitive op of this name; a real operand stays real, and what no real number has is NaN. Throws std::runtime_error,
// naming the op, where it has no entry.
Value value_of_op(std::string_view op, std::span<const Value> operands);

// Arguments by name.
using Arguments = std::map<std::string, Value, std::less<>>;

// Every output of the graph.
std::vector<Value> evaluate(const Graph& graph, const Arguments& arguments);
// Every output of the expression. Literals are rounded to the dtype, as docs/numerics.md says; roots and logarithms of negative
// numbers are complex.
std::vector<Value> evaluate(const Expr& expr, const Arguments& arguments, DType kernel_dtype);

// False where the two differ by more than rounding in 400 bits explains. A real value is the complex one with no imaginary part.
bool agree(const Value& a, const Value& b);

}  // namespace frit::test::oracle
