// Arrays: immutable values with a dtype, a rank of 0 to 8 and a shape. Operations on the arrays of an engine run as they are
// written (eager mode); on the arrays of a function that is being traced they are recorded.
//
//   frit::Engine engine;
//   frit::Array x = frit::array(engine, std::vector<double>{0.0, 0.5, 1.0});
//   frit::Array y = exp(sin(x)) * 2.0;
//   std::vector<double> values = y.values<double>();
//
// dtypes are promoted as the Python array API standard (2024.12) says; C++ numbers are weak scalars, which take the dtype of
// the array beside them where their kind allows it. Shapes broadcast. An error names the line of the caller.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "frit/dtype.hpp"
#include "frit/error.hpp"

namespace frit {

class Array;
class Engine;

namespace arrays {
struct Value;
struct Terms;
struct Access;

// Throws integer_domain where a C++ integer is beyond i64, which a number in an expression may not be.
template <std::integral I> constexpr std::int64_t checked(I n) {
  if constexpr (std::is_unsigned_v<I> && sizeof(I) == 8) {
    if (n > static_cast<I>(INT64_MAX))
      throw Error(ErrorCode::integer_domain,
                  "a C++ integer beyond 2^63 - 1; make an array of dtype u64 of it with frit::scalar");
  }
  return static_cast<std::int64_t>(n);
}
}  // namespace arrays

inline constexpr int max_rank = 8;

// A line of the caller, for messages.
// NOTE: not std::source_location, which clang 14 lacks.
struct SourceLine {
  const char* file = "";
  int line = 0;
  static constexpr SourceLine current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

// The size of an array along an axis: a number or, in a function that is being traced, a form of the extents of its arguments,
// which has no value until a call. Sums and differences of extents and numbers are extents.
class Extent {
 public:
  Extent() = default;
  template <std::integral I> Extent(I n) : constant_(arrays::checked(n)) {}
  Extent(std::int64_t constant, const arrays::Terms* terms) : constant_(constant), terms_(terms) {}

  bool is_symbolic() const { return terms_ != nullptr; }
  // Errors: traced_value where the extent is symbolic, for example as the bound of a C++ loop.
  operator std::int64_t() const;

  // Of a symbolic extent the number that is added to its terms.
  std::int64_t constant() const { return constant_; }
  const arrays::Terms* terms() const { return terms_; }
  friend bool identical(const Extent& a, const Extent& b) { return a.constant_ == b.constant_ && a.terms_ == b.terms_; }
  template <std::integral I> friend Extent operator+(Extent a, I b) {
    return {a.constant_ + static_cast<std::int64_t>(b), a.terms_};
  }
  template <std::integral I> friend Extent operator-(Extent a, I b) {
    return {a.constant_ - static_cast<std::int64_t>(b), a.terms_};
  }

 private:
  std::int64_t constant_ = 0;
  const arrays::Terms* terms_ = nullptr;
};

// Which elements of an axis: from `start` up to and without `stop`, by `step`. Negative bounds count from the end, as in
// Python; what lies beyond an end is cut off. Absent bounds are the ends. A negative step goes from the last to the first.
struct Slice {
  std::optional<std::int64_t> start = {};
  std::optional<std::int64_t> stop = {};
  std::int64_t step = 1;
};

class Array {
 public:
  Array() = default;

  DType dtype() const;
  int rank() const;
  // Negative axes count from the last. Errors: axis_range.
  Extent extent(int axis) const;
  std::vector<Extent> shape() const;
  // The number of elements. Errors: traced_value.
  std::int64_t size() const;
  // Whether this stands for a value of a function that is being traced. Inside of vmap elements are not readable either.
  bool is_traced() const;

  // The elements in row-major order. T must be the dtype's type (bool for boolean). NaNs are canonical.
  // Errors: dtype_mismatch, traced_value.
  template <class T> std::vector<T> values() const;
  // The value of an array of one element. Errors: dtype_mismatch, shape_mismatch, traced_value.
  template <class T> T item() const;
  // All elements in row-major order to `to`, of size() * size_of(dtype()) bytes.
  void copy_to(void* to) const;

  // Views, which share the elements of this array.
  Array slice(int axis, Slice elements, SourceLine where = SourceLine::current()) const;
  // One element of an axis, which is then gone. Errors: index_range.
  Array index(int axis, std::int64_t element, SourceLine where = SourceLine::current()) const;
  // axes[i] is the axis of this array that becomes axis i; without axes the order is reversed. Errors: axis_range.
  Array transpose(std::vector<int> axes = {}, SourceLine where = SourceLine::current()) const;
  Array broadcast_to(std::vector<Extent> shape, SourceLine where = SourceLine::current()) const;
  // A new axis of extent 1 at this place.
  Array expand_dims(int axis, SourceLine where = SourceLine::current()) const;
  // A view where the strides allow it, else a copy. At most one extent is -1: what is left. Errors: shape_mismatch.
  Array reshape(std::vector<Extent> shape, SourceLine where = SourceLine::current()) const;
  // The elements in another dtype: floating to integer saturates and gives 0 for NaN; complex to real is an error, take
  // real(x). Errors: dtype_mismatch.
  Array astype(DType dtype, SourceLine where = SourceLine::current()) const;

