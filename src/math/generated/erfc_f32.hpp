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
  static constexpr float scaled_lo = -0x1.7190dp-25f;
  // (1 + 2 x) exp(x^2) erfc(x) with t = x / (x + 3) - middle on [-0.375, 0.395992]; weighted error 2^-28.9
  static constexpr float scaled[] = {
      0x1.48084ap+0f,
      -0x1.41f23ap-3f,
      -0x1.9cee8cp-1f,
      0x1.3272ecp+1f,
      -0x1.d261dp+1f,
      0x1.af482cp+1f,
      -0x1.88feccp+0f,
      -0x1.5fac62p-2f,
      0x1.88d496p-1f,
      -0x1.c20424p-5f,
      -0x1.1901cep-2f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
