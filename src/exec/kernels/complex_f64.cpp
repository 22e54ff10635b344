// Kernels of complex division, roots and elementary functions, f64.
#include "exec/kernels/body.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {

void fill_complex_f64(exec::KernelTable& table) { fill<double, ComplexElementary>(table); }

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
