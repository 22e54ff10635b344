#include "arrays/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "arrays/equal_extents.hpp"
#include "arrays/equal_nodes.hpp"
#include "arrays/lane_program.hpp"
#include "arrays/operand_nodes.hpp"
#include "arrays/row_program.hpp"
#include "core/fp_state.hpp"
#include "frit/error.hpp"
#include "graph/graph.hpp"
#include "ops/table.hpp"

namespace frit::arrays {
namespace {

// Scalar work that a loop repeats in its prologue rather than waiting for a stage of its own.
constexpr int most_scalar_nodes = 64;

constexpr std::int32_t dead = -1;

// How a program and those of its regions are lowered.
struct Way {
  const std::shared_ptr<Engine::Impl>& engine;
  const FunctionOptions& options;
  const EqualExtents& extents;
  std::vector<std::string>* notes = nullptr;
  bool fuses = true;
  bool rows = false;  // runs by rows what can be
};
Lowered lowered(std::shared_ptr<const Program> program, const Way& way);

class Lowering {
 public:
  Lowering(const Program& program, const Way& way)
      : program_(program), way_(way), extents_(way.extents), level_(program.nodes.size(), dead),
        width_(program.nodes.size(), DType::boolean), cone_(program.nodes.size(), 0),
        stream_of_(program.nodes.size(), no_value), sum_beside_(program.nodes.size(), no_value),
        streamed_(program.nodes.size(), false), uses_outside_(program.nodes.size(), 0),
        again_(program.nodes.size(), false) {}

  void run(Lowered& out);

 private:
  const ArrayNode& node(ValueId id) const { return program_.nodes[id]; }
  std::span<const ValueId> operands(const ArrayNode& n) const { return program_.operands(n); }
  // Of a loop: element-wise and not of integers.
  bool is_fused(ValueId id) const {
    return way_.fuses && node(id).kind == ArrayNode::Kind::op && !node(id).computes_integers();
  }
  bool is_scalar_leaf(ValueId id) const {
    using K = ArrayNode::Kind;
    return node(id).kind == K::number || node(id).kind == K::extent;
  }
  bool is_source(ValueId id) const {
    using K = ArrayNode::Kind;
    return node(id).kind == K::argument || node(id).kind == K::captured || is_scalar_leaf(id);
  }
  bool is_cone(ValueId id, DType width) const { return cone_[id] > 0 && width_[id] == width; }
  // Its last extent is 1 in every call.
  static bool is_one_each_row(const Type& type) {
    if (type.rank == 0) return true;
    const Extent& extent = type.extents[static_cast<std::size_t>(type.rank - 1)];
    return !extent.is_symbolic() && extent.constant() == 1;
  }
  bool same_shape(const Type& a, const Type& b) const {
    return a.rank == b.rank &&
           std::equal(a.shape().begin(), a.shape().end(), b.shape().begin(),
                      [&](const Extent& x, const Extent& y) { return identical(extents_.of(x), extents_.of(y)); });
  }
  bool in_one_loop(ValueId a, ValueId b) const {
    return is_fused(a) && is_fused(b) && width_[a] == width_[b] && same_shape(node(a).type, node(b).type);
  }
  // Whether a node is a reduction over the last axes, and over all.
  bool reduces_last(ValueId id) const;
  bool reduces_all(ValueId id) const {
    const int rank = node(operands(node(id))[0]).type.rank;
    return program_.calls[node(id).payload].attributes.axes == (1u << rank) - 1u;
  }
  bool is_summed_by_blocks(ValueId id) const {
    const int which = program_.calls[node(id).payload].attributes.which;
    return ops::sums_by_blocks(ops::AllReductions::infos[which], node(operands(node(id))[0]).type.dtype);
  }
  // Whether code computes this reduction with what it reduces, which is stored as well. Steps of a graph would store it twice.
  bool sums_beside_elements(ValueId id) const {
    const Mode mode = way_.options.mode;
    return (mode == Mode::compiled || mode == Mode::automatic) && is_summed_by_blocks(id) &&
           node(operands(node(id))[0]).type.dtype == width_[operands(node(id))[0]];
  }
  void count_uses();
  void find_streams();
  void find_places(Lowered& out) const;
  void find_needed();
  void find_levels();
  std::int32_t ordered_level(const ArrayNode& n, std::int32_t level);
  void find_width(ValueId id);
  bool is_cheap_again(ValueId id) const;
  void find_again();
  void group();
  void free_early(Lowered& out) const;
  void lower_regions(Lowered& out) const;
  Lowered lower_call(const RegionCall& call) const;
  std::shared_ptr<const Lowered> lower_lanes(const RegionCall& call, const FunctionOptions& how) const;
  void take_outputs(Lowered& out) const;

