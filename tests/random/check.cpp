#include "random/check.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "ops/table.hpp"
#include "oracle/oracle.hpp"
#include "passes/passes.hpp"
#include "plan/plan.hpp"
#include "support/programs.hpp"

namespace frit::test {
namespace {

class Checker {
 public:
  Checker(const RandomProgram& program, const CheckOptions& options) : p_(program), options_(options) {}

  std::optional<Difference> run() {
    attempt("reference", [&] {
      want_ = evaluate(plan::make_plan(p_.graph, {.fuse = false}), reference_table(), {.whole_range = true});
      return std::string();
    });
    if (found_) return found_;
    attempt("text", [&] { return text(); });
    attempt("nodes", [&] { return nodes(); });
    attempt("oracle", [&] { return oracle(); });
    std::optional<plan::Plan> fused;
    attempt("plan", [&] {
      fused = plan::make_plan(passes::run_passes(passes::drop_dead_nodes(p_.graph), exec::evaluate_constant));
      return std::string();
    });
    if (found_) return found_;
    const RunOptions as_set{.cuts = p_.settings.cuts, .misalign = p_.settings.misalign, .threads = p_.settings.threads};
    const exec::KernelTable& table = table_of_settings();
    attempt("graph",
            [&] { return compare(run_program(exec::Program(*fused, table, {.tile = p_.settings.tile}), as_set)); });
    attempt("eager", [&] {
      RunOptions how = as_set;
      how.whole_range = true;
      return compare(evaluate(plan::make_plan(passes::drop_dead_nodes(p_.graph), {.fuse = false}), table, how));
    });
    attempt("fused", [&] { return compare(evaluate(plan::make_plan(p_.graph), reference_table(), {})); });
    for (const passes::Pass& pass : passes::make_passes(exec::evaluate_constant)) {
      attempt("pass " + std::string(pass.name), [&] {
        const Graph after = pass.run(p_.graph);
        verify(after);
        return compare(evaluate(plan::make_plan(after, {.fuse = false}), reference_table(), {.whole_range = true}));
      });
    }
    if (options_.compiled && runtime::compiler_is_missing().empty()) {
      attempt("compiled", [&] {
        exec::Program compiled(*fused, table, {.tile = p_.settings.tile});
        const auto kernel = compile(*fused, p_.settings.how);
        compiled.use(kernel.get());
        return compare(run_program(compiled, as_set));
      });
    }
    return found_;
  }

 private:
  template <class Fn> void attempt(const std::string& stage, Fn fn) {
    const bool wanted = options_.only.empty() || options_.only == stage || stage == "reference" || stage == "plan";
    if (found_ || !wanted) return;
    std::string what;
    try {
      what = fn();
    } catch (const std::exception& error) {
      what = std::string("raised ") + error.what();
    }
    if (!what.empty()) found_ = Difference{stage, what, op_};
  }

  const exec::KernelTable& table_of_settings() const {
    const exec::KernelTable* const table = exec::find_table(p_.settings.isa.c_str());
    return table != nullptr ? *table : reference_table();
  }

  std::vector<Bytes> run_program(const exec::Program& program, const RunOptions& how) const {
    return test::run(program, p_.columns, p_.parameters, p_.events, how);
  }
  std::vector<Bytes> evaluate(plan::Plan plan, const exec::KernelTable& table, const RunOptions& how) const {
    return run_program(exec::Program(std::move(plan), table), how);
  }

  // Bit for bit, NaN included: it leaves in its canonical form.
  std::string compare(const std::vector<Bytes>& got) const {
    for (std::size_t i = 0; i < want_.size(); ++i) {
      if (got[i] == want_[i]) continue;
      const GraphOutput& output = p_.graph.outputs()[i];
      const std::string difference = first_difference(got[i], want_[i], p_.graph.node(output.node).dtype);
      return "output " + output.name + ": " + (difference.empty() ? "a NaN that is not canonical" : difference);
    }
    return "";
  }

  std::string text() const {
    const std::string printed = print_graph(p_.graph);
    const Graph again = parse_graph(printed);
    if (!equal(p_.graph, again)) return "the text form does not read back:\n" + printed;
    return print_graph(again) == printed ? "" : "the text form is printed in two ways:\n" + printed;
  }

