#include "runtime/scratch.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>

#include "frit/error.hpp"

namespace frit::runtime {
namespace {

// Blocks from this size on (whole arrays) are asked of the system in huge pages.
constexpr std::int64_t huge_page = std::int64_t{2} << 20;
// A block above this size goes back to the system after its call.
constexpr std::int64_t largest_kept = std::int64_t{64} << 20;

std::int64_t rounded(std::int64_t bytes) {
  const std::int64_t unit = bytes >= huge_page ? huge_page : 64;
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

std::byte* allocate_aligned(std::int64_t bytes) {
  const bool huge = bytes >= huge_page;
  const std::size_t alignment = huge ? static_cast<std::size_t>(huge_page) : 64;
  void* const data = std::aligned_alloc(alignment, static_cast<std::size_t>(rounded(bytes)));
#ifdef MADV_HUGEPAGE
  // Advice only: where it is refused, memory comes in small pages.
  if (huge && data != nullptr) (void)madvise(data, static_cast<std::size_t>(rounded(bytes)), MADV_HUGEPAGE);
#endif
  return static_cast<std::byte*>(data);
}

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
  bytes = rounded(bytes);
  data_ = allocate_aligned(bytes);
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
  std::free(data_);
}

ScratchPool::~ScratchPool() {
  for (const Free& free : free_) std::free(free.data);
}

}  // namespace frit::runtime
