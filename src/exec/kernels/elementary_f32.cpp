// Kernels of the real elementary functions, f32.
#include "exec/kernels/body.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {

void fill_elementary_f32(exec::KernelTable& table) { fill<float, RealElementary>(table); }

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
