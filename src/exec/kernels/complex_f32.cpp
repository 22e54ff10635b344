// Kernels of complex division, roots and elementary functions, f32.
#include "exec/kernels/body.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {

void fill_complex_f32(exec::KernelTable& table) { fill<float, ComplexElementary>(table); }

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
