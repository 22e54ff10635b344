// Reusable aligned memory: one block a thread while a call runs, kept for the next call up to a limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace frit::runtime {

// Aligned memory for std::free, in huge pages where it is large: a fault for each 4 kB of fresh memory costs more than the op
// that writes it. nullptr where there is none.
std::byte* allocate_aligned(std::int64_t bytes);

class ScratchPool {
 public:
  class Block {
   public:
    Block(ScratchPool& pool, std::int64_t bytes);
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    std::byte* data() const { return data_; }
    std::int64_t size() const { return size_; }

   private:
    ScratchPool& pool_;
    std::byte* data_ = nullptr;
    std::int64_t size_ = 0;
  };

  ScratchPool() = default;
  ~ScratchPool();
  ScratchPool(const ScratchPool&) = delete;
  ScratchPool& operator=(const ScratchPool&) = delete;

 private:
  struct Free {
    std::byte* data;
    std::int64_t size;
  };
  std::mutex mutex_;
  std::vector<Free> free_;
};

}  // namespace frit::runtime
