// Reads elements of any dtype and stride into contiguous lanes of the kernel's dtype, and writes results back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "exec/kernel_table.hpp"
#include "frit/abi.h"

namespace frit::exec {

// Elements [begin, begin + n) of the operand's real (or imaginary) part, converted to T; elements [n, padded) repeat the
// last one, so that padding never takes a rare path that no event takes.
template <class T>
void pack(const FritOperand& operand, bool imaginary, std::int64_t begin, std::int64_t n, std::int64_t padded, T* to);

// Writes n elements of one or two parts at `begin` as they are; a boolean result reads lane masks.
template <class T> void unpack(const T* re, const T* im, const FritResult& result, std::int64_t begin, std::int64_t n);

// n copies of an element of `size` bytes, n at least 1.
// NOTE: each copy is twice as long as the one before; a loop over elements is not vectorised at -O2.
inline void repeat_element(const std::byte* element, std::size_t size, std::int64_t n, std::byte* to) {
  std::memcpy(to, element, size);
  const std::size_t all = size * static_cast<std::size_t>(n);
  for (std::size_t done = size; done < all; done *= 2)
    std::memcpy(to + done, to, done < all - done ? done : all - done);
}

// Repeats a scalar over one block; a boolean as a lane mask.
template <class T> void splat(double value, bool boolean, std::byte* block) {
  T x = static_cast<T>(value);
  if (boolean) std::memset(&x, value != 0 ? 0xff : 0, sizeof x);
  for (int i = 0; i < scalar_bytes; i += static_cast<int>(sizeof(T))) std::memcpy(block + i, &x, sizeof x);
}

}  // namespace frit::exec
