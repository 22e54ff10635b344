// One loop on elements: at once where its columns are runs, else in pieces that stay in the cache.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "arrays/batches.hpp"
#include "arrays/run.hpp"
#include "core/fp_state.hpp"
#include "runtime/parallel.hpp"

namespace frit::arrays {

// A column that is no run of elements, as rows that are.
class Rows {
 public:
  Rows(const Data& column, std::span<const std::int64_t> extents) : base_(column.at), size_(size_of(column.dtype)) {
    const std::array<std::array<std::int64_t, max_rank>, 1> strides{strides_as(column, extents)};
    const Nest nest = collapse(extents, strides);
    rank_ = nest.rank;
    std::copy_n(nest.extents.begin(), rank_, extents_.begin());
    std::copy_n(nest.strides[0].begin(), rank_, strides_.begin());
  }

  std::int64_t length() const { return extents_[last()]; }
  std::int64_t stride() const { return strides_[last()]; }
  bool is_run() const { return stride() == static_cast<std::int64_t>(size_); }
  // Of an element by its number in row-major order.
  const std::byte* at(std::int64_t number) const {
    const std::byte* result = base_;
    for (std::size_t axis = last() + 1; axis-- > 0;) {
      result += number % extents_[axis] * strides_[axis];
      number /= extents_[axis];
    }
    return result;
  }
  // The bytes from a row of so many elements to the next, where they are the same between all.
  std::optional<std::int64_t> step_of(std::int64_t row) const {
    if (rank_ == 1) return row * stride();
    return rank_ == 2 && length() == row ? std::optional(strides_[0]) : std::nullopt;
  }
  // The row that begins with this element, given the end of the row before.
  const std::byte* behind(const std::byte* end, std::int64_t number) const {
    // The usual two axes need no division.
    return rank_ == 2 ? end - length() * stride() + strides_[0] : at(number);
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
  std::size_t last() const { return static_cast<std::size_t>(rank_ - 1); }
  const std::byte* base_;
  std::size_t size_;
  // NOTE: of a nest only what is needed: a small call has no memory from the heap that is not small.
  int rank_;
  std::array<std::int64_t, max_rank> extents_, strides_;
};

namespace {

// NOTE: elements that are gathered, or that a reduction takes, stay in the first two cache levels; a piece is worth a thread.
constexpr std::int64_t chunk_elements = 4096;
constexpr std::int64_t piece_elements = 64 * 1024;

// Where the elements of an array, a run or rows, go on: pieces of rows one after the other.
class Place {
 public:
  Place() = default;
  // `begin`: the first element, at the beginning of a piece; `step`: bytes from one to the next.
  Place(const void* data, const std::optional<Rows>& rows, std::int64_t begin, std::int64_t step)
      : rows_(rows ? &*rows : nullptr), step_(step), number_(begin) {
    at_ = rows_ != nullptr ? rows_->at(begin) : static_cast<const std::byte*>(data) + begin * step;
    if (rows_ != nullptr) left_ = rows_->length() - begin % rows_->length();
  }
  // This piece, of `count` elements; then the next is at hand.
  const std::byte* next(std::int64_t count) {
    const std::byte* const now = at_;
    at_ += count * step_;
    if (rows_ == nullptr) return now;
    number_ += count;
    left_ -= count;
    if (left_ > 0) return now;
    left_ = rows_->length();
    at_ = rows_->behind(at_, number_);
    return now;
  }

 private:
  const Rows* rows_ = nullptr;
  const std::byte* at_ = nullptr;
  std::int64_t step_ = 0, number_ = 0, left_ = 0;
};

// Where a reduction of each row goes.
struct RowResult {
  std::byte* first = nullptr;
  std::int64_t size = 0;
};

// The reductions that take the results of a loop as they come.
struct Streams {
  std::span<const exec::ReduceKernel* const> kernels;  // of each result, or nullptr
  std::span<const RowResult> rows;                     // of each result whose rows are reduced apart
  std::vector<bool> by_blocks;                         // of each result

