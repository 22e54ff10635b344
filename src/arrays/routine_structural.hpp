// Structural operations on the elements of small arrays.
#pragma once

#include "arrays/routine_values.hpp"

namespace frit::arrays {

// Elements that are numbers from `first` on: views and copies of them say where they take elements from.
Data numbered(std::span<const std::int64_t> extents, std::int64_t first);
std::vector<std::int64_t> numbers_in(const Data& data);

// The operation in the order of its kernels, so that bits are equal. Throws NoRoutine.
Elements routine_structural(RoutineValues& values, const StructuralCall& call, const Type& type,
                            std::span<const Elements> operands);

}  // namespace frit::arrays
