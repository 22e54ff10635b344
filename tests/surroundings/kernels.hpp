// Every kernel there is: each op in each form with each set of scalar operands, and each fused pattern, for each ISA tile by
// tile and as one tile, and as machine code; called through FritCall over memory that the test chooses.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>

#include "support/compiled.hpp"
#include "support/compiled_graphs.hpp"
#include "surroundings/watched.hpp"

namespace frit::test {

inline constexpr std::int64_t small_tile = 64;

// A graph of many ops, with inputs for `n` events that are rare for no op, and what they give in ordinary surroundings.
struct KernelGraph {
  std::string name;
  plan::Plan plan;
  std::vector<Bytes> columns;
  std::vector<std::complex<double>> parameters;
  std::int64_t n;
  std::vector<Bytes> want;

  template <class T> static KernelGraph of(const Graph& graph, std::string name, std::int64_t n) {
    KernelGraph result{std::move(name), plan::make_plan(graph), {}, {}, n, {}};
    Inputs<T> inputs(7);
    const auto ordinary = [&] { return T(0.25) + T(0.7) * static_cast<T>(inputs.random()() % 4096) / T(4096); };
    const auto of = [&](const GraphArgument& argument) {
      return argument.name == "beyond_1" ? T(1) / ordinary() : ordinary();
    };
    for (const GraphArgument& argument : graph.arguments()) {
      const bool complex = is_complex(argument.dtype);
      if (argument.role == Role::parameter) {
        const T re = of(argument);
        result.parameters.emplace_back(re, complex ? ordinary() : T(0));
      } else {
        std::vector<T> values(static_cast<std::size_t>(complex ? 2 * n : n));
        for (T& x : values) x = of(argument);
        result.columns.push_back(bytes_of<T>(values));
      }
    }
    result.want = run(exec::Program(result.plan, exec::active_table()), result.columns, result.parameters, n);
    return result;
  }
};

// One way to run one graph.
class Runner {
 public:
  Runner(const KernelGraph& graph, const exec::KernelTable& table, bool whole_range)
      : graph_(graph), whole_range_(whole_range),
        program_(std::make_unique<exec::Program>(graph.plan, table, exec::ProgramOptions{.tile = small_tile})),
        name_(graph.name + ", " + table.isa + (whole_range ? ", one tile" : ", tiles")) {}
  // Machine code, one function an op; tiles that are rare run the best ISA's kernels.
  explicit Runner(const KernelGraph& graph) : Runner(graph, exec::active_table(), false) {
    code_ = compile(graph.plan, {.effort = 0, .largest_function = 1});
    std::size_t parts = 0;
    for (const plan::Output& output : graph.plan.outputs) parts += is_complex(output.dtype) ? 2 : 1;
    watched_ = std::make_unique<Watched>(*code_, parts, size_of(graph.plan.dtype));
    program_->use(watched_.get());
    name_ = graph.name + ", compiled";
  }
  const KernelGraph& graph() const { return graph_; }
  const exec::Program& program() const { return *program_; }
  bool whole_range() const { return whole_range_; }
  Watched* watched() const { return watched_.get(); }  // nullptr where there is no machine code
  const std::string& name() const { return name_; }

