#include "arrays/structural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "arrays/batch.hpp"
#include "arrays/matmul.hpp"
#include "core/fp_state.hpp"
#include "exec/reduce_range.hpp"
#include "frit/error.hpp"
#include "runtime/parallel.hpp"

namespace frit::arrays {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

const ops::ReductionInfo& reduction(const Attributes& attributes) {
  return ops::AllReductions::infos[attributes.which];
}

// Calls fn(offset of each operand in bytes, number) for every index of the first `rank` axes, in row-major order.
template <std::size_t k, class Fn>
void for_each_index(int rank, const std::array<std::int64_t, max_rank>& extents,
                    const std::array<std::array<std::int64_t, max_rank>, k>& strides, Fn fn) {
  std::int64_t count = 1;
  for (int i = 0; i < rank; ++i) count *= extents[index(i)];
  std::array<std::int64_t, max_rank> at{};
  std::array<std::int64_t, k> offsets{};
  for (std::int64_t number = 0; number < count; ++number) {
    fn(offsets, number);
    for (int i = rank - 1; i >= 0; --i) {
      for (std::size_t o = 0; o < k; ++o) offsets[o] += strides[o][index(i)];
      if (++at[index(i)] < extents[index(i)]) break;
      for (std::size_t o = 0; o < k; ++o) offsets[o] -= at[index(i)] * strides[o][index(i)];
      at[index(i)] = 0;
    }
  }
}

Type infer_reduce(std::span<const Type* const> operands, Attributes& attributes, Extents& extents) {
  const Type& x = *operands[0];
  const ops::ReductionInfo& info = reduction(attributes);
  if (!ops::accepts(info, x.dtype))
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("{} does not take {}{}", info.name, name_of(x.dtype),
                            x.dtype == DType::boolean ? "; count_nonzero counts, and astype makes numbers"
                                                      : "; take real(x) or abs(x) first"));
  Type result = x;
  result.weak = false;
  result.dtype = ops::result_of(info, x.dtype);
  result.rank = 0;
  // Extremes need an element.
  const bool needs_one = info.takes == ops::ReduceTakes::real_numbers;
  for (int i = 0; i < x.rank; ++i) {
    const Extent& extent = x.extents[index(i)];
    const bool reduced = (attributes.axes >> i & 1u) != 0;
    if (reduced && needs_one && !extents.at_least(extent, 1))
      throw Error(ErrorCode::empty_reduction,
                  fmt::format("{}: axis {} has no elements, and so none that could be the result", info.name, i));
    if (!reduced || attributes.keep) result.extents[index(result.rank++)] = reduced ? Extent(1) : extent;
  }
  return result;
}

constexpr std::int64_t reduce_grain = std::int64_t{1} << 18;  // elements that are worth a thread

bool in_pieces(std::int64_t n, const Workers& workers) {
  return workers.threads > 1 && n >= 2 * reduce_grain && workers.process == getpid();
}

// One row of a reduction: elements in their order, contiguous or gathered.
void reduce_row(const exec::ReduceKernel& kernel, const Data& row, std::byte* to, const Workers& workers,
                exec::ReduceState& state) {
  const std::int64_t n = row.size();
  const Data elements = contiguous(row);
  if (!in_pieces(n, workers)) return exec::reduce_run(kernel, elements.at, n, false, to, state);
  const std::int64_t pieces = std::min<std::int64_t>(n / reduce_grain, 4 * workers.threads);
  const std::int64_t length = (n / pieces + exec::reduce_block - 1) / exec::reduce_block * exec::reduce_block;
  std::vector<std::unique_ptr<exec::ReduceRange>> states;  // the first becomes that of all
  for (std::int64_t begin = 0; begin < n; begin += length)
    states.push_back(std::make_unique<exec::ReduceRange>(begin, begin == 0 ? n : length));
  const auto size = static_cast<std::int64_t>(size_of(elements.dtype));
  runtime::parallel_for(workers.threads, static_cast<std::int64_t>(states.size()),
                        [&](std::int64_t begin, std::int64_t end) {
                          for (std::int64_t i = begin; i < end; ++i)
                            kernel.add(*states[static_cast<std::size_t>(i)], elements.at + i * length * size,
                                       std::min(length, n - i * length));
                        });
  for (std::size_t i = 1; i < states.size(); ++i) kernel.merge(*states[0], *states[i]);
  kernel.finish(*states[0], to);
}

