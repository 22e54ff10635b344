// One call of a function: arguments by name, the prologue once, the loop over ranges on the threads of the engine.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <new>
#include <optional>

#include "core/few.hpp"
#include "core/nearest_name.hpp"
#include "frit/abi.h"
#include "runtime/function.hpp"
#include "runtime/parallel.hpp"

namespace frit {
namespace {

template <class T>
bool exact_integers(const ColumnView& view, std::int64_t stride, std::int64_t limit, std::int64_t& where) {
  const std::byte* at = static_cast<const std::byte*>(view.data);
  for (std::int64_t i = 0; i < view.size; ++i, at += stride) {
    T x;
    std::memcpy(&x, at, sizeof x);
    bool exact = x <= static_cast<T>(limit);
    if constexpr (std::is_signed_v<T>) exact = exact && x >= static_cast<T>(-limit);
    if (!exact) {
      where = i;
      return false;
    }
  }
  return true;
}

// Integers convert exactly up to 2^53 (f64) or 2^24 (f32); beyond that a column is refused rather than rounded.
void check_integers(const ColumnView& view, std::int64_t stride, DType kernel_dtype) {
  const std::int64_t limit = std::int64_t{1} << (kernel_dtype == DType::f64 ? 53 : 24);
  std::int64_t where = 0;
  bool exact = true;
  switch (view.dtype) {
    case DType::i32:
      exact = kernel_dtype == DType::f64 || exact_integers<std::int32_t>(view, stride, limit, where);
      break;
    case DType::u32:
      exact = kernel_dtype == DType::f64 || exact_integers<std::uint32_t>(view, stride, limit, where);
      break;
    case DType::i64: exact = exact_integers<std::int64_t>(view, stride, limit, where); break;
    case DType::u64: exact = exact_integers<std::uint64_t>(view, stride, limit, where); break;
    default: break;
  }
  if (!exact)
    throw Error(
        ErrorCode::column_dtype,
        fmt::format("column '{}' of dtype {}: the integer of event {} has no exact value in {}; store the column "
                    "as floating point to have it rounded",
                    view.name, name_of(view.dtype), where, name_of(kernel_dtype)));
}

struct Call {
  Few<FritOperand, 16> operands;
  Few<double, 16> scalars;
  std::int64_t events = 0;
};

template <class Items> auto find_named(const Items& items, std::string_view name) {
  return std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
}

// The item of this name; `next` is tried first and then set behind what was found, since callers mostly keep one order.
template <class Items> auto find_from(const Items& items, std::string_view name, std::size_t& next) {
  const bool expected = next < items.size() && items[next].name == name;
  const auto found = expected ? items.begin() + static_cast<std::ptrdiff_t>(next) : find_named(items, name);
  if (found != items.end()) next = static_cast<std::size_t>(found - items.begin()) + 1;
  return found;
}

template <class Items> std::string nearest(const Items& items, std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& item : items) names.push_back(item.name);
  return did_you_mean(name, names);
}

void gather(Function::Impl& f, const Columns& columns, const Parameters& parameters, Call& call) {
  const DType kernel_dtype = f.options.dtype;
  const auto views = columns.views();
  std::string_view length_from;
  // The number of events is that of the columns in use, or of any column where none is used.
  std::size_t next_view = 0;
  for (std::size_t i = 0; i < f.columns.size(); ++i) {
    const GraphArgument* const argument = f.columns[i];
    const auto view = find_from(views, argument->name, next_view);
    if (view == views.end())
      throw Error(ErrorCode::column_missing,
                  fmt::format("no column '{}'{}", argument->name, nearest(views, argument->name)));
    if (is_complex(view->dtype) && !is_complex(argument->dtype))
      throw Error(ErrorCode::column_dtype,
                  fmt::format("column '{}' is complex ({}), but the function was bound with a real one; bind it with a "
                              "complex column",
                              view->name, name_of(view->dtype)));
    if (length_from.empty()) {
      call.events = view->size;
      length_from = view->name;
    } else if (view->size != call.events) {
      throw Error(ErrorCode::column_length, fmt::format("column '{}' has {} events and column '{}' {}", length_from,
                                                        call.events, view->name, view->size));
    }
    const std::int64_t stride = view->stride != 0 ? view->stride : static_cast<std::int64_t>(size_of(view->dtype));
    if (is_integer(view->dtype)) check_integers(*view, stride, kernel_dtype);
    if (kernel_dtype == DType::f32 && real_of(view->dtype) == DType::f64 &&
        !f.rounding_noted[i].exchange(true, std::memory_order_relaxed))
      f.note(fmt::format("column '{}' is {} and is rounded to {}", view->name, name_of(view->dtype),
                         name_of(is_complex(view->dtype) ? DType::c64 : DType::f32)));
    call.operands.push_back({view->data, stride, static_cast<std::int32_t>(view->dtype), 0});
  }
  if (f.columns.empty() && !views.empty()) call.events = views.front().size;
  if (f.columns.empty() && views.empty()) call.events = 1;
  const auto values = parameters.values();
  std::size_t next_value = 0;
  for (const GraphArgument* argument : f.parameters) {
    const auto value = find_from(values, argument->name, next_value);
    if (value == values.end())
      throw Error(ErrorCode::parameter_missing,
                  fmt::format("no parameter '{}'{}", argument->name, nearest(values, argument->name)));
    if (value->complex && !is_complex(argument->dtype))
      throw Error(ErrorCode::parameter_kind,
                  fmt::format("parameter '{}' is complex, but the function was bound with a real one", argument->name));
    call.scalars.push_back(value->value.real());
    call.scalars.push_back(value->value.imag());
  }
}

void check_status(std::int32_t status) {
  if (status == FRIT_CANCELLED) throw Error(ErrorCode::cancelled, "the call was cancelled; its outputs are incomplete");
  if (status != FRIT_OK) throw Error(ErrorCode::internal, fmt::format("a kernel returned status {}", status));
}

// Whether a range is one tile of its own length: eagerly always, else where it fits into a tile, whose scratch is then small.
bool is_one_tile(const Function::Impl& f, std::int64_t events) {
  return f.options.mode == Mode::eager || events <= f.program.tile();
}

// The least events of a thread: enough to hide the few microseconds that it costs to start one, and whole tiles.
std::int64_t least_grain(const Function::Impl& f) {
  return f.options.mode == Mode::eager ? 4096 : std::max<std::int64_t>(16 * f.program.tile(), 4096);
}

std::int32_t run_range(FritCall& range, bool one_tile) {
  return one_tile ? exec::Program::run_whole_range(&range) : exec::Program::run_loop(&range);
}

// The memory of a call on one thread; small calls have it in the object.
class CallMemory {
 public:
  CallMemory(runtime::ScratchPool& pool, std::int64_t bytes) {
    if (bytes > size_) {
      block_.emplace(pool, bytes);
      data_ = block_->data();
      size_ = block_->size();
    }
  }
  std::byte* data() const { return data_; }
  std::int64_t size() const { return size_; }

