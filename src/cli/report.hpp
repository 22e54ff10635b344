// What a run took, as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/compiler.hpp"
#include "frit/engine.hpp"

namespace frit::cli {

// Calls of the function by what they ran.
struct CallCounts {
  std::int64_t eager = 0, graph = 0, compiled = 0;
};

struct Report {
  std::string_view mode_asked, mode_used, dtype, isa;
  std::int64_t events = 0;
  int threads = 0;
  double read_s = 0, parse_s = 0;
  StageTimes stages;
  CallCounts calls;
  int effort = 1;
  std::optional<CompileStatistics> code;  // where machine code was ready at the end
  double run_s = 0, write_s = 0;
  std::vector<std::string> notes;
};
std::string report_json(const Report& report);

struct BenchRow {
  std::string_view mode, mode_used, dtype;
  std::int64_t events = 0;
  int threads = 0;
  double bind_s = 0;   // mode compiled: with the compilation
  double first_s = 0;  // binding and the first call
  double compile_s = 0;
  int effort = 1;
  double median_s = 0, min_s = 0, ns_per_event = 0;
  std::optional<CompileStatistics> code;
  std::int64_t differing = 0;  // elements whose bits are not eager's
};
std::string bench_json(const std::vector<BenchRow>& rows);

nlohmann::ordered_json json_of(const CompileStatistics& statistics);
// Indented, with a newline at the end. Names may come from files in any encoding, and a report is no place to fail.
std::string text_of(const nlohmann::ordered_json& json);

// The most resident memory of this process so far, in 10^6 bytes, mapped pages of the inputs included.
double peak_rss_mb();

}  // namespace frit::cli
