// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct InverseHyperbolicConstants<double> {
  // t of a mantissa in [sqrt(1/2), sqrt(2)], widened by what an exponent read from images is off: log2(m) - (m - 1) is at most 0.0861
  // (2 atanh(t/2)/t - 1) / z with z = t^2 on [0, 0.160645]; weighted error 2^-62.6
  static constexpr double tail[] = {
      0x1.555555555554fp-4,
      0x1.999999999c1a1p-7,
      0x1.24924921e0ccap-9,
      0x1.c71c7493706fp-12,
      0x1.745c49e719b2bp-14,
      0x1.3b35e21a4eb5p-16,
      0x1.0dc94b3b00743p-18,
      0x1.1b91a1ae82a5fp-20};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