 private:
  const KernelGraph& graph_;
  bool whole_range_;
  std::unique_ptr<exec::Program> program_;
  std::unique_ptr<CompiledKernel> code_;
  std::unique_ptr<Watched> watched_;
  std::string name_;
};

// The graphs, made once.
inline const std::vector<KernelGraph>& kernel_graphs() {
  static const std::vector<KernelGraph> graphs = [] {
    constexpr std::int64_t events = 5 * small_tile + 3;
    std::vector<KernelGraph> result;
    const auto add = [&]<class T>(T, const std::string& dtype) {
      for (unsigned scalars = 0; scalars < 7; ++scalars)
        result.push_back(KernelGraph::of<T>(every_op(dtype_of<T>, scalars),
                                            "every op, " + dtype + ", scalars " + std::to_string(scalars), events));
      result.push_back(KernelGraph::of<T>(every_pattern(dtype_of<T>), "every pattern, " + dtype, events));
    };
    add(double(), "f64");
    add(float(), "f32");
    return result;
  }();
  return graphs;
}

// Every graph in every way, made once. A build without the compiler has no machine code to run.
inline const std::vector<std::unique_ptr<Runner>>& runners() {
  static const std::vector<std::unique_ptr<Runner>> all = [] {
    std::vector<std::unique_ptr<Runner>> result;
    for (const KernelGraph& graph : kernel_graphs()) {
      for (const exec::KernelTable* table : exec::usable_tables()) {
        for (bool whole_range : {false, true}) result.push_back(std::make_unique<Runner>(graph, *table, whole_range));
      }
      if (runtime::compiler_is_missing().empty()) result.push_back(std::make_unique<Runner>(graph));
    }
    return result;
  }();
  return all;
}

template <class Check> void for_each_runner(const Check& check) {
#ifdef FRIT_COMPILER_BUILT
  ASSERT_EQ(runtime::compiler_is_missing(), "");
#endif
  for (const auto& runner : runners()) {
    if (runner->watched() != nullptr) runner->watched()->activate();
    check(*runner);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Memory of a size; 64-byte aligned where the ABI asks for that.
using Memory = std::function<std::byte*(std::size_t size, bool aligned)>;

// One call over the events [begin, begin + n): those are the first n of the graph's inputs.
class KernelCall {
 public:
  KernelCall(const Runner& runner, std::int64_t begin, std::int64_t n, const Memory& memory)
      : KernelCall(runner, runner.graph().columns, begin, n, memory) {}
  KernelCall(const Runner& runner, std::span<const Bytes> columns, std::int64_t begin, std::int64_t n,
             const Memory& memory)
      : runner_(runner), n_(n) {
    const KernelGraph& graph = runner.graph();
    const exec::Program& program = runner.program();
    const auto place = [&](const auto& items) {
      using Item = typename std::decay_t<decltype(items)>::value_type;
      std::byte* const at = memory(items.size() * sizeof(Item), true);
      std::copy(items.begin(), items.end(), reinterpret_cast<Item*>(at));
      return reinterpret_cast<const Item*>(at);
    };
    // Where the first event of all would be, so that the first event of the range is at `data`.
    const auto base = [&](std::byte* data, std::size_t element) {
      return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(data) -
                                          static_cast<std::uintptr_t>(begin) * element);
    };
    std::vector<FritOperand> operands;
    for (const GraphArgument& argument : graph.plan.arguments) {
      if (argument.role != Role::column) continue;
      const std::size_t element = size_of(argument.dtype), bytes = static_cast<std::size_t>(n) * element;
      std::byte* const data = memory(bytes, false);
      if (n > 0) std::memcpy(data, columns[operands.size()].data(), bytes);
      operands.push_back(
          {base(data, element), static_cast<std::int64_t>(element), static_cast<std::int32_t>(argument.dtype), 0});
    }
    std::vector<FritResult> results;
    for (const plan::Output& output : graph.plan.outputs) {
      const std::size_t element = size_of(output.dtype);
      outputs_.push_back(memory(static_cast<std::size_t>(n) * element, false));
      results.push_back({base(outputs_.back(), element), static_cast<std::int32_t>(output.dtype), 0});
    }
    std::vector<double> scalars;
    for (const std::complex<double>& p : graph.parameters) scalars.insert(scalars.end(), {p.real(), p.imag()});
    call.size = sizeof call;
    call.abi_version = FRIT_ABI_VERSION;
    call.operand_count = static_cast<std::uint32_t>(operands.size());
    call.operands = place(operands);
    call.result_count = static_cast<std::uint32_t>(results.size());
    call.results = place(results);
    call.scalar_count = static_cast<std::uint32_t>(graph.parameters.size());
    call.scalars = place(scalars);
    call.prologue = memory(static_cast<std::size_t>(program.prologue_bytes()), true);
    call.scratch_bytes = program.scratch_bytes(n, runner.whole_range());
    call.scratch = memory(static_cast<std::size_t>(call.scratch_bytes), true);
    call.begin = begin;
    call.end = begin + n;
    call.program = &program;
  }

  std::int32_t run() const {
    const std::int32_t status = exec::Program::run_prologue(&call);
    if (status != FRIT_OK) return status;
    return runner_.whole_range() ? exec::Program::run_whole_range(&call) : exec::Program::run_loop(&call);
  }
  std::span<const std::byte> output(std::size_t i) const {
    return {outputs_[i], static_cast<std::size_t>(n_) * size_of(runner_.graph().plan.outputs[i].dtype)};
  }
  // The first output that is not as in ordinary surroundings; "" where there is none.
  std::string difference() const { return difference(runner_.graph().want); }
  std::string difference(std::span<const Bytes> want) const {
    const auto& outputs = runner_.graph().plan.outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::string text = first_difference(output(i), part_of(want[i], outputs[i].dtype, 0, n_), outputs[i].dtype);
      if (!text.empty())
        return runner_.name() + ", " + outputs[i].name + ", " + std::to_string(n_) + " events: " + text;
    }
    return "";
  }

  FritCall call{};

 private:
  const Runner& runner_;
  std::int64_t n_;
  std::vector<std::byte*> outputs_;
};

// Memory from the heap that lives as long as this, each block moved off its alignment by what `shift` says, if anything.
class HeapMemory {
 public:
  Memory take(std::function<std::size_t(std::size_t block)> shift = {}) {
    return [this, shift](std::size_t size, bool aligned) {
      const std::size_t off = shift && !aligned ? shift(blocks_.size()) : 0;
      blocks_.push_back(std::make_unique<Fenced>(size, off));
      return blocks_.back()->data();
    };
  }
  bool intact() const {
    return std::all_of(blocks_.begin(), blocks_.end(), [](const auto& block) { return block->intact(); });
  }

 private:
  std::vector<std::unique_ptr<Fenced>> blocks_;
};

}  // namespace frit::test
