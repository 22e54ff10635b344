// What a call of a lowered program costs: its stages, walked as run.cpp runs them, without elements.
#pragma once

#include <span>

#include "arrays/lower.hpp"
#include "frit/stages.hpp"

namespace frit::arrays {

// A branch costs what the dearest of its branches does, part by part; a loop whose number of steps is a value, one step.
Cost cost_of(const Lowered& lowered, std::span<const Data* const> arguments, std::span<const std::int64_t> symbols);

}  // namespace frit::arrays