  void add(std::size_t i, exec::ReduceState& state, const void* elements, std::int64_t n) const {
    kernels[i]->adder(by_blocks[i])(state, elements, n);
  }
  bool any_by_blocks() const { return std::find(by_blocks.begin(), by_blocks.end(), true) != by_blocks.end(); }
};

// The length of the rows in which columns and results are computed where they lie, or 0 where they are gathered. `reduced`: the
// length of rows that are reduced, or 0; `least`: the shortest rows that are worth a call each.
std::int64_t common_row(const ManyRows& columns, const ManyRows& results, std::int64_t reduced, std::int64_t least) {
  std::int64_t row = reduced;
  bool fits = true;
  const auto for_each = [&](const auto& fn) {
    for (const ManyRows* list : {&columns, &results})
      for (const std::optional<Rows>& one : *list)
        if (one) fn(*one);
  };
  if (reduced == 0) for_each([&](const Rows& one) { row = row == 0 ? one.length() : std::min(row, one.length()); });
  // A result is written as a run.
  const auto is_run = [](const std::optional<Rows>& one) { return !one || one->is_run(); };
  if (row < least || !std::all_of(results.begin(), results.end(), is_run)) return 0;
  for_each([&](const Rows& one) { fits = fits && one.length() % row == 0; });
  return fits ? row : 0;
}

// A loop that is cut into pieces, which threads compute apart.
class Pieces {
 public:
  // `rows`, `result_rows`: of each operand and result that is no run; `row`: of common_row().
  Pieces(const runtime::EventRanges& ranges, std::span<const FritOperand> operands,
         std::span<const std::optional<Rows>> rows, std::span<const FritResult> results,
         std::span<const std::optional<Rows>> result_rows, const Streams& streams, std::int64_t n, std::int64_t row)
      : ranges_(ranges), operands_(operands), rows_(rows), results_(results), result_rows_(result_rows),
        streams_(streams), kernels_(streams.kernels), by_blocks_(streams.any_by_blocks()), n_(n), row_(row) {
    reduces_all_ =
        row == 0 && std::any_of(kernels_.begin(), kernels_.end(), [](const auto* one) { return one != nullptr; });
  }

