// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct ErfcConstants<double> {
  // erfc is 0 from here on, subnormal numbers too
  static constexpr double zero = 0x1.b4ccccccccccdp+4;
  // erfc is a normal number up to here
  static constexpr double least = 0x1.a8p+4;
  static constexpr double middle = 0x1.cp-2;
  static constexpr double shift = 0x1.cp+1;
  // next to 2 / sqrt(pi), so that `scaled` is level at 0
  static constexpr double factor = 0x1.2p+0;
  static constexpr double scaled_lo = -0x1.3e30ede5aaa44p-56;
  // (1 + 1.125 x) exp(x^2) erfc(x) with t = x / (x + 3.5) - middle on [-0.4375, 0.448864]; weighted error 2^-57.1
  static constexpr double scaled[] = {
      0x1.9680bbfccb80ap-1,
      -0x1.d6b4e3bfab625p-2,
      0x1.95ec66540b82ap-2,
      0x1.819f3575b7985p-7,
      -0x1.834653dfb8f41p-1,
      0x1.878f8e58d59eap+0,
      -0x1.d779092cd296fp+0,
      0x1.6a078bb96c707p+0,
      -0x1.0574d1f87be5ap-1,
      -0x1.c4f99d042beeep-3,
      0x1.65de76228ecdfp-2,
      -0x1.dc9031d2a8167p-5,
      -0x1.32fcc3f051eb9p-3,
      0x1.22c10156691aap-4,
      0x1.10c704bb86e57p-4,
      -0x1.872874d4772c8p-5,
      -0x1.2525af1821e91p-5,
      0x1.cd8629350e727p-6,
      0x1.77947e36ef69cp-6,
      -0x1.d7fe8fcc804ccp-7,
      -0x1.d1ce62f5e709bp-7,
      0x1.3a898437684d9p-8,
      0x1.6aa9271b6f92ap-8};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
