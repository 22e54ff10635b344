// IR to machine code in this process.
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Pass.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <span>

#include "code/kernel.hpp"
#include "code/object.hpp"
#include "core/compiler.hpp"
#include "core/cpu_level.hpp"
#include "core/fp_state.hpp"
#include "exec/reduce.hpp"
#include "frit/error.hpp"
#include "llvm/divider.hpp"
#include "llvm/emit_plan.hpp"
#include "llvm/emit_routine.hpp"
#include "llvm/failure.hpp"
#include "llvm/threads.hpp"

namespace frit::codegen {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// NOTE: a plan of ordinary size is one function: cutting lc2pkpi (3,600 operations) in two makes it slower by a tenth or more.
// Beyond that, register allocation takes more than linear time, and pieces of 1,500 operations compile in half the time of
// pieces of 6,000 and run a fifth faster (measured at 16,000 nodes).
constexpr int largest_single_function = 6000;
constexpr int largest_piece = 1500;

// NOTE: two vectors side by side double the instructions that are ready, where one body alone is a few long chains; code takes
// twice as long to generate. Loops of the size of jpsi-6f0 and kmatrix-complex (900 and 2,000 operations) run a fifth and an
// eighth faster, lc2pkpi (3,300) gains nothing and runs out of registers. Nor does a loop gain that waits for the divider, if
// its vectors do not share their roots.
constexpr std::int64_t largest_of_two_vectors = 2000;
// Where so few values live at a time, a loop of any size is one chain: a hundred sines of sines run in 0.65 of the time.
constexpr std::uint32_t few_live_values = 8;
// Such a loop that is large does not fit into the first-level cache of instructions, and its functions are called. Nothing is
// spilled around the calls, and four vectors side by side keep the units busy: 0.75 of the time of two in line.
constexpr unsigned vectors_of_a_long_chain = 4;
// A small loop that sums adds to all lanes of a block in each iteration, so that no sums change places.
constexpr std::int64_t largest_of_whole_lanes = 200;

// NOTE: at effort 0 the calls of a large loop cost less than the reloads that its register allocation puts around everything:
// lc2pkpi compiles in 0.8 of the time and runs in 0.9. At effort 1 it would compile in 0.65 and run in 1.08.
constexpr int least_of_called_functions = 1000;

struct Target {
  std::string triple, cpu, features;
  int vector_bytes = 0;
  bool estimates = false;  // the CPU's estimates can be used
};

bool runs_here([[maybe_unused]] const std::string& name) {
#if defined(__x86_64__)
  return cpu_has_level(name == "x86-64-v4" ? 4 : 3);
#else
  return false;
#endif
}

Target target_of(const std::string& name) {
  Target target{llvm::sys::getProcessTriple(), "", "", 16};
  if (name.empty()) {
    target.cpu = llvm::sys::getHostCPUName().str();
    const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    for (const auto& feature : features) {
      if (!target.features.empty()) target.features += ',';
      target.features += (feature.second ? "+" : "-") + feature.first().str();
    }
    const auto has = [&](const char* f) { return features.lookup(f); };
#if defined(__x86_64__)
    // LLVM would call fma of the C library, an element at a time.
    if (!has("fma"))
      throw Error(
          ErrorCode::cpu_unsupported,
          "machine code needs fused multiply-add, which this CPU lacks; use mode graph, which gives the same bits");
#endif
    target.vector_bytes = has("avx512f") && has("avx512dq") && has("avx512vl") && has("avx512bw") ? 64
                          : has("avx2")                                                           ? 32
                                                                                                  : 16;
    target.estimates = target.vector_bytes == 64 && root_estimates_suffice();
    return target;
  }
  if (name != "x86-64-v3" && name != "x86-64-v4")
    throw Error(ErrorCode::usage, fmt::format("no target '{}'; there are x86-64-v3 and x86-64-v4", name));
  if (!runs_here(name)) throw Error(ErrorCode::usage, fmt::format("this CPU does not run code for target '{}'", name));
  target.cpu = name;
  target.vector_bytes = name == "x86-64-v4" ? 64 : 32;
  target.estimates = target.vector_bytes == 64 && root_estimates_suffice();
  return target;
}

class LlvmCompiler final : public Compiler {
 public:
  LlvmCompiler() {
    failure::install();
    failure::in_llvm([] {
      llvm::InitializeNativeTarget();
      llvm::InitializeNativeTargetAsmPrinter();
    });
  }
  std::string version() const override { return LLVM_VERSION_STRING; }
  std::string library() const override {
    Dl_info info{};
    const auto in_llvm = reinterpret_cast<void*>(&llvm::sys::getHostCPUName);
    return dladdr(in_llvm, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
  }
  std::unique_ptr<CompiledKernel> compile(const plan::Plan& plan, const CompileOptions& options) override;
  std::unique_ptr<CompiledKernel> compile(const plan::Routine& routine, const CompileOptions& options) override;
};

std::unique_ptr<llvm::TargetMachine> make_machine(const Target& target, int effort) {
  std::string message;
  const llvm::Target* const found = llvm::TargetRegistry::lookupTarget(target.triple, message);
  if (found == nullptr)
    throw Error(ErrorCode::usage, fmt::format("LLVM has no target for {}: {}", target.triple, message));
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  const llvm::CodeGenOptLevel level = effort == 0   ? llvm::CodeGenOptLevel::None
                                      : effort == 1 ? llvm::CodeGenOptLevel::Less
                                                    : llvm::CodeGenOptLevel::Aggressive;
  return std::unique_ptr<llvm::TargetMachine>(found->createTargetMachine(
      target.triple, target.cpu, target.features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small, level, true));
}

// One function compiled on its own: modules share no LLVM context, so several compile at the same time.
struct CompiledSegment {
  llvm::SmallVector<char, 0> object;
  CompileStatistics statistics;
  std::string ir, assembly;
};

void emit_file(llvm::Module& module, llvm::TargetMachine& machine, llvm::raw_pwrite_stream& stream,
               llvm::CodeGenFileType type) {
  const failure::Kept<llvm::legacy::PassManager> passes;
  if (machine.addPassesToEmitFile(*passes, stream, nullptr, type))
    throw Error(ErrorCode::internal, "this target emits no objects");
  passes->run(module);
}

void combine(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager call_graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(call_graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, call_graph, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::InstCombinePass());
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) passes.run(function, functions);
  }
}

