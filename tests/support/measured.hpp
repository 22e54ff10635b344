// Which ops tools/accuracy measures and docs/numerics.md lists: those that compute from one or two real operands.
#pragma once

#include "ops/table.hpp"

namespace frit::test {

inline bool is_measured(OpId op) {
  const OpInfo& info = info_of(op);
  const bool numbers = info.type == TypeRule::arithmetic || info.type == TypeRule::real ||
                       info.type == TypeRule::to_real || info.type == TypeRule::to_complex;
  return !is_composite(op) && (forms_of(op) & 1u) != 0 && info.arity <= 2 && info.cost != CostClass::free && numbers;
}

}  // namespace frit::test
