// Rows that machine code computes in one call.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/function.hpp"

namespace frit::arrays {

struct Batches {
  // Bytes from a row to the next, of each operand and result.
  std::vector<std::int64_t> operand_steps, result_steps;
  int one_by_one = 0;  // the next batches, since one had rare events

  // `walk` is at the first of the rows; `run_one(i)` moves it to the i-th and runs it. Errors: those of run_one.
  template <class RunOne> void run(runtime::EventRanges::Walk& walk, std::int64_t rows, const RunOne& run_one) {
    if (rows > 1 && one_by_one == 0) {
      if (walk.run_rows(rows, operand_steps.data(), result_steps.data())) return;
      constexpr int until_next_trial = 8;
      one_by_one = until_next_trial;
    } else if (rows > 1) {
      --one_by_one;
    }
    for (std::int64_t i = 0; i < rows; ++i) run_one(i);
  }
};

}  // namespace frit::arrays