void run_reduce(std::span<const Data* const> operands, const Attributes& attributes, const Data& result,
                const Workers& workers) {
  if (result.size() == 0) return;
  const FpState fp;
  const Data& x = *operands[0];
  const exec::ReduceKernel& kernel = workers.table->reductions.reduce[attributes.which][static_cast<int>(x.dtype)];
  // The kept axes first, then one row of the reduced ones at each of their indices.
  std::array<std::int64_t, max_rank> outer{};
  std::array<std::array<std::int64_t, max_rank>, 1> strides{};
  Data row = x;
  row.rank = 0;
  int kept = 0;
  for (int i = 0; i < x.rank; ++i) {
    if ((attributes.axes >> i & 1u) != 0) {
      row.extents[index(row.rank)] = x.extents[index(i)];
      row.strides[index(row.rank++)] = x.strides[index(i)];
    } else {
      outer[index(kept)] = x.extents[index(i)];
      strides[0][index(kept++)] = x.strides[index(i)];
    }
  }
  exec::ReduceRange state(0, row.size());
  const auto size = static_cast<std::int64_t>(size_of(result.dtype));
  const std::int64_t n = row.size();
  const bool one_piece = row.is_contiguous() && !in_pieces(n, workers);
  for_each_index(kept, outer, strides, [&](const std::array<std::int64_t, 1>& offsets, std::int64_t number) {
    std::byte* const to = result.at + number * size;
    if (one_piece) return exec::reduce_run(kernel, x.at + offsets[0], n, false, to, state);
    row.at = x.at + offsets[0];
    reduce_row(kernel, row, to, workers, state);
  });
}

Type infer_cumulative(std::span<const Type* const> operands, Attributes& attributes, Extents&) {
  const ops::ReductionInfo& info = reduction(attributes);
  attributes.axis = checked_axis(attributes.axis, operands[0]->rank, info.cumulative);
  if (!ops::accepts(info, operands[0]->dtype))
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("{} does not take {}", info.cumulative, name_of(operands[0]->dtype)));
  Type result = *operands[0];
  result.weak = false;
  result.dtype = ops::result_of(info, result.dtype);
  return result;
}

void run_cumulative(std::span<const Data* const> operands, const Attributes& attributes, const Data& result,
                    const Workers& workers) {
  if (result.size() == 0) return;
  const FpState fp;
  const Data& x = *operands[0];
  const exec::ScanKernel kernel = workers.table->reductions.scan[attributes.which][static_cast<int>(x.dtype)];
  const int axis = attributes.axis;
  const std::int64_t n = x.extents[index(axis)];
  // Every other axis outside; the rows are gathered, and scattered where they are no runs of the result.
  std::array<std::int64_t, max_rank> outer{};
  std::array<std::array<std::int64_t, max_rank>, 2> strides{};
  int kept = 0;
  for (int i = 0; i < x.rank; ++i) {
    if (i == axis) continue;
    outer[index(kept)] = x.extents[index(i)];
    strides[0][index(kept)] = x.strides[index(i)];
    strides[1][index(kept++)] = result.strides[index(i)];
  }
  Data row = x;
  row.rank = 1;
  row.extents[0] = n;
  row.strides[0] = x.strides[index(axis)];
  Data out = make_data(result.dtype, {&n, 1});
  const auto size = static_cast<std::int64_t>(size_of(result.dtype));
  const std::int64_t step = result.strides[index(axis)];
  for_each_index(kept, outer, strides, [&](const std::array<std::int64_t, 2>& offsets, std::int64_t) {
    row.at = x.at + offsets[0];
    const Data elements = contiguous(row);
    exec::ScanState state;
    std::byte* const to = result.at + offsets[1];
    kernel(state, elements.at, step == size ? to : out.at, n);
    if (step == size) return;
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * step, out.at + i * size, static_cast<std::size_t>(size));
  });
}

