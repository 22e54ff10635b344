// The IR of an op on integers: the op's own template on lanes that emit.
#pragma once

#include "frit/dtype.hpp"
#include "llvm/emit_value.hpp"
#include "ops/info.hpp"

namespace frit::codegen {

// op(operands...) of integers of one dtype, at the current emission; a boolean is a vector of i1. `raises` becomes the lanes in
// which the operands have no result, or nullptr where the op always has one.
llvm::Value* emit_integer(OpId op, DType dtype, llvm::ArrayRef<llvm::Value*> operands, llvm::Value*& raises);

}  // namespace frit::codegen
