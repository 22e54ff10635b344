#include "plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "frit/error.hpp"
#include "ops/table.hpp"
#include "plan/fusion_tree.hpp"

namespace frit::plan {
namespace {

constexpr auto patterns = []<class... T>(fusion::Patterns<T...>) {
  return std::array<fusion::Pattern, sizeof...(T)>{fusion::pattern_of<T>()...};
}(fusion::AllFusions{});

// A part of a value while steps are written: a place, a pending sign, or the literal zero of a widened real number.
struct SignedPart {
  Part part;
  bool negative = false;
  bool zero = false;
  SignedPart() = default;
  explicit SignedPart(int) : zero(true) {}
  explicit SignedPart(Part p) : part(p) {}
  SignedPart operator-() const {
    SignedPart result = *this;
    result.negative = !negative;
    return result;
  }
};

struct Value {
  SignedPart parts[2];
};

class Planner {
 public:
  Planner(const Graph& graph, const PlanOptions& options)
      : graph_(graph), options_(options), uses_(graph.size()), needed_(graph.size()), inner_(graph.size()),
        match_(graph.size(), FusionId::single_op), leaves_at_(graph.size()), values_(graph.size()) {}
  Plan run();

 private:
  void mark_needed();
  void match_patterns();
  bool matches(const fusion::Pattern& pattern, NodeId root, std::vector<NodeId>& leaves,
               std::vector<NodeId>& inner) const;
  bool match_node(const fusion::Pattern& pattern, int& at, NodeId id, bool is_root, std::vector<NodeId>& leaves,
                  std::vector<NodeId>& inner) const;
  void emit(NodeId id);
  void emit_free(NodeId id);
  void emit_step(NodeId id, FusionId fusion, std::span<const NodeId> operands);
  Part place(SignedPart& part);
  Part negated(Part part);
  Part new_result(bool scalar);
  void add_step(const Step& step) { (all_scalar(step) ? plan_.prologue : plan_.loop).push_back(step); }
  static bool all_scalar(const Step& step) {
    return std::all_of(step.parts, step.parts + step.operands,
                       [](const Part& p) { return p.kind == Part::Kind::scalar; });
  }
  void assign_buffers();