 private:
  static constexpr std::int64_t small = 8 * 1024;
  alignas(64) std::byte here_[small];
  std::byte* data_ = here_;
  std::int64_t size_ = small;
  std::optional<runtime::ScratchPool::Block> block_;
};

// The call with these arrays.
FritCall call_of(const FritCall& from, std::span<const FritOperand> operands, std::span<const FritResult> results,
                 std::int64_t events, bool by_blocks, const auto& scratch) {
  FritCall call = from;
  call.operands = operands.data();
  call.operand_count = static_cast<std::uint32_t>(operands.size());
  call.results = results.data();
  call.result_count = static_cast<std::uint32_t>(results.size());
  call.scratch = scratch.data();
  call.scratch_bytes = scratch.size();
  call.end = events;
  call.by_blocks = by_blocks ? 1 : 0;
  return call;
}

// A call that several threads share, each with ranges of `grain` events.
struct SharedCall {
  Function::Impl& f;
  const FritCall& call;
  std::int64_t events;
  std::int64_t grain;
  bool eager;
  // The first that is not FRIT_OK; what is left of the call is not begun then. Also the hand-over of all of the above in terms of
  // the memory model: a thread reads it before anything else.
  std::atomic<std::int32_t> status;

  static void run(void* context, std::int64_t begin, std::int64_t end) {
    auto& shared = *static_cast<SharedCall*>(context);
    if (shared.status.load(std::memory_order_acquire) != FRIT_OK) return;
    FritCall range = shared.call;
    range.begin = begin * shared.grain;
    range.end = std::min(shared.events, end * shared.grain);
    std::int32_t result = FRIT_OK;
    {
      // Given back before the hand-over below: the function may be gone right behind the call.
      const runtime::ScratchPool::Block scratch(shared.f.scratch,
                                                shared.f.program.scratch_bytes(range.end - range.begin, shared.eager));
      range.scratch = scratch.data();
      range.scratch_bytes = scratch.size();
      result = run_range(range, shared.eager);
    }
    std::int32_t none = FRIT_OK;
    shared.status.compare_exchange_strong(none, result, std::memory_order_acq_rel);
  }
};

struct FreeAligned {
  void operator()(void* p) const { ::operator delete (p, std::align_val_t{64}); }
};

}  // namespace

