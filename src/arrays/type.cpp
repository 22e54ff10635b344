#include "arrays/type.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frit/error.hpp"
#include "ops/table.hpp"

namespace frit::arrays {
namespace {

std::size_t index(int axis) { return static_cast<std::size_t>(axis); }

// Of numbers, in the order of promotion between kinds.
int kind_of(DType t) { return t == DType::boolean ? 0 : is_integer(t) ? 1 : is_real_floating(t) ? 2 : 3; }

bool is_unsigned(DType t) { return t >= DType::u8 && t <= DType::u64; }

DType promote_integers(DType a, DType b, std::string_view what) {
  if (is_unsigned(a) == is_unsigned(b)) return std::max(a, b);
  if (is_unsigned(a)) std::swap(a, b);
  // The narrowest signed dtype that holds both.
  const std::size_t bytes = std::max(size_of(a), 2 * size_of(b));
  if (bytes > 8)
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("{}: {} and {} have no common dtype; convert one of them with astype", what, name_of(a),
                            name_of(b)));
  return bytes == 2 ? DType::i16 : bytes == 4 ? DType::i32 : DType::i64;
}

// An integer dtype beside a floating one, as NumPy 2: 8 and 16 bits fit f32, wider ones take f64.
DType floating_for(DType integer) { return size_of(integer) <= 2 ? DType::f32 : DType::f64; }

DType promote_floating(DType a, DType b) {
  const bool wide = size_of(real_of(a)) == 8 || size_of(real_of(b)) == 8;
  const DType real = wide ? DType::f64 : DType::f32;
  return is_complex(a) || is_complex(b) ? complex_of(real) : real;
}

}  // namespace

DType default_dtype(Operand::Kind kind) {
  switch (kind) {
    case Operand::Kind::boolean: return DType::boolean;
    case Operand::Kind::integer: return DType::i64;
    case Operand::Kind::complex: return DType::c128;
    default: return DType::f64;
  }
}

DType promote(const Type& a, const Type& b, std::string_view what) {
  const int kind_a = kind_of(a.dtype), kind_b = kind_of(b.dtype);
  if (kind_a == 0 && kind_b == 0) return DType::boolean;
  if (a.weak != b.weak) {
    const Type& strong = a.weak ? b : a;
    const int weak_kind = a.weak ? kind_a : kind_b, strong_kind = a.weak ? kind_b : kind_a;
    if (strong_kind == 0) return a.weak ? a.dtype : b.dtype;
    if (weak_kind <= strong_kind) return strong.dtype;
    if (strong_kind == 1) return weak_kind == 2 ? DType::f64 : DType::c128;
    return complex_of(strong.dtype);
  }
  if (kind_a == 0) return b.dtype;
  if (kind_b == 0) return a.dtype;
  if (kind_a == 1 && kind_b == 1) return promote_integers(a.dtype, b.dtype, what);
  if (kind_a == 1) return promote_floating(floating_for(a.dtype), b.dtype);
  if (kind_b == 1) return promote_floating(a.dtype, floating_for(b.dtype));
  return promote_floating(a.dtype, b.dtype);
}

void broadcast_into(Type& result, const Type& operand, std::string_view what, Extents& extents) {
  if (operand.rank > result.rank) {
    const int extra = operand.rank - result.rank;
    std::copy_backward(result.extents.begin(), result.extents.begin() + result.rank,
                       result.extents.begin() + operand.rank);
    std::copy_n(operand.extents.begin(), extra, result.extents.begin());
    result.rank = operand.rank;
  }
  for (int i = 1; i <= operand.rank; ++i) {
    Extent& a = result.extents[index(result.rank - i)];
    const Extent& b = operand.extents[index(operand.rank - i)];
    if (identical(a, b)) continue;
    // A literal 1 first, since that says nothing of the other extent.
    if (!b.is_symbolic() && b.constant() == 1) continue;
    if (!a.is_symbolic() && a.constant() == 1) {
      a = b;
      continue;
    }
    if (extents.equal(a, b) || extents.is_one(b)) continue;
    if (!extents.is_one(a))
      throw Error(
          ErrorCode::shape_mismatch,
          fmt::format("{}: shapes {} and {} do not broadcast: axis {} from the last has extents {} and {}", what,
                      text_of(result, extents), text_of(operand, extents), i, extents.text(a), extents.text(b)));
    a = b;
  }
}

