// What eager and recorded control flow share.
#pragma once

#include <string_view>

#include <functional>
#include <memory>
#include <vector>

#include "arrays/program.hpp"

namespace frit::arrays {

class Trace;

// What `callable` does, as a call of its own in the trace.
std::vector<Array> call_region(const std::shared_ptr<Trace>& trace, const std::function<std::vector<Array>()>& callable,
                               CalledFunction called, SourceLine where);

// The value of a boolean or an integer of rank 0. Errors: dtype_mismatch.
std::int64_t truth_or_index(const Data& data, std::string_view what);
// Throws cancelled where a loop has taken all the steps that it may; 0 is no limit.
void check_steps(std::int64_t steps, std::int64_t most);

}  // namespace frit::arrays
