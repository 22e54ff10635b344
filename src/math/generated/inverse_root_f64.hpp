// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct InverseRootConstants<double> {
  // (1 - h)^(-1/2), which corrects the first value on [-0.0682369, 0.0682369]; weighted error 2^-20.3
  static constexpr double inverse[] = {
      0x1.ffffe70636e6bp-1,
      0x1.ffffe70382d63p-2,
      0x1.814f56759b103p-2,
      0x1.411595ea61e3ap-2};
  // the image of the first value of x^(-1/2) is this minus half of that of x
  static constexpr std::int64_t image_half = 6910466864455876608;
  // for subnormal numbers
  static constexpr double back = 0x1p+27;
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
