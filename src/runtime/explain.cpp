#include "runtime/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>

#include "core/fp_state.hpp"
#include "ops/table.hpp"
#include "passes/passes.hpp"
#include "runtime/compiler_module.hpp"
#include "runtime/function.hpp"
#include "runtime/kernel_key.hpp"

namespace frit::runtime {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void run_passes(const Function::Impl& f, Explanation& result) {
  // Constants are folded as binding folded them, whatever the caller's floating-point environment.
  const FpState state;
  std::size_t before = f.traced.size();
  auto start = std::chrono::steady_clock::now();
  Graph graph = passes::drop_dead_nodes(f.traced);
  const auto note = [&](std::string_view name, std::string_view reason, const Graph& after) {
    const double seconds = seconds_since(start);
    result.passes.push_back(
        {std::string(name), std::string(reason), before, after.size(), seconds, print_graph(after)});
    before = after.size();
    start = std::chrono::steady_clock::now();
  };
  note("drop-dead-nodes", "before all others: what no output needs is work for none of them", graph);
  if (!result.eager) {
    for (const passes::Pass& pass : passes::make_passes(exec::evaluate_constant)) {
      start = std::chrono::steady_clock::now();
      graph = pass.run(graph);
      note(pass.name, pass.reason, graph);
    }
  }
  if (!equal(graph, f.graph))
    throw Error(ErrorCode::internal, "the passes of explain do not lead to the graph that runs");
}

std::vector<NodeCount> count_nodes(const Graph& graph) {
  std::map<std::string, NodeCount> counts;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    std::string name = node.kind == NodeKind::constant   ? "constant"
                       : node.kind == NodeKind::argument ? "argument"
                                                         : std::string(info_of(node.op).name);
    if (node.kind == NodeKind::op && node.form != 0) name += " (complex)";
    NodeCount& count = counts[name];
    count.name = name;
    ++(node.role == Role::constant ? count.constant : node.role == Role::parameter ? count.parameter : count.column);
  }
  std::vector<NodeCount> sorted;
  for (auto& [name, count] : counts) sorted.push_back(std::move(count));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const NodeCount& a, const NodeCount& b) { return a.total() > b.total(); });
  return sorted;
}

// NOTE: the executor picks the kernel that reads its scalar operands as scalars where the table has it, else the one that
// takes vectors only; a prologue step runs on scalar blocks as if they were vectors.
std::string kernel_name(const plan::Step& step, bool prologue, const exec::KernelTable& table, DType dtype) {
  if (step.fusion != FusionId::single_op) return plan::fusion_name(step.fusion);
  const OpInfo& info = info_of(step.op);
  std::array<bool, plan::max_parts> scalar{};
  unsigned set = 0;
  for (int operand = 0, at = 0; operand < info.arity; ++operand) {
    const int parts = (step.form >> operand & 1) + 1;
    scalar[static_cast<std::size_t>(operand)] =
        std::all_of(step.parts + at, step.parts + at + parts,
                    [](const plan::Part& part) { return part.kind == plan::Part::Kind::scalar; });
    if (scalar[static_cast<std::size_t>(operand)]) set |= 1u << operand;
    at += parts;
  }
  const auto& row = table.single[exec::dtype_index(dtype)][static_cast<std::size_t>(step.op)][step.form];
  if (prologue || row[set] == nullptr) scalar = {};
  std::string text = std::string(info.name) + "(";
  for (int operand = 0; operand < info.arity; ++operand) {
    const bool complex = (step.form >> operand & 1) != 0;
    const bool one = scalar[static_cast<std::size_t>(operand)];
    text += fmt::format("{}{}", operand == 0 ? "" : ",", complex ? (one ? 'Z' : 'C') : (one ? 'S' : 'R'));
  }
  return text + ")";
}

