// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct ExpConstants<double> {
  // ln 2 = ln2_hi + ln2_lo, where ln2_hi has 42 bits: its product with an exponent is exact
  static constexpr double ln2_hi = 0x1.62e42fefa38p-1;
  static constexpr double ln2_lo = 0x1.ef35793c7673p-45;
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  // (exp(r) - 1 - r) / r^2 on [-0.346912, 0.346912]; weighted error 2^-60.0
  static constexpr double tail[] = {
      0x1p-1,
      0x1.555555555555ap-3,
      0x1.5555555555527p-5,
      0x1.111111110f1bfp-7,
      0x1.6c16c16c2d00fp-10,
      0x1.a01a01b202744p-13,
      0x1.a01a013fc1efap-16,
      0x1.71ddf1cd0adccp-19,
      0x1.27e5750f3c1e7p-22,
      0x1.af6c8ed77ba75p-26,
      0x1.1f0bfc759858fp-29};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
