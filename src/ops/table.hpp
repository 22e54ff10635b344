// The op table at run time: what each op says of itself, by id, name or SymPy class. Derived from ops::AllOps.
#pragma once

#include <optional>
#include <string_view>

#include "ops/info.hpp"

namespace frit {

int op_count();
const OpInfo& info_of(OpId op);
// A composite op is expanded into other ops when a graph is built and never reaches a plan.
bool is_composite(OpId op);
// Bit m of the result is set where the op takes its operands in form m; bit i of a form says that operand i is complex.
// 0 for composite ops, which take what their expansion takes.
unsigned forms_of(OpId op);
// The integer form of the op can raise an error, which is its kernel's to say.
bool can_raise(OpId op);
std::optional<OpId> find_op(std::string_view name);
std::optional<OpId> find_op_of_sympy_class(std::string_view class_name);

}  // namespace frit
