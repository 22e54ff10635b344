// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct Exp2Constants<float> {
  static constexpr float ln2 = 0x1.62e43p-1f;
  // (2^r - 1 - r ln2) / r^2 on [-0.500488, 0.500488]; weighted error 2^-32.1
  static constexpr float tail[] = {
      0x1.ebfbep-3f,
      0x1.c6b06ep-5f,
      0x1.3b2a56p-7f,
      0x1.5da61p-10f,
      0x1.441998p-13f,
      0x1.df610ap-17f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
