// Memory of arrays from a few hundred bytes to some ten thousand, kept by each thread for its next one: the C library takes longer
// for an aligned block than an operation on its elements does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace frit::runtime {

// Larger blocks are not kept here (runtime/array_memory.hpp keeps those).
inline constexpr std::int64_t largest_small_block = 64 * 1024;

// At least so many bytes, of which there are at most largest_small_block, aligned to 64, uninitialised. The last copy of the pointer may
// go on any thread, which keeps the block then, up to a megabyte in all. Empty where there is no memory.
std::shared_ptr<std::byte> take_small_block(std::int64_t bytes);

}  // namespace frit::runtime
