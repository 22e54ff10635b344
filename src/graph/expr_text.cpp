#include "graph/expr_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "ops/table.hpp"

namespace frit {
namespace {

// NOTE: a part that is used once stands inside its user up to this many nodes; so a line holds at most that for each operand,
// and neither depth nor repetition makes the text longer than linear.
constexpr std::uint32_t most_inline_nodes = 16;

// How tightly a text holds together, the loosest first.
enum class Binding { sum, product, power, whole };

struct Text {
  std::string text;
  Binding binding = Binding::whole;
};

std::string symbol_text(std::string_view name) {
  const bool plain =
      !name.empty() && (name[0] < '0' || name[0] > '9') && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '\\' ||
               c == '{' || c == '}' || c == '[' || c == ']' || static_cast<unsigned char>(c) >= 0x80;
      });
  if (plain) return std::string(name);
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      fmt::format_to(std::back_inserter(text), "\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text + '"';
}

std::string_view name_of(NamedConstant constant) {
  switch (constant) {
    case NamedConstant::pi: return "pi";
    case NamedConstant::e: return "E";
    case NamedConstant::imaginary_unit: return "I";
    case NamedConstant::infinity: return "oo";
    case NamedConstant::negative_infinity: return "-oo";
    case NamedConstant::complex_infinity: return "zoo";
    case NamedConstant::nan: return "nan";
    case NamedConstant::euler_gamma: return "EulerGamma";
    case NamedConstant::golden_ratio: return "GoldenRatio";
    case NamedConstant::catalan: return "Catalan";
    case NamedConstant::tribonacci: return "TribonacciConstant";
  }
  return "";
}

class Printer {
 public:
  explicit Printer(const Expr& expr) : expr_(expr), uses_(expr.size()), weight_(expr.size(), 1), texts_(expr.size()) {}
  std::string run();

 private:
  bool is_leaf(ExprId id) const { return expr_.operands(id).empty(); }
  bool is_named(ExprId id) const { return !is_leaf(id) && (uses_[id] != 1 || weight_[id] > most_inline_nodes); }
  // The text of an operand where at least `binding` is needed.
  std::string operand(ExprId id, Binding binding);
  std::string list(std::span<const ExprId> operands);
  Text text_of(ExprId id);
  Text sum_of(std::span<const ExprId> operands);
  Text product_of(std::span<const ExprId> operands);

  const Expr& expr_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint32_t> weight_;  // nodes that the text of a node holds
  std::vector<Text> texts_;            // until the one user takes them; of a named node its name
  std::size_t names_ = 0;
};

std::string Printer::operand(ExprId id, Binding binding) {
  if (is_leaf(id)) {
    const Text leaf = text_of(id);
    return leaf.binding < binding ? "(" + leaf.text + ")" : leaf.text;
  }
  if (is_named(id)) return texts_[id].text;
  Text text = std::move(texts_[id]);
  return text.binding < binding ? "(" + text.text + ")" : std::move(text.text);
}

std::string Printer::list(std::span<const ExprId> operands) {
  std::string text;
  for (std::size_t i = 0; i < operands.size(); ++i) text += (i == 0 ? "" : ", ") + operand(operands[i], Binding::sum);
  return text;
}

Text Printer::sum_of(std::span<const ExprId> operands) {
  std::string text;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::string term = operand(operands[i], Binding::product);
    if (i == 0)
      text = term;
    else if (term.starts_with('-'))
      text += " - " + term.substr(1);
    else
      text += " + " + term;
  }
  return {std::move(text), Binding::sum};
}

Text Printer::product_of(std::span<const ExprId> operands) {
  std::string text;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    // A literal in front may have a sign: -1/2*x.
    std::string factor = operand(operands[i], i == 0 || text == "-" ? Binding::product : Binding::power);
    if (i == 0 && factor == "-1" && operands.size() > 1) {
      text = "-";
      continue;
    }
    if (!text.empty() && text != "-") text += '*';
    text += factor;
  }
  return {std::move(text), Binding::product};
}

Text Printer::text_of(ExprId id) {
  const ExprNode& node = expr_.node(id);
  const auto operands = expr_.operands(id);
  switch (node.kind) {
    case ExprKind::number: {
      std::string text = expr_.number(id).text();
      const bool whole = text.find_first_of("-/") == std::string::npos;
      return {std::move(text), whole ? Binding::whole : Binding::product};
    }
    case ExprKind::constant: {
      const std::string_view name = name_of(static_cast<NamedConstant>(node.payload));
      return {std::string(name), name.starts_with('-') ? Binding::product : Binding::whole};
    }
    case ExprKind::boolean: return {node.payload != 0 ? "true" : "false", Binding::whole};
    case ExprKind::symbol: return {symbol_text(expr_.symbol_name(id)), Binding::whole};
    case ExprKind::add: return sum_of(operands);
    case ExprKind::multiply: return product_of(operands);
    case ExprKind::power:
      return {operand(operands[0], Binding::whole) + "**" + operand(operands[1], Binding::whole), Binding::power};
    case ExprKind::piecewise: return {"piecewise(" + list(operands) + ")", Binding::whole};
    case ExprKind::tuple: return {"(" + list(operands) + ")", Binding::whole};
    case ExprKind::call: break;
  }
  return {std::string(info_of(node.op).name) + "(" + list(operands) + ")", Binding::whole};
}

std::string Printer::run() {
  const ExprId root = expr_.root();
  if (root == no_expr) return "";
  // Nodes that a reader made and dropped again are not part of the expression.
  std::vector<char> needed(expr_.size(), 0);
  needed[root] = 1;
  for (ExprId id = root + 1; id-- > 0;) {
    if (!needed[id]) continue;
    for (const ExprId operand : expr_.operands(id)) {
      needed[operand] = 1;
      ++uses_[operand];
    }
  }
  std::string text;
  for (ExprId id = 0; id < root; ++id) {
    if (!needed[id] || is_leaf(id)) continue;
    for (const ExprId operand : expr_.operands(id)) weight_[id] += is_named(operand) ? 1 : weight_[operand];
    texts_[id] = text_of(id);
    if (!is_named(id)) continue;
    std::string name = fmt::format("%{}", ++names_);
    text += name + " = " + texts_[id].text + "\n";
    texts_[id] = {std::move(name), Binding::whole};
  }
  if (expr_.node(root).kind != ExprKind::tuple) return text + "output = " + text_of(root).text + "\n";
  const auto outputs = expr_.operands(root);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    text += fmt::format("output_{} = {}\n", i, operand(outputs[i], Binding::sum));
  return text;
}

}  // namespace

std::string print_expression(const Expr& expr) { return Printer(expr).run(); }

}  // namespace frit
