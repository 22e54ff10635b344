// Reads elements of any dtype and stride into contiguous lanes of the kernel's dtype, and writes results back.
#pragma once

#include <cstdint>

#include "frit/abi.h"

namespace frit::exec {

// Elements [begin, begin + n) of the operand's real (or imaginary) part, converted to T; elements [n, padded) repeat the
// last one, so that padding never takes a rare path that no event takes.
template <class T>
void pack(const FritOperand& operand, bool imaginary, std::int64_t begin, std::int64_t n, std::int64_t padded, T* to);

// Writes n elements of one or two parts at `begin` as they are; a boolean result reads lane masks.
template <class T> void unpack(const T* re, const T* im, const FritResult& result, std::int64_t begin, std::int64_t n);

}  // namespace frit::exec