Elementwise infer(OpId op, std::span<const Type* const> operands, Extents& extents) {
  const OpInfo& info = info_of(op);
  Elementwise out;
  out.op = op;
  out.count = static_cast<int>(operands.size());
  if (out.count != info.arity)
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("{} takes {} operands, not {}", info.name, info.arity, out.count));
  const auto refuse = [&](std::string_view wants) {
    std::string kinds;
    for (const Type* operand : operands)
      kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", name_of(operand->dtype));
    throw Error(ErrorCode::dtype_mismatch, fmt::format("{} takes {}; the operands are {}", info.name, wants, kinds));
  };
  const bool logical = info.type == TypeRule::logical, chooses = info.type == TypeRule::select;
  if (logical || chooses) {
    for (int i = 0; i < (chooses ? 1 : out.count); ++i) {
      if (operands[index(i)]->dtype != DType::boolean) refuse(chooses ? "a boolean condition" : "booleans");
      out.operands[index(i)] = DType::boolean;
    }
  }
  if (!logical) {
    // The common dtype of the numbers.
    const int first = chooses ? 1 : 0;
    Type common = *operands[index(first)];
    for (int i = first + 1; i < out.count; ++i) {
      const Type& next = *operands[index(i)];
      const DType dtype = promote(common, next, info.name);
      common.weak = common.weak && next.weak;
      common.dtype = dtype;
    }
    if (common.dtype == DType::boolean) refuse("numbers; convert booleans with astype");
    out.integer = is_integer(common.dtype) && info.integers;
    if (!out.integer && info.type == TypeRule::integer) refuse("integers");
    if (!out.integer && is_integer(common.dtype)) common.dtype = DType::f64;
    bool any_complex = false;
    unsigned form = 0;
    for (int i = first; i < out.count; ++i) {
      const DType dtype = operands[index(i)]->dtype;
      const bool complex = is_complex(dtype) || (chooses && is_complex(common.dtype));
      any_complex = any_complex || complex;
      if (complex) form |= 1u << i;
      out.operands[index(i)] = complex ? complex_of(real_of(common.dtype)) : real_of(common.dtype);
    }
    if (!out.integer && (forms_of(op) >> form & 1u) == 0) {
      // Where there is no mixed form, a real operand becomes complex.
      const unsigned all = (1u << out.count) - (chooses ? 2u : 1u);
      if (form == 0 || (forms_of(op) >> all & 1u) == 0) refuse("real numbers");
      for (int i = first; i < out.count; ++i) out.operands[index(i)] = complex_of(real_of(common.dtype));
    }
    const DType real = real_of(common.dtype);
    switch (info.type) {
      case TypeRule::arithmetic:
      case TypeRule::select: out.result.dtype = any_complex ? complex_of(real) : real; break;
      case TypeRule::integer:
      case TypeRule::real:
      case TypeRule::to_real: out.result.dtype = real; break;
      case TypeRule::to_complex: out.result.dtype = complex_of(real); break;
      case TypeRule::compare:
      case TypeRule::logical: out.result.dtype = DType::boolean; break;
    }
    out.result.weak = common.weak && info.type != TypeRule::compare;
  } else {
    out.result.dtype = DType::boolean;
  }
  for (const Type* operand : operands) broadcast_into(out.result, *operand, info.name, extents);
  return out;
}

int checked_axis(int axis, int rank, std::string_view what) {
  if (axis < -rank || axis >= rank)
    throw Error(ErrorCode::axis_range,
                rank == 0 ? fmt::format("{}: axis {} of an array of rank 0, which has no axes", what, axis)
                          : fmt::format("{}: axis {} of an array of rank {}; axes are {} to {}", what, axis, rank,
                                        -rank, rank - 1));
  return axis < 0 ? axis + rank : axis;
}

