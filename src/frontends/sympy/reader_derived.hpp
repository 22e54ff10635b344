// SymPy classes that stand for an expression in other classes, such as sec(x) for 1/cos(x): each is replaced by that expression
// when it is read, so that what comes after knows nothing of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "graph/expr.hpp"

namespace frit::srepr {

// Raised where the expression exists for some arguments only, with what SymPy's class takes here.
struct NotDerivable {
  std::string message;
};

struct DerivedClass {
  std::string_view name;
  int least;
  int most;
  bool logical;              // conditions in, a condition out
  bool relation;             // numbers in, a condition out
  std::string_view meaning;  // as docs/ops.md prints it, of x, y, z or a, b, c
  ExprId (*build)(Expr& expr, std::span<const ExprId> x);
};

std::span<const DerivedClass> derived_classes();

}  // namespace frit::srepr