Type infer_concat(std::span<const Type* const> operands, Attributes& attributes, Extents& extents) {
  Type result = *operands[0];
  attributes.axis = checked_axis(attributes.axis, result.rank, "concat");
  for (std::size_t k = 1; k < operands.size(); ++k) {
    const Type& next = *operands[k];
    if (next.rank != result.rank)
      throw Error(ErrorCode::shape_mismatch,
                  fmt::format("concat: array 0 has rank {} and array {} rank {}", result.rank, k, next.rank));
    result.dtype = promote(result, next, "concat");
    result.weak = result.weak && next.weak;
    for (int i = 0; i < result.rank; ++i) {
      Extent& own = result.extents[index(i)];
      const Extent& other = next.extents[index(i)];
      if (i == attributes.axis) {
        own = extents.sum(own, other, 1);
      } else if (!identical(own, other) && !extents.equal(own, other)) {
        throw Error(ErrorCode::shape_mismatch,
                    fmt::format("concat along axis {}: axis {} has extent {} in array 0 and {} in array {}",
                                attributes.axis, i, extents.text(own), extents.text(other), k));
      }
    }
  }
  return result;
}

void run_concat(std::span<const Data* const> operands, const Attributes& attributes, const Data& result,
                const Workers& workers) {
  std::byte* at = result.at;
  for (const Data* operand : operands) {
    Data part = result;
    part.at = at;
    part.extents[index(attributes.axis)] = operand->extents[index(attributes.axis)];
    at += part.extents[index(attributes.axis)] * result.strides[index(attributes.axis)];
    convert(*operand, part, workers);
  }
}

Type infer_take(std::span<const Type* const> operands, Attributes& attributes, Extents&) {
  Type result = *operands[0];
  const Type& indices = *operands[1];
  attributes.axis = checked_axis(attributes.axis, result.rank, "take");
  if (!is_integer(indices.dtype) || indices.rank != 1 + attributes.which)
    throw Error(ErrorCode::dtype_mismatch, fmt::format("take: places are integers of rank 1, not {} of rank {}",
                                                       name_of(indices.dtype), indices.rank - attributes.which));
  result.extents[index(attributes.axis)] = indices.extents[index(attributes.which)];
  return result;
}

// One element of the first axis.
Data element(const Data& data, std::int64_t i) {
  View view;
  view.drop = true;
  return apply(view, data, std::span(data.extents).subspan(1, index(data.rank) - 1), i);
}

void run_take(std::span<const Data* const> operands, const Attributes& attributes, const Data& result,
              const Workers& workers) {
  if (attributes.which > 0) {
    Attributes one = attributes;
    --one.which;
    --one.axis;
    for (std::int64_t i = 0; i < result.extents[0]; ++i) {
      const Data x = element(*operands[0], i), places = element(*operands[1], i);
      run_take(std::array{&x, &places}, one, element(result, i), workers);
    }
    return;
  }
  const Data& x = *operands[0];
  const int axis = attributes.axis;
  const std::int64_t n = x.extents[index(axis)];
  Data places = make_data(DType::i64, std::span(operands[1]->extents).first(1));
  convert(*operands[1], places, workers);
  Data from = x, to = result;
  from.rank = to.rank = x.rank - 1;
  for (int i = axis; i < from.rank; ++i) {
    from.extents[index(i)] = to.extents[index(i)] = x.extents[index(i + 1)];
    from.strides[index(i)] = x.strides[index(i + 1)];
    to.strides[index(i)] = result.strides[index(i + 1)];
  }
  const bool wide = operands[1]->dtype == DType::u64;
  for (std::int64_t i = 0; i < places.extents[0]; ++i) {
    std::int64_t place = 0;
    std::memcpy(&place, places.at + i * 8, sizeof place);
    if (place < -n || place >= n || (wide && place < 0))
      throw Error(
          ErrorCode::index_range,
          fmt::format("take: place {} of the indices is {}, and axis {} has extent {}", i,
                      wide ? fmt::format("{}", static_cast<std::uint64_t>(place)) : fmt::format("{}", place), axis, n));
    from.at = x.at + (place < 0 ? place + n : place) * x.strides[index(axis)];
    to.at = result.at + i * result.strides[index(axis)];
    convert(from, to, workers);
  }
}

