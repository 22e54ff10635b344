// Graph: the typed program between the front ends and the plan. Nodes in topological order, hash-consed, so equal
// subexpressions are one node; each has a dtype and a role (binding time).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frit/dtype.hpp"
#include "ops/info.hpp"

namespace frit {

// When a value is known: at compile time, once per call, or per event. A node's role is the latest of its operands'.
enum class Role : std::uint8_t { constant, parameter, column };
std::string_view name_of(Role role);

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = 0xffffffffu;

enum class NodeKind : std::uint8_t { constant, argument, op };

struct Node {
  NodeKind kind;
  Role role;
  DType dtype;              // boolean, or the kernel's real or complex dtype
  std::uint8_t form = 0;    // op: bit i says that operand i is complex
  OpId op{};                // op
  std::uint32_t first = 0;  // op: first operand in the operand list; constant, argument: index of the payload
  std::uint32_t count = 0;  // op: number of operands
};

// A constant in the kernel's dtype: f32 constants are exact as double. A boolean is 0 or 1 in `re`. NaN is canonical.
struct ConstantValue {
  double re = 0;
  double im = 0;
};

struct GraphArgument {
  std::string name;
  DType dtype;
  Role role;  // parameter or column
  bool repeats =
      false;  // a column that mostly has one value for many events: of use to compilers, and no part of the text form
};

struct GraphOutput {
  std::string name;
  NodeId node;
};

class Graph {
 public:
  // `kernel_dtype`: f32 or f64, the dtype of every real node; complex nodes have the complex dtype of the same parts.
  explicit Graph(DType kernel_dtype);
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  ~Graph();

  DType kernel_dtype() const { return kernel_dtype_; }

  // Building. Each returns the id of an equal node where there is one.
  NodeId add_argument(std::string_view name, DType dtype, Role role, bool repeats = false);
  NodeId add_constant(DType dtype, ConstantValue value);
  // A primitive op of the table. Operand kinds pick the form; where the op has no such form, throws ErrorCode::complex_op
  // (a complex operand that it does not take yet) or graph_invalid (anything else: a caller's bug).
  NodeId add_op(OpId op, std::span<const NodeId> operands);
  void add_output(std::string_view name, NodeId node);

  std::size_t size() const { return nodes_.size(); }
  const Node& node(NodeId id) const { return nodes_[id]; }
  std::span<const NodeId> operands(NodeId id) const {
    const Node& n = nodes_[id];
    return n.kind == NodeKind::op ? std::span<const NodeId>(operands_).subspan(n.first, n.count)
                                  : std::span<const NodeId>();
  }
  const ConstantValue& constant(NodeId id) const { return constants_[nodes_[id].first]; }
  std::span<const GraphArgument> arguments() const { return arguments_; }
  std::uint32_t argument_index(NodeId id) const { return nodes_[id].first; }
  std::span<const GraphOutput> outputs() const { return outputs_; }

 private:
  struct Interning;
  NodeId intern(const Node& node, std::span<const NodeId> operands);

  DType kernel_dtype_;
  std::vector<Node> nodes_;
  std::vector<NodeId> operands_;
  std::vector<ConstantValue> constants_;
  std::vector<GraphArgument> arguments_;
  std::vector<GraphOutput> outputs_;
  std::unique_ptr<Interning> interning_;
};

// The dtype of op(operands...), or false where the op has no form for these dtypes.
bool result_of(OpId op, std::span<const DType> operands, DType kernel_dtype, DType& result, unsigned& form);

// Throws ErrorCode::graph_invalid, naming the node, where the graph breaks a rule: an operand after its user, a wrong
// arity, dtype, form or role, a composite op, an output that does not exist, two arguments of one name.
void verify(const Graph& graph);

// The text form: a versioned header, then one node a line, names quoted, constants exact (hexadecimal floating point).
// parse_graph(print_graph(g)) is equal to g; errors are ErrorCode::graph_text with line and column.
std::string print_graph(const Graph& graph);
Graph parse_graph(std::string_view text);
// Equal node by node.
bool equal(const Graph& a, const Graph& b);

}  // namespace frit
