// Cutting a loop into functions of bounded size. Register allocation and scheduling take more than linear time, so the size
// of a function is bounded and values between functions pass through the tile's arena.
#include "llvm/emit_plan.hpp"
#include "plan/estimate.hpp"
#include "plan/fusion_tree.hpp"

namespace frit::codegen {
namespace {

std::int64_t cost_of(const plan::Step& step) {
  if (step.fusion == FusionId::single_op) return plan::machine_operations(step.op, step.form);
  std::int64_t cost = 0;
  for (const fusion::PatternNode& node : plan::pattern_nodes(step.fusion)) {
    if (node.kind == fusion::PatternNode::Kind::op) cost += plan::machine_operations(node.op, node.form);
  }
  return cost;
}

}  // namespace

Layout lay_out(const plan::Plan& plan, std::int64_t largest) {
  Layout layout;
  // Buffers are reused by liveness; here each result is a value of its own.
  std::vector<std::uint32_t> value_in(plan.buffers, Layout::no_row);
  std::vector<std::uint32_t> segment_of;
  std::uint32_t values = 0;
  std::int64_t cost = 0;
  layout.segments.push_back({});
  for (std::size_t s = 0; s < plan.loop.size(); ++s) {
    const plan::Step& step = plan.loop[s];
    const std::int64_t step_cost = cost_of(step);
    if (cost > 0 && cost + step_cost > largest) {
      layout.segments.back().last_step = s;
      layout.segments.push_back({s, s});
      cost = 0;
    }
    cost += step_cost;
    layout.operations += step_cost;
    layout.first_operand.push_back(static_cast<std::uint32_t>(layout.operand_value.size()));
    for (int i = 0; i < step.operands; ++i) {
      const plan::Part& part = step.parts[i];
      layout.operand_value.push_back(part.kind == plan::Part::Kind::buffer ? value_in[part.index] : Layout::no_row);
    }
    layout.first_value.push_back(values);
    for (int i = step.operands; i < step.operands + step.results; ++i) {
      value_in[step.parts[i].index] = values++;
      segment_of.push_back(static_cast<std::uint32_t>(layout.segments.size() - 1));
    }
  }
  layout.segments.back().last_step = plan.loop.size();
  for (const plan::Output& output : plan.outputs) {
    for (int i = 0; i < (is_complex(output.dtype) ? 2 : 1); ++i) {
      const plan::Part& part = output.parts[i];
      layout.output_value.push_back(part.kind == plan::Part::Kind::buffer ? value_in[part.index] : Layout::no_row);
    }
  }
  // The last segment that reads each value; outputs are written by the last of all.
  layout.row.assign(values, Layout::no_row);
  if (layout.segments.size() == 1) return layout;
  const std::uint32_t end = static_cast<std::uint32_t>(layout.segments.size());
  std::vector<std::uint32_t> last_reader(values, 0);
  for (std::uint32_t k = 0; k < end; ++k) {
    for (std::size_t s = layout.segments[k].first_step; s < layout.segments[k].last_step; ++s) {
      for (int i = 0; i < plan.loop[s].operands; ++i) {
        const std::uint32_t value = layout.operand_value[layout.first_operand[s] + static_cast<std::uint32_t>(i)];
        if (value != Layout::no_row) last_reader[value] = k;
      }
    }
  }
  for (const std::uint32_t value : layout.output_value) {
    if (value != Layout::no_row) last_reader[value] = end - 1;
  }
  std::vector<std::uint32_t> free_rows;
  std::vector<std::vector<std::uint32_t>> ends(end);  // rows that are free after each segment
  std::uint32_t value = 0;
  for (std::uint32_t k = 0; k < end; ++k) {
    for (; value < values && segment_of[value] == k; ++value) {
      if (last_reader[value] <= k) continue;
      if (free_rows.empty()) free_rows.push_back(layout.rows++);
      layout.row[value] = free_rows.back();
      free_rows.pop_back();
      ends[last_reader[value]].push_back(layout.row[value]);
    }
    free_rows.insert(free_rows.end(), ends[k].begin(), ends[k].end());
  }
  return layout;
}

std::string function_name(std::size_t segment) { return "frit_tile_" + std::to_string(segment); }

}  // namespace frit::codegen
