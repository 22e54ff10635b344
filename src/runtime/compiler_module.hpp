// Finds and opens the compiler's shared module, once a process.
#pragma once

#include <string>

#include "core/compiler.hpp"

namespace frit::runtime {

// The compiler; opens the module on the first call. It is looked for where the environment variable FRIT_COMPILER_MODULE
// says, else beside the program or library that holds this code, in ../lib/frit and in . there.
// Throws compiler_missing and compiler_version, with the places that were tried.
Compiler& load_compiler();

// "" where the module is there (it is not opened), else why it is not.
std::string compiler_is_missing();

// Where it is, without opening it; "" where there is none.
std::string compiler_module_path();

}  // namespace frit::runtime
