// The kernels of the ops over FRIT_WIDTH f64, and as many bytes of f32, or one lane of each: for tests/modes/kernel_hashes.cpp.
#include "exec/kernels/body.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {
namespace {

using Doubles = lanes::Native<double, FRIT_WIDTH>;
using Floats = lanes::Native<float, FRIT_WIDTH == 1 ? 1 : 2 * FRIT_WIDTH>;

}  // namespace

void fill_cheap(exec::KernelTable& table) {
  fill<float, Cheap, Floats>(table);
  fill<double, Cheap, Doubles>(table);
}
void fill_elementary_f32(exec::KernelTable& table) { fill<float, RealElementary, Floats>(table); }
void fill_elementary_f64(exec::KernelTable& table) { fill<double, RealElementary, Doubles>(table); }
void fill_complex_f32(exec::KernelTable& table) { fill<float, ComplexElementary, Floats>(table); }
void fill_complex_f64(exec::KernelTable& table) { fill<double, ComplexElementary, Doubles>(table); }

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
