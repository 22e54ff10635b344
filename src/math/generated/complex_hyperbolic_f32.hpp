// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct ComplexHyperbolicConstants<float> {
  // (sinh(r)/r - 1) / z with z = r^2 on [0, 0.120348]; weighted error 2^-34.3
  static constexpr float sinh_tail[] = {
      0x1.555556p-3f,
      0x1.110fbep-7f,
      0x1.a2e30ap-13f};
  // (cosh(r) - 1 - z/2) / z^2 with z = r^2 on [0, 0.120348]; weighted error 2^-33.3
  static constexpr float cosh_tail[] = {
      0x1.5554e6p-5f,
      0x1.6d4f3cp-10f};
  // ln 2 in two parts
  static constexpr float ln2_hi = 0x1.62e43p-1f;
  static constexpr float ln2_lo = -0x1.05c61p-29f;
  // (atanh(u)/u - 1) / t with t = u^2 on [0, 0.0401648]; weighted error 2^-35.2
  static constexpr float atanh_tail[] = {
      0x1.555554p-2f,
      0x1.999c0cp-3f,
      0x1.23e046p-3f,
      0x1.ee9e8p-4f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
