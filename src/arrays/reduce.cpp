// The public functions over axes, in terms of the table of structural operations.
#include "frit/reduce.hpp"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "arrays/structural.hpp"
#include "arrays/trace.hpp"
#include "arrays/value.hpp"
#include "frit/engine.hpp"
#include "frit/functions.hpp"
#include "ops/reduce.hpp"

namespace frit {

using arrays::Access;
using arrays::array_of;
using arrays::at;
using arrays::Attributes;

namespace {

// Bit i of the result is set where axis i is named.
std::uint32_t mask_of(const Axes& axes, int rank, std::string_view what) {
  if (axes.all) return (1u << rank) - 1u;
  std::uint32_t mask = 0;
  for (const int axis : axes.axes) {
    const int i = arrays::checked_axis(axis, rank, what);
    if ((mask >> i & 1u) != 0) throw Error(ErrorCode::axis_range, fmt::format("{}: axis {} twice", what, i));
    mask |= 1u << i;
  }
  return mask;
}

template <class Reduction> Array reduce(const Operand& x, const Axes& axes, bool keep) {
  const std::string_view name = Reduction::info.name;
  Attributes attributes;
  attributes.which = ops::reduction_id<Reduction>;
  attributes.axes = mask_of(axes, array_of(x, name).rank(), name);
  attributes.keep = keep;
  return arrays::apply(arrays::structural::reduce(), std::move(attributes), std::array{&x});
}

template <class Reduction> Array cumulate(const Operand& x, int axis) {
  array_of(x, Reduction::info.cumulative);
  Attributes attributes;
  attributes.which = ops::reduction_id<Reduction>;
  attributes.axis = axis;
  return arrays::apply(arrays::structural::cumulative(), std::move(attributes), std::array{&x});
}

// Integers are averaged in f64.
Operand floating(const Operand& x, std::string_view what) {
  const Array& array = array_of(x, what);
  if (array.dtype() == DType::boolean)
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("{} takes numbers, not booleans; convert them with astype", what));
  return is_integer(array.dtype()) ? Operand(array.astype(DType::f64, x.where), x.where) : x;
}

Extent count_of(const Operand& x, const Axes& axes, std::string_view what) {
  return arrays::elements_over(x.array, mask_of(axes, x.array.rank(), what));
}

Array squares(const Operand& x) { return is_complex(x.array.dtype()) ? abs_square(x) : multiply(x, x); }

}  // namespace

Array sum(const Operand& x, const Axes& axes, bool keep) { return reduce<ops::Sum>(x, axes, keep); }
Array prod(const Operand& x, const Axes& axes, bool keep) { return reduce<ops::Product>(x, axes, keep); }
Array min(const Operand& x, const Axes& axes, bool keep) { return reduce<ops::ReduceMinimum>(x, axes, keep); }
Array max(const Operand& x, const Axes& axes, bool keep) { return reduce<ops::ReduceMaximum>(x, axes, keep); }
Array argmin(const Operand& x, const Axes& axes, bool keep) { return reduce<ops::ArgMin>(x, axes, keep); }
Array argmax(const Operand& x, const Axes& axes, bool keep) { return reduce<ops::ArgMax>(x, axes, keep); }
Array any(const Operand& x, const Axes& axes, bool keep) { return reduce<ops::Any>(x, axes, keep); }
Array all(const Operand& x, const Axes& axes, bool keep) { return reduce<ops::All>(x, axes, keep); }
Array count_nonzero(const Operand& x, const Axes& axes, bool keep) { return reduce<ops::CountNonzero>(x, axes, keep); }
Array cumulative_sum(const Operand& x, int axis) { return cumulate<ops::Sum>(x, axis); }
Array cumulative_prod(const Operand& x, int axis) { return cumulate<ops::Product>(x, axis); }

Array mean(const Operand& x, const Axes& axes, bool keep) {
  const Operand numbers = floating(x, "mean");
  return divide(at(sum(numbers, axes, keep), x), Operand(count_of(numbers, axes, "mean"), x.where));
}

