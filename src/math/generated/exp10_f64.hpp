// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct Exp10Constants<double> {
  // log10(2) = lg2_hi + lg2_lo, where lg2_hi has 42 bits: its product with an exponent is exact
  static constexpr double lg2_hi = 0x1.34413509f78p-2;
  static constexpr double lg2_lo = 0x1.fef311f12b358p-46;
  static constexpr double ln2_lo = 0x1.26204cc14dc2dp-44;
  // ln 10 in two parts
  static constexpr double ln10_hi = 0x1.26bb1bbb55516p+1;
  static constexpr double ln10_lo = -0x1.f48ad494ea3e9p-53;
  static constexpr double log2_10 = 0x1.a934f0979a371p+1;
  // (10^r - 1 - r ln 10) / r^2 on [-0.150662, 0.150662]; weighted error 2^-61.1
  static constexpr double tail[] = {
      0x1.53524c73cea69p+1,
      0x1.0470591de2ca6p+1,
      0x1.2bd7609fd96acp+0,
      0x1.1429ffd1d3a5ep-1,
      0x1.a7ed708540c51p-3,
      0x1.16e4dfcbc5223p-4,
      0x1.4116ae6080099p-6,
      0x1.4897902bb5721p-8,
      0x1.2ea9f5c3a018ep-10,
      0x1.fbe8f32ed28dap-13,
      0x1.7c9ad7b42b3d8p-15};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
