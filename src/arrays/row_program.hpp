// What a program does to each row of its arrays by itself, as a region that runs over blocks of rows: what passes between its
// loops and reductions stays in the cache.
#pragma once

#include <optional>

#include "arrays/equal_extents.hpp"
#include "arrays/program.hpp"

namespace frit::arrays {

// The same program with regions of kind RegionCall::Kind::rows, or nothing where it has no reduction along rows that it fuses
// with something. A row is what stands at one place of the first axis.
std::optional<Program> by_rows(const Program& program, const EqualExtents& extents);

}  // namespace frit::arrays
