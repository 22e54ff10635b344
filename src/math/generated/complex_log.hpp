// Written by tools/math/complex_log.py, which says what the constants are. Do not edit.
#pragma once

#include "lanes/isa.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <class Element>
struct ComplexLogConstants;

template <>
struct ComplexLogConstants<double> {
  // Error of the series, relative: 2^-66.2 for |u^2| <= 0.02947.
  static constexpr int terms = 9;
  static constexpr double q[terms] = {
      0x1.999999999999ap-3,
      0x1.2492492492473p-3,
      0x1.c71c71c71c6e3p-4,
      0x1.745d1746bc897p-4,
      0x1.3b13b13bebf8fp-4,
      0x1.111102324fe76p-4,
      0x1.e1e1c68554d63p-5,
      0x1.afdac0c87ba6ap-5,
      0x1.86bc72d65313cp-5,
  };
  static constexpr double third_hi = 0x1.5555555555555p-2;
  static constexpr double third_lo = 0x1.5555555555555p-56;
  static constexpr double half_ln2_hi = 0x1.62e42fefa4000p-2;
  static constexpr double half_ln2_lo = -0x1.8432a1b0e2634p-44;
  static constexpr double pi_hi = 0x1.921fb54442d18p+1;
  static constexpr double pi_lo = 0x1.1a62633145c07p-53;
  static constexpr double half_pi_hi = 0x1.921fb54442d18p+0;
  static constexpr double half_pi_lo = 0x1.1a62633145c07p-54;
  static constexpr double limit1 = 0x1.445f0fbb1cf92p-3;
  static constexpr double centre1 = 0x1.4c00000000000p-2;
  static constexpr double centre1_angle_hi = 0x1.410cbad6c7d33p-2;
  static constexpr double centre1_angle_lo = -0x1.b0c8bae13b512p-56;
  static constexpr double limit2 = 0x1.04e0850c1dd5cp-1;
  static constexpr double centre2 = 0x1.7400000000000p-1;
  static constexpr double centre2_angle_hi = 0x1.41b4ae06fea41p-1;
  static constexpr double centre2_angle_lo = 0x1.3d60a53277652p-57;
};

template <>
struct ComplexLogConstants<float> {
  // Error of the series, relative: 2^-36.5 for |u^2| <= 0.02947.
  static constexpr int terms = 4;
  static constexpr float q[terms] = {
      0x1.9999980000000p-3f,
      0x1.2492480000000p-3f,
      0x1.c762860000000p-4f,
      0x1.7499d40000000p-4f,
  };
  static constexpr float third_hi = 0x1.5555560000000p-2f;
  static constexpr float third_lo = -0x1.5555560000000p-27f;
  static constexpr float half_ln2_hi = 0x1.62e4000000000p-2f;
  static constexpr float half_ln2_lo = 0x1.7f7d1c0000000p-21f;
  static constexpr float pi_hi = 0x1.921fb60000000p+1f;
  static constexpr float pi_lo = -0x1.777a5c0000000p-24f;
  static constexpr float half_pi_hi = 0x1.921fb60000000p+0f;
  static constexpr float half_pi_lo = -0x1.777a5c0000000p-25f;
  static constexpr float limit1 = 0x1.445f100000000p-3f;
  static constexpr float centre1 = 0x1.4c00000000000p-2f;
  static constexpr float centre1_angle_hi = 0x1.410cba0000000p-2f;
  static constexpr float centre1_angle_lo = 0x1.ad8fa60000000p-27f;
  static constexpr float limit2 = 0x1.04e0860000000p-1f;
  static constexpr float centre2 = 0x1.7400000000000p-1f;
  static constexpr float centre2_angle_hi = 0x1.41b4ae0000000p-1f;
  static constexpr float centre2_angle_lo = 0x1.bfa9040000000p-31f;
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