Array var(const Operand& x, const Axes& axes, double correction, bool keep) {
  const Operand numbers = floating(x, "var");
  const Array deviation = subtract(numbers, at(mean(numbers, axes, true), x));
  const Array total = sum(at(squares(at(deviation, x)), x), axes, keep);
  const Operand count(count_of(numbers, axes, "var"), x.where);
  if (correction == 0) return divide(at(total, x), count);
  const Array counted = arrays::number_beside(numbers.array, count);
  const Array divisor = subtract(at(counted, x), Operand(correction, x.where));
  return where(at(greater(at(divisor, x), Operand(0.0, x.where)), x), at(divide(at(total, x), at(divisor, x)), x),
               std::numeric_limits<double>::quiet_NaN());
}

Array std_deviation(const Operand& x, const Axes& axes, double correction, bool keep) {
  return sqrt(at(var(x, axes, correction, keep), x));
}

Array logsumexp(const Operand& x, const Axes& axes, bool keep) {
  const Operand numbers = floating(x, "logsumexp");
  const Array greatest = max(numbers, axes, true);
  // Without a finite greatest element nothing is taken out: the sum is infinite, zero or NaN as it is.
  const Array taken =
      where(at(less(at(abs(at(greatest, x)), x), std::numeric_limits<double>::infinity()), x), at(greatest, x), 0.0);
  const Array total = log(at(sum(at(exp(at(subtract(numbers, at(taken, x)), x)), x), axes, true), x));
  Array result = add(at(total, x), at(taken, x));
  const std::uint32_t mask = mask_of(axes, result.rank(), "logsumexp");
  for (int i = result.rank() - 1; i >= 0 && !keep; --i)
    if ((mask >> i & 1u) != 0) result = result.index(i, 0, x.where);
  return result;
}

Array norm(const Operand& x, const Axes& axes, bool keep) {
  const Operand numbers = floating(x, "norm");
  return sqrt(at(sum(at(squares(numbers), x), axes, keep), x));
}

namespace {

std::vector<Operand> operands_of(const std::vector<Array>& arrays, std::string_view what, SourceLine where) {
  if (arrays.empty()) throw Error(ErrorCode::usage, fmt::format("{} of no arrays", what));
  std::vector<Operand> operands;
  operands.reserve(arrays.size());
  for (const Array& array : arrays) operands.emplace_back(array, where);
  return operands;
}

Array join(const std::vector<Operand>& operands, int axis) {
  Attributes attributes;
  attributes.axis = axis;
  return arrays::apply(arrays::structural::concat(), std::move(attributes), arrays::pointers_to(operands));
}

}  // namespace

Array concat(const std::vector<Array>& list, int axis, SourceLine where) {
  return join(operands_of(list, "concat", where), axis);
}

Array stack(const std::vector<Array>& list, int axis, SourceLine where) {
  std::vector<Operand> operands = operands_of(list, "stack", where);
  for (Operand& operand : operands) operand.array = operand.array.expand_dims(axis, where);
  return join(operands, axis);
}

Array take(const Operand& x, const Operand& indices, int axis) {
  array_of(x, "take");
  array_of(indices, "take");
  Attributes attributes;
  attributes.axis = axis;
  return arrays::apply(arrays::structural::take(), std::move(attributes), std::array{&x, &indices});
}

Array repeat(const Operand& x, std::int64_t count, std::optional<int> axis) {
  const Array& array = array_of(x, "repeat");
  if (count < 0) throw Error(ErrorCode::shape_mismatch, fmt::format("repeat: the count is {}", count));
  const Operand elements = axis ? x : Operand(array.reshape({-1}, x.where), x.where);
  Attributes attributes;
  attributes.axis = axis.value_or(0);
  attributes.extents = {count};
  return arrays::apply(arrays::structural::repeat(), std::move(attributes), std::array{&elements});
}

namespace {

// Place i as often as counts[i] says.
arrays::Data places_of(const std::vector<std::int64_t>& counts) {
  std::int64_t n = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 0)
      throw Error(ErrorCode::shape_mismatch, fmt::format("repeat: count {} of the counts is {}", i, counts[i]));
    n = arrays::added(n, counts[i]);
  }
  arrays::Data places = arrays::make_data(DType::i64, {&n, 1});
  std::byte* to = places.at;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(counts.size()); ++i)
    for (std::int64_t k = 0; k < counts[static_cast<std::size_t>(i)]; ++k, to += sizeof i)
      std::memcpy(to, &i, sizeof i);
  return places;
}

}  // namespace

