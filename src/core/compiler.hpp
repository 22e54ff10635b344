// What a compiler is to the runtime. The one there is stands in a shared module of its own (src/llvm), opened on the first
// compilation, so that a program which never compiles never loads LLVM.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace frit::plan {
struct Plan;
struct Routine;
}  // namespace frit::plan

namespace frit::code {
struct Image;
}

namespace frit {

// Raised where any type below, the Plan or the Routine changes. The module refuses another version.
inline constexpr int compiler_interface_version = 6;

struct CompileOptions {
  int effort = 1;            // 0: fastest compilation, 1: default, 2: fastest code
  int width = 0;             // lanes of a vector: 1, 2, 4, 8 (f32 also 16); 0 takes the policy of the target
  std::string target;        // "" is this CPU; else "x86-64-v3" or "x86-64-v4"
  bool full_form = false;    // compute the rare paths in line, by selection, on every tile (tests)
  int largest_function = 0;  // IR operations of one function before the loop is split; 0 takes the measured policy
  int vectors = 0;           // that one iteration computes side by side: 1 or 2; 0 takes the measured policy
  // How square roots are computed; the bits are the same. Estimates need AVX-512, other targets use the divider.
  enum class Roots { by_balance, divider, estimate } roots = Roots::by_balance;
  // Whether elementary functions stand in line at every use, or once in each module and are called.
  enum class Functions { by_policy, in_line, called } functions = Functions::by_policy;
  int threads = 1;  // that compile functions of one plan at the same time
  // Looked at before each function of the plan: where it is true the compilation ends with ErrorCode::cancelled.
  const std::atomic<bool>* give_up = nullptr;
  bool keep_text = false;  // keep IR and assembly for explain
};

struct CompileStatistics {
  double emit_s = 0;      // plan to IR
  double optimise_s = 0;  // IR passes
  double codegen_s = 0;   // IR to object
  double link_s = 0;
  std::int64_t operations = 0;  // IR instructions in the loop
  std::int64_t code_bytes = 0;
  std::int64_t functions = 0;
  int width = 0;
  int vectors = 1;                   // of one iteration
  std::int64_t estimated_roots = 0;  // square roots computed without the divider
  std::string target;
  bool from_cache = false;  // nothing was compiled: the times are 0
};

// What compiled code reads and writes for one tile, or for several rows of as many events one after the other.
struct TileCall {
  const void* const* columns;  // one for each column part of the plan
  void* const* outputs;        // one for each part of each output
  const void* scalars;         // the prologue block
  void* arena;                 // CompiledKernel::arena_rows() rows for values that pass from one function to the next
  std::int64_t row_bytes;      // from row to row, a multiple of 64
  std::int64_t n;              // events: at least the width
  // Of each column, where one repeats (GraphArgument::repeats): 0 where one vector stands for all, else -1. Where one stands for all in
  // each of these, its first element is all that is read.
  const std::int64_t* column_masks;
  // Of the outputs that are summed: how many elements are in whole blocks, for which they have sums of lanes (exec/reduce.hpp), or 0.
  std::int64_t in_blocks;
  // The rows, and the bytes from each to the next in each column and output part; read where there are several. Columns that repeat
  // are then one number a row each, or none of them is.
  std::int64_t rows = 1;
  const std::int64_t* column_steps = nullptr;
  const std::int64_t* output_steps = nullptr;
};

// Computes the n events of a tile. Returns 0, or 1 where an event needs a rare path: then the outputs of this call are not
// valid, and the caller computes it by the executor, which gives ordinary events the same bits.
using CompiledTile = std::int32_t (*)(const TileCall* call);

class CompiledKernel {
 public:
  virtual ~CompiledKernel() = default;
  // The functions of the loop, to be run in order on each tile; a plan of ordinary size has one. Of a routine its entry, which
  // takes a RoutineCall: see routine_entry().
  virtual const std::vector<CompiledTile>& functions() const = 0;
  virtual std::int64_t arena_rows() const = 0;
  virtual const CompileStatistics& statistics() const = 0;
  // What a copy of the code is made from; stands as long as the kernel.
  virtual code::Image image() const = 0;
  virtual const std::string& ir() const = 0;        // keep_text
  virtual const std::string& assembly() const = 0;  // keep_text
};

// What compiled code of a routine reads and writes.
struct RoutineCall {
  const void* const* operands;
  void* const* results;
  std::int64_t n;              // lanes: elements, a multiple of the width
  const std::int32_t* cancel;  // or nullptr; looked at every 1,024 steps of a loop
};
// Why a routine ended. Beyond `cut`: the loop of this number was cut after its most steps. Results are complete where it is done.
enum RoutineStatus : std::int32_t { routine_done, routine_cancelled, routine_raised, routine_cut };
using RoutineEntry = std::int32_t (*)(const RoutineCall* call);
inline RoutineEntry routine_entry(const CompiledKernel& kernel) {
  return reinterpret_cast<RoutineEntry>(kernel.functions()[0]);
}

class Compiler {
 public:
  virtual ~Compiler() = default;
  virtual std::string version() const = 0;
  // The file that LLVM's code was loaded from, or "" where that cannot be told.
  virtual std::string library() const = 0;
  // Thread-safe. Throws Error: out_of_memory, compile_failed, usage (a target or width that does not exist here).
  virtual std::unique_ptr<CompiledKernel> compile(const plan::Plan& plan, const CompileOptions& options) = 0;
  virtual std::unique_ptr<CompiledKernel> compile(const plan::Routine& routine, const CompileOptions& options) = 0;
};

// The entry of the module: a Compiler that lives as long as the process, or nullptr where the version differs.
using MakeCompiler = Compiler* (*)(int interface_version);
inline constexpr const char* make_compiler_symbol = "frit_make_compiler";

}  // namespace frit