runtime::EventRanges::EventRanges(Function::Impl& f, std::span<const double> scalars, const std::int32_t* cancel)
    : f_(f), prologue_(f.scratch, std::max<std::int64_t>(f.program.prologue_bytes(), 64)), timer_(f.tiering) {
  call_.size = sizeof call_;
  call_.abi_version = FRIT_ABI_VERSION;
  call_.scalars = scalars.data();
  call_.scalar_count = static_cast<std::uint32_t>(scalars.size() / 2);
  call_.prologue = prologue_.data();
  call_.cancel = cancel;
  call_.program = &f.program;
  check_status(exec::Program::run_prologue(&call_));
}

runtime::EventRanges::Walk::Walk(const EventRanges& ranges, std::span<const FritOperand> operands,
                                 std::span<const FritResult> results, std::int64_t events, bool by_blocks)
    : scratch_(ranges.f_.scratch, ranges.f_.program.scratch_bytes(events, is_one_tile(ranges.f_, events))),
      call_(call_of(ranges.call_, operands, results, events, by_blocks, scratch_)),
      ranges_(call_, is_one_tile(ranges.f_, events)) {}

void runtime::EventRanges::Walk::run() { check_status(ranges_.run()); }

void runtime::EventRanges::Walk::renew() {
  check_status(exec::Program::run_prologue(&call_));
  ranges_.renew();
}

void runtime::EventRanges::run(std::span<const FritOperand> operands, std::span<const FritResult> results,
                               std::int64_t events, bool by_blocks) const {
  const bool one_tile = is_one_tile(f_, events);
  const CallMemory scratch(f_.scratch, f_.program.scratch_bytes(events, one_tile));
  FritCall call = call_of(call_, operands, results, events, by_blocks, scratch);
  check_status(run_range(call, one_tile));
}

bool runtime::is_of_one_thread(const Function::Impl& f, std::int64_t events) {
  return f.engine->threads == 1 || events <= least_grain(f);
}

void runtime::run_call(Function::Impl& f, const CallArguments& arguments, std::span<const FritResult> results,
                       const std::int32_t* cancel) {
  const bool eager = f.options.mode == Mode::eager;
  const std::int64_t events = arguments.events;
  int threads = f.engine->threads;
  std::int64_t grain = least_grain(f);
  if (is_of_one_thread(f, events)) {
    threads = 1;
  } else if (eager) {
    grain = std::max(grain, (events / threads + 63) / 64 * 64);
  } else {
    // As many for each thread, so that none waits for the last.
    const std::int64_t ranges = ((events + grain - 1) / grain + threads - 1) / threads * threads;
    grain = ((events + ranges - 1) / ranges + 63) / 64 * 64;
  }
  if (threads > 1 && getpid() != f.engine->process) {
    // oneTBB cannot be rebuilt after fork, so a child process computes on the calling thread.
    f.note("this process was forked after the engine was made: calls run on one thread");
    threads = 1;
  }
  // On one thread the prologue block and the scratch are one piece of memory.
  const std::int64_t prologue_bytes = std::max<std::int64_t>(f.program.prologue_bytes(), 64);
  const bool one_tile = is_one_tile(f, events);
  const std::int64_t scratch_bytes = threads == 1 ? f.program.scratch_bytes(events, one_tile) : 0;
  const CallMemory memory(f.scratch, prologue_bytes + scratch_bytes);
  FritCall call{};
  call.size = sizeof call;
  call.abi_version = FRIT_ABI_VERSION;
  call.operands = arguments.operands.data();
  call.operand_count = static_cast<std::uint32_t>(arguments.operands.size());
  call.results = results.data();
  call.result_count = static_cast<std::uint32_t>(results.size());
  call.scalars = arguments.scalars.data();
  call.scalar_count = static_cast<std::uint32_t>(arguments.scalars.size() / 2);
  call.prologue = memory.data();
  call.cancel = cancel != nullptr ? cancel : f.engine->cancel;
  call.program = &f.program;
  check_status(exec::Program::run_prologue(&call));
  const Tiering::Timer timer(f.tiering);
  if (threads == 1) {
    call.scratch = memory.data() + prologue_bytes;
    call.scratch_bytes = memory.size() - prologue_bytes;
    call.end = events;
    if (events > 0) check_status(run_range(call, one_tile));
    return;
  }
  SharedCall shared{f, call, events, grain, eager, {}};
  shared.status.store(FRIT_OK, std::memory_order_release);
  runtime::parallel_ranges(threads, (events + grain - 1) / grain, &SharedCall::run, &shared);
  check_status(shared.status.load(std::memory_order_acquire));
}

