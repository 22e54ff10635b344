// What eager and recorded control flow share.
#pragma once

#include <string_view>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "arrays/program.hpp"

namespace frit::arrays {

class Trace;

// What `callable` does, as a call of its own in the trace.
std::vector<Array> call_region(const std::shared_ptr<Trace>& trace, const std::function<std::vector<Array>()>& callable,
                               CalledFunction called, SourceLine where);

// The value of a boolean or an integer of rank 0. Errors: dtype_mismatch.
std::int64_t truth_or_index(const Data& data, std::string_view what);
// The same of each element of a boolean or an integer of rank 0 or 1; numbers beyond i64 are its greatest.
void truths_or_indices(const Data& data, std::span<std::int64_t> to);
// Throws cancelled where a loop has taken all the steps that it may; 0 is no limit.
void check_steps(std::int64_t steps, std::int64_t most);

}  // namespace frit::arrays
