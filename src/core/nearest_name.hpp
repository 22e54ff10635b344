// Hints for misspelt names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace frit {

// "; did you mean 'x'?" with the candidate of the smallest edit distance, where it is near enough to be a slip; else a
// list of the first few names, or "" without candidates.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace frit
