// Mandelbrot: each element leaves its loop when it is outside, at the latest after 256 iterations. Four vectors take turns
// in the pipeline; finished lanes stay finished, and the loop ends when no lane of the four is left. One look every four
// iterations costs fewer than a branch in each. -O3 -march=native -ffast-math; no SIMD math.
#include "kernel.hpp"
#include "simd.hpp"

namespace yardstick {
namespace {

// Lanes that are still inside, and their count.
template <class T> struct Inside;
#if defined(YARDSTICK_AVX512)
template <> struct Inside<double> {
  using Mask = __mmask8;
  static Mask all() { return 0xff; }
  static Mask keep(Mask m, Double r) { return _mm512_mask_cmp_pd_mask(m, (__m512d)r, (__m512d)splat(4.0), _CMP_LE_OQ); }
  static Double count(Mask m, Double c) {
    return (Double)_mm512_mask_add_pd((__m512d)c, m, (__m512d)c, (__m512d)splat(1.0));
  }
  static bool any(Mask a, Mask b, Mask c, Mask d) { return (a | b | c | d) != 0; }
};
template <> struct Inside<float> {
  using Mask = __mmask16;
  static Mask all() { return 0xffff; }
  static Mask keep(Mask m, Float r) { return _mm512_mask_cmp_ps_mask(m, (__m512)r, (__m512)splat(4.0f), _CMP_LE_OQ); }
  static Float count(Mask m, Float c) {
    return (Float)_mm512_mask_add_ps((__m512)c, m, (__m512)c, (__m512)splat(1.0f));
  }
  static bool any(Mask a, Mask b, Mask c, Mask d) { return (a | b | c | d) != 0; }
};
#else
template <class T> struct Inside {
  using Mask = decltype(Vector<T>{} <= Vector<T>{});
  static Mask all() { return ~Mask{}; }
  static Mask keep(Mask m, Vector<T> r) { return m & (r <= T(4)); }
  static Vector<T> count(Mask m, Vector<T> c) { return m ? c + T(1) : c; }
  static bool any(Mask a, Mask b, Mask c, Mask d) {
    const Mask m = (a | b) | (c | d);
#if defined(YARDSTICK_AVX2)
    return _mm256_testz_si256((__m256i)m, (__m256i)m) == 0;
#else
    bool result = false;
    for (std::size_t i = 0; i < lanes<T>; ++i) result = result || m[i] != 0;
    return result;
#endif
  }
};
#endif

template <class T> inline void four_vectors(const Vector<T>* cr, const Vector<T>* ci, Vector<T>* count) {
  using In = Inside<T>;
  Vector<T> zr[4] = {}, zi[4] = {};
  typename In::Mask inside[4] = {In::all(), In::all(), In::all(), In::all()};
  for (std::size_t k = 0; k < 4; ++k) count[k] = Vector<T>{};
  for (int i = 0; i < mandelbrot_iterations; i += 4) {
#pragma GCC unroll 4
    for (int step = 0; step < 4; ++step) {
#pragma GCC unroll 4
      for (std::size_t k = 0; k < 4; ++k) {
        const Vector<T> i2 = zi[k] * zi[k];
        inside[k] = In::keep(inside[k], zr[k] * zr[k] + i2);
        count[k] = In::count(inside[k], count[k]);
        zi[k] = (zr[k] + zr[k]) * zi[k] + ci[k];
        zr[k] = zr[k] * zr[k] + (cr[k] - i2);
      }
    }
    if (!In::any(inside[0], inside[1], inside[2], inside[3])) break;
  }
}

template <class T> void mandelbrot_counts(std::size_t n, const T* const* in, T* out) {
  Vector<T> cr[4], ci[4], count[4];
  std::size_t e = 0;
  for (; e + 4 * lanes<T> <= n; e += 4 * lanes<T>) {
    for (std::size_t k = 0; k < 4; ++k) {
      cr[k] = load(in[0] + e + k * lanes<T>);
      ci[k] = load(in[1] + e + k * lanes<T>);
    }
    four_vectors<T>(cr, ci, count);
    for (std::size_t k = 0; k < 4; ++k) store(out + e + k * lanes<T>, count[k]);
  }
  if (e == n) return;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t at = e + k * lanes<T>;
    cr[k] = at < n && n - at >= lanes<T> ? load(in[0] + at) : at < n ? load_rest(in[0], at, n) : splat(T(4));
    ci[k] = at < n && n - at >= lanes<T> ? load(in[1] + at) : at < n ? load_rest(in[1], at, n) : splat(T(4));
  }
  four_vectors<T>(cr, ci, count);
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t at = e + k * lanes<T>;
    if (at < n) store_rest(out, at, n - at < lanes<T> ? n : at + lanes<T>, count[k]);
  }
}

constexpr Kernel kernels[] = {{"mandelbrot", "plain", "", mandelbrot_counts<double>, mandelbrot_counts<float>}};

}  // namespace

std::span<const Kernel> mandelbrot() { return kernels; }

}  // namespace yardstick
