#include "arrays/row_program.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "frit/array.hpp"

namespace frit::arrays {
namespace {

using K = ArrayNode::Kind;

constexpr int none = -1;

class RowProgram {
 public:
  RowProgram(const Program& from, const EqualExtents& extents)
      : from_(from), extents_(extents), places_(from.nodes.size()) {}

  std::optional<Program> run();

 private:
  // Where a node is computed. Nodes of one group have one era, one level and one number of rows.
  struct Place {
    int era = 0;    // the errors and effects before it in the program, which it is not moved over
    int level = 0;  // the groups before it in its era
    int group = none;
  };
  struct Group {
    std::vector<ValueId> nodes;
    bool worth = false;  // has what is no element-wise operation, beside something else
  };

  const ArrayNode& node(ValueId id) const { return from_.nodes[id]; }
  Extent rows_of(ValueId id) const { return extents_.of(node(id).type.extents[0]); }
  // Whether `operand` has the rows that the result of `id` has.
  bool is_aligned(ValueId id, ValueId operand) const {
    const Type &result = node(id).type, &type = node(operand).type;
    if (type.rank == 0 || !identical(rows_of(operand), rows_of(id))) return false;
    const bool broadcasts = node(id).kind == K::op || node(id).kind == K::convert ||
                            (node(id).kind == K::view && from_.views[node(id).payload].kind == View::Kind::broadcast) ||
                            (node(id).kind == K::structural && operand != from_.operands(node(id))[0]);
    return !broadcasts || type.rank == result.rank;
  }
  bool is_row_by_row(ValueId id) const;
  bool in_group(ValueId id, int group) const { return group != none && places_[id].group == group; }
  void place(ValueId id);
  void drop_views();
  void keep_worthwhile();

  void emit(Program& to, ValueId id);
  void emit_group(Program& to, const Group& group, int number);

