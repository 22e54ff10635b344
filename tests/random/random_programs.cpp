// Random programs until a difference is found, or so many or for so long. docs/testing.md shows how to use it.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "random/check.hpp"
#include "random/replay.hpp"
#include "random/shrink.hpp"

namespace {

using namespace frit::test;

struct Arguments {
  std::uint64_t from = 1;
  std::uint64_t count = 1000;
  double minutes = 0;  // 0: no limit
  std::uint64_t compiled_every = 8;
  int jobs = 1;
  bool keep_going = false;
  std::string replay;
};

[[noreturn]] void usage(const char* what) {
  std::fprintf(stderr,
               "%s\n"
               "random_programs [--seed N] [--from N] [--count N] [--minutes M] [--jobs N] [--compiled-every N]\n"
               "                [--keep-going] [--replay LINE]\n"
               "  --seed N            the program of this seed alone\n"
               "  --from N --count N  the programs of N seeds, from 1 and 1000 on their own\n"
               "  --minutes M         as many programs as M minutes give, at most --count where that is given too\n"
               "  --compiled-every N  compile every Nth program; 0 is none, 8 without this option\n"
               "  --keep-going        go on after a difference\n"
               "  --replay LINE       the program of a line that an earlier run printed\n",
               what);
  std::exit(2);
}

Arguments parse(int argc, char** argv) {
  Arguments a;
  bool counted = false;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--keep-going") {
      a.keep_going = true;
      continue;
    }
    if (i + 1 == argc) usage(("no value for " + name).c_str());
    const char* const value = argv[++i];
    char* end = nullptr;
    if (name == "--replay") {
      a.replay = value;
      continue;
    }
    const double number = std::strtod(value, &end);
    if (*end != '\0' || !(number >= 0)) usage((name + " takes a number, not " + value).c_str());
    const auto integer = static_cast<std::uint64_t>(number);
    if (name == "--seed") {
      a.from = integer;
      a.count = 1;
      a.compiled_every = 1;
      counted = true;
    } else if (name == "--from") {
      a.from = integer;
    } else if (name == "--count") {
      a.count = integer;
      counted = true;
    } else if (name == "--minutes") {
      a.minutes = number;
    } else if (name == "--compiled-every") {
      a.compiled_every = integer;
    } else if (name == "--jobs") {
      a.jobs = static_cast<int>(integer);
    } else {
      usage(("no option " + name).c_str());
    }
  }
  if (a.minutes > 0 && !counted) a.count = ~std::uint64_t{0};
  return a;
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void report(const RandomProgram& program, const Difference& difference) {
  const Shrunk small = shrink(program, difference);
  std::printf("  shrunk to %zu nodes and %lld events by %d programs; stage %s\n  %s\n  --replay '%s'\n%s",
              small.program.graph.size(), static_cast<long long>(small.program.events), small.checks,
              small.difference.stage.c_str(), small.difference.what.c_str(),
              replay_line(small.program, small.difference.stage).c_str(), print_graph(small.program.graph).c_str());
  std::fflush(stdout);
}

int replay(const std::string& line) {
  const Replay r = parse_replay(line);
  const auto found = check(r.program, {.only = r.stage});
  if (!found) {
    std::printf("no difference\n");
    return 0;
  }
  std::printf("stage %s: %s\n", found->stage.c_str(), found->what.c_str());
  report(r.program, *found);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  if (!arguments.replay.empty()) return replay(arguments.replay);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const bool compiler = frit::runtime::compiler_is_missing().empty();
  if (!compiler && arguments.compiled_every != 0) std::printf("skipped: compiled mode, built without the compiler\n");
  std::atomic<std::uint64_t> next{0}, done{0}, compiled{0}, differences{0};
  std::atomic<bool> stop{false};
  std::mutex print;
  const auto work = [&] {
    while (!stop) {
      const std::uint64_t k = next++;
      if (k >= arguments.count || (arguments.minutes > 0 && seconds() > 60 * arguments.minutes)) return;
      const std::uint64_t seed = arguments.from + k;
      const bool compile = compiler && arguments.compiled_every != 0 && seed % arguments.compiled_every == 0;
      const RandomProgram program = random_program(seed);
      const auto found = check(program, {.compiled = compile});
      ++done;
      compiled += compile ? 1 : 0;
      if (!found) continue;
      ++differences;
      const std::lock_guard lock(print);
      if (stop) return;
      if (!arguments.keep_going) stop = true;
      std::printf("DIFFERENCE seed %llu, stage %s, found after %.1f s of processor time and %llu programs\n  %s\n",
                  static_cast<unsigned long long>(seed), found->stage.c_str(), processor_seconds(),
                  static_cast<unsigned long long>(done.load()), found->what.c_str());
      report(program, *found);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < arguments.jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  std::printf(
      "%llu programs from seed %llu, %llu of them compiled, %llu differences; %.0f s, %.0f s of processor time\n",
      static_cast<unsigned long long>(done.load()), static_cast<unsigned long long>(arguments.from),
      static_cast<unsigned long long>(compiled.load()), static_cast<unsigned long long>(differences.load()), seconds(),
      processor_seconds());
  return differences == 0 ? 0 : 1;
}
