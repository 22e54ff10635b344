// What machine code depends on besides its program: the CPU and the compiler, as texts that are equal only where these are.
#pragma once

#include <filesystem>
#include <string>

namespace frit::code {

// What a compiler can ask this CPU about itself: model and features, and the registers that the system saves.
const std::string& cpu_identity();

// Of a shared library, without loading it: the build ID that its linker gave it, else its size and time. "" where there is none.
std::string library_identity(const std::filesystem::path& path);

}  // namespace frit::code
