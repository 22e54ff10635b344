#include "random/shrink.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "support/programs.hpp"

namespace frit::test {
namespace {

RandomProgram clone(const RandomProgram& p) {
  Graph graph = copy_of_nodes(p.graph);
  for (const GraphOutput& output : p.graph.outputs()) graph.add_output(output.name, output.node);
  return {std::move(graph), p.events, p.columns, p.parameters, p.settings};
}

// What stands for a node: another node of its dtype, or its values as an argument or constant.
struct Replacement {
  enum class By { node, value } by = By::node;
  NodeId node = no_node;
};

// One element of an image, as a constant.
ConstantValue constant_of(const Bytes& image, DType dtype) {
  if (dtype == DType::boolean) return {image[0] != std::byte{0} ? 1.0 : 0.0, 0};
  const bool f64 = real_of(dtype) == DType::f64;
  const auto part = [&](std::size_t k) {
    return f64 ? read_as<double>(&image[8 * k]) : static_cast<double>(read_as<float>(&image[4 * k]));
  };
  return {part(0), is_complex(dtype) ? part(1) : 0};
}

// The program with some nodes replaced and some outputs kept; nodes that no output needs are gone, their arguments too.
class Edit {
 public:
  explicit Edit(const RandomProgram& from) : from_(from), map_(from.graph.size(), no_node) {}

  void replace(NodeId id, Replacement by) { replacements_[id] = by; }
  void output(NodeId id) { outputs_.push_back(id); }

  RandomProgram finish() {
    const Graph& graph = from_.graph;
    mark();
    RandomProgram result;
    result.graph = Graph(graph.kernel_dtype());
    result.events = from_.events;
    result.settings = from_.settings;
    std::size_t column = 0, parameter = 0;
    std::vector<std::size_t> place;
    for (const GraphArgument& argument : graph.arguments())
      place.push_back(argument.role == Role::column ? column++ : parameter++);
    std::vector<Bytes> values;
    for (NodeId id = 0; id < graph.size(); ++id) {
      if (!needed_[id]) continue;
      const Node& node = graph.node(id);
      const auto replacement = replacements_.find(id);
      if (replacement != replacements_.end()) {
        if (replacement->second.by == Replacement::By::node) {
          map_[id] = map_[replacement->second.node];
          continue;
        }
        if (values.empty()) values = node_values(from_, from_.events);
        add_value(result, node, values[id]);
        map_[id] = static_cast<NodeId>(last_);
        continue;
      }
      if (node.kind == NodeKind::argument) {
        const std::size_t at = place[graph.argument_index(id)];
        if (node.role == Role::column) {
          result.columns.push_back(from_.columns[at]);
        } else {
          result.parameters.push_back(from_.parameters[at]);
        }
        map_[id] = add_argument(result.graph, node.dtype, node.role);
      } else if (node.kind == NodeKind::constant) {
        map_[id] = result.graph.add_constant(node.dtype, graph.constant(id));
      } else {
        std::vector<NodeId> operands;
        for (const NodeId operand : graph.operands(id)) operands.push_back(map_[operand]);
        map_[id] = result.graph.add_op(node.op, operands);
      }
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      result.graph.add_output("o" + std::to_string(i), map_[outputs_[i]]);
    return result;
  }

 private:
  static NodeId add_argument(Graph& graph, DType dtype, Role role) {
    return graph.add_argument("a" + std::to_string(graph.arguments().size()), dtype, role);
  }

  void mark() {
    needed_.assign(from_.graph.size(), false);
    for (const NodeId id : outputs_) needed_[id] = true;
    for (NodeId id = static_cast<NodeId>(from_.graph.size()); id-- > 0;) {
      if (!needed_[id]) continue;
      const auto replacement = replacements_.find(id);
      if (replacement != replacements_.end()) {
        if (replacement->second.by == Replacement::By::node) needed_[replacement->second.node] = true;
        continue;
      }
      for (const NodeId operand : from_.graph.operands(id)) needed_[operand] = true;
    }
  }

  // There are no boolean arguments: a boolean of the data is its first value.
  void add_value(RandomProgram& result, const Node& node, const Bytes& image) {
    if (node.role == Role::column && node.dtype != DType::boolean) {
      result.columns.push_back(image);
      last_ = add_argument(result.graph, node.dtype, Role::column);
    } else if (node.role == Role::parameter && node.dtype != DType::boolean) {
      const ConstantValue value = constant_of(image, node.dtype);
      result.parameters.emplace_back(value.re, value.im);
      last_ = add_argument(result.graph, node.dtype, Role::parameter);
    } else {
      last_ = result.graph.add_constant(node.dtype, constant_of(image, node.dtype));
    }
  }

  const RandomProgram& from_;
  std::map<NodeId, Replacement> replacements_;
  std::vector<NodeId> outputs_;
  std::vector<NodeId> map_;
  std::vector<bool> needed_;
  NodeId last_ = no_node;
};

class Shrinker {
 public:
  Shrinker(const RandomProgram& program, const Difference& difference, int most)
      : best_{clone(program), difference, 0}, most_(most) {}

