// A program over scalars as one over many of them side by side, for map without machine code: each value that differs from
// element to element becomes an array of rank 1, so that operations are fused loops.
#pragma once

#include <optional>

#include "arrays/program.hpp"

namespace frit::arrays {

// The body of a map whose first `elements` arguments are elements, and the others the same for all. The result takes arrays of
// rank 1 in their place, whose extent is its only symbol, and gives such arrays. Empty where the body has arrays, or what is
// done one after the other.
std::optional<Program> over_lanes(const Program& body, std::uint32_t elements);

}  // namespace frit::arrays