// One module: `emit` fills it and says what of the statistics it knows.
template <class Emit>
CompiledSegment compile_module(const Target& target, const CompileOptions& options, const Emit& emit) {
  CompiledSegment result;
  CompileStatistics& statistics = result.statistics;
  auto start = std::chrono::steady_clock::now();
  const failure::Kept<llvm::TargetMachine> machine(make_machine(target, options.effort));
  const failure::Kept<llvm::LLVMContext> context;
  const failure::Kept<llvm::Module> kept_module(std::make_unique<llvm::Module>("frit", *context));
  llvm::Module& module = *kept_module;
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(target.triple);
  emit(module, statistics);
#ifndef NDEBUG
  if (llvm::verifyModule(module, &llvm::errs())) throw Error(ErrorCode::internal, "the emitted IR is not valid");
#endif
  statistics.emit_s = seconds_since(start);
  start = std::chrono::steady_clock::now();
  if (options.effort >= 1) {
    const failure::Kept<llvm::legacy::FunctionPassManager> passes(
        std::make_unique<llvm::legacy::FunctionPassManager>(&module));
    passes->add(llvm::createEarlyCSEPass());
    for (llvm::Function& function : module) {
      if (!function.isDeclaration()) passes->run(function);
    }
  }
  // Folds signs into the instructions that use them: half again as long, a few per cent faster where it is faster at all.
  if (options.effort >= 2) combine(module, *machine);
  statistics.optimise_s = seconds_since(start);
  if (options.keep_text) {
    llvm::raw_string_ostream text(result.ir);
    module.print(text, nullptr);
    // A module is changed by being compiled, so the assembly is made of a copy.
    const failure::Kept<llvm::Module> copy(llvm::CloneModule(module));
    llvm::SmallString<0> assembly;
    llvm::raw_svector_ostream stream(assembly);
    emit_file(*copy, *machine, stream, llvm::CodeGenFileType::AssemblyFile);
    result.assembly = assembly.str().str();
  }
  start = std::chrono::steady_clock::now();
  llvm::raw_svector_ostream stream(result.object);
  emit_file(module, *machine, stream, llvm::CodeGenFileType::ObjectFile);
  statistics.codegen_s = seconds_since(start);
  return result;
}

