// Explicit vectors as wide as the registers of this CPU, and SLEEF's functions of at most 1 ulp over them.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#if defined(YARDSTICK_SLEEF) && defined(__x86_64__)
#include <sleef.h>
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace yardstick {

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr const char* vector_isa = "AVX-512";
inline constexpr std::size_t vector_bytes = 64;
inline constexpr bool many_registers = true;
#define YARDSTICK_AVX512
#elif defined(__AVX2__) && defined(__FMA__)
inline constexpr const char* vector_isa = "AVX2";
inline constexpr std::size_t vector_bytes = 32;
inline constexpr bool many_registers = false;
#define YARDSTICK_AVX2
#else
inline constexpr const char* vector_isa = "the compiler's choice for vectors of 16 bytes";
inline constexpr std::size_t vector_bytes = 16;
inline constexpr bool many_registers = false;
#endif

#if !defined(YARDSTICK_SLEEF)
inline constexpr const char* sleef_missing = "SLEEF was not found when the benchmarks were configured (libsleef-dev)";
#elif defined(YARDSTICK_AVX512) || defined(YARDSTICK_AVX2)
inline constexpr const char* sleef_missing = "";
#define YARDSTICK_HAVE_SLEEF
#else
inline constexpr const char* sleef_missing = "the SLEEF variant is written for AVX2 and AVX-512";
#endif

using Double [[gnu::vector_size(vector_bytes)]] = double;
using Float [[gnu::vector_size(vector_bytes)]] = float;
template <class T> struct VectorOf;
template <> struct VectorOf<double> { using type = Double; };
template <> struct VectorOf<float> { using type = Float; };
template <class T> using Vector = typename VectorOf<T>::type;
template <class T> inline constexpr std::size_t lanes = vector_bytes / sizeof(T);

template <class T> inline Vector<T> load(const T* at) {
  Vector<T> x;
  std::memcpy(&x, at, sizeof x);
  return x;
}
template <class T> inline void store(T* at, Vector<T> x) { std::memcpy(at, &x, sizeof x); }
template <class T> inline Vector<T> splat(T x) { return Vector<T>{} + x; }

template <class T> inline T sum_of(Vector<T> x) {
  T s = 0;
  for (std::size_t i = 0; i < lanes<T>; ++i) s += x[i];
  return s;
}
template <class T> inline T max_of(Vector<T> x) {
  T m = x[0];
  for (std::size_t i = 1; i < lanes<T>; ++i) m = m > x[i] ? m : x[i];
  return m;
}
template <class V> inline V larger(V a, V b) { return a > b ? a : b; }

// An optimisation barrier: the vector is needed in a register.
template <class V> inline void use(V& x) {
#if defined(__x86_64__)
  asm volatile("" : "+x"(x));
#else
  asm volatile("" : "+w"(x));
#endif
}

// Elementary functions, by one name for scalars and, from SLEEF, for vectors.
using std::atan2, std::cos, std::erf, std::exp, std::log, std::log1p, std::pow, std::sin;

// The square root by an estimate of the reciprocal root and Newton's steps, to within 1 ulp or two: the root of the
// hardware is three times slower. Zero gives zero.
// NOTE: the forms with a mask, since GCC 12 warns of an uninitialised variable in its headers for those without.
#if defined(YARDSTICK_AVX512)
inline Double fast_sqrt(Double x) {
  const Double a = larger(x, splat(std::numeric_limits<double>::min()));
  const Double r0 = (Double)_mm512_maskz_rsqrt14_pd(0xff, (__m512d)a);
  const Double r1 = r0 + 0.5 * r0 * (1.0 - a * r0 * r0);
  const Double s = a * r1;
  return s + 0.5 * r1 * (x - s * s);
}
inline Float fast_sqrt(Float x) {
  const Float a = larger(x, splat(std::numeric_limits<float>::min()));
  const Float r = (Float)_mm512_maskz_rsqrt14_ps(0xffff, (__m512)a);
  const Float s = a * r;
  return s + 0.5f * r * (x - s * s);
}
#elif defined(YARDSTICK_AVX2)
inline Double fast_sqrt(Double x) { return (Double)_mm256_sqrt_pd((__m256d)x); }  // there is no estimate of doubles
inline Float fast_sqrt(Float x) {
  const Float a = larger(x, splat(std::numeric_limits<float>::min()));
  const Float r = (Float)_mm256_rsqrt_ps((__m256)a);
  const Float s = a * r;
  return s + 0.5f * r * (x - s * s);
}
#else
template <class V> inline V fast_sqrt(V x) {
  for (std::size_t i = 0; i < sizeof x / sizeof x[0]; ++i) x[i] = std::sqrt(x[i]);
  return x;
}
#endif

#if defined(YARDSTICK_HAVE_SLEEF)
#if defined(YARDSTICK_AVX512)
#define YARDSTICK_F64(name) Sleef_##name##d8_u10avx512f
#define YARDSTICK_F32(name) Sleef_##name##f16_u10avx512f
using NativeDouble = __m512d;
using NativeFloat = __m512;
#else
#define YARDSTICK_F64(name) Sleef_##name##d4_u10avx2
#define YARDSTICK_F32(name) Sleef_##name##f8_u10avx2
using NativeDouble = __m256d;
using NativeFloat = __m256;
#endif
#define YARDSTICK_UNARY(name)                                                           \
  inline Double name(Double x) { return (Double)YARDSTICK_F64(name)((NativeDouble)x); } \
  inline Float name(Float x) { return (Float)YARDSTICK_F32(name)((NativeFloat)x); }
#define YARDSTICK_BINARY(name)                                                                                     \
  inline Double name(Double x, Double y) { return (Double)YARDSTICK_F64(name)((NativeDouble)x, (NativeDouble)y); } \
  inline Float name(Float x, Float y) { return (Float)YARDSTICK_F32(name)((NativeFloat)x, (NativeFloat)y); }
YARDSTICK_UNARY(exp)
YARDSTICK_UNARY(log)
YARDSTICK_UNARY(log1p)
YARDSTICK_UNARY(sin)
YARDSTICK_UNARY(cos)
YARDSTICK_UNARY(erf)
YARDSTICK_BINARY(pow)
YARDSTICK_BINARY(atan2)
#undef YARDSTICK_UNARY
#undef YARDSTICK_BINARY
#endif

// For scalars, in loops that the compiler turns into vectors.
inline double fast_sqrt(double x) { return std::sqrt(x); }
inline float fast_sqrt(float x) { return std::sqrt(x); }
template <class V> struct ElementOf { using type = V; };
template <> struct ElementOf<Double> { using type = double; };
template <> struct ElementOf<Float> { using type = float; };
template <class V> using Element = typename ElementOf<V>::type;

// What is left of `n` elements from `at`, less than a vector, padded by the last one.
template <class T> inline Vector<T> load_rest(const T* in, std::size_t at, std::size_t n) {
  Vector<T> x = splat(in[n - 1]);
  for (std::size_t i = at; i < n; ++i) x[i - at] = in[i];
  return x;
}
template <class T> inline void store_rest(T* out, std::size_t at, std::size_t n, Vector<T> x) {
  for (std::size_t i = at; i < n; ++i) out[i] = x[i - at];
}

}  // namespace yardstick
