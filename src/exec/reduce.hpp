// Reductions of runs of elements, independent of the ISA. ops/reduce.hpp lists them and says in which order they combine.
//
// A reduction is streaming. For each range of the axis that is computed by itself, one state:
//
//   ReduceRange state(first, elements);   // the number of the range's first element, a multiple of reduce_block
//   kernel.add(state, data, n);           // runs in order; n of every run but the axis' last a multiple of reduce_block
//   kernel.merge(left, right);            // `right` follows on `left`; `left` becomes both
//   kernel.finish(state, &result);        // of the whole axis: one element of ops::result_of(info, dtype)
//
// The result has the same bits for every division into runs, ranges and merges, and with every ISA.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/reduce.hpp"

namespace frit::exec {

inline constexpr int reduce_lanes = 32;   // virtual: the same on every ISA
inline constexpr int reduce_block = 256;  // 8 vectors

// The elements seen so far, as nodes of the cascade: each has 32 lanes, and stands for 2^level blocks.
//
// NOTE: a range that starts in the middle of the axis has at most two nodes of each level, one on the way up and one down,
// and there are 2^55 blocks at most.
struct ReduceState {
  static constexpr int most_nodes = 2 * 56;
  static constexpr int node_bytes = reduce_lanes * 16;

  std::int64_t first;      // number of the first element
  std::int64_t count = 0;  // elements so far
  int nodes = 0;
  std::uint8_t level[most_nodes];
  // Aligned to 64 bytes; exec/reduce_range.hpp says how many there are. argmin and argmax have the best element and its number here instead.
  std::byte* node;

  ReduceState(std::int64_t first_element, std::byte* memory) : first(first_element), node(memory) {}
  ReduceState(const ReduceState&) = delete;
  ReduceState& operator=(const ReduceState&) = delete;
};

struct ReduceKernel {
  // `data` may have any address.
  void (*add)(ReduceState& state, const void* data, std::int64_t n) = nullptr;
  void (*merge)(ReduceState& left, const ReduceState& right) = nullptr;
  // The form by blocks, where ops::sums_by_blocks(): of n elements first the 32 lanes of each whole block, then what is behind the
  // blocks as it is. `sum_blocks` puts the lanes of so many blocks at their beginning; `add_blocks` is `add` for that form.
  void (*sum_blocks)(void* data, std::int64_t blocks) = nullptr;
  void (*add_blocks)(ReduceState& state, const void* data, std::int64_t n) = nullptr;
  auto adder(bool by_blocks) const { return by_blocks ? add_blocks : add; }
  // Of no elements: the neutral element, which the caller refuses for min and max; -1 of argmin and argmax.
  void (*finish)(const ReduceState& state, void* result) = nullptr;
};

// The elements of the form by blocks of n elements, which is where the next ones go on.
constexpr std::int64_t size_by_blocks(std::int64_t n) { return n / reduce_block * reduce_lanes + n % reduce_block; }

// Of a run that is the whole axis, perhaps in the form by blocks; `state` is used anew.
inline void reduce_run(const ReduceKernel& kernel, const std::byte* elements, std::int64_t n, bool by_blocks,
                       std::byte* to, ReduceState& state) {
  state.first = 0;
  state.count = 0;
  state.nodes = 0;
  kernel.adder(by_blocks)(state, elements, n);
  kernel.finish(state, to);
}

// The cumulative form of a reduction: runs in order, of which every one but the last is a multiple of scan_block.
inline constexpr int scan_block = 64;
struct ScanState {
  bool begun = false;
  alignas(16) std::byte last[16];  // the last element of the result
};
// `results` has n elements of ops::result_of(info, dtype). It may be `data` where that is the dtype itself. A NaN
// among them has any sign and payload, as in every kernel but finish().
using ScanKernel = void (*)(ScanState& state, const void* data, void* results, std::int64_t n);

// [reduction][dtype of the elements]; empty where the reduction does not take the dtype, or has no cumulative form.
struct ReduceTable {
  ReduceKernel reduce[ops::AllReductions::size][dtype_count] = {};
  ScanKernel scan[ops::AllReductions::size][dtype_count] = {};
};

}  // namespace frit::exec
