// One measurement by several threads.
#pragma once

#include <thread>
#include <vector>

#include "measurement.hpp"

namespace frit::accuracy {

// Calls work(number) on each thread and merges what they return.
template <class Work> Record on_threads(int threads, Work work) {
  std::vector<Record> records(static_cast<std::size_t>(threads));
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) running.emplace_back([&, i] { records[static_cast<std::size_t>(i)] = work(i); });
  for (std::thread& t : running) t.join();
  Record result;
  for (const Record& r : records) result.merge(r);
  return result;
}

}  // namespace frit::accuracy
