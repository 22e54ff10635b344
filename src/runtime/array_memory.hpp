// Memory of large arrays, kept for the next one: pages that come fresh from the system are cleared by it first, which takes
// longer than a loop of a few operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace frit::runtime {

class ArrayMemory : public std::enable_shared_from_this<ArrayMemory> {
 public:
  // Smaller ones are kept by threads (runtime/small_blocks.hpp), by none where `most` is 0.
  static constexpr std::int64_t smallest_block = 64 * 1024;

  // `most`: bytes that are kept while no array uses them.
  explicit ArrayMemory(std::int64_t most) : most_(most) {}
  ~ArrayMemory() { release(); }
  ArrayMemory(const ArrayMemory&) = delete;
  ArrayMemory& operator=(const ArrayMemory&) = delete;

  // At least so many bytes, aligned to 64, uninitialised; they come back here with the last copy of the pointer, which may
  // outlive the engine. Empty where there is no memory.
  std::shared_ptr<std::byte> take(std::int64_t bytes);
  // Gives what no array uses to the system.
  void release();
  std::int64_t kept_bytes() const;

 private:
  struct Block {
    std::byte* data;
    std::int64_t size;
  };
  // Whether a block of `size` is kept for `bytes`: not much more than they need.
  static bool fits(std::int64_t size, std::int64_t bytes) { return size >= bytes && size - bytes <= size / 4; }
  static void forbid(Block block);
  static void allow(Block block);
  Block find(std::int64_t bytes);
  void give(Block block) noexcept;

  const std::int64_t most_;
  mutable std::mutex mutex_;
  std::vector<Block> kept_;  // the oldest first
  std::int64_t bytes_ = 0;
};

}  // namespace frit::runtime
