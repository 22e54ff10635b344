// The text form of a graph.
//
//   frit graph 1 f64
//   %0 = argument "m_{12}" : f64 column
//   %1 = argument "c" : c128 parameter
//   %2 = constant (0x1.8p+1, -0x0p+0) : c128 constant
//   %3 = multiply(%1, %2) : c128 parameter
//   output "output" = %3
//
// NOTE: a graph has one text. Ids count from %0, numbers stand in their shortest exact form, a name is escaped only where it
// must be, no node stands twice, operands of a commutative op stand in the order of their ids, every line ends with a newline,
// and the parser takes nothing else. So print_graph(parse_graph(text)) is `text`, and texts may be compared and hashed in
// place of graphs. The price, that text written by hand must be exact, is paid by errors that show the expected form.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <unordered_set>

#include "core/fp_state.hpp"
#include "core/nearest_name.hpp"
#include "frit/error.hpp"
#include "graph/graph.hpp"
#include "ops/list.hpp"
#include "ops/table.hpp"

namespace frit {
namespace {

constexpr std::string_view magic = "frit graph ";
constexpr std::string_view version = "1";

// The length of the valid UTF-8 sequence at the beginning of `text`, or 0. No surrogates and no overlong forms.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto in = [](unsigned x, unsigned low, unsigned high) { return x >= low && x <= high; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (in(first, 0xc2, 0xdf)) return in(byte(1), 0x80, 0xbf) ? 2 : 0;
  if (in(first, 0xe0, 0xef)) {
    const unsigned low = first == 0xe0 ? 0xa0 : 0x80;
    const unsigned high = first == 0xed ? 0x9f : 0xbf;
    return in(byte(1), low, high) && in(byte(2), 0x80, 0xbf) ? 3 : 0;
  }
  if (in(first, 0xf0, 0xf4)) {
    const unsigned low = first == 0xf0 ? 0x90 : 0x80;
    const unsigned high = first == 0xf4 ? 0x8f : 0xbf;
    return in(byte(1), low, high) && in(byte(2), 0x80, 0xbf) && in(byte(3), 0x80, 0xbf) ? 4 : 0;
  }
  return 0;
}

// A name may hold any bytes: quotes, backslashes, control characters and what is no UTF-8 are escaped.
std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (std::size_t i = 0; i < name.size();) {
    const unsigned char c = static_cast<unsigned char>(name[i]);
    const std::size_t length = utf8_length(name.substr(i));
    if (c == '"' || c == '\\') {
      text += '\\';
      text += name[i++];
    } else if (c < 0x20 || c == 0x7f || length == 0) {
      fmt::format_to(std::back_inserter(text), "\\x{:02x}", c);
      ++i;
    } else {
      text += name.substr(i, length);
      i += length;
    }
  }
  return text + '"';
}

// Hexadecimal floating point with the leading digit 1 (also of subnormals) and no zeros at the end.
// NOTE: from the bits, so that neither the locale nor the floating-point environment matters.
std::string hexadecimal(double value) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::string_view sign = bits >> 63 != 0 ? "-" : "";
  std::uint64_t fraction = bits & 0xfffffffffffffu;
  int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent == 0x7ff) return fraction != 0 ? "nan" : fmt::format("{}inf", sign);
  if (exponent == 0 && fraction == 0) return fmt::format("{}0x0p+0", sign);
  if (exponent == 0) {
    const int shift = std::countl_zero(fraction) - 11;
    fraction = fraction << shift & 0xfffffffffffffu;
    exponent = 1 - shift;
  }
  std::string digits;
  for (std::uint64_t rest = fraction; rest != 0; rest = rest << 4 & 0xfffffffffffffu)
    digits += "0123456789abcdef"[rest >> 48];
  return fmt::format("{}0x1{}{}p{:+d}", sign, digits.empty() ? "" : ".", digits, exponent - 1023);
}

