// Samples of calls that take turns, by processor time of this thread and by wall time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bench {

struct Seconds {
  double cpu = 0, wall = 0;
};
Seconds now();
Seconds operator-(Seconds a, Seconds b);

// What a call costs the first time and how it is called again.
struct Candidate {
  std::string name;
  std::function<void()> call;
  std::function<void()> settle =
      {};                  // behind the first call: brings about what later calls run, as code made in the background
  double prepare_s = 0;    // frit: binding, and the compilation
  double difference = -1;  // usual_difference of its output from the first candidate's; negative: not compared
  Seconds first = {};
  std::int64_t calls = 1;  // a sample
  std::vector<Seconds> samples = {};
};

struct Settings {
  int rounds = 15;
  double min_time = 0.01;  // seconds a sample
  double most_time = 1;    // a candidate whose samples took this long has no further ones
};

// Makes the first call of each and settles how many calls a sample has.
void warm_up(std::vector<Candidate>& candidates, const Settings& settings);
// One sample of each a round; another one begins each time. Before each round a register-only loop is timed, whose spread
// tells how steady the machine is.
nlohmann::json measure(std::vector<Candidate>& candidates, const Settings& settings);

// Runs `call` with subnormals flushed to zero, as a program that is linked with -ffast-math does.
std::function<void()> as_fast_math(std::function<void()> call);

// The relative difference of two outputs that 99 of 100 elements do not exceed: programs that round differently are far
// apart where their terms cancel. Elements below `scale` count as that large; one that is NaN in one alone differs by infinity.
template <class T> double usual_difference(const T* a, const T* b, std::size_t size, double scale = 0);

// Wall seconds of `count` threads that each run the register-only loop so often, side by side, by `calls`. A call is 0.3 ms.
double registers_on_threads(int count, int calls);
inline int register_calls(const Settings& settings) { return static_cast<int>(settings.min_time / 3e-4) + 1; }

}  // namespace bench
