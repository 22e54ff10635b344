#include "core/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace frit {
namespace {

// Levenshtein distance, given up (limit + 1) once it must exceed the limit.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  std::vector<std::size_t> row(a.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i) row[i] = i;
  for (std::size_t k = 1; k <= b.size(); ++k) {
    std::size_t diagonal = row[0];
    row[0] = k;
    std::size_t smallest = k;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      const std::size_t above = row[i];
      row[i] = std::min({row[i] + 1, row[i - 1] + 1, diagonal + (a[i - 1] == b[k - 1] ? 0u : 1u)});
      diagonal = above;
      smallest = std::min(smallest, row[i]);
    }
    if (smallest > limit) return limit + 1;
  }
  return row[a.size()];
}

}  // namespace

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  if (candidates.empty()) return "";
  std::size_t limit = std::max<std::size_t>(1, std::min<std::size_t>(name.size() / 3, 8));
  const std::string_view* best = nullptr;
  for (const std::string_view& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate, limit);
    if (distance > limit) continue;
    best = &candidate;
    if (distance == 0) break;
    limit = distance - 1;
    if (limit == 0) break;
  }
  if (best != nullptr) return fmt::format("; did you mean '{}'?", *best);
  constexpr std::size_t shown = 5;
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, candidates.size()); ++i)
    list += fmt::format("{}'{}'", i == 0 ? "" : ", ", candidates[i]);
  return fmt::format("; there are {}{}", list, candidates.size() > shown ? ", ..." : "");
}

}  // namespace frit
