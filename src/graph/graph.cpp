#include "graph/graph.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "frit/error.hpp"
#include "ops/list.hpp"
#include "ops/table.hpp"

namespace frit {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t value) {
  h ^= value + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
  h *= 0xff51afd7ed558ccdu;
  return h ^ h >> 32;  // the table reads the low bits, which alone would not depend on the high bits of the value
}

ConstantValue canonical(ConstantValue v) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(v.re)) v.re = nan;
  if (std::isnan(v.im)) v.im = nan;
  return v;
}

bool same_bits(const ConstantValue& a, const ConstantValue& b) {
  return std::bit_cast<std::uint64_t>(a.re) == std::bit_cast<std::uint64_t>(b.re) &&
         std::bit_cast<std::uint64_t>(a.im) == std::bit_cast<std::uint64_t>(b.im);
}

}  // namespace

std::string_view name_of(Role role) {
  constexpr std::string_view names[] = {"constant", "parameter", "column"};
  return names[static_cast<int>(role)];
}

// Open addressing over node ids; the key of a slot is the node itself.
struct Graph::Interning {
  std::vector<NodeId> slots = std::vector<NodeId>(64, no_node);
  std::size_t used = 0;
};

Graph::Graph(DType kernel_dtype) : kernel_dtype_(kernel_dtype), interning_(std::make_unique<Interning>()) {
  if (!is_real_floating(kernel_dtype)) {
    throw Error(ErrorCode::graph_invalid,
                fmt::format("the dtype of a graph is f32 or f64, not {}", name_of(kernel_dtype)));
  }
}
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

NodeId Graph::intern(const Node& node, std::span<const NodeId> operands) {
  const auto hash_of = [&](const Node& n, std::span<const NodeId> ids) {
    std::uint64_t h = mix(static_cast<std::uint64_t>(n.kind), static_cast<std::uint64_t>(n.dtype));
    if (n.kind == NodeKind::op) {
      h = mix(h, static_cast<std::uint64_t>(n.op));
      for (NodeId id : ids) h = mix(h, id);
    } else if (n.kind == NodeKind::constant) {
      h = mix(h, std::bit_cast<std::uint64_t>(constants_[n.first].re));
      h = mix(h, std::bit_cast<std::uint64_t>(constants_[n.first].im));
    } else {
      h = mix(h, n.first);
    }
    return h;
  };
  auto& slots = interning_->slots;
  if (2 * (interning_->used + 1) > slots.size()) {
    std::vector<NodeId> larger(slots.size() * 2, no_node);
    for (NodeId id : slots) {
      if (id == no_node) continue;
      std::size_t i = hash_of(nodes_[id], this->operands(id)) & (larger.size() - 1);
      while (larger[i] != no_node) i = (i + 1) & (larger.size() - 1);
      larger[i] = id;
    }
    slots = std::move(larger);
  }
  std::size_t i = hash_of(node, operands) & (slots.size() - 1);
  for (; slots[i] != no_node; i = (i + 1) & (slots.size() - 1)) {
    const Node& other = nodes_[slots[i]];
    if (other.kind != node.kind || other.dtype != node.dtype) continue;
    bool same = false;
    if (node.kind == NodeKind::op) {
      const auto theirs = this->operands(slots[i]);
      same = other.op == node.op && theirs.size() == operands.size() &&
             std::equal(theirs.begin(), theirs.end(), operands.begin());
    } else if (node.kind == NodeKind::constant) {
      same = same_bits(constants_[other.first], constants_[node.first]);
    } else {
      same = other.first == node.first;
    }
    if (same) return slots[i];
  }
  if (nodes_.size() >= no_node) throw Error(ErrorCode::graph_invalid, "a graph holds at most 2^32 - 1 nodes");
  const NodeId id = static_cast<NodeId>(nodes_.size());
  Node copy = node;
  if (node.kind == NodeKind::op) {
    copy.first = static_cast<std::uint32_t>(operands_.size());
    copy.count = static_cast<std::uint32_t>(operands.size());
    operands_.insert(operands_.end(), operands.begin(), operands.end());
  }
  nodes_.push_back(copy);
  slots[i] = id;
  ++interning_->used;
  return id;
}

