// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct GammaConstants<float> {
  // Stirling: log gamma(y) = (y - 1/2) (log y - 1) + stirling_constant + w stirling(w^2) with w = 1/y
  static constexpr float stirling_constant_hi = 0x1.acfe3ap-2f;
  static constexpr float stirling_constant_lo = -0x1.e6d052p-27f;
  // (log gamma(y) - (y - 1/2) (log y - 1) - stirling_constant) y over z = 1/y^2 on [0, 0.25]; weighted error 2^-32.1
  static constexpr float stirling[] = {
      0x1.555554p-4f,
      -0x1.6c08e8p-9f,
      0x1.9af122p-11f,
      -0x1.026cd6p-11f,
      0x1.2c2004p-12f};
  // the derivative of log gamma at 2
  static constexpr float slope_hi = 0x1.b0ee6p-2f;
  static constexpr float slope_lo = 0x1.c824f4p-28f;
  // half the second derivative there
  static constexpr float bend = 0x1.4a34ccp-2f;
  // (log gamma(2 + d) - slope d - bend d^2) / d^3 on [-0.5, 0.5]; weighted error 2^-29.6
  static constexpr float near_two[] = {
      -0x1.13e002p-4f,
      0x1.5132b6p-6f,
      -0x1.e4087p-8f,
      0x1.7ababap-9f,
      -0x1.378a12p-10f,
      0x1.0c11bcp-11f,
      -0x1.05023ap-12f,
      0x1.c4036cp-14f};
  // the inverse of pi in two parts
  static constexpr float one_over_pi_hi = 0x1.45f306p-2f;
  static constexpr float one_over_pi_lo = 0x1.b9391p-27f;
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
