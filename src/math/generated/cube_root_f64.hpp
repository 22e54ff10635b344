// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct CubeRootConstants<double> {
  // (1 - h)^(-1/3), which corrects the first value on [-0.102263, 0.102263]; weighted error 2^-23.4
  static constexpr double inverse[] = {
      0x1.0000001675013p+0,
      0x1.555433c4135d3p-2,
      0x1.c7185a5444c6fp-3,
      0x1.6558a46c462a9p-3,
      0x1.2abfffce32acap-3};
  // the image of the first value of x^(-1/3), without its last 13 bits, is that of x times -1/3 and a constant;
  // `image_third` has added what the leading bit of the working number brings with it
  static constexpr std::int64_t image_cut = 13;
  static constexpr double image_third = 0x1.7ff4c9d555555p+52;
  static constexpr double third = 0x1.5555555555555p-2;
  // with y = (1 + d) x^(-1/3), c = x y^2 and e = (x - c^3) y^3: (1 + d)^-2 = 1 + e/3 + 7/18 e^2 + ...
  static constexpr double second = 0x1.8e38e38e38e39p-2;
  // a multiple of 3 as the exponent, for subnormal numbers
  static constexpr double raise = 0x1p+54;
  static constexpr double lower = 0x1p-18;
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