  void run(const Engine::Impl& engine) {
    const bool one = engine.threads <= 1 || n_ < 2 * piece_elements || engine.process != getpid();
    const std::int64_t pieces = one ? 1 : std::min<std::int64_t>(n_ / piece_elements, 4 * engine.threads);
    const std::int64_t unit = row_ != 0 ? row_ : chunk_elements;
    length_ = std::max<std::int64_t>((n_ / pieces + unit - 1) / unit * unit, unit);
    std::int64_t count = 0;
    for (std::int64_t begin = 0; begin == 0 || begin < n_; begin += length_, ++count)
      for (std::size_t i = 0; reduces_all_ && i < kernels_.size(); ++i)
        states_.push_back(std::make_unique<exec::ReduceRange>(begin, begin == 0 ? n_ : length_));
    if (n_ == 0) return;
    if (count == 1) return piece(0);
    runtime::parallel_for(engine.threads, count, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) piece(i);
    });
  }
  // The result of a reduction.
  void finish(std::size_t i, std::byte* to) {
    exec::ReduceState& all = *states_[i];  // which has room for it
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
      chunks.push_back(allocate((row_ != 0 ? row_ : std::min(n_, chunk_elements)) * element_size(results[i].dtype)));
      results[i].data = chunks.back().get();
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!rows_[i]) continue;
      operands[i].stride = row_ != 0 ? rows_[i]->stride() : element_size(operands[i].dtype);
      if (row_ == 0) gathered[i] = allocate(std::min(n_, chunk_elements) * element_size(operands[i].dtype));
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
    if (row_ != 0) return rows(operands, results, number * length_, end);
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
      ranges_.run(operands, results, count, by_blocks_);
      for (std::size_t i = 0; i < results.size(); ++i)
        if (kernels_[i] != nullptr)
          streams_.add(i, *states_[static_cast<std::size_t>(number) * kernels_.size() + i], results[i].data, count);
    }
  }

  // Row by row, where operands and results lie.
  void rows(std::span<FritOperand> operands, std::span<FritResult> results, std::int64_t begin,
            std::int64_t end) const {
    constexpr std::int64_t most_rows = 16;
    Few<Place, 12> from, to;
    Batches batches;
    bool in_batches = true;
    const auto add_step = [&](std::vector<std::int64_t>& steps, const std::optional<Rows>& arranged,
                              std::int64_t element) {
      const std::optional<std::int64_t> step = arranged ? arranged->step_of(row_) : std::optional(row_ * element);
      in_batches = in_batches && step;
      steps.push_back(step.value_or(0));
    };
    for (std::size_t i = 0; i < operands.size(); ++i) {
      from.push_back(Place(operands_[i].data, rows_[i], begin, operands[i].stride));
      add_step(batches.operand_steps, rows_[i], operands[i].stride);
    }
    bool reduces = false;
    for (std::size_t i = 0; i < results.size(); ++i) {
      // What is reduced has one place for all rows.
      const bool reduced = kernels_[i] != nullptr;
      to.push_back(Place(reduced ? results[i].data : results_[i].data, result_rows_[i], reduced ? 0 : begin,
                         reduced ? 0 : element_size(results_[i].dtype)));
      add_step(batches.result_steps, result_rows_[i], element_size(results_[i].dtype));
      reduces = reduces || reduced;
    }
    exec::ReduceRange state(0, row_);
    runtime::EventRanges::Walk walk(ranges_, operands, results, row_, by_blocks_);
    const std::int64_t last = end / row_;
    for (std::int64_t number = begin / row_, count = 0; number < last; number += count) {
      count = in_batches && !reduces ? std::min(most_rows, last - number) : 1;
      const auto place = [](auto& array, Place& at, std::int64_t rows, std::int64_t row) {
        array.data = const_cast<std::byte*>(at.next(row));
        for (std::int64_t i = 1; i < rows; ++i) at.next(row);
      };
      for (std::size_t i = 0; i < operands.size(); ++i) place(operands[i], from[i], count, row_);
      for (std::size_t i = 0; i < results.size(); ++i) place(results[i], to[i], count, row_);
      batches.run(walk, count, [&](std::int64_t row) {
        if (row > 0) {
          for (std::size_t i = 0; i < operands.size(); ++i)
            operands[i].data = static_cast<const std::byte*>(operands[i].data) + batches.operand_steps[i];
          for (std::size_t i = 0; i < results.size(); ++i)
            results[i].data = static_cast<std::byte*>(results[i].data) + batches.result_steps[i];
        }
        walk.run();
      });
      for (std::size_t i = 0; reduces && i < results.size(); ++i)
        if (kernels_[i] != nullptr)
          exec::reduce_run(*kernels_[i], static_cast<const std::byte*>(results[i].data), row_, streams_.by_blocks[i],
                           streams_.rows[i].first + number * streams_.rows[i].size, state);
    }
  }

  const runtime::EventRanges& ranges_;
  std::span<const FritOperand> operands_;
  std::span<const std::optional<Rows>> rows_;
  std::span<const FritResult> results_;
  std::span<const std::optional<Rows>> result_rows_;
  const Streams& streams_;
  std::span<const exec::ReduceKernel* const> kernels_;
  bool by_blocks_;
  std::int64_t n_;
  std::int64_t row_;         // not 0: elements that are computed where they lie
  std::int64_t length_ = 0;  // of a piece
  bool reduces_all_ = false;
  std::vector<std::unique_ptr<exec::ReduceRange>> states_;  // of each piece, for each result
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
  ManyRows rows, result_rows;  // empty where all are runs
  for (std::size_t i = 0; i < stage.columns.size(); ++i) {
    const Data& column = data(stage.columns[i]);
    const std::optional<std::int64_t> stride = run_stride(column, extents);
    if (!stride) {
      rows.resize(stage.columns.size());
      rows[i].emplace(column, extents);
    }
    operands_.push_back({column.at, stride.value_or(0), static_cast<std::int32_t>(column.dtype), array_room});
  }
  put_parameters(stage, scalars_);
  bool whole = rows.empty();
  for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
    const ValueId id = stage.outputs[i];
    if (stage.reductions[i] != no_value) {
      whole = false;
      results_.push_back({nullptr, static_cast<std::int32_t>(node(id).type.dtype), array_room});
      continue;
    }
    Data& result = slots_[lowered_.slots[id]];
    result = make(id, extents, false);
    if (!result.is_contiguous()) {
      whole = false;
      result_rows.resize(stage.outputs.size());
      result_rows[i].emplace(result, extents);
    }
    // Behind what the caller gave stands something else.
    results_.push_back({result.at, static_cast<std::int32_t>(result.dtype), result.buffer ? array_room : 0});
  }
  if (whole) {
    if (n > 0) runtime::run_call(*stage.function, {operands_, scalars_, n}, results_, cancel_);
    return;
  }
  in_pieces(stage, n, rows, result_rows);
}

