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
  static constexpr double middle = 0x1.8p-2;
  static constexpr double shift = 0x1.cp+1;
  static constexpr double scaled_lo = 0x1.11fb3b162ccb6p-54;
  // (1 + 2 x) exp(x^2) erfc(x) with t = x / (x + 3.5) - middle on [-0.375, 0.511364]; weighted error 2^-57.1
  static constexpr double scaled[] = {
      0x1.464d75afa309cp+0,
      -0x1.b7265d780c4a8p-3,
      -0x1.26ab1bd8a3a0cp-1,
      0x1.248b0764a7043p+1,
      -0x1.21258667c8bfap+2,
      0x1.84747c420f46bp+2,
      -0x1.6b66a42e72e59p+2,
      0x1.a4b05d39d8c11p+1,
      -0x1.c947b57cb38d2p-2,
      -0x1.f8a53f9efe6f4p-1,
      0x1.4bf68bacb5d76p-1,
      0x1.87e897979f1edp-3,
      -0x1.6468008766957p-2,
      -0x1.d1ab1169a43e3p-6,
      0x1.6b1d069710e9fp-3,
      0x1.230afd00d4971p-7,
      -0x1.877d5e1dcac2bp-4,
      -0x1.a8fe8191fd8ddp-7,
      0x1.b7ecde3c13d42p-5,
      0x1.d943174ebff82p-7,
      -0x1.ddaf6ae4ea375p-6,
      -0x1.02daa0bc16f91p-7,
      0x1.7534930f37a0ep-7};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
