// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct Exp10Constants<float> {
  // log10(2) = lg2_hi + lg2_lo, where lg2_hi has 16 bits: its product with an exponent is exact
  static constexpr float lg2_hi = 0x1.3442p-2f;
  static constexpr float lg2_lo = -0x1.95ec1p-19f;
  static constexpr float ln2_lo = -0x1.d355cap-18f;
  // ln 10 in two parts
  static constexpr float ln10_hi = 0x1.26bb1cp+1f;
  static constexpr float ln10_lo = -0x1.12aabap-25f;
  static constexpr float log2_10 = 0x1.a934fp+1f;
  // (10^r - 1 - r ln 10) / r^2 on [-0.150662, 0.150662]; weighted error 2^-28.2
  static constexpr float tail[] = {
      0x1.53524ap+1f,
      0x1.046fc4p+1f,
      0x1.2bda2p+0f,
      0x1.1555f2p-1f,
      0x1.a6087p-3f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
