// The IR of one step of a plan: the op's own template on the emitting lane model.
#pragma once

#include "frit/dtype.hpp"
#include "llvm/emit_value.hpp"
#include "plan/plan.hpp"

namespace frit::codegen {

// Appends op(parts...) in the given form at the current emission; `parts` holds the operands' parts and receives the results'
// behind them. A boolean part is a vector of i1.
void emit_step(OpId op, unsigned form, DType kernel_dtype, llvm::Value** parts);

}  // namespace frit::codegen
