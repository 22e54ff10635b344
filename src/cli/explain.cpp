// frit explain: a model at each stage on its way to run, as text, figures and pictures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "cli/interruptible.hpp"
#include "cli/report.hpp"
#include "cli/signals.hpp"
#include "core/atomic_file.hpp"
#include "frontends/sympy/reader.hpp"
#include "graph/expr_text.hpp"
#include "plan/picture.hpp"
#include "runtime/explain.hpp"

namespace frit::cli {
namespace {

using Json = nlohmann::ordered_json;

class Explainer {
 public:
  explicit Explainer(const ExplainOptions& options)
      : options_(options), inputs_(read()), engine_(options.engine), function_(bound()),
        explanation_(runtime::explain(function_)) {}

  // Those that the options name.
  void write_files();
  std::string text(std::string_view stage);
  Notes& notes() { return notes_; }

 private:
  Inputs read() {
    Inputs inputs = read_inputs(options_.inputs, notes_);
    if (options_.inputs.data.empty()) assume_columns(inputs, notes_);
    return inputs;
  }
  // Nothing is called, so the mode decides about passes and fusion only.
  Function bound() {
    FunctionOptions how{.mode = options_.function.mode, .dtype = options_.function.dtype};
    Function function = bind(engine_, inputs_, how, /*strict=*/false, notes_);
    notes_.add(function.notes());
    return function;
  }

  // The machine code, made when it is first asked for. Where there is none, `no_code_` says why.
  void compile();
  const runtime::CompiledReport& code();

  std::string passes() const;
  std::string kernels() const;
  std::string summary();
  std::string all();
  Json json();

