#include "arrays/equal_nodes.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace frit::arrays {
namespace {

// What tells a node from others, as bytes.
class Key {
 public:
  Key(const Program& program, const ArrayNode& node) {
    add(node.kind, node.op, node.operand_dtypes);
    add(node.type);
    for (const ValueId operand : program.operands(node)) add(operand);
    switch (node.kind) {
      case ArrayNode::Kind::number: {
        const Number& number = program.numbers[node.payload];
        add(number.kind, number.integer, std::bit_cast<std::uint64_t>(number.value.real()),
            std::bit_cast<std::uint64_t>(number.value.imag()));
        break;
      }
      case ArrayNode::Kind::extent: add(program.extents[node.payload]); break;
      case ArrayNode::Kind::view: {
        const View& view = program.views[node.payload];
        add(view.kind, view.axis, view.step, view.drop, view.axes);
        add(view.start);
        break;
      }
      case ArrayNode::Kind::structural: {
        const StructuralCall& call = program.calls[node.payload];
        add(call.id, call.attributes.which, call.attributes.axes, call.attributes.keep, call.attributes.axis);
        add(call.attributes.slice.start.has_value(), call.attributes.slice.start.value_or(0),
            call.attributes.slice.stop.has_value(), call.attributes.slice.stop.value_or(0), call.attributes.slice.step);
        for (const Extent& extent : call.attributes.extents) add(extent);
        break;
      }
      default: add(node.payload);
    }
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <class... T> void add(const T&... values) {
    (bytes_.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
  }
  void add(const Extent& extent) { add(extent.constant(), reinterpret_cast<std::uintptr_t>(extent.terms())); }
  void add(const Type& type) {
    add(type.dtype, type.weak, type.rank);
    for (const Extent& extent : type.shape()) add(extent);
  }

  std::string bytes_;
};

}  // namespace

void use_first_of_equal_nodes(Program& program) {
  std::vector<ValueId> first(program.nodes.size());
  std::unordered_map<std::string, ValueId> known;
  for (ValueId id = 0; id < program.nodes.size(); ++id) {
    const ArrayNode& node = program.nodes[id];
    for (std::uint32_t i = 0; i < node.count; ++i) {
      ValueId& operand = program.operand_list[node.first + i];
      operand = first[operand];
    }
    first[id] = id;
    using K = ArrayNode::Kind;
    if (node.kind == K::argument || node.kind == K::region || node.kind == K::effect || node.kind == K::result ||
        program.can_raise(node))
      continue;
    first[id] = known.try_emplace(Key(program, node).take(), id).first->second;
  }
  for (ValueId& output : program.outputs) output = first[output];
}

}  // namespace frit::arrays
