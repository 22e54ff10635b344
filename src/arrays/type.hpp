// What is known of an array without its elements: dtype, rank and extents; and what operations make of it. One set of rules
// for eager arrays, whose extents are numbers, and traced ones, whose extents are symbolic.
#pragma once

#include <array>
#include <span>
#include <string>

#include "arrays/data.hpp"
#include "arrays/extent.hpp"
#include "frit/array.hpp"
#include "ops/info.hpp"

namespace frit::arrays {

struct Type {
  DType dtype = DType::f64;
  bool weak = false;  // of a C++ number: takes the dtype of the arrays beside it
  int rank = 0;
  std::array<Extent, max_rank> extents{};

  std::span<const Extent> shape() const { return std::span(extents).first(static_cast<std::size_t>(rank)); }
  // Of an array in a call with these values of the symbols.
  std::int64_t elements(std::span<const std::int64_t> symbols) const {
    std::int64_t n = 1;
    for (const Extent& extent : shape()) n = multiplied(n, Symbols::evaluate(extent, symbols));
    return n;
  }
};

// Answers what the rules must know of extents. Of numbers it knows all; while a function is traced, an answer that holds for
// the extents of this call alone becomes a condition of the trace.
class Extents {
 public:
  virtual ~Extents() = default;
  virtual bool equal(const Extent& a, const Extent& b) = 0;
  virtual bool is_one(const Extent& a) = 0;
  virtual bool at_least(const Extent& a, std::int64_t least) = 0;
  virtual Extent sum(const Extent& a, const Extent& b, std::int64_t factor) = 0;
  virtual Extent product(const Extent& a, const Extent& b) = 0;
  virtual Extent quotient(const Extent& a, std::int64_t divisor) = 0;
  virtual std::string text(const Extent& a) const = 0;
};

// Of eager arrays.
class Numbers final : public Extents {
 public:
  bool equal(const Extent& a, const Extent& b) override { return a.constant() == b.constant(); }
  bool is_one(const Extent& a) override { return a.constant() == 1; }
  bool at_least(const Extent& a, std::int64_t least) override { return a.constant() >= least; }
  Extent sum(const Extent& a, const Extent& b, std::int64_t factor) override {
    return added(a.constant(), multiplied(factor, b.constant()));
  }
  Extent product(const Extent& a, const Extent& b) override { return multiplied(a.constant(), b.constant()); }
  Extent quotient(const Extent& a, std::int64_t divisor) override { return a.constant() / divisor; }
  std::string text(const Extent& a) const override { return std::to_string(a.constant()); }
};

// The dtype that both have together by the array API's table; a weak one takes the other's where its kind allows it.
// Throws dtype_mismatch, naming `what`, for a boolean with a number and for i64 with u64.
DType promote(const Type& a, const Type& b, std::string_view what);
// The dtype of a weak scalar on its own.
DType default_dtype(Operand::Kind kind);

// An element-wise op on operands of these types. Each operand is converted to `operands[i]` first.
struct Elementwise {
  OpId op{};
  int count = 0;
  std::array<DType, 3> operands{};
  bool integer = false;  // computed by the integer form
  Type result;
};
// Errors: dtype_mismatch, shape_mismatch.
Elementwise infer(OpId op, std::span<const Type* const> operands, Extents& extents);

// The shape that both broadcast to. Errors: shape_mismatch.
void broadcast_into(Type& result, const Type& operand, std::string_view what, Extents& extents);

// Views. `axis` may be negative; what is returned is ready for apply(). Errors: axis_range, index_range, shape_mismatch.
int checked_axis(int axis, int rank, std::string_view what);
View slice_view(const Type& from, int axis, const Slice& slice, Type& result, Extents& extents);
View index_view(const Type& from, int axis, std::int64_t element, Type& result, Extents& extents);
View transpose_view(const Type& from, std::span<const int> axes, Type& result);
View expand_view(const Type& from, int axis, Type& result);
View broadcast_view(const Type& from, std::span<const Extent> shape, Type& result, Extents& extents);
View reshape_view(const Type& from, std::span<const Extent> shape, Type& result, Extents& extents);
// Throws integer_domain where a C++ integer does not fit the integer dtype beside it.
void check_fits(std::int64_t value, DType dtype);
// Whether the elements may be converted: complex to real may not. Throws dtype_mismatch.
void check_conversion(DType from, DType to);

std::string text_of(const Type& type, const Extents& extents);  // "f64[n, 3]"

}  // namespace frit::arrays
