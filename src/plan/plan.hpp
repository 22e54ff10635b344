// Plan: what a graph does at run time, for any back end. Values are known at one of three times (constant, parameter: once
// per call, column: per event); what runs per event is one loop of steps. A plan holds no pointer, tile size or arena.
//
// A step works on parts: a real value has one, a complex value two (real part, then imaginary part), so that ops which
// only rename parts (re, im, conj, times_i) are no steps at all.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "frit/dtype.hpp"
#include "graph/graph.hpp"
#include "plan/fusion.hpp"

namespace frit::plan {

// Where a part of a value stands.
struct Part {
  enum class Kind : std::uint8_t {
    scalar,  // constants, parameters and results of the prologue: index into the scalar block
    column,  // part of an argument column: index into `columns`
    buffer,  // a result of a loop step: index of a buffer of the tile
  };
  Kind kind = Kind::scalar;
  std::uint32_t index = 0;
  friend bool operator==(const Part&, const Part&) = default;
};

inline constexpr int max_parts = 12;

// One kernel call: the parts of its operands in order, then the parts of its result.
struct Step {
  FusionId fusion{};          // single_op, or the fused pattern that this step runs
  OpId op{};                  // single_op only
  std::uint8_t form = 0;      // single_op only
  std::uint8_t operands = 0;  // number of operand parts
  std::uint8_t results = 0;   // number of result parts
  Part parts[max_parts];
};

struct ColumnPart {
  std::uint32_t argument = 0;  // index into Graph::arguments()
  bool imaginary = false;
};

struct ScalarArgument {
  std::uint32_t argument = 0;
  bool imaginary = false;
  std::uint32_t scalar = 0;  // its place in the scalar block
};

struct ScalarConstant {
  std::uint32_t scalar = 0;
  double value = 0;      // exact in the kernel's dtype; of a boolean 0 or 1
  bool boolean = false;  // stored as a lane mask
};

struct Output {
  std::string name;
  DType dtype;
  Part parts[2];
  // Only its sum is wanted: a call may ask for the sums of blocks in place of elements (FritCall::by_blocks). Of dtype Plan::dtype.
  bool summed = false;
};

struct Plan {
  DType dtype = DType::f64;  // f32 or f64
  std::vector<GraphArgument> arguments;
  std::vector<ScalarConstant> constants;
  std::vector<ScalarArgument> parameters;
  std::vector<Step> prologue;  // once per call, on scalars
  std::vector<ColumnPart> columns;
  std::vector<Step> loop;  // per event
  std::vector<Output> outputs;
  std::uint32_t scalars = 0;  // size of the scalar block
  std::uint32_t buffers = 0;  // tile buffers after reuse by liveness
  // Operations of the graph's nodes per event and per call (a complex op counts once), for reports and cost models.
  std::uint32_t loop_nodes = 0;
  std::uint32_t prologue_nodes = 0;
};

struct PlanOptions {
  bool fuse = true;  // false: one step an op, as eager runs (tests compare the two)
};

// `graph` must be verified. Linear in its nodes.
Plan make_plan(const Graph& graph, const PlanOptions& options = {});

// The pattern as text: "add(multiply(R,R),R)"; R and C are vectors, S and Z scalars.
std::string fusion_name(FusionId id);
// For each operand part of the pattern, whether its kernel reads a scalar there.
std::array<bool, max_parts> leaf_scalars(FusionId id);

// One step a line, for `frit explain` and tests.
std::string print_plan(const Plan& plan);

}  // namespace frit::plan
