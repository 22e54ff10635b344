// What eager and recorded control flow share.
#pragma once

#include <string_view>

#include "arrays/data.hpp"

namespace frit::arrays {

// The value of a boolean or an integer of rank 0. Errors: dtype_mismatch.
std::int64_t truth_or_index(const Data& data, std::string_view what);
// Throws cancelled where a loop has taken all the steps that it may; 0 is no limit.
void check_steps(std::int64_t steps, std::int64_t most);

}  // namespace frit::arrays
