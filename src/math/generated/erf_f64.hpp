// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct ErfConstants<double> {
  // where the form changes, and from where on erf is 1 to the last bit
  static constexpr double split = 0x1.ap-1;
  static constexpr double most = 0x1.8p+2;
  // (erf(x)/x - 1) with z = x^2 on [8.67362e-19, 0.660156]; weighted error 2^-56.3
  static constexpr double small[] = {
      0x1.06eba8214db69p-3,
      -0x1.812746b037a04p-2,
      0x1.ce2f21a043d73p-4,
      -0x1.b82ce312d66aap-6,
      0x1.565bcd1a4d737p-8,
      -0x1.c02db6355356dp-11,
      0x1.f9a3699eb599bp-14,
      -0x1.f4d7693cbfd5dp-17,
      0x1.ba24284f86facp-20,
      -0x1.611b4f5ec6a73p-23,
      0x1.029b90fbd82b9p-26,
      -0x1.317f1685b9a98p-30};
  // log2(erfc(split + t) / erfc(split)) / t on [9.09495e-13, 5.1875]; weighted error 2^-57.3
  static constexpr double log_ratio[] = {
      -0x1.adcd039f04414p+1,
      -0x1.2deb49fe3dbf9p+0,
      -0x1.2659bddd688f2p-4,
      0x1.1bc0c63f9fe87p-6,
      -0x1.a2a2bc4d7a2a8p-9,
      0x1.019d3d22f0ba4p-12,
      0x1.e878ad56c1f1fp-14,
      -0x1.1993c1954d38fp-14,
      0x1.431baae38c0a4p-16,
      -0x1.6296987ce5cb6p-19,
      -0x1.2699e701c091p-21,
      0x1.09e83cccedcc6p-21,
      -0x1.8a06e76997ad3p-23,
      0x1.86ecef8270aa1p-25,
      -0x1.1217800d48664p-27,
      0x1.06b4af37bc587p-30,
      -0x1.35bc18d4fc7abp-34,
      0x1.52bc2ed71be16p-39};
  // erfc(split) 2^r on [-0.5, 0.5]; weighted error 2^-55.5
  static constexpr double power[] = {
      0x1.008c80a24ff1p-2,
      0x1.63a6f70cf5ddp-3,
      0x1.ed09e4ec8705fp-5,
      0x1.c7aa1a76343dap-7,
      0x1.3bd7b0b4f4c9cp-9,
      0x1.5e47d47868d5p-12,
      0x1.43ba5e281dfcap-15,
      0x1.007272e53af49p-18,
      0x1.6382d85f69d8ap-22,
      0x1.b60b804704907p-26,
      0x1.e69d33cf39f37p-30,
      0x1.f89f39ed68d0bp-34};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
