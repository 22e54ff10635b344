// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct HyperbolicConstants<float> {
  // (sinh(r)/r - 1) / z with z = r^2 on [0, 0.120348]; weighted error 2^-34.3
  static constexpr float sinh_tail[] = {
      0x1.555556p-3f,
      0x1.110fbep-7f,
      0x1.a2e30ap-13f};
  // (cosh(r) - 1) / z with z = r^2 on [0, 0.120348]; weighted error 2^-33.3
  static constexpr float cosh_tail[] = {
      0x1p-1f,
      0x1.5554e6p-5f,
      0x1.6d4f4p-10f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
