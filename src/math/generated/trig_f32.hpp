// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct TrigConstants<float> {
  // pi/2 in three parts; the second has 14 bits, so its product with a quotient below 2^10 is exact
  static constexpr float pio2_1 = 0x1.921fb6p+0f;
  static constexpr float pio2_2 = -0x1.7778p-25f;
  static constexpr float pio2_3 = -0x1.2e7b96p-40f;
  static constexpr float two_over_pi = 0x1.45f306p-1f;
  // the largest argument for them: a little below 2^10 pi/2
  static constexpr float direct_limit = 0x1.918p+10f;
  // pi/2 in two parts
  static constexpr float pio2_hi = 0x1.921fb6p+0f;
  static constexpr float pio2_lo = -0x1.777a5cp-25f;
  // (sin(r)/r - 1) / z with z = r^2 on [0, 0.619262]; weighted error 2^-32.5
  static constexpr float sin_tail[] = {
      -0x1.555556p-3f,
      0x1.111174p-7f,
      -0x1.a05956p-13f,
      0x1.7c2d4cp-19f};
  // (cos(r) - 1 + z/2) / z^2 with z = r^2 on [0, 0.619262]; weighted error 2^-33.0
  static constexpr float cos_tail[] = {
      0x1.55554ap-5f,
      -0x1.6c0c26p-10f,
      0x1.99e712p-16f};
  // row j holds 2/pi * 2^(-13 + 4 j) modulo 4 in four parts
  static constexpr std::int64_t least_exponent = 10;
  static constexpr std::int64_t row_shift = 2;
  static constexpr std::int64_t rows = 30;
  static constexpr float turns[30 * 4] = {
      0x1.45f306p-14f, 0x1.b9391p-39f, 0x1.529fc2p-65f, 0x1.d5f47ep-91f,
      0x1.45f306p-10f, 0x1.b9391p-35f, 0x1.529fc2p-61f, 0x1.d5f47ep-87f,
      0x1.45f306p-6f, 0x1.b9391p-31f, 0x1.529fc2p-57f, 0x1.d5f47ep-83f,
      0x1.45f306p-2f, 0x1.b9391p-27f, 0x1.529fc2p-53f, 0x1.d5f47ep-79f,
      0x1.17cc1cp+0f, -0x1.1b1bbep-25f, -0x1.5ac07cp-50f, 0x1.d5f47ep-75f,
      0x1.7cc1b8p+0f, -0x1.b1bbeap-25f, -0x1.ac07b2p-50f, 0x1.5f47d4p-75f,
      0x1.e60dbap+1f, -0x1.8ddf56p-24f, -0x1.603d8ap-49f, -0x1.05c15ap-74f,
      0x1.836e4ep-1f, 0x1.1054a8p-27f, -0x1.ec5418p-56f, 0x1.f534dep-81f,
      0x1.b72722p-4f, 0x1.529fc2p-33f, 0x1.d5f47ep-59f, -0x1.65912p-84f,
      0x1.b72722p+0f, 0x1.529fc2p-29f, 0x1.d5f47ep-55f, -0x1.65912p-80f,
      0x1.b9391p+1f, 0x1.529fc2p-25f, 0x1.d5f47ep-51f, -0x1.65912p-76f,
      0x1.939106p+1f, -0x1.6b01ecp-24f, -0x1.505c16p-50f, 0x1.a6ee06p-76f,
      0x1.391054p+1f, 0x1.4fe13ap-24f, 0x1.7d1f54p-49f, -0x1.6447e4p-74f,
      0x1.91054ap+1f, 0x1.fc2758p-25f, -0x1.70565ap-52f, 0x1.dc0db6p-77f,
      0x1.1054a8p+1f, -0x1.ec5418p-28f, 0x1.f534dep-53f, -0x1.f924ecp-80f,
      0x1.054a8p+1f, -0x1.ec5418p-24f, 0x1.f534dep-49f, -0x1.f924ecp-76f,
      0x1.529fc2p-1f, 0x1.d5f47ep-27f, -0x1.65912p-52f, 0x1.b6c52cp-78f,
      0x1.4a7f0ap+1f, -0x1.505c16p-26f, 0x1.a6ee06p-52f, 0x1.b6295ap-77f,
      0x1.4fe13ap+0f, 0x1.7d1f54p-25f, -0x1.6447e4p-50f, -0x1.275a9ap-75f,
      0x1.fc2758p-1f, -0x1.70565ap-28f, 0x1.dc0db6p-53f, 0x1.4acc9ep-80f,
      0x1.f09d6p+1f, -0x1.70565ap-24f, 0x1.dc0db6p-49f, 0x1.4acc9ep-76f,
      0x1.09d5f4p+1f, 0x1.f534dep-25f, -0x1.f924ecp-52f, 0x1.5993c4p-77f,
      0x1.3abe9p+0f, -0x1.596448p-26f, 0x1.b6c52cp-54f, -0x1.9b0ef2p-79f,
      0x1.d5f47ep+1f, -0x1.65912p-24f, 0x1.b6c52cp-50f, -0x1.9b0ef2p-75f,
      0x1.5f47d4p+1f, 0x1.a6ee06p-24f, 0x1.b6295ap-49f, -0x1.b0ef1cp-75f,
      0x1.f47d4ep+1f, -0x1.911f92p-24f, -0x1.3ad4cep-50f, 0x1.e21c82p-76f,
      0x1.47d4d4p+1f, -0x1.11f924p-24f, -0x1.d6a66cp-49f, -0x1.de37ep-76f,
      0x1.f534dep-1f, -0x1.f924ecp-28f, 0x1.5993c4p-53f, 0x1.c821p-80f,
      0x1.d4d378p+1f, -0x1.f924ecp-24f, 0x1.5993c4p-49f, 0x1.c821p-76f,
      0x1.4d377p+1f, 0x1.b6c52cp-26f, -0x1.9b0ef2p-51f, 0x1.041fe6p-77f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
