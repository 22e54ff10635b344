// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct SincConstants<double> {
  // 1/pi in two parts, and pi/2
  static constexpr double inverse_pi_hi = 0x1.45f306dc9c883p-2;
  static constexpr double inverse_pi_lo = -0x1.6b01ec5417056p-56;
  static constexpr double half_pi = 0x1.921fb54442d18p+0;
  // (sin(pi r)/(pi r) - 1) / z with z = r^2 on [0, 0.0625]; weighted error 2^-64.9
  static constexpr double sin_tail[] = {
      -0x1.a51a6625307d3p+0,
      0x1.9f9cb402bc415p-1,
      -0x1.86a8e4720494bp-3,
      0x1.ac6805c0f22f1p-6,
      -0x1.33815f0fae41cp-9,
      0x1.373d413794ca1p-13,
      -0x1.cc3539b965e7p-18};
  // (cos(pi r)/pi - 1/pi + half_pi z) / z on [0, 0.0625]; weighted error 2^-64.4
  static constexpr double cos_tail[] = {
      -0x1.a6ba24b0d1bf9p-55,
      0x1.4abbce625be37p+0,
      -0x1.b33a5df4753eap-2,
      0x1.32d2cce27fb64p-4,
      -0x1.0d2cf2e0d0742p-7,
      0x1.4200342a4dfb2p-11,
      -0x1.1487e5e6301d1p-15};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
