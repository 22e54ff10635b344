// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct InverseTrigConstants<double> {
  static constexpr double pio2_hi = 0x1.921fb54442d18p+0;
  static constexpr double pio2_lo = 0x1.1a62633145c07p-54;
  static constexpr double pi_hi = 0x1.921fb54442d18p+1;
  static constexpr double pi_lo = 0x1.1a62633145c07p-53;
  // (asin(s)/s - 1) / z with z = s^2 on [0, 0.25]; weighted error 2^-59.9
  static constexpr double asin_tail[] = {
      0x1.5555555555577p-3,
      0x1.333333332e131p-4,
      0x1.6db6db721262ap-5,
      0x1.f1c71a94f6b33p-6,
      0x1.6e8bdedfad9bep-6,
      0x1.1c49f0694792bp-6,
      0x1.ca1f8c1f56388p-7,
      0x1.758595618fd43p-7,
      0x1.613c467f219e5p-7,
      0x1.e5f9dd3a0e22p-9,
      0x1.639b13970b802p-6,
      -0x1.57fb7beb981eep-6,
      0x1.0b461906cb1e6p-5};
  // pi/4 in two parts, the first times 3 being exact
  static constexpr double pio4_hi = 0x1.921fb54442d18p-1;
  static constexpr double pio4_lo = 0x1.1a62633145c07p-55;
  // (atan(t)/t - 1) / u with u = t^2 on [0, 0.25]; weighted error 2^-62.0
  static constexpr double atan_tail[] = {
      -0x1.5555555555552p-2,
      0x1.99999999990d7p-3,
      -0x1.24924924536ep-3,
      0x1.c71c71aaf3bdp-4,
      -0x1.745d138fc938p-4,
      0x1.3b1360b98da19p-4,
      -0x1.110c7193a7e08p-4,
      0x1.e182df1ee23d7p-5,
      -0x1.ac72dd45708b2p-5,
      0x1.77fcdacc3dfabp-5,
      -0x1.301eff76c3257p-5,
      0x1.83ae28834cdd4p-6,
      -0x1.1243ad7893c7dp-7};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