  const Graph& graph_;
  PlanOptions options_;
  Plan plan_;
  std::vector<std::uint32_t> uses_;
  std::vector<char> needed_;
  std::vector<char> inner_;
  std::vector<FusionId> match_;
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  std::vector<Range> leaves_at_;  // of a matched root, in all_leaves_
  std::vector<NodeId> all_leaves_;
  std::vector<Value> values_;
  std::unordered_map<std::uint64_t, Part> negations_;
  std::optional<Part> zero_;
  std::uint32_t buffers_ = 0;
};

void Planner::mark_needed() {
  for (const GraphOutput& output : graph_.outputs()) {
    needed_[output.node] = 1;
    ++uses_[output.node];
  }
  for (NodeId id = static_cast<NodeId>(graph_.size()); id-- > 0;) {
    if (!needed_[id]) continue;
    for (NodeId operand : graph_.operands(id)) {
      needed_[operand] = 1;
      ++uses_[operand];
    }
  }
}

bool Planner::match_node(const fusion::Pattern& pattern, int& at, NodeId id, bool is_root, std::vector<NodeId>& leaves,
                         std::vector<NodeId>& inner) const {
  using Kind = fusion::PatternNode::Kind;
  const fusion::PatternNode& wanted = pattern.nodes[static_cast<std::size_t>(at++)];
  const Node& node = graph_.node(id);
  if (wanted.kind != Kind::op) {
    const bool complex = wanted.kind == Kind::complex || wanted.kind == Kind::complex_scalar;
    const bool scalar = wanted.kind == Kind::real_scalar || wanted.kind == Kind::complex_scalar;
    if (node.dtype == DType::boolean || is_complex(node.dtype) != complex) return false;
    if ((node.role != Role::column) != scalar) return false;
    leaves.push_back(id);
    return true;
  }
  if (node.kind != NodeKind::op || node.op != wanted.op || node.role != Role::column) return false;
  if (!is_root && (uses_[id] != 1 || inner_[id])) return false;
  const auto operands = graph_.operands(id);
  const auto attempt = [&](bool swapped) {
    unsigned form = node.form;
    if (swapped) form = (form & 1u) << 1 | form >> 1;
    if (form != wanted.form) return false;
    const int start = at;
    const std::size_t leaf_count = leaves.size();
    const std::size_t inner_count = inner.size();
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const NodeId operand = swapped ? operands[operands.size() - 1 - i] : operands[i];
      if (!match_node(pattern, at, operand, false, leaves, inner)) {
        at = start;
        leaves.resize(leaf_count);
        inner.resize(inner_count);
        return false;
      }
    }
    if (!is_root) inner.push_back(id);
    return true;
  };
  if (attempt(false)) return true;
  return info_of(node.op).commutative && operands.size() == 2 && attempt(true);
}

bool Planner::matches(const fusion::Pattern& pattern, NodeId root, std::vector<NodeId>& leaves,
                      std::vector<NodeId>& inner) const {
  leaves.clear();
  inner.clear();
  int at = 0;
  return match_node(pattern, at, root, true, leaves, inner);
}

// From the roots down, so that the largest pattern that ends at a value is found first; a pattern's inner values must have
// no other user.
void Planner::match_patterns() {
  if (!options_.fuse) return;
  std::vector<NodeId> leaves;
  std::vector<NodeId> inner;
  for (NodeId id = static_cast<NodeId>(graph_.size()); id-- > 0;) {
    if (!needed_[id] || inner_[id] || graph_.node(id).role != Role::column) continue;
    for (std::size_t k = 0; k < patterns.size(); ++k) {
      if (!matches(patterns[k], id, leaves, inner)) continue;
      match_[id] = static_cast<FusionId>(k);
      leaves_at_[id] = {static_cast<std::uint32_t>(all_leaves_.size()), static_cast<std::uint32_t>(leaves.size())};
      all_leaves_.insert(all_leaves_.end(), leaves.begin(), leaves.end());
      plan_.loop_nodes += static_cast<std::uint32_t>(inner.size());
      for (NodeId n : inner) inner_[n] = 1;
      break;
    }
  }
}

Part Planner::new_result(bool scalar) {
  if (scalar) return {Part::Kind::scalar, plan_.scalars++};
  return {Part::Kind::buffer, buffers_++};
}

Part Planner::negated(Part part) {
  const std::uint64_t key = static_cast<std::uint64_t>(part.kind) << 32 | part.index;
  const auto found = negations_.find(key);
  if (found != negations_.end()) return found->second;
  Step step;
  step.op = ops::id_of<ops::Negate>;
  step.fusion = FusionId::single_op;
  step.operands = 1;
  step.results = 1;
  step.parts[0] = part;
  step.parts[1] = new_result(all_scalar(step));
  add_step(step);
  negations_.emplace(key, step.parts[1]);
  return step.parts[1];
}

// The place of a part as an operand: a pending sign or zero is made real now.
Part Planner::place(SignedPart& p) {
  if (p.zero) {
    if (!zero_) {
      zero_ = new_result(true);
      plan_.constants.push_back({zero_->index, 0.0, false});
    }
    p.part = *zero_;
    p.zero = false;
  }
  if (p.negative) {
    p.part = negated(p.part);
    p.negative = false;
  }
  return p.part;
}

void Planner::emit_free(NodeId id) {
  const auto operands = graph_.operands(id);
  const unsigned form = graph_.node(id).form;
  Value& result = values_[id];
  const auto put = [&]<class T>(const T& value) {
    if constexpr (is_complex_value<T>) {
      result.parts[0] = value.re;
      result.parts[1] = value.im;
    } else {
      result.parts[0] = value;
    }
  };
  const SignedPart* a = values_[operands[0]].parts;
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    if constexpr (Op::info.cost == CostClass::free) {
      if (ops::id_of<Op> != graph_.node(id).op) return;
      if constexpr (Op::info.arity == 1) {
        if (form == 0)
          put(Op::value(a[0]));
        else
          put(Op::value(Complex<SignedPart>{a[0], a[1]}));
      } else {
        put(Op::value(a[0], values_[operands[1]].parts[0]));
      }
    }
  });
}