View slice_view(const Type& from, int axis, const Slice& slice, Type& result, Extents& extents) {
  View view;
  view.axis = checked_axis(axis, from.rank, "slice");
  view.step = slice.step;
  if (slice.step == 0) throw Error(ErrorCode::index_range, "slice: the step is 0");
  const Extent n = from.extents[index(view.axis)];
  const bool forward = slice.step > 0;
  // A bound as Python has it: from the end where it is negative, then cut to [low, high].
  const auto bound = [&](std::int64_t value, std::int64_t low) -> Extent {
    if (value >= 0) {
      const Extent high = forward ? n : extents.sum(n, 1, -1);
      return extents.at_least(extents.sum(high, value, -1), 0) ? Extent(value) : high;
    }
    const Extent from_end = extents.sum(n, value, 1);
    return extents.at_least(from_end, low) ? from_end : Extent(low);
  };
  const std::int64_t low = forward ? 0 : -1;
  const Extent start = slice.start ? bound(*slice.start, low) : forward ? Extent(0) : extents.sum(n, 1, -1);
  const Extent stop = slice.stop ? bound(*slice.stop, low) : forward ? n : Extent(-1);
  // The number of elements: the distance over the step, rounded up, not below 0.
  const Extent distance = forward ? extents.sum(stop, start, -1) : extents.sum(start, stop, -1);
  const std::int64_t step = forward ? slice.step : slice.step == INT64_MIN ? INT64_MAX : -slice.step;
  result = from;
  result.extents[index(view.axis)] = extents.at_least(distance, 1)
                                         ? extents.sum(extents.quotient(extents.sum(distance, 1, -1), step), 1, 1)
                                         : Extent(0);
  view.start = start;
  return view;
}

View index_view(const Type& from, int axis, std::int64_t element, Type& result, Extents& extents) {
  View view;
  view.axis = checked_axis(axis, from.rank, "index");
  view.drop = true;
  const Extent n = from.extents[index(view.axis)];
  // No axis has as many elements as the least and the greatest number would need.
  const bool extreme = element == INT64_MIN || element == INT64_MAX;
  if (extreme || !extents.at_least(n, element >= 0 ? element + 1 : -element))
    throw Error(ErrorCode::index_range,
                fmt::format("index: element {} of axis {}, which has extent {}", element, view.axis, extents.text(n)));
  view.start = element >= 0 ? Extent(element) : extents.sum(n, element, 1);
  result = from;
  result.rank = from.rank - 1;
  std::copy(from.extents.begin() + view.axis + 1, from.extents.begin() + from.rank, result.extents.begin() + view.axis);
  return view;
}

View transpose_view(const Type& from, std::span<const int> axes, Type& result) {
  View view;
  view.kind = View::Kind::transpose;
  if (!axes.empty() && static_cast<int>(axes.size()) != from.rank)
    throw Error(ErrorCode::axis_range,
                fmt::format("transpose: {} axes for an array of rank {}", axes.size(), from.rank));
  result = from;
  unsigned seen = 0;
  for (int i = 0; i < from.rank; ++i) {
    const int axis = axes.empty() ? from.rank - 1 - i : checked_axis(axes[index(i)], from.rank, "transpose");
    if ((seen >> axis & 1u) != 0) throw Error(ErrorCode::axis_range, fmt::format("transpose: axis {} twice", axis));
    seen |= 1u << axis;
    view.axes[index(i)] = static_cast<std::uint8_t>(axis);
    result.extents[index(i)] = from.extents[index(axis)];
  }
  return view;
}

View expand_view(const Type& from, int axis, Type& result) {
  View view;
  view.kind = View::Kind::expand;
  if (from.rank == max_rank)
    throw Error(ErrorCode::axis_range, fmt::format("expand_dims: an array has at most {} axes", max_rank));
  view.axis = checked_axis(axis, from.rank + 1, "expand_dims");
  result = from;
  ++result.rank;
  std::copy_backward(from.extents.begin() + view.axis, from.extents.begin() + from.rank,
                     result.extents.begin() + result.rank);
  result.extents[index(view.axis)] = 1;
  return view;
}

