// One trace of a function, and what a TracedFunction is: its traces and how they are found.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "arrays/arguments.hpp"
#include "arrays/lower.hpp"
#include "frit/traced.hpp"

namespace frit {
namespace arrays {

using SymbolValues = Few<std::int64_t, 16>;

// One trace, ready to run. It lives as long as its function.
struct Specialisation {
  std::vector<ArgumentKind> kinds;
  std::shared_ptr<const Program> program;
  Lowered lowered;
  const Specialisation* older = nullptr;  // the trace that was made before

  bool fits(std::span<const ArgumentKind> others, std::span<const Data* const> arguments, SymbolValues& symbols) const {
    return std::equal(kinds.begin(), kinds.end(), others.begin(), others.end()) && fits_extents(arguments, symbols);
  }
  bool fits_extents(std::span<const Data* const> arguments, SymbolValues& symbols) const {
    evaluate(arguments, symbols);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Type& type = program->arguments[i];
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(type.rank); ++axis)
        if (!type.extents[axis].is_symbolic() && type.extents[axis].constant() != arguments[i]->extents[axis])
          return false;
    }
    return std::all_of(program->conditions.begin(), program->conditions.end(),
                       [&](const Condition& c) { return c.holds(symbols); });
  }
  void evaluate(std::span<const Data* const> arguments, SymbolValues& symbols) const {
    program->symbols->evaluate_all(
        [&](std::uint32_t argument, std::uint32_t axis) { return arguments[argument]->extents[axis]; }, symbols);
  }
};

}  // namespace arrays

struct TracedFunction::Impl {
  std::shared_ptr<Engine::Impl> engine;
  std::size_t count = 0;
  Callable callable;
  TracedOptions options;

  // The trace that was made last. Calls walk from there without a lock: traces are added, and neither changed nor removed.
  std::atomic<const arrays::Specialisation*> newest{nullptr};
  mutable std::shared_mutex mutex;                                    // of all below
  std::vector<std::shared_ptr<const arrays::Specialisation>> traces;  // the last that was made first
  std::vector<std::string> reasons;
  std::vector<std::string> notes;
  int in_flight = 0;  // traces that are being made
  std::condition_variable_any trace_ended;
  std::atomic<std::int64_t> calls{0};
  std::deque<std::int64_t> retraced_at;

  const arrays::Specialisation* find(std::span<const arrays::ArgumentKind> kinds,
                                     std::span<const arrays::Data* const> arguments,
                                     arrays::SymbolValues& symbols) const {
    const arrays::Specialisation* trace = newest.load(std::memory_order_acquire);
    while (trace != nullptr && !trace->fits(kinds, arguments, symbols)) trace = trace->older;
    return trace;
  }
  const arrays::Specialisation& obtain(std::span<const arrays::ArgumentKind> kinds, std::span<const arrays::Type> types,
                                       std::span<const arrays::Data* const> arguments, arrays::SymbolValues& symbols);
  std::shared_ptr<arrays::Specialisation> make(std::span<const arrays::ArgumentKind> kinds,
                                               std::span<const arrays::Type> types,
                                               std::vector<std::string>& made_notes) const;
  arrays::Lowered lower(const std::shared_ptr<const arrays::Program>& program,
                        std::vector<std::string>& made_notes) const;
  // Errors: trace_arguments.
  void check_call(std::span<const Operand> operands) const;
  // The arguments of a call, as the signature wants them. Errors: trace_arguments, usage.
  void gather(std::span<const Operand> operands, arrays::Arguments& arguments) const;
  // Runs the callable on arrays that record.
  std::shared_ptr<const arrays::Program> record(std::span<const arrays::Type> types) const;
  // Why the trace is not for these arguments.
  std::string mismatch(const arrays::Specialisation& trace, std::span<const arrays::ArgumentKind> kinds,
                       std::span<const arrays::Type> types, std::span<const arrays::Data* const> arguments) const;
  std::vector<Array> run(const arrays::Specialisation& trace, std::span<const arrays::Data* const> arguments,
                         const arrays::SymbolValues& symbols) const;
  std::string reason(std::span<const arrays::ArgumentKind> kinds, std::span<const arrays::Type> types,
                     std::span<const arrays::Data* const> arguments) const;
  std::vector<Array> call_inside(std::span<const Operand> operands) const;
  void check_signature(std::size_t i, const arrays::Type& type) const;
  void check_names(std::span<const arrays::Type> types) const;
  void count_retrace();
};

}  // namespace frit
