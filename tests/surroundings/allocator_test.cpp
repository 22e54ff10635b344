// An allocator that fails at any call, once or from then on: binding, calling and compiling end in an error that says so, or
// do without, and what comes after is right.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <set>

#include "frit/frit.hpp"
#include "support/child.hpp"
#include "support/compiled.hpp"
#include "support/guarded.hpp"

#if defined(__GLIBC__) && !defined(FRIT_SANITIZED)
#define FRIT_CAN_FAIL 1

// Allocations until one fails.
static constexpr long never = LONG_MAX;
static std::atomic<long> allocations_left{never};
static std::atomic<bool> for_good{false};

static bool fails() {
  if (allocations_left.load(std::memory_order_relaxed) == never) return false;
  const long left = allocations_left.fetch_sub(1);
  if (left > 0 || (left < 0 && !for_good)) return false;
  errno = ENOMEM;
  return true;
}

// The allocator of the whole process, LLVM and the standard library included.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

#define FRIT_EXPORTED __attribute__((visibility("default")))
FRIT_EXPORTED void* malloc(std::size_t size) { return fails() ? nullptr : __libc_malloc(size); }
FRIT_EXPORTED void* calloc(std::size_t n, std::size_t size) { return fails() ? nullptr : __libc_calloc(n, size); }
FRIT_EXPORTED void* realloc(void* p, std::size_t size) { return fails() ? nullptr : __libc_realloc(p, size); }
FRIT_EXPORTED void* memalign(std::size_t alignment, std::size_t size) {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}
FRIT_EXPORTED void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}
FRIT_EXPORTED int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  if (fails()) return ENOMEM;
  *p = __libc_memalign(alignment, size);
  return *p == nullptr ? ENOMEM : 0;
}
}
#endif

namespace frit::test {
namespace {

#ifndef FRIT_CAN_FAIL
TEST(Allocator, FailsAtAnyCall) { GTEST_SKIP() << "the allocator of a sanitizer or another C library is not replaced"; }
#else

struct Failing {
  Failing(long after, bool from_then_on) {
    for_good = from_then_on;
    allocations_left = after;
  }
  ~Failing() { allocations_left = never; }
  static bool reached() { return allocations_left < 0; }
};

constexpr std::size_t events = 1000;

struct Subject {
  explicit Subject(int threads = 1, std::size_t n = events) : engine{{.threads = threads, .tile = 64}}, x(n) {
    Inputs<double> inputs(7);
    for (double& value : x) value = inputs.moderate();
  }
  Engine engine;
  Model model = Model::parse(
      "Tuple(Add(Mul(Symbol('x'), exp(Symbol('a'))), sqrt(Add(Pow(Symbol('x'), Integer(2)), Integer(1)))), "
      "Mul(Symbol('c'), exp(Mul(I, Symbol('x')))), StrictLessThan(Symbol('x'), Symbol('a')))");
  Parameters parameters = Parameters().set("a", 0.25).set("c", std::complex<double>(0.5, -2));
  Signature signature{.columns = {{"x", false}}, .parameters = {{"a", false}, {"c", true}}};
  std::vector<double> x;

