// An expression as text for people: infix, a line for each named part.
#pragma once

#include <string>

#include "graph/expr.hpp"

namespace frit {

//   %1 = (x - mu)**2
//   output = a*exp(-1/2*%1) + b*sin(%1)
//
// What is used more than once has a name, and so has what would make a line long: the text grows linearly with the nodes.
// Symbols stand as they are where no other reading is possible, else in quotes. The text is not read back.
std::string print_expression(const Expr& expr);

}  // namespace frit