// attributes.extents become the start of the slice and its number of elements.
Type infer_update(std::span<const Type* const> operands, Attributes& attributes, Extents& extents) {
  Type result = *operands[0];
  const Type& value = *operands[1];
  result.weak = false;
  Type part;
  const View view = slice_view(result, attributes.axis, attributes.slice, part, extents);
  attributes.axis = view.axis;
  attributes.extents = {view.start, part.extents[index(view.axis)]};
  const DType common = promote(result, value, "update");
  if (common != result.dtype)
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("update: elements of {} do not take {}; convert one of them with astype",
                            name_of(result.dtype), name_of(value.dtype)));
  Type seen;
  broadcast_view(value, part.shape(), seen, extents);
  return result;
}

void run_update(std::span<const Data* const> operands, const Attributes& attributes, const Data& result,
                const Workers& workers) {
  const std::int64_t start = attributes.values[0], count = attributes.values[1], step = attributes.slice.step;
  const int axis = attributes.axis;
  const Data& x = *operands[0];
  if (count == 0) return convert(x, result, workers);
  // What is replaced is not copied before, where it lies together.
  if (count == 1 || step == 1) {
    const std::int64_t behind = start + count, rest = result.extents[index(axis)] - behind;
    convert(along(x, axis, 0, start), along(result, axis, 0, start), workers);
    convert(along(x, axis, behind, rest), along(result, axis, behind, rest), workers);
  } else {
    convert(x, result, workers);
  }
  const Data part = along(result, axis, start, count, step);
  // The value may have been computed in its place.
  if (operands[1]->at != part.at) convert(*operands[1], part, workers);
}

// attributes.extents[0]: how often each element of the axis stands in the result.
Type infer_repeat(std::span<const Type* const> operands, Attributes& attributes, Extents& extents) {
  Type result = *operands[0];
  result.weak = false;
  attributes.axis = checked_axis(attributes.axis, result.rank, "repeat");
  Extent& extent = result.extents[index(attributes.axis)];
  extent = extents.product(extent, attributes.extents[0]);
  return result;
}

void run_repeat(std::span<const Data* const> operands, const Attributes& attributes, const Data& result,
                const Workers& workers) {
  if (result.size() == 0) return;
  const std::size_t axis = index(attributes.axis);
  const std::int64_t count = attributes.values[0], n = operands[0]->extents[axis], step = result.strides[axis];
  // The same place of all runs of equal elements, or one run after the other: what is less often.
  const bool by_place = count <= n;
  for (std::int64_t i = 0; i < std::min(count, n); ++i) {
    Data from = *operands[0], to = result;
    to.at += i * step * (by_place ? 1 : count);
    to.extents[axis] = std::max(count, n);
    to.strides[axis] = step * (by_place ? count : 1);
    if (!by_place) {
      from.at += i * from.strides[axis];
      from.extents[axis] = 1;
    }
    convert(from, to, workers);
  }
}

constexpr Structural table[] = {
    {"reduce", &infer_reduce, &run_reduce, &batch_rules::one_operand, false, Work::one_each},
    {"cumulative", &infer_cumulative, &run_cumulative, &batch_rules::one_operand, false, Work::one_each},
    {"concat", &infer_concat, &run_concat, &batch_rules::concat},
    {"take", &infer_take, &run_take, &batch_rules::take, true},
    {"matmul", &infer_matmul, &run_matmul, &batch_rules::matmul, false, Work::product_sum},
    {"update", &infer_update, &run_update, &batch_rules::update},
    {"repeat", &infer_repeat, &run_repeat, &batch_rules::one_operand},
};

}  // namespace

const Structural& structural_of(StructuralId id) { return table[static_cast<std::size_t>(id)]; }

namespace {

consteval StructuralId row(std::string_view name) {
  std::size_t i = 0;
  while (name != table[i].name) ++i;  // not a constant where there is no such row
  return static_cast<StructuralId>(i);
}

}  // namespace

StructuralId structural::reduce() { return row("reduce"); }
StructuralId structural::cumulative() { return row("cumulative"); }
StructuralId structural::concat() { return row("concat"); }
StructuralId structural::take() { return row("take"); }
StructuralId structural::update() { return row("update"); }
StructuralId structural::matmul() { return row("matmul"); }
StructuralId structural::repeat() { return row("repeat"); }

}  // namespace frit::arrays
