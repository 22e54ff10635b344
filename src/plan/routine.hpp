// Routine: scalars with branches and loops, for back ends that make machine code. One call computes one set of results or, as
// lanes, one for each of n elements: then every value is a vector, a branch is a mask, and a loop goes on until no lane does.
//
// Values are defined once, and are visible in the blocks inside of theirs. Each is a scalar of a real dtype; a complex number
// is two of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace frit::plan {

using RoutineValue = std::uint32_t;

struct RoutineStep;

// Steps in order. `parameters` are defined at its begin; `yields` is what it gives to the step that it belongs to.
struct RoutineBlock {
  std::vector<RoutineValue> parameters;
  std::vector<RoutineStep> steps;
  std::vector<RoutineValue> yields;
};

struct RoutineStep {
  enum class Kind : std::uint8_t {
    literal,     // of the dtype of the result: `number` of a floating one, else `integer`
    arithmetic,  // Routine::plans[which], floating-point operations: its column parts, then the parts of its outputs.
                 // A boolean is 0 or 1 there
    integer,     // an op on integers
    convert,     // to the dtype of the result, as Array::astype
    fma,         // a * b + c, rounded once
    load,        // the parts of an element of operand `which`: `integer`, and beyond it what is the operand times `row`
    store,       // parts to an element of result `which`; the operand behind them is what is times `row`
    choose,      // one of the blocks, by operand 0, an i64 that is cut to the numbers of blocks there are
    loop,        // operands are carried: while block 0 yields true they become what block 1 yields; both take them
  } kind = Kind::literal;
  OpId op{};
  std::vector<RoutineValue> operands, results;
  std::uint32_t which = 0;
  std::int64_t integer = 0;
  std::int64_t row = 0;
  double number = 0;
  std::int64_t most_steps = 0;  // loop; 0 is no limit
  std::uint32_t number_of_loop = 0;
  std::vector<RoutineBlock> blocks;
};

// An array that is read or written: elements behind each other, booleans as bytes. Of lanes, each has an element of its own
// (`each_lane`), or all read the same ones.
struct RoutineArray {
  DType dtype = DType::f64;
  bool each_lane = false;
};

struct Routine {
  bool lanes = false;
  std::vector<DType> values;  // of each value
  std::vector<RoutineArray> operands;
  std::vector<RoutineArray> results;
  std::vector<Plan> plans;
  RoutineBlock body;
};

// A step a line, blocks indented.
std::string print_routine(const Routine& routine);

}  // namespace frit::plan
