#include "runtime/parallel.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace frit::runtime {

void parallel_ranges(int threads, std::int64_t count, void (*body)(void* context, std::int64_t begin, std::int64_t end),
                     void* context) {
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, count, 1),
                      [&](const tbb::blocked_range<std::int64_t>& r) { body(context, r.begin(), r.end()); });
  });
}

}  // namespace frit::runtime
