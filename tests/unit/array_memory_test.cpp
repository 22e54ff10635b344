// The memory of large arrays is kept for the next ones, within its limit.
#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "frit/frit.hpp"
#include "runtime/array_memory.hpp"

namespace frit {
namespace {

using runtime::ArrayMemory;
constexpr std::int64_t block = ArrayMemory::smallest_block;

TEST(ArrayMemory, GivesABlockAgain) {
  const auto memory = std::make_shared<ArrayMemory>(10 * block);
  std::byte* const first = memory->take(block).get();
  EXPECT_EQ(memory->kept_bytes(), block);
  const auto again = memory->take(block - block / 8);
  EXPECT_EQ(again.get(), first);
  EXPECT_EQ(memory->kept_bytes(), 0);
  // Neither a larger one nor one that needs much less.
  const auto larger = memory->take(2 * block);
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
