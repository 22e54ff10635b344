// math_accuracy: measures the functions of one and two operands, real and complex, and fails above their budgets.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "golden.hpp"
#include "page.hpp"
#include "tiers.hpp"

namespace frit::accuracy {
namespace {

struct Options {
  std::string tier = "fast";
  std::vector<std::string> ops, dtypes{"f64", "f32"};
  std::uint64_t points = 100'000'000;
  int threads = 2;
  bool hunting = false;
  double minutes = 5;
  std::filesystem::path golden = FRIT_SOURCE_DIR "/tests/accuracy/golden";
  std::filesystem::path page;
};

template <class T> Record measure(const Subject& subject, const Options& options) {
  if (options.hunting) return hunt<T>(subject, options.minutes, options.threads);
  if (options.tier == "nightly") return nightly<T>(subject, options.points, options.threads);
  return fast<T>(subject, options.golden);
}

// Whether all is within the budget.
bool report(const Subject& subject, const std::string& dtype, const Record& record, double seconds) {
  const Worst worst = record.worst();
  std::printf("%-18s %s  worst %.4f of %g", subject.name.c_str(), dtype.c_str(), worst.ulps, subject.limit(false));
  for (int i = 0; worst.ulps > 0 && i < subject.inputs; ++i)
    std::printf("%s %a", i == 0 ? " at" : ",", worst.at[static_cast<std::size_t>(i)]);
  std::printf(" | ");
  for (const Worst& range : record.ranges) {
    if (range.ulps < 0) std::printf("- ");
    if (range.ulps >= 0) std::printf("%.3f ", range.ulps);
  }
  std::printf("| %.3g points, %.3g of them special, %.1f s\n", static_cast<double>(record.points),
              static_cast<double>(record.special), seconds);
  for (const std::string& text : record.failures) std::printf("  WRONG %s\n", text.c_str());
  if (record.failed > 0)
    std::printf("FAILED %s %s: %.0f points\n", subject.name.c_str(), dtype.c_str(), static_cast<double>(record.failed));
  std::fflush(stdout);
  return record.failed == 0;
}

int run(const Options& options) {
  const std::set<std::string> wanted(options.ops.begin(), options.ops.end());
  std::set<std::string> found;
  Rows rows;
  bool good = true;
  for (const Subject& subject : subjects()) {
    // By the name of a form, or by that of the op all its forms.
    const std::string op = info_of(subject.op).name;
    found.insert({op, subject.name});
    if (!options.ops.empty() && !wanted.contains(op) && !wanted.contains(subject.name)) continue;
    if (options.tier == "fast" && !options.hunting) {
      const bool elementary = info_of(subject.op).cost == CostClass::elementary && subject.parts == 1 &&
                              subject.form == 0 && subject.budget.real > 0.5;
      if (elementary && read_golden(options.golden, subject.name, subject.arity).empty()) {
        std::printf("FAILED %s has no stored values: add it to tools/math/golden.py\n", subject.name.c_str());
        good = false;
      }
    }
    for (const std::string& dtype : options.dtypes) {
      const auto start = std::chrono::steady_clock::now();
      const Record record = dtype == "f32" ? measure<float>(subject, options) : measure<double>(subject, options);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      good = report(subject, dtype, record, seconds) && good;
      rows[{subject.name, dtype}] = record;
      // Each as soon as it is known: a night may be cut short.
      if (!options.page.empty()) renew(options.page, rows);
    }
  }
  for (const std::string& name : wanted)
    if (!found.contains(name)) throw std::runtime_error("no op '" + name + "' of one or two operands");
  return good ? 0 : 1;
}

}  // namespace
}  // namespace frit::accuracy

int main(int argc, char** argv) {
  using frit::accuracy::Options;
  Options options;
  if (std::getenv("FRIT_NIGHTLY") != nullptr) options.tier = "nightly";
  CLI::App app(
      "Measures the errors of the functions of one and two operands against MPFR and fails above their budgets.");
  app.add_option("--tier", options.tier,
                 "fast, or nightly: every f32 number, random f64 numbers; nightly where FRIT_NIGHTLY is set")
      ->check(CLI::IsMember({"fast", "nightly"}));
  app.add_option("--ops", options.ops, "these only, in all their forms, comma-separated")->delimiter(',');
  app.add_option("--dtypes", options.dtypes, "f64, f32 or both")->delimiter(',')->check(CLI::IsMember({"f64", "f32"}));
  app.add_option("--points", options.points, "random points of the nightly tier");
  app.add_option("--threads", options.threads)->check(CLI::PositiveNumber);
  CLI::Option* const hunt = app.add_option_function<std::string>(
      "--hunt",
      [&](const std::string& op) {
        options.hunting = true;
        options.ops = {op};
      },
      "climb to the worst points of this op, or of one form, such as 'divide(x, z)'");
  app.add_option("--minutes", options.minutes, "of a hunt, for each dtype")->needs(hunt);
  app.add_option("--golden", options.golden, "the folder of stored values");
  app.add_option("--renew", options.page, "write what was measured into the block of this page, docs/numerics.md");
  CLI11_PARSE(app, argc, argv);
  try {
    return frit::accuracy::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "math_accuracy: %s\n", error.what());
    return 2;
  }
}
