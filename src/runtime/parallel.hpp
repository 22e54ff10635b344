// The threads of a call. oneTBB is included by parallel.cpp alone: it is not instrumented by the thread sanitizer, and neither is
// that file, so that the sanitizer sees no half of it.
#pragma once

#include <cstdint>

namespace frit::runtime {

// Calls body(context, begin, end) for ranges that make up [0, count), on at most `threads` threads, of which the calling one is
// one. What body throws is thrown here once the others have ended.
// NOTE: a function pointer, and no sanitizer-visible hand-over of *context: its owner passes it on by an atomic in it.
void parallel_ranges(int threads, std::int64_t count, void (*body)(void* context, std::int64_t begin, std::int64_t end),
                     void* context);

}  // namespace frit::runtime
