// The matrix product of arrays, one row of the table of structural operations.
#pragma once

#include "arrays/structural.hpp"

namespace frit::arrays {

Type infer_matmul(std::span<const Type* const> operands, Attributes& attributes, Extents& extents);
void run_matmul(std::span<const Data* const> operands, const Attributes& attributes, const Data& result,
                const Workers& workers);

}  // namespace frit::arrays
