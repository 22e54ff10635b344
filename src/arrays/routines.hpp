// Control flow over scalars and small arrays of static shape as a routine: each element is a value of its own, so that a
// compiler makes real branches and loops of it.
#pragma once

#include <optional>
#include <vector>

#include "arrays/program.hpp"
#include "plan/routine.hpp"

namespace frit::arrays {

// A routine, and for each of its operands what it is: an operand of the region or an array of the surrounding code, by number,
// or the values of `extents` as i64. Its results are those of the region.
struct RegionRoutine {
  struct Source {
    enum class Kind : std::uint8_t { operand, captured, extents } kind = Kind::operand;
    std::uint32_t number = 0;
  };
  struct Loop {
    std::int64_t most_steps = 0;
    SourceLine where;
  };
  plan::Routine routine;
  std::vector<Source> sources;
  std::vector<Data> captured;
  std::vector<Extent> extents;
  std::vector<Loop> loops;  // by RoutineStep::number_of_loop
};

// Empty where the region has what a routine has no steps for: arrays that are large or of any size, operations of places that
// depend on values, ...
std::optional<RegionRoutine> routine_of(const Program& program, ValueId region);

}  // namespace frit::arrays
