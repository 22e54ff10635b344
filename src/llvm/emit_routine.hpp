// A routine as one LLVM function: its branches and loops are real ones.
#pragma once

#include <llvm/IR/Module.h>

#include "core/compiler.hpp"
#include "plan/routine.hpp"

namespace frit::codegen {

struct RoutineOptions {
  unsigned width = 1;          // lanes of a vector
  unsigned copies = 1;         // vectors that are computed side by side
  unsigned vector_bytes = 16;  // of a register
  bool full_form = false;      // what is rare is computed always, not behind a branch (tests)
};

// Adds the function, a RoutineEntry named function_name(0). Returns the number of its instructions.
std::int64_t emit_routine(llvm::Module& module, const plan::Routine& routine, const RoutineOptions& options);

}  // namespace frit::codegen