NodeId Graph::add_argument(std::string_view name, DType dtype, Role role, bool repeats) {
  arguments_.push_back({std::string(name), dtype, role, repeats});
  const Node node{.kind = NodeKind::argument,
                  .role = role,
                  .dtype = dtype,
                  .first = static_cast<std::uint32_t>(arguments_.size() - 1)};
  return intern(node, {});
}

NodeId Graph::add_constant(DType dtype, ConstantValue value) {
  if (kernel_dtype_ == DType::f32 && dtype != DType::boolean) {
    value = {static_cast<double>(static_cast<float>(value.re)), static_cast<double>(static_cast<float>(value.im))};
  }
  constants_.push_back(canonical(value));
  const Node node{.kind = NodeKind::constant,
                  .role = Role::constant,
                  .dtype = dtype,
                  .first = static_cast<std::uint32_t>(constants_.size() - 1)};
  const NodeId id = intern(node, {});
  if (nodes_[id].first != node.first) constants_.pop_back();
  return id;
}

NodeId Graph::add_op(OpId op, std::span<const NodeId> operands) {
  const OpInfo& info = info_of(op);
  std::array<DType, ops::max_arity> dtypes{};
  if (operands.size() != static_cast<std::size_t>(info.arity)) {
    throw Error(ErrorCode::graph_invalid,
                fmt::format("{} takes {} operands, not {}", info.name, info.arity, operands.size()));
  }
  Role role = Role::constant;
  bool any_complex = false;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Node& operand = nodes_[operands[i]];
    dtypes[i] = operand.dtype;
    role = std::max(role, operand.role);
    any_complex = any_complex || is_complex(operand.dtype);
  }
  DType dtype{};
  unsigned form = 0;
  if (!result_of(op, std::span<const DType>(dtypes).first(operands.size()), kernel_dtype_, dtype, form)) {
    std::string kinds;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      kinds += i == 0 ? "" : ", ";
      kinds += name_of(dtypes[i]);
    }
    if (any_complex) {
      throw Error(ErrorCode::complex_op,
                  fmt::format("{} does not take complex operands ({}); take the real part with re(...), or write it in "
                              "functions that have a complex form (+, *, /, exp, log, sqrt, pow, sin, tanh, Abs, arg)",
                              info.name, kinds));
    }
    throw Error(ErrorCode::graph_invalid, fmt::format("{} does not take operands of dtypes {}", info.name, kinds));
  }
  const Node node{.kind = NodeKind::op,
                  .role = role,
                  .dtype = dtype,
                  .form = static_cast<std::uint8_t>(form),
                  .op = op,
                  .count = static_cast<std::uint32_t>(operands.size())};
  // A commutative op has one order, so that a + b and b + a are one node.
  if (info.commutative && operands[0] > operands[1] && dtypes[0] == dtypes[1]) {
    const std::array<NodeId, 2> swapped{operands[1], operands[0]};
    return intern(node, swapped);
  }
  return intern(node, operands);
}

void Graph::add_output(std::string_view name, NodeId node) { outputs_.push_back({std::string(name), node}); }

bool result_of(OpId op, std::span<const DType> operands, DType kernel_dtype, DType& result, unsigned& form) {
  const OpInfo& info = info_of(op);
  if (is_composite(op) || operands.size() != static_cast<std::size_t>(info.arity)) return false;
  form = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool wants_boolean = info.type == TypeRule::logical || (info.type == TypeRule::select && i == 0);
    if (wants_boolean != (operands[i] == DType::boolean)) return false;
    if (!wants_boolean && real_of(operands[i]) != kernel_dtype) return false;
    if (is_complex(operands[i])) form |= 1u << i;
  }
  if ((forms_of(op) >> form & 1u) == 0) return false;
  switch (info.type) {
    case TypeRule::arithmetic:
    case TypeRule::select: result = form != 0 ? complex_of(kernel_dtype) : kernel_dtype; break;
    case TypeRule::real:
    case TypeRule::to_real: result = kernel_dtype; break;
    case TypeRule::to_complex: result = complex_of(kernel_dtype); break;
    case TypeRule::compare:
    case TypeRule::logical: result = DType::boolean; break;
    case TypeRule::integer: return false;  // a graph has no integer nodes
  }
  return true;
}

