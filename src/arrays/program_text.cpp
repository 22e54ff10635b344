// Programs, as they were traced and as they are lowered, as text.
#include <fmt/format.h>

#include "arrays/lower.hpp"
#include "ops/table.hpp"

namespace frit::arrays {

std::string Program::text() const {
  std::string out;
  const auto type_text = [&](const Type& type) {
    std::string text = fmt::format("{}[", name_of(type.dtype));
    for (std::size_t i = 0; i < static_cast<std::size_t>(type.rank); ++i)
      text += fmt::format("{}{}", i == 0 ? "" : ", ", symbols->text(type.extents[i]));
    return text + "]";
  };
  for (ValueId id = 0; id < nodes.size(); ++id) {
    const ArrayNode& n = nodes[id];
    out += fmt::format("%{} = ", id);
    switch (n.kind) {
      case ArrayNode::Kind::argument: out += fmt::format("argument {}", n.payload); break;
      case ArrayNode::Kind::captured: out += fmt::format("captured {}", n.payload); break;
      case ArrayNode::Kind::number: {
        const Number& number = numbers[n.payload];
        out += number.kind == Operand::Kind::integer || number.kind == Operand::Kind::boolean
                   ? fmt::format("number {}", number.integer)
               : number.kind == Operand::Kind::floating
                   ? fmt::format("number {}", number.value.real())
                   : fmt::format("number {}{:+}i", number.value.real(), number.value.imag());
        break;
      }
      case ArrayNode::Kind::extent: out += symbols->text(extents[n.payload]); break;
      case ArrayNode::Kind::op: out += info_of(n.op).name; break;
      case ArrayNode::Kind::convert: out += "convert"; break;
      case ArrayNode::Kind::region: {
        const char* const names[] = {"choose", "loop", "count", "scan", "map", "rows", "call"};
        const RegionCall& region = regions[n.payload];
        out += fmt::format("region {}", names[static_cast<int>(region.kind)]);
        for (const auto& program : region.programs) {
          out += " {\n  ";
          for (const char c : program->text()) out += c == '\n' ? std::string("\n  ") : std::string(1, c);
          out += "}";
        }
        break;
      }
      case ArrayNode::Kind::effect: {
        const Effect& effect = effects[n.payload];
        out += name_of(effect.kind);
        if (!effect.text.empty()) out += fmt::format(" \"{}\"", effect.text);
        break;
      }
      case ArrayNode::Kind::result: out += fmt::format("result {} of", n.payload); break;
      case ArrayNode::Kind::structural: {
        const StructuralCall& call = calls[n.payload];
        out += fmt::format("{}.{}", structural_of(call.id).name, call.attributes.which);
        break;
      }
      case ArrayNode::Kind::view: {
        const char* const names[] = {"slice", "transpose", "broadcast", "expand", "reshape"};
        out += names[static_cast<int>(views[n.payload].kind)];
        break;
      }
    }
    for (std::size_t i = 0; i < n.count; ++i) out += fmt::format("{} %{}", i == 0 ? "" : ",", operands(n)[i]);
    out += fmt::format(" : {}\n", type_text(n.type));
  }
  for (const Condition& condition : conditions) out += fmt::format("where {}\n", text(condition));
  out += "return";
  for (std::size_t i = 0; i < outputs.size(); ++i) out += fmt::format("{} %{}", i == 0 ? "" : ",", outputs[i]);
  return out + "\n";
}

std::string Lowered::text() const {
  std::string out;
  const auto list = [](const std::vector<ValueId>& ids) {
    std::string text;
    for (const ValueId id : ids) text += fmt::format("{}%{}", text.empty() ? "" : ", ", id);
    return text;
  };
  for (const Stage& stage : stages) {
    if (stage.kind == Stage::Kind::loop) {
      out += fmt::format("loop over {} elements: columns {}; parameters {}; outputs {}\n",
                         stage.shape.rank == 0 ? "1" : "all", list(stage.columns), list(stage.parameters),
                         list(stage.outputs));
      for (std::size_t i = 0; i < stage.outputs.size(); ++i)
        if (stage.reductions[i] != no_value)
          out += fmt::format("  %{} is reduced to %{} as it comes\n", stage.outputs[i], stage.reductions[i]);
      out += plan::print_plan(stage.function->program.plan());
    } else {
      out += fmt::format("single %{}\n", stage.node);
    }
  }
  for (const LoweredRegion& region : regions) {
    if (region.routine) out += "routine\n" + plan::print_routine(region.routine->made().routine);
    region.for_each_program([&](const Lowered& one) { out += "region\n" + one.text(); });
  }
  return out;
}

}  // namespace frit::arrays
