// What a call on small arrays costs, and a step of a loop over arrays: what is around the arithmetic. Medians:
// --benchmark_repetitions=9 --benchmark_report_aggregates_only=true. Two builds are compared by alternating them
// (--benchmark_enable_random_interleaving mixes the rows of one).
#include <benchmark/benchmark.h>

#include <functional>
#include <tuple>

#include "frit/control.hpp"
#include "frit/functions.hpp"
#include "frit/reduce.hpp"
#include "frit/traced.hpp"

namespace {

using frit::Array;

struct Inputs {
  frit::Engine engine;
  Array a = frit::array(engine, std::vector<double>(10, 0.25));
  Array b = frit::array(engine, std::vector<double>(10, 1.5));
  Array zero = frit::scalar(engine, 0.25);
  Array one = frit::scalar(engine, 1.5);
};
Inputs& inputs() {
  static Inputs all;
  return all;
}

void report(const std::string& name, const std::function<void()>& call) {
  benchmark::RegisterBenchmark(name.c_str(), [call](benchmark::State& state) {
    call();  // traces and compiles
    for (auto _ : state) call();
  });
}

// Steps of a loop, each an item: 1 / items_per_second is the time of one.
constexpr std::int64_t steps = 10'000;
void report_steps(const std::string& name, const std::function<void()>& call) {
  benchmark::RegisterBenchmark(name.c_str(), [call](benchmark::State& state) {
    call();
    for (auto _ : state) call();
    state.SetItemsProcessed(state.iterations() * steps);
  });
}

// Five operations.
auto five = [](Array a, Array b) { return a * b + sin(a) - b * 2.0; };

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  Inputs& in = inputs();
  report("eager_add", [&in] { benchmark::DoNotOptimize(in.a + in.b); });
  report("eager_add_number", [&in] { benchmark::DoNotOptimize(in.a + 2.0); });
  report("eager_five", [&in] { benchmark::DoNotOptimize(five(in.a, in.b)); });
  for (const frit::Mode mode : {frit::Mode::compiled, frit::Mode::graph, frit::Mode::automatic}) {
    const std::string name(frit::name_of(mode));
    const auto f = frit::traced(in.engine, five, {.mode = mode});
    report(name + "_five", [&in, f] { benchmark::DoNotOptimize(f(in.a, in.b)); });
    report(name + "_five_number", [&in, f] { benchmark::DoNotOptimize(f(in.a, 1.5)); });
    report(name + "_five_rank_0", [&in, f] { benchmark::DoNotOptimize(f(in.zero, in.one)); });
    const auto two =
        frit::traced(in.engine, [](Array a, Array b) { return std::tuple<Array, Array>(a * b + sin(a), a - b * 2.0); },
                     {.mode = mode});
    report(name + "_two_outputs", [&in, two] { benchmark::DoNotOptimize(two(in.a, in.b)); });
    const auto summed =
        frit::traced(in.engine, [](Array a, Array b) { return sum(a * b + sin(a) - b * 2.0); }, {.mode = mode});
    report(name + "_five_summed", [&in, summed] { benchmark::DoNotOptimize(summed(in.a, in.b)); });
    for (const std::int64_t n : {100, 1000}) {
      const Array x = frit::iota(in.engine, n, frit::DType::f64);
      const auto counted = frit::traced(in.engine,
                                        [](Array a, Array b) {
                                          return frit::fori_loop(
                                              0, steps, [&](const Array&, const Array& c) { return c * 0.5 + b; }, a);
                                        },
                                        {.mode = mode});
      report_steps(name + "_fori_loop_of_" + std::to_string(n),
                   [x, counted] { benchmark::DoNotOptimize(counted(x, x)); });
      const auto descent = frit::traced(
          in.engine,
          [](Array a, Array b) {
            return frit::while_loop([](std::span<const Array> c) { return c[1] < static_cast<double>(steps); },
                                    [&](std::span<const Array> c) {
                                      const Array d = c[0] - b;
                                      return std::vector{c[0] - 0.1 * d, c[1] + 1.0, sum(d * d)};
                                    },
                                    {a, sum(a) * 0.0, sum(a)})[2];
          },
          {.mode = mode});
      report_steps(name + "_descent_of_" + std::to_string(n),
                   [x, descent] { benchmark::DoNotOptimize(descent(x, x)); });
    }
  }
  benchmark::RunSpecifiedBenchmarks();
}
