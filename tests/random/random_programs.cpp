// Random programs until a difference is found, or so many or for so long. docs/testing.md shows how to use it.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "random/check.hpp"
#include "random/replay.hpp"
#include "random/shrink.hpp"
#include "random/sympy_program.hpp"

namespace {

using namespace frit::test;

struct Arguments {
  std::uint64_t from = 1;
  std::uint64_t count = 1000;
  double minutes = 0;  // 0: no limit
  std::uint64_t compiled_every = 8;
  std::uint64_t sympy_every = 8;
  int jobs = 1;
  bool keep_going = false;
  std::string replay;
};

[[noreturn]] void usage(const char* what, int status = 2) {
  std::fprintf(
      status == 0 ? stdout : stderr,
      "%s\n"
      "random_programs [--seed N] [--from N] [--count N] [--minutes M] [--jobs N] [--compiled-every N]\n"
      "                [--sympy-every N] [--keep-going] [--replay LINE]\n"
      "  --seed N            the program of this seed alone\n"
      "  --from N --count N  the programs of N seeds, from 1 and 1000 on their own\n"
      "  --minutes M         as many programs as M minutes give, at most --count where that is given too\n"
      "  --compiled-every N  compile every Nth program; 0 is none, 8 without this option\n"
      "  --sympy-every N     take every Nth program through the SymPy front end; 0 is none, 8 without this option\n"
      "  --keep-going        go on after a difference\n"
      "  --replay LINE       the program of a line that an earlier run printed\n",
      what);
  std::exit(status);
}

Arguments parse(int argc, char** argv) {
  Arguments a;
  bool counted = false;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--help") usage("Random programs: see docs/testing.md.", 0);
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
    } else if (name == "--sympy-every") {
      a.sympy_every = integer;
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

void report(const SympyProgram& program, const SympyDifference& found) {
  const SympyProgram small = shrink_sympy(program, found.difference);
  std::printf("  --replay \"%s\"\n", replay_line(small).c_str());
  if (found.graph) {
    report(*found.graph, found.difference);
  } else if (const auto again = check_sympy(small, true)) {
    std::printf("  stage %s: %s\n", again->difference.stage.c_str(), again->difference.what.c_str());
  }
  std::fflush(stdout);
}

// The program of a seed, or through the front end: true where there is a difference. `compile`: with the compiler.
struct Outcome {
  std::optional<Difference> difference;
  std::function<void()> report;
};
Outcome run_seed(std::uint64_t seed, bool sympy, bool compile) {
  if (sympy) {
    SympyProgram program = random_sympy_program(seed);
    auto found = check_sympy(program, compile);
    if (!found) return {};
    const Difference difference = found->difference;
    auto shared = std::make_shared<SympyDifference>(std::move(*found));
    return {difference, [program, shared] { report(program, *shared); }};
  }
  auto program = std::make_shared<RandomProgram>(random_program(seed));
  auto found = check(*program, {.compiled = compile});
  if (!found) return {};
  const Difference difference = *found;
  return {difference, [program, difference] { report(*program, difference); }};
}

int replay(const std::string& line) {
  std::optional<Difference> found;
  std::function<void()> shrink_it;
  if (is_sympy_line(line)) {
    const SympyProgram program = parse_sympy_line(line);
    if (auto difference = check_sympy(program, true)) found = difference->difference;
  } else {
    auto again = std::make_shared<Replay>(parse_replay(line));
    found = check(again->program, {.only = again->stage});
    if (found) shrink_it = [again, difference = *found] { report(again->program, difference); };
  }
  if (!found) {
    std::printf("no difference\n");
    return 0;
  }
  std::printf("stage %s: %s\n", found->stage.c_str(), found->what.c_str());
  if (shrink_it) shrink_it();
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
  std::atomic<std::uint64_t> next{0}, done{0}, compiled{0}, from_sympy{0}, differences{0};
  std::atomic<bool> stop{false};
  std::mutex print;
  const auto work = [&] {
    while (!stop) {
      const std::uint64_t k = next++;
      if (k >= arguments.count || (arguments.minutes > 0 && seconds() > 60 * arguments.minutes)) return;
      const std::uint64_t seed = arguments.from + k;
      const bool sympy = arguments.sympy_every != 0 && seed % arguments.sympy_every == arguments.sympy_every - 1;
      const std::uint64_t turn = sympy ? seed / arguments.sympy_every : seed;
      const bool compile = compiler && arguments.compiled_every != 0 && turn % arguments.compiled_every == 0;
      const Outcome outcome = run_seed(seed, sympy, compile);
      ++done;
      compiled += compile ? 1 : 0;
      from_sympy += sympy ? 1 : 0;
      if (!outcome.difference) continue;
      ++differences;
      const std::lock_guard lock(print);
      if (stop) return;
      if (!arguments.keep_going) stop = true;
      std::printf("DIFFERENCE seed %llu, stage %s, found after %.1f s of processor time and %llu programs\n  %s\n",
                  static_cast<unsigned long long>(seed), outcome.difference->stage.c_str(), processor_seconds(),
                  static_cast<unsigned long long>(done.load()), outcome.difference->what.c_str());
      outcome.report();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < arguments.jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  std::printf(
      "%llu programs from seed %llu, %llu of them from SymPy text, %llu compiled, %llu differences; %.0f s, %.0f s of "
      "processor time\n",
      static_cast<unsigned long long>(done.load()), static_cast<unsigned long long>(arguments.from),
      static_cast<unsigned long long>(from_sympy.load()), static_cast<unsigned long long>(compiled.load()),
      static_cast<unsigned long long>(differences.load()), seconds(), processor_seconds());
  return differences == 0 ? 0 : 1;
}
