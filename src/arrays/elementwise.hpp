// One element-wise op over whole arrays, by the kernels of the op table.
#pragma once

#include <sys/types.h>

#include <span>

#include "arrays/type.hpp"
#include "exec/kernel_table.hpp"

namespace frit::arrays {

struct Workers {
  const exec::KernelTable* table = nullptr;
  int threads = 1;
  pid_t process = 0;  // whose the threads are
};

// `result` has the broadcast shape, is contiguous and shares no element with an operand. Errors: integer_domain, which names the
// first element that has no integer result.
void run_elementwise(const Elementwise& op, std::span<const Data* const> operands, const Data& result,
                     const Workers& workers);
// Converts n elements of real dtypes to a run of them.
void convert_run(const exec::KernelTable& table, const std::byte* from, DType from_dtype, std::int64_t stride,
                 std::byte* to, DType to_dtype, std::int64_t n);
// Converts every element.
void convert(const Data& from, const Data& result, const Workers& workers);

}  // namespace frit::arrays
