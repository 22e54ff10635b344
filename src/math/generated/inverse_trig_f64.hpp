// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
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
  // (atan(t)/t - 1) / u with u = t^2 on [0, 1]; weighted error 2^-60.2
  static constexpr double atan_tail[] = {
      -0x1.555555555554dp-2,
      0x1.9999999998c65p-3,
      -0x1.24924924576ap-3,
      0x1.c71c71b651042p-4,
      -0x1.745d15d2d07bbp-4,
      0x1.3b139bec8911p-4,
      -0x1.1110335d3bf2fp-4,
      0x1.e1d492b0d7ffbp-5,
      -0x1.aeda878a637e8p-5,
      0x1.84b50f9d1a92bp-5,
      -0x1.5f263c67fa2fdp-5,
      0x1.3908fad190268p-5,
      -0x1.0c9c3a7b35dd2p-5,
      0x1.ac8ed1ae9cbfbp-6,
      -0x1.3112742d0ea66p-6,
      0x1.73055c81b2cc1p-7,
      -0x1.700634601bf6fp-8,
      0x1.1a3620e1ad3e1p-9,
      -0x1.371ae93ce96ap-11,
      0x1.b415d5456128cp-14,
      -0x1.22b26b24c8627p-17};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
