#include "llvm/emit_steps_body.hpp"

namespace frit::codegen {
void emit_step_f64(OpId op, unsigned form, llvm::Value** parts) { emit_step_as<double>(op, form, parts); }
}  // namespace frit::codegen
