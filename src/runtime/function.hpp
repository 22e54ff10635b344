// What is behind frit::Engine and frit::Function.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exec/program.hpp"
#include "frit/abi.h"
#include "frit/engine.hpp"
#include "graph/graph.hpp"
#include "runtime/array_memory.hpp"
#include "runtime/scratch.hpp"
#include "runtime/tiering.hpp"

namespace frit {

struct Engine::Impl {
  int threads = 1;
  std::int64_t tile = 0;
  const exec::KernelTable* table = nullptr;
  bool cache = true;
  const std::int32_t* cancel = nullptr;
  std::shared_ptr<runtime::ArrayMemory> memory;  // never absent
  pid_t process = 0;                             // pool threads exist in this process only
  std::function<void(std::string_view)> print;   // or empty: stdout
};

struct Function::Impl {
  Impl(Graph traced_graph, Graph final_graph, plan::Plan plan, const exec::KernelTable& table, exec::ProgramOptions how)
      : traced(std::move(traced_graph)), graph(std::move(final_graph)), program(std::move(plan), table, how) {}

  std::shared_ptr<Engine::Impl> engine;
  FunctionOptions options;
  Graph traced;  // as the front end made it
  Graph graph;   // after the passes
  exec::Program program;
  Tiering tiering{program};
  StageTimes times;

  // Columns and parameters in the order of the program.
  std::vector<const GraphArgument*> columns;
  std::vector<const GraphArgument*> parameters;
  std::vector<std::atomic<bool>> rounding_noted;  // of each column: the note about its rounding is made

  runtime::ScratchPool scratch;
  mutable std::mutex notes_mutex;
  std::vector<std::string> notes;
  void note(std::string text);  // once each
};

namespace runtime {

// A typed graph becomes a function: passes, plan, program. `trace_s` is what making the graph took.
// `summed`: of each output whether only its sum is wanted (plan::Output), or empty. Errors: mode_unavailable.
std::shared_ptr<Function::Impl> make_function(const std::shared_ptr<Engine::Impl>& engine, Graph graph,
                                              const FunctionOptions& options, double trace_s,
                                              std::vector<std::string> notes, const std::vector<bool>& summed = {});

// One call: operands in the order of f.columns, the real and imaginary part of each of f.parameters.
struct CallArguments {
  std::span<const FritOperand> operands;
  std::span<const double> scalars;
  std::int64_t events = 0;
};
// Whether a call of so many events runs on the calling thread alone.
bool is_of_one_thread(const Function::Impl& f, std::int64_t events);
// `results`: in the order of the outputs; none overlaps an operand. Errors: cancelled.
void run_call(Function::Impl& f, const CallArguments& arguments, std::span<const FritResult> results,
              const std::int32_t* cancel);

// One call whose ranges the caller walks: the prologue once, then ranges in any order and on any threads.
class EventRanges {
 public:
  EventRanges(Function::Impl& f, std::span<const double> scalars, const std::int32_t* cancel);
  EventRanges(const EventRanges&) = delete;
  EventRanges& operator=(const EventRanges&) = delete;

  // Ranges of as many events one after the other on the calling thread, which holds an FpState: between them `operands` and
  // `results` move on.
  class Walk {
   public:
    Walk(const EventRanges& ranges, std::span<const FritOperand> operands, std::span<const FritResult> results,
         std::int64_t events, bool by_blocks);
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;
    void run();  // Errors: cancelled.
    // See exec::Program::Ranges.
    bool run_rows(std::int64_t rows, const std::int64_t* operand_steps, const std::int64_t* result_steps) {
      return ranges_.run_rows(rows, operand_steps, result_steps);
    }
    // The scalars are others from the next run on. One walk alone uses these ranges.
    void renew();

   private:
    ScratchPool::Block scratch_;
    FritCall call_;
    exec::Program::Ranges ranges_;
  };
  // The first `events` elements of these operands into these results, on the calling thread; `by_blocks`: FritCall. Errors: cancelled.
  void run(std::span<const FritOperand> operands, std::span<const FritResult> results, std::int64_t events,
           bool by_blocks) const;

 private:
  Function::Impl& f_;
  ScratchPool::Block prologue_;
  FritCall call_{};
  Tiering::Timer timer_;
};

}  // namespace runtime
}  // namespace frit
