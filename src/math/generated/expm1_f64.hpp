// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct Expm1Constants<double> {
  // added to x / ln 2 before it is rounded to an integer
  static constexpr double offset = -0x1.8p-4;
  // (exp(r) - 1 - r - r^2/2) / r^3 on [-0.281929, 0.411895]; weighted error 2^-61.4
  static constexpr double tail[] = {
      0x1.5555555555554p-3,
      0x1.55555555555c4p-5,
      0x1.1111111111c81p-7,
      0x1.6c16c16bca791p-10,
      0x1.a01a019a30779p-13,
      0x1.a01a03e74ebd7p-16,
      0x1.71de457ec272bp-19,
      0x1.27dd9cb104535p-22,
      0x1.aea2d15f9d6a9p-26,
      0x1.3047a96fb0e24p-29};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
