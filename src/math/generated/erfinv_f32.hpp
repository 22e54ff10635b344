// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct ErfinvConstants<float> {
  // the form changes at 1 - x^2 = least
  static constexpr float least = 0x1p-15f;
  static constexpr float base = 0x1.c5cp-1f;
  static constexpr float slope = 0x1.cp-3f;
  static constexpr float middle = 0x1.4p+2f;
  // erfinv(x)/x - base - slope w with w = -log(1 - x^2) = t + middle on [-5, 5.39975]; weighted error 2^-27.3
  static constexpr float centre[] = {
      0x1.98e9cp-4f,
      -0x1.4aca8ap-8f,
      -0x1.dc198cp-8f,
      0x1.11db7ep-13f,
      0x1.ba65fep-15f,
      -0x1.5ea862p-17f,
      0x1.06ef56p-20f,
      -0x1.804aeap-27f,
      -0x1.b3cd66p-27f,
      0x1.46675cp-29f,
      -0x1.2e61ccp-33f,
      -0x1.cb1108p-36f,
      0x1.1bee8p-38f,
      0x1.4eafaep-44f,
      -0x1.df923ap-46f};
  static constexpr float shift = 0x1p+1f;
  static constexpr float tail_middle = 0x1.18p-3f;
  // erfinv(x)/s - 1 with s = sqrt(w), 1 / (s + 2) = t + tail_middle on [-0.0547515, 0.0547171]; weighted error 2^-30.3
  static constexpr float tail[] = {
      -0x1.c4d1fep-6f,
      -0x1.859fb2p-2f,
      -0x1.35c1f6p+0f,
      0x1.ca2d82p+0f,
      0x1.11535cp+4f,
      0x1.4e2886p+6f,
      0x1.bfbd68p+7f,
      0x1.de413ap+9f,
      0x1.3cb7dp+12f,
      -0x1.7c05a4p+16f,
      -0x1.667542p+20f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
