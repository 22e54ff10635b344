// A state of a reduction and its memory.
#pragma once

#include <bit>
#include <limits>
#include <memory>
#include <new>

#include "exec/reduce.hpp"

namespace frit::exec {

// Of a range of so many elements: those that are added to it, and those of the states that it is merged with. Small ones need no memory
// but their own.
class ReduceRange : public ReduceState {
 public:
  explicit ReduceRange(std::int64_t first_element = 0, std::int64_t elements = std::numeric_limits<std::int64_t>::max())
      : ReduceState(first_element, here_) {
    const int nodes_needed = most_nodes_of(first_element, elements);
    if (nodes_needed <= few_nodes) return;
    more_.reset(static_cast<std::byte*>(
        ::operator new (static_cast<std::size_t>(nodes_needed) * node_bytes, std::align_val_t{alignment})));
    node = more_.get();
  }
  ReduceRange(const ReduceRange&) = delete;
  ReduceRange& operator=(const ReduceRange&) = delete;

 private:
  static constexpr std::size_t alignment = 64;
  static constexpr int few_nodes = 1;
  // A node for each bit of the number of blocks; of a range that begins within the axis as many on the way up.
  static int most_nodes_of(std::int64_t first_element, std::int64_t elements) {
    const auto blocks = static_cast<std::uint64_t>(elements / reduce_block + 1);
    return (first_element == 0 ? 1 : 2) * static_cast<int>(std::bit_width(blocks));
  }
  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{alignment}); }
  };
  alignas(alignment) std::byte here_[few_nodes * node_bytes];
  std::unique_ptr<std::byte, Free> more_;
};

}  // namespace frit::exec
