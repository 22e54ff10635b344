// The memory of large arrays is kept for the next ones, within its limit.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "frit/frit.hpp"
#include "runtime/array_memory.hpp"

namespace frit {
namespace {

using runtime::ArrayMemory;
constexpr std::int64_t block = ArrayMemory::smallest_block;
// The address sanitizer sees each use of a block that no array has.
#ifdef __SANITIZE_ADDRESS__
constexpr bool keeps_small_blocks = false;
#else
constexpr bool keeps_small_blocks = true;
#endif

TEST(ArrayMemory, GivesABlockAgain) {
  const auto memory = std::make_shared<ArrayMemory>(10 * block);
  std::byte* const first = memory->take(2 * block).get();
  EXPECT_EQ(memory->kept_bytes(), 2 * block);
  const auto again = memory->take(2 * block - block / 8);
  EXPECT_EQ(again.get(), first);
  EXPECT_EQ(memory->kept_bytes(), 0);
  // Neither a larger one nor one that needs much less.
  const auto larger = memory->take(3 * block);
  EXPECT_NE(larger.get(), first);
}

TEST(ArrayMemory, DoesNotGiveWhatIsMuchTooLarge) {
  const auto memory = std::make_shared<ArrayMemory>(10 * block);
  memory->take(4 * block).reset();
  memory->take(block).reset();
  EXPECT_EQ(memory->kept_bytes(), 5 * block);
}

TEST(ArrayMemory, KeepsNoMoreThanItsLimit) {
  const auto memory = std::make_shared<ArrayMemory>(3 * block);
  {
    std::vector<std::shared_ptr<std::byte>> all;
    for (int i = 0; i < 8; ++i) all.push_back(memory->take(block));
    all.push_back(memory->take(4 * block));
    for (const auto& one : all) std::memset(one.get(), 1, block);
  }
  EXPECT_EQ(memory->kept_bytes(), 3 * block);
  memory->release();
  EXPECT_EQ(memory->kept_bytes(), 0);
  const auto none = std::make_shared<ArrayMemory>(0);
  none->take(block).reset();
  EXPECT_EQ(none->kept_bytes(), 0);
}

TEST(ArrayMemory, OfManyThreads) {
  const auto memory = std::make_shared<ArrayMemory>(6 * block);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        const auto one = memory->take(block + 64 * (i % 5));
        std::memset(one.get(), t, block);
        for (std::int64_t k = 0; k < block; k += 4096) ASSERT_EQ(one.get()[k], static_cast<std::byte>(t));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(memory->kept_bytes(), 6 * block);
}

// Small blocks are kept by threads: by that on which the last owner goes, up to a megabyte, and not beyond its end.
TEST(ArrayMemory, SmallBlocksOfAThread) {
  const auto memory = std::make_shared<ArrayMemory>(10 * block);
  for (const std::int64_t bytes :
       {std::int64_t{320}, std::int64_t{512}, std::int64_t{513}, std::int64_t{1279}, std::int64_t{40'000}, block - 1}) {
    const std::byte* const first = memory->take(bytes).get();
    const auto again = memory->take(bytes), other = memory->take(bytes);
    EXPECT_EQ(again.get() == first, keeps_small_blocks) << bytes;
    EXPECT_NE(other.get(), again.get());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(again.get()) % 64, 0u);
    std::memset(again.get(), 1, static_cast<std::size_t>(bytes));
    std::memset(other.get(), 2, static_cast<std::size_t>(bytes));
    for (std::int64_t i = 0; i < bytes; ++i) ASSERT_EQ(again.get()[i], std::byte{1});
  }
  EXPECT_EQ(memory->kept_bytes(), 0);
  // Given back on another thread, which ends; then none is left to take.
  auto mine = memory->take(2000);
  const std::byte* seen = nullptr;
  std::thread([&] {
    const std::byte* const at = mine.get();
    mine.reset();
    const auto taken = memory->take(2000);
    seen = taken.get();
    EXPECT_EQ(seen == at, keeps_small_blocks);
  }).join();
  // An engine that keeps nothing keeps none of these.
  const auto none = std::make_shared<ArrayMemory>(0);
  const std::byte* const kept = memory->take(3000).get();
  EXPECT_EQ(memory->take(3000).get() == kept, keeps_small_blocks);
  std::shared_ptr<std::byte> all[3];
  for (auto& one : all) one = none->take(3000);
  for (auto& one : all) EXPECT_NE(one.get(), kept);
}

TEST(ArrayMemory, SmallBlocksOnManyThreads) {
  const auto memory = std::make_shared<ArrayMemory>(10 * block);
  std::vector<std::shared_ptr<std::byte>> shared(64);
  std::vector<std::thread> threads;
  std::mutex mutex;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 4000; ++i) {
        auto one = memory->take(300 + 97 * (i % 300));
        std::memset(one.get(), t, 300);
        const std::lock_guard lock(mutex);
        shared[static_cast<std::size_t>(i * 7 + t) % 64].swap(one);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(ArrayMemory, OfAnEngine) {
  const std::vector<double> elements(100 * 1000, 0.5);
  Array result;
  {
    const Engine engine({.threads = 1, .kept_memory = std::int64_t{1} << 20});
    const Array x = array(engine, elements);
    const auto f = traced(engine, [](Array a) { return exp(a) * 2.0; }, {.mode = Mode::graph});
    result = f(x);
    EXPECT_EQ(engine.kept_memory(), 0);
    result = f(x);
    EXPECT_GE(engine.kept_memory(), 8 * 100 * 1000);
    engine.release_memory();
    EXPECT_EQ(engine.kept_memory(), 0);
    (void)(x + 1.0);
    EXPECT_GE(engine.kept_memory(), 8 * 100 * 1000);
  }
  // An array outlives its engine, and its block what keeps it.
  EXPECT_EQ(result.values<double>()[99999], 2 * std::exp(0.5));
  result = Array();
  EXPECT_THROW(Engine({.kept_memory = -1}), Error);
}

}  // namespace
}  // namespace frit
