// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct DigammaConstants<double> {
  // the positive zero
  static constexpr double zero_hi = 0x1.762d86356be3fp+0;
  static constexpr double zero_lo = 0x1.b86a722197829p-54;
  // its distance from 1 but for zero_lo, exactly
  static constexpr double zero_below = 0x1.d8b618d5af8fcp-2;
  // the derivative there
  static constexpr double zero_slope_hi = 0x1.ef72bc8ee38acp-1;
  static constexpr double zero_slope_lo = -0x1.3879eb97bf58dp-55;
  // half the second derivative
  static constexpr double zero_bend = -0x1.c563b54aa1a35p-2;
  // (digamma(zero + d) - zero_slope d - zero_bend d^2) / d^3 on [-0.461632, 0.538368]; weighted error 2^-59.6
  static constexpr double near_zero[] = {
      0x1.08b4294d5038p-2,
      -0x1.4fc1317257e5ap-3,
      0x1.b9a5b6370f696p-4,
      -0x1.27baba2618bb6p-4,
      0x1.8fce02b22080bp-5,
      -0x1.0fa7ec36881bdp-5,
      0x1.723d680d7627dp-6,
      -0x1.f970513cb91fp-7,
      0x1.5955ca59ec4c2p-7,
      -0x1.d827dda1364f3p-8,
      0x1.42e19894c04e3p-8,
      -0x1.b9b4c7256d887p-9,
      0x1.2e27c48cba349p-9,
      -0x1.9d09642fd685cp-10,
      0x1.1a6254fd1564ap-10,
      -0x1.86af84e3f0558p-11,
      0x1.0e54b65539f86p-11,
      -0x1.538fca95dd5d5p-12,
      0x1.9b6268a8ada8dp-13,
      -0x1.9129d0411504dp-13,
      0x1.8ccb8a57bfa3p-13,
      -0x1.53fcbd729333cp-14};
  // (log y - digamma(y) - 1/(2 y)) y^2 over z = 1/y^2 on [0, 0.25]; weighted error 2^-61.3
  static constexpr double far[] = {
      0x1.5555555555521p-4,
      -0x1.11111110cf982p-7,
      0x1.041040901aa9bp-8,
      -0x1.1110dc3ad7428p-8,
      0x1.f06d757bd8b54p-8,
      -0x1.58e67b40583f2p-6,
      0x1.4f73d719cd72bp-4,
      -0x1.9f8050ad66582p-2,
      0x1.22e0d55a92823p+1,
      -0x1.97adfb4806b0bp+3,
      0x1.03d12c8305197p+6,
      -0x1.19cf3d45ce0ccp+8,
      0x1.eff8e7c6eb3bp+9,
      -0x1.53c2519aca4adp+11,
      0x1.59f9a54c7cac7p+12,
      -0x1.ea478c06aeca7p+12,
      0x1.ae0bda5acb409p+12,
      -0x1.5ee2869c22aeep+11};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
