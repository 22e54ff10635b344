// A plan's loop as LLVM functions over a tile.
#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

#include "core/compiler.hpp"
#include "plan/plan.hpp"

namespace frit::codegen {

// A run of the loop's steps that becomes one function, and the values that cross its ends. A value is the result part of a
// step; it has a row of the arena where a later segment reads it.
struct Segment {
  std::size_t first_step = 0;
  std::size_t last_step = 0;  // one past
};

struct Layout {
  std::vector<Segment> segments;
  // For each step and result part, numbered in order: its arena row, or no_row where it does not leave its segment.
  static constexpr std::uint32_t no_row = 0xffffffffu;
  std::vector<std::uint32_t> first_value;  // of each step
  std::vector<std::uint32_t> row;          // of each value
  // For each operand part of each step: the value that it reads, or no_row for a scalar or column.
  std::vector<std::uint32_t> first_operand;
  std::vector<std::uint32_t> operand_value;
  std::vector<std::uint32_t> output_value;  // for each output part
  std::uint32_t rows = 0;
  std::int64_t operations = 0;  // of the loop, estimated
};

// Cuts the loop where a function would exceed `largest` operations (estimated), and gives rows to what crosses the cuts.
// Linear in the steps.
Layout lay_out(const plan::Plan& plan, std::int64_t largest);

std::string function_name(std::size_t segment);

struct SegmentOptions {
  unsigned width = 1;
  unsigned vectors = 1;  // of one iteration
  bool full_form = false;
  bool call_functions = false;  // elementary functions are called, not in line
  CompileOptions::Roots roots = CompileOptions::Roots::divider;
};

struct EmittedSegment {
  std::int64_t operations = 0;  // instructions of the loop
  std::int64_t estimated_roots = 0;
  bool waits_for_divider = false;  // before roots are replaced
  bool shares_roots = false;       // two vectors side by side would leave the roots of one to the divider
};

// Adds the function of one segment to the module, in place of one that is there already.
EmittedSegment emit_segment(llvm::Module& module, const plan::Plan& plan, const Layout& layout, std::size_t segment,
                            const SegmentOptions& options);

}  // namespace frit::codegen
