// The correctly rounded square root from an estimate of its inverse: where a CPU has the estimate, about a third of the time
// of its own square root.
//
// Goldschmidt's iteration with fma: g tends to sqrt(x), h to 1 / (2 sqrt(x)); the last step adds the exact residual x - g^2,
// times h (P. Markstein, Computation of elementary functions on the IBM RISC System/6000, 1990).
//
// Where |estimate * sqrt(x) - 1| <= 2^-14, g before the last step is within 2.5 ulp of the root (half the sum of the rounding
// errors of g and h, the square of the error of the step before, the rounding) and h within that relative error, so that the
// error before the last rounding is at most 2^-49.5 ulp in f64 and 2^-20.9 ulp in f32. By tools/math/hard_roots.py the result
// is correctly rounded for all arguments if it is for those with |k| <= 23, and its list goes to 40.
#pragma once

#include <cmath>

#include "lanes/isa.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <class Element> inline constexpr int root_steps = sizeof(Element) == 8 ? 2 : 1;

// The arguments from which on the residual is exact: x * 2^(-2 p) is not below the least subnormal number.
template <class Element>
inline constexpr Element least_root_argument = sizeof(Element) == 8 ? Element(0x1p-960) : Element(0x1p-96f);

// For x >= least_root_argument, finite.
template <class V> V root_from_estimate(V x, V estimate, V half, int steps) {
  using std::fma;
  V g = x * estimate;
  V h = half * estimate;
  for (int i = 0; i < steps; ++i) {
    const V r = fma(-g, h, half);
    g = fma(g, r, g);
    h = fma(h, r, h);
  }
  return fma(fma(-g, g, x), h, g);
}

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
