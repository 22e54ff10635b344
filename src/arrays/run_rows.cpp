// Rows a few at a time: what is computed of each goes through all stages while it is in the nearest cache.
#include "arrays/prepared.hpp"
#include "core/fp_state.hpp"

namespace frit::arrays {

bool Run::row_by_row(std::int64_t count, std::span<const std::int64_t> argument_steps,
                     std::span<const std::int64_t> result_steps) {
  const auto apart = [](std::span<const std::int64_t> steps) {
    std::vector<Prepared::Apart> all;
    for (const std::int64_t bytes : steps) all.push_back({.all = bytes});
    return all;
  };
  const std::vector<Prepared::Apart> arguments = apart(argument_steps), results = apart(result_steps);
  const FpState fp;
  std::int64_t row = 0;
  for (const std::int64_t rows : {Prepared::most_rows, std::int64_t{1}}) {
    if (row + rows > count) continue;
    Prepared group(*this, arguments, results, rows, Prepared::Of::rows);
    if (!group.set_up()) return false;
    for (; row + group.rows() <= count; row += group.rows()) group.run(row);
  }
  return true;
}

}  // namespace frit::arrays
