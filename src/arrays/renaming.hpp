// Kernels of the ops that only rename parts (real, imag, conj, ...). A plan carries them out without a step; alone they copy.
#pragma once

#include "exec/kernel_table.hpp"

namespace frit::arrays {

// nullptr where the op does work, or has no such form.
exec::TileKernel renaming_kernel(OpId op, unsigned form, DType real);

}  // namespace frit::arrays