  ExplainOptions options_;
  Notes notes_;
  Inputs inputs_;
  Engine engine_;
  Function function_;
  runtime::Explanation explanation_;
  bool compiled_ = false;
  std::optional<runtime::CompiledReport> code_;
  std::optional<Error> no_code_;
};

void Explainer::compile() {
  if (compiled_) return;
  compiled_ = true;
  if (explanation_.eager) {
    no_code_.emplace(ErrorCode::usage, "mode eager runs no machine code");
    return;
  }
  try {
    code_ = interruptible<runtime::CompiledReport>(
        [function = function_, how = options_.function.compiler] { return runtime::explain_compiled(function, how); });
  } catch (const Error& error) {
    if (error.code() != ErrorCode::compiler_missing && error.code() != ErrorCode::compiler_version) throw;
    no_code_ = error;
  }
}

const runtime::CompiledReport& Explainer::code() {
  compile();
  if (no_code_) throw *no_code_;
  return *code_;
}

std::string Explainer::passes() const {
  std::string text;
  for (const runtime::PassReport& pass : explanation_.passes) {
    text += fmt::format("; pass {}: {} -> {} nodes, {:.3f} ms\n; {}\n{}\n", pass.name, pass.nodes_before,
                        pass.nodes_after, pass.seconds * 1e3, pass.reason, pass.text);
  }
  return text;
}

std::string Explainer::kernels() const {
  const runtime::Explanation& e = explanation_;
  std::string text =
      fmt::format("kernels of ISA {} in {}, {} lanes; R and C are vectors, S and Z scalars, C and Z complex\n", e.isa,
                  name_of(e.dtype), e.lanes);
  text += fmt::format("{:>9} {:>9}  {:<7} {}\n", "prologue", "loop", "kind", "kernel");
  for (const runtime::KernelUse& use : e.kernels)
    text += fmt::format("{:>9} {:>9}  {:<7} {}\n", use.prologue_steps, use.loop_steps, use.fused ? "fused" : "one op",
                        use.name);
  const auto list = [&](std::string_view title, const std::vector<std::string>& steps) {
    text += fmt::format("{}\n", title);
    for (std::size_t i = 0; i < steps.size(); ++i) text += fmt::format("{:>7}  {}\n", i, steps[i]);
  };
  list("prologue", e.prologue_kernels);
  list("loop", e.loop_kernels);
  return text;
}

struct Roles {
  std::int64_t constant = 0, parameter = 0, column = 0;
};

Roles roles_of(const runtime::Explanation& e) {
  Roles roles;
  for (const runtime::NodeCount& count : e.counts) {
    roles.constant += count.constant;
    roles.parameter += count.parameter;
    roles.column += count.column;
  }
  return roles;
}

std::int64_t fused_steps(const runtime::Explanation& e) {
  std::int64_t fused = 0;
  for (const runtime::KernelUse& use : e.kernels) fused += use.fused ? use.loop_steps : 0;
  return fused;
}

std::string Explainer::summary() {
  compile();
  const runtime::Explanation& e = explanation_;
  const plan::Plan& plan = runtime::plan_of(function_);
  const StageTimes times = function_.stage_times();
  std::string text;
  const auto line = [&](std::string_view name, std::string_view content) {
    text += fmt::format("{:<12} {}\n", name, content);
  };
  const auto arguments = [&](Role role) {
    return std::count_if(plan.arguments.begin(), plan.arguments.end(),
                         [&](const GraphArgument& argument) { return argument.role == role; });
  };
  line("model", fmt::format("{} distinct subexpressions, {} outputs", inputs_.model.node_count(), plan.outputs.size()));
  line("function", fmt::format("{}, mode {}; {} columns, {} parameters", name_of(e.dtype),
                               name_of(function_.mode_asked()), arguments(Role::column), arguments(Role::parameter)));
  line("graph", fmt::format("{} nodes after normalisation, {} after the passes", e.traced_nodes, e.nodes));
  const Roles roles = roles_of(e);
  line("known",
       fmt::format("{} nodes always, {} once per call, {} per event", roles.constant, roles.parameter, roles.column));
  line("operations", fmt::format("{} per call, {} per event", plan.prologue_nodes, plan.loop_nodes));
  line("plan", fmt::format("prologue of {} steps, loop of {}, {} of them fused", plan.prologue.size(), plan.loop.size(),
                           fused_steps(e)));
  line("live", fmt::format("at most {} values in the loop, in {} buffers", e.most_live, plan.buffers));
  line("executor", fmt::format("ISA {}, {} lanes, tiles of {} events", e.isa, e.lanes, e.tile));
  line("memory", fmt::format("{} bytes a call; {} bytes a thread at this tile", e.prologue_bytes, e.scratch_bytes));
  if (no_code_) {
    line("code", fmt::format("none: {}", no_code_->message()));
  } else {
    const CompileStatistics& s = code_->statistics;
    line("code", fmt::format("effort {}, target {}, {} lanes; {} functions in objects of {} bytes",
                             options_.function.compiler.effort, s.target, s.width, s.functions, s.code_bytes));
    line("loop", fmt::format("{} IR operations, {} instructions for {} events, {} spills and {} reloads among them",
                             s.operations, code_->loop.instructions, s.width * s.vectors, code_->loop.spills,
                             code_->loop.reloads));
    line("roots", fmt::format("{} square roots by estimate instead of the divider", s.estimated_roots));
    line("memory", fmt::format("{} bytes a thread at this tile with code", code_->scratch_bytes));
    line("cache", one_line(code_->cache));
  }
  text += "\nms\n";
  const auto time = [&](std::string_view name, double seconds) {
    text += fmt::format("{:>10.3f}  {}\n", seconds * 1e3, name);
  };
  time("parse", inputs_.parse_s);
  time("trace and normalise", times.trace_s);
  time("passes", times.passes_s);
  for (const runtime::PassReport& pass : e.passes)
    time(fmt::format("  {}: {} -> {} nodes", pass.name, pass.nodes_before, pass.nodes_after), pass.seconds);
  time("plan", times.plan_s);
  if (code_) {
    const CompileStatistics& s = code_->statistics;
    time("compile: emit IR", s.emit_s);
    time("compile: optimise", s.optimise_s);
    time("compile: generate code", s.codegen_s);
    time("compile: link", s.link_s);
  }
  text += fmt::format("\n{:>9} {:>9} {:>9} {:>9}  nodes after the passes\n", "all", "constant", "parameter", "column");
  for (const runtime::NodeCount& count : e.counts)
    text += fmt::format("{:>9} {:>9} {:>9} {:>9}  {}\n", count.total(), count.constant, count.parameter, count.column,
                        count.name);
  return text;
}

std::string Explainer::all() {
  std::string text;
  for (const std::string_view stage : explain_stages) {
    const bool needs_code = stage == "ir" || stage == "assembly";
    if (needs_code) compile();
    text += fmt::format("{}==== {}\n", text.empty() ? "" : "\n", stage);
    text += needs_code && no_code_ ? fmt::format("none: {}\n", no_code_->message()) : this->text(stage);
  }
  return text;
}

std::string Explainer::text(std::string_view stage) {
  std::string text;
  if (stage == "expression")
    text = print_expression(read_srepr_file(options_.inputs.model.string()));
  else if (stage == "passes")
    text = passes();
  else if (stage == "plan")
    text = runtime::plan_text(function_, explanation_);
  else if (stage == "kernels")
    text = kernels();
  else if (stage == "ir")
    text = code().ir;
  else if (stage == "assembly")
    text = code().assembly;
  else if (stage == "summary")
    text = summary();
  else if (stage == "all")
    text = all();
  else
    text = function_.print(stage);
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

Json Explainer::json() {
  compile();
  const runtime::Explanation& e = explanation_;
  const plan::Plan& plan = runtime::plan_of(function_);
  const StageTimes times = function_.stage_times();
  const Roles roles = roles_of(e);
  Json passes = Json::array(), counts = Json::array(), kernels = Json::array();
  for (const runtime::PassReport& pass : e.passes)
    passes.push_back({{"name", pass.name},
                      {"reason", pass.reason},
                      {"nodes_before", pass.nodes_before},
                      {"nodes_after", pass.nodes_after},
                      {"s", pass.seconds}});
  for (const runtime::NodeCount& count : e.counts)
    counts.push_back(
        {{"name", count.name}, {"constant", count.constant}, {"parameter", count.parameter}, {"column", count.column}});
  for (const runtime::KernelUse& use : e.kernels)
    kernels.push_back({{"name", use.name},
                       {"fused", use.fused},
                       {"prologue_steps", use.prologue_steps},
                       {"loop_steps", use.loop_steps}});
  Json code;
  if (code_) {
    const CompileStatistics& s = code_->statistics;
    code = json_of(s);
    code.update({{"cache", code_->cache},
                 {"effort", options_.function.compiler.effort},
                 {"target", s.target},
                 {"width", s.width},
                 {"vectors", s.vectors},
                 {"estimated_roots", s.estimated_roots},
                 {"instructions", code_->loop.instructions},
                 {"spills", code_->loop.spills},
                 {"reloads", code_->loop.reloads},
                 {"scratch_bytes", code_->scratch_bytes}});
  }
  return {{"version", FRIT_VERSION},
          {"dtype", name_of(e.dtype)},
          {"mode", name_of(function_.mode_asked())},
          {"expressions", inputs_.model.node_count()},
          {"outputs", plan.outputs.size()},
          {"nodes",
           {{"traced", e.traced_nodes},
            {"all", e.nodes},
            {"constant", roles.constant},
            {"parameter", roles.parameter},
            {"column", roles.column}}},
          {"counts", counts},
          {"passes", passes},
          {"plan",
           {{"prologue_steps", plan.prologue.size()},
            {"loop_steps", plan.loop.size()},
            {"fused_steps", fused_steps(e)},
            {"prologue_operations", plan.prologue_nodes},
            {"loop_operations", plan.loop_nodes},
            {"scalars", plan.scalars},
            {"buffers", plan.buffers},
            {"most_live", e.most_live},
            {"live", e.live}}},
          {"executor",
           {{"isa", e.isa},
            {"lanes", e.lanes},
            {"tile", e.tile},
            {"prologue_bytes", e.prologue_bytes},
            {"scratch_bytes", e.scratch_bytes}}},
          {"kernels", kernels},
          {"code", code},
          {"no_code", no_code_ ? Json(no_code_->message()) : Json()},
          {"times",
           {{"parse_s", inputs_.parse_s},
            {"trace_s", times.trace_s},
            {"passes_s", times.passes_s},
            {"plan_s", times.plan_s}}}};
}

void Explainer::write_files() {
  const auto write = [](const std::filesystem::path& path, const auto& content) {
    if (path.empty()) return;
    AtomicFile file(path);  // first: a place that takes no file is found before the work
    const std::string text = content();
    throw_if_interrupted();
    file.write_at(0, text.data(), text.size());
    file.commit();
  };
  write(options_.dot, [&] { return plan::dot_of(runtime::graph_of(function_)); });
  write(options_.svg, [&] { return plan::svg_of(runtime::graph_of(function_), runtime::plan_of(function_)); });
  write(options_.json, [&] { return text_of(json()); });
}

}  // namespace

int run_explain(const ExplainOptions& options) {
  check_paths(options.inputs,
              std::array<WrittenFile, 3>{{{"--dot", options.dot}, {"--svg", options.svg}, {"--json", options.json}}});
  std::optional<NothingToLose> beginning(std::in_place);
  Explainer explainer(options);
  beginning.reset();
  // The text first: where it cannot be had, no file is written either.
  const std::string text = explainer.text(options.stage);
  explainer.write_files();
  print(text);
  explainer.notes().print();
  return 0;
}

}  // namespace frit::cli
