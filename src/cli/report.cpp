#include "cli/report.hpp"

#include <sys/resource.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace frit::cli {
namespace {

using Json = nlohmann::ordered_json;

// Names may come from files in any encoding, and a report is no place to fail.
std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

double peak_rss_mb() {
  // NOTE: VmHWM, because ru_maxrss survives exec: started from a large parent it would report the parent's size.
  double kilobytes = 0;
  if (std::FILE* file = std::fopen("/proc/self/status", "re")) {
    char line[256];
    while (std::fgets(line, sizeof line, file) != nullptr) {
      if (std::sscanf(line, "VmHWM: %lf kB", &kilobytes) == 1) break;
    }
    std::fclose(file);
  }
  if (kilobytes == 0) {
    struct rusage usage {};
    if (getrusage(RUSAGE_SELF, &usage) == 0) kilobytes = static_cast<double>(usage.ru_maxrss);
  }
  return kilobytes * 1024e-6;
}

std::string report_json(const Report& report) {
  return text_of(Json{{"version", FRIT_VERSION},
                      {"mode_asked", report.mode_asked},
                      {"mode_used", report.mode_used},
                      {"dtype", report.dtype},
                      {"events", report.events},
                      {"threads", report.threads},
                      {"isa", report.isa},
                      {"read_s", report.read_s},
                      {"parse_s", report.parse_s},
                      {"trace_s", report.stages.trace_s},
                      {"passes_s", report.stages.passes_s},
                      {"plan_s", report.stages.plan_s},
                      {"compile_s", report.stages.compile_s},
                      {"run_s", report.run_s},
                      {"write_s", report.write_s},
                      {"peak_rss_mb", peak_rss_mb()},
                      {"notes", report.notes}});
}

std::string bench_json(const std::vector<BenchRow>& rows) {
  Json list = Json::array();
  for (const BenchRow& row : rows) {
    list.push_back({{"mode", row.mode},
                    {"mode_used", row.mode_used},
                    {"dtype", row.dtype},
                    {"events", row.events},
                    {"threads", row.threads},
                    {"first_s", row.first_s},
                    {"median_s", row.median_s},
                    {"min_s", row.min_s},
                    {"ns_per_event", row.ns_per_event},
                    {"differing", row.differing}});
  }
  return text_of(list);
}

}  // namespace frit::cli
