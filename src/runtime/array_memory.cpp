#include "runtime/array_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "runtime/scratch.hpp"
#include "runtime/small_blocks.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace frit::runtime {

// The address sanitizer shall find what uses a block that no array has.
void ArrayMemory::forbid([[maybe_unused]] Block block) {
#ifdef __SANITIZE_ADDRESS__
  __asan_poison_memory_region(block.data, static_cast<std::size_t>(block.size));
#endif
}
void ArrayMemory::allow([[maybe_unused]] Block block) {
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(block.data, static_cast<std::size_t>(block.size));
#endif
}

ArrayMemory::Block ArrayMemory::find(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  // The youngest first, whose pages are the likeliest to be in a cache.
  const auto found = std::find_if(kept_.rbegin(), kept_.rend(), [&](Block block) { return fits(block.size, bytes); });
  if (found == kept_.rend()) return {nullptr, 0};
  const Block block = *found;
  kept_.erase(std::next(found).base());
  bytes_ -= block.size;
  allow(block);
  return block;
}

std::shared_ptr<std::byte> ArrayMemory::take(std::int64_t bytes) {
  if (bytes < smallest_block && most_ > 0) return take_small_block(bytes);
  Block block = find(bytes);
  if (block.data == nullptr) {
    block = {allocate_aligned(bytes), bytes};
    if (block.data == nullptr && kept_bytes() > 0) {
      release();
      block.data = allocate_aligned(bytes);
    }
    if (block.data == nullptr) return nullptr;
  }
  return {block.data, [block, memory = shared_from_this()](std::byte*) { memory->give(block); }};
}

void ArrayMemory::give(Block block) noexcept {
  if (block.size > most_) return std::free(block.data);
  const std::lock_guard lock(mutex_);
  try {
    kept_.push_back(block);
  } catch (...) {
    // No memory for the list: the block is not kept.
    return std::free(block.data);
  }
  forbid(block);
  bytes_ += block.size;
  while (bytes_ > most_) {
    allow(kept_.front());
    std::free(kept_.front().data);
    bytes_ -= kept_.front().size;
    kept_.erase(kept_.begin());
  }
}

void ArrayMemory::release() {
  std::vector<Block> all;
  {
    const std::lock_guard lock(mutex_);
    all.swap(kept_);
    bytes_ = 0;
  }
  for (const Block& block : all) {
    allow(block);
    std::free(block.data);
  }
}

std::int64_t ArrayMemory::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace frit::runtime
