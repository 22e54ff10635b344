// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct InverseTrigConstants<float> {
  static constexpr float pio2_hi = 0x1.921fb6p+0f;
  static constexpr float pio2_lo = -0x1.777a5cp-25f;
  static constexpr float pi_hi = 0x1.921fb6p+1f;
  static constexpr float pi_lo = -0x1.777a5cp-24f;
  // (asin(s)/s - 1) / z with z = s^2 on [0, 0.25]; weighted error 2^-31.7
  static constexpr float asin_tail[] = {
      0x1.55554cp-3f,
      0x1.3338acp-4f,
      0x1.6ca746p-5f,
      0x1.04d43p-5f,
      0x1.d4fe1ep-7f,
      0x1.34d9cap-5f};
  // pi/4 in two parts, the first times 3 being exact
  static constexpr float pio4_hi = 0x1.921fb8p-1f;
  static constexpr float pio4_lo = -0x1.5dde98p-24f;
  // (atan(t)/t - 1) / u with u = t^2 on [0, 0.25]; weighted error 2^-31.7
  static constexpr float atan_tail[] = {
      -0x1.555552p-2f,
      0x1.999744p-3f,
      -0x1.24503p-3f,
      0x1.c07268p-4f,
      -0x1.480d4p-4f,
      0x1.3fd554p-5f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
