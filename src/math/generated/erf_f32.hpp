// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct ErfConstants<float> {
  // where the form changes, and from where on erf is 1 to the last bit
  static constexpr float split = 0x1.ap-1f;
  static constexpr float most = 0x1p+2f;
  // (erf(x)/x - 1) with z = x^2 on [8.67362e-19, 0.660156]; weighted error 2^-30.1
  static constexpr float small[] = {
      0x1.06eba8p-3f,
      -0x1.812744p-2f,
      0x1.ce2e86p-4f,
      -0x1.b81c26p-6f,
      0x1.55661ep-8f,
      -0x1.b0aefp-11f,
      0x1.75a078p-14f};
  // log2(erfc(split + t) / erfc(split)) / t on [9.09495e-13, 3.1875]; weighted error 2^-31.9
  static constexpr float log_ratio[] = {
      -0x1.adcd04p+1f,
      -0x1.2deb2ep+0f,
      -0x1.266ac2p-4f,
      0x1.1cdfc4p-6f,
      -0x1.b66218p-9f,
      0x1.c894ep-12f,
      -0x1.c7a664p-16f};
  // erfc(split) 2^r on [-0.5, 0.5]; weighted error 2^-26.7
  static constexpr float power[] = {
      0x1.008c8p-2f,
      0x1.63a6f8p-3f,
      0x1.ed0a88p-5f,
      0x1.c7a84ap-7f,
      0x1.3b8594p-9f,
      0x1.600ebap-12f,
      0x1.738f52p-15f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
