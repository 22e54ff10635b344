#include "runtime/small_blocks.hpp"

#include <array>
#include <bit>
#include <cstdlib>
#include <new>

#include "runtime/scratch.hpp"

namespace frit::runtime {
namespace {

constexpr std::int64_t most_kept = std::int64_t{1} << 20;

// Sizes in steps of a quarter of a power of two, from 512 bytes on: none is larger than is asked for by more than a quarter.
constexpr int smallest_octave = 9;
constexpr int octaves = 8;
constexpr std::int64_t bytes_of(int size) {
  return (4 + size % 4) * (std::int64_t{1} << (smallest_octave - 2 + size / 4));
}
constexpr int size_for(std::int64_t bytes) {
  if (bytes <= bytes_of(0)) return 0;
  const int octave = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes - 1))) - 1;
  return 4 * (octave - smallest_octave) + static_cast<int>((bytes - 1) >> (octave - 2)) - 3;
}
static_assert(size_for(1) == 0 && size_for(512) == 0 && size_for(513) == 1 && size_for(640) == 1 && size_for(641) == 2);
static_assert(size_for(1024) == 4 && size_for(1025) == 5 && size_for(largest_small_block) < 4 * octaves);
static_assert(bytes_of(size_for(largest_small_block)) == largest_small_block);

// The blocks of one thread, each with the address of the next.
// NOTE: arrays of static storage go after the thread's own variables: then nothing is kept any more.
thread_local bool kept_is_gone = false;
struct Kept {
  std::array<std::byte*, 4 * octaves> first{};
  std::int64_t bytes = 0;

  ~Kept() {
    kept_is_gone = true;
    for (std::byte* block : first)
      while (block != nullptr) {
        std::byte* const next = *next_of(block);
        std::free(block);
        block = next;
      }
  }
  static std::byte** next_of(std::byte* block) { return std::launder(reinterpret_cast<std::byte**>(block)); }
  std::byte* take(int size) {
    std::byte* const block = first[static_cast<std::size_t>(size)];
    if (block == nullptr) return nullptr;
    first[static_cast<std::size_t>(size)] = *next_of(block);
    bytes -= bytes_of(size);
    return block;
  }
  bool give(std::byte* block, int size) {
    if (bytes + bytes_of(size) > most_kept) return false;
    ::new (block) std::byte*(first[static_cast<std::size_t>(size)]);
    first[static_cast<std::size_t>(size)] = block;
    bytes += bytes_of(size);
    return true;
  }
};
thread_local Kept kept;

// The address sanitizer shall see each use of a block that no array has.
#ifdef __SANITIZE_ADDRESS__
constexpr bool keeps = false;
#else
constexpr bool keeps = true;
#endif

struct Give {
  int size;
  void operator()(std::byte* block) const {
    if (!keeps || kept_is_gone || !kept.give(block, size)) std::free(block);
  }
};

}  // namespace

std::shared_ptr<std::byte> take_small_block(std::int64_t bytes) {
  const int size = size_for(bytes);
  std::byte* block = keeps && !kept_is_gone ? kept.take(size) : nullptr;
  if (block == nullptr) block = allocate_aligned(keeps ? bytes_of(size) : bytes);
  if (block == nullptr) return nullptr;
  return {block, Give{size}};
}

}  // namespace frit::runtime
