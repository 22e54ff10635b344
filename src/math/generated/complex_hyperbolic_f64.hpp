// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct ComplexHyperbolicConstants<double> {
  // (sinh(r)/r - 1) / z with z = r^2 on [0, 0.120348]; weighted error 2^-61.7
  static constexpr double sinh_tail[] = {
      0x1.5555555555559p-3,
      0x1.111111110f624p-7,
      0x1.a01a01b025156p-13,
      0x1.71ddf79de3d9ap-19,
      0x1.af601cfe8e84bp-26};
  // (cosh(r) - 1 - z/2) / z^2 with z = r^2 on [0, 0.120348]; weighted error 2^-70.0
  static constexpr double cosh_tail[] = {
      0x1.5555555555558p-5,
      0x1.6c16c16c14ff1p-10,
      0x1.a01a01ad86c52p-16,
      0x1.27e4cbf6b6219p-22,
      0x1.1f8c14128fdd7p-29};
  // ln 2 in two parts
  static constexpr double ln2_hi = 0x1.62e42fefa39efp-1;
  static constexpr double ln2_lo = 0x1.abc9e3b39803fp-56;
  // (atanh(u)/u - 1) / t with t = u^2 on [0, 0.0401648]; weighted error 2^-62.6
  static constexpr double atanh_tail[] = {
      0x1.555555555554fp-2,
      0x1.999999999c1a3p-3,
      0x1.24924921e09efp-3,
      0x1.c71c7493a0db3p-4,
      0x1.745c49da9028p-4,
      0x1.3b35e3ce85924p-4,
      0x1.0dc92d5611a95p-4,
      0x1.1b9272449a4f9p-4};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
