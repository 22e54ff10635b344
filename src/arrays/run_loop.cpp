// One loop on elements: at once where its columns are runs, else in pieces that stay in the cache.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "arrays/run.hpp"
#include "core/fp_state.hpp"
#include "runtime/parallel.hpp"

namespace frit::arrays {
namespace {

// NOTE: elements that are gathered, or that a reduction takes, stay in the first two cache levels; a piece is worth a thread.
constexpr std::int64_t chunk_elements = 4096;
constexpr std::int64_t piece_elements = 64 * 1024;
// Rows of so many elements are computed where they lie: a call for each costs less than gathering them.
constexpr std::int64_t long_row = 512;

// A column that is no run of elements, as rows that are.
class Rows {
 public:
  Rows(const Data& column, std::span<const std::int64_t> extents) : base_(column.at), size_(size_of(column.dtype)) {
    const std::array<std::array<std::int64_t, max_rank>, 1> strides{strides_as(column, extents)};
    nest_ = collapse(extents, strides);
  }

  std::int64_t length() const { return nest_.extents[last()]; }
  std::int64_t stride() const { return nest_.strides[0][last()]; }
  // Of an element by its number in row-major order.
  const std::byte* at(std::int64_t number) const {
    const std::byte* result = base_;
    for (std::size_t axis = last() + 1; axis-- > 0;) {
      result += number % nest_.extents[axis] * nest_.strides[0][axis];
      number /= nest_.extents[axis];
    }
    return result;
  }
  void gather(std::int64_t first, std::int64_t count, std::byte* to) const {
    while (count > 0) {
      const std::int64_t run = std::min(count, length() - first % length());
      arrays::gather(size_, at(first), stride(), run, to);
      first += run;
      count -= run;
      to += run * static_cast<std::int64_t>(size_);
    }
  }

 private:
  std::size_t last() const { return static_cast<std::size_t>(nest_.rank - 1); }
  const std::byte* base_;
  std::size_t size_;
  Nest nest_;
};

// A loop that is cut into pieces, which threads compute apart.
class Pieces {
 public:
  // `rows`: of each operand that is no run; `kernels`: of each result that a reduction takes as it comes, else nullptr.
  Pieces(const runtime::EventRanges& ranges, std::span<const FritOperand> operands,
         std::span<const std::optional<Rows>> rows, std::span<const FritResult> results,
         std::span<const exec::ReduceKernel* const> kernels, std::int64_t n)
      : ranges_(ranges), operands_(operands), rows_(rows), results_(results), kernels_(kernels), n_(n) {
    reduces_ = std::any_of(kernels.begin(), kernels.end(), [](const auto* kernel) { return kernel != nullptr; });
    // Reductions take whole blocks, which rows are not.
    if (reduces_) return;
    for (const std::optional<Rows>& one : rows)
      if (one) row_ = row_ == 0 ? one->length() : std::min(row_, one->length());
    const auto fits = [&](const std::optional<Rows>& one) { return !one || one->length() % row_ == 0; };
    if (row_ < long_row || !std::all_of(rows.begin(), rows.end(), fits)) row_ = 0;
  }

  void run(const Engine::Impl& engine) {
    const bool one = engine.threads <= 1 || n_ < 2 * piece_elements || engine.process != getpid();
    const std::int64_t pieces = one ? 1 : std::min<std::int64_t>(n_ / piece_elements, 4 * engine.threads);
    const std::int64_t unit = row_ != 0 ? row_ : chunk_elements;
    length_ = std::max<std::int64_t>((n_ / pieces + unit - 1) / unit * unit, unit);
    std::int64_t count = 0;
    for (std::int64_t begin = 0; begin == 0 || begin < n_; begin += length_, ++count)
      for (std::size_t i = 0; reduces_ && i < kernels_.size(); ++i)
        states_.push_back(std::make_unique<exec::ReduceState>(begin));
    if (n_ == 0) return;
    if (count == 1) return piece(0);
    runtime::parallel_for(engine.threads, count, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) piece(i);
    });
  }
  // The result of a reduction.
  void finish(std::size_t i, std::byte* to) {
    exec::ReduceState& all = *states_[i];
    for (std::size_t next = i + kernels_.size(); next < states_.size(); next += kernels_.size())
      kernels_[i]->merge(all, *states_[next]);
    kernels_[i]->finish(all, to);
  }

