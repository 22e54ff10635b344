// The public products of matrices, in terms of the table of structural operations.
#include "frit/linear.hpp"

#include <fmt/format.h>

#include "arrays/structural.hpp"
#include "arrays/trace.hpp"
#include "arrays/value.hpp"
#include "frit/error.hpp"

namespace frit {

using arrays::Access;
using arrays::Type;

namespace {

const Array& array_of(const Operand& x, std::string_view what) { return arrays::array_of(x, what, "two arrays"); }

// The axes of one operand of tensordot: those that are summed over, and the others, by their numbers.
struct Parted {
  std::vector<int> summed, free;
  std::uint32_t summed_mask = 0;

  Parted(const std::vector<int>& axes, int rank) {
    for (const int axis : axes) {
      const int i = arrays::checked_axis(axis, rank, "tensordot");
      if ((summed_mask >> i & 1u) != 0) throw Error(ErrorCode::axis_range, fmt::format("tensordot: axis {} twice", i));
      summed_mask |= 1u << i;
      summed.push_back(i);
    }
    for (int i = 0; i < rank; ++i)
      if ((summed_mask >> i & 1u) == 0) free.push_back(i);
  }
};

}  // namespace

Array matmul(const Operand& a, const Operand& b) {
  array_of(a, "matmul");
  array_of(b, "matmul");
  return arrays::apply(arrays::structural::matmul(), {}, std::array{&a, &b});
}

Array tensordot(const Operand& a, const Operand& b, const std::vector<int>& axes_a, const std::vector<int>& axes_b) {
  const Array &x = array_of(a, "tensordot"), &y = array_of(b, "tensordot");
  if (axes_a.size() != axes_b.size())
    throw Error(ErrorCode::axis_range, fmt::format("tensordot: {} axes of the first array and {} of the second",
                                                   axes_a.size(), axes_b.size()));
  const Parted of_x(axes_a, x.rank()), of_y(axes_b, y.rank());
  arrays::Numbers numbers;
  arrays::Extents& extents = extents_of(arrays::home_of(std::array{&a, &b}), numbers);
  for (std::size_t i = 0; i < axes_a.size(); ++i) {
    const Extent p = x.extent(of_x.summed[i]), q = y.extent(of_y.summed[i]);
    if (!identical(p, q) && !extents.equal(p, q))
      throw Error(ErrorCode::shape_mismatch,
                  fmt::format("tensordot of {} and {}: axis {} of the first has extent {}, axis {} of the second {}",
                              text_of(Access::value(x).type, extents), text_of(Access::value(y).type, extents),
                              of_x.summed[i], extents.text(p), of_y.summed[i], extents.text(q)));
  }
  const std::uint32_t all_x = (1u << x.rank()) - 1u, all_y = (1u << y.rank()) - 1u;
  std::vector<int> order_x = of_x.free, order_y = of_y.summed;
  order_x.insert(order_x.end(), of_x.summed.begin(), of_x.summed.end());
  order_y.insert(order_y.end(), of_y.free.begin(), of_y.free.end());
  std::vector<Extent> shape;
  for (const int i : of_x.free) shape.push_back(x.extent(i));
  for (const int i : of_y.free) shape.push_back(y.extent(i));
  const Extent inner = arrays::elements_over(x, of_x.summed_mask);
  const Array left =
      x.transpose(order_x, a.where).reshape({arrays::elements_over(x, all_x & ~of_x.summed_mask), inner}, a.where);
  const Array right =
      y.transpose(order_y, b.where).reshape({inner, arrays::elements_over(y, all_y & ~of_y.summed_mask)}, b.where);
  return matmul(Operand(left, a.where), Operand(right, b.where)).reshape(shape, a.where);
}

Array tensordot(const Operand& a, const Operand& b, int axes) {
  const int rank = array_of(a, "tensordot").rank();
  if (axes < 0 || axes > rank || axes > array_of(b, "tensordot").rank())
    throw Error(ErrorCode::axis_range,
                fmt::format("tensordot over {} axes of arrays of rank {} and {}", axes, rank, b.array.rank()));
  std::vector<int> last, first;
  for (int i = 0; i < axes; ++i) {
    last.push_back(rank - axes + i);
    first.push_back(i);
  }
  return tensordot(a, b, last, first);
}

}  // namespace frit
