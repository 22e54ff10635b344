// The cache of traces of one function: which trace a call runs, when a new one is made, and why.
#include "frit/traced.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "arrays/control.hpp"
#include "arrays/specialisation.hpp"
#include "arrays/trace.hpp"

namespace frit {

using arrays::Access;
using arrays::ArgumentKind;
using arrays::Arguments;
using arrays::Data;
using arrays::Specialisation;
using arrays::SymbolValues;
using arrays::Type;
using arrays::Value;

namespace {

int difference(const ArgumentKind& a, const ArgumentKind& b) {
  return (a.dtype != b.dtype ? 1 : 0) + (a.rank != b.rank ? 1 : 0) + (a.weak != b.weak ? 2 : 0);
}

std::string text_of(const ArgumentKind& kind) {
  if (!kind.weak) return fmt::format("{} of rank {}", name_of(kind.dtype), kind.rank);
  if (kind.dtype == DType::boolean) return "a C++ bool";
  return is_integer(kind.dtype)   ? "a C++ integer"
         : is_complex(kind.dtype) ? "a C++ complex number"
                                  : "a C++ floating-point number";
}

std::string extents_of(const Type& type) {
  std::string out = "(";
  for (std::size_t i = 0; i < static_cast<std::size_t>(type.rank); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : ", ", type.extents[i].constant());
  return out + ")";
}

std::string place(const TracedOptions& options, std::size_t argument) {
  return fmt::format("argument {} of {}", argument, options.name);
}

}  // namespace

// A C++ number takes the dtype of the signature; an array must have it.
void TracedFunction::Impl::check_signature(std::size_t i, const Type& type) const {
  const ArgumentSpec& wanted = options.signature[i];
  bool fits = type.rank == static_cast<int>(wanted.axes.size()) && (type.weak || type.dtype == wanted.dtype);
  for (std::size_t axis = 0; fits && axis < wanted.axes.size(); ++axis)
    fits = !wanted.axes[axis].is_static || wanted.axes[axis].extent == type.extents[axis].constant();
  if (fits) return;
  std::string spec_text = fmt::format("{}(", name_of(wanted.dtype));
  for (std::size_t axis = 0; axis < wanted.axes.size(); ++axis)
    spec_text += fmt::format("{}{}", axis == 0 ? "" : ", ",
                             wanted.axes[axis].is_static      ? fmt::format("{}", wanted.axes[axis].extent)
                             : wanted.axes[axis].name.empty() ? "any"
                                                              : wanted.axes[axis].name);
  throw Error(ErrorCode::trace_arguments, fmt::format("{} is {}{}; its signature says {})", place(options, i),
                                                      name_of(type.dtype), extents_of(type), spec_text));
}

void TracedFunction::Impl::check_names(std::span<const Type> types) const {
  struct Named {
    std::string_view name;
    std::size_t argument, axis;
  };
  std::vector<Named> named;
  for (std::size_t i = 0; i < options.signature.size(); ++i) {
    for (std::size_t axis = 0; axis < options.signature[i].axes.size(); ++axis) {
      const std::string& name = options.signature[i].axes[axis].name;
      if (name.empty()) continue;
      const auto known = std::find_if(named.begin(), named.end(), [&](const Named& n) { return n.name == name; });
      if (known == named.end()) {
        named.push_back({name, i, axis});
        continue;
      }
      const std::int64_t a = types[known->argument].extents[known->axis].constant(),
                         b = types[i].extents[axis].constant();
      if (a != b)
        throw Error(ErrorCode::trace_arguments,
                    fmt::format("extent '{}' is {} in {}, axis {}, and {} in argument {}, axis {}", name, a,
                                place(options, known->argument), known->axis, b, i, axis));
    }
  }
}

std::string TracedFunction::Impl::reason(std::span<const ArgumentKind> kinds, std::span<const Type> types,
                                         std::span<const Data* const> arguments) const {
  // The trace that fits best, and of those the last one.
  const Specialisation* nearest = nullptr;
  int least = 0;
  for (const auto& trace : traces) {
    int distance = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) distance += difference(trace->kinds[i], kinds[i]);
    if (nearest != nullptr && distance >= least) continue;
    nearest = trace.get();
    least = distance;
  }
  return mismatch(*nearest, kinds, types, arguments);
}

