// What is measured: an op of one or two real operands, by the kernels of this machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frit/dtype.hpp"
#include "ops/table.hpp"

namespace frit::accuracy {

struct Subject {
  OpId op;
  std::string name;
  int arity;
  int parts;  // of the result
  Budget budget;
};

std::vector<Subject> subjects();

inline constexpr std::int64_t block = 1024;  // elements of a call, a multiple of every vector

// The number of elements is a multiple of a block.
template <class T>
void evaluate(const Subject& subject, const std::vector<T>& x, const std::vector<T>& y, std::vector<T> (&result)[2]);

}  // namespace frit::accuracy