void name_kernels(const Function::Impl& f, Explanation& result) {
  std::map<std::string, KernelUse> uses;
  const auto add = [&](const plan::Step& step, bool prologue) {
    std::string name = kernel_name(step, prologue, *f.engine->table, result.dtype);
    KernelUse& use = uses[name];
    use.name = name;
    use.fused = step.fusion != FusionId::single_op;
    ++(prologue ? use.prologue_steps : use.loop_steps);
    (prologue ? result.prologue_kernels : result.loop_kernels).push_back(std::move(name));
  };
  for (const plan::Step& step : f.program.plan().prologue) add(step, true);
  for (const plan::Step& step : f.program.plan().loop) add(step, false);
  for (auto& [name, use] : uses) result.kernels.push_back(std::move(use));
  std::stable_sort(result.kernels.begin(), result.kernels.end(), [](const KernelUse& a, const KernelUse& b) {
    return a.prologue_steps + a.loop_steps > b.prologue_steps + b.loop_steps;
  });
}

// From the end, since a buffer is live until its last reader; the plan has given each buffer to one value at a time.
void count_live(const plan::Plan& plan, Explanation& result) {
  std::vector<char> live(plan.buffers, 0);
  std::uint32_t count = 0;
  const auto set = [&](const plan::Part& part, bool value) {
    if (part.kind != plan::Part::Kind::buffer || (live[part.index] != 0) == value) return false;
    live[part.index] = value ? 1 : 0;
    count += value ? 1u : ~0u;
    return true;
  };
  for (const plan::Output& output : plan.outputs) {
    for (int i = 0; i < (is_complex(output.dtype) ? 2 : 1); ++i) set(output.parts[i], true);
  }
  result.live.resize(plan.loop.size());
  for (std::size_t s = plan.loop.size(); s-- > 0;) {
    const plan::Step& step = plan.loop[s];
    result.live[s] = count;
    std::uint32_t unused = 0;
    for (int i = step.operands; i < step.operands + step.results; ++i) unused += set(step.parts[i], false) ? 0 : 1;
    // A result that nobody reads still has its place while the step runs.
    result.most_live = std::max(result.most_live, result.live[s] + unused);
    for (int i = 0; i < step.operands; ++i) set(step.parts[i], true);
  }
  result.most_live = std::max(result.most_live, count);
}

std::string_view line_of(std::string_view text, std::size_t& at) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  const std::string_view line = text.substr(at, end - at);
  at = end + 1;
  return line;
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

LoopCode count_loop(std::string_view assembly) {
  enum class Stack : std::uint8_t { none, store, load };
  struct Instruction {
    Stack stack = Stack::none;
    bool in_loop = false;
  };
  std::vector<Instruction> instructions;
  std::map<std::string_view, std::size_t> labels;  // of the function being read: the instruction that follows
  bool frame_pointer = false;
  for (std::size_t at = 0; at < assembly.size();) {
    std::string_view line = line_of(assembly, at);
    // Comments: on x86-64 from '#'; a spill is told from its operands, since comments depend on the printer's options.
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    if (line.back() == ':') {
      line.remove_suffix(1);
      if (!line.starts_with('.')) {
        labels.clear();
        frame_pointer = false;
      }
      labels[line] = instructions.size();
      continue;
    }
    if (line.front() == '.') continue;
    const std::size_t blank = line.find_first_of(" \t");
    const std::string_view name = line.substr(0, blank);
    const std::string_view operands = blank == line.npos ? std::string_view() : trimmed(line.substr(blank));
    if (name == "movq" && operands == "%rsp, %rbp") frame_pointer = true;
    Instruction instruction;
    const auto on_stack = [&](std::string_view text) {
      return text.find("(%rsp") != text.npos || (frame_pointer && text.find("(%rbp") != text.npos);
    };
    if (on_stack(operands)) {
      const bool last = on_stack(operands.substr(operands.rfind(", ") == operands.npos ? 0 : operands.rfind(", ")));
      // A comparison and a jump read all of their operands.
      instruction.stack = last && name.find("mov") != name.npos ? Stack::store : Stack::load;
    }
    instructions.push_back(instruction);
    if (name.front() != 'j') continue;
    const auto target = labels.find(operands);
    if (target == labels.end()) continue;
    for (std::size_t i = target->second; i < instructions.size(); ++i) instructions[i].in_loop = true;
  }
  LoopCode code;
  for (const Instruction& instruction : instructions) {
    if (!instruction.in_loop) continue;
    ++code.instructions;
    code.spills += instruction.stack == Stack::store ? 1 : 0;
    code.reloads += instruction.stack == Stack::load ? 1 : 0;
  }
  return code;
}

