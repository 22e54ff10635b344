// Building a routine value by value: operations on elements become its steps.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "arrays/routines.hpp"

namespace frit::arrays {

// Thrown where a region has something that a routine has no steps for.
struct NoRoutine {};

// An element of an array: one value, or two of a complex number.
struct Element {
  plan::RoutineValue parts[2]{};
};
// An array of static shape, in row-major order.
struct Elements {
  DType dtype = DType::f64;
  std::vector<std::int64_t> extents;
  std::vector<Element> all;

  int parts() const { return is_complex(dtype) ? 2 : 1; }
};

// The extents of an array of static shape, of bounded size. Throws NoRoutine.
std::vector<std::int64_t> static_extents(const Type& type);
std::int64_t count_of(std::span<const std::int64_t> extents);

// Straight-line floating-point operations that become one step.
class RoutineArithmetic {
 public:
  using Value = plan::RoutineValue;
  explicit RoutineArithmetic(DType width) : graph_(width) {}

  DType width() const { return graph_.kernel_dtype(); }
  bool computes(Value value) const { return computed_.count(value) != 0; }
  // An operand that was computed here, or comes from before; `have` is its dtype, of the width or boolean.
  NodeId operand(const Element& element, DType have, DType want);
  NodeId constant(double number, DType want);
  NodeId add(OpId op, std::span<const NodeId> operands) { return graph_.add_op(op, operands); }
  DType dtype(NodeId id) const { return graph_.node(id).dtype; }
  unsigned form(NodeId id) const { return graph_.node(id).form; }
  // The node becomes these values.
  void result(NodeId id, const Element& element);
  // The plan, its operands and results.
  plan::Plan finish(std::vector<Value>& operands, std::vector<Value>& results);

 private:
  NodeId part(Value value);
  void result_part(NodeId id, Value value);

  // NOTE: a part at a time, since the parts of one complex number may be computed apart from each other.
  Graph graph_;
  std::map<Value, NodeId> computed_;
  std::map<Value, NodeId> arguments_;  // and what comes from before
  std::vector<Value> inputs_, outputs_;
};

// Values and steps. Steps go where `at` says.
class RoutineValues {
 public:
  using Value = plan::RoutineValue;
  using Kind = plan::RoutineStep::Kind;
  explicit RoutineValues(plan::Routine& routine) : routine_(routine) {}

  // A new value, and the elements of a new array. Throw NoRoutine where there are too many, or of any size.
  Value make(DType dtype);
  Elements make(const Type& type);
  // New elements of the dtype and shape of others.
  Elements like(const Elements& array);
  // Whether a weak integer is a number that this integer dtype has.
  bool fits(const Element& element, DType dtype) const;
  DType dtype(Value value) const { return routine_.values[value]; }

  // The next step, to be filled in; the reference is good until the next call of anything here.
  plan::RoutineStep& step(Kind kind, std::vector<Value> operands, std::vector<Value> results);
  Value literal(DType dtype, double number, std::int64_t integer);
  Value converted(Value from, DType to);
  Element converted(const Element& element, DType have, DType want);
  Value integer_op(OpId op, std::vector<Value> operands, DType result);
  // A floating-point op on operands of dtypes `have`, each taken as `want`.
  Element arithmetic(OpId op, std::span<const Element> operands, std::span<const DType> have,
                     std::span<const DType> want);
  // An op on operands of the dtype of the result.
  Element op(OpId op, std::span<const Element> operands, DType dtype);

  // Fills a block with what `fn` does.
  template <class Fn> void fill(plan::RoutineBlock& block, Fn fn) {
    flush();
    std::vector<plan::RoutineStep>* const outer = std::exchange(steps_, &block.steps);
    fn();
    flush();
    steps_ = outer;
  }

 private:
  void flush();
  // The number that a literal is.
  const double* known(Value value) const {
    const auto at = numbers_.find(value);
    return at == numbers_.end() ? nullptr : &at->second;
  }

  plan::Routine& routine_;
  std::map<Value, double> numbers_;         // of floating-point literals
  std::map<Value, std::int64_t> integers_;  // of the others
  std::vector<plan::RoutineStep>* steps_ = &routine_.body.steps;
  std::optional<RoutineArithmetic> pending_;  // what has no step yet
  std::int64_t operations_ = 0;               // of machine code, as it is estimated
};

}  // namespace frit::arrays