  // Of a boolean array of one element. Errors: traced_value: a C++ branch on a traced array can't be recorded.
  explicit operator bool() const;

 private:
  friend struct arrays::Access;
  explicit Array(std::shared_ptr<const arrays::Value> value) : value_(std::move(value)) {}
  void check_type(std::size_t size, DType dtype) const;
  std::shared_ptr<const arrays::Value> value_;
};

// The dtype of a C++ type.
template <class T> constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, bool>) return DType::boolean;
  if constexpr (std::is_same_v<T, float>) return DType::f32;
  if constexpr (std::is_same_v<T, double>) return DType::f64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return DType::c64;
  if constexpr (std::is_same_v<T, std::complex<double>>) return DType::c128;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr int log2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<DType>(static_cast<int>(std::is_signed_v<T> ? DType::i8 : DType::u8) + log2);
  }
}

template <class T>
concept ElementType =
    std::is_arithmetic_v<T> || std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

// What an operation takes: an array, or a number that takes its dtype from the arrays beside it.
class Operand {
 public:
  enum class Kind : std::uint8_t { array, boolean, integer, floating, complex };

  Operand(Array a, SourceLine at = SourceLine::current()) : array(std::move(a)), where(at) {}
  template <std::integral I>
  Operand(I n, SourceLine at = SourceLine::current())
      : kind(std::is_same_v<I, bool> ? Kind::boolean : Kind::integer), integer(arrays::checked(n)), where(at) {}
  template <std::floating_point F>
  Operand(F x, SourceLine at = SourceLine::current())
      : kind(Kind::floating), number(static_cast<double>(x)), where(at) {}
  Operand(std::complex<double> z, SourceLine at = SourceLine::current()) : kind(Kind::complex), number(z), where(at) {}
  // As a number: a weak integer, which a traced function computes at each call.
  Operand(Extent n, SourceLine at = SourceLine::current())
      : kind(Kind::integer), integer(n.constant()), extent(n), where(at) {}

  Array array;
  Kind kind = Kind::array;
  std::int64_t integer = 0;
  std::complex<double> number = 0;
  Extent extent;  // symbolic where the number is one
  SourceLine where;
};

// A copy of `elements` as an array of this shape (one axis without it). Errors: shape_mismatch, out_of_memory.
Array array(const Engine& engine, const void* elements, DType dtype, std::span<const std::int64_t> shape);
template <ElementType T>
Array array(const Engine& engine, std::span<const T> elements, std::span<const std::int64_t> shape) {
  return array(engine, elements.data(), dtype_of<T>(), shape);
}
template <ElementType T>
requires(!std::is_same_v<T, bool>) Array array(const Engine& engine, const std::vector<T>& elements) {
  const std::int64_t n = static_cast<std::int64_t>(elements.size());
  return array(engine, elements.data(), dtype_of<T>(), {&n, 1});
}
template <ElementType T> Array array(const Engine& engine, std::initializer_list<T> elements) {
  const std::int64_t n = static_cast<std::int64_t>(elements.size());
  return array(engine, std::data(elements), dtype_of<T>(), {&n, 1});
}
// Rank 0.
template <ElementType T> Array scalar(const Engine& engine, T value) {
  return array(engine, &value, dtype_of<T>(), {});
}

template <class T> std::vector<T> Array::values() const {
  check_type(sizeof(T), dtype_of<T>());
  if constexpr (std::is_same_v<T, bool>) {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(size()));
    copy_to(bytes.data());
    return {bytes.begin(), bytes.end()};
  } else {
    std::vector<T> result(static_cast<std::size_t>(size()));
    copy_to(result.data());
    return result;
  }
}

template <class T> T Array::item() const {
  const std::vector<T> all = values<T>();
  if (all.size() != 1) throw Error(ErrorCode::shape_mismatch, "item() is for arrays of one element");
  return all[0];
}

Array operator+(const Operand& a, const Operand& b);
Array operator-(const Operand& a, const Operand& b);
Array operator*(const Operand& a, const Operand& b);
Array operator/(const Operand& a, const Operand& b);
Array operator%(const Operand& a, const Operand& b);
Array operator<(const Operand& a, const Operand& b);
Array operator<=(const Operand& a, const Operand& b);
Array operator>(const Operand& a, const Operand& b);
Array operator>=(const Operand& a, const Operand& b);
Array operator==(const Operand& a, const Operand& b);
Array operator!=(const Operand& a, const Operand& b);
// Logical on booleans, by bits on integers.
Array operator&(const Operand& a, const Operand& b);
Array operator|(const Operand& a, const Operand& b);
Array operator^(const Operand& a, const Operand& b);
Array operator~(const Operand& a);
Array operator-(const Operand& a);

}  // namespace frit
