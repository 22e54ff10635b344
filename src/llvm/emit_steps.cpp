#include "llvm/emit_steps.hpp"

namespace frit::codegen {

void emit_step_f32(OpId op, unsigned form, llvm::Value** parts);
void emit_step_f64(OpId op, unsigned form, llvm::Value** parts);

void emit_step(OpId op, unsigned form, DType kernel_dtype, llvm::Value** parts) {
  kernel_dtype == DType::f64 ? emit_step_f64(op, form, parts) : emit_step_f32(op, form, parts);
}

}  // namespace frit::codegen
