#include "plan/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include "ops/table.hpp"

namespace frit::plan {
namespace {

constexpr std::array roles{Role::constant, Role::parameter, Role::column};
constexpr std::array<std::string_view, 3> fills{"#e6e6e6", "#cfe2f3", "#d9ead3"};
constexpr std::array<std::string_view, 3> meanings{"constant", "parameter: once per call", "column: per event"};
std::string_view fill_of(Role role) { return fills[static_cast<std::size_t>(role)]; }

// The length of the character at the beginning of `text` where it is one that XML takes, else 0.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  unsigned code = first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool overlong = code < (length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return overlong || surrogate || code > 0x10ffff || code == 0xfffe || code == 0xffff || code < 0xa0 ? 0 : length;
}

// A name may hold any bytes. What is no character or a control character is shown as \xNN; the rest goes through `escape`.
// At most `most` characters, then an ellipsis.
template <class Escape> std::string shown(std::string_view name, std::size_t most, Escape escape) {
  std::string text;
  std::size_t count = 0;
  for (std::size_t i = 0; i < name.size(); ++count) {
    if (count == most) return text + "\u2026";
    const std::size_t length = character_length(name.substr(i));
    if (length == 0) {
      for (const char c : fmt::format("\\x{:02x}", static_cast<unsigned char>(name[i])))
        escape(text, std::string_view(&c, 1));
      ++i;
    } else {
      escape(text, name.substr(i, length));
      i += length;
    }
  }
  return text;
}

constexpr std::size_t no_limit = static_cast<std::size_t>(-1);

std::string xml(std::string_view name, std::size_t most = no_limit) {
  return shown(name, most, [](std::string& text, std::string_view c) {
    text += c == "<" ? "&lt;" : c == ">" ? "&gt;" : c == "&" ? "&amp;" : c == "\"" ? "&quot;" : c;
  });
}

// NOTE: Graphviz reads entities in labels, and backslashes begin its own escapes.
std::string dot_string(std::string_view name) {
  return "\"" +
         shown(name, no_limit,
               [](std::string& text, std::string_view c) {
                 text += c == "\\" ? "\\\\" : c == "\"" ? "\\\"" : c == "&" ? "&amp;" : c;
               }) +
         "\"";
}

std::string label_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  switch (node.kind) {
    case NodeKind::argument: return graph.arguments()[graph.argument_index(id)].name;
    case NodeKind::op: return info_of(node.op).name;
    case NodeKind::constant: break;
  }
  const ConstantValue& value = graph.constant(id);
  if (node.dtype == DType::boolean) return value.re != 0 ? "true" : "false";
  return is_complex(node.dtype) ? fmt::format("({:.6g}, {:.6g})", value.re, value.im) : fmt::format("{:.6g}", value.re);
}

std::string title_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  return fmt::format("%{} {}: {} {}", id, label_of(graph, id), name_of(node.dtype), name_of(node.role));
}

// Boxes in layers: a node is below its operands, and constants and arguments just above their first user. The order in a
// layer follows the neighbours' centres, downwards and upwards in turn, as Sugiyama's method has it.
class Layered {
 public:
  explicit Layered(const Graph& graph);
  std::string draw() const;

 private:
  struct Box {
    std::string label, title;
    std::string_view fill;
    bool round = false;  // an output
    std::size_t layer = 0;
    double width = 0, x = 0;  // its centre
    std::vector<std::size_t> above, below;
  };
  static constexpr double height = 24, layer_height = 64, gap = 14, margin = 20, letter = 7.2;
  static constexpr std::size_t most_letters = 22;
  static constexpr int sweeps = 12;

  std::size_t add(std::string label, std::string title, std::string_view fill, bool round);
  void place(std::vector<std::size_t>& layer, std::vector<std::size_t> Box::*neighbours);
  double y_of(const Box& box) const { return margin + 3 * gap + static_cast<double>(box.layer) * layer_height; }

  std::vector<Box> boxes_;
  std::vector<std::vector<std::size_t>> layers_;
};

std::size_t Layered::add(std::string label, std::string title, std::string_view fill, bool round) {
  const std::size_t letters = std::min(label.size(), most_letters + 1);
  boxes_.push_back(
      {std::move(label), std::move(title), fill, round, 0, 16 + letter * static_cast<double>(letters), 0, {}, {}});
  return boxes_.size() - 1;
}