std::string constant_text(DType dtype, const ConstantValue& value) {
  if (dtype == DType::boolean) return value.re != 0 ? "true" : "false";
  if (is_complex(dtype)) return fmt::format("({}, {})", hexadecimal(value.re), hexadecimal(value.im));
  return hexadecimal(value.re);
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}
  Graph parse();

 private:
  struct Place {
    std::size_t line, column;
  };
  Place place() const { return {line_, at_ - line_start_ + 1}; }
  [[noreturn]] static void fail(Place where, std::string_view what) {
    throw Error(ErrorCode::graph_text,
                fmt::format("graph text, line {}, column {}: {}", where.line, where.column, what));
  }
  [[noreturn]] void fail(std::string_view what) const { fail(place(), what); }

  bool done() const { return at_ == text_.size(); }
  bool accept(std::string_view wanted) {
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }
  // What stands here, for messages.
  std::string found() const {
    if (done()) return "the end of the text";
    const std::string_view line = text_.substr(at_, std::min<std::size_t>(text_.find('\n', at_), text_.size()) - at_);
    constexpr std::size_t shown = 24;
    return line.empty() ? "the end of the line" : quoted(line.substr(0, shown));
  }
  void expect(std::string_view wanted) {
    if (!accept(wanted)) fail(fmt::format("expected {}, found {}", quoted(wanted), found()));
  }
  void end_of_line() {
    if (!accept("\n"))
      fail(fmt::format("expected the end of the line (a newline, no spaces before it), found {}", found()));
    ++line_;
    line_start_ = at_;
  }
  template <class Pick> std::string_view take_while(Pick pick) {
    const std::size_t start = at_;
    while (!done() && pick(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  std::string_view word() {
    return take_while([](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
  }

  NodeId node_id();
  std::string name();
  double number(DType kernel_dtype);
  DType dtype();
  Role role();
  void header();
  void node(NodeId id);
  void argument(Place start);
  void constant(NodeId id, Place start);
  void op(NodeId id, Place start, std::string_view op_name);
  void output();
  void check_new(NodeId id, NodeId made, Place start) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  std::optional<Graph> graph_;
  std::unordered_set<std::string> argument_names_;
};

NodeId Parser::node_id() {
  const Place start = place();
  expect("%");
  const std::string_view digits = take_while([](char c) { return c >= '0' && c <= '9'; });
  NodeId id = no_node;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  if (read.ec != std::errc() || id == no_node || (digits.size() > 1 && digits[0] == '0'))
    fail(start, "expected a node, as %0 or %12");
  return id;
}

std::string Parser::name() {
  const Place start = place();
  const std::size_t first = at_;
  expect("\"");
  std::string name;
  while (true) {
    if (done() || text_[at_] == '\n') fail(start, "the name has no closing quote on its line");
    const char c = text_[at_++];
    if (c == '"') break;
    if (c != '\\') {
      name += c;
      continue;
    }
    if (accept("\"")) {
      name += '"';
    } else if (accept("\\")) {
      name += '\\';
    } else {
      unsigned byte = 0;
      const bool has_digits = accept("x") && text_.size() - at_ >= 2;
      const char* const digits = text_.data() + at_;
      if (!has_digits || std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2)
        fail(R"(an escape is \", \\ or \x and two hexadecimal digits)");
      at_ += 2;
      name += static_cast<char>(static_cast<unsigned char>(byte));
    }
  }
  if (const std::string one_form = quoted(name); text_.substr(first, at_ - first) != one_form)
    fail(start, fmt::format("the name is escaped where it need not be, or not where it must be; its one form is {}",
                            one_form));
  return name;
}

double Parser::number(DType kernel_dtype) {
  const Place start = place();
  const std::string_view token = take_while(
      [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-'; });
  std::string_view rest = token;
  double value = 0;
  const bool negative = rest.starts_with('-');
  if (negative) rest.remove_prefix(1);
  if (rest == "inf") {
    value = std::numeric_limits<double>::infinity();
  } else if (token == "nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    // Longer than any exact form, and a limit on what from_chars reads.
    constexpr std::size_t longest = 64;
    const bool prefixed = rest.starts_with("0x") && rest.size() <= longest;
    if (prefixed) rest.remove_prefix(2);
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), value, std::chars_format::hex);
    if (!prefixed || rest.starts_with('-') || read.ec != std::errc() || read.ptr != rest.data() + rest.size())
      fail(start, "expected a number: exact hexadecimal floating point, as 0x1.8p+1 or -0x0p+0, or inf, -inf, nan");
  }
  if (negative) value = -value;
  if (kernel_dtype == DType::f32 && value == value && static_cast<double>(static_cast<float>(value)) != value)
    fail(start, fmt::format("{} has no exact value in f32", token));
  if (const std::string one_form = hexadecimal(value); token != one_form)
    fail(start, fmt::format("the number is not in its one form, which is {}", one_form));
  return value;
}

DType Parser::dtype() {
  const Place start = place();
  const std::string_view text = word();
  DType result{};
  if (!parse_dtype(text, result)) {
    constexpr std::array<std::string_view, 5> names{"f64", "c128", "f32", "c64", "bool"};
    fail(start, fmt::format("no dtype {}{}", quoted(text), did_you_mean(text, names)));
  }
  return result;
}

Role Parser::role() {
  const Place start = place();
  const std::string_view text = word();
  for (Role role : {Role::constant, Role::parameter, Role::column}) {
    if (text == name_of(role)) return role;
  }
  const std::array<std::string_view, 3> names{name_of(Role::constant), name_of(Role::parameter), name_of(Role::column)};
  fail(start, fmt::format("no role {}{}", quoted(text), did_you_mean(text, names)));
}

void Parser::header() {
  if (!accept(magic)) fail(fmt::format("expected the header 'frit graph {} f64' (or f32), found {}", version, found()));
  const Place start = place();
  if (const std::string_view text = word(); text != version)
    fail(start,
         fmt::format("version {} of the text form is not known here; this is version {}", quoted(text), version));
  expect(" ");
  const Place of_dtype = place();
  const DType kernel_dtype = dtype();
  if (!is_real_floating(kernel_dtype)) fail(of_dtype, "the dtype of a graph is f64 or f32");
  graph_.emplace(kernel_dtype);
  end_of_line();
}

void Parser::check_new(NodeId id, NodeId made, Place start) const {
  if (made != id) fail(start, fmt::format("the node is %{} again; use that one", made));
}

void Parser::argument(Place start) {
  expect(" ");
  const Place of_name = place();
  const std::string argument_name = name();
  if (!argument_names_.insert(argument_name).second)
    fail(of_name, fmt::format("two arguments are named {}", quoted(argument_name)));
  expect(" : ");
  const Place of_type = place();
  const DType type = dtype();
  expect(" ");
  const Role known = role();
  if (real_of(type) != graph_->kernel_dtype())
    fail(of_type, fmt::format("an argument of this graph is {} or {}, not {}", name_of(graph_->kernel_dtype()),
                              name_of(complex_of(graph_->kernel_dtype())), name_of(type)));
  if (known == Role::constant) fail(start, "an argument is a parameter or a column");
  graph_->add_argument(argument_name, type, known);
}

void Parser::constant(NodeId id, Place start) {
  expect(" ");
  ConstantValue value;
  DType type = graph_->kernel_dtype();
  if (accept("true")) {
    value.re = 1;
    type = DType::boolean;
  } else if (accept("false")) {
    type = DType::boolean;
  } else if (accept("(")) {
    value.re = number(graph_->kernel_dtype());
    expect(", ");
    value.im = number(graph_->kernel_dtype());
    expect(")");
    type = complex_of(type);
  } else {
    value.re = number(graph_->kernel_dtype());
  }
  expect(fmt::format(" : {} constant", name_of(type)));
  check_new(id, graph_->add_constant(type, value), start);
}

void Parser::op(NodeId id, Place start, std::string_view op_name) {
  const std::optional<OpId> op = find_op(op_name);
  if (!op) {
    std::vector<std::string_view> names{"argument", "constant"};
    for (int i = 0; i < op_count(); ++i) {
      if (!is_composite(static_cast<OpId>(i))) names.push_back(info_of(static_cast<OpId>(i)).name);
    }
    fail(start, fmt::format("no op {}{}", quoted(op_name), did_you_mean(op_name, names)));
  }
  if (is_composite(*op)) fail(start, fmt::format("{} is a composite op: a graph holds what it expands to", op_name));
  std::array<NodeId, ops::max_arity> operands{};
  std::size_t count = 0;
  expect("(");
  do {
    const Place of_operand = place();
    const NodeId operand = node_id();
    if (operand >= id) fail(of_operand, fmt::format("%{} does not come before %{}, which uses it", operand, id));
    if (count == operands.size()) fail(of_operand, fmt::format("{} takes {} operands", op_name, info_of(*op).arity));
    operands[count++] = operand;
  } while (accept(", "));
  expect(")");
  NodeId made = no_node;
  try {
    made = graph_->add_op(*op, std::span<const NodeId>(operands).first(count));
  } catch (const Error& error) {
    fail(start, error.message());
  }
  if (graph_->operands(made)[0] != operands[0])
    fail(start, fmt::format("{} is commutative: the operand of the smaller id comes first", op_name));
  check_new(id, made, start);
  expect(" : ");
  const Place of_type = place();
  const DType type = dtype();
  expect(" ");
  const Role known = role();
  const Node& node = graph_->node(made);
  if (type != node.dtype || known != node.role)
    fail(of_type, fmt::format("the node is {} {}, not {} {}", name_of(node.dtype), name_of(node.role), name_of(type),
                              name_of(known)));
}

void Parser::node(NodeId id) {
  const Place start = place();
  if (const NodeId written = node_id(); written != id)
    fail(start, fmt::format("nodes are numbered in order: expected %{}, found %{}", id, written));
  expect(" = ");
  const Place of_kind = place();
  const std::string_view kind = word();
  if (kind == "argument") {
    argument(of_kind);
  } else if (kind == "constant") {
    constant(id, of_kind);
  } else {
    op(id, of_kind, kind);
  }
  end_of_line();
}

void Parser::output() {
  expect("output ");
  const std::string output_name = name();
  expect(" = ");
  const Place of_node = place();
  const NodeId id = node_id();
  if (id >= graph_->size()) fail(of_node, fmt::format("there is no node %{}", id));
  graph_->add_output(output_name, id);
  end_of_line();
}

Graph Parser::parse() {
  header();
  for (NodeId id = 0; !done() && text_[at_] == '%'; ++id) node(id);
  if (done()) fail("a graph has at least one output; expected 'output \"...\" = %...'");
  while (!done()) output();
  verify(*graph_);
  return std::move(*graph_);
}

}  // namespace

std::string print_graph(const Graph& graph) {
  std::string text = fmt::format("{}{} {}\n", magic, version, name_of(graph.kernel_dtype()));
  const auto out = std::back_inserter(text);
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    fmt::format_to(out, "%{} = ", id);
    switch (node.kind) {
      case NodeKind::argument:
        fmt::format_to(out, "argument {}", quoted(graph.arguments()[graph.argument_index(id)].name));
        break;
      case NodeKind::constant: fmt::format_to(out, "constant {}", constant_text(node.dtype, graph.constant(id))); break;
      case NodeKind::op: {
        fmt::format_to(out, "{}(", info_of(node.op).name);
        std::string_view separator;
        for (NodeId operand : graph.operands(id)) {
          fmt::format_to(out, "{}%{}", separator, operand);
          separator = ", ";
        }
        text += ')';
        break;
      }
    }
    fmt::format_to(out, " : {} {}\n", name_of(node.dtype), name_of(node.role));
  }
  for (const GraphOutput& output : graph.outputs())
    fmt::format_to(out, "output {} = %{}\n", quoted(output.name), output.node);
  return text;
}

Graph parse_graph(std::string_view text) {
  // Numbers are the same whatever the caller's rounding mode or flush-to-zero.
  const FpState state;
  return Parser(text).parse();
}

}  // namespace frit
