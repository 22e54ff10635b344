// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct InverseRootConstants<float> {
  // (1 - h)^(-1/2), which corrects the first value on [-0.0682369, 0.0682369]; weighted error 2^-15.3
  static constexpr float inverse[] = {
      0x1.ffffeap-1f,
      0x1.008f7p-1f,
      0x1.8143e6p-2f};
  // the image of the first value of x^(-1/2) is this minus half of that of x
  static constexpr std::int64_t image_half = 1597458432;
  // for subnormal numbers
  static constexpr float back = 0x1p+13f;
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