void verify(const Graph& graph) {
  const auto fail = [](NodeId id, std::string_view what) {
    throw Error(ErrorCode::graph_invalid, fmt::format("node %{}: {}", id, what));
  };
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    if (node.kind == NodeKind::argument) {
      const GraphArgument& argument = graph.arguments()[graph.argument_index(id)];
      if (argument.role != node.role || argument.dtype != node.dtype) fail(id, "differs from its argument");
      if (node.role == Role::constant) fail(id, "an argument is a parameter or a column");
      if (real_of(node.dtype) != graph.kernel_dtype()) fail(id, "an argument has the dtype of the graph");
    } else if (node.kind == NodeKind::constant) {
      if (node.role != Role::constant) fail(id, "a constant has another role");
      if (node.dtype != DType::boolean && real_of(node.dtype) != graph.kernel_dtype())
        fail(id, "a constant has the dtype of the graph");
    } else {
      std::array<DType, ops::max_arity> dtypes{};
      Role role = Role::constant;
      const auto operands = graph.operands(id);
      if (operands.size() != static_cast<std::size_t>(info_of(node.op).arity)) fail(id, "wrong number of operands");
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (operands[i] >= id) fail(id, "uses a node that comes after it");
        dtypes[i] = graph.node(operands[i]).dtype;
        role = std::max(role, graph.node(operands[i]).role);
      }
      DType dtype{};
      unsigned form = 0;
      if (!result_of(node.op, std::span<const DType>(dtypes).first(operands.size()), graph.kernel_dtype(), dtype, form))
        fail(id, fmt::format("{} has no such form", info_of(node.op).name));
      if (dtype != node.dtype || form != node.form) fail(id, "wrong dtype or form");
      if (role != node.role) fail(id, "its role is not the latest of its operands'");
    }
  }
  std::unordered_set<std::string_view> names;
  for (const GraphArgument& argument : graph.arguments()) {
    if (!names.insert(argument.name).second) fail(0, fmt::format("two arguments are named '{}'", argument.name));
  }
  if (graph.outputs().empty()) fail(0, "a graph has at least one output");
  for (const GraphOutput& output : graph.outputs()) {
    if (output.node >= graph.size()) fail(output.node, "an output names a node that does not exist");
  }
}

bool equal(const Graph& a, const Graph& b) {
  if (a.kernel_dtype() != b.kernel_dtype() || a.size() != b.size() || a.arguments().size() != b.arguments().size() ||
      a.outputs().size() != b.outputs().size())
    return false;
  for (NodeId id = 0; id < a.size(); ++id) {
    const Node& x = a.node(id);
    const Node& y = b.node(id);
    if (x.kind != y.kind || x.dtype != y.dtype || x.role != y.role) return false;
    if (x.kind == NodeKind::op) {
      const auto p = a.operands(id);
      const auto q = b.operands(id);
      if (x.op != y.op || x.form != y.form || !std::equal(p.begin(), p.end(), q.begin(), q.end())) return false;
    } else if (x.kind == NodeKind::constant) {
      if (!same_bits(a.constant(id), b.constant(id))) return false;
    } else if (a.argument_index(id) != b.argument_index(id)) {
      return false;
    }
  }
  for (std::size_t i = 0; i < a.arguments().size(); ++i) {
    const GraphArgument& x = a.arguments()[i];
    const GraphArgument& y = b.arguments()[i];
    if (x.name != y.name || x.dtype != y.dtype || x.role != y.role) return false;
  }
  for (std::size_t i = 0; i < a.outputs().size(); ++i) {
    if (a.outputs()[i].name != b.outputs()[i].name || a.outputs()[i].node != b.outputs()[i].node) return false;
  }
  return true;
}

}  // namespace frit
