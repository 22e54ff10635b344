// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the
// function they stand for (tools/math/minimax.py), lowest order first.
// clang-format off
#pragma once

#include "math/constants.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace math {

template <> struct TrigConstants<double> {
  // pi/2 in three parts; the second has 33 bits, so its product with a quotient below 2^20 is exact
  static constexpr double pio2_1 = 0x1.921fb54442d18p+0;
  static constexpr double pio2_2 = 0x1.1a626331p-54;
  static constexpr double pio2_3 = 0x1.1701b839a252p-88;
  static constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
  // the largest argument for them: a little below 2^20 pi/2
  static constexpr double direct_limit = 0x1.91b8cp+20;
  // pi/2 in two parts
  static constexpr double pio2_hi = 0x1.921fb54442d18p+0;
  static constexpr double pio2_lo = 0x1.1a62633145c07p-54;
  // (sin(r)/r - 1) / z with z = r^2 on [0, 0.619262]; weighted error 2^-63.2
  static constexpr double sin_tail[] = {
      -0x1.5555555555555p-3,
      0x1.1111111111069p-7,
      -0x1.a01a019ffe544p-13,
      0x1.71de3a33ab61ap-19,
      -0x1.ae642c5d87966p-26,
      0x1.6109c78b5b69fp-33,
      -0x1.a003a73af6a9p-41};
  // (cos(r) - 1 + z/2) / z^2 with z = r^2 on [0, 0.619262]; weighted error 2^-63.8
  static constexpr double cos_tail[] = {
      0x1.555555555554ap-5,
      -0x1.6c16c16c14ep-10,
      0x1.a01a019c5c3bep-16,
      -0x1.27e4f7cd36079p-22,
      0x1.1ee9c33a3368ap-29,
      -0x1.8f99cec083909p-37};
  // row j holds 2/pi * 2^(-32 + 16 j) modulo 4 in four parts
  static constexpr std::int64_t least_exponent = 20;
  static constexpr std::int64_t row_shift = 4;
  static constexpr std::int64_t rows = 63;
  static constexpr double turns[63 * 4] = {
      0x1.45f306dc9c883p-33, -0x1.6b01ec5417056p-87, -0x1.6447e493ad4cep-141, 0x1.e21c820ff28b2p-195,
      0x1.45f306dc9c883p-17, -0x1.6b01ec5417056p-71, -0x1.6447e493ad4cep-125, 0x1.e21c820ff28b2p-179,
      0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55, -0x1.6447e493ad4cep-109, 0x1.e21c820ff28b2p-163,
      0x1.836e4e44152ap+0, -0x1.ec54170565912p-55, 0x1.b6c52b3278872p-113, 0x1.07f9458eaf7afp-170,
      0x1.27220a94fe13bp+1, -0x1.05c1596447e49p-53, -0x1.d6a66c3bc6fbep-108, -0x1.ae9c5421443aap-168,
      0x1.529fc2757d1f5p-4, 0x1.a6ee06db14acdp-59, -0x1.8778df7c035d4p-113, 0x1.d5ef5de2b0db9p-167,
      0x1.fc2757d1f534ep+0, -0x1.1f924eb53361ep-55, 0x1.c820ff28b1d5fp-111, -0x1.443a9e48db91cp-168,
      0x1.abe8fa9a6ee07p+1, -0x1.275a99b0ef1bfp-54, 0x1.fe5163abdebbcp-112, 0x1.586dc91b8e909p-166,
      0x1.f534ddc0db629p+0, 0x1.664f10e4107f9p-54, 0x1.163abdebbc562p-108, -0x1.236e4716f6c8bp-162,
      0x1.bb81b6c52b328p-1, -0x1.de37df00d74e3p-55, 0x1.7bd778ac36e49p-109, -0x1.1c5bdb22d1ffap-164,
      0x1.b6c52b3278872p-1, 0x1.07f9458eaf7afp-58, -0x1.d4f246dc8e2dfp-115, 0x1.374b801924bbbp-170,
      0x1.4acc9e21c821p+1, -0x1.ae9c5421443aap-56, 0x1.b7246e3a424ddp-112, 0x1.700324977504fp-167,
      0x1.3c439041fe516p+0, 0x1.d5ef5de2b0db9p-55, 0x1.1b8e909374b8p-110, 0x1.924bba8274648p-166,
      0x1.c820ff28b1d5fp+1, -0x1.443a9e48db91cp-56, -0x1.6f6c8b47fe6dbp-110, -0x1.115f62e6de302p-164,
      0x1.fe5163abdebbcp+0, 0x1.586dc91b8e909p-54, 0x1.ba5c00c925dd4p-109, 0x1.3a32439fc3bd6p-165,
      0x1.63abdebbc561bp+0, 0x1.c91b8e909374cp-54, -0x1.ff9b6d115f62ep-108, -0x1.b78c0788538d4p-162,
      0x1.ef5de2b0db923p+1, 0x1.c74849ba5c00dp-53, -0x1.b688afb1736f2p-107, 0x1.fc3bd63962535p-161,
      0x1.e2b0db92371d2p+1, 0x1.26e9700324977p-55, 0x1.413a32439fc3cp-109, -0x1.4e34ed658c117p-164,
      0x1.b7246e3a424ddp+0, 0x1.700324977504fp-55, -0x1.cdbc603c429c7p-109, 0x1.894d39f74411bp-163,
      0x1.b8e909374b802p-2, -0x1.b6d115f62e6dep-56, -0x1.80f10a71a76b3p-111, 0x1.cfba208d7d4bbp-166,
      0x1.2126e97003249p+1, 0x1.dd413a32439fcp-53, 0x1.deb1cb129a73fp-108, -0x1.77dca0ad144bbp-164,
      0x1.d2e006492eea1p+0, -0x1.8b9b78c078854p-54, 0x1.cb129a73ee882p-108, 0x1.afa975da24275p-163,
      0x1.924bba8274648p-6, 0x1.cfe1deb1cb12ap-60, -0x1.63045df7282b4p-114, -0x1.44bb7b16638fep-168,
      0x1.2eea09d1921dp+0, -0x1.e214e34ed658cp-56, -0x1.177dca0ad144cp-112, 0x1.213a671c09ad1p-166,
      0x1.04e8c90e7f0efp+1, 0x1.63962534e7dd1p-53, 0x1.1afa975da2427p-111, 0x1.338e04d68befdp-165,
      0x1.921cfe1deb1cbp+0, 0x1.29a73ee88235fp-56, 0x1.4baed1213a672p-110, -0x1.fb29741037d8dp-165,
      0x1.fc3bd63962535p-1, -0x1.822efb9415a29p-57, 0x1.a24274ce38136p-111, -0x1.741037d8cdc54p-165,
      0x1.eb1cb129a73efp+0, -0x1.df7282b4512eep-54, 0x1.3a671c09ad17ep-110, -0x1.bec66e29c67cbp-168,
      0x1.62534e7dd1047p-1, -0x1.0568a25dbd8b3p-55, -0x1.c7eca5d040df6p-111, -0x1.9b8a719f2b318p-166,
      0x1.a73ee88235f53p+0, -0x1.44bb7b16638fep-56, 0x1.ad17df904e647p-110, 0x1.639835339f49dp-164,
      0x1.74411afa975dap+1, 0x1.213a671c09ad1p-54, 0x1.f7e413991d63ap-108, -0x1.f2b3182d8dee8p-162,
      0x1.1afa975da2427p+1, 0x1.338e04d68befdp-53, -0x1.f633714e33e56p-107, -0x1.8c16c6f740e88p-161,
      0x1.2ebb4484e99c7p+0, 0x1.35a2fbf209cc9p-59, -0x1.4e33e566305b2p-115, 0x1.08bf177bf2507p-169,
      0x1.a24274ce38136p+1, -0x1.741037d8cdc54p-53, 0x1.cc1a99cfa4e42p-107, 0x1.7e2ef7e4a0ec8p-162,
      0x1.d338e04d68bfp-1, -0x1.bec66e29c67cbp-56, 0x1.9cfa4e422fc5ep-111, -0x1.036be27003b4p-167,
      0x1.c09ad17df904ep-2, 0x1.91d639835339fp-56, 0x1.272117e2ef7e5p-110, -0x1.7c4e007680022p-164,
      0x1.5a2fbf209cc8fp+1, -0x1.38cf9598c16c7p-53, 0x1.17e2ef7e4a0ecp-110, 0x1.ff897ffde0598p-164,
      0x1.bf209cc8eb1ccp+1, 0x1.a99cfa4e422fcp-55, 0x1.77bf250763ff1p-109, 0x1.7ffde05980fefp-164,
      0x1.3991d63983534p+0, -0x1.82d8dee81d108p-54, -0x1.b5f13801da001p-110, 0x1.e05980fef2f12p-164,
      0x1.d639835339f4ap+0, -0x1.bdd03a21036bep-55, -0x1.3801da00087eap-110, 0x1.80fef2f118b5ap-164,
      0x1.835339f49c846p+0, -0x1.d1081b5f13802p-58, 0x1.2fffbc0b301fep-113, -0x1.a1dce94beb25cp-169,
      0x1.9cfa4e422fc5ep+1, -0x1.036be27003b4p-55, -0x1.0fd33f8086877p-115, -0x1.d297d64b824b2p-170,
      0x1.3908bf177bf25p-1, 0x1.d8ffc4bffef03p-59, -0x1.9fc04343b9d29p-114, -0x1.f592e092c9813p-168,
      0x1.7e2ef7e4a0ec8p-2, -0x1.da00087e99fcp-62, -0x1.0d0ee74a5f593p-116, 0x1.f6d367ecf27cbp-172,
      0x1.defc941d8ffc5p+1, -0x1.00043f4cfe022p-53, 0x1.788c5ad05369p-107, -0x1.25930261b069fp-161,
      0x1.283b1ff897ffep+0, -0x1.fa67f010d0ee7p-56, -0x1.297d64b824b26p-110, -0x1.30d834f648b0cp-168,
      0x1.8ffc4bffef02dp+1, -0x1.fc04343b9d298p-54, 0x1.4da3eda6cfd9ep-109, 0x1.3e584dba7a32p-163,
      0x1.2fffbc0b301fep-1, -0x1.a1dce94beb25cp-57, -0x1.25930261b069fp-113, 0x1.b74f463f669e6p-168,
      0x1.ef02cc07f7979p+1, -0x1.ce94beb25c126p-53, 0x1.b3f6793e584dcp-107, -0x1.61738132c3403p-161,
      0x1.980fef2f118b6p+0, -0x1.7d64b824b2605p-54, 0x1.e4f96136e9e8cp-109, 0x1.fb34f2ff516bbp-163,
      0x1.f79788c5ad053p+1, 0x1.a3eda6cfd9e5p-53, -0x1.a7b24585ce04dp-107, 0x1.3cbfd45aea4f7p-161,
      0x1.88c5ad05368fbp+1, 0x1.a6cfd9e4f9613p-53, 0x1.ba7a31fb34f3p-107, -0x1.5d28ad8453814p-164,
      0x1.ad05368fb69b4p+1, -0x1.30d834f648b0cp-56, 0x1.8fd9a797fa8b6p-110, -0x1.5b08a7028341dp-165,
      0x1.368fb69b3f679p+1, 0x1.f2c26dd3d18fep-54, -0x1.961a015d28ad8p-108, -0x1.14e050683a131p-162,
      0x1.b69b3f6793e58p+1, 0x1.36e9e8c7ecd3dp-53, -0x1.00ae9456c229cp-107, -0x1.41a0e84c2f8c6p-164,
      0x1.3f6793e584dbap+1, 0x1.e8c7ecd3cbfd4p-53, 0x1.6ba93dd63f5f3p-107, -0x1.d0985f18c10ebp-165,
      0x1.93e584dba7a32p+1, -0x1.32c3402ba515bp-57, -0x1.14e050683a131p-114, 0x1.0739f78a5292fp-168,
      0x1.84dba7a31fb35p+1, -0x1.a015d28ad8454p-56, 0x1.faf97c5ecf41dp-110, -0x1.821d6b5b4565p-166,
      0x1.a7a31fb34f2ffp+1, 0x1.45aea4f758fd8p-53, -0x1.a0e84c2f8c608p-108, -0x1.d6b5b45650128p-162,
      0x1.1fb34f2ff516cp+1, -0x1.5b08a7028341dp-53, -0x1.30be31821d6b6p-110, 0x1.2ea6bfb5fb12p-164,
      0x1.4f2ff516ba93ep+1, -0x1.4e050683a130cp-54, 0x1.ce7de294a4baap-110, -0x1.404a04ee072a3p-164,
      0x1.f516ba93dd63fp+1, 0x1.7cbe2f67a0e74p-53, -0x1.0eb5ada2b2809p-109, -0x1.0277039517bd5p-163,
      0x1.7527bac7ebe5fp+0, 0x1.7b3d0739f78a5p-56, 0x1.497535fdafd89p-111, -0x1.ca8bdea7f33eep-170};
};

}  // namespace math
}  // namespace FRIT_ISA
}  // namespace frit
