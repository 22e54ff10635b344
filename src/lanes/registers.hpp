// What one hardware register of each ISA can do, under one set of names: Registers<T, L> for L elements of T.
// Only the native models include this. Where GCC's vector extension has a good form for every ISA, native.hpp uses that.
//
//   F, U, M             floating lanes, integer lanes, mask
//   compare             lt, le, eq, ne (F), int_eq, int_lt (U, signed)
//   both, either, ...   logic on masks
//   lane_flags(m)       bit i of an unsigned is lane i of the mask
#pragma once

#include <cstddef>
#include <cstdint>

#include "lanes/isa.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
#if defined(FRIT_LANES_SSE4) || defined(FRIT_LANES_PLAIN)
#include "lanes/software_fma.hpp"
#endif

namespace frit {
inline namespace FRIT_ISA {
namespace lanes {

template <class T> struct IntegersOf;
template <> struct IntegersOf<float> {
  using Unsigned = std::uint32_t;
  using Signed = std::int32_t;
};
template <> struct IntegersOf<double> {
  using Unsigned = std::uint64_t;
  using Signed = std::int64_t;
};

template <class T, int L> struct VectorOf {
  typedef T Type __attribute__((vector_size(sizeof(T) * static_cast<std::size_t>(L))));
};
template <class T, int L> using Vector = typename VectorOf<T, L>::Type;

template <class T, int L> struct Registers;

// Masks as integer vectors, all ones or zero in each lane: every set but AVX-512.
template <class T, int L> struct VectorMasks {
  using F = Vector<T, L>;
  using U = Vector<typename IntegersOf<T>::Unsigned, L>;
  using M = Vector<typename IntegersOf<T>::Signed, L>;
  static FRIT_INLINE M lt(F a, F b) { return (M)(a < b); }
  static FRIT_INLINE M le(F a, F b) { return (M)(a <= b); }
  static FRIT_INLINE M eq(F a, F b) { return (M)(a == b); }
  static FRIT_INLINE M ne(F a, F b) { return (M)(a != b); }
  static FRIT_INLINE M int_eq(U a, U b) { return (M)(a == b); }
  static FRIT_INLINE M int_lt(U a, U b) { return (M)((M)a < (M)b); }
  static FRIT_INLINE M both(M a, M b) { return a & b; }
  static FRIT_INLINE M either(M a, M b) { return a | b; }
  static FRIT_INLINE M differ(M a, M b) { return a ^ b; }
  static FRIT_INLINE M inverse(M a) { return ~a; }
  static FRIT_INLINE M splat(bool flag) { return flag ? ~M{} : M{}; }
  static FRIT_INLINE U mask_image(M m) { return (U)m; }
  static FRIT_INLINE M mask_of(U a) { return (M)(a != U{}); }
};

#if defined(FRIT_LANES_AVX512)

inline constexpr int register_bytes = 64;

// NOTE: the maskz forms with all lanes on, since the plain intrinsics of GCC 12 warn of an undefined operand.
// NOTE: masks live in mask registers at every length, since blends by a vector mask cost two operations on some cores.
#define FRIT_AVX512_REGISTERS(T, L, P, S, I, MASK, MASK_BITS)                                                 \
  template <> struct Registers<T, L> {                                                                        \
    using F = Vector<T, L>;                                                                                   \
    using U = Vector<IntegersOf<T>::Unsigned, L>;                                                             \
    using M = MASK;                                                                                           \
    static FRIT_INLINE F fma(F a, F b, F c) { return (F)P##_fmadd_##S(a, b, c); }                             \
    static FRIT_INLINE F sqrt(F a) { return (F)P##_maskz_sqrt_##S(static_cast<M>(-1), a); }                   \
    static FRIT_INLINE F round_even(F a) { return (F)P##_maskz_roundscale_##S(static_cast<M>(-1), a, 0x08); } \
    static FRIT_INLINE F floor(F a) { return (F)P##_maskz_roundscale_##S(static_cast<M>(-1), a, 0x09); }      \
    static FRIT_INLINE F trunc(F a) { return (F)P##_maskz_roundscale_##S(static_cast<M>(-1), a, 0x0b); }      \
    static FRIT_INLINE F select(M m, F a, F b) { return (F)P##_mask_blend_##S(m, b, a); }                     \
    static FRIT_INLINE U select(M m, U a, U b) { return (U)P##_mask_blend_##I(m, FRIT_INT(b), FRIT_INT(a)); } \
    static FRIT_INLINE M lt(F a, F b) { return P##_cmp_##S##_mask(a, b, _CMP_LT_OQ); }                        \
    static FRIT_INLINE M le(F a, F b) { return P##_cmp_##S##_mask(a, b, _CMP_LE_OQ); }                        \
    static FRIT_INLINE M eq(F a, F b) { return P##_cmp_##S##_mask(a, b, _CMP_EQ_OQ); }                        \
    static FRIT_INLINE M ne(F a, F b) { return P##_cmp_##S##_mask(a, b, _CMP_NEQ_UQ); }                       \
    static FRIT_INLINE M int_eq(U a, U b) { return P##_cmpeq_##I##_mask(FRIT_INT(a), FRIT_INT(b)); }          \
    static FRIT_INLINE M int_lt(U a, U b) { return P##_cmplt_##I##_mask(FRIT_INT(a), FRIT_INT(b)); }          \
    static FRIT_INLINE M both(M a, M b) { return _kand_mask##MASK_BITS(a, b); }                               \
    static FRIT_INLINE M either(M a, M b) { return _kor_mask##MASK_BITS(a, b); }                              \
    static FRIT_INLINE M differ(M a, M b) { return _kxor_mask##MASK_BITS(a, b); }                             \
    static FRIT_INLINE M inverse(M a) { return _knot_mask##MASK_BITS(a); }                                    \
    static FRIT_INLINE M splat(bool flag) { return static_cast<M>(flag ? -1 : 0); }                           \
    static FRIT_INLINE U mask_image(M m) { return (U)P##_maskz_set1_##I(m, -1); }                             \
    static FRIT_INLINE M mask_of(U a) { return P##_test_##I##_mask(FRIT_INT(a), FRIT_INT(a)); }               \
    static FRIT_INLINE unsigned lane_flags(M m) { return m; }                                                 \
    static FRIT_INLINE F load_partial(const T* from, std::ptrdiff_t n) {                                      \
      return (F)P##_maskz_loadu_##S(static_cast<M>((1u << n) - 1u), from);                                    \
    }                                                                                                         \
    static FRIT_INLINE void store_partial(T* to, F a, std::ptrdiff_t n) {                                     \
      P##_mask_storeu_##S(to, static_cast<M>((1u << n) - 1u), a);                                             \
    }                                                                                                         \
    static FRIT_INLINE F gather(const T* base, U index);                                                      \
  }

#define FRIT_INT(a) ((__m128i)(a))
FRIT_AVX512_REGISTERS(double, 2, _mm, pd, epi64, __mmask8, 8);
FRIT_AVX512_REGISTERS(float, 4, _mm, ps, epi32, __mmask8, 8);
#undef FRIT_INT
#define FRIT_INT(a) ((__m256i)(a))
FRIT_AVX512_REGISTERS(double, 4, _mm256, pd, epi64, __mmask8, 8);
FRIT_AVX512_REGISTERS(float, 8, _mm256, ps, epi32, __mmask8, 8);
#undef FRIT_INT
#define FRIT_INT(a) ((__m512i)(a))
FRIT_AVX512_REGISTERS(double, 8, _mm512, pd, epi64, __mmask8, 8);
FRIT_AVX512_REGISTERS(float, 16, _mm512, ps, epi32, __mmask16, 16);
#undef FRIT_INT
#undef FRIT_AVX512_REGISTERS

FRIT_INLINE auto Registers<double, 8>::gather(const double* base, U index) -> F {
  return (F)_mm512_mask_i64gather_pd(_mm512_setzero_pd(), 0xff, (__m512i)index, base, 8);
}
FRIT_INLINE auto Registers<float, 16>::gather(const float* base, U index) -> F {
  return (F)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xffff, (__m512i)index, base, 4);
}

#elif defined(FRIT_LANES_AVX2)

inline constexpr int register_bytes = 32;

#define FRIT_AVX2_REGISTERS(T, L, P, S, I, INT, WORD)                                                                 \
  template <> struct Registers<T, L> : VectorMasks<T, L> {                                                            \
    static FRIT_INLINE F fma(F a, F b, F c) { return (F)P##_fmadd_##S(a, b, c); }                                     \
    static FRIT_INLINE F sqrt(F a) { return (F)P##_sqrt_##S(a); }                                                     \
    static FRIT_INLINE F round_even(F a) { return (F)P##_round_##S(a, 0x08); }                                        \
    static FRIT_INLINE F floor(F a) { return (F)P##_round_##S(a, 0x09); }                                             \
    static FRIT_INLINE F trunc(F a) { return (F)P##_round_##S(a, 0x0b); }                                             \
    static FRIT_INLINE F select(M m, F a, F b) { return (F)P##_blendv_##S(b, a, (F)m); }                              \
    static FRIT_INLINE U select(M m, U a, U b) { return (U)P##_blendv_##S((F)b, (F)a, (F)m); }                        \
    static FRIT_INLINE unsigned lane_flags(M m) { return static_cast<unsigned>(P##_movemask_##S((F)m)); }             \
    static FRIT_INLINE INT live(std::ptrdiff_t n) {                                                                   \
      U lane{};                                                                                                       \
      for (int i = 0; i < L; ++i) lane[i] = static_cast<IntegersOf<T>::Unsigned>(i);                                  \
      return (INT)((M)lane < (static_cast<IntegersOf<T>::Signed>(n) - M{}));                                          \
    }                                                                                                                 \
    static FRIT_INLINE F load_partial(const T* from, std::ptrdiff_t n) { return (F)P##_maskload_##S(from, live(n)); } \
    static FRIT_INLINE void store_partial(T* to, F a, std::ptrdiff_t n) { P##_maskstore_##S(to, live(n), a); }        \
    static FRIT_INLINE F gather(const T* base, U index) {                                                             \
      const F all = (F)(~U{});                                                                                        \
      return (F)P##_mask_##WORD##gather_##S(F{}, base, (INT)index, all, sizeof(T));                                   \
    }                                                                                                                 \
  }

FRIT_AVX2_REGISTERS(double, 2, _mm, pd, epi64, __m128i, i64);
FRIT_AVX2_REGISTERS(float, 4, _mm, ps, epi32, __m128i, i32);
FRIT_AVX2_REGISTERS(double, 4, _mm256, pd, epi64, __m256i, i64);
FRIT_AVX2_REGISTERS(float, 8, _mm256, ps, epi32, __m256i, i32);
#undef FRIT_AVX2_REGISTERS

#else

inline constexpr int register_bytes = 16;

// The remaining sets spell what differs below and share the rest.
template <class T, int L> struct SmallRegisters : VectorMasks<T, L> {
  using typename VectorMasks<T, L>::F;
  using typename VectorMasks<T, L>::U;
  using typename VectorMasks<T, L>::M;
  static FRIT_INLINE unsigned lane_flags(M m) {
    unsigned flags = 0;
    for (int i = 0; i < L; ++i) flags |= (m[i] != 0 ? 1u : 0u) << i;
    return flags;
  }
  static FRIT_INLINE F load_partial(const T* from, std::ptrdiff_t n) {
    F a{};
    for (int i = 0; i < L; ++i) {
      if (i < n) {
        T lane;
        __builtin_memcpy(&lane, reinterpret_cast<const char*>(from) + i * std::ptrdiff_t{sizeof(T)}, sizeof(T));
        a[i] = lane;
      }
    }
    return a;
  }
  static FRIT_INLINE void store_partial(T* to, F a, std::ptrdiff_t n) {
    for (int i = 0; i < L; ++i) {
      if (i < n) {
        const T lane = a[i];
        __builtin_memcpy(reinterpret_cast<char*>(to) + i * std::ptrdiff_t{sizeof(T)}, &lane, sizeof(T));
      }
    }
  }
};

#if defined(FRIT_LANES_NEON)

#define FRIT_NEON_REGISTERS(T, L, S, U_TYPE, U_SUFFIX)                                          \
  template <> struct Registers<T, L> : SmallRegisters<T, L> {                                   \
    static FRIT_INLINE F fma(F a, F b, F c) { return vfmaq_##S(c, a, b); }                      \
    static FRIT_INLINE F sqrt(F a) { return vsqrtq_##S(a); }                                    \
    static FRIT_INLINE F round_even(F a) { return vrndnq_##S(a); }                              \
    static FRIT_INLINE F floor(F a) { return vrndmq_##S(a); }                                   \
    static FRIT_INLINE F trunc(F a) { return vrndq_##S(a); }                                    \
    static FRIT_INLINE F select(M m, F a, F b) { return vbslq_##S((U_TYPE)m, a, b); }           \
    static FRIT_INLINE U select(M m, U a, U b) { return (U)vbslq_##U_SUFFIX((U_TYPE)m, a, b); } \
  }
FRIT_NEON_REGISTERS(double, 2, f64, uint64x2_t, u64);
FRIT_NEON_REGISTERS(float, 4, f32, uint32x4_t, u32);
#undef FRIT_NEON_REGISTERS

#elif defined(FRIT_LANES_SSE4)

#define FRIT_SSE4_REGISTERS(T, L, S)                                                                      \
  template <> struct Registers<T, L> : SmallRegisters<T, L> {                                             \
    static FRIT_INLINE F fma(F a, F b, F c) { return software::fma(a, b, c); }                            \
    static FRIT_INLINE F sqrt(F a) { return (F)_mm_sqrt_##S(a); }                                         \
    static FRIT_INLINE F round_even(F a) { return (F)_mm_round_##S(a, 0x08); }                            \
    static FRIT_INLINE F floor(F a) { return (F)_mm_round_##S(a, 0x09); }                                 \
    static FRIT_INLINE F trunc(F a) { return (F)_mm_round_##S(a, 0x0b); }                                 \
    static FRIT_INLINE F select(M m, F a, F b) { return (F)_mm_blendv_##S(b, a, (F)m); }                  \
    static FRIT_INLINE U select(M m, U a, U b) { return (U)_mm_blendv_##S((F)b, (F)a, (F)m); }            \
    static FRIT_INLINE unsigned lane_flags(M m) { return static_cast<unsigned>(_mm_movemask_##S((F)m)); } \
  }
FRIT_SSE4_REGISTERS(double, 2, pd);
FRIT_SSE4_REGISTERS(float, 4, ps);
#undef FRIT_SSE4_REGISTERS

#else

// The baseline is for tests of the templates themselves: right, not fast.
template <class T, int L> struct Registers : SmallRegisters<T, L> {
  using typename SmallRegisters<T, L>::F;
  using typename SmallRegisters<T, L>::U;
  using typename SmallRegisters<T, L>::M;
  static FRIT_INLINE F fma(F a, F b, F c) { return software::fma(a, b, c); }
  static FRIT_INLINE F sqrt(F a) {
#if defined(__x86_64__)
    if constexpr (sizeof(T) == 8)
      return (F)_mm_sqrt_pd((__m128d)a);
    else
      return (F)_mm_sqrt_ps((__m128)a);
#else
    F r{};
    for (int i = 0; i < L; ++i) r[i] = static_cast<T>(sizeof(T) == 8 ? __builtin_sqrt(a[i]) : __builtin_sqrtf(a[i]));
    return r;
#endif
  }
  static FRIT_INLINE F round_even(F a) {
    // Adding and taking away 2^52 (2^23) leaves the nearest integer; larger values, infinities and NaN are their own.
    const T magic = sizeof(T) == 8 ? T(0x1p52) : T(0x1p23f);
    const F splat = magic - F{};
    const U sign = (U)(-F{});
    const F magnitude = (F)((U)a & ~sign);
    const F rounded = (F)((U)((magnitude + splat) - splat) | ((U)a & sign));
    return select(magnitude < splat, rounded, a);
  }
  static FRIT_INLINE F floor(F a) {
    const F nearest = round_even(a);
    const U sign = (U)a & (U)(-F{});
    return (F)((U)select(nearest > a, nearest - T(1), nearest) | sign);
  }
  static FRIT_INLINE F trunc(F a) {
    const U sign = (U)a & (U)(-F{});
    const F magnitude = (F)((U)a ^ sign);
    const F nearest = round_even(magnitude);
    return (F)((U)select(nearest > magnitude, nearest - T(1), nearest) | sign);
  }
  static FRIT_INLINE F select(M m, F a, F b) { return (F)(((U)m & (U)a) | (~(U)m & (U)b)); }
  static FRIT_INLINE U select(M m, U a, U b) { return ((U)m & a) | (~(U)m & b); }
};

#endif
#endif

}  // namespace lanes
}  // namespace FRIT_ISA
}  // namespace frit
