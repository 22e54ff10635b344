// Kernels of the ops that take a few instructions. Split from the others for compile time only.
#include "exec/kernels/body.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {

void fill_cheap(exec::KernelTable& table) {
  fill<float, Cheap>(table);
  fill<double, Cheap>(table);
  table.canonical_nan[0] = &canonical_nan<float>;
  table.canonical_nan[1] = &canonical_nan<double>;
}

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