Layered::Layered(const Graph& graph) {
  for (NodeId id = 0; id < graph.size(); ++id) {
    add(label_of(graph, id), title_of(graph, id), fill_of(graph.node(id).role), false);
    Box& box = boxes_.back();
    for (const NodeId operand : graph.operands(id)) {
      box.layer = std::max(box.layer, boxes_[operand].layer + 1);
      box.above.push_back(operand);
    }
  }
  for (const GraphOutput& output : graph.outputs()) {
    const std::size_t box = add(output.name, "output " + output.name, "#ffffff", true);
    boxes_[box].layer = boxes_[output.node].layer + 1;
    boxes_[box].above.push_back(output.node);
  }
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    for (const std::size_t operand : boxes_[i].above) boxes_[operand].below.push_back(i);
  }
  std::size_t last = 0;
  for (Box& box : boxes_) {
    if (box.above.empty() && !box.below.empty()) {
      box.layer = boxes_[box.below[0]].layer - 1;
      for (const std::size_t user : box.below) box.layer = std::min(box.layer, boxes_[user].layer - 1);
    }
    last = std::max(last, box.layer);
  }
  layers_.resize(last + 1);
  for (std::size_t i = 0; i < boxes_.size(); ++i) layers_[boxes_[i].layer].push_back(i);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (auto& layer : layers_) place(layer, &Box::above);
    for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) place(*layer, &Box::below);
  }
  double left = boxes_.empty() ? 0 : boxes_[0].x;
  for (const Box& box : boxes_) left = std::min(left, box.x - box.width / 2);
  for (Box& box : boxes_) box.x += margin - left;
}

// Sorts a layer by where its neighbours are and puts the boxes there as nearly as they fit: half way between the two
// solutions that push overlapping boxes to the right and to the left.
void Layered::place(std::vector<std::size_t>& layer, std::vector<std::size_t> Box::*neighbours) {
  for (const std::size_t i : layer) {
    Box& box = boxes_[i];
    if ((box.*neighbours).empty()) continue;
    double sum = 0;
    for (const std::size_t n : box.*neighbours) sum += boxes_[n].x;
    box.x = sum / static_cast<double>((box.*neighbours).size());
  }
  std::stable_sort(layer.begin(), layer.end(), [&](std::size_t a, std::size_t b) { return boxes_[a].x < boxes_[b].x; });
  const auto apart = [&](std::size_t a, std::size_t b) {
    return (boxes_[layer[a]].width + boxes_[layer[b]].width) / 2 + gap;
  };
  std::vector<double> right(layer.size()), left(layer.size());
  for (std::size_t i = 0; i < layer.size(); ++i) {
    right[i] = boxes_[layer[i]].x;
    if (i > 0) right[i] = std::max(right[i], right[i - 1] + apart(i - 1, i));
  }
  for (std::size_t i = layer.size(); i-- > 0;) {
    left[i] = boxes_[layer[i]].x;
    if (i + 1 < layer.size()) left[i] = std::min(left[i], left[i + 1] - apart(i, i + 1));
  }
  for (std::size_t i = 0; i < layer.size(); ++i) boxes_[layer[i]].x = (left[i] + right[i]) / 2;
}

std::string svg_head(double width, double height) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"DejaVu Sans Mono, monospace\" font-size=\"12\">\n"
      "<rect class=\"page\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, height);
  double x = 20;
  for (const Role role : roles) {
    const std::string_view meaning = meanings[static_cast<std::size_t>(role)];
    text += fmt::format(
        "<rect class=\"key\" x=\"{:.1f}\" y=\"12\" width=\"14\" height=\"14\" fill=\"{}\" stroke=\"#666666\"/>\n"
        "<text x=\"{:.1f}\" y=\"23\">{}</text>\n",
        x, fill_of(role), x + 20, meaning);
    x += 40 + 7.4 * static_cast<double>(meaning.size());
  }
  return text;
}

std::string Layered::draw() const {
  double width = 560;
  for (const Box& box : boxes_) width = std::max(width, box.x + box.width / 2 + margin);
  const double bottom = margin + 3 * gap + static_cast<double>(layers_.size()) * layer_height;
  std::string text = svg_head(width, bottom);
  for (const Box& box : boxes_) {
    for (const std::size_t operand : box.above) {
      const Box& from = boxes_[operand];
      const double y0 = y_of(from) + height, y1 = y_of(box), bend = (y1 - y0) / 2;
      text += fmt::format(
          "<path d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" stroke=\"#888888\"/>\n",
          from.x, y0, from.x, y0 + bend, box.x, y1 - bend, box.x, y1);
    }
  }
  for (const Box& box : boxes_) {
    text += fmt::format(
        "<g><title>{}</title><rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" rx=\"{}\" "
        "fill=\"{}\" stroke=\"#444444\"/><text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text></g>\n",
        xml(box.title), box.round ? "output" : "node", box.x - box.width / 2, y_of(box), box.width, height,
        box.round ? 12 : 3, box.fill, box.x, y_of(box) + 16, xml(box.label, most_letters));
  }
  return text + "</svg>\n";
}

// "multiply 120" and so on, the most frequent first.
std::vector<std::string> op_lines(const Graph& graph, Role role, std::size_t most) {
  std::map<std::string_view, std::size_t> counts;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    if (node.kind == NodeKind::op && node.role == role) ++counts[info_of(node.op).name];
  }
  std::vector<std::pair<std::string_view, std::size_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i == most) {
      lines.push_back(fmt::format("and {} other ops", sorted.size() - i));
      break;
    }
    lines.push_back(fmt::format("{} {}", sorted[i].first, sorted[i].second));
  }
  return lines;
}

