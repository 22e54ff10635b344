// Functions of the Python array API standard that are written in the ops of functions.hpp. Operands broadcast, and C++ numbers
// are weak, as there. At least one operand is an array. Errors: dtype_mismatch, shape_mismatch; usage where there is no array.
#pragma once

#include "frit/array.hpp"

namespace frit {

// Whether an element, or a part of a complex one, is NaN or infinite; booleans. An infinity beside a NaN is an infinity and a
// NaN. Of integers: all are finite. Not of booleans.
Array isnan(const Operand& x);
Array isinf(const Operand& x);
Array isfinite(const Operand& x);

// Whether a real number is below zero or -0. The sign of a NaN is never observed: it counts as positive.
Array signbit(const Operand& x);
// The magnitude of `x` with the sign of `sign`, which is positive for a NaN. Real; the dtypes are promoted.
Array copysign(const Operand& x, const Operand& sign);

// maximum(minimum(x, most), least): NaN where one of them is, `least` where it exceeds `most`. Of real numbers and integers.
Array clip(const Operand& x, const Operand& least, const Operand& most);

// The array itself. Not of booleans.
Array positive(const Operand& x);

}  // namespace frit
