// Processor time of this thread, for tests of how time grows with size: other processes and threads do not count.
#pragma once

#include <ctime>

namespace frit::test {

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace frit::test
