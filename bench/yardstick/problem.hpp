// What the kernels compute: inputs, a reference that shares no code with them, and the expression where it is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "array.hpp"
#include "kernel.hpp"

namespace yardstick {

using Quad = long double;

struct Input {
  const char* name;
  std::size_t (*length)(std::size_t n);
  double low, high;      // drawn evenly from here
  std::size_t x_of = 0;  // not 0: instead the column of a picture of this width, evenly from `low` to `high`
  std::size_t y_of = 0;  // or its row
};

struct Problem {
  const char* name;
  const char* what;     // one line
  const char* element;  // what times are given for
  std::vector<Input> inputs;
  std::size_t (*outputs)(std::size_t n);
  double (*elements)(std::size_t n);  // that a call of size n computes
  std::size_t size;                   // to measure at
  std::vector<std::size_t> check_sizes;
  // The error of an output is taken in units of the last place of the larger of the exact output and `scale`.
  double tolerance, scale;
  double may_differ;  // the share of outputs that may be beyond it: counts of iterations that one rounding changes
  void (*reference)(std::size_t n, const Quad* const* in, Quad* out);
  std::string expression;  // srepr, its symbols the names of the inputs; empty where it is no such expression
};

std::span<const Problem> problems();
const Problem* find_problem(const std::string& name);

// The inputs of a problem, the same at every run.
template <class T> struct Inputs {
  Inputs(const Problem& problem, std::size_t n) {
    std::uint64_t state = 0x9e3779b97f4a7c15u;
    for (const Input& input : problem.inputs) {
      const std::size_t length = input.length(n);
      Array<T>& array = arrays.emplace_back(make_array<T>(length));
      for (std::size_t i = 0; i < length; ++i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double unit = static_cast<double>(state >> 11) * 0x1p-53;
        if (input.x_of != 0) unit = static_cast<double>(i % input.x_of) / static_cast<double>(input.x_of);
        if (input.y_of != 0) {
          const std::size_t y = i / input.y_of;
          unit = static_cast<double>(y) / static_cast<double>(input.y_of);
        }
        array[i] = static_cast<T>(input.low + (input.high - input.low) * unit);
      }
      pointers.push_back(array.get());
    }
  }
  std::vector<Array<T>> arrays;
  std::vector<const T*> pointers;
};

// What is wrong with a kernel at this size; empty where nothing is. Also looks for writes beside the output.
std::string check(const Problem& problem, const Kernel& kernel, bool f32, std::size_t n);

}  // namespace yardstick
