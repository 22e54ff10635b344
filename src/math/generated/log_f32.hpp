// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct LogConstants<float> {
  // ln 2 in two parts, the product of the first with an exponent being exact
  static constexpr float ln2_hi = 0x1.62e4p-1f;
  static constexpr float ln2_lo = 0x1.7f7d1cp-20f;
  // the image of sqrt(1/2), where the mantissa range begins
  static constexpr std::int64_t mantissa_begin = 1060439283;
  // (2 atanh(s)/s - 2) / z with z = s^2 on [0, 0.0294444]; weighted error 2^-30.2
  static constexpr float tail[] = {
      0x1.55557ap-1f,
      0x1.995ed4p-2f,
      0x1.31e0d8p-2f};
  // for logarithms of more than working precision: the first term apart, in two parts
  static constexpr float third_hi = 0x1.555556p-2f;
  static constexpr float third_lo = -0x1.555556p-27f;
  // (atanh(s)/s - 1 - z/3) / z^2 with z = s^2 on [0, 0.0294444]; weighted error 2^-43.7
  static constexpr float pair_tail[] = {
      0x1.999998p-3f,
      0x1.2493b6p-3f,
      0x1.c63daap-4f,
      0x1.90839p-4f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