  // All nodes as outputs, over a part of the events: no buffer is reused, and a value does not depend on how many there are.
  const std::vector<Bytes>& values() {
    constexpr std::int64_t most = 6000;  // node values
    if (values_.empty()) {
      prefix_ = p_.events - p_.events / 4;
      // While a program shrinks the part must not depend on its nodes.
      if (options_.only.empty())
        prefix_ = std::clamp<std::int64_t>(most / static_cast<std::int64_t>(p_.graph.size()), 1, prefix_);
      values_ = node_values(p_, prefix_);
    }
    return values_;
  }

  std::string nodes() {
    if (p_.events == 0) return "";
    for (std::size_t i = 0; i < want_.size(); ++i) {
      const GraphOutput& output = p_.graph.outputs()[i];
      const DType dtype = p_.graph.node(output.node).dtype;
      const Bytes want = part_of(want_[i], dtype, 0, (values(), prefix_));
      if (values()[output.node] != want)
        return "output " + output.name + " beside all nodes: " + first_difference(values()[output.node], want, dtype);
    }
    return "";
  }

  // Each op on the operands that its kernel had.
  std::string oracle() {
    if (p_.events == 0) return "";
    constexpr std::size_t most = 120;  // values checked
    const std::size_t ops = p_.graph.size() - std::min(p_.graph.size(), p_.graph.arguments().size());
    const auto events = static_cast<std::size_t>((values(), prefix_));
    std::size_t each = std::min(events, std::max<std::size_t>(2, most / std::max<std::size_t>(1, ops)));
    if (!options_.only.empty()) each = events;  // the events that are looked at must not depend on the other nodes
    for (NodeId id = 0; id < p_.graph.size(); ++id) {
      const Node& node = p_.graph.node(id);
      if (node.kind != NodeKind::op) continue;
      for (std::size_t k = 0; k < (node.role == Role::column ? each : 1); ++k) {
        const std::size_t event = k * events / each;
        std::vector<oracle::Number> operands;
        for (const NodeId operand : p_.graph.operands(id)) operands.push_back(number(operand, event));
        const OpInfo& info = info_of(node.op);
        const std::string what =
            oracle::difference({info.name, info.budget, p_.graph.kernel_dtype()}, operands, number(id, event));
        if (what.empty()) continue;
        op_ = info.name;
        return "node %" + std::to_string(id) + ", event " + std::to_string(event) + ": " + what;
      }
    }
    return "";
  }

  oracle::Number number(NodeId id, std::size_t event) {
    const DType dtype = p_.graph.node(id).dtype;
    const std::byte* const at = &values()[id][event * size_of(dtype)];
    const auto part = [&](std::size_t k) {
      return real_of(dtype) == DType::f64 ? read_as<double>(at + 8 * k)
                                          : static_cast<double>(read_as<float>(at + 4 * k));
    };
    if (dtype == DType::boolean) return {.re = *at != std::byte{0} ? 1.0 : 0.0};
    return {.re = part(0), .im = is_complex(dtype) ? part(1) : 0, .complex = is_complex(dtype)};
  }

  const RandomProgram& p_;
  const CheckOptions& options_;
  std::vector<Bytes> want_;
  std::vector<Bytes> values_;
  std::int64_t prefix_ = 0;
  std::string op_;
  std::optional<Difference> found_;
};

}  // namespace

Graph copy_of_nodes(const Graph& graph) {
  Graph copy(graph.kernel_dtype());
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    switch (node.kind) {
      case NodeKind::constant: copy.add_constant(node.dtype, graph.constant(id)); break;
      case NodeKind::argument: {
        const GraphArgument& argument = graph.arguments()[graph.argument_index(id)];
        copy.add_argument(argument.name, argument.dtype, argument.role);
        break;
      }
      case NodeKind::op: copy.add_op(node.op, graph.operands(id)); break;
    }
  }
  return copy;
}

const exec::KernelTable& reference_table() { return *exec::usable_tables().back(); }

std::vector<Bytes> node_values(const RandomProgram& program, std::int64_t events) {
  Graph all = copy_of_nodes(program.graph);
  for (NodeId id = 0; id < all.size(); ++id) all.add_output("n" + std::to_string(id), id);
  const exec::Program eager(plan::make_plan(all, {.fuse = false}), reference_table());
  return run(eager, program.columns, program.parameters, events, {.whole_range = true});
}

std::optional<Difference> check(const RandomProgram& program, const CheckOptions& options) {
  return Checker(program, options).run();
}

}  // namespace frit::test