  Shrunk run() {
    for (bool better = true; better && best_.checks < most_;) {
      better = outputs();
      better = events() || better;
      better = nodes() || better;
      better = settings() || better;
      better = data() || better;
    }
    return std::move(best_);
  }

 private:
  RandomProgram& now() { return best_.program; }

  // Keeps the candidate where it shows a difference at the same stage, by the oracle in the same op.
  bool keep(RandomProgram candidate) {
    if (best_.checks >= most_) return false;
    ++best_.checks;
    const CheckOptions options{.compiled = best_.difference.stage == "compiled", .only = best_.difference.stage};
    std::optional<Difference> found = check(candidate, options);
    if (!found || found->stage != best_.difference.stage || found->op != best_.difference.op) return false;
    best_.program = std::move(candidate);
    best_.difference.what = std::move(found->what);
    return true;
  }

  bool outputs() {
    bool better = false;
    // The oracle looks at every node, so one that no output needs may be wrong.
    for (NodeId id = static_cast<NodeId>(now().graph.size()); best_.difference.stage == "oracle" && id-- > 0;) {
      if (now().graph.outputs().size() == 1 && now().graph.outputs()[0].node <= id) continue;
      Edit edit(now());
      edit.output(id);
      if (keep(edit.finish())) return true;
    }
    const std::size_t count = now().graph.outputs().size();
    for (std::size_t i = 0; count > 1 && i < count; ++i) {
      Edit edit(now());
      edit.output(now().graph.outputs()[i].node);
      if (keep(edit.finish())) return true;
    }
    // Two outputs can matter together: then one by one.
    for (std::size_t i = now().graph.outputs().size(); i-- > 0 && now().graph.outputs().size() > 1;) {
      Edit edit(now());
      for (std::size_t k = 0; k < now().graph.outputs().size(); ++k) {
        if (k != i) edit.output(now().graph.outputs()[k].node);
      }
      better = keep(edit.finish()) || better;
    }
    // An output further up.
    for (std::size_t i = 0; i < now().graph.outputs().size(); ++i) {
      const std::vector<NodeId> operands(now().graph.operands(now().graph.outputs()[i].node).begin(),
                                         now().graph.operands(now().graph.outputs()[i].node).end());
      for (const NodeId operand : operands) {
        Edit edit(now());
        for (std::size_t k = 0; k < now().graph.outputs().size(); ++k)
          edit.output(k == i ? operand : now().graph.outputs()[k].node);
        if (keep(edit.finish())) return true;
      }
    }
    return better;
  }

  bool try_replacement(NodeId id, Replacement by) {
    Edit edit(now());
    edit.replace(id, by);
    for (const GraphOutput& output : now().graph.outputs()) edit.output(output.node);
    RandomProgram candidate = edit.finish();
    // Fewer nodes, or as many but fewer ops.
    const auto ops = [](const Graph& g) { return g.size() * 2 - g.arguments().size(); };
    if (ops(candidate.graph) >= ops(now().graph)) return false;
    return keep(std::move(candidate));
  }

  // From the last node on: its values, an operand, or any earlier leaf of its dtype instead of it.
  bool nodes() {
    bool better = false;
    for (NodeId id = static_cast<NodeId>(now().graph.size()); id-- > 0;) {
      if (id >= now().graph.size()) continue;
      const Node node = now().graph.node(id);
      if (node.kind == NodeKind::op && try_replacement(id, {Replacement::By::value, no_node})) {
        better = true;
        continue;
      }
      std::vector<NodeId> others(now().graph.operands(id).begin(), now().graph.operands(id).end());
      for (NodeId other = 0; other < id; ++other) {
        if (now().graph.node(other).kind != NodeKind::op) others.push_back(other);
      }
      for (const NodeId other : others) {
        if (now().graph.node(other).dtype != node.dtype) continue;
        if (try_replacement(id, {Replacement::By::node, other})) {
          better = true;
          break;
        }
      }
    }
    return better;
  }

