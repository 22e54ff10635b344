// Operations over axes of arrays: reductions, cumulative forms, joining and taking elements; arrays made of numbers.
//
// Sums and products combine in an order that depends on the number of elements alone (src/ops/reduce.hpp), so their bits do
// not depend on strides, threads or the mode. Sums and products of integers are i64 or u64 and wrap. min, max, argmin and
// argmax: the first NaN wins, and -0 < +0 for min and max.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frit/array.hpp"

namespace frit {

// Axes to reduce over; none named: all. Negative ones count from the last.
struct Axes {
  Axes() = default;
  Axes(int axis) : axes{axis}, all(false) {}
  Axes(std::vector<int> list) : axes(std::move(list)), all(false) {}
  std::vector<int> axes;
  bool all = true;
};

// The reduced axes are gone, or have extent 1 where `keep` is set. Errors: axis_range, dtype_mismatch; of min, max, argmin
// and argmax of no elements empty_reduction.
Array sum(const Operand& x, const Axes& axes = {}, bool keep = false);
Array prod(const Operand& x, const Axes& axes = {}, bool keep = false);
Array min(const Operand& x, const Axes& axes = {}, bool keep = false);
Array max(const Operand& x, const Axes& axes = {}, bool keep = false);
// The place, i64, in row-major order of the reduced axes: of the first NaN, else of the first among equals.
Array argmin(const Operand& x, const Axes& axes = {}, bool keep = false);
Array argmax(const Operand& x, const Axes& axes = {}, bool keep = false);
// Of any dtype: whether elements are other than zero; NaN is.
Array any(const Operand& x, const Axes& axes = {}, bool keep = false);
Array all(const Operand& x, const Axes& axes = {}, bool keep = false);
Array count_nonzero(const Operand& x, const Axes& axes = {}, bool keep = false);

// sum / number of elements; of integers in f64. NaN of no elements.
Array mean(const Operand& x, const Axes& axes = {}, bool keep = false);
// The sum of |x - mean|^2 over the number of elements less `correction`: the mean first, then the squares.
// NaN where that is not positive.
Array var(const Operand& x, const Axes& axes = {}, double correction = 0, bool keep = false);
Array std_deviation(const Operand& x, const Axes& axes = {}, double correction = 0, bool keep = false);
// log(sum(exp(x))), without overflow: the greatest element is taken out first.
Array logsumexp(const Operand& x, const Axes& axes = {}, bool keep = false);
// sqrt(sum(|x|^2)).
Array norm(const Operand& x, const Axes& axes = {}, bool keep = false);

// Running sums and products along one axis.
Array cumulative_sum(const Operand& x, int axis);
Array cumulative_prod(const Operand& x, int axis);

// Along an axis that they have; the dtypes are promoted. Errors: shape_mismatch where other axes differ.
Array concat(const std::vector<Array>& arrays, int axis = 0, SourceLine where = SourceLine::current());
// Along a new axis.
Array stack(const std::vector<Array>& arrays, int axis = 0, SourceLine where = SourceLine::current());
// The elements of an axis at the places in `indices`, integers of rank 1, negative ones from the end. Errors: index_range for
// a place that the axis does not have, in every mode.
Array take(const Operand& x, const Operand& indices, int axis = 0);
// Each element of the axis `count` times, one behind the other; without an axis those of the array in row-major order.
// Errors: axis_range, shape_mismatch for a negative count.
Array repeat(const Operand& x, std::int64_t count, std::optional<int> axis = {});
// The i-th element counts[i] times; integers of rank 1, one for each element or one for all. The counts decide the extent of the
// result, so they must be known: in a function that is being traced an array of the surrounding code, not a traced one. Errors:
// also traced_value, dtype_mismatch.
Array repeat(const Operand& x, const Array& counts, std::optional<int> axis = {});

// The parts between these places of an axis, as views: split(x, {2, 5}) has elements 0 and 1, 2 to 4, and the rest.
std::vector<Array> split(const Array& x, const std::vector<std::int64_t>& places, int axis = 0,
                         SourceLine where = SourceLine::current());
// `x` with the elements of a slice, or with one element of the axis, replaced by `value`, which broadcasts to them and whose
// dtype must not be the wider one. Errors: shape_mismatch, dtype_mismatch, index_range.
Array update(const Operand& x, int axis, Slice elements, const Operand& value);
Array update(const Operand& x, int axis, std::int64_t element, const Operand& value);

// All elements are `value`.
Array full(const Engine& engine, const std::vector<std::int64_t>& shape, double value, DType dtype = DType::f64);
// Ones where the column is the row, else zeros.
Array eye(const Engine& engine, std::int64_t rows, std::int64_t columns, DType dtype = DType::f64);
// n numbers from `first` to `last`: first + i * ((last - first) / (n - 1)), the last one exactly `last`; f64.
Array linspace(const Engine& engine, double first, double last, std::int64_t n);
// 0, 1, ..., n - 1, converted to the dtype as astype does.
Array iota(const Engine& engine, std::int64_t n, DType dtype = DType::i64);

}  // namespace frit
