#include "llvm/emit_steps_body.hpp"

namespace frit::codegen {
void emit_step_f32(OpId op, unsigned form, llvm::Value** parts) { emit_step_as<float>(op, form, parts); }
}  // namespace frit::codegen
