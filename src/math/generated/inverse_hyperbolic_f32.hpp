// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct InverseHyperbolicConstants<float> {
  // t of a mantissa in [sqrt(1/2), sqrt(2)], widened by what an exponent read from images is off: log2(m) - (m - 1) is at most 0.0861
  // (2 atanh(t/2)/t - 1) / z with z = t^2 on [0, 0.160645]; weighted error 2^-35.2
  static constexpr float tail[] = {
      0x1.555554p-4f,
      0x1.999c0cp-7f,
      0x1.23e046p-9f,
      0x1.ee9e84p-12f};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
