// What a run took, as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frit/engine.hpp"

namespace frit::cli {

struct Report {
  std::string_view mode_asked, mode_used, dtype, isa;
  std::int64_t events = 0;
  int threads = 0;
  double read_s = 0, parse_s = 0;
  StageTimes stages;
  double run_s = 0, write_s = 0;
  std::vector<std::string> notes;
};
std::string report_json(const Report& report);

struct BenchRow {
  std::string_view mode, mode_used, dtype;
  std::int64_t events = 0;
  int threads = 0;
  double first_s = 0;  // binding and the first call
  double median_s = 0, min_s = 0, ns_per_event = 0;
  std::int64_t differing = 0;  // elements whose bits are not eager's
};
std::string bench_json(const std::vector<BenchRow>& rows);

// The most resident memory of this process so far, in 10^6 bytes, mapped pages of the inputs included.
double peak_rss_mb();

}  // namespace frit::cli
