// Elementary functions as functions of the module, emitted once and called, instead of in line at every use: less code to
// generate, for calls around which every register is spilled. The bits are the same.
#pragma once

#include <llvm/IR/Module.h>

#include "frit/dtype.hpp"
#include "plan/plan.hpp"

namespace frit::codegen {

// What every function of frit's code has: vectors of `bytes`, in registers and on the stack.
void set_attributes(llvm::Function& function, unsigned bytes);

// As emit_step(): `parts` holds the operands' parts and receives the results' behind them.
void emit_called_step(llvm::Module& module, OpId op, unsigned form, DType kernel_dtype, llvm::Value** parts,
                      unsigned operands, unsigned results);

}  // namespace frit::codegen
