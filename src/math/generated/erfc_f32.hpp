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
  static constexpr float zero = 0x1.433334p+3f;
  static constexpr float middle = 0x1.8p-2f;
  static constexpr float shift = 0x1.8p+1f;
  // next to 2 / sqrt(pi), so that `scaled` is level at 0
  static constexpr float factor = 0x1.2p+0f;
  static constexpr float scaled_lo = 0x1.db181p-27f;
  // (1 + 1.125 x) exp(x^2) erfc(x) with t = x / (x + 3) - middle on [-0.375, 0.395992]; weighted error 2^-28.9
  static constexpr float scaled[] = {
      0x1.af6f12p-1f,
      -0x1.05482cp-1f,
      0x1.d177b2p-3f,
      0x1.069974p-1f,
      -0x1.4f6f22p+0f,
      0x1.7c0b52p+0f,
      -0x1.9daab6p-1f,
      -0x1.6b225p-4f,
      0x1.801bb8p-2f,
      -0x1.caab0ep-5f,
      -0x1.07897p-3f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
