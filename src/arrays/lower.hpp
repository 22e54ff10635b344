// Lowering: a program becomes stages that run one after the other. Element-wise operations of one shape and one width are
// fused into a loop, which is a Graph and so a Function in graph or compiled mode; what else there is runs as it is written.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arrays/program.hpp"
#include "arrays/routine_code.hpp"
#include "frit/engine.hpp"
#include "runtime/function.hpp"

namespace frit::arrays {

inline constexpr std::uint32_t no_slot = 0xffffffffu;
inline constexpr ValueId no_value = 0xffffffffu;

struct Stage {
  enum class Kind : std::uint8_t {
    loop,    // element-wise operations, fused
    single,  // one node by itself
  } kind = Kind::loop;
  ValueId node = 0;  // single
  // loop
  std::shared_ptr<Function::Impl> function;
  std::vector<ValueId> columns;     // of its column arguments
  std::vector<ValueId> parameters;  // of its parameter arguments, all of rank 0
  std::vector<ValueId> outputs;
  // Of each output no_value, or the reduction over its last axes that takes its elements as they come, so that they need not be stored
  // for it. What has other uses too is an output of its own before that.
  std::vector<ValueId> reductions;
  std::vector<bool> streams_all;  // of each output: the reduction is over all of its axes
  Type shape;                     // that it runs over; the dtype says nothing

  // Whether the elements of an output are stored, if only by the output before it.
  bool is_stored(std::size_t output) const {
    return reductions[output] == no_value || (output > 0 && outputs[output - 1] == outputs[output]);
  }
  // Whether the reduction of an output is a sum that can take sums of blocks.
  bool is_summed(std::size_t output) const { return function->program.plan().outputs[output].summed; }

  std::vector<std::uint32_t> freed;  // slots that no later stage needs
};

struct LoweredRegion;

struct Lowered {
  std::shared_ptr<const Program> program;
  std::vector<LoweredRegion> regions;
  std::vector<Stage> stages;
  std::vector<std::uint32_t> slots;  // of each node that is computed and stored: where; else no_slot
  std::uint32_t slot_count = 0;
  // Of each node the update that takes it as its value and in whose array it is computed, or no_value.
  std::vector<ValueId> placed_in;
  std::vector<bool> taken;  // of each output: the slot is needed no more, since no later output is the same node
  std::string text() const;
  // Every loop, those of regions too, and every routine.
  void for_each_loop(const std::function<void(Function::Impl&)>& fn) const;
  void for_each_routine(const std::function<void(RoutineCode&)>& fn) const;
};

struct LoweredRegion {
  std::vector<Lowered> programs;
  std::shared_ptr<const Lowered> lanes;  // of a map: its body over many elements, where there is such a form
  std::shared_ptr<RoutineCode> routine;  // computes the region where it is ready, or nullptr

  template <class Fn> void for_each_program(Fn fn) const {
    for (const Lowered& program : programs) fn(program);
    if (lanes) fn(*lanes);
  }
};

// Makes a Function of each loop, in mode graph, compiled or automatic. Errors: what compilation throws.
// `notes`: gets what could not be compiled and was not to be an error.
Lowered lower(std::shared_ptr<const Program> program, const std::shared_ptr<Engine::Impl>& engine,
              const FunctionOptions& options, std::vector<std::string>* notes = nullptr);

// Every operation a stage of its own, in the order of the program: for what it costs, not to be run.
Lowered as_written(std::shared_ptr<const Program> program);

// Runs the stages. `arguments`: the elements of each argument, which live as long as the call where they have no buffer;
// `symbols`: the values of the program's symbols; `results`: one for each output. `into`: nothing, or for each output a
// contiguous array that gets its elements; nothing is written behind them.
void run(const Lowered& lowered, std::span<const Data* const> arguments, std::span<const std::int64_t> symbols,
         const Engine::Impl& engine, const std::int32_t* cancel, std::span<Data> results,
         std::span<const Data> into = {});
inline std::vector<Data> run(const Lowered& lowered, std::span<const Data* const> arguments,
                             std::span<const std::int64_t> symbols, const Engine::Impl& engine,
                             const std::int32_t* cancel) {
  std::vector<Data> results(lowered.program->outputs.size());
  run(lowered, arguments, symbols, engine, cancel, results);
  return results;
}

// Of the program of a region of rows: the values of its symbols, of which the last, the number of rows, is 1, given those of the
// function.
std::vector<std::int64_t> symbols_of_rows(const Program& program, std::span<const std::int64_t> symbols);
// Of the program of a region of rows: how many of them are computed at once, so that its arrays stay in the cache. The last of
// `symbols`, which is their number, is 1.
std::int64_t rows_at_once(const Lowered& lowered, std::span<const std::int64_t> symbols);

}  // namespace frit::arrays
