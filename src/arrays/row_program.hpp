// What a program does to each row of its arrays by itself, as a region that runs over blocks of rows: what passes between its
// loops and reductions stays in the cache.
#pragma once

#include <optional>
#include <vector>

#include "arrays/equal_extents.hpp"
#include "arrays/program.hpp"

namespace frit::arrays {

// Of each node whether something that can be seen depends on it: an output, an error or an effect.
std::vector<bool> needed_nodes(const Program& program);

// The same program with regions of kind RegionCall::Kind::rows, or nothing where it has no reduction along rows that it fuses
// with something. A row is what stands at one place of the first axis.
std::optional<Program> by_rows(const Program& program, const EqualExtents& extents);

}  // namespace frit::arrays
