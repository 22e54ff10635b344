// Operations that a program does twice on the same operands.
#pragma once

#include "arrays/program.hpp"

namespace frit::arrays {

// Makes the users of equal nodes use the first of them; nothing may need the others any more. Nodes that can raise, effects and
// regions stay what they are.
void use_first_of_equal_nodes(Program& program);

}  // namespace frit::arrays