  struct Loop {
    std::int32_t level;
    DType width;
    std::vector<ValueId> nodes;
  };
  class Body;
  Stage make_loop(const Loop& loop);
  void store(ValueId id, Lowered& out) const {
    if (out.slots[id] == no_slot) out.slots[id] = out.slot_count++;
  }

  const Program& program_;
  const Way& way_;
  const EqualExtents& extents_;
  std::vector<std::int32_t> level_;  // the stage level in which a node is computed; dead where none needs it
  std::int32_t last_effect_ = -1, last_ordered_ = -1;  // the greatest levels so far
  std::vector<DType> width_;                           // op: the real dtype of its loop
  std::vector<int> cone_;           // op of rank 0 that a prologue can compute: its operations; else 0
  std::vector<ValueId> stream_of_;  // op: the reduction that is all it leaves its loop for, or no_value
  std::vector<ValueId>
      sum_beside_;  // op with other uses too: a sum by blocks that takes its elements as they come, or no_value
  std::vector<std::uint32_t> uses_;          // by nodes that are needed, and as outputs
  std::vector<bool> streamed_;               // reduction: a loop computes it
  std::vector<std::uint32_t> uses_outside_;  // op: those for which its elements leave the loop
  std::vector<bool> again_;                  // op: every loop that uses it computes it
  std::vector<Loop> loops_;
  std::vector<std::pair<std::int32_t, ValueId>> others_;  // conversions and views, with their levels
};

void Lowering::find_needed() {
  const std::vector<bool> needed = program_.needed();
  for (ValueId id = 0; id < program_.nodes.size(); ++id)
    if (needed[id]) level_[id] = 0;
}

// Effects and what can raise keep the order of the program; so do regions, which a check may keep from running for ever.
std::int32_t Lowering::ordered_level(const ArrayNode& n, std::int32_t level) {
  const bool effect = program_.has_effect(n);
  if (!effect && n.kind != ArrayNode::Kind::region && !program_.can_raise(n)) return level;
  level = std::max(level, (effect ? last_ordered_ : last_effect_) + 1);
  if (effect) last_effect_ = level;
  last_ordered_ = std::max(last_ordered_, level);
  return level;
}

// The real dtype in which an op is computed. Of booleans alone that of an operand, so that a mask needs no store.
void Lowering::find_width(ValueId id) {
  const ArrayNode& n = node(id);
  DType width = DType::boolean;
  for (std::size_t i = 0; i < n.count; ++i)
    if (n.operand_dtypes[i] != DType::boolean) width = real_of(n.operand_dtypes[i]);
  for (std::size_t i = 0; width == DType::boolean && i < n.count; ++i)
    if (is_fused(operands(n)[i])) width = width_[operands(n)[i]];
  width_[id] = width == DType::boolean ? DType::f64 : width;
}

void Lowering::find_levels() {
  for (ValueId id = 0; id < program_.nodes.size(); ++id) {
    const ArrayNode& n = node(id);
    if (level_[id] == dead || is_source(id)) continue;
    std::int32_t level = 0;
    if (is_fused(id)) {
      find_width(id);
      int cone = n.type.rank == 0 ? 1 : 0;
      for (const ValueId operand : operands(n)) {
        if (is_source(operand)) {
          if (node(operand).type.rank != 0) cone = 0;
          continue;
        }
        if (!is_cone(operand, width_[id]))
          level =
              std::max(level, is_fused(operand) && !in_one_loop(operand, id) ? level_[operand] + 1 : level_[operand]);
        cone = cone > 0 && is_cone(operand, width_[id]) ? cone + cone_[operand] : 0;
      }
      cone_[id] = cone <= most_scalar_nodes ? cone : 0;
    } else if (n.kind == ArrayNode::Kind::result) {
      level = level_[operands(n)[0]];  // stored with its region
    } else {
      for (const ValueId operand : operands(n))
        if (!is_source(operand)) level = std::max(level, level_[operand] + 1);
      level = ordered_level(n, level);
      others_.emplace_back(way_.fuses ? level : static_cast<std::int32_t>(id), id);
    }
    level_[id] = level;
  }
}

// Whether a loop reads as many arrays where it computes this as where it reads it: one cheap operation on one array, stored in the
// dtype of the loop, and on numbers of each row.
bool Lowering::is_cheap_again(ValueId id) const {
  const ArrayNode& n = node(id);
  if (n.type.rank == 0 || info_of(n.op).cost > CostClass::cheap) return false;
  ValueId column = no_value;
  for (std::size_t i = 0; i < n.count; ++i) {
    const ValueId operand = operands(n)[i];
    const ArrayNode& from = node(operand);
    if (is_scalar_leaf(operand) || is_cone(operand, width_[id]) || is_one_each_row(from.type)) continue;
    if ((column != no_value && column != operand) || is_fused(operand) || from.kind == ArrayNode::Kind::view ||
        from.type.dtype != n.type.dtype || n.operand_dtypes[i] != n.type.dtype || !same_shape(from.type, n.type))
      return false;
    column = operand;
  }
  return column != no_value;
}

// Such values are not stored where other loops are all that wants them.
void Lowering::find_again() {
  std::vector<bool> elsewhere(program_.nodes.size(), false);
  for (const ValueId output : program_.outputs) elsewhere[output] = true;
  for (ValueId id = 0; id < program_.nodes.size(); ++id) {
    if (level_[id] == dead) continue;
    for (const ValueId operand : operands(node(id)))
      if (is_fused(operand) && !in_one_loop(operand, id)) elsewhere[operand] = true;
  }
  for (ValueId id = 0; id < program_.nodes.size(); ++id) {
    if (level_[id] == dead || !is_fused(id) || uses_outside_[id] == 0 || elsewhere[id] || !is_cheap_again(id)) continue;
    again_[id] = true;
    uses_outside_[id] = 0;
  }
}

void Lowering::group() {
  for (const ValueId output : program_.outputs)
    if (is_fused(output)) ++uses_outside_[output];
  for (ValueId id = 0; id < program_.nodes.size(); ++id) {
    const ArrayNode& n = node(id);
    if (level_[id] == dead) continue;
    for (const ValueId operand : operands(n)) {
      if (!is_fused(operand)) continue;
      const bool inside =
          is_fused(id) && (is_cone(operand, width_[id]) || (in_one_loop(operand, id) && level_[operand] == level_[id]));
      if (!inside) ++uses_outside_[operand];
    }
  }
  find_again();
  std::map<std::vector<std::int64_t>, std::size_t> loop_of;
  for (ValueId id = 0; id < program_.nodes.size(); ++id) {
    const ArrayNode& n = node(id);
    if (level_[id] == dead || !is_fused(id)) continue;
    if ((cone_[id] > 0 && uses_outside_[id] == 0) || again_[id]) continue;
    std::vector<std::int64_t> key{level_[id], static_cast<std::int64_t>(width_[id])};
    for (const Extent& axis : n.type.shape()) {
      const Extent extent = extents_.of(axis);
      key.push_back(extent.constant());
      key.push_back(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(extent.terms())));
    }
    const auto [at, fresh] = loop_of.try_emplace(std::move(key), loops_.size());
    if (fresh) loops_.push_back({level_[id], width_[id], {}});
    loops_[at->second].nodes.push_back(id);
  }
}

bool Lowering::reduces_last(ValueId id) const {
  const ArrayNode& n = node(id);
  if (n.kind != ArrayNode::Kind::structural || program_.calls[n.payload].id != structural::reduce()) return false;
  const std::uint32_t axes = program_.calls[n.payload].attributes.axes;
  const std::uint32_t all = (1u << node(operands(n)[0]).type.rank) - 1u;
  // From one axis on.
  return axes != 0 && ((all & ~axes) & ((all & ~axes) + 1u)) == 0;
}

void Lowering::count_uses() {
  uses_.assign(program_.nodes.size(), 0);
  for (const ValueId output : program_.outputs) ++uses_[output];
  for (ValueId id = 0; id < program_.nodes.size(); ++id)
    if (level_[id] != dead)
      for (const ValueId operand : operands(node(id))) ++uses_[operand];
}

void Lowering::find_streams() {
  for (ValueId id = 0; id < program_.nodes.size(); ++id) {
    if (level_[id] == dead || !reduces_last(id)) continue;
    const ValueId operand = operands(node(id))[0];
    if (!is_fused(operand)) continue;
    if (uses_outside_[operand] == 1) {
      stream_of_[operand] = id;
    } else if (sum_beside_[operand] == no_value && sums_beside_elements(id)) {
      sum_beside_[operand] = id;
    } else {
      continue;
    }
    streamed_[id] = true;
  }
}

// What a loop, or a region of rows, computes for an update alone is computed where the update wants it.
void Lowering::find_places(Lowered& out) const {
  out.placed_in.assign(program_.nodes.size(), no_value);
  if (!way_.fuses) return;
  for (ValueId id = 0; id < program_.nodes.size(); ++id) {
    const ArrayNode& n = node(id);
    if (level_[id] == dead || n.kind != ArrayNode::Kind::structural) continue;
    const StructuralCall& call = program_.calls[n.payload];
    if (call.id != structural::update() || call.attributes.slice.step != 1) continue;
    const ValueId value = operands(n)[1];
    const ArrayNode& made = node(value);
    const bool of_rows = made.kind == ArrayNode::Kind::result &&
                         node(operands(made)[0]).kind == ArrayNode::Kind::region &&
                         program_.regions[node(operands(made)[0]).payload].kind == RegionCall::Kind::rows;
    if (uses_[value] != 1 || out.slots[value] == no_slot || !(is_fused(value) || of_rows)) continue;
    Type part = n.type;
    part.extents[static_cast<std::size_t>(call.attributes.axis)] = call.attributes.extents[1];
    if (made.type.dtype == part.dtype && same_shape(made.type, part)) out.placed_in[value] = id;
  }
}

// The graph of one loop.
class Lowering::Body {
 public:
  Body(const Lowering& lowering, const Loop& loop, Stage& stage)
      : lowering_(lowering), graph_(loop.width), stage_(stage), width_(loop.width) {}

