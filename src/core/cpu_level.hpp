// The levels of the x86-64 psABI, 2 to 4, as they are compiled for by -march=x86-64-vN.
//
// NOTE: by features, since clang 14 does not know __builtin_cpu_supports("x86-64-v3"); and those that it has no name for by their
// bits. What the system saves of the registers is in the names.
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>

namespace frit {

inline bool cpu_has_level(int level) {
  unsigned a = 0, b = 0, basic = 0, extended = 0, d = 0;
  __get_cpuid(1, &a, &b, &basic, &d);
  __get_cpuid(0x80000001, &a, &b, &extended, &d);
  constexpr unsigned cmpxchg16b = 1u << 13, movbe = 1u << 22, f16c = 1u << 29;  // basic
  constexpr unsigned lahf = 1u << 0, lzcnt = 1u << 5;                           // extended
  __builtin_cpu_init();
  const bool v2 = (basic & cmpxchg16b) && (extended & lahf) && __builtin_cpu_supports("popcnt") &&
                  __builtin_cpu_supports("sse3") && __builtin_cpu_supports("ssse3") &&
                  __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2");
  const bool v3 = v2 && (basic & movbe) && (basic & f16c) && (extended & lzcnt) && __builtin_cpu_supports("avx2") &&
                  __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  return level >= 4 ? v4 : level == 3 ? v3 : v2;
}

}  // namespace frit
#endif
