// Floating-point environments that a caller may have.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>

#include <cstdint>

namespace frit::test {

// Holds a control word for its lifetime.
class Csr {
 public:
  explicit Csr(std::uint32_t value) : saved_(_mm_getcsr()) { _mm_setcsr(value); }
  ~Csr() { _mm_setcsr(saved_); }

 private:
  std::uint32_t saved_;
};

inline constexpr std::uint32_t exception_flags = 0x3f;

struct Environment {
  const char* name;
  std::uint32_t csr;
};

inline constexpr Environment environments[] = {
    {"flush to zero", 0x1f80 | 0x8000},
    {"denormals are zero", 0x1f80 | 0x0040},
    {"both", 0x1f80 | 0x8040},
    {"round down", 0x1f80 | 0x2000},
    {"round up", 0x1f80 | 0x4000},
    {"round toward zero", 0x1f80 | 0x6000},
    {"flags raised", 0x1f80 | exception_flags},
    {"round up, both, flags", 0x1f80 | 0x4000 | 0x8040 | 0x0015},
    // NOTE: not the inexact trap beside frit's own code: the standard library's hash tables and timers, which bind and call
    // use outside the kernels, divide inexactly. The kernels' entries are tested with it unmasked.
    {"traps for invalid, division by zero and overflow", 0x1f80 & ~0x0680u},
};

}  // namespace frit::test
#endif
