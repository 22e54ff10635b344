// The problems of the yardstick as a user of frit writes them: functions over arrays.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "frit/frit.hpp"

namespace bench {

struct ArrayFunction {
  const char* name;
  const char* problem;
  // The arguments of a call: `inputs` are those of the problem, each of rank 1.
  std::vector<frit::Array> (*arguments)(const frit::Engine& engine, std::size_t n, std::vector<frit::Array> inputs);
  frit::TracedFunction (*traced)(const frit::Engine& engine, frit::DType dtype, frit::TracedOptions options);
  // The most that machine code may take: this ratio to a variant ("" is the fastest one).
  double most;
  const char* variant = "";
  bool waits_for_memory = false;  // then two threads need not be twice as fast
  std::size_t bytes = 0;          // of the input; 0: the problem's own size
};

std::span<const ArrayFunction> array_functions();
const ArrayFunction* find_array_function(const std::string& name);

}  // namespace bench
