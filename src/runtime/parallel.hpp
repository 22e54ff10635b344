// The threads of a call. oneTBB is included by parallel.cpp alone: it is not instrumented by the thread sanitizer, and neither is
// that file, so that the sanitizer sees no half of it.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/fp_state.hpp"

namespace frit::runtime {

// Calls body(context, begin, end) for ranges that make up [0, count), on at most `threads` threads, of which the calling one is
// one. What body throws is thrown here once the others have ended.
// NOTE: a function pointer, and no sanitizer-visible hand-over of *context: its owner passes it on by an atomic in it.
void parallel_ranges(int threads, std::int64_t count, void (*body)(void* context, std::int64_t begin, std::int64_t end),
                     void* context);

// The same with a callable, in the floating-point environment of kernels. What the calling thread wrote before is seen by the
// callable and what the callable wrote by the calling thread, also in the eyes of the thread sanitizer.
template <class Body> void parallel_for(int threads, std::int64_t count, const Body& body) {
  struct Shared {
    const Body& body;
    std::atomic<int> handed_over{0};
  } shared{body};
  shared.handed_over.store(1, std::memory_order_release);
  parallel_ranges(
      threads, count,
      [](void* context, std::int64_t begin, std::int64_t end) {
        auto& own = *static_cast<Shared*>(context);
        if (own.handed_over.load(std::memory_order_acquire) == 0) return;
        {
          const FpState state;
          own.body(begin, end);
        }
        own.handed_over.fetch_add(1, std::memory_order_acq_rel);
      },
      &shared);
  (void)shared.handed_over.load(std::memory_order_acquire);
}

}  // namespace frit::runtime
