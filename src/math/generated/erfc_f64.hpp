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
  static constexpr double scaled_lo = -0x1.fd272eab1831cp-54;
  // (1 + 2 x) exp(x^2) erfc(x) with t = x / (x + 3.5) - middle on [-0.4375, 0.448864]; weighted error 2^-57.1
  static constexpr double scaled[] = {
      0x1.426c3bd532b23p+0,
      -0x1.0de4481b47bbp-2,
      -0x1.ea15b72102f3ap-3,
      0x1.5dfae4de346d1p+0,
      -0x1.76934199c11bap+1,
      0x1.0ceec5fe7c67fp+2,
      -0x1.13a85eb2f2e12p+2,
      0x1.78e371604dda3p+1,
      -0x1.c38d131639e0ep-1,
      -0x1.1dad2c419b228p-1,
      0x1.61bd424805907p-1,
      -0x1.01385dd1f83c7p-4,
      -0x1.3d3d35a4d62c7p-2,
      0x1.e05b69e42d9c8p-4,
      0x1.2152583138fa8p-3,
      -0x1.51da5dc745637p-4,
      -0x1.37ba2e7336e2fp-4,
      0x1.8da853d25a49p-5,
      0x1.889147178c27cp-5,
      -0x1.8c7d75a0940dbp-6,
      -0x1.df357339ee1a4p-6,
      0x1.fc9d5a320b4b3p-8,
      0x1.7542729618968p-7};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