void Function::run(const Columns& columns, const Parameters& parameters, std::span<const OutputView> outputs,
                   const std::int32_t* cancel) const {
  Impl& f = *impl_;
  Call arguments;
  gather(f, columns, parameters, arguments);
  const auto plan_outputs = std::span(f.program.plan().outputs);
  if (outputs.size() != plan_outputs.size())
    throw Error(ErrorCode::usage,
                fmt::format("the function has {} outputs, not {}", plan_outputs.size(), outputs.size()));
  Few<FritResult, 16> results;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].size != arguments.events)
      throw Error(ErrorCode::column_length, fmt::format("output '{}' has room for {} events; the columns have {}",
                                                        plan_outputs[i].name, outputs[i].size, arguments.events));
    results.push_back({outputs[i].data, static_cast<std::int32_t>(plan_outputs[i].dtype), 0});
  }
  runtime::run_call(f, {arguments.operands, arguments.scalars, arguments.events}, results, cancel);
}

Result Function::operator()(const Columns& columns, const Parameters& parameters) const {
  Impl& f = *impl_;
  Result result;
  // The events of the first column in use; run() checks that the others agree.
  result.size_ = 1;
  if (!columns.views().empty()) result.size_ = columns.views().front().size;
  for (const GraphArgument* argument : f.columns) {
    const auto view = find_named(columns.views(), argument->name);
    if (view != columns.views().end()) {
      result.size_ = view->size;
      break;
    }
  }
  std::vector<OutputView> views;
  for (const plan::Output& output : f.program.plan().outputs) {
    const std::size_t bytes = size_of(output.dtype) * static_cast<std::size_t>(result.size_);
    void* const data = ::operator new (std::max<std::size_t>(bytes, 64), std::align_val_t{64}, std::nothrow);
    if (data == nullptr)
      throw Error(ErrorCode::out_of_memory, fmt::format("no memory for output '{}' of {} bytes", output.name, bytes));
    result.outputs_.push_back({output.name, output.dtype, std::shared_ptr<void>(data, FreeAligned{})});
    views.push_back({data, result.size_});
  }
  run(columns, parameters, views);
  return result;
}

std::size_t Function::output_count() const { return impl_->program.plan().outputs.size(); }
std::string_view Function::output_name(std::size_t i) const { return impl_->program.plan().outputs[i].name; }
DType Function::output_dtype(std::size_t i) const { return impl_->program.plan().outputs[i].dtype; }
Mode Function::mode_asked() const { return impl_->options.mode; }
Mode Function::mode_used() const {
  if (impl_->options.mode == Mode::eager) return Mode::eager;
  return impl_->program.is_compiled() ? Mode::compiled : Mode::graph;
}
DType Function::dtype() const { return impl_->options.dtype; }
StageTimes Function::stage_times() const {
  StageTimes times = impl_->times;
  times.compile_s = impl_->tiering.compile_seconds();
  return times;
}
bool Function::wait_for_code(double seconds) const { return impl_->tiering.wait(seconds); }

std::vector<std::string> Function::notes() const {
  if (const std::string failure = impl_->tiering.failure(); !failure.empty())
    impl_->note("mode auto stays on the graph: " + failure);
  for (std::string& note : impl_->tiering.cache_notes()) impl_->note(std::move(note));
  const std::lock_guard lock(impl_->notes_mutex);
  return impl_->notes;
}

std::string Function::print(std::string_view stage) const {
  if (stage == "graph") return print_graph(impl_->traced);
  if (stage == "passes") return print_graph(impl_->graph);
  if (stage == "plan") return plan::print_plan(impl_->program.plan());
  throw Error(ErrorCode::usage, fmt::format("no stage '{}'; stages are graph, passes and plan", stage));
}

}  // namespace frit
