// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct CubeRootConstants<float> {
  // (1 - h)^(-1/3), which corrects the first value on [-0.102263, 0.102263]; weighted error 2^-18.8
  static constexpr float inverse[] = {
      0x1.ffffbep-1f,
      0x1.55552ap-2f,
      0x1.ca3bb2p-3f,
      0x1.643cep-3f};
  // the image of the first value of x^(-1/3), without its last 9 bits, is that of x times -1/3 and a constant;
  // `image_third` has added what the leading bit of the working number brings with it
  static constexpr std::int64_t image_cut = 9;
  static constexpr float image_third = 0x1.a9f748p+23f;
  static constexpr float third = 0x1.555556p-2f;
  // with y = (1 + d) x^(-1/3), c = x y^2 and e = (x - c^3) y^3: (1 + d)^-2 = 1 + e/3 + 7/18 e^2 + ...
  // a multiple of 3 as the exponent, for subnormal numbers
  static constexpr float raise = 0x1p+30f;
  static constexpr float lower = 0x1p-10f;
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