std::string TracedFunction::Impl::mismatch(const Specialisation& trace, std::span<const ArgumentKind> kinds,
                                           std::span<const Type> types, std::span<const Data* const> arguments) const {
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const ArgumentKind& was = trace.kinds[i];
    if (was == kinds[i]) continue;
    std::string advice = "convert it before the call to keep one trace";
    if (was.rank != kinds[i].rank)
      advice = "a function is traced once for each rank; reshape it before the call to keep one trace";
    if (was.weak != kinds[i].weak) advice = "pass always a number or always an array to keep one trace";
    return fmt::format("{} was {} and is {}; {}", place(options, i), text_of(was), text_of(kinds[i]), advice);
  }
  SymbolValues symbols;
  trace.evaluate(arguments, symbols);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Type& type = trace.program->arguments[i];
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(type.rank); ++axis)
      if (!type.extents[axis].is_symbolic() && type.extents[axis].constant() != arguments[i]->extents[axis])
        return fmt::format(
            "the static extent of {}, axis {}, was {} and is {}; name it in the signature if the function does not "
            "need it as a constant",
            place(options, i), axis, type.extents[axis].constant(), arguments[i]->extents[axis]);
  }
  for (const arrays::Condition& condition : trace.program->conditions) {
    if (condition.holds(symbols)) continue;
    std::string shapes;
    for (const Type& type : types) shapes += fmt::format("{}{}", shapes.empty() ? "" : ", ", extents_of(type));
    return fmt::format("{}: the trace before holds where {}, which is not so for arguments of shapes {}; {}",
                       options.name, trace.program->text(condition), shapes,
                       condition.b.is_symbolic() ? "equal names in the signature declare extents that are always equal"
                                                 : "an extent that the signature names is a size and never repeated");
  }
  return options.name + ": no trace fits";
}

void TracedFunction::Impl::count_retrace() {
  retraced_at.push_back(calls);
  while (retraced_at.size() > 5) retraced_at.pop_front();
  if (retraced_at.size() < 5 || calls - retraced_at.front() >= 20) return;
  notes.push_back(fmt::format("{} was traced again 5 times within 20 calls; why_retraced() says why, the last time: {}",
                              options.name, reasons.back()));
  retraced_at.clear();
}

arrays::Lowered TracedFunction::Impl::lower(const std::shared_ptr<const arrays::Program>& program,
                                            std::vector<std::string>& made_notes) const {
  FunctionOptions how;
  how.mode = options.mode;
  how.compiler = options.compiler;
  const auto in_mode = [&] { return arrays::lower(program, engine, how, &made_notes); };
  if (how.mode != Mode::compiled || options.fallback == Fallback::error) return in_mode();
  try {
    return in_mode();
  } catch (const Error& error) {
    if (class_of(error.code()) != ErrorClass::machine) throw;
    how.mode = options.fallback == Fallback::graph ? Mode::graph : Mode::eager;
    made_notes.push_back(
        fmt::format("{} runs in mode {} instead of compiled: {}", options.name, name_of(how.mode), error.message()));
    return in_mode();
  }
}

// The trace of this call, made where there is none. The callable and the compiler run without a lock, so that other calls go
// on; a second thread that needs a trace waits for the first, unless it is tracing itself: two functions that call each other
// would wait for each other.
const Specialisation& TracedFunction::Impl::obtain(std::span<const ArgumentKind> kinds, std::span<const Type> types,
                                                   std::span<const Data* const> arguments, SymbolValues& symbols) {
  std::unique_lock lock(mutex);
  for (;;) {
    if (const Specialisation* trace = find(kinds, arguments, symbols)) return *trace;
    if (in_flight == 0 || arrays::Recording::any()) break;
    trace_ended.wait(lock);
  }
  ++in_flight;
  lock.unlock();
  std::shared_ptr<Specialisation> made;
  std::vector<std::string> made_notes;
  try {
    made = make(kinds, types, made_notes);
  } catch (...) {
    lock.lock();
    --in_flight;
    trace_ended.notify_all();
    throw;
  }
  lock.lock();
  --in_flight;
  trace_ended.notify_all();
  if (const Specialisation* other = find(kinds, arguments, symbols)) return *other;
  for (std::string& note : made_notes)
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
  if (!traces.empty()) {
    reasons.push_back(reason(made->kinds, types, arguments));
    count_retrace();
  }
  made->older = newest.load(std::memory_order_relaxed);
  traces.insert(traces.begin(), made);
  newest.store(made.get(), std::memory_order_release);
  made->evaluate(arguments, symbols);
  return *made;
}