std::string overview(const Graph& graph, const Plan& plan) {
  struct Stage {
    double x, y;
    std::string_view fill;
    std::vector<std::string> lines;
    double height() const { return 16 + 18 * static_cast<double>(lines.size()); }
  };
  constexpr double width = 250;
  constexpr std::size_t most_ops = 10;
  const auto arguments = [&](Role role) {
    return std::count_if(graph.arguments().begin(), graph.arguments().end(),
                         [&](const GraphArgument& argument) { return argument.role == role; });
  };
  Stage constants{20, 80, fill_of(Role::constant), {fmt::format("{} constant parts", plan.constants.size())}};
  Stage parameters{20, 150, fill_of(Role::parameter), {fmt::format("{} parameters", arguments(Role::parameter))}};
  Stage columns{20, 0, fill_of(Role::column), {fmt::format("{} columns", arguments(Role::column))}};
  Stage prologue{320,
                 80,
                 fill_of(Role::parameter),
                 {"prologue, once per call", fmt::format("{} steps", plan.prologue.size()),
                  fmt::format("{} operations", plan.prologue_nodes)}};
  for (std::string& line : op_lines(graph, Role::parameter, most_ops)) prologue.lines.push_back("  " + line);
  const auto fused = std::count_if(plan.loop.begin(), plan.loop.end(),
                                   [](const Step& step) { return step.fusion != FusionId::single_op; });
  Stage loop{620,
             80,
             fill_of(Role::column),
             {"loop, per event", fmt::format("{} steps, {} fused", plan.loop.size(), fused),
              fmt::format("{} operations", plan.loop_nodes), fmt::format("{} buffers", plan.buffers)}};
  for (std::string& line : op_lines(graph, Role::column, most_ops)) loop.lines.push_back("  " + line);
  Stage outputs{920, 80, "#ffffff", {fmt::format("{} outputs", plan.outputs.size())}};
  columns.y = prologue.y + prologue.height() + 24;
  const double bottom =
      std::max({columns.y + columns.height(), prologue.y + prologue.height(), loop.y + loop.height()});
  std::string text = svg_head(1190, bottom + 20);
  text += fmt::format(
      "<text class=\"note\" x=\"20\" y=\"56\">Overview of the plan: the graph has {} nodes, and up to {} are drawn one "
      "by "
      "one.</text>\n",
      graph.size(), most_drawn_nodes);
  // Level where the boxes allow it.
  const auto edge = [&](const Stage& from, const Stage& to) {
    const double x0 = from.x + width, y0 = from.y + 17, x1 = to.x;
    const double y1 = std::clamp(y0, to.y + 17, to.y + to.height() - 17), bend = (x1 - x0) / 2;
    text += fmt::format(
        "<path d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" stroke=\"#888888\"/>\n", x0,
        y0, x0 + bend, y0, x1 - bend, y1, x1, y1);
  };
  edge(constants, prologue);
  edge(parameters, prologue);
  edge(prologue, loop);
  edge(columns, loop);
  edge(loop, outputs);
  for (const Stage* stage : {&constants, &parameters, &columns, &prologue, &loop, &outputs}) {
    text += fmt::format(
        "<rect class=\"stage\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.1f}\" rx=\"4\" fill=\"{}\" "
        "stroke=\"#444444\"/>\n",
        stage->x, stage->y, width, stage->height(), stage->fill);
    double y = stage->y + 21;
    for (const std::string& line : stage->lines) {
      text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" xml:space=\"preserve\">{}</text>\n", stage->x + 12, y,
                          xml(line));
      y += 18;
    }
  }
  return text + "</svg>\n";
}

}  // namespace

std::string dot_of(const Graph& graph) {
  std::string text =
      "digraph frit {\n  rankdir=TB;\n  node [shape=box, style=filled, fontname=\"monospace\", fontsize=11];\n";
  for (std::size_t i = 0; i < roles.size(); ++i)
    text += fmt::format("  key{} [label={}, fillcolor=\"{}\", shape=note];\n", i, dot_string(meanings[i]), fills[i]);
  for (NodeId id = 0; id < graph.size(); ++id) {
    text += fmt::format("  n{} [label={}, tooltip={}, fillcolor=\"{}\"];\n", id, dot_string(label_of(graph, id)),
                        dot_string(title_of(graph, id)), fill_of(graph.node(id).role));
  }
  for (NodeId id = 0; id < graph.size(); ++id) {
    for (const NodeId operand : graph.operands(id)) text += fmt::format("  n{} -> n{};\n", operand, id);
  }
  for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
    const GraphOutput& output = graph.outputs()[i];
    text += fmt::format("  out{0} [label={1}, shape=oval, fillcolor=\"#ffffff\"];\n  n{2} -> out{0};\n", i,
                        dot_string(output.name), output.node);
  }
  return text + "}\n";
}

std::string svg_of(const Graph& graph, const Plan& plan) {
  return graph.size() <= most_drawn_nodes ? Layered(graph).draw() : overview(graph, plan);
}

}  // namespace frit::plan
