// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct LogConstants<double> {
  // ln 2 in two parts, the product of the first with an exponent being exact
  static constexpr double ln2_hi = 0x1.62e42fefa38p-1;
  static constexpr double ln2_lo = 0x1.ef35793c7673p-45;
  // the image of sqrt(1/2), where the mantissa range begins
  static constexpr std::int64_t mantissa_begin = 4604544271217802189;
  // (2 atanh(s)/s - 2) / z with z = s^2 on [0, 0.0294444]; weighted error 2^-59.5
  static constexpr double tail[] = {
      0x1.5555555555592p-1,
      0x1.999999997feecp-2,
      0x1.24924941e5815p-2,
      0x1.c71c520fe9874p-3,
      0x1.74663dff9993p-3,
      0x1.39a1c979322d1p-3,
      0x1.2f05168045996p-3};
  // for logarithms of more than working precision: the first term apart, in two parts
  static constexpr double third_hi = 0x1.5555555555555p-2;
  static constexpr double third_lo = 0x1.5555555555555p-56;
  // (atanh(s)/s - 1 - z/3) / z^2 with z = s^2 on [0, 0.0294444]; weighted error 2^-73.5
  static constexpr double pair_tail[] = {
      0x1.9999999999996p-3,
      0x1.2492492492f52p-3,
      0x1.c71c71c5965ccp-4,
      0x1.745d182975e62p-4,
      0x1.3b1364bf857adp-4,
      0x1.112070cf7a6edp-4,
      0x1.de3d2920d52cdp-5,
      0x1.eac834df90dcp-5};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
