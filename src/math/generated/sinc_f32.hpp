// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct SincConstants<float> {
  // 1/pi in two parts, and pi/2
  static constexpr float inverse_pi_hi = 0x1.45f306p-2f;
  static constexpr float inverse_pi_lo = 0x1.b9391p-27f;
  static constexpr float half_pi = 0x1.921fb6p+0f;
  // (sin(pi r)/(pi r) - 1) / z with z = r^2 on [0, 0.0625]; weighted error 2^-35.3
  static constexpr float sin_tail[] = {
      -0x1.a51a66p+0f,
      0x1.9f9c92p-1f,
      -0x1.8695bep-3f,
      0x1.a415f8p-6f};
  // (cos(pi r)/pi - 1/pi + half_pi z) / z on [0, 0.0625]; weighted error 2^-33.7
  static constexpr float cos_tail[] = {
      0x1.c9e81cp-25f,
      0x1.4abbb6p+0f,
      -0x1.b3287p-2f,
      0x1.2d9cdp-4f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
