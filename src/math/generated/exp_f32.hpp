// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct ExpConstants<float> {
  // ln 2 = ln2_hi + ln2_lo, where ln2_hi has 16 bits: its product with an exponent is exact
  static constexpr float ln2_hi = 0x1.62e4p-1f;
  static constexpr float ln2_lo = 0x1.7f7d1cp-20f;
  static constexpr float log2_e = 0x1.715476p+0f;
  // (exp(r) - 1 - r) / r^2 on [-0.346912, 0.346912]; weighted error 2^-32.5
  static constexpr float tail[] = {
      0x1p-1f,
      0x1.555554p-3f,
      0x1.5554e8p-5f,
      0x1.1112eep-7f,
      0x1.6d50e2p-10f,
      0x1.9e5db2p-13f};
  // one coefficient less, where the argument is no pair
  // (exp(r) - 1 - r) / r^2 on [-0.346912, 0.346912]; weighted error 2^-28.0
  static constexpr float short_tail[] = {
      0x1.fffffcp-2f,
      0x1.555494p-3f,
      0x1.555884p-5f,
      0x1.123a4p-7f,
      0x1.6aa95p-10f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
