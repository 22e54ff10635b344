// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct Expm1Constants<float> {
  // added to x / ln 2 before it is rounded to an integer
  static constexpr float offset = -0x1.8p-4f;
  // (exp(r) - 1 - r - r^2/2) / r^3 on [-0.281929, 0.411895]; weighted error 2^-31.0
  static constexpr float tail[] = {
      0x1.55555ap-3f,
      0x1.555532p-5f,
      0x1.1105fp-7f,
      0x1.6cd0bep-10f,
      0x1.b80e36p-13f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
