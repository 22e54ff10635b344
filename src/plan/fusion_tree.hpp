// The fused patterns as data at run time.
#pragma once

#include <span>

#include "plan/fusion.hpp"

namespace frit::plan {

// The nodes of a pattern in prefix order.
std::span<const fusion::PatternNode> pattern_nodes(FusionId id);

}  // namespace frit::plan
