// Mode auto: the graph answers first, machine code follows where it pays, and which one ran never changes a bit; with many
// threads, with functions that end while they compile, and after fork.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "frit/frit.hpp"
#include "support/compiled.hpp"

namespace frit::test {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A model of `terms` terms, each of some eight steps.
std::string text_of(int terms) {
  std::string text = "Add(Symbol('x')";
  for (int i = 1; i <= terms; ++i)
    text += ", Mul(sin(Mul(Symbol('x'), Integer(" + std::to_string(i) +
            "))), exp(Mul(Symbol('a'), Symbol('y'), Pow(Integer(" + std::to_string(i + 1) +
            "), Integer(-1)))), Pow(Add(Pow(Symbol('y'), Integer(2)), Integer(" + std::to_string(i) +
            ")), Integer(-1)))";
  return text + ")";
}

struct Subject {
  explicit Subject(int terms, int threads = 1) : engine{{.threads = threads}}, model(Model::parse(text_of(terms))) {}
  Engine engine;
  Model model;
  Signature signature{.columns = {{"x"}, {"y"}}, .parameters = {{"a"}}};
  Function bind(Mode mode) const { return engine.bind(model, signature, {.mode = mode}); }
};

Bytes call(const Function& f, std::size_t n, double a = -0.5) {
  static const std::vector<double> x = Inputs<double>(1).take(200'000), y = Inputs<double>(2).take(200'000);
  const Result result =
      f(Columns().add("x", std::span(x).first(n)).add("y", std::span(y).first(n)), Parameters().set("a", a));
  const auto* const from = static_cast<const std::byte*>(result.data(0));
  return Bytes(from, from + 8 * n);
}

TEST(CompiledAuto, TheGraphAnswersFirstAndCodeFollows) {
  FRIT_NEEDS_COMPILER();
  for (int threads : {1, 2}) {
    const Subject subject(20, threads);
    const Bytes want = call(subject.bind(Mode::graph), 20'000);
    const Function f = subject.bind(Mode::automatic);
    EXPECT_EQ(f.mode_asked(), Mode::automatic);
    EXPECT_EQ(f.mode_used(), Mode::graph);
    EXPECT_EQ(call(f, 20'000), want);
    const Clock::time_point start = Clock::now();
    while (!f.wait_for_code(60) && seconds_since(start) < 60) EXPECT_EQ(call(f, 20'000), want);
    EXPECT_EQ(f.mode_used(), Mode::compiled);
    EXPECT_EQ(call(f, 20'000), want);
    EXPECT_GT(f.stage_times().compile_s, 0);
    EXPECT_EQ(call(subject.bind(Mode::compiled), 20'000), want);
  }
}

TEST(CompiledAuto, AFunctionCalledOnceOnFewEventsNeverCompiles) {
  FRIT_NEEDS_COMPILER();
  for (int threads : {1, 2}) {
    const Subject subject(20, threads);
    const Function f = subject.bind(Mode::automatic);
    (void)call(f, 50);
    EXPECT_FALSE(f.wait_for_code(0.3));
    EXPECT_EQ(f.mode_used(), Mode::graph);
    EXPECT_EQ(f.stage_times().compile_s, 0);
  }
}

TEST(CompiledAuto, ManyThreadsWhileItSwitches) {
  FRIT_NEEDS_COMPILER();
  const Subject subject(30);
  const Bytes want = call(subject.bind(Mode::graph), 3000), other = call(subject.bind(Mode::graph), 3000, 0.25);
  for (int round = 0; round < (nightly() ? 200 : 2); ++round) {
    const Function f = subject.bind(Mode::automatic);
    std::atomic<int> wrong{0}, before{0}, after{0};
    std::atomic<bool> end{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        while (!end) {
          (f.mode_used() == Mode::compiled ? after : before)++;
          if (call(f, 3000, t % 2 == 0 ? -0.5 : 0.25) != (t % 2 == 0 ? want : other)) ++wrong;
        }
      });
    }
    const Clock::time_point start = Clock::now();
    while ((f.mode_used() != Mode::compiled || after < 20) && seconds_since(start) < 60)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    end = true;
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(before, 0);
    EXPECT_GT(after, 0);
    EXPECT_EQ(f.mode_used(), Mode::compiled);
  }
}

TEST(CompiledAuto, ThreadsThatBindTheSameModelAtOnce) {
  FRIT_NEEDS_COMPILER();
  const Subject subject(10);
  const Bytes want = call(subject.bind(Mode::graph), 3000);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 3; ++i) {
        const Function f = subject.bind(Mode::compiled);
        if (f.mode_used() != Mode::compiled || call(f, 3000) != want) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// The end of a function waits for its compilation, and not for more than that.
TEST(CompiledAuto, AFunctionThatEndsWhileItCompiles) {
  FRIT_NEEDS_COMPILER();
  const Subject subject(30);
  Clock::time_point start = Clock::now();
  (void)subject.bind(Mode::compiled);
  const double compile_s = seconds_since(start);
  for (int round = 0; round < 4; ++round) {
    {
      Function f = subject.bind(Mode::automatic);
      for (int i = 0; i < 400 && f.mode_used() == Mode::graph; ++i) {
        (void)call(f, 3000);
        // Ends at different points of the compilation.
        if (i > 30 + 40 * round) break;
      }
      start = Clock::now();
    }
    EXPECT_LT(seconds_since(start), 10 * compile_s + 1);
  }
}

// A child of fork has no thread that compiles: its copy of the function still answers, and ends.
TEST(CompiledAuto, AChildOfForkWhileItCompiles) {
  FRIT_NEEDS_COMPILER();
  const Subject subject(200);
  const Bytes want = call(subject.bind(Mode::graph), 500);
  auto f = std::make_unique<Function>(subject.bind(Mode::automatic));
  const Clock::time_point start = Clock::now();
  // Until the compilation runs: then waiting takes all the time it is given.
  for (bool running = false; !running && f->mode_used() == Mode::graph && seconds_since(start) < 60;) {
    (void)call(*f, 20'000);
    const Clock::time_point waiting = Clock::now();
    running = !f->wait_for_code(0.002) && seconds_since(waiting) > 0.0015;
  }
  const bool compiling = f->mode_used() == Mode::graph;
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);  // a hang ends by a signal
    const bool same = call(*f, 500) == want;
    f.reset();
    _exit(same ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(compiling) << "the compilation ended too soon for this test";
  EXPECT_EQ(call(*f, 500), want);
}

}  // namespace
}  // namespace frit::test
