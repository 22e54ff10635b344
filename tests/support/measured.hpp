// What tools/accuracy measures and docs/numerics.md lists: ops that compute from one or two real operands, and the complex forms
// of them that do more than round once.
#pragma once

#include <string>
#include <vector>

#include "ops/table.hpp"

namespace frit::test {

struct MeasuredForm {
  OpId op;
  unsigned form;     // as in Node: bit i is set where operand i is complex
  std::string name;  // of a complex form with its operands, z and w where complex and x where real: "divide(x, z)"
};

inline std::string name_of_form(const OpInfo& info, unsigned form) {
  if (form == 0) return info.name;
  if (info.arity == 1) return std::string(info.name) + "(z)";
  return std::string(info.name) + (form == 1 ? "(z, x)" : form == 2 ? "(x, z)" : "(z, w)");
}

inline std::vector<MeasuredForm> measured_forms() {
  std::vector<MeasuredForm> result;
  for (int i = 0; i < op_count(); ++i) {
    const auto op = static_cast<OpId>(i);
    const OpInfo& info = info_of(op);
    const bool numbers = info.type == TypeRule::arithmetic || info.type == TypeRule::real ||
                         info.type == TypeRule::to_real || info.type == TypeRule::to_complex;
    if (is_composite(op) || info.arity > 2 || info.cost == CostClass::free || !numbers) continue;
    for (unsigned form = 0; form < 4; ++form) {
      if ((forms_of(op) >> form & 1u) == 0 || (form != 0 && info.budget.complex <= 0.5)) continue;
      result.push_back({op, form, name_of_form(info, form)});
    }
  }
  return result;
}

}  // namespace frit::test
