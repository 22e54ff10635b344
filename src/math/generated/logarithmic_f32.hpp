// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct LogarithmicConstants<float> {
  static constexpr float log2_e_hi = 0x1.715476p+0f;
  static constexpr float log2_e_lo = 0x1.4ae0cp-26f;
  static constexpr float log10_e_hi = 0x1.bcb7b2p-2f;
  static constexpr float log10_e_lo = -0x1.5b235ep-27f;
  // log10(2) in two parts, the product of the first with an exponent being exact
  static constexpr float log10_2_hi = 0x1.3442p-2f;
  static constexpr float log10_2_lo = -0x1.95ec1p-19f;
  // for log(1 + e) with e <= 1, as t = e / (1 + e/2)
  // (2 atanh(t/2)/t - 1) / z with z = t^2 on [0, 0.444553]; weighted error 2^-33.0
  static constexpr float tail[] = {
      0x1.555558p-4f,
      0x1.9996d8p-7f,
      0x1.250514p-9f,
      0x1.b72adap-12f,
      0x1.f0909ap-14f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