CompiledSegment compile_segment(const plan::Plan& plan, const Layout& layout, std::size_t segment, const Target& target,
                                SegmentOptions how, const CompileOptions& options) {
  return compile_module(target, options, [&](llvm::Module& module, CompileStatistics& statistics) {
    EmittedSegment emitted = emit_segment(module, plan, layout, segment, how);
    if (options.vectors == 0 && options.effort > 0 && layout.segments.size() == 1 &&
        (emitted.operations <= largest_of_two_vectors || plan.buffers <= few_live_values) &&
        (!emitted.waits_for_divider || emitted.shares_roots)) {
      const bool long_chain = emitted.operations > largest_of_two_vectors;
      how.vectors = long_chain ? vectors_of_a_long_chain : 2;
      const bool sums =
          std::any_of(plan.outputs.begin(), plan.outputs.end(), [](const plan::Output& o) { return o.summed; });
      if (sums && emitted.operations <= largest_of_whole_lanes)
        how.vectors = std::clamp(exec::reduce_lanes / how.width, 2u, 4u);
      if (long_chain && options.functions == CompileOptions::Functions::by_policy) how.call_functions = true;
      emitted = emit_segment(module, plan, layout, segment, how);
    }
    statistics.vectors = static_cast<int>(how.vectors);
    statistics.operations = emitted.operations;
    statistics.estimated_roots = emitted.estimated_roots;
  });
}

// Objects to code in this process.
std::unique_ptr<CompiledKernel> load(const std::vector<CompiledSegment>& segments, std::int64_t arena_rows,
                                     CompileStatistics statistics) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::span<const std::byte>> objects;
  std::vector<std::string> functions;
  std::string ir, assembly;
  for (const CompiledSegment& segment : segments) {
    objects.push_back(std::as_bytes(std::span(segment.object.data(), segment.object.size())));
    functions.push_back(function_name(functions.size()));
    statistics.emit_s += segment.statistics.emit_s;
    statistics.optimise_s += segment.statistics.optimise_s;
    statistics.codegen_s += segment.statistics.codegen_s;
    statistics.operations += segment.statistics.operations;
    statistics.vectors = segment.statistics.vectors;
    statistics.estimated_roots += segment.statistics.estimated_roots;
    statistics.code_bytes += static_cast<std::int64_t>(segment.object.size());
    ir += segment.ir;
    assembly += segment.assembly;
  }
  statistics.functions = static_cast<std::int64_t>(segments.size());
  const code::OwnedImage image = code::link_objects(objects, functions);
  statistics.link_s = seconds_since(start);
  return std::make_unique<code::Kernel>(image.view(), arena_rows, std::move(statistics), std::move(ir),
                                        std::move(assembly));
}

// Makes the segments, several at the same time, and puts them together.
template <class Make>
std::unique_ptr<CompiledKernel> compile_all(std::size_t count, const CompileOptions& options, std::int64_t arena_rows,
                                            CompileStatistics statistics, const Make& make) {
  std::vector<CompiledSegment> segments(count);
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  run_on_threads(std::min(count, static_cast<std::size_t>(std::max(options.threads, 1))), [&] {
    for (std::size_t i = next++; i < count && !failed; i = next++) {
      if (options.give_up != nullptr && options.give_up->load(std::memory_order_relaxed)) {
        failures[i] = std::make_exception_ptr(Error(ErrorCode::cancelled, "the compilation was given up"));
        failed = true;
        return;
      }
      try {
        failure::in_llvm([&] { segments[i] = make(i); });
      } catch (...) {
        failures[i] = std::current_exception();
        failed = true;
      }
    }
  });
  for (const std::exception_ptr& one : failures) {
    if (one) std::rethrow_exception(one);
  }
  try {
    return load(segments, arena_rows, std::move(statistics));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "no memory for compiled code; use mode graph");
  }
}

void check_effort(const CompileOptions& options) {
  if (options.effort < 0 || options.effort > 2)
    throw Error(ErrorCode::usage, fmt::format("the effort is 0, 1 or 2, not {}", options.effort));
}

// NOTE: a loop of one vector of lanes is a chain; several side by side hide its latency.
constexpr unsigned routine_vectors = 4;