  void add(ValueId id) { nodes_[id] = make(id); }
  // `reduction`: for which the elements are, or no_value.
  void output(ValueId id, ValueId reduction) {
    graph_.add_output(reduction == no_value ? fmt::format("v{}", id) : fmt::format("v{}_for_{}", id, reduction),
                      nodes_.at(id));
  }
  Graph take() { return std::move(graph_); }

 private:
  NodeId make(ValueId id);
  NodeId use(ValueId id, DType wanted);
  NodeId argument(ValueId id, DType wanted);
  NodeId literal(const Number& number, DType wanted);

  const Lowering& lowering_;
  Graph graph_;
  Stage& stage_;
  DType width_;
  std::map<ValueId, NodeId> nodes_;      // computed here
  std::map<ValueId, NodeId> arguments_;  // stored before
};

NodeId Lowering::Body::make(ValueId id) {
  const ArrayNode& n = lowering_.node(id);
  std::array<NodeId, 3> ids{};
  for (std::size_t i = 0; i < n.count; ++i) ids[i] = use(lowering_.operands(n)[i], n.operand_dtypes[i]);
  return graph_.add_op(n.op, std::span<const NodeId>(ids).first(n.count));
}

NodeId Lowering::Body::literal(const Number& number, DType wanted) {
  if (number.kind == Operand::Kind::boolean) return graph_.add_constant(wanted, {number.integer != 0 ? 1.0 : 0.0, 0});
  std::complex<double> value = number.value;
  // Rounded once, to the dtype of the loop.
  if (number.kind == Operand::Kind::integer)
    value = width_ == DType::f32 ? static_cast<double>(static_cast<float>(number.integer))
                                 : static_cast<double>(number.integer);
  return graph_.add_constant(wanted, {value.real(), value.imag()});
}

NodeId Lowering::Body::argument(ValueId id, DType wanted) {
  const ArrayNode& n = lowering_.node(id);
  const auto known = arguments_.find(id);
  NodeId result;
  if (known != arguments_.end()) {
    result = known->second;
  } else {
    const bool scalar = n.type.rank == 0;
    const DType dtype = is_complex(n.type.dtype) ? complex_of(width_) : width_;
    const bool repeats = !scalar && is_one_each_row(n.type) && !is_one_each_row(stage_.shape);
    result = graph_.add_argument(fmt::format("v{}", id), dtype, scalar ? Role::parameter : Role::column, repeats);
    (scalar ? stage_.parameters : stage_.columns).push_back(id);
    arguments_.emplace(id, result);
  }
  // A stored boolean arrives as 0 or 1.
  return wanted == DType::boolean ? truth(graph_, result) : result;
}

NodeId Lowering::Body::use(ValueId id, DType wanted) {
  const ArrayNode& n = lowering_.node(id);
  NodeId result;
  if (n.kind == ArrayNode::Kind::number) {
    return literal(lowering_.program_.numbers[n.payload], wanted);
  } else if (const auto here = nodes_.find(id); here != nodes_.end()) {
    result = here->second;
  } else if (lowering_.is_cone(id, width_) || lowering_.again_[id]) {
    result = make(id);
    nodes_.emplace(id, result);
  } else {
    result = argument(id, wanted);
  }
  return as_operand(graph_, result, wanted);
}

Stage Lowering::make_loop(const Loop& loop) {
  Stage stage;
  stage.kind = Stage::Kind::loop;
  stage.shape = node(loop.nodes.front()).type;
  Body body(*this, loop, stage);
  for (const ValueId id : loop.nodes) body.add(id);
  std::vector<bool> summed;
  const auto add_output = [&](ValueId id, ValueId reduction) {
    body.output(id, reduction);
    stage.outputs.push_back(id);
    stage.reductions.push_back(reduction);
    stage.streams_all.push_back(reduction != no_value && reduces_all(reduction));
    summed.push_back(reduction != no_value && node(id).type.dtype == loop.width && is_summed_by_blocks(reduction));
  };
  for (const ValueId id : loop.nodes) {
    if (uses_outside_[id] == 0) continue;
    add_output(id, stream_of_[id]);
    if (sum_beside_[id] != no_value) add_output(id, sum_beside_[id]);
  }
  FunctionOptions options = way_.options;
  options.dtype = loop.width;
  stage.function = runtime::make_function(way_.engine, body.take(), options, 0, {}, summed);
  return stage;
}

// Behind the last stage that reads a slot its elements may go.
void Lowering::free_early(Lowered& out) const {
  std::vector<bool> seen(out.slot_count, false);
  for (const ValueId output : program_.outputs)
    if (out.slots[output] != no_slot) seen[out.slots[output]] = true;
  for (auto stage = out.stages.rbegin(); stage != out.stages.rend(); ++stage) {
    const auto read = [&](ValueId id) {
      const std::uint32_t slot = out.slots[id];
      if (slot == no_slot || seen[slot]) return;
      seen[slot] = true;
      stage->freed.push_back(slot);
    };
    if (stage->kind != Stage::Kind::loop)
      for (const ValueId id : operands(node(stage->node))) read(id);
    for (const ValueId id : stage->columns) read(id);
    for (const ValueId id : stage->parameters) read(id);
    // What nobody reads goes at once: operations that are there for their errors.
    if (stage->kind != Stage::Kind::loop) {
      read(stage->node);
      for (std::uint32_t i = 0; i < program_.result_count(node(stage->node)); ++i) read(stage->node + 1 + i);
    }
  }
}

// An output takes the elements from its slot, unless a later one is the same node.
void Lowering::take_outputs(Lowered& out) const {
  out.taken.assign(program_.outputs.size(), false);
  std::vector<bool> seen(out.slot_count, false);
  for (std::size_t i = program_.outputs.size(); i-- > 0;) {
    const std::uint32_t slot = out.slots[program_.outputs[i]];
    if (slot == no_slot || seen[slot]) continue;
    out.taken[i] = seen[slot] = true;
  }
}

void Lowering::run(Lowered& out) {
  find_needed();
  find_levels();
  group();
  count_uses();
  find_streams();
  out.slots.assign(program_.nodes.size(), no_slot);
  for (ValueId id = 0; id < program_.nodes.size(); ++id) {
    if (level_[id] == dead || is_source(id)) continue;
    if (!is_fused(id) || (uses_outside_[id] != 0 && stream_of_[id] == no_value)) store(id, out);
  }
  std::vector<std::pair<std::int32_t, Stage>> stages;
  for (const auto& [level, id] : others_) {
    if (streamed_[id]) continue;
    Stage stage;
    stage.kind = Stage::Kind::single;
    stage.node = id;
    stages.emplace_back(level, std::move(stage));
  }
  // Behind the others of their level, so that a view of an argument is no reason for another loop.
  for (const Loop& loop : loops_) stages.emplace_back(loop.level, make_loop(loop));
  std::stable_sort(stages.begin(), stages.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [level, stage] : stages) out.stages.push_back(std::move(stage));
  free_early(out);
  take_outputs(out);
  find_places(out);
  lower_regions(out);
}

// The body of a map over many elements, where there is such a form.
std::shared_ptr<const Lowered> Lowering::lower_lanes(const RegionCall& call, const FunctionOptions& how) const {
  if (call.kind != RegionCall::Kind::map) return nullptr;
  std::optional<Program> body = over_lanes(*call.programs[0], call.elements);
  if (!body) return nullptr;
  const auto program = std::make_shared<const Program>(*std::move(body));
  return std::make_shared<const Lowered>(
      lowered(program, {way_.engine, how, EqualExtents(program->conditions), way_.notes}));
}

// A function that is compiled where the one around it is not.
Lowered Lowering::lower_call(const RegionCall& call) const {
  const CalledFunction& called = *call.called;
  FunctionOptions how = way_.options;
  how.mode = Mode::compiled;
  how.compiler = called.compiler;
  const auto in_mode = [&] {
    return lowered(call.programs[0], {way_.engine, how, extents_, way_.notes, way_.fuses, way_.fuses});
  };
  if (called.fallback == Fallback::error) return in_mode();
  try {
    return in_mode();
  } catch (const Error& error) {
    if (class_of(error.code()) != ErrorClass::machine) throw;
    how.mode = called.fallback == Fallback::graph ? Mode::graph : Mode::eager;
    if (way_.notes != nullptr)
      way_.notes->push_back(
          fmt::format("{} runs in mode {} instead of compiled: {}", called.name, name_of(how.mode), error.message()));
    return in_mode();
  }
}

void Lowering::lower_regions(Lowered& out) const {
  out.regions.resize(program_.regions.size());
  for (ValueId id = 0; id < program_.nodes.size(); ++id) {
    if (node(id).kind != ArrayNode::Kind::region || level_[id] == dead) continue;
    const RegionCall& call = program_.regions[node(id).payload];
    LoweredRegion& region = out.regions[node(id).payload];
    FunctionOptions how = way_.options;
    if (call.kind == RegionCall::Kind::call) {
      region.programs.push_back(lower_call(call));
      continue;
    }
    if (call.kind == RegionCall::Kind::rows) {
      region.programs.push_back(lowered(call.programs[0], {way_.engine, how, extents_, way_.notes, way_.fuses}));
      continue;
    }
    const bool compiled = how.mode == Mode::compiled;
    if (way_.fuses && (compiled || how.mode == Mode::automatic)) {
      if (std::optional<RegionRoutine> made = routine_of(program_, id)) {
        region.routine = std::make_shared<RoutineCode>(std::move(*made));
        compiled ? region.routine->compile(how.compiler, *way_.engine)
                 : region.routine->prepare(how.compiler, *way_.engine);
        // Its programs run before there is code, and to name an error.
        how.mode = Mode::graph;
      }
    }
    for (const auto& program : call.programs)
      region.programs.push_back(lowered(program, {way_.engine, how, extents_, way_.notes, way_.fuses}));
    if (way_.fuses && !(compiled && region.routine)) region.lanes = lower_lanes(call, how);
  }
}

Lowered lowered(std::shared_ptr<const Program> program, const Way& way) {
  Lowered out;
  if (way.fuses) {
    Program shared = *program;
    use_first_of_equal_nodes(shared);
    std::optional<Program> rows;
    if (way.rows) rows = by_rows(shared, way.extents);
    program = std::make_shared<const Program>(rows ? *std::move(rows) : std::move(shared));
  }
  out.program = std::move(program);
  Lowering(*out.program, way).run(out);
  return out;
}

}  // namespace

Lowered lower(std::shared_ptr<const Program> program, const std::shared_ptr<Engine::Impl>& engine,
              const FunctionOptions& options, std::vector<std::string>* notes) {
  const FpState state;
  const EqualExtents extents(program->conditions);
  return lowered(std::move(program), {engine, options, extents, notes, true, true});
}

Lowered as_written(std::shared_ptr<const Program> program) {
  const EqualExtents extents(program->conditions);
  return lowered(std::move(program), {nullptr, {}, extents, nullptr, false});
}

void Lowered::for_each_loop(const std::function<void(Function::Impl&)>& fn) const {
  for (const Stage& stage : stages)
    if (stage.function) fn(*stage.function);
  for (const LoweredRegion& region : regions)
    region.for_each_program([&](const Lowered& one) { one.for_each_loop(fn); });
}

void Lowered::for_each_routine(const std::function<void(RoutineCode&)>& fn) const {
  for (const LoweredRegion& region : regions) {
    if (region.routine) fn(*region.routine);
    region.for_each_program([&](const Lowered& one) { one.for_each_routine(fn); });
  }
}

}  // namespace frit::arrays
