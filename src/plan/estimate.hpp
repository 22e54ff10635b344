// What becomes of an op in machine code, before there is any.
#pragma once

#include <cstdint>

#include "ops/info.hpp"

namespace frit::plan {

// Operations that a compiler makes of an op in this form, roughly: what the templates emit at present for the dearest forms.
std::int64_t machine_operations(OpId op, unsigned form);

}  // namespace frit::plan