// Of the numbers that it computes with: a literal that nothing uses, as one that was wanted in another dtype, is none.
int widest_of(const plan::Routine& routine) {
  std::size_t widest = 4;
  const auto add = [&](const std::vector<plan::RoutineValue>& values) {
    for (const plan::RoutineValue value : values) widest = std::max(widest, size_of(routine.values[value]));
  };
  const auto visit = [&](const auto& self, const plan::RoutineBlock& block) -> void {
    add(block.parameters);
    for (const plan::RoutineStep& step : block.steps) {
      add(step.operands);
      if (step.kind != plan::RoutineStep::Kind::literal) add(step.results);
      for (const plan::RoutineBlock& inner : step.blocks) self(self, inner);
    }
  };
  visit(visit, routine.body);
  return static_cast<int>(widest);
}

std::unique_ptr<CompiledKernel> LlvmCompiler::compile(const plan::Plan& plan, const CompileOptions& options) {
  // The values of literals, and LLVM's own arithmetic on them, do not depend on the caller's rounding.
  const FpState state;
  failure::refuse_after_failure();
  Target target;
  failure::in_llvm([&] { target = target_of(options.target); });
  const int element = static_cast<int>(size_of(plan.dtype));
  const int width = options.width != 0 ? options.width : target.vector_bytes / element;
  if (width < 1 || width > 64 / element || (width & (width - 1)) != 0)
    throw Error(ErrorCode::usage,
                fmt::format("the width is a power of two of at most {} lanes, not {}", 64 / element, width));
  check_effort(options);
  Layout layout = lay_out(plan, options.largest_function > 0 ? options.largest_function : largest_single_function);
  if (options.largest_function <= 0 && layout.segments.size() > 1) layout = lay_out(plan, largest_piece);
  if (options.vectors < 0 || options.vectors > 2)
    throw Error(ErrorCode::usage, fmt::format("an iteration computes 1 or 2 vectors, not {}", options.vectors));
  const SegmentOptions how{
      .width = static_cast<unsigned>(width),
      .vectors = static_cast<unsigned>(std::max(options.vectors, 1)),
      .full_form = options.full_form,
      .call_functions = options.functions == CompileOptions::Functions::by_policy
                            ? options.effort == 0 && layout.operations >= least_of_called_functions
                            : options.functions == CompileOptions::Functions::called,
      .roots = !target.estimates || (options.effort == 0 && options.roots == CompileOptions::Roots::by_balance)
                   ? CompileOptions::Roots::divider
                   : options.roots};
  CompileStatistics statistics;
  statistics.width = width;
  statistics.target = target.cpu;
  return compile_all(layout.segments.size(), options, layout.rows, std::move(statistics),
                     [&](std::size_t i) { return compile_segment(plan, layout, i, target, how, options); });
}

std::unique_ptr<CompiledKernel> LlvmCompiler::compile(const plan::Routine& routine, const CompileOptions& options) {
  const FpState state;
  failure::refuse_after_failure();
  Target target;
  failure::in_llvm([&] { target = target_of(options.target); });
  check_effort(options);
  const int width = !routine.lanes ? 1 : options.width != 0 ? options.width : target.vector_bytes / widest_of(routine);
  if (width < 1 || width > 64 || (width & (width - 1)) != 0)
    throw Error(ErrorCode::usage, fmt::format("the width is a power of two of at most 64 lanes, not {}", width));
  const RoutineOptions how{.width = static_cast<unsigned>(width),
                           .copies = routine.lanes ? routine_vectors : 1,
                           .vector_bytes = static_cast<unsigned>(target.vector_bytes),
                           .full_form = options.full_form};
  CompileStatistics all;
  all.width = width * static_cast<int>(how.copies);
  all.target = target.cpu;
  return compile_all(1, options, 0, std::move(all), [&](std::size_t) {
    return compile_module(target, options, [&](llvm::Module& module, CompileStatistics& statistics) {
      statistics.operations = emit_routine(module, routine, how);
    });
  });
}

}  // namespace
}  // namespace frit::codegen

extern "C" __attribute__((visibility("default"))) frit::Compiler* frit_make_compiler(int interface_version) {
  if (interface_version != frit::compiler_interface_version) return nullptr;
  static frit::codegen::LlvmCompiler compiler;
  return &compiler;
}
