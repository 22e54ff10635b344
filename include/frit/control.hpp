// Control flow that depends on values of arrays. On eager arrays it runs as C++; in a function that is being traced it is
// recorded, with its branches and bodies as regions: a branch that is not taken computes nothing and raises nothing. Arrays of
// the surrounding function that a region uses are captured. While a function is traced, a callable may be run more than once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "frit/array.hpp"

namespace frit {

using Region = std::function<std::vector<Array>(std::span<const Array>)>;

struct LoopOptions {
  std::int64_t most_steps = 0;  // 0: no limit. Errors: cancelled where the loop has not ended by then
};

// `condition`: a boolean of rank 0. Both branches take `operands` and give arrays of equal dtypes and shapes.
// Errors: dtype_mismatch, shape_mismatch.
std::vector<Array> cond(const Operand& condition, const Region& yes, const Region& no,
                        const std::vector<Array>& operands);
// The branch whose number is `index`, an integer of rank 0; beyond the ends the first or the last.
// NOLINTNEXTLINE(readability-identifier-naming): `switch` is a keyword.
std::vector<Array> switch_(const Operand& index, const std::vector<Region>& branches,
                           const std::vector<Array>& operands);
// While `condition(carries)` holds, a boolean of rank 0, the carries become `body(carries)`, of the same dtypes and shapes.
std::vector<Array> while_loop(const std::function<Array(std::span<const Array>)>& condition, const Region& body,
                              const std::vector<Array>& carries, LoopOptions options = {},
                              SourceLine where = SourceLine::current());
// carry = body(i, carry) for i = first, ..., last - 1: integers of rank 0; i is i64.
Array fori_loop(const Operand& first, const Operand& last, const std::function<Array(Array i, Array carry)>& body,
                const Array& carry);
// Over the first axis of `elements`: (carries, results) = body(carries, elements[i]), results stacked along a new first axis.
// `body` takes the carries and then one element of each of `elements`, and gives the carries and then the results.
std::vector<Array> scan(const Region& body, const std::vector<Array>& carries, const std::vector<Array>& elements,
                        SourceLine where = SourceLine::current());
// For each element of the first axis of `elements`: results = body(elements[i]), stacked along a new first axis. Elements do not
// depend on each other and are computed side by side: a loop in `body` goes on until the last of them has ended, and those that
// have are left out. `body` is recorded once, for eager arrays too. Errors: those of the lowest element that fails.
std::vector<Array> map(const Region& body, const std::vector<Array>& elements,
                       SourceLine where = SourceLine::current());

}  // namespace frit