void Planner::emit_step(NodeId id, FusionId fusion, std::span<const NodeId> operands) {
  const Node& node = graph_.node(id);
  Step step;
  step.fusion = fusion;
  step.op = node.op;
  step.form = node.form;
  int at = 0;
  for (NodeId operand : operands) {
    const int parts = is_complex(graph_.node(operand).dtype) ? 2 : 1;
    for (int i = 0; i < parts; ++i) step.parts[at++] = place(values_[operand].parts[i]);
  }
  step.operands = static_cast<std::uint8_t>(at);
  step.results = is_complex(node.dtype) ? 2 : 1;
  if (at + step.results > max_parts) throw Error(ErrorCode::internal, "a step has more parts than max_parts");
  const bool scalar = all_scalar(step);
  for (int i = 0; i < step.results; ++i) {
    step.parts[at + i] = new_result(scalar);
    values_[id].parts[i] = SignedPart(step.parts[at + i]);
  }
  add_step(step);
}

void Planner::emit(NodeId id) {
  const Node& node = graph_.node(id);
  const int parts = is_complex(node.dtype) ? 2 : 1;
  if (node.kind == NodeKind::constant) {
    const ConstantValue& value = graph_.constant(id);
    for (int i = 0; i < parts; ++i) {
      const Part part = new_result(true);
      plan_.constants.push_back({part.index, i == 0 ? value.re : value.im, node.dtype == DType::boolean});
      values_[id].parts[i] = SignedPart(part);
    }
  } else if (node.kind == NodeKind::argument) {
    for (int i = 0; i < parts; ++i) {
      const std::uint32_t argument = graph_.argument_index(id);
      if (node.role == Role::parameter) {
        const Part part = new_result(true);
        plan_.parameters.push_back({argument, i == 1, part.index});
        values_[id].parts[i] = SignedPart(part);
      } else {
        plan_.columns.push_back({argument, i == 1});
        values_[id].parts[i] =
            SignedPart(Part{Part::Kind::column, static_cast<std::uint32_t>(plan_.columns.size() - 1)});
      }
    }
  } else {
    ++(node.role == Role::column ? plan_.loop_nodes : plan_.prologue_nodes);
    if (info_of(node.op).cost == CostClass::free) return emit_free(id);
    if (match_[id] == FusionId::single_op) return emit_step(id, FusionId::single_op, graph_.operands(id));
    emit_step(id, match_[id], std::span(all_leaves_).subspan(leaves_at_[id].first, leaves_at_[id].count));
  }
}

// Buffers by liveness, the last freed reused first, since it is in the nearest cache. A result may take the buffer of an
// operand that ends at its step: kernels read element i before they write it.
void Planner::assign_buffers() {
  constexpr std::uint32_t never = 0xffffffffu;
  std::vector<std::uint32_t> last_use(buffers_, 0);
  for (std::uint32_t s = 0; s < plan_.loop.size(); ++s) {
    const Step& step = plan_.loop[s];
    for (int i = 0; i < step.operands + step.results; ++i) {
      if (step.parts[i].kind == Part::Kind::buffer) last_use[step.parts[i].index] = s;
    }
  }
  for (const Output& output : plan_.outputs) {
    for (int i = 0; i < (is_complex(output.dtype) ? 2 : 1); ++i) {
      if (output.parts[i].kind == Part::Kind::buffer) last_use[output.parts[i].index] = never;
    }
  }
  std::vector<std::uint32_t> slot(buffers_, never);
  std::vector<std::uint32_t> free;
  for (std::uint32_t s = 0; s < plan_.loop.size(); ++s) {
    Step& step = plan_.loop[s];
    for (int i = 0; i < step.operands; ++i) {
      Part& part = step.parts[i];
      if (part.kind != Part::Kind::buffer) continue;
      const std::uint32_t buffer = part.index;
      part.index = slot[buffer];
      if (last_use[buffer] == s) {
        free.push_back(slot[buffer]);
        last_use[buffer] = never;  // freed once, even where it is an operand twice
      }
    }
    std::array<bool, max_parts> is_unused{};
    const auto unused = [&](int i) { return is_unused[static_cast<std::size_t>(i)]; };
    for (int i = step.operands; i < step.operands + step.results; ++i) {
      Part& part = step.parts[i];
      if (part.kind != Part::Kind::buffer) continue;
      const std::uint32_t buffer = part.index;
      is_unused[static_cast<std::size_t>(i)] = last_use[buffer] == s;
      if (free.empty()) {
        slot[buffer] = plan_.buffers++;
      } else {
        slot[buffer] = free.back();
        free.pop_back();
      }
      part.index = slot[buffer];
    }
    // A result that nobody uses (one part of a complex value) is free again after its step.
    for (int i = step.operands; i < step.operands + step.results; ++i) {
      const Part& part = step.parts[i];
      if (part.kind == Part::Kind::buffer && unused(i)) free.push_back(part.index);
    }
  }
  for (Output& output : plan_.outputs) {
    for (int i = 0; i < (is_complex(output.dtype) ? 2 : 1); ++i) {
      if (output.parts[i].kind == Part::Kind::buffer) output.parts[i].index = slot[output.parts[i].index];
    }
  }
}