std::shared_ptr<const arrays::Program> TracedFunction::Impl::record(std::span<const Type> types) const {
  std::vector<arrays::Trace::Argument> described;
  for (std::size_t i = 0; i < types.size(); ++i) {
    arrays::Trace::Argument argument{types[i], {}, {}};
    if (!options.signature.empty()) {
      for (std::size_t axis = 0; axis < options.signature[i].axes.size(); ++axis) {
        argument.names[axis] = options.signature[i].axes[axis].name;
        argument.is_static[axis] = options.signature[i].axes[axis].is_static;
      }
    }
    described.push_back(argument);
  }
  return std::make_shared<const arrays::Program>(
      arrays::traced_program(this, engine, described, options.mode, callable));
}

std::shared_ptr<Specialisation> TracedFunction::Impl::make(std::span<const ArgumentKind> kinds,
                                                           std::span<const Type> types,
                                                           std::vector<std::string>& made_notes) const {
  auto made = std::make_shared<Specialisation>();
  made->kinds.assign(kinds.begin(), kinds.end());
  made->program = record(types);
  made->lowered = lower(made->program, made_notes);
  return made;
}

TracedFunction trace_function(const Engine& engine, std::size_t arguments, TracedFunction::Callable callable,
                              TracedOptions options) {
  if (!options.signature.empty() && options.signature.size() != arguments)
    throw Error(ErrorCode::trace_arguments,
                fmt::format("the signature of {} has {} arguments and the callable takes {}", options.name,
                            options.signature.size(), arguments));
  for (const ArgumentSpec& argument : options.signature) {
    if (argument.axes.size() > static_cast<std::size_t>(max_rank))
      throw Error(ErrorCode::trace_arguments, fmt::format("an argument of {} has {} axes; an array has at most {}",
                                                          options.name, argument.axes.size(), max_rank));
  }
  TracedFunction function;
  function.impl_ = std::make_shared<TracedFunction::Impl>();
  function.impl_->engine = engine.impl();
  function.impl_->count = arguments;
  function.impl_->callable = std::move(callable);
  function.impl_->options = std::move(options);
  return function;
}

// Inside another trace: the operations become part of it. Its signature holds there too.
std::vector<Array> TracedFunction::Impl::call_inside(std::span<const Operand> operands) const {
  const Operand* traced_operand = nullptr;
  for (const Operand& operand : operands)
    if (operand.kind == Operand::Kind::array && arrays::has_no_elements(operand.array)) traced_operand = &operand;
  std::vector<Array> inputs;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].kind == Operand::Kind::array) {
      inputs.push_back(operands[i].array);
    } else if (traced_operand != nullptr) {
      inputs.push_back(arrays::number_beside(traced_operand->array, operands[i]));
    } else {
      throw Error(ErrorCode::trace_arguments,
                  fmt::format("{} is an extent, and no argument is an array", place(options, i)));
    }
    if (options.signature.empty()) continue;
    const ArgumentSpec& wanted = options.signature[i];
    Array& input = inputs.back();
    if (Access::value(input).type.weak) input = input.astype(wanted.dtype);
    if (input.dtype() != wanted.dtype || input.rank() != static_cast<int>(wanted.axes.size()))
      throw Error(ErrorCode::trace_arguments,
                  fmt::format("{} is {} of rank {}; its signature says {} of rank {}", place(options, i),
                              name_of(input.dtype()), input.rank(), name_of(wanted.dtype), wanted.axes.size()));
  }
  const std::shared_ptr<arrays::Trace> trace = arrays::Recording::innermost();
  if (options.mode != Mode::compiled || !trace || trace->mode() == Mode::compiled) return callable(inputs);
  // Only this part of the function is compiled.
  const SourceLine where = operands.empty() ? SourceLine{} : operands[0].where;
  return arrays::call_region(
      trace, [&] { return callable(inputs); }, {options.name, options.compiler, options.fallback}, where);
}

void TracedFunction::Impl::check_call(std::span<const Operand> operands) const {
  if (operands.size() != count)
    throw Error(ErrorCode::trace_arguments,
                fmt::format("{} takes {} arguments and is called with {}", options.name, count, operands.size()));
  if (arrays::Recording::records(this))
    throw Error(ErrorCode::trace_arguments, fmt::format("{} calls itself while it is traced", options.name));
}

void TracedFunction::Impl::gather(std::span<const Operand> operands, Arguments& arguments) const {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].kind == Operand::Kind::array) {
      const Value& value = Access::value(operands[i].array);
      if (value.engine != engine)
        throw Error(ErrorCode::usage, fmt::format("{} belongs to another engine", place(options, i)));
      arguments.set(i, value);
    } else {
      arguments.set(i, operands[i]);
    }
  }
  if (options.signature.empty()) return;
  const std::vector<Type> types = arguments.types();
  for (std::size_t i = 0; i < types.size(); ++i) {
    check_signature(i, types[i]);
    if (types[i].weak) arguments.convert(i, options.signature[i].dtype, arrays::workers_of(*engine));
  }
  check_names(types);
}

