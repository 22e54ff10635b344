// A traced function stage by stage: what was recorded, the loops that are made of it, their machine code. Each stage is a value,
// can be printed, and says what a call costs.
//
//   frit::CompiledStage step = f.trace(x, 0.5).lower().compile();
//   frit::Array y = step(x, 0.25)[0];                        // no look-up of a trace
//   frit::Cost cost = step.cost(x, 0.25);                    // cost.bytes_read, cost.peak_bytes, ...
//
// Calls of the function neither see stages nor are seen by them.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frit/array.hpp"
#include "frit/engine.hpp"

namespace frit {

// What one call does, computed and not measured: the extents of its arguments decide. Scalars are not counted.
struct Cost {
  // Element by element, by the cost classes of docs/ops.md. An operation on one element is one, complex or not; a sum of n
  // elements n, a product of matrices two for each pair of numbers that it multiplies. What only renames parts is none.
  struct Operations {
    std::int64_t cheap = 0;      // add, multiply, compare, select
    std::int64_t divisions = 0;  // and square roots
    std::int64_t functions = 0;  // exp, sin and what is made of them
    friend bool operator==(const Operations&, const Operations&) = default;
  };
  Operations real, complex;
  // Of arrays in memory. What stays in the tile of a loop is none.
  std::int64_t bytes_read = 0, bytes_written = 0;
  // Arrays that are made and are no results.
  std::int64_t temporaries = 0;
  std::int64_t result_bytes = 0;
  // The most bytes of arrays made by the call, temporaries and results, that are alive at one time. The tiles of loops, which do
  // not grow with the extents, are not counted.
  std::int64_t peak_bytes = 0;

  std::string text() const;
  friend bool operator==(const Cost&, const Cost&) = default;
};

namespace arrays {

struct StageImpl;

// What every stage has.
class AnyStage {
 public:
  // What a call with these arguments, arrays or C++ numbers, costs at this stage. Errors: trace_arguments where they do not fit
  // the trace.
  Cost cost(std::span<const Operand> arguments) const;
  template <class... A>
  requires(sizeof...(A) > 0 && (std::convertible_to<const A&, Operand> && ...)) Cost cost(const A&... arguments)
  const {
    const std::array<Operand, sizeof...(A)> operands{Operand(arguments)...};
    return cost(std::span<const Operand>(operands));
  }

 protected:
  explicit AnyStage(std::shared_ptr<const StageImpl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const StageImpl> impl_;
};

}  // namespace arrays

// Machine code of every loop.
class CompiledStage : public arrays::AnyStage {
 public:
  // As a call of the function with arguments that fit the trace. Errors: trace_arguments where they do not; those of the run.
  std::vector<Array> call(std::span<const Operand> arguments) const;
  template <class... A>
  requires(std::convertible_to<const A&, Operand>&&...) std::vector<Array>
  operator()(const A&... arguments) const {
    const std::array<Operand, sizeof...(A)> operands{Operand(arguments)...};
    return call(operands);
  }

  // The loops, each with its target, vectors and bytes of code.
  std::string text() const;
  std::int64_t code_bytes() const;
  // Of each loop in order, those of regions too; compiled again for it. Errors: those of the compiler.
  std::string assembly() const;
  std::string ir() const;

 private:
  friend class LoweredStage;
  using AnyStage::AnyStage;
};

// Loops and what stands between them.
class LoweredStage : public arrays::AnyStage {
 public:
  std::string text() const;
  // Errors: compiler_missing, compiler_version, cpu_unsupported, out_of_memory.
  CompiledStage compile(const CompilerOptions& options = {}) const;

 private:
  friend class TracedStage;
  using AnyStage::AnyStage;
};

// What the callable did: a node a line, the conditions under which it holds, its results with their types. It costs what the
// operations would one by one, each array from where it is made to its last use.
class TracedStage : public arrays::AnyStage {
 public:
  std::string text() const;
  LoweredStage lower() const;

 private:
  friend class TracedFunction;
  using AnyStage::AnyStage;
};

}  // namespace frit
