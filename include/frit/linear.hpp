// Products of matrices.
//
// Each element is a fixed function of its row and its column (docs/numerics.md), so its bits do not depend on strides, threads
// or the mode. dtypes are promoted; integers wrap. A real operand beside a complex one stays real.
#pragma once

#include <vector>

#include "frit/array.hpp"

namespace frit {

// Of the last two axes of a and b; those before are repeated as operations on elements repeat them. An operand of rank 1 is a row
// in front and a column behind, and the result lacks that axis. Without anything to add, elements are 0. Errors: shape_mismatch
// where the last axis of a and the last but one of b differ, dtype_mismatch for booleans.
Array matmul(const Operand& a, const Operand& b);
// The sums of products over the axes of a and b that are named pairwise, then the other axes of a and those of b. With a number:
// over so many of the last axes of a and the first of b. Errors: axis_range, shape_mismatch, dtype_mismatch.
Array tensordot(const Operand& a, const Operand& b, const std::vector<int>& axes_a, const std::vector<int>& axes_b);
Array tensordot(const Operand& a, const Operand& b, int axes = 2);

}  // namespace frit
