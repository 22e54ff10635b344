// What a function is at each stage on its way to run, computed from what runs: for `frit explain` and reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/compiler.hpp"
#include "frit/engine.hpp"
#include "graph/graph.hpp"
#include "plan/plan.hpp"

namespace frit::runtime {

struct PassReport {
  std::string name, reason;
  std::size_t nodes_before = 0, nodes_after = 0;
  double seconds = 0;
  std::string text;  // the graph after it
};

// Nodes of one op, or of arguments or constants, by when they are known.
struct NodeCount {
  std::string name;
  std::int64_t constant = 0, parameter = 0, column = 0;
  std::int64_t total() const { return constant + parameter + column; }
};

// A kernel of the executor and how many steps run it.
struct KernelUse {
  std::string name;  // "multiply(R,S)", "add(multiply(R,R),R)"; R and C are vectors, S and Z scalars
  bool fused = false;
  std::int64_t prologue_steps = 0, loop_steps = 0;
};

// The loop as machine code: what its assembly says.
struct LoopCode {
  std::int64_t instructions = 0;
  std::int64_t spills = 0;   // stores to the stack
  std::int64_t reloads = 0;  // other instructions that read the stack
};

struct CompiledReport {
  CompileStatistics statistics;
  std::string ir, assembly;
  LoopCode loop;
  std::int64_t scratch_bytes = 0;  // of a thread, at the function's tile
  std::string cache;               // whether the cache holds this code, and where
};

struct Explanation {
  std::string isa;
  int lanes = 0;  // of a vector of the executor
  DType dtype = DType::f64;
  bool eager = false;
  std::int64_t tile = 0;
  std::size_t traced_nodes = 0, nodes = 0;
  std::vector<PassReport> passes;
  std::vector<NodeCount> counts;                            // after the passes, the most frequent first
  std::vector<KernelUse> kernels;                           // the most frequent first
  std::vector<std::string> prologue_kernels, loop_kernels;  // of each step
  std::vector<std::uint32_t> live;                          // buffers that hold a value after each step of the loop
  std::uint32_t most_live = 0;                              // while a step runs
  std::int64_t prologue_bytes = 0;                          // of a call
  std::int64_t scratch_bytes = 0;                           // of a thread, at the tile
};

// Runs the passes once more to see each. Errors: internal, where they do not lead to the function's graph.
Explanation explain(const Function& function);

// Compiles the function's plan anew and keeps the text, whatever its mode. Errors: as Compiler::compile, compiler_missing,
// compiler_version.
CompiledReport explain_compiled(const Function& function, const CompilerOptions& options);

// The plan as text, with the number of live buffers at each step of the loop.
std::string plan_text(const Function& function, const Explanation& explanation);

const Graph& graph_of(const Function& function);
const plan::Plan& plan_of(const Function& function);

// Of the machine code that the function runs, or nothing while it runs none.
std::optional<CompileStatistics> compile_statistics(const Function& function);
// Mode automatic: why the function will stay on the graph, or "".
std::string why_no_code(const Function& function);

// Counts in the assembly that the compiler printed (AT&T syntax on x86-64): the instructions between the target of a
// backward jump and the jump. Exposed for tests.
LoopCode count_loop(std::string_view assembly);

}  // namespace frit::runtime
