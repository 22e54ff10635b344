// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct DigammaConstants<float> {
  // the positive zero
  static constexpr float zero_hi = 0x1.762d86p+0f;
  static constexpr float zero_lo = 0x1.ab5f2p-27f;
  // its distance from 1 but for zero_lo, exactly
  static constexpr float zero_below = 0x1.d8b618p-2f;
  // the derivative there
  static constexpr float zero_slope_hi = 0x1.ef72bcp-1f;
  static constexpr float zero_slope_lo = 0x1.1dc716p-26f;
  // half the second derivative
  static constexpr float zero_bend = -0x1.c563b6p-2f;
  // (digamma(zero + d) - zero_slope d - zero_bend d^2) / d^3 on [-0.461632, 0.538368]; weighted error 2^-30.3
  static constexpr float near_zero[] = {
      0x1.08b42ep-2f,
      -0x1.4fc0b6p-3f,
      0x1.b9a094p-4f,
      -0x1.27d288p-4f,
      0x1.90a896p-5f,
      -0x1.0dea1cp-5f,
      0x1.62bc7ep-6f,
      -0x1.080c06p-6f,
      0x1.d541f2p-7f,
      -0x1.ec7364p-8f};
  // (log y - digamma(y) - 1/(2 y)) y^2 over z = 1/y^2 on [0, 0.25]; weighted error 2^-31.1
  static constexpr float far[] = {
      0x1.55554p-4f,
      -0x1.10e7d2p-7f,
      0x1.fabceap-9f,
      -0x1.9e838ep-9f,
      0x1.0cf86p-9f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
