// Machine code of a plan, called function by function as the executor calls it, with what each function said of rare paths.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/compiler.hpp"
#include "runtime/compiler_module.hpp"
#include "support/programs.hpp"

// Builds that have the compiler module fail where it is not found; others skip.
#ifdef FRIT_COMPILER_BUILT
#define FRIT_NEEDS_COMPILER() ASSERT_EQ(runtime::compiler_is_missing(), "")
#else
#define FRIT_NEEDS_COMPILER() \
  if (!runtime::compiler_is_missing().empty()) GTEST_SKIP() << "built without the compiler"
#endif

namespace frit::test {

// FRIT_NIGHTLY=1 asks for the long settings.
inline bool nightly() {
  const char* const value = std::getenv("FRIT_NIGHTLY");
  return value != nullptr && *value != '\0' && *value != '0';
}

// CompileOptions that may be written with some members only.
struct How {
  int effort = 1;
  int width = 0;
  std::string target = {};
  bool full_form = false;
  int largest_function = 0;
  int threads = 1;
  bool keep_text = false;
  int vectors = 0;
  CompileOptions::Roots roots = CompileOptions::Roots::by_balance;
  CompileOptions::Functions functions = CompileOptions::Functions::by_policy;
  operator CompileOptions() const {
    return {.effort = effort,
            .width = width,
            .target = target,
            .full_form = full_form,
            .largest_function = largest_function,
            .vectors = vectors,
            .roots = roots,
            .functions = functions,
            .threads = threads,
            .keep_text = keep_text};
  }
  std::string name() const {
    return "effort " + std::to_string(effort) + ", width " + std::to_string(width) +
           (target.empty() ? "" : ", " + target) + (full_form ? ", full form" : "") +
           (largest_function > 0 ? ", functions of " + std::to_string(largest_function) : "") +
           (vectors > 0 ? ", vectors " + std::to_string(vectors) : "") +
           (roots == CompileOptions::Roots::by_balance ? ""
            : roots == CompileOptions::Roots::divider  ? ", roots by the divider"
                                                       : ", roots by estimate") +
           (functions == CompileOptions::Functions::called ? ", functions called" : "");
  }
};

inline std::unique_ptr<CompiledKernel> compile(const plan::Plan& plan, const How& how = {}) {
  return runtime::load_compiler().compile(plan, how);
}

// The targets that this CPU runs; "" is the CPU itself.
inline std::vector<std::string> usable_targets() {
  std::vector<std::string> targets{""};
  for (const exec::KernelTable* table : exec::usable_tables()) {
    if (std::string(table->isa) == "v3" || std::string(table->isa) == "v4")
      targets.push_back(std::string("x86-64-") + table->isa);
  }
  return targets;
}

struct CodeRun {
  std::vector<Bytes> outputs;           // as run() returns them
  std::vector<std::vector<char>> rare;  // for each function and event, whether it asked for the rare path
};

// Runs the code over tiles of `step` events, a multiple of its width; n is a multiple of `step`. Unlike the executor it keeps
// what a tile with a rare event gives.
template <class T>
CodeRun run_code(const exec::Program& program, const CompiledKernel& kernel, std::span<const Bytes> columns,
                 std::span<const std::complex<double>> parameters, std::int64_t n, std::int64_t step) {
  const plan::Plan& plan = program.plan();
  std::vector<double> scalars;
  for (const std::complex<double>& p : parameters) {
    scalars.push_back(p.real());
    scalars.push_back(p.imag());
  }
  const Aligned prologue(program.prologue_bytes());
  FritCall call{};
  call.size = sizeof call;
  call.abi_version = FRIT_ABI_VERSION;
  call.scalars = scalars.data();
  call.scalar_count = static_cast<std::uint32_t>(parameters.size());
  call.prologue = prologue.data();
  call.program = &program;
  if (exec::Program::run_prologue(&call) != FRIT_OK) throw std::runtime_error("the prologue failed");

  const auto events = static_cast<std::size_t>(n);
  std::vector<std::size_t> column_of(plan.arguments.size());
  std::size_t next_column = 0;
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    if (plan.arguments[i].role == Role::column) column_of[i] = next_column++;
  }
  std::vector<std::vector<T>> inputs;
  for (const plan::ColumnPart& column : plan.columns) {
    const std::size_t parts = is_complex(plan.arguments[column.argument].dtype) ? 2 : 1;
    std::vector<T>& input = inputs.emplace_back(events);
    for (std::size_t i = 0; i < events; ++i)
      input[i] = read_as<T>(&columns[column_of[column.argument]][(i * parts + (column.imaginary ? 1 : 0)) * sizeof(T)]);
  }
  std::vector<Fenced> results;
  for (const plan::Output& output : plan.outputs) {
    for (int k = 0; k < (is_complex(output.dtype) ? 2 : 1); ++k) results.emplace_back(events * sizeof(T), 0);
  }
  const std::int64_t row = (step * static_cast<std::int64_t>(sizeof(T)) + 63) / 64 * 64;
  Fenced arena(static_cast<std::size_t>(row * kernel.arena_rows()), 0);
  std::memset(arena.data(), 0x7f, arena.view().size());

