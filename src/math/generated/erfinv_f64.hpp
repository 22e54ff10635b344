// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct ErfinvConstants<double> {
  // the form changes at 1 - x^2 = least
  static constexpr double least = 0x1p-15;
  static constexpr double base = 0x1.c5bf89p-1;
  static constexpr double slope = 0x1.cp-3;
  static constexpr double middle = 0x1.4p+2;
  // erfinv(x)/x - base - slope w with w = -log(1 - x^2) = t + middle on [-5, 5.39975]; weighted error 2^-57.6
  static constexpr double centre[] = {
      0x1.98ed76dbb159ep-4,
      -0x1.4acb10022fd39p-8,
      -0x1.dc19732ec80e4p-8,
      0x1.11f31de27d7c1p-13,
      0x1.ba62d321ae608p-15,
      -0x1.5f433abb214aep-17,
      0x1.06f83934d35d1p-20,
      -0x1.0f405219aef0dp-27,
      -0x1.b4ad2c2c1503ep-27,
      0x1.1b5bb8878443p-29,
      -0x1.20c93e4a3965fp-33,
      -0x1.57d3e9accfc0fp-37,
      0x1.dab472bb92a2dp-39,
      -0x1.9eb1b605329c9p-42,
      0x1.e29238aefc508p-48,
      0x1.39dcf4e525107p-48,
      -0x1.b476b35d168adp-51,
      0x1.d1fa25b80c9b6p-55,
      0x1.fd12bafde4e5cp-59,
      -0x1.6d20bab7e47f2p-60,
      0x1.46b3b88bf4795p-63,
      -0x1.619875b46d1b3p-68,
      -0x1.ad24ca11db4a6p-70,
      0x1.c79509919a5cep-72,
      -0x1.3f69dfc475842p-75,
      -0x1.1c8da2bc836c3p-78,
      0x1.29c0a5d2b6732p-80,
      -0x1.58016e9f13c85p-86,
      -0x1.8d6c64b3ccb13p-87,
      0x1.752f60e8cbbbcp-91,
      0x1.a4d013a1d980dp-95,
      -0x1.188cb28778cd1p-98};
  static constexpr double shift = 0x1p+1;
  static constexpr double tail_end = 0x1.8p+2;
  static constexpr double tail_middle = 0x1.44p-3;
  // erfinv(x)/s - 1 with s = sqrt(w), 1 / (s + 2) = t + tail_middle on [-0.0335148, 0.0332327]; weighted error 2^-58.4
  static constexpr double tail[] = {
      -0x1.29c6021617309p-5,
      -0x1.b788992160ceap-2,
      -0x1.09c970a7f797ep+0,
      0x1.d8ff0f22254b7p+1,
      0x1.bece259342e38p+4,
      0x1.de9c6c17f5aap+6,
      0x1.2129422a94213p+8,
      -0x1.e2e17738a8897p+9,
      -0x1.3f69c719e3b1ep+15,
      -0x1.4939532b0b598p+19,
      -0x1.680bc01978b7bp+22,
      0x1.2c56d4b949cb8p+24,
      0x1.275a6ea7ed2b3p+30,
      0x1.2e0b4d8d88c93p+33,
      -0x1.9cdb31e7c91a3p+36,
      -0x1.0d645506da645p+41,
      0x1.0ea7e84ee9d6dp+42,
      0x1.1de8d2b16abd3p+48,
      0x1.fac0c02d54704p+45,
      -0x1.5af49e8c7031ep+54};
  static constexpr double far_tail_middle = 0x1.46p-4;
  // erfinv(x)/s - 1 with s = sqrt(w), 1 / (s + 2) = t + far_tail_middle on [-0.0455762, 0.0454102]; weighted error 2^-58.5
  static constexpr double far_tail[] = {
      -0x1.492f96e7c3cd2p-7,
      -0x1.de934559a98b8p-3,
      -0x1.4f4a314f3c57ep+0,
      -0x1.429b19eb74c3fp-8,
      0x1.51700740f0ac4p-2,
      0x1.8b5308c26a0c3p+5,
      -0x1.1a1749e2d9591p+6,
      0x1.6c277dfc27fep+10,
      -0x1.252ceab750b74p+13,
      0x1.4f64088d50c95p+16,
      -0x1.7367f231b00a3p+19,
      0x1.adbe975d4b304p+22,
      -0x1.fd95ef03bcd46p+25,
      0x1.43146a55fba0fp+29,
      -0x1.a2a42653d57a2p+32,
      0x1.6fa760176361ap+35,
      -0x1.3dd5e8ce27017p+38,
      0x1.bf4b84be94d4dp+43,
      -0x1.92d43437f8d53p+47,
      -0x1.7f7d03a733965p+50,
      0x1.aef156e6e0b8ap+54,
      0x1.973164e06a28dp+58,
      -0x1.50ff1014c5ac3p+62};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