  Function bind(Mode mode) const { return engine.bind(model, signature, {.mode = mode}); }
  std::uint64_t call(const Function& f) const {
    const Result result = f(Columns().add("x", x), parameters);
    std::uint64_t h = hash_of({});
    for (std::size_t i = 0; i < result.output_count(); ++i) {
      const auto bytes = static_cast<std::size_t>(result.size()) * size_of(result.dtype(i));
      h = hash_of({static_cast<const std::byte*>(result.data(i)), bytes}, h);
    }
    return h;
  }
};

// What the body ends in: "" where it ends well. Anything but an error for lack of memory is described.
template <class Body> std::string outcome(const Body& body) {
  try {
    body();
    return "";
  } catch (const std::bad_alloc&) {
    return "no memory";
  } catch (const Error& error) {
    return error.code() == ErrorCode::out_of_memory ? "no memory" : error.what();
  }
}

TEST(Allocator, BindingAndCallingWithoutACompiler) {
  const Subject subject;
  for (Mode mode : {Mode::eager, Mode::graph}) {
    const std::uint64_t want = subject.call(subject.bind(mode));
    for (bool from_then_on : {false, true}) {
      long k = 0, refused = 0;
      for (bool reached = true; reached && k < 20'000; ++k) {
        std::uint64_t got = want;
        const std::string text = outcome([&] {
          const Failing failing(k, from_then_on);
          try {
            got = subject.call(subject.bind(mode));
          } catch (...) {
            allocations_left = never;
            throw;
          }
          reached = Failing::reached();
        });
        EXPECT_TRUE(text.empty() || text == "no memory") << "allocation " << k << ": " << text;
        EXPECT_EQ(got, want) << "allocation " << k;
        refused += text.empty() ? 0 : 1;
      }
      EXPECT_GT(k, 100);
      EXPECT_LT(k, 20'000);
      EXPECT_GT(refused, k / 2);
      EXPECT_EQ(subject.call(subject.bind(mode)), want);
    }
  }
}

// One call of a function that was bound before: its memory is kept, so that the second call allocates next to nothing.
TEST(Allocator, CallsOfABoundFunction) {
  const Subject subject;
  for (Mode mode : {Mode::eager, Mode::graph}) {
    const Function f = subject.bind(mode);
    const std::uint64_t want = subject.call(f);
    long k = 0;
    for (bool reached = true; reached && k < 1000; ++k) {
      const Function fresh = subject.bind(mode);
      std::uint64_t got = want;
      const std::string text = outcome([&] {
        const Failing failing(k, false);
        got = subject.call(fresh);
        reached = Failing::reached();
      });
      EXPECT_TRUE(text.empty() || text == "no memory") << text;
      EXPECT_EQ(got, want);
      EXPECT_EQ(subject.call(fresh), want) << "after allocation " << k << " failed";
    }
    EXPECT_GT(k, 3);
    EXPECT_LT(k, 1000);
  }
}

// Fails allocations of `body` in child processes, which must end well or without memory: the first ones, then some all over
// those that it makes. After it, without a failure, mode graph must give `want`. Returns how many ended without memory.
template <class Before, class Body>
int fail_all_over(const Subject& subject, std::uint64_t want, const Before& before, const Body& body,
                  const std::set<std::string>& allowed) {
  const auto attempt = [&](long k, bool from_then_on, long& made) {
    const std::string text = in_child([&] {
      const auto state = before();
      std::string result;
      {
        const Failing failing(k, from_then_on);
        result = outcome([&] { body(state); });
        made = k - allocations_left;
      }
      result += subject.call(subject.bind(Mode::graph)) == want ? "" : ", then other bits";
      return k == never - 1 ? std::to_string(made) : result;
    });
    if (k == never - 1) made = std::stol(text);
    return text;
  };
  long total = 0;
  (void)attempt(never - 1, false, total);
  EXPECT_GT(total, 5);
  const long first = nightly() ? 300 : 20, all_over = nightly() ? 1000 : 60;
  std::set<long> places;
  for (long k = 0; k < std::min(first, total); ++k) places.insert(k);
  for (long k = 0; k < all_over; ++k) places.insert(total * k / all_over);
  int refused = 0;
  for (const long k : places) {
    for (bool from_then_on : {false, true}) {
      long made = 0;
      const std::string text = attempt(k, from_then_on, made);
      EXPECT_TRUE(text.empty() || text == "no memory" || allowed.contains(text))
          << "allocation " << k << " of " << total << (from_then_on ? " and all after it: " : ": ") << text;
      refused += text == "no memory" ? 1 : 0;
    }
  }
  return refused;
}

TEST(Allocator, Compiling) {
  FRIT_NEEDS_COMPILER();
  const Subject subject;
  const std::uint64_t want = subject.call(subject.bind(Mode::graph));
  // NOTE: opened before. LLVM's library makes its global objects while it is opened, and an exception cannot pass through the
  // loader: a failing allocation there ends the process. tests/error/compiler_module_test.cpp opens it with little memory.
  const auto opened = [] {
    (void)runtime::load_compiler();
    return 0;
  };
  const auto body = [&](int) {
    if (subject.call(subject.bind(Mode::compiled)) != want) throw std::runtime_error("other bits");
  };
  EXPECT_GT(fail_all_over(subject, want, opened, body, {}), 50);
}

TEST(Allocator, CallsOnTwoThreads) {
  const Subject subject(2, 20'000);
  const std::uint64_t want = subject.call(subject.bind(Mode::graph));
  for (Mode mode : {Mode::eager, Mode::graph}) {
    const auto bound = [&] { return subject.bind(mode); };
    const auto body = [&](const Function& f) {
      if (subject.call(f) != want) throw std::runtime_error("other bits");
    };
    EXPECT_GT(fail_all_over(subject, want, bound, body, {}), 0);
  }
}

#endif

}  // namespace
}  // namespace frit::test
