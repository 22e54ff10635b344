// Loops over the rows of a nest, where there is one row on the threads of the engine.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>

#include "arrays/data.hpp"
#include "arrays/elementwise.hpp"
#include "runtime/parallel.hpp"

namespace frit::arrays {

inline constexpr std::int64_t row_grain = 32 * 1024;  // elements that are worth a thread

// Calls row(offsets in bytes of each operand, begin, end) for all rows of a nest; a nest of one row may be cut between threads.
template <class Row> void for_each_row(const Nest& nest, std::size_t operands, const Workers& workers, Row row) {
  const std::int64_t inner = nest.rank == 0 ? 1 : nest.extents[static_cast<std::size_t>(nest.rank - 1)];
  if (nest.rank <= 1) {
    const std::array<std::int64_t, Nest::max_operands> offsets{};
    const auto run = [&](std::int64_t begin, std::int64_t end) { row(std::span(offsets).first(operands), begin, end); };
    // oneTBB cannot be rebuilt after fork, so a child process computes on the calling thread.
    if (workers.threads <= 1 || inner < 2 * row_grain || workers.process != getpid()) {
      run(0, inner);
      return;
    }
    runtime::parallel_for(
        workers.threads, (inner + row_grain - 1) / row_grain,
        [&](std::int64_t begin, std::int64_t end) { run(begin * row_grain, std::min(inner, end * row_grain)); });
    return;
  }
  std::array<std::int64_t, max_rank> at{};
  std::int64_t rows = 1;
  for (int i = 0; i < nest.rank - 1; ++i) rows *= nest.extents[static_cast<std::size_t>(i)];
  for (; rows > 0; --rows) {
    std::array<std::int64_t, Nest::max_operands> offsets{};
    for (std::size_t k = 0; k < operands; ++k)
      for (int i = 0; i < nest.rank - 1; ++i)
        offsets[k] += at[static_cast<std::size_t>(i)] * nest.strides[k][static_cast<std::size_t>(i)];
    row(std::span<const std::int64_t>(offsets).first(operands), 0, inner);
    for (int i = nest.rank - 2; i >= 0; --i) {
      if (++at[static_cast<std::size_t>(i)] < nest.extents[static_cast<std::size_t>(i)]) break;
      at[static_cast<std::size_t>(i)] = 0;
    }
  }
}

}  // namespace frit::arrays
