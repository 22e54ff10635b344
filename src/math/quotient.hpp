// The correctly rounded quotient of numbers by one divisor, from its inverse: for loops whose divisor stays the same, where a
// division takes the time of 16 fused multiply-adds.
//
// With y the correctly rounded inverse of b, and q within one ulp of a / b, q + (a - q b) y is a / b correctly rounded
// (P. Markstein, Computation of elementary functions on the IBM RISC System/6000, 1990), as long as the residual a - q b, which
// an fma computes, is exact. a y alone is within 1.5 ulp; one step before makes it one.
#pragma once

#include <cmath>

#include "lanes/isa.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

// By divisors of these magnitudes the quotient is right where it is at least so large, or where the dividend is zero: the dividend is
// then so large that the residual, a multiple of the least bits of quotient and divisor, is no smaller than the least subnormal
// number. A quotient that overflows on the way is a NaN.
template <class Element> struct QuotientRange;
template <> struct QuotientRange<double> {
  static constexpr double least_divisor = 0x1p-400, greatest_divisor = 0x1p400, least_quotient = 0x1p-500;
};
template <> struct QuotientRange<float> {
  static constexpr float least_divisor = 0x1p-40f, greatest_divisor = 0x1p40f, least_quotient = 0x1p-50f;
};

// `inverse`: 1 / divisor, correctly rounded. The sign of a zero is not that of the quotient.
template <class V> V quotient_from_inverse(V dividend, V divisor, V inverse) {
  using std::fma;
  const V q0 = dividend * inverse;
  const V q1 = fma(fma(-q0, divisor, dividend), inverse, q0);
  return fma(fma(-q1, divisor, dividend), inverse, q1);
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
