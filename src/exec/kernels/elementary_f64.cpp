// Kernels of the real elementary functions, f64.
#include "exec/kernels/body.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {

void fill_elementary_f64(exec::KernelTable& table) { fill<double, RealElementary>(table); }

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