std::vector<Array> TracedFunction::Impl::run(const Specialisation& trace, std::span<const Data* const> arguments,
                                             const SymbolValues& symbols) const {
  Few<Data, 4> results(trace.program->outputs.size());
  arrays::run(trace.lowered, arguments, symbols, *engine, engine->cancel, results);
  std::vector<Array> outputs;
  outputs.reserve(results.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    outputs.push_back(
        arrays::eager(engine, std::move(results[i]), trace.program->nodes[trace.program->outputs[i]].type.weak));
  return outputs;
}

std::vector<Array> TracedFunction::call(std::span<const Operand> operands) const {
  Impl& f = *impl_;
  f.check_call(operands);
  bool inside = false;
  for (const Operand& operand : operands)
    inside = inside || operand.extent.is_symbolic() ||
             (operand.kind == Operand::Kind::array && arrays::has_no_elements(operand.array));
  if (inside) return f.call_inside(operands);
  Arguments arguments(operands.size());
  f.gather(operands, arguments);
  if (f.options.mode == Mode::eager) return f.callable(arguments.arrays(operands, f.engine));
  // NOTE: calls at the same time may count as one: they are counted for a note, and a locked addition is what a small call feels.
  f.calls.store(f.calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  SymbolValues symbols;
  const Specialisation* trace = f.find(arguments.kinds(), arguments.data(), symbols);
  if (trace == nullptr) trace = &f.obtain(arguments.kinds(), arguments.types(), arguments.data(), symbols);
  // Of arrays that are not traced, inside another trace: the values are known, but the effects belong to each call of that one.
  if (trace->program->has_effects && arrays::Recording::innermost())
    return f.callable(arguments.arrays(operands, f.engine));
  return f.run(*trace, arguments.data(), symbols);
}

int TracedFunction::trace_count() const {
  const std::shared_lock lock(impl_->mutex);
  return static_cast<int>(impl_->traces.size());
}
std::vector<std::string> TracedFunction::why_retraced() const {
  const std::shared_lock lock(impl_->mutex);
  return impl_->reasons;
}
std::vector<std::string> TracedFunction::notes() const {
  const std::shared_lock lock(impl_->mutex);
  std::vector<std::string> all = impl_->notes;
  for (const auto& trace : impl_->traces) {
    trace->lowered.for_each_loop([&](Function::Impl& loop) {
      const std::string failure = loop.tiering.failure();
      if (!failure.empty())
        all.push_back(fmt::format("mode automatic of {} stays on the graph: {}", impl_->options.name, failure));
      for (std::string& note : loop.tiering.cache_notes()) loop.note(std::move(note));
      const std::lock_guard notes_lock(loop.notes_mutex);
      for (const std::string& note : loop.notes)
        if (std::find(all.begin(), all.end(), note) == all.end()) all.push_back(note);
    });
    trace->lowered.for_each_routine([&](arrays::RoutineCode& code) {
      for (std::string& note : code.tiering().cache_notes())
        if (std::find(all.begin(), all.end(), note) == all.end()) all.push_back(std::move(note));
      const std::string failure = code.tiering().failure();
      if (!failure.empty())
        all.push_back(fmt::format("a loop of {} stays without machine code: {}", impl_->options.name, failure));
    });
  }
  return all;
}

std::string TracedFunction::print(std::string_view stage) const {
  const std::shared_lock lock(impl_->mutex);
  if (impl_->traces.empty())
    throw Error(ErrorCode::usage, fmt::format("{} has not been traced: call it first", impl_->options.name));
  const Specialisation& trace = *impl_->traces.front();
  if (stage == "trace") return trace.program->text();
  if (stage == "lower") return trace.lowered.text();
  throw Error(ErrorCode::usage, fmt::format("no stage '{}'; stages are trace and lower", stage));
}

bool TracedFunction::wait_for_code(double seconds) const {
  std::vector<std::shared_ptr<const Specialisation>> traces;
  {
    const std::shared_lock lock(impl_->mutex);
    traces = impl_->traces;
  }
  const auto start = std::chrono::steady_clock::now();
  const auto left = [&] {
    return std::max(0.0, seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  };
  bool ready = true;
  for (const auto& trace : traces) {
    trace->lowered.for_each_loop([&](Function::Impl& loop) { ready = loop.tiering.wait(left()) && ready; });
    trace->lowered.for_each_routine([&](arrays::RoutineCode& code) { ready = code.tiering().wait(left()) && ready; });
  }
  return ready;
}

}  // namespace frit
