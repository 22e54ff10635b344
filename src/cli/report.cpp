#include "cli/report.hpp"

#include <sys/resource.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace frit::cli {
namespace {

using Json = nlohmann::ordered_json;

template <class T> Json or_null(const std::optional<CompileStatistics>& code, T CompileStatistics::*member) {
  return code ? Json((*code).*member) : Json();
}

}  // namespace

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json json_of(const CompileStatistics& statistics) {
  return {{"emit_s", statistics.emit_s},         {"optimise_s", statistics.optimise_s},
          {"codegen_s", statistics.codegen_s},   {"link_s", statistics.link_s},
          {"operations", statistics.operations}, {"functions", statistics.functions},
          {"code_bytes", statistics.code_bytes}, {"from_cache", statistics.from_cache}};
}

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
  return text_of(Json{
      {"version", FRIT_VERSION},
      {"mode_asked", report.mode_asked},
      {"mode_used", report.mode_used},
      {"dtype", report.dtype},
      {"events", report.events},
      {"threads", report.threads},
      {"isa", report.isa},
      {"effort", report.effort},
      {"width", or_null(report.code, &CompileStatistics::width)},
      {"target", or_null(report.code, &CompileStatistics::target)},
      {"calls", {{"eager", report.calls.eager}, {"graph", report.calls.graph}, {"compiled", report.calls.compiled}}},
      {"read_s", report.read_s},
      {"parse_s", report.parse_s},
      {"trace_s", report.stages.trace_s},
      {"passes_s", report.stages.passes_s},
      {"plan_s", report.stages.plan_s},
      {"compile_s", report.stages.compile_s},
      {"code", report.code ? json_of(*report.code) : Json()},
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
                    {"effort", row.effort},
                    {"width", or_null(row.code, &CompileStatistics::width)},
                    {"target", or_null(row.code, &CompileStatistics::target)},
                    {"bind_s", row.bind_s},
                    {"first_s", row.first_s},
                    {"compile_s", row.compile_s},
                    {"median_s", row.median_s},
                    {"min_s", row.min_s},
                    {"ns_per_event", row.ns_per_event},
                    {"differing", row.differing}});
  }
  return text_of(list);
}

}  // namespace frit::cli
