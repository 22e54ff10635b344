#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <thread>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "problem.hpp"

namespace bench {
namespace {

double clock_seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// About 0.3 ms of register-only work.
void registers_once() {
  static const yardstick::Kernel* const kernel = [] {
    for (const yardstick::Kernel& k : yardstick::library().kernels) {
      if (std::string(k.problem) == "registers") return &k;
    }
    return static_cast<const yardstick::Kernel*>(nullptr);
  }();
  const double start = 0.75;
  const double* const in[] = {&start};
  double out = 0;
  kernel->f64(200'000, in, &out);
}

}  // namespace

Seconds now() { return {clock_seconds(CLOCK_THREAD_CPUTIME_ID), clock_seconds(CLOCK_MONOTONIC)}; }
Seconds operator-(Seconds a, Seconds b) { return {a.cpu - b.cpu, a.wall - b.wall}; }

std::function<void()> as_fast_math(std::function<void()> call) {
#if defined(__x86_64__)
  return [call = std::move(call)] {
    const unsigned state = _mm_getcsr();
    _mm_setcsr(state | 0x8040u);
    call();
    _mm_setcsr(state);
  };
#else
  return call;
#endif
}

void warm_up(std::vector<Candidate>& candidates, const Settings& settings) {
  for (Candidate& candidate : candidates) {
    const Seconds start = now();
    candidate.call();
    candidate.first = now() - start;
    if (candidate.settle) {
      candidate.settle();
    } else if (candidate.first.wall > 10 * settings.min_time) {
      continue;  // one call a sample
    }
    const Seconds again = now();
    candidate.call();
    const double seconds = std::max((now() - again).wall, 1e-9);
    candidate.calls =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(settings.min_time / seconds) + 1, 1, 1'000'000);
  }
}

nlohmann::json measure(std::vector<Candidate>& candidates, const Settings& settings) {
  std::vector<double> steady;
  std::vector<double> taken(candidates.size());
  registers_once();
  for (int round = 0; round < settings.rounds; ++round) {
    const Seconds before = now();
    registers_once();
    steady.push_back((now() - before).cpu);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const std::size_t place = (k + static_cast<std::size_t>(round)) % candidates.size();
      Candidate& candidate = candidates[place];
      if (taken[place] > settings.most_time) continue;
      const Seconds start = now();
      for (std::int64_t i = 0; i < candidate.calls; ++i) candidate.call();
      const Seconds spent = now() - start;
      taken[place] += spent.wall;
      const auto calls = static_cast<double>(candidate.calls);
      candidate.samples.push_back({spent.cpu / calls, spent.wall / calls});
    }
  }
  nlohmann::json rows = nlohmann::json::array();
  for (const Candidate& candidate : candidates) {
    nlohmann::json cpu = nlohmann::json::array(), wall = nlohmann::json::array();
    for (const Seconds& sample : candidate.samples) {
      cpu.push_back(sample.cpu);
      wall.push_back(sample.wall);
    }
    nlohmann::json row{{"name", candidate.name},
                       {"prepare_s", candidate.prepare_s},
                       {"first_s", candidate.first.wall},
                       {"cpu_s", cpu},
                       {"wall_s", wall}};
    if (candidate.difference >= 0) row["difference"] = candidate.difference;
    rows.push_back(std::move(row));
  }
  return {{"candidates", rows}, {"registers_s", steady}};
}

template <class T> double usual_difference(const T* a, const T* b, std::size_t size, double scale) {
  std::vector<double> differences(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    const bool same = x == y || (std::isnan(x) && std::isnan(y));
    const double relative = std::abs(x - y) / std::max({std::abs(x), std::abs(y), scale});
    differences[i] = same ? 0 : std::isnan(relative) ? std::numeric_limits<double>::max() : relative;
  }
  const std::size_t at = size - 1 - size / 100;
  std::nth_element(differences.begin(), differences.begin() + static_cast<std::ptrdiff_t>(at), differences.end());
  return differences[at];
}
template double usual_difference(const double*, const double*, std::size_t, double);
template double usual_difference(const float*, const float*, std::size_t, double);

double registers_on_threads(int count, int calls) {
  const auto work = [calls] {
    for (int i = 0; i < calls; ++i) registers_once();
  };
  const Seconds begin = now();
  std::vector<std::thread> others;
  for (int i = 1; i < count; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return (now() - begin).wall / calls;
}

}  // namespace bench
