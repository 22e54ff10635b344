// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct Exp2Constants<double> {
  static constexpr double ln2 = 0x1.62e42fefa39efp-1;
  // (2^r - 1 - r ln2) / r^2 on [-0.500488, 0.500488]; weighted error 2^-56.2
  static constexpr double tail[] = {
      0x1.ebfbdff82c58ep-3,
      0x1.c6b08d704a1d5p-5,
      0x1.3b2ab6fba5243p-7,
      0x1.5d87fe7874257p-10,
      0x1.430912f70e9bfp-13,
      0x1.ffcbfd4115a63p-17,
      0x1.62c02802cf5abp-20,
      0x1.b5236b0411f61p-24,
      0x1.e4bc8945005a9p-28,
      0x1.ebd0a30c174cep-32,
      0x1.d714aa5ba6de8p-36};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