Explanation explain(const Function& function) {
  const Function::Impl& f = function.impl();
  Explanation result;
  result.isa = f.engine->table->isa;
  result.dtype = f.options.dtype;
  result.lanes = f.engine->table->vector_bytes / static_cast<int>(size_of(result.dtype));
  result.eager = f.options.mode == Mode::eager;
  result.tile = f.program.tile();
  result.traced_nodes = f.traced.size();
  result.nodes = f.graph.size();
  run_passes(f, result);
  result.counts = count_nodes(f.graph);
  name_kernels(f, result);
  count_live(f.program.plan(), result);
  result.prologue_bytes = f.program.prologue_bytes();
  result.scratch_bytes = exec::Program(f.program.plan(), *f.engine->table, {.tile = f.program.tile()})
                             .scratch_bytes(f.program.tile(), false);
  return result;
}

CompiledReport explain_compiled(const Function& function, const CompilerOptions& options) {
  const Function::Impl& f = function.impl();
  CompileOptions how = compile_options(options, f.engine->threads);
  how.keep_text = true;
  const std::unique_ptr<CompiledKernel> kernel = load_compiler().compile(f.program.plan(), how);
  CompiledReport report{kernel->statistics(), kernel->ir(), kernel->assembly(), {}, 0, {}};
  report.loop = count_loop(report.assembly);
  // A program of its own: the function's goes on as its mode has it.
  exec::Program program(f.program.plan(), *f.engine->table, {.tile = f.program.tile()});
  program.use(kernel.get());
  report.scratch_bytes = program.scratch_bytes(program.tile(), false);
  KernelCache cache;
  const std::vector<std::byte> key = kernel_key("plan", key_bytes(f.program.plan(), how));
  if (find_kernel(cache, key) != nullptr)
    report.cache = "in " + cache.path_of(key).string();
  else if (!cache.off().empty())
    report.cache = "off: " + cache.off();
  else
    report.cache = cache.notes().empty() ? "not kept yet" : cache.notes().back();
  return report;
}

std::string plan_text(const Function& function, const Explanation& explanation) {
  const plan::Plan& plan = function.impl().program.plan();
  const std::string plain = plan::print_plan(plan);
  std::string text;
  std::size_t step = 0;
  bool in_loop = false;
  for (std::size_t at = 0; at < plain.size();) {
    const std::string_view line = line_of(plain, at);
    if (in_loop && line.starts_with("  ") && step < explanation.live.size()) {
      text += fmt::format("{}  ; live {}\n", line, explanation.live[step++]);
    } else {
      text += fmt::format("{}\n", line);
    }
    if (line == "loop") in_loop = true;
  }
  return text;
}

const Graph& graph_of(const Function& function) { return function.impl().graph; }
const plan::Plan& plan_of(const Function& function) { return function.impl().program.plan(); }

std::optional<CompileStatistics> compile_statistics(const Function& function) {
  const Function::Impl& f = function.impl();
  // The kernel is there before the program says that it runs it.
  if (!f.program.is_compiled()) return std::nullopt;
  return f.tiering.kernel()->statistics();
}

std::string why_no_code(const Function& function) {
  const Function::Impl& f = function.impl();
  if (f.options.mode != Mode::automatic || f.program.is_compiled()) return "";
  if (std::string failure = f.tiering.failure(); !failure.empty()) return failure;
  return compiler_is_missing();
}

}  // namespace frit::runtime
