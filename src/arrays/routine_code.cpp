#include "arrays/routine_code.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "arrays/control.hpp"
#include "arrays/value.hpp"
#include "core/few.hpp"
#include "core/fp_state.hpp"
#include "frit/error.hpp"
#include "runtime/kernel_key.hpp"
#include "runtime/parallel.hpp"

namespace frit::arrays {
namespace {

// Vectors of lanes that are worth a thread: each element may be a loop.
constexpr std::int64_t vectors_a_piece = 16;

std::int64_t bytes_of(DType dtype) { return static_cast<std::int64_t>(size_of(dtype)); }

const std::byte* at(const void* from, std::int64_t offset) { return static_cast<const std::byte*>(from) + offset; }

}  // namespace

RoutineCode::RoutineCode(RegionRoutine made)
    : made_(std::move(made)),
      tiering_(Tiering::Subject{
          .kind = "routine",
          .steps = made_.routine.values.size(),
          .key = [this](const CompileOptions& how) { return runtime::key_bytes(made_.routine, how); },
          .compile = [this](Compiler& compiler,
                            const CompileOptions& how) { return compiler.compile(made_.routine, how); },
          .use = [this](const CompiledKernel* kernel) { code_.store(kernel, std::memory_order_release); }}) {}

void RoutineCode::compile(const CompilerOptions& options, const Engine::Impl& engine) {
  tiering_.compile_now(options, engine.threads, engine.cache);
}

void RoutineCode::prepare(const CompilerOptions& options, const Engine::Impl& engine) {
  (void)tiering_.prepare(options, engine.threads, engine.cache);  // why not is said by the loops of the function
}

void RoutineCode::check(std::int32_t status) const {
  if (status == routine_cancelled) throw Error(ErrorCode::cancelled, "the call was cancelled");
  if (status < routine_cut) return;
  const RegionRoutine::Loop& loop = made_.loops[static_cast<std::size_t>(status - routine_cut)];
  located(loop.where, [&] { check_steps(loop.most_steps, loop.most_steps); });
}

// The elements behind the last whole vector, in vectors of their own; missing lanes repeat the last element, which raises and
// ends as it does.
std::int32_t RoutineCode::run_rest(std::span<const void* const> operands, std::span<const Data> results,
                                   std::int64_t first, std::int64_t count, const std::int32_t* cancel) const {
  const std::int64_t width = code_.load()->statistics().width;
  std::vector<std::shared_ptr<std::byte>> buffers;
  Few<const void*, 8> from;
  Few<void*, 8> to;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const plan::RoutineArray& array = made_.routine.operands[k];
    if (!array.each_lane) {
      from.push_back(operands[k]);
      continue;
    }
    const std::int64_t size = bytes_of(array.dtype);
    buffers.push_back(allocate(width * size));
    for (std::int64_t lane = 0; lane < width; ++lane)
      std::memcpy(buffers.back().get() + lane * size, at(operands[k], (first + std::min(lane, count - 1)) * size),
                  static_cast<std::size_t>(size));
    from.push_back(buffers.back().get());
  }
  for (const Data& result : results) {
    buffers.push_back(allocate(width * bytes_of(result.dtype)));
    to.push_back(buffers.back().get());
  }
  const RoutineCall call{from.data(), to.data(), width, cancel};
  const std::int32_t status = this->call(call);
  for (std::size_t k = 0; k < results.size(); ++k) {
    const std::int64_t size = bytes_of(results[k].dtype);
    std::memcpy(results[k].at + first * size, to[k], static_cast<std::size_t>(count * size));
  }
  return status;
}

std::int32_t RoutineCode::run_lanes(std::span<const void* const> operands, std::span<const Data> results,
                                    std::int64_t n, const Engine::Impl& engine, const std::int32_t* cancel) const {
  const std::int64_t width = code_.load()->statistics().width;
  const std::int64_t whole = n / width;
  const auto piece = [&](std::int64_t begin, std::int64_t end) {
    const FpState state;
    Few<const void*, 8> from;
    Few<void*, 8> to;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const plan::RoutineArray& array = made_.routine.operands[k];
      from.push_back(at(operands[k], array.each_lane ? begin * width * bytes_of(array.dtype) : 0));
    }
    for (const Data& result : results) to.push_back(result.at + begin * width * bytes_of(result.dtype));
    const RoutineCall call{from.data(), to.data(), (end - begin) * width, cancel};
    return this->call(call);
  };
  std::int32_t status = routine_done;
  if (engine.threads > 1 && whole >= 2 * vectors_a_piece && engine.process == getpid()) {
    std::atomic<std::int32_t> first{routine_done};
    const std::int64_t pieces = (whole + vectors_a_piece - 1) / vectors_a_piece;
    runtime::parallel_for(engine.threads, pieces, [&](std::int64_t begin, std::int64_t end) {
      if (first.load(std::memory_order_relaxed) != routine_done) return;
      std::int32_t none = routine_done;
      first.compare_exchange_strong(none, piece(begin * vectors_a_piece, std::min(whole, end * vectors_a_piece)),
                                    std::memory_order_relaxed);
    });
    status = first;
  } else if (whole > 0) {
    status = piece(0, whole);
  }
  if (status != routine_done || whole * width == n) return status;
  const FpState state;
  return run_rest(operands, results, whole * width, n - whole * width, cancel);
}

bool RoutineCode::run(std::span<const Data> operands, std::span<const Data> results,
                      std::span<const std::int64_t> symbols, const Engine::Impl& engine,
                      const std::int32_t* cancel) const {
  using Kind = RegionRoutine::Source::Kind;
  Few<std::int64_t, 4> extents;
  for (const Extent& extent : made_.extents) extents.push_back(Symbols::evaluate(extent, symbols));
  std::vector<Data> copies;
  copies.reserve(made_.sources.size());
  Few<const void*, 8> from;
  for (const RegionRoutine::Source& source : made_.sources) {
    if (source.kind == Kind::extents) {
      from.push_back(extents.data());
      continue;
    }
    const Data& data = source.kind == Kind::operand ? operands[source.number] : made_.captured[source.number];
    if (data.is_contiguous()) {
      from.push_back(data.at);
    } else {
      copies.push_back(contiguous(data));
      from.push_back(copies.back().at);
    }
  }
  std::int32_t status = routine_done;
  if (made_.routine.lanes) {
    // Which element is the first to fail is for the steps to say.
    status = run_lanes(from, results, operands[0].extents[0], engine, cancel);
    if (status >= routine_raised) return false;
  } else {
    Few<void*, 8> to;
    for (const Data& result : results) to.push_back(result.at);
    const FpState state;
    const RoutineCall call{from.data(), to.data(), 1, cancel};
    status = this->call(call);
  }
  check(status);
  return status == routine_done;
}

}  // namespace frit::arrays