Array repeat(const Operand& x, const Array& counts, std::optional<int> axis) {
  const Array& array = array_of(x, "repeat");
  if (!axis) return repeat(Operand(array.reshape({-1}, x.where), x.where), counts, 0);
  return arrays::located(x.where, [&] {
    const Operand given(counts, x.where);
    const arrays::Home home = arrays::home_of(std::array{&x, &given});
    if (arrays::has_no_elements(counts))
      throw Error(ErrorCode::traced_value,
                  "repeat: the extent of the result depends on the counts, which are known at a call only; give a "
                  "number, or an array of the surrounding code");
    if (!is_integer(counts.dtype()) || counts.rank() != 1)
      throw Error(ErrorCode::dtype_mismatch, fmt::format("repeat: counts are integers of rank 1, not {} of rank {}",
                                                         name_of(counts.dtype()), counts.rank()));
    const auto each = counts.astype(DType::i64).values<std::int64_t>();
    if (each.size() == 1) return repeat(x, each[0], axis);
    const Extent extent = array.extent(arrays::checked_axis(*axis, array.rank(), "repeat"));
    arrays::Numbers numbers;
    arrays::Extents& extents = extents_of(home, numbers);
    if (!extents.equal(extent, each.size()))
      throw Error(ErrorCode::shape_mismatch, fmt::format("repeat: {} counts for axis {}, which has extent {}",
                                                         each.size(), *axis, extents.text(extent)));
    return take(x, Operand(arrays::eager(home.engine, places_of(each)), x.where), *axis);
  });
}

std::vector<Array> split(const Array& x, const std::vector<std::int64_t>& places, int axis, SourceLine where) {
  std::vector<Array> parts;
  parts.reserve(places.size() + 1);
  for (std::size_t i = 0; i <= places.size(); ++i) {
    Slice slice;
    if (i > 0) slice.start = places[i - 1];
    if (i < places.size()) slice.stop = places[i];
    parts.push_back(x.slice(axis, slice, where));
  }
  return parts;
}

Array update(const Operand& x, int axis, Slice elements, const Operand& value) {
  array_of(x, "update");
  Attributes attributes;
  attributes.axis = axis;
  attributes.slice = elements;
  return arrays::apply(arrays::structural::update(), std::move(attributes), std::array{&x, &value});
}

Array update(const Operand& x, int axis, std::int64_t element, const Operand& value) {
  const Array& array = array_of(x, "update");
  (void)array.index(axis, element, x.where);  // whether there is such an element
  // A value of the other axes gets this one.
  const int rank = array.rank();
  Operand one = value;
  if (value.kind == Operand::Kind::array && value.array.rank() > 0) {
    const int place = axis < 0 ? axis + rank : axis;
    const int missing = rank - 1 - value.array.rank();
    if (place >= missing) one.array = value.array.expand_dims(place - missing, value.where);
  }
  Slice slice{.start = element};
  if (element != -1) slice.stop = element + 1;
  return update(x, axis, slice, one);
}

Array full(const Engine& engine, const std::vector<std::int64_t>& shape, double value, DType dtype) {
  return scalar(engine, value).astype(dtype).broadcast_to({shape.begin(), shape.end()});
}

Array eye(const Engine& engine, std::int64_t rows, std::int64_t columns, DType dtype) {
  return equal(iota(engine, rows).expand_dims(1), iota(engine, columns)).astype(dtype);
}

Array linspace(const Engine& engine, double first, double last, std::int64_t n) {
  const Array places = iota(engine, n, DType::f64);
  if (n < 2) return places + first;
  return update(places * ((last - first) / static_cast<double>(n - 1)) + first, 0, -1, last);
}

Array iota(const Engine& engine, std::int64_t n, DType dtype) {
  if (n < 0) throw Error(ErrorCode::shape_mismatch, fmt::format("iota of {} elements", n));
  arrays::Data data = arrays::make_data(DType::i64, {&n, 1});
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(data.at + 8 * i, &i, sizeof i);
  const Array result = arrays::eager(engine.impl(), std::move(data));
  return dtype == DType::i64 ? result : result.astype(dtype);
}

}  // namespace frit
