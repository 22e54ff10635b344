#include "frit/composite.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "arrays/value.hpp"
#include "frit/functions.hpp"

namespace frit {

using arrays::at;

namespace {

enum class Kinds { numbers, real_numbers };

DType checked_dtype(const Operand& x, std::string_view what, Kinds taken) {
  const DType dtype = arrays::array_of(x, what).dtype();
  if (dtype == DType::boolean || (taken == Kinds::real_numbers && is_complex(dtype)))
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("{} takes {}, not {}", what, taken == Kinds::numbers ? "numbers" : "real numbers",
                            dtype == DType::boolean ? "booleans" : "complex ones"));
  return dtype;
}

Operand infinity(const Operand& like) { return Operand(std::numeric_limits<double>::infinity(), like.where); }

using OfParts = Array (*)(const Operand& a, const Operand& b);

// test(re) and test(im), joined.
template <class Test> Array of_parts(const Operand& z, OfParts join, Test test) {
  return join(at(test(at(real(z), z)), z), at(test(at(imag(z), z)), z));
}

}  // namespace

Array isnan(const Operand& x) {
  checked_dtype(x, "isnan", Kinds::numbers);
  return not_equal(x, x);
}

// NOTE: of a complex number not by abs, which overflows.
Array isinf(const Operand& x) {
  const DType dtype = checked_dtype(x, "isinf", Kinds::numbers);
  if (is_complex(dtype)) return of_parts(x, logical_or, isinf);
  return is_integer(dtype) ? not_equal(x, x) : equal(at(abs(x), x), infinity(x));
}

Array isfinite(const Operand& x) {
  const DType dtype = checked_dtype(x, "isfinite", Kinds::numbers);
  if (is_complex(dtype)) return of_parts(x, logical_and, isfinite);
  return is_integer(dtype) ? equal(x, x) : less(at(abs(x), x), infinity(x));
}

// -0 is the zero whose reciprocal is below zero.
Array signbit(const Operand& x) {
  const DType dtype = checked_dtype(x, "signbit", Kinds::real_numbers);
  const Operand zero(0, x.where);
  Array below = less(x, zero);
  if (is_integer(dtype)) return below;
  return logical_or(at(below, x), at(less(at(reciprocal(x), x), zero), x));
}

Array copysign(const Operand& x, const Operand& sign) {
  // The choice of `x` has the dtype and the shape of both.
  const Array chosen = where(Operand(true, x.where), x, sign);
  if (!is_real_floating(chosen.dtype()))
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("copysign takes real floating numbers, not {}", name_of(chosen.dtype())));
  const Operand magnitude = at(abs(at(chosen, x)), x);
  if (sign.kind == Operand::Kind::array) return where(at(signbit(sign), sign), at(negate(magnitude), x), magnitude);
  const bool negative = sign.kind == Operand::Kind::floating
                            ? std::signbit(sign.number.real()) && !std::isnan(sign.number.real())
                            : sign.integer < 0;
  return negative ? negate(magnitude) : magnitude.array;
}

Array clip(const Operand& x, const Operand& least, const Operand& most) {
  checked_dtype(x, "clip", Kinds::real_numbers);
  return maximum(at(minimum(x, most), x), least);
}

Array positive(const Operand& x) {
  checked_dtype(x, "positive", Kinds::numbers);
  return x.array;
}

}  // namespace frit