  bool keep_events(std::int64_t from, std::int64_t to) {
    RandomProgram candidate = clone(now());
    candidate.events = to - from;
    std::size_t column = 0;
    for (const GraphArgument& argument : candidate.graph.arguments()) {
      if (argument.role != Role::column) continue;
      Bytes& image = candidate.columns[column++];
      image = part_of(image, argument.dtype, from, to);
    }
    for (std::int64_t& cut : candidate.settings.cuts) cut = std::clamp<std::int64_t>(cut - from, 0, candidate.events);
    return keep(std::move(candidate));
  }

  bool events() {
    bool better = false;
    for (std::int64_t step = now().events / 2; step > 0; step /= 2) {
      while (now().events > step && keep_events(0, now().events - step)) better = true;
      while (now().events > step && keep_events(step, now().events)) better = true;
    }
    return better;
  }

  bool settings() {
    bool better = false;
    const auto simpler = [&](const std::function<bool(Settings&)>& change) {
      RandomProgram candidate = clone(now());
      if (change(candidate.settings)) better = keep(std::move(candidate)) || better;
    };
    const auto set = [&](auto member, auto value) {
      simpler([&](Settings& s) { return std::exchange(s.*member, value) != s.*member; });
    };
    const auto set_how = [&](auto member, auto value) {
      simpler([&](Settings& s) { return std::exchange(s.how.*member, value) != s.how.*member; });
    };
    set(&Settings::threads, false);
    set(&Settings::cuts, std::vector<std::int64_t>{});
    set(&Settings::misalign, std::size_t{0});
    set(&Settings::tile, std::int64_t{0});
    set(&Settings::isa, std::string(reference_table().isa));
    set_how(&How::full_form, false);
    set_how(&How::largest_function, 0);
    set_how(&How::threads, 1);
    set_how(&How::vectors, 0);
    set_how(&How::roots, CompileOptions::Roots::by_balance);
    set_how(&How::functions, CompileOptions::Functions::by_policy);
    set_how(&How::target, std::string());
    set_how(&How::width, 0);
    set_how(&How::effort, 0);
    return better;
  }

  // Numbers that are easier to read: 0, 1 or 2 for all parts of an argument, then for single ones of a few.
  bool data() {
    bool better = false;
    for (std::size_t i = 0; i < now().columns.size(); ++i) {
      for (const double x : {0.0, 1.0, 2.0}) {
        if (try_data(i, 0, now().columns[i].size(), x)) {
          better = true;
          break;
        }
      }
      const std::size_t part = size_of(now().graph.kernel_dtype());
      for (std::size_t at = 0; at < std::min<std::size_t>(now().columns[i].size(), 8 * part); at += part) {
        for (const double x : {0.0, 1.0, 2.0}) {
          if (try_data(i, at, at + part, x)) {
            better = true;
            break;
          }
        }
      }
    }
    return better;
  }

  bool try_data(std::size_t column, std::size_t from, std::size_t to, double x) {
    const bool f64 = now().graph.kernel_dtype() == DType::f64;
    const Bytes one =
        f64 ? bytes_of<double>(std::vector<double>{x}) : bytes_of<float>(std::vector<float>{static_cast<float>(x)});
    RandomProgram candidate = clone(now());
    bool changed = false, simple = true;
    for (std::size_t at = from; at < to; at += one.size()) {
      std::byte* const element = &candidate.columns[column][at];
      const double old = f64 ? read_as<double>(element) : static_cast<double>(read_as<float>(element));
      // Only towards simpler numbers, so that this ends.
      simple = simple && (old == 0 || old == 1 || old == 2) && (old <= x);
      changed = changed || std::memcmp(element, one.data(), one.size()) != 0;
      std::memcpy(element, one.data(), one.size());
    }
    return changed && !simple && keep(std::move(candidate));
  }

  Shrunk best_;
  int most_;
};

}  // namespace

Shrunk shrink(const RandomProgram& program, const Difference& difference, int most_checks) {
  return Shrinker(program, difference, most_checks).run();
}

}  // namespace frit::test
