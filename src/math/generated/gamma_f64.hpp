// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct GammaConstants<double> {
  // Stirling: log gamma(y) = (y - 1/2) (log y - 1) + stirling_constant + w stirling(w^2) with w = 1/y
  static constexpr double stirling_constant_hi = 0x1.acfe390c97d69p-2;
  static constexpr double stirling_constant_lo = 0x1.3494bc9001442p-56;
  // (log gamma(y) - (y - 1/2) (log y - 1) - stirling_constant) y over z = 1/y^2 on [0, 0.25]; weighted error 2^-61.3
  static constexpr double stirling[] = {
      0x1.5555555555554p-4,
      -0x1.6c16c16c0bc14p-9,
      0x1.a01a016f2369fp-11,
      -0x1.3813682855ce6p-11,
      0x1.b94a8c0dfb903p-11,
      -0x1.f5f98494b5594p-10,
      0x1.9e3e025a261a7p-8,
      -0x1.bf6c83fc31e46p-6,
      0x1.15ce03d165215p-3,
      -0x1.5a6a55e05a103p-1,
      0x1.852e28b9434dbp+1,
      -0x1.6cecdb5c5630cp+3,
      0x1.0da2cac7fa5a2p+5,
      -0x1.293ff4c82704cp+6,
      0x1.c7c76a09e000bp+6,
      -0x1.af72402a2aaa3p+6,
      0x1.7a905e223198dp+5};
  // the derivative of log gamma at 2
  static constexpr double slope_hi = 0x1.b0ee6072093cep-2;
  static constexpr double slope_lo = 0x1.6cb90701fbfabp-58;
  // half the second derivative there
  static constexpr double bend = 0x1.4a34cc4a60fa6p-2;
  // (log gamma(2 + d) - slope d - bend d^2) / d^3 on [-0.5, 0.5]; weighted error 2^-58.6
  static constexpr double near_two[] = {
      -0x1.13e001a55760ap-4,
      0x1.51322ac7d8498p-6,
      -0x1.e404fc218d0edp-8,
      0x1.7add6eadf51bep-9,
      -0x1.38ac5c2de1c01p-10,
      0x1.0b36af5515056p-11,
      -0x1.d3fd4af5ce59bp-13,
      0x1.a127d16f8c501p-14,
      -0x1.78deb0da4009bp-15,
      0x1.58080df2c6a19p-16,
      -0x1.3cb14a9b6bafdp-17,
      0x1.262df08c905d7p-18,
      -0x1.129ec37d4594fp-19,
      0x1.ef2a2fd3b4015p-21,
      -0x1.cb63ab28b6f6ep-22,
      0x1.29309713e322cp-22,
      -0x1.24e513a82fb7cp-23};
  // the inverse of pi in two parts
  static constexpr double one_over_pi_hi = 0x1.45f306dc9c883p-2;
  static constexpr double one_over_pi_lo = -0x1.6b01ec5417056p-56;
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
