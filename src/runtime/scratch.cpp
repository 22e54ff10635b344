#include "runtime/scratch.hpp"

#include <fmt/format.h>

#include <new>

#include "frit/error.hpp"

namespace frit::runtime {
namespace {

constexpr std::align_val_t alignment{64};
// A block above this size (whole arrays of eager mode) goes back to the system after its call.
constexpr std::int64_t largest_kept = std::int64_t{8} << 20;

}  // namespace

ScratchPool::Block::Block(ScratchPool& pool, std::int64_t bytes) : pool_(pool) {
  {
    const std::lock_guard lock(pool_.mutex_);
    for (auto& free : pool_.free_) {
      if (free.size < bytes) continue;
      data_ = free.data;
      size_ = free.size;
      free = pool_.free_.back();
      pool_.free_.pop_back();
      return;
    }
  }
  data_ = static_cast<std::byte*>(::operator new(static_cast<std::size_t>(bytes), alignment, std::nothrow));
  if (data_ == nullptr)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("no memory for {} bytes of intermediate arrays; use graph mode or a smaller chunk", bytes));
  size_ = bytes;
}

ScratchPool::Block::~Block() {
  if (size_ <= largest_kept) {
    try {
      const std::lock_guard lock(pool_.mutex_);
      pool_.free_.push_back({data_, size_});
      return;
    } catch (...) {
      // No memory for the list: the block is not kept.
    }
  }
  ::operator delete(data_, alignment);
}

ScratchPool::~ScratchPool() {
  for (const Free& free : free_) ::operator delete(free.data, alignment);
}

}  // namespace frit::runtime