Plan Planner::run() {
  plan_.dtype = graph_.kernel_dtype();
  plan_.arguments.assign(graph_.arguments().begin(), graph_.arguments().end());
  mark_needed();
  match_patterns();
  for (NodeId id = 0; id < graph_.size(); ++id) {
    if (needed_[id] && !inner_[id]) emit(id);
  }
  for (const GraphOutput& output : graph_.outputs()) {
    Output out{output.name, graph_.node(output.node).dtype, {}};
    for (int i = 0; i < (is_complex(out.dtype) ? 2 : 1); ++i) out.parts[i] = place(values_[output.node].parts[i]);
    plan_.outputs.push_back(out);
  }
  assign_buffers();
  return std::move(plan_);
}

}  // namespace

Plan make_plan(const Graph& graph, const PlanOptions& options) { return Planner(graph, options).run(); }

std::string print_plan(const Plan& plan) {
  std::string text = fmt::format("plan {} scalars={} buffers={} prologue={} loop={}\n", name_of(plan.dtype),
                                 plan.scalars, plan.buffers, plan.prologue.size(), plan.loop.size());
  const auto part_name = [&](const Part& part) {
    constexpr char letters[] = {'s', 'c', 'b'};
    return fmt::format("{}{}", letters[static_cast<int>(part.kind)], part.index);
  };
  const auto print = [&](const Step& step) {
    text += "  ";
    for (int i = 0; i < step.results; ++i) text += (i == 0 ? "" : ", ") + part_name(step.parts[step.operands + i]);
    text += step.fusion == FusionId::single_op ? fmt::format(" = {}.{}(", info_of(step.op).name, step.form)
                                               : fmt::format(" = {}(", fusion_name(step.fusion));
    for (int i = 0; i < step.operands; ++i) text += (i == 0 ? "" : ", ") + part_name(step.parts[i]);
    text += ")\n";
  };
  text += "prologue\n";
  for (const Step& step : plan.prologue) print(step);
  text += "loop\n";
  for (const Step& step : plan.loop) print(step);
  for (const Output& output : plan.outputs) {
    text += fmt::format("output \"{}\" {} {}", output.name, name_of(output.dtype), part_name(output.parts[0]));
    if (is_complex(output.dtype)) text += ", " + part_name(output.parts[1]);
    text += output.summed ? ", summed\n" : "\n";
  }
  return text;
}

std::span<const fusion::PatternNode> pattern_nodes(FusionId id) {
  const fusion::Pattern& pattern = patterns[static_cast<std::size_t>(id)];
  return std::span(pattern.nodes).first(static_cast<std::size_t>(pattern.size));
}

std::array<bool, max_parts> leaf_scalars(FusionId id) {
  using Kind = fusion::PatternNode::Kind;
  std::array<bool, max_parts> result{};
  std::size_t at = 0;
  for (const fusion::PatternNode& node : pattern_nodes(id)) {
    const Kind kind = node.kind;
    if (kind == Kind::op) continue;
    const bool scalar = kind == Kind::real_scalar || kind == Kind::complex_scalar;
    result[at++] = scalar;
    if (kind == Kind::complex || kind == Kind::complex_scalar) result[at++] = scalar;
  }
  return result;
}

std::string fusion_name(FusionId id) {
  const fusion::Pattern& pattern = patterns[static_cast<std::size_t>(id)];
  std::string text;
  int at = 0;
  const auto write = [&](auto&& self) -> void {
    using Kind = fusion::PatternNode::Kind;
    const fusion::PatternNode& node = pattern.nodes[static_cast<std::size_t>(at++)];
    switch (node.kind) {
      case Kind::real: text += "R"; return;
      case Kind::real_scalar: text += "S"; return;
      case Kind::complex: text += "C"; return;
      case Kind::complex_scalar: text += "Z"; return;
      case Kind::op: break;
    }
    text += info_of(node.op).name;
    text += "(";
    for (int i = 0; i < node.arity; ++i) {
      text += i == 0 ? "" : ",";
      self(self);
    }
    text += ")";
  };
  write(write);
  return text;
}

}  // namespace frit::plan
