// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct ErfcConstants<float> {
  // erfc is 0 from here on, subnormal numbers too
  static constexpr float most = 0x1.433334p+3f;
  static constexpr float shift = 0x1.8p+1f;
  static constexpr float scaled_lo = 0x1.b71dap-25f;
  // (1 + 2 x) exp(x^2) erfc(x) with t = x / (x + 3) - 1/2 on [-0.5, 0.270992]; weighted error 2^-28.7
  static constexpr float scaled[] = {
      0x1.40c522p+0f,
      -0x1.15c08ap-2f,
      -0x1.85a196p-3f,
      0x1.09841ep+0f,
      -0x1.e8889ap+0f,
      0x1.17bcb4p+1f,
      -0x1.85e89p+0f,
      0x1.50a05ep-2f,
      0x1.068cd6p-1f,
      -0x1.979b2p-2f,
      -0x1.196242p-2f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
