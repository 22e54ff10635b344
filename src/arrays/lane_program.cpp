#include "arrays/lane_program.hpp"

#include <algorithm>

namespace frit::arrays {
namespace {

// Thrown, and caught in over_lanes().
struct NoLanes {};

class LaneProgram {
 public:
  LaneProgram() : symbols_(std::make_shared<Symbols>()), lanes_(symbols_->argument(0, 0, "")) {}

  Program run(const Program& from, std::vector<bool> argument_varies);

 private:
  using K = ArrayNode::Kind;

  Type varying(Type type) const {
    type.rank = 1;
    type.extents[0] = lanes_;
    return type;
  }
  // The node itself, or its value for every lane.
  ValueId varying(Program& to, ValueId id) const;
  std::uint32_t region(const RegionCall& from, std::span<const ValueId> ids, Program& to,
                       std::vector<ValueId>& operands);

  std::shared_ptr<Symbols> symbols_;
  Extent lanes_;
};

ValueId LaneProgram::varying(Program& to, ValueId id) const {
  if (to.nodes[id].type.rank == 1) return id;
  ArrayNode node;
  node.kind = K::view;
  node.type = varying(to.nodes[id].type);
  node.payload = static_cast<std::uint32_t>(to.views.size());
  node.where = to.nodes[id].where;
  View view;
  view.kind = View::Kind::broadcast;
  to.views.push_back(view);
  return to.add(node, {&id, 1});
}

// `ids`: the operands of the region in the new program. What it takes as carries and operands differs from lane to lane; what
// is captured is as it is.
std::uint32_t LaneProgram::region(const RegionCall& from, std::span<const ValueId> ids, Program& to,
                                  std::vector<ValueId>& operands) {
  using R = RegionCall::Kind;
  if (from.kind == R::scan || from.kind == R::map) throw NoLanes{};
  const std::size_t bounds = from.kind == R::choose ? 1 : from.kind == R::count ? 2 : 0;
  const auto is_uniform = [&](std::size_t i) { return to.nodes[ids[i]].type.rank == 0; };
  // Branches and counts that are the same for all lanes stay what they are.
  bool lanes = from.kind == R::loop;
  for (std::size_t i = 0; i < bounds; ++i) lanes = lanes || !is_uniform(i);
  const std::size_t taken = bounds + from.carries;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool spread = i < taken && (i >= bounds || lanes);
    operands.push_back(spread ? varying(to, ids[i]) : ids[i]);
  }
  RegionCall made = from;
  made.lanes = lanes;
  made.programs.clear();
  std::size_t captured = taken;
  for (std::size_t p = 0; p < from.programs.size(); ++p) {
    std::vector<bool> varies;
    if (from.kind == R::count) varies.push_back(lanes);  // the number
    varies.resize(varies.size() + from.carries, true);
    for (std::uint32_t i = 0; i < from.captured[p]; ++i, ++captured)
      varies.push_back(to.nodes[operands[captured]].type.rank == 1);
    made.programs.push_back(std::make_shared<const Program>(run(*from.programs[p], std::move(varies))));
  }
  to.regions.push_back(std::move(made));
  return static_cast<std::uint32_t>(to.regions.size() - 1);
}

Program LaneProgram::run(const Program& from, std::vector<bool> argument_varies) {
  Program to;
  to.symbols = symbols_;
  to.numbers = from.numbers;
  to.captured = from.captured;
  std::vector<ValueId> now(from.nodes.size());
  for (ValueId id = 0; id < from.nodes.size(); ++id) {
    const ArrayNode& old = from.nodes[id];
    if (old.kind != K::region && old.type.rank != 0) throw NoLanes{};
    std::vector<ValueId> operands;
    for (const ValueId operand : from.operands(old)) operands.push_back(now[operand]);
    const bool varies = std::any_of(operands.begin(), operands.end(),
                                    [&](ValueId operand) { return to.nodes[operand].type.rank == 1; });
    ArrayNode node = old;
    switch (old.kind) {
      case K::argument:
        if (argument_varies[old.payload]) node.type = varying(old.type);
        to.arguments.push_back(node.type);
        break;
      case K::captured:
      case K::number: break;
      case K::op:
      case K::convert:
        if (varies) node.type = varying(old.type);
        break;
      case K::region: {
        std::vector<ValueId> all;
        node.payload = region(from.regions[old.payload], operands, to, all);
        operands = std::move(all);
        break;
      }
      case K::result: node.type = varying(old.type); break;
      default: throw NoLanes{};
    }
    now[id] = to.add(node, operands);
  }
  for (const ValueId output : from.outputs) to.outputs.push_back(varying(to, now[output]));
  return to;
}

}  // namespace

std::optional<Program> over_lanes(const Program& body, std::uint32_t elements) {
  std::vector<bool> varies(body.arguments.size(), false);
  std::fill_n(varies.begin(), elements, true);
  try {
    return LaneProgram().run(body, std::move(varies));
  } catch (const NoLanes&) {
    return std::nullopt;
  }
}

}  // namespace frit::arrays
