// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct LogarithmicConstants<double> {
  static constexpr double log2_e_hi = 0x1.71547652b82fep+0;
  static constexpr double log2_e_lo = 0x1.777d0ffda0d24p-56;
  static constexpr double log10_e_hi = 0x1.bcb7b1526e50ep-2;
  static constexpr double log10_e_lo = 0x1.95355baaafad3p-57;
  // log10(2) in two parts, the product of the first with an exponent being exact
  static constexpr double log10_2_hi = 0x1.34413509f78p-2;
  static constexpr double log10_2_lo = 0x1.fef311f12b358p-46;
  // for log(1 + e) with e <= 1, as t = e / (1 + e/2)
  // (2 atanh(t/2)/t - 1) / z with z = t^2 on [0, 0.444553]; weighted error 2^-59.4
  static constexpr double tail[] = {
      0x1.5555555555535p-4,
      0x1.99999999a0751p-7,
      0x1.249249208c541p-9,
      0x1.c71c741c7507ap-12,
      0x1.745cb3fff3ad9p-14,
      0x1.3b1ddb7413411p-16,
      0x1.1067c4f0d1944p-18,
      0x1.efd850b8bb2f8p-21,
      0x1.55b0e464d197p-23,
      0x1.5c79269000e6fp-24};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
