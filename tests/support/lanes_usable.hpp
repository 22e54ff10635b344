// Tests of lane code are compiled once for the baseline and once for each ISA (tests/CMakeLists.txt).
#pragma once

#include <gtest/gtest.h>

#include "core/cpu_level.hpp"
#include "lanes/isa.hpp"

namespace frit::test {

// False where this CPU lacks the instructions that this file was compiled for.
inline bool lanes_usable() {
#if defined(FRIT_LANES_AVX512)
  return cpu_has_level(4);
#elif defined(FRIT_LANES_AVX2)
  return cpu_has_level(3);
#elif defined(FRIT_LANES_SSE4)
  return cpu_has_level(2);
#else
  return true;
#endif
}

}  // namespace frit::test
