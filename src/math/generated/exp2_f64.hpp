// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct Exp2Constants<double> {
  static constexpr double ln2 = 0x1.62e42fefa39efp-1;
  // (2^r - 1 - r ln2) / r^2 on [-0.500488, 0.500488]; weighted error 2^-59.7
  static constexpr double tail[] = {
      0x1.ebfbdff82c58ep-3,
      0x1.c6b08d704a1d4p-5,
      0x1.3b2ab6fba5194p-7,
      0x1.5d87fe7874471p-10,
      0x1.430912f75b625p-13,
      0x1.ffcbfd495ad66p-17,
      0x1.62c0270f13056p-20,
      0x1.b52331fd2bb55p-24,
      0x1.e4bc0794fab9ep-28,
      0x1.ec71654525792p-32,
      0x1.e028c39e82d22p-36};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
