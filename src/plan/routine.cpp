#include "plan/routine.hpp"

#include <fmt/format.h>

#include "ops/table.hpp"

namespace frit::plan {
namespace {

std::string list(const Routine& routine, const std::vector<RoutineValue>& values) {
  std::string text;
  for (const RoutineValue value : values)
    text += fmt::format("{}%{}:{}", text.empty() ? "" : ", ", value, name_of(routine.values[value]));
  return text;
}

std::string what(const Routine& routine, const RoutineStep& step) {
  using K = RoutineStep::Kind;
  switch (step.kind) {
    case K::literal:
      return is_integer(routine.values[step.results[0]]) || routine.values[step.results[0]] == DType::boolean
                 ? fmt::format("{}", step.integer)
                 : fmt::format("{}", step.number);
    case K::arithmetic: return fmt::format("arithmetic of {} steps", routine.plans[step.which].loop.size());
    case K::integer: return info_of(step.op).name;
    case K::convert: return "convert";
    case K::fma: return "fma";
    case K::load: return fmt::format("load operand {}, element {}, row {}", step.which, step.integer, step.row);
    case K::store: return fmt::format("store result {}, element {}, row {}", step.which, step.integer, step.row);
    case K::choose: return "choose";
    case K::loop: return "loop";
  }
  return "";
}

void print(const Routine& routine, const RoutineBlock& block, const std::string& indent, std::string& out) {
  if (!block.parameters.empty()) out += fmt::format("{}takes {}\n", indent, list(routine, block.parameters));
  for (const RoutineStep& step : block.steps) {
    out += indent;
    if (!step.results.empty()) out += list(routine, step.results) + " = ";
    out += what(routine, step);
    if (!step.operands.empty()) out += fmt::format(" of {}", list(routine, step.operands));
    out += '\n';
    if (step.kind == RoutineStep::Kind::arithmetic) {
      const std::string plan = print_plan(routine.plans[step.which]);
      for (std::size_t at = 0; at < plan.size();) {
        const std::size_t end = std::min(plan.find('\n', at), plan.size());
        out += fmt::format("{}    {}\n", indent, plan.substr(at, end - at));
        at = end + 1;
      }
    }
    for (std::size_t i = 0; i < step.blocks.size(); ++i) {
      out += fmt::format("{}  block {}\n", indent, i);
      print(routine, step.blocks[i], indent + "    ", out);
    }
  }
  if (!block.yields.empty()) out += fmt::format("{}yields {}\n", indent, list(routine, block.yields));
}

}  // namespace

std::string print_routine(const Routine& routine) {
  std::string out;
  print(routine, routine.body, "", out);
  return out;
}

}  // namespace frit::plan