  CodeRun run;
  run.rare.assign(kernel.functions().size(), std::vector<char>(events));
  std::vector<const void*> column_at(inputs.size());
  std::vector<void*> output_at(results.size());
  for (std::int64_t begin = 0; begin < n; begin += step) {
    for (std::size_t i = 0; i < inputs.size(); ++i) column_at[i] = inputs[i].data() + begin;
    for (std::size_t i = 0; i < results.size(); ++i)
      output_at[i] = results[i].data() + begin * static_cast<std::int64_t>(sizeof(T));
    const TileCall tile{column_at.data(), output_at.data(), prologue.data(), arena.data(), row, step, nullptr, 0};
    for (std::size_t f = 0; f < kernel.functions().size(); ++f) {
      const std::int32_t rare = kernel.functions()[f](&tile);
      if (rare != 0 && rare != 1) throw std::runtime_error("compiled code returned " + std::to_string(rare));
      std::fill_n(run.rare[f].begin() + begin, step, static_cast<char>(rare));
    }
  }
  if (!arena.intact()) throw std::runtime_error("compiled code wrote beside its arena");
  std::size_t part = 0;
  for (const plan::Output& output : plan.outputs) {
    Bytes& image = run.outputs.emplace_back();
    const std::size_t parts = is_complex(output.dtype) ? 2 : 1;
    for (std::size_t k = 0; k < parts; ++k) {
      if (!results[part + k].intact()) throw std::runtime_error("compiled code wrote beside an output");
    }
    for (std::size_t i = 0; i < events; ++i) {
      for (std::size_t k = 0; k < parts; ++k) {
        const std::byte* const at = results[part + k].data() + i * sizeof(T);
        if (output.dtype == DType::boolean) {
          const auto lane = read_as<Unsigned<T>>(at);
          if (lane != 0 && lane != static_cast<Unsigned<T>>(-1)) throw std::runtime_error("a boolean of mixed bits");
          image.push_back(static_cast<std::byte>(lane != 0));
        } else {
          image.insert(image.end(), at, at + sizeof(T));
        }
      }
    }
    part += parts;
  }
  return run;
}

// For each output the functions that its value depends on, of code with one function a step or one for all.
inline std::vector<std::vector<std::size_t>> functions_of_outputs(const plan::Plan& plan, std::size_t functions) {
  if (functions != 1 && functions != plan.loop.size()) throw std::runtime_error("not one function a step");
  std::vector<std::vector<std::size_t>> of_buffer(plan.buffers);
  for (std::size_t s = 0; s < plan.loop.size(); ++s) {
    const plan::Step& step = plan.loop[s];
    std::vector<std::size_t> needs{functions == 1 ? 0 : s};
    for (int i = 0; i < step.operands; ++i) {
      if (step.parts[i].kind != plan::Part::Kind::buffer) continue;
      const auto& more = of_buffer[step.parts[i].index];
      needs.insert(needs.end(), more.begin(), more.end());
    }
    for (int i = step.operands; i < step.operands + step.results; ++i) of_buffer[step.parts[i].index] = needs;
  }
  std::vector<std::vector<std::size_t>> result;
  for (const plan::Output& output : plan.outputs) {
    std::vector<std::size_t>& needs = result.emplace_back();
    for (int k = 0; k < (is_complex(output.dtype) ? 2 : 1); ++k) {
      if (output.parts[k].kind != plan::Part::Kind::buffer) continue;
      const auto& more = of_buffer[output.parts[k].index];
      needs.insert(needs.end(), more.begin(), more.end());
    }
  }
  return result;
}

}  // namespace frit::test