// The length of the rows in which the loop is computed where its arrays lie, or 0.
std::int64_t Run::row_length(const Stage& stage, std::span<const std::int64_t> extents, const ManyRows& rows,
                             const ManyRows& result_rows) const {
  std::int64_t reduced = 0;
  for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
    if (stage.reductions[i] == no_value) continue;
    // A reduction of all elements takes blocks, which rows are not.
    if (stage.streams_all[i]) return 0;
    const std::uint32_t axes = program_.calls[node(stage.reductions[i]).payload].attributes.axes;
    const std::int64_t length = reduced_row(axes, extents);
    if (length < long_row || length > longest_reduced_row || (reduced != 0 && reduced != length)) return 0;
    reduced = length;
  }
  return common_row(rows, result_rows, reduced, least_row(stage));
}

void Run::in_pieces(const Stage& stage, std::int64_t n, ManyRows& rows, ManyRows& result_rows) {
  std::array<std::int64_t, max_rank> shape = extents_;  // which the results of reductions need
  const auto extents = std::span<const std::int64_t>(shape).first(static_cast<std::size_t>(stage.shape.rank));
  const std::int64_t row = row_length(stage, extents, rows, result_rows);
  rows.resize(stage.columns.size());
  result_rows.resize(stage.outputs.size());
  std::vector<const exec::ReduceKernel*> kernels = reductions_of(stage);
  std::vector<RowResult> row_results(row != 0 ? stage.outputs.size() : 0);
  std::vector<Data> stored;  // of each output, where one is reduced when all of it is there
  const auto make_run = [&](std::size_t i) {
    Data made = make_data(node(stage.outputs[i]).type.dtype, extents, engine_.memory.get());
    results_[i] = {made.at, static_cast<std::int32_t>(made.dtype), array_room};
    return made;
  };
  for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
    if (kernels[i] != nullptr) {
      const ValueId id = stage.reductions[i];
      Data& result = slots_[lowered_.slots[id]];
      result = make(id, extents_of(node(id).type));
      if (row != 0) row_results[i] = {result.at, static_cast<std::int64_t>(size_of(result.dtype))};
      if (row != 0 || stage.streams_all[i]) continue;
      stored.resize(stage.outputs.size());
      kernels[i] = nullptr;
      if (stage.is_stored(i)) {
        // NOTE: both outputs write the same elements to one place.
        stored[i] = slots_[lowered_.slots[stage.outputs[i]]];
        results_[i] = results_[i - 1];
      } else {
        stored[i] = make_run(i);
      }
    } else if (row == 0 && result_rows[i]) {
      slots_[lowered_.slots[stage.outputs[i]]] = make_run(i);
      result_rows[i].reset();
    }
  }
  const runtime::EventRanges ranges(*stage.function, scalars_, cancel_);
  // A call has sums of blocks for all outputs that are summed, or for none.
  Streams streams{kernels, row_results, std::vector<bool>(stage.outputs.size())};
  for (std::size_t i = 0; stored.empty() && i < stage.outputs.size(); ++i) streams.by_blocks[i] = stage.is_summed(i);
  Pieces pieces(ranges, operands_, rows, results_, result_rows, streams, n, row);
  pieces.run(engine_);
  for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
    if (stage.reductions[i] == no_value) continue;
    const Data& result = slots_[lowered_.slots[stage.reductions[i]]];
    if (!stored.empty() && stored[i].at != nullptr) {
      const StructuralCall& call = program_.calls[node(stage.reductions[i]).payload];
      structural_of(call.id).run(std::array<const Data*, 1>{&stored[i]}, call.attributes, result, workers_of(engine_));
    } else if (stage.streams_all[i]) {
      pieces.finish(i, result.at);
    }
  }
}

}  // namespace frit::arrays
