#include "frit/stages.hpp"

#include <fmt/format.h>

#include "arrays/cost.hpp"
#include "arrays/specialisation.hpp"
#include "arrays/trace.hpp"

namespace frit {

// A trace at one stage: `trace.lowered` is what the stage would run.
struct arrays::StageImpl {
  std::shared_ptr<TracedFunction::Impl> function;
  arrays::Specialisation trace;
  CompilerOptions compiler = {};
};
using arrays::StageImpl;

namespace {

// The arguments of a call, which must fit the trace. Errors: trace_arguments.
void fit(const StageImpl& stage, std::span<const Operand> operands, arrays::Arguments& arguments,
         arrays::SymbolValues& symbols) {
  const TracedFunction::Impl& f = *stage.function;
  f.check_call(operands);
  f.gather(operands, arguments);
  if (stage.trace.fits(arguments.kinds(), arguments.data(), symbols)) return;
  throw Error(ErrorCode::trace_arguments,
              "the arguments do not fit the stage: " +
                  f.mismatch(stage.trace, arguments.kinds(), arguments.types(), arguments.data()));
}

std::shared_ptr<const StageImpl> next_stage(const StageImpl& from, arrays::Lowered lowered,
                                            const CompilerOptions& compiler) {
  return std::make_shared<const StageImpl>(
      StageImpl{from.function, {from.trace.kinds, from.trace.program, std::move(lowered)}, compiler});
}

// Calls fn(tiering, what it is) for all that is compiled. Loops that stand behind a routine, to name its errors, are not.
template <class Fn> void for_each_code(const arrays::Lowered& lowered, const Fn& fn) {
  lowered.for_each_loop([&](Function::Impl& loop) {
    if (loop.tiering.kernel() != nullptr)
      fn(loop.tiering,
         fmt::format("loop {} of {} steps", name_of(loop.options.dtype), loop.program.plan().loop.size()));
  });
  lowered.for_each_routine([&](arrays::RoutineCode& code) {
    if (code.is_ready()) fn(code.tiering(), fmt::format("routine of {} values", code.made().routine.values.size()));
  });
}

// NOTE: the texts are made again by a compilation that keeps them, since a program that runs code has no use for them.
std::string texts_of(const StageImpl& stage, const std::string& (CompiledKernel::*text)() const) {
  std::string out;
  for_each_code(stage.trace.lowered, [&](const Tiering& tiering, const std::string&) {
    out += (*tiering.compile_with_text(stage.compiler, stage.function->engine->threads).*text)();
  });
  return out;
}

}  // namespace

Cost arrays::AnyStage::cost(std::span<const Operand> operands) const {
  Arguments arguments(operands.size());
  SymbolValues symbols;
  fit(*impl_, operands, arguments, symbols);
  return cost_of(impl_->trace.lowered, arguments.data(), symbols);
}

TracedStage TracedFunction::trace(std::span<const Operand> operands) const {
  impl_->check_call(operands);
  for (const Operand& operand : operands)
    if (operand.extent.is_symbolic() || (operand.kind == Operand::Kind::array && operand.array.is_traced()))
      throw Error(ErrorCode::trace_arguments,
                  fmt::format("the stages of {} are made outside of other functions that are being traced",
                              impl_->options.name));
  arrays::Arguments arguments(operands.size());
  impl_->gather(operands, arguments);
  const auto program = impl_->record(arguments.types());
  const auto kinds = arguments.kinds();
  return TracedStage(std::make_shared<const StageImpl>(
      StageImpl{impl_, {{kinds.begin(), kinds.end()}, program, arrays::as_written(program)}}));
}

std::string TracedStage::text() const { return impl_->trace.program->text(); }

LoweredStage TracedStage::lower() const {
  const arrays::Specialisation& trace = impl_->trace;
  return LoweredStage(
      next_stage(*impl_, arrays::lower(trace.program, impl_->function->engine, {.mode = Mode::graph}), {}));
}

std::string LoweredStage::text() const { return impl_->trace.lowered.text(); }

CompiledStage LoweredStage::compile(const CompilerOptions& options) const {
  return CompiledStage(next_stage(
      *impl_,
      arrays::lower(impl_->trace.program, impl_->function->engine, {.mode = Mode::compiled, .compiler = options}),
      options));
}

std::vector<Array> CompiledStage::call(std::span<const Operand> operands) const {
  arrays::Arguments arguments(operands.size());
  arrays::SymbolValues symbols;
  fit(*impl_, operands, arguments, symbols);
  return impl_->function->run(impl_->trace, arguments.data(), symbols);
}

std::string CompiledStage::text() const {
  std::string out;
  for_each_code(impl_->trace.lowered, [&](const Tiering& tiering, const std::string& what) {
    const CompileStatistics& code = tiering.kernel()->statistics();
    out += fmt::format("{}: {}, {} x {} lanes, {} instructions of IR, {} bytes of code\n", what, code.target,
                       code.vectors, code.width, code.operations, code.code_bytes);
  });
  return out;
}

std::int64_t CompiledStage::code_bytes() const {
  std::int64_t bytes = 0;
  for_each_code(impl_->trace.lowered, [&](const Tiering& tiering, const std::string&) {
    bytes += tiering.kernel()->statistics().code_bytes;
  });
  return bytes;
}

std::string CompiledStage::assembly() const { return texts_of(*impl_, &CompiledKernel::assembly); }
std::string CompiledStage::ir() const { return texts_of(*impl_, &CompiledKernel::ir); }

}  // namespace frit
