// What is measured: a form of an op, by the kernels of this machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ops/table.hpp"
#include "oracle/oracle.hpp"

namespace frit::accuracy {

inline constexpr int most_inputs = 4;

struct Subject {
  OpId op;
  std::string name;  // as in tests/support/measured.hpp
  int arity;
  unsigned form;  // 0: real operands
  int inputs;     // the parts of the operands
  int parts;      // of the result
  Budget budget;

  double limit(bool subnormal_result) const { return form != 0 ? budget.complex : budget.of_real(subnormal_result); }
  bool is_complex(int operand) const { return (form >> operand & 1u) != 0; }
};

std::vector<Subject> subjects();

inline constexpr std::int64_t block = 1024;  // elements of a call, a multiple of every vector

// The parts of the operands, one after the other. All columns are of one length, those beyond the inputs are not looked at.
template <class T> using Arguments = std::array<std::vector<T>, most_inputs>;
template <class T> Arguments<T> zeros(std::size_t n) {
  const std::vector<T> column(n, T(0));
  return {column, column, column, column};
}

// The number of elements is a multiple of a block.
template <class T> void evaluate(const Subject& subject, const Arguments<T>& x, std::vector<T> (&result)[2]);

// One point, as the oracle wants it.
using Point = std::array<double, most_inputs>;
template <class T> Point point_of(const Arguments<T>& x, std::size_t i) {
  return {static_cast<double>(x[0][i]), static_cast<double>(x[1][i]), static_cast<double>(x[2][i]),
          static_cast<double>(x[3][i])};
}
std::vector<test::oracle::Number> operands_of(const Subject& subject, const Point& x);

}  // namespace frit::accuracy
