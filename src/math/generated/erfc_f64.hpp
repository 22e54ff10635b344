// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct ErfcConstants<double> {
  // erfc is 0 from here on, subnormal numbers too
  static constexpr double most = 0x1.b4ccccccccccdp+4;
  // erfc is a normal number up to here
  static constexpr double least_normal = 0x1.a8p+4;
  static constexpr double shift = 0x1.cp+1;
  static constexpr double scaled_lo = -0x1.496050d21c2cp-56;
  // (1 + 2 x) exp(x^2) erfc(x) with t = x / (x + 3.5) - 1/2 on [-0.5, 0.386364]; weighted error 2^-57.0
  static constexpr double scaled[] = {
      0x1.3e0a99a0ee914p+0,
      -0x1.1ebd220ea5937p-2,
      -0x1.59e2c284b0bf9p-5,
      0x1.8f702ec6b2efdp-1,
      -0x1.d76830c355ef6p+0,
      0x1.68610604781d7p+1,
      -0x1.8ff5ef764a508p+1,
      0x1.38ec666ece50bp+1,
      -0x1.143c4cdc4525cp+0,
      -0x1.3cf36488f16d7p-3,
      0x1.27e6712ffa23dp-1,
      -0x1.fda9714ba86e7p-3,
      -0x1.66e5c57031b55p-3,
      0x1.970e0ac1f5405p-3,
      0x1.39327d8460085p-5,
      -0x1.002ca6b4881fp-3,
      -0x1.d48c88da0b41dp-9,
      0x1.4429a615bab3cp-4,
      0x1.4bb960b9b4dfbp-10,
      -0x1.9a7d149a60a4bp-5,
      -0x1.1fb4519b8c232p-7,
      0x1.7fba2cea74a5bp-6,
      0x1.75240f74a3c81p-7};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