  const Program& from_;
  const EqualExtents& extents_;
  std::vector<Place> places_;
  std::vector<bool> needed_;
  std::vector<bool> is_output_;
  std::vector<std::vector<ValueId>> users_;  // of each node those that are needed
  std::vector<Group> groups_;
  std::map<std::tuple<int, int, std::int64_t, const Terms*>, int> group_of_;
  std::vector<ValueId> now_;  // of each node that of the new program
};

// Whether each row of the result depends on the same row of the operands alone, and on those without rows.
bool RowProgram::is_row_by_row(ValueId id) const {
  const ArrayNode& n = node(id);
  if (n.type.rank == 0 || from_.can_raise(n)) return false;
  if (const Extent rows = rows_of(id); !rows.is_symbolic() && rows.constant() < 2) return false;
  const auto operands = from_.operands(n);
  switch (n.kind) {
    case K::op:
    case K::convert: break;
    case K::structural: {
      const StructuralCall& call = from_.calls[n.payload];
      const int rank = node(operands[0]).type.rank;
      if (rank < 2) return false;
      if (call.id == structural::reduce()) {
        if ((call.attributes.axes & 1u) != 0 || n.type.rank == 0) return false;
      } else if (call.id == structural::cumulative() || call.id == structural::update()) {
        if (call.attributes.axis == 0) return false;
      } else {
        return false;
      }
      if (!is_aligned(id, operands[0])) return false;
      break;
    }
    case K::view: {
      const View& view = from_.views[n.payload];
      if (!is_aligned(id, operands[0])) return false;
      switch (view.kind) {
        case View::Kind::slice:
        case View::Kind::expand: return view.axis > 0;
        case View::Kind::transpose: return view.axes[0] == 0;
        case View::Kind::broadcast:
        // The elements of a row are the same, since the arrays have as many rows and as many elements.
        case View::Kind::reshape: return true;
      }
      return false;
    }
    default: return false;
  }
  return std::any_of(operands.begin(), operands.end(), [&](ValueId operand) { return is_aligned(id, operand); });
}

void RowProgram::place(ValueId id) {
  const ArrayNode& n = node(id);
  Place& own = places_[id];
  own.era = id == 0 ? 0 : places_[id - 1].era;
  if (from_.can_raise(n) || n.kind == K::effect || n.kind == K::region) ++own.era;
  // A view of an array that is there before costs nothing.
  const bool candidate = is_row_by_row(id) && (n.kind != K::view || places_[from_.operands(n)[0]].group != none);
  const auto key = [&](int level) {
    const Extent rows = rows_of(id);
    return std::tuple(own.era, level, rows.constant(), rows.terms());
  };
  const auto level_behind = [&](ValueId operand) {
    const Place& other = places_[operand];
    if (other.era != own.era || !needed_[operand]) return 0;
    if (other.group == none) return other.level;
    if (candidate && is_aligned(id, operand)) {
      const auto same = group_of_.find(key(other.level));
      if (same != group_of_.end() && same->second == other.group) return other.level;
    }
    return other.level + 1;
  };
  for (const ValueId operand : from_.operands(n)) own.level = std::max(own.level, level_behind(operand));
  if (!candidate) return;
  const auto [at, fresh] = group_of_.try_emplace(key(own.level), static_cast<int>(groups_.size()));
  if (fresh) groups_.emplace_back();
  own.group = at->second;
  groups_[static_cast<std::size_t>(own.group)].nodes.push_back(id);
}

// Neither does one that nothing of its group uses, behind it.
void RowProgram::drop_views() {
  for (Group& group : groups_) {
    for (std::size_t i = group.nodes.size(); i-- > 0;) {
      const ValueId id = group.nodes[i];
      const auto uses = [&](ValueId user) { return in_group(user, places_[id].group); };
      if (node(id).kind != K::view || std::any_of(users_[id].begin(), users_[id].end(), uses)) continue;
      places_[id].group = none;
      ++places_[id].level;
    }
    std::erase_if(group.nodes, [&](ValueId id) { return places_[id].group == none; });
  }
}

void RowProgram::keep_worthwhile() {
  for (Group& group : groups_) {
    const auto is_structural = [&](ValueId id) { return node(id).kind == K::structural; };
    group.worth = group.nodes.size() > 1 && std::any_of(group.nodes.begin(), group.nodes.end(), is_structural);
    if (group.worth) continue;
    for (const ValueId id : group.nodes) places_[id].group = none;
  }
}

void RowProgram::emit(Program& to, ValueId id) {
  std::vector<ValueId> operands;
  for (const ValueId operand : from_.operands(node(id))) operands.push_back(now_[operand]);
  now_[id] = to.add(node(id), operands);
}

void RowProgram::emit_group(Program& to, const Group& group, int number) {
  Program body;
  // NOTE: extents hold pointers into the symbols of the function, which live as long as the new ones do.
  body.symbols = std::shared_ptr<Symbols>(new Symbols(*from_.symbols),
                                          [old = from_.symbols](const Symbols* symbols) { delete symbols; });
  body.numbers = from_.numbers;
  body.extents = from_.extents;
  body.views = from_.views;
  body.calls = from_.calls;
  body.conditions = from_.conditions;
  const Extent rows = body.symbols->free("rows");
  const auto of_a_block = [&](Type type) {
    type.extents[0] = rows;
    return type;
  };

  // The operands from outside: those with rows, then the others. One that is used both ways is taken twice.
  std::map<ValueId, ValueId> with_rows, whole;
  for (const ValueId id : group.nodes) {
    for (const ValueId operand : from_.operands(node(id))) {
      const bool leaf = node(operand).kind == K::number || node(operand).kind == K::extent;
      if (!leaf && !in_group(operand, number)) (is_aligned(id, operand) ? with_rows : whole).emplace(operand, 0);
    }
  }
  RegionCall call;
  call.kind = RegionCall::Kind::rows;
  call.elements = static_cast<std::uint32_t>(with_rows.size());
  call.captured = {static_cast<std::uint32_t>(whole.size())};
  std::vector<ValueId> inputs;
  const auto take = [&](std::map<ValueId, ValueId>& operands, bool rows_only) {
    for (auto& [operand, taken] : operands) {
      const Type type = rows_only ? of_a_block(node(operand).type) : node(operand).type;
      ArrayNode made;
      made.kind = K::argument;
      made.type = type;
      made.payload = static_cast<std::uint32_t>(body.arguments.size());
      made.where = node(operand).where;
      body.arguments.push_back(type);
      taken = body.add(made, {});
      inputs.push_back(now_[operand]);
    }
  };
  take(with_rows, true);
  take(whole, false);

  std::map<ValueId, ValueId> inside;
  for (const ValueId id : group.nodes) {
    std::vector<ValueId> operands;
    for (const ValueId operand : from_.operands(node(id))) {
      const auto known = [&](const std::map<ValueId, ValueId>& in) {
        const auto at = in.find(operand);
        if (at == in.end()) return false;
        operands.push_back(at->second);
        return true;
      };
      if (known(inside) || known(is_aligned(id, operand) ? with_rows : whole)) continue;
      operands.push_back(inside[operand] = body.add(node(operand), {}));  // a number or an extent
    }
    ArrayNode made = node(id);
    made.type = of_a_block(made.type);
    inside[id] = body.add(made, operands);
  }
  std::vector<ValueId> results;
  for (const ValueId id : group.nodes) {
    const auto outside = [&](ValueId user) { return !in_group(user, number); };
    if (!is_output_[id] && std::none_of(users_[id].begin(), users_[id].end(), outside)) continue;
    results.push_back(id);
    body.outputs.push_back(inside[id]);
  }
  call.results = static_cast<std::uint32_t>(results.size());
  call.programs.push_back(std::make_shared<const Program>(std::move(body)));

  ArrayNode region;
  region.kind = K::region;
  region.type = node(results.front()).type;
  region.payload = static_cast<std::uint32_t>(to.regions.size());
  region.where = node(group.nodes.front()).where;
  to.regions.push_back(std::move(call));
  const ValueId made = to.add(region, inputs);
  for (std::size_t i = 0; i < results.size(); ++i) {
    ArrayNode result;
    result.kind = K::result;
    result.type = node(results[i]).type;
    result.payload = static_cast<std::uint32_t>(i);
    result.where = node(results[i]).where;
    now_[results[i]] = to.add(result, {&made, 1});
  }
}

std::optional<Program> RowProgram::run() {
  needed_ = from_.needed();
  is_output_.assign(from_.nodes.size(), false);
  for (const ValueId output : from_.outputs) is_output_[output] = true;
  users_.resize(from_.nodes.size());
  for (ValueId id = 0; id < from_.nodes.size(); ++id)
    if (needed_[id])
      for (const ValueId operand : from_.operands(node(id))) users_[operand].push_back(id);
  for (ValueId id = 0; id < from_.nodes.size(); ++id) {
    if (needed_[id]) {
      place(id);
    } else if (id > 0) {
      places_[id].era = places_[id - 1].era;
    }
  }
  drop_views();
  keep_worthwhile();
  if (std::none_of(groups_.begin(), groups_.end(), [](const Group& group) { return group.worth; })) return std::nullopt;

  // In each era and level first what is in no group.
  std::vector<std::tuple<int, int, int, ValueId>> order;
  for (ValueId id = 0; id < from_.nodes.size(); ++id) {
    const Place& at = places_[id];
    // The results of a region stand behind it, also those that nobody needs.
    const bool is_result = node(id).kind == K::result && needed_[from_.operands(node(id))[0]];
    if (!needed_[id] && !is_result && node(id).kind != K::argument) continue;
    if (at.group == none) {
      order.emplace_back(at.era, at.level, none, id);
    } else if (id == groups_[static_cast<std::size_t>(at.group)].nodes.front()) {
      order.emplace_back(at.era, at.level, at.group, id);
    }
  }
  std::sort(order.begin(), order.end());
  Program to = from_;
  to.nodes.clear();
  to.operand_list.clear();
  to.outputs.clear();
  now_.assign(from_.nodes.size(), 0);
  for (const auto& [era, level, group, id] : order) {
    if (group == none) {
      emit(to, id);
    } else {
      emit_group(to, groups_[static_cast<std::size_t>(group)], group);
    }
  }
  for (const ValueId output : from_.outputs) to.outputs.push_back(now_[output]);
  return to;
}

}  // namespace

std::optional<Program> by_rows(const Program& program, const EqualExtents& extents) {
  return RowProgram(program, extents).run();
}

}  // namespace frit::arrays
