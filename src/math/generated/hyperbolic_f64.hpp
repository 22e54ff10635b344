// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct HyperbolicConstants<double> {
  // (sinh(r)/r - 1) / z with z = r^2 on [0, 0.120348]; weighted error 2^-61.7
  static constexpr double sinh_tail[] = {
      0x1.5555555555559p-3,
      0x1.111111110f624p-7,
      0x1.a01a01b025156p-13,
      0x1.71ddf79de3d9ap-19,
      0x1.af601cfe8e84bp-26};
  // (cosh(r) - 1) / z with z = r^2 on [0, 0.120348]; weighted error 2^-58.0
  static constexpr double cosh_tail[] = {
      0x1.000000000000cp-1,
      0x1.555555554fd32p-5,
      0x1.6c16c18652d49p-10,
      0x1.a01994b328ba9p-16,
      0x1.28b214641a841p-22};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
