// Whole calls at their limits: more events than 31 bits number, and cancellation at any time on several threads.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "frit/frit.hpp"
#include "support/compiled.hpp"
#include "support/guarded.hpp"

namespace frit::test {
namespace {

// A long array in little memory: one piece of shared memory mapped again and again, and a last piece of its own.
class Repeated {
 public:
  static constexpr std::size_t piece = std::size_t{4} << 20;

  explicit Repeated(std::size_t bytes) : length_((bytes + piece - 1) / piece * piece) {
    base_ =
        static_cast<std::byte*>(mmap(nullptr, length_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (base_ == MAP_FAILED) return;
    const int repeated = memfd_create("repeated", 0), last = memfd_create("last", 0);
    ok_ = repeated >= 0 && last >= 0 && ftruncate(repeated, piece) == 0 && ftruncate(last, piece) == 0;
    for (std::size_t at = 0; ok_ && at < length_; at += piece) {
      const int file = at + piece == length_ ? last : repeated;
      ok_ = mmap(base_ + at, piece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
    }
    close(repeated);
    close(last);
  }
  ~Repeated() {
    if (base_ != MAP_FAILED) munmap(base_, length_);
  }
  Repeated(const Repeated&) = delete;
  Repeated& operator=(const Repeated&) = delete;
  bool ok() const { return ok_; }
  std::byte* data() const { return base_; }
  // The last piece begins here.
  std::size_t last() const { return length_ - piece; }

 private:
  std::size_t length_;
  std::byte* base_;
  bool ok_ = false;
};

// NOTE: not in mode eager, which by its nature holds an array as long as the call; kernels_test.cpp runs its kernels from event
// 2^31 on.
TEST(Calls, MoreEventsThan31BitsNumber) {
  // Beyond 32 bits it takes twice as long.
  const std::int64_t n = (std::int64_t{1} << (nightly() ? 32 : 31)) + 12'345;
  const Repeated x(static_cast<std::size_t>(n) * sizeof(float)), y(static_cast<std::size_t>(n));
  if (!x.ok() || !y.ok()) GTEST_SKIP() << "this machine does not map " << 5 * n << " bytes of addresses";
  const auto value_at = [&](std::size_t event) {
    const bool last = event * sizeof(float) >= x.last();
    const std::size_t place = event % (Repeated::piece / sizeof(float));
    return static_cast<float>((place * 2654435761u >> 7) % 1000) + (last ? 0.5F : 0.0F);
  };
  auto* const column = reinterpret_cast<float*>(x.data());
  for (std::size_t i = 0; i < Repeated::piece / sizeof(float); ++i) {
    column[i] = value_at(i);
    const std::size_t late = x.last() / sizeof(float) + i;
    column[late] = value_at(late);
  }
  // The values of the last piece are half a unit higher, so that at 500 the answers differ from those of the others.
  const Model model = Model::parse("StrictLessThan(Symbol('x'), Symbol('a'))");
  const Parameters parameters = Parameters().set("a", 500.25);
  for (Mode mode : {Mode::graph, Mode::compiled}) {
    if (mode == Mode::compiled && !runtime::compiler_is_missing().empty()) continue;
    for (int threads : mode == Mode::graph ? std::vector<int>{1, 2} : std::vector<int>{2}) {
      std::memset(y.data(), 7, Repeated::piece);
      std::memset(y.data() + y.last(), 7, Repeated::piece);
      const Engine engine{{.threads = threads}};
      const Function f =
          engine.bind(model, {.columns = {{"x"}}, .parameters = {{"a"}}}, {.mode = mode, .dtype = DType::f32});
      f.run(Columns().add({"x", column, DType::f32, n, 0}), parameters, std::vector<OutputView>{{y.data(), n}});
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < Repeated::piece; ++i) {
        const std::size_t late = y.last() + i;
        wrong += y.data()[i] != std::byte{value_at(i) < 500.25F} ? 1 : 0;
        // What lies behind the last event stays as it was.
        const std::byte want = late < static_cast<std::size_t>(n) ? std::byte{value_at(late) < 500.25F} : std::byte{7};
        wrong += y.data()[late] != want ? 1 : 0;
      }
      EXPECT_EQ(wrong, 0u) << name_of(mode) << ", threads " << threads;
    }
  }
}

TEST(Calls, CancelledAtAnyTimeOnTwoThreads) {
  constexpr std::size_t n = 400'000;
  std::vector<double> x(n), want(n);
  Inputs<double> inputs(3);
  for (double& value : x) value = inputs.moderate();
  const Model model = Model::parse("Add(exp(Mul(Symbol('a'), sin(Symbol('x')))), Pow(Symbol('x'), Integer(3)))");
  const Parameters parameters = Parameters().set("a", 0.5);
  const Columns columns = Columns().add("x", x);
  const Engine engine{{.threads = 2}};
  for (Mode mode : {Mode::eager, Mode::graph, Mode::compiled}) {
    if (mode == Mode::compiled && !runtime::compiler_is_missing().empty()) continue;
    const Function f = engine.bind(model, Signature::of(columns, parameters), {.mode = mode});
    const auto start = std::chrono::steady_clock::now();
    f.run(columns, parameters, std::vector<OutputView>{{want.data(), static_cast<std::int64_t>(n)}});
    const auto whole = std::chrono::steady_clock::now() - start;
    constexpr int attempts = 60;
    int cancelled = 0, complete = 0;
    for (int attempt = 0; attempt <= attempts; ++attempt) {
      constexpr double untouched = -12345.678;
      std::vector<double> got(n, untouched);
      std::int32_t word = attempt == 0 ? 1 : 0;  // the first is cancelled before it begins, the last never
      std::thread canceller;
      if (attempt > 0 && attempt < attempts) {
        canceller = std::thread([&, wait = whole * attempt / attempts] {
          std::this_thread::sleep_for(wait);
          __atomic_store_n(&word, 1, __ATOMIC_RELAXED);
        });
      }
      try {
        f.run(columns, parameters, std::vector<OutputView>{{got.data(), static_cast<std::int64_t>(n)}}, &word);
        ++complete;
        EXPECT_EQ(std::memcmp(got.data(), want.data(), n * sizeof(double)), 0) << name_of(mode);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what();
        ++cancelled;
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n; ++i) wrong += got[i] == want[i] || got[i] == untouched ? 0 : 1;
        EXPECT_EQ(wrong, 0u) << name_of(mode);
      }
      if (canceller.joinable()) canceller.join();
    }
    EXPECT_GT(cancelled, 0);
    EXPECT_GT(complete, 0);
    // The next call is as any other.
    std::vector<double> again(n);
    f.run(columns, parameters, std::vector<OutputView>{{again.data(), static_cast<std::int64_t>(n)}});
    EXPECT_EQ(std::memcmp(again.data(), want.data(), n * sizeof(double)), 0) << name_of(mode);
  }
}

}  // namespace
}  // namespace frit::test
