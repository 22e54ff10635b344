// What a compiled kernel is made from, as bytes that are equal only where the kernels are.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compiler.hpp"
#include "plan/plan.hpp"
#include "runtime/kernel_cache.hpp"

namespace frit::runtime {

// Every field of the plan that code can depend on: all but the names of arguments and outputs. And every option that code
// depends on: all but threads and give_up.
std::vector<std::byte> key_bytes(const plan::Plan& plan, const CompileOptions& options);

// The whole key: the kind of code ("plan"), what it is made from, and what every kind depends on: the versions of frit and of the
// compiler module, and this CPU. Empty where there is no compiler module.
std::vector<std::byte> kernel_key(std::string_view kind, std::span<const std::byte> made_from);

// A kernel to and from the cache, by its key. The module is not opened for it; LLVM's library, which the module loads, is
// looked at: an entry holds its path and identity, and counts only while that file is the same.
std::unique_ptr<CompiledKernel> find_kernel(KernelCache& cache, std::span<const std::byte> key);
void keep_kernel(KernelCache& cache, std::span<const std::byte> key, const CompiledKernel& kernel,
                 const Compiler& compiler);

}  // namespace frit::runtime
