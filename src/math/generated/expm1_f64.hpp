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
  // (exp(r) - 1 - r - r^2/2) / r^3 on [-0.281929, 0.411895]; weighted error 2^-57.9
  static constexpr double tail[] = {
      0x1.5555555555554p-3,
      0x1.55555555555cp-5,
      0x1.1111111111c8p-7,
      0x1.6c16c16bc82c2p-10,
      0x1.a01a019963e5cp-13,
      0x1.a01a041045c4bp-16,
      0x1.71de4922d6d68p-19,
      0x1.27dd1e84c9726p-22,
      0x1.ae9d186cfed7bp-26,
      0x1.30f91bfc8ab48p-29};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