View broadcast_view(const Type& from, std::span<const Extent> shape, Type& result, Extents& extents) {
  View view;
  view.kind = View::Kind::broadcast;
  if (shape.size() > static_cast<std::size_t>(max_rank))
    throw Error(ErrorCode::axis_range, fmt::format("broadcast_to: an array has at most {} axes", max_rank));
  result = from;
  result.rank = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), result.extents.begin());
  bool fits = from.rank <= result.rank;
  for (int i = 1; fits && i <= from.rank; ++i) {
    const Extent& own = from.extents[index(from.rank - i)];
    const Extent& wanted = result.extents[index(result.rank - i)];
    fits = identical(own, wanted) || (!own.is_symbolic() && own.constant() == 1) || extents.equal(own, wanted) ||
           extents.is_one(own);
  }
  for (const Extent& extent : shape) fits = fits && extents.at_least(extent, 0);
  if (!fits)
    throw Error(ErrorCode::shape_mismatch, fmt::format("broadcast_to: {} does not broadcast to {}",
                                                       text_of(from, extents), text_of(result, extents)));
  return view;
}

View reshape_view(const Type& from, std::span<const Extent> shape, Type& result, Extents& extents) {
  View view;
  view.kind = View::Kind::reshape;
  if (shape.size() > static_cast<std::size_t>(max_rank))
    throw Error(ErrorCode::axis_range, fmt::format("reshape: an array has at most {} axes", max_rank));
  Extent all = 1, known = 1;
  for (const Extent& extent : from.shape()) all = extents.product(all, extent);
  int open = -1;
  result = from;
  result.rank = static_cast<int>(shape.size());
  for (int i = 0; i < result.rank; ++i) {
    const Extent& extent = shape[index(i)];
    result.extents[index(i)] = extent;
    if (!extent.is_symbolic() && extent.constant() == -1) {
      if (open >= 0) throw Error(ErrorCode::shape_mismatch, "reshape: two extents are -1");
      open = i;
      continue;
    }
    if (!extents.at_least(extent, 0))
      throw Error(ErrorCode::shape_mismatch, fmt::format("reshape: extent {} is negative", extents.text(extent)));
    known = extents.product(known, extent);
  }
  if (open >= 0) {
    // What is left must be said by numbers, or be what cancels.
    Extent left = 0;
    bool fits = true;
    if (identical(known, Extent(1))) {
      left = all;
    } else if (!known.is_symbolic() && known.constant() > 0) {
      left = extents.quotient(all, known.constant());
      fits = extents.equal(extents.product(left, known), all);
    } else {
      // One extent is what is said, and the others are left.
      bool skipped = false;
      left = 1;
      for (const Extent& extent : from.shape()) {
        const bool is_known = !skipped && identical(extent, known);
        skipped = skipped || is_known;
        if (!is_known) left = extents.product(left, extent);
      }
      fits = skipped && extents.at_least(known, 1);
    }
    if (!fits)
      throw Error(ErrorCode::shape_mismatch,
                  fmt::format("reshape: the {} elements of {} can't be shared out over extents whose product is {}",
                              extents.text(all), text_of(from, extents), extents.text(known)));
    result.extents[index(open)] = left;
    return view;
  }
  if (!identical(all, known) && !extents.equal(all, known))
    throw Error(ErrorCode::shape_mismatch,
                fmt::format("reshape: {} has {} elements and {} has {}", text_of(from, extents), extents.text(all),
                            text_of(result, extents), extents.text(known)));
  return view;
}

void check_fits(std::int64_t value, DType dtype) {
  const int bits = static_cast<int>(8 * size_of(dtype));
  const bool fits = is_unsigned(dtype) ? value >= 0 && (bits == 64 || value >> bits == 0)
                                       : bits == 64 || (value >= -(std::int64_t{1} << (bits - 1)) &&
                                                        value < std::int64_t{1} << (bits - 1));
  if (!fits)
    throw Error(
        ErrorCode::integer_domain,
        fmt::format(
            "the integer {} does not fit {}, which it takes from the array beside it; convert the array with astype",
            value, name_of(dtype)));
}

void check_conversion(DType from, DType to) {
  if (is_complex(from) && !is_complex(to))
    throw Error(
        ErrorCode::dtype_mismatch,
        fmt::format("astype: {} to {} would drop the imaginary part; take real(x) first", name_of(from), name_of(to)));
}

std::string text_of(const Type& type, const Extents& extents) {
  std::string out = fmt::format("{}[", name_of(type.dtype));
  for (int i = 0; i < type.rank; ++i)
    out += fmt::format("{}{}", i == 0 ? "" : ", ", extents.text(type.extents[index(i)]));
  return out + "]";
}

}  // namespace frit::arrays
