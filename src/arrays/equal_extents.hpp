// What the conditions of a trace say of its extents: of all that are equal one stands for the others.
#pragma once

#include <map>
#include <span>
#include <utility>

#include "arrays/program.hpp"

namespace frit::arrays {

class EqualExtents {
 public:
  explicit EqualExtents(std::span<const Condition> conditions) {
    for (const Condition& condition : conditions)
      if (condition.kind == Condition::Kind::equal) join(condition.a, condition.b);
    for (auto& [key, extent] : stands_for_) extent = of(extent);
  }
  // A number where one is among those that are equal.
  Extent of(Extent extent) const {
    for (auto at = stands_for_.find(key_of(extent)); at != stands_for_.end(); at = stands_for_.find(key_of(extent)))
      extent = at->second;
    return extent;
  }

 private:
  using Key = std::pair<const Terms*, std::int64_t>;
  static Key key_of(const Extent& extent) { return {extent.terms(), extent.constant()}; }
  void join(Extent a, Extent b) {
    a = of(a);
    b = of(b);
    if (!b.is_symbolic()) std::swap(a, b);
    if (!identical(a, b)) stands_for_.emplace(key_of(b), a);
  }

  std::map<Key, Extent> stands_for_;
};

}  // namespace frit::arrays