 private:
  static std::int64_t element_size(std::int32_t dtype) {
    return static_cast<std::int64_t>(size_of(static_cast<DType>(dtype)));
  }
  void piece(std::int64_t number) {
    const FpState fp;
    std::vector<FritOperand> operands(operands_.begin(), operands_.end());
    std::vector<FritResult> results(results_.begin(), results_.end());
    std::vector<std::shared_ptr<std::byte>> chunks, gathered(operands.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      // Behind a row stands the next one.
      if (row_ != 0) results[i].room = 0;
      if (kernels_[i] == nullptr) continue;
      chunks.push_back(allocate(chunk_elements * element_size(results[i].dtype)));
      results[i].data = chunks.back().get();
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!rows_[i]) continue;
      operands[i].stride = row_ != 0 ? rows_[i]->stride() : element_size(operands[i].dtype);
      if (row_ == 0) gathered[i] = allocate(chunk_elements * element_size(operands[i].dtype));
    }
    const std::int64_t end = std::min(n_, (number + 1) * length_);
    const auto place_results = [&](std::int64_t at) {
      for (std::size_t i = 0; i < results.size(); ++i)
        if (kernels_[i] == nullptr)
          results[i].data = static_cast<std::byte*>(results_[i].data) + at * element_size(results_[i].dtype);
    };
    const auto place_run = [&](std::size_t i, std::int64_t at) {
      operands[i].data = static_cast<const std::byte*>(operands_[i].data) + at * operands_[i].stride;
    };
    if (row_ != 0) {
      std::int64_t at = number * length_ - row_;
      ranges_.run_each(operands, results, row_, [&] {
        at += row_;
        if (at >= end) return false;
        for (std::size_t i = 0; i < operands.size(); ++i) {
          if (!rows_[i]) {
            place_run(i, at);
          } else {
            operands[i].data = rows_[i]->at(at);
          }
        }
        place_results(at);
        return true;
      });
      return;
    }
    for (std::int64_t at = number * length_, count = 0; at < end; at += count) {
      count = std::min(end - at, chunk_elements);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!rows_[i]) {
          place_run(i, at);
        } else {
          rows_[i]->gather(at, count, gathered[i].get());
          operands[i].data = gathered[i].get();
        }
      }
      place_results(at);
      ranges_.run(operands, results, count);
      for (std::size_t i = 0; i < results.size(); ++i)
        if (kernels_[i] != nullptr)
          kernels_[i]->add(*states_[static_cast<std::size_t>(number) * kernels_.size() + i], results[i].data, count);
    }
  }

  const runtime::EventRanges& ranges_;
  std::span<const FritOperand> operands_;
  std::span<const std::optional<Rows>> rows_;
  std::span<const FritResult> results_;
  std::span<const exec::ReduceKernel* const> kernels_;
  std::int64_t n_;
  std::int64_t length_ = 0;  // of a piece
  std::int64_t row_ = 0;     // not 0: elements that are computed where they lie
  bool reduces_ = false;
  std::vector<std::unique_ptr<exec::ReduceState>> states_;  // of each piece, for each result
};

}  // namespace

// Of each output the kernel of the reduction that takes it as it comes, or nullptr.
std::vector<const exec::ReduceKernel*> Run::reductions_of(const Stage& stage) const {
  std::vector<const exec::ReduceKernel*> kernels;
  for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
    const ValueId reduction = stage.reductions[i];
    const exec::ReduceKernel* kernel = nullptr;
    if (reduction != no_value) {
      const int which = program_.calls[node(reduction).payload].attributes.which;
      kernel = &engine_.table->reductions.reduce[which][static_cast<int>(node(stage.outputs[i]).type.dtype)];
    }
    kernels.push_back(kernel);
  }
  return kernels;
}

void Run::loop(const Stage& stage) {
  const auto extents = extents_of(stage.shape);
  std::int64_t n = 1;
  for (const std::int64_t extent : extents) n *= extent;
  operands_.clear();
  scalars_.clear();
  results_.clear();
  std::vector<std::optional<Rows>> rows;  // empty where all columns are runs
  for (std::size_t i = 0; i < stage.columns.size(); ++i) {
    const Data& column = data(stage.columns[i]);
    const std::optional<std::int64_t> stride = run_stride(column, extents);
    if (!stride) {
      rows.resize(stage.columns.size());
      rows[i].emplace(column, extents);
    }
    operands_.push_back({column.at, stride.value_or(0), static_cast<std::int32_t>(column.dtype), array_room});
  }
  const DType width = stage.function->options.dtype;
  for (const ValueId id : stage.parameters) {
    const std::complex<double> value = parameter(id, width);
    scalars_.push_back(value.real());
    scalars_.push_back(value.imag());
  }
  bool whole = rows.empty();
  for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
    const ValueId id = stage.outputs[i];
    if (stage.reductions[i] != no_value) {
      whole = false;
      results_.push_back({nullptr, static_cast<std::int32_t>(node(id).type.dtype), array_room});
      continue;
    }
    Data& result = slots_[lowered_.slots[id]];
    result = make(id, extents);
    // Behind what the caller gave stands something else.
    results_.push_back({result.at, static_cast<std::int32_t>(result.dtype), result.buffer ? array_room : 0});
  }
  if (whole) {
    if (n > 0) runtime::run_call(*stage.function, {operands_, scalars_, n}, results_, cancel_);
    return;
  }
  rows.resize(stage.columns.size());
  const runtime::EventRanges ranges(*stage.function, scalars_, cancel_);
  const std::vector<const exec::ReduceKernel*> kernels = reductions_of(stage);
  Pieces pieces(ranges, operands_, rows, results_, kernels, n);
  pieces.run(engine_);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i] == nullptr) continue;
    const ArrayNode& reduction = node(stage.reductions[i]);
    Data& result = slots_[lowered_.slots[stage.reductions[i]]];
    result = make_data(reduction.type.dtype, extents_of(reduction.type));
    pieces.finish(i, result.at);
  }
}

}  // namespace frit::arrays
