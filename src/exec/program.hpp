// Runs a plan without a compiler: each step is a kernel over a tile. Small tiles are graph mode; one tile that is the whole
// range is eager mode.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/compiler.hpp"
#include "exec/kernel_table.hpp"
#include "frit/abi.h"
#include "graph/graph.hpp"
#include "plan/plan.hpp"

namespace frit::exec {

struct ProgramOptions {
  std::int64_t tile =
      0;  // events a tile, a multiple of 64; 0 picks it so that the buffers stay in the second-level cache
};

class Program {
 public:
  Program(plan::Plan plan, const KernelTable& table, const ProgramOptions& options = {});

  const plan::Plan& plan() const { return plan_; }
  std::int64_t tile() const { return tile_; }
  std::int64_t prologue_bytes() const { return static_cast<std::int64_t>(plan_.scalars) * scalar_bytes; }
  // Scratch for a range of `events` (whole_range: one tile for all of them).
  std::int64_t scratch_bytes(std::int64_t events, bool whole_range) const;

  // From the next call of the loop on, tiles run this code; a tile in which an event needs a rare path, and calls whose
  // scratch was made before, run the steps. `kernel` was compiled from this program's plan and must outlive it.
  void use(const CompiledKernel* kernel);
  bool is_compiled() const { return compiled_.load(std::memory_order_acquire) != nullptr; }

  // The entries; call->program is a Program. They allocate nothing. The loop entry for eager takes the range as one tile.
  static std::int32_t run_prologue(const FritCall* call) noexcept;
  static std::int32_t run_loop(const FritCall* call) noexcept;
  static std::int32_t run_whole_range(const FritCall* call) noexcept;

  // The loop entry over several ranges of as many events, between which the caller moves the operands and results of the call and
  // may do something else. What a range needs is set up once for all; the caller holds an FpState.
  class Ranges {
   public:
    // `call` outlives it.
    Ranges(const FritCall& call, bool whole_range);
    ~Ranges();
    std::int32_t run() noexcept;
    // As many ranges as `rows` says at once, from where the call is; nothing moves meanwhile. `operand_steps`, `result_steps`: the bytes
    // from each to the next. False where the ranges are to be run one by one, and what these wrote does not count.
    bool run_rows(std::int64_t rows, const std::int64_t* operand_steps, const std::int64_t* result_steps) noexcept;
    // The prologue block has changed.
    void renew() noexcept;

   private:
    struct Either;
    std::unique_ptr<Either> range_;
    bool simple_ = false;
  };

 private:
  struct Instruction {
    TileKernel kernel;
    std::uint32_t first_part;  // in parts_
    std::uint32_t part_count;
    std::int32_t output = -1;  // the output that its (single) result is and that whole tiles write in place, or -1
  };
  // Where a part of an instruction stands; resolved to pointers for each range.
  struct Place {
    enum class Kind : std::uint8_t { scalar, column, buffer, broadcast } kind;
    std::uint32_t index;
  };
  // Where things stand in the scratch of one thread. Compiled code has rows for its outputs and for what passes between its
  // functions; the steps' buffers may lie over them, since a tile runs one or the other.
  struct Layout {
    std::int64_t row;  // bytes of one buffer
    std::int64_t pointers, column_at, column_masks, column_steps, output_at, broadcasts, columns, buffers, outputs,
        arena, end;
  };
  Layout lay_out(std::int64_t tile, const CompiledKernel* compiled) const;
  // The layout of a tile; that of the smallest one, which small calls have, is known.
  Layout layout_of(std::int64_t tile, const CompiledKernel* compiled) const;
  static std::int64_t tile_of(const FritCall* call, bool whole_range);
  static std::int32_t run_tiles(const FritCall* call, bool whole_range) noexcept;

  void add_instruction(const plan::Step& step, bool scalar_step);
  void find_direct_outputs();
  bool is_direct(std::size_t output) const { return direct_[output]; }
  const ReduceKernel& sum() const;
  template <class T> void run_prologue_as(const FritCall* call) const;
  template <class T> class Range;

  std::atomic<const CompiledKernel*> compiled_{nullptr};
  plan::Plan plan_;
  const KernelTable* table_;
  std::int64_t tile_;
  Layout smallest_;           // of the steps
  Layout smallest_compiled_;  // set before the code is used
  std::vector<Instruction> prologue_;
  std::vector<Instruction> loop_;
  std::vector<Place> parts_;
  std::vector<std::uint32_t> broadcasts_;         // scalars that a loop kernel reads as vectors
  std::vector<std::uint32_t> broadcast_of_;       // scalar -> its place in broadcasts_ + 1, or 0
  std::vector<bool> repeats_;                     // of each plan column
  std::vector<std::uint32_t> column_operand_;     // plan column -> operand of the call
  std::vector<std::uint32_t> parameter_operand_;  // plan parameter -> parameter of the call
  struct ColumnUse {
    std::uint32_t part;  // in parts_
    std::uint32_t column;
  };
  std::vector<ColumnUse> column_uses_;
  struct OutputUse {
    std::uint32_t part;  // in parts_
    std::uint32_t output;
  };
  std::vector<bool> direct_;            // of each output
  std::vector<OutputUse> output_uses_;  // the result of an instruction with an output, and later operands that read it
};

// The value of one op on constants by its kernel (passes::EvaluateConstant).
ConstantValue evaluate_constant(OpId op, unsigned form, DType kernel_dtype, std::span<const ConstantValue> operands);

}  // namespace frit::exec
