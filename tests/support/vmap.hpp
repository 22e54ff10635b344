// vmap as a loop.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "frit/frit.hpp"

namespace frit::test {

using BatchAxes = std::vector<std::optional<int>>;

// The callable for each element of these axes of the arguments; its results stacked.
inline std::vector<Array> looped(const Region& callable, const BatchAxes& axes, std::span<const Array> arguments) {
  std::int64_t n = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (axes[i]) n = arguments[i].extent(*axes[i]);
  std::vector<std::vector<Array>> parts;
  for (std::int64_t k = 0; k < n; ++k) {
    std::vector<Array> seen;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      seen.push_back(axes[i] ? arguments[i].index(*axes[i], k) : arguments[i]);
    const std::vector<Array> results = callable(seen);
    parts.resize(results.size());
    for (std::size_t i = 0; i < results.size(); ++i) parts[i].push_back(results[i]);
  }
  std::vector<Array> all;
  for (const std::vector<Array>& part : parts) all.push_back(stack(part));
  return all;
}

}  // namespace frit::test
