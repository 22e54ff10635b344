// Functions of one element each. The formulas stand once; the variant libmvec is a loop over scalars that the compiler
// vectorises with calls of glibc's libmvec (-O3 -march=native -ffast-math -fopenmp-simd), the variant SLEEF has explicit
// vectors. NOTE: no formula takes the sine and the cosine of one angle, since GCC's sincos pass leaves such loops scalar.
#include <utility>

#include "kernel.hpp"
#include "simd.hpp"

namespace yardstick {
namespace {

struct A1 {
  template <class V> static V of(V x, V y) { return exp(sin(x)) * cos(y) + fast_sqrt(x * x + y * y); }
};

// The distribution function of the normal distribution.
template <class V> inline V normal(V x) {
  using T = Element<V>;
  return T(0.5) + T(0.5) * erf(x * T(0.70710678118654752440));
}

// Black-Scholes: the price of a call for one rate and volatility, by spot, strike and time.
struct A2 {
  template <class V> static V of(V s, V k, V t) {
    using T = Element<V>;
    constexpr T rate = T(0.02), volatility = T(0.3);
    const V root = fast_sqrt(t);
    const V d1 = (log(s / k) + (rate + T(0.5) * volatility * volatility) * t) / (volatility * root);
    const V d2 = d1 - volatility * root;
    return s * normal(d1) - k * exp(-rate * t) * normal(d2);
  }
};

struct A3 {
  template <class V> static V of(V x) { return larger(x, V{}) + log1p(exp(-larger(x, -x))); }
};

struct A4 {
  template <class V> static V of(V x) {
    using T = Element<V>;
    V y = x * T(1.0 / 8) + T(-1.0 / 7);
    y = y * x + T(1.0 / 6);
    y = y * x + T(-1.0 / 5);
    y = y * x + T(1.0 / 4);
    y = y * x + T(-1.0 / 3);
    y = y * x + T(1.0 / 2);
    y = y * x + T(-1.0);
    return y * x + T(2.0);
  }
};

struct A5 {
  template <class V> static V of(V x, V y) { return pow(x, y) + log(x) * atan2(y, x); }
};

// Call and put by spot, strike, time, rate and volatility: two outputs.
struct BlackScholes {
  template <class V> static void of(V s, V k, V t, V r, V v, V& call, V& put) {
    using T = Element<V>;
    const V deviation = v * fast_sqrt(t);
    const V d1 = (log(s / k) + (r + T(0.5) * v * v) * t) / deviation;
    const V discounted = k * exp(-r * t);
    call = s * normal(d1) - discounted * normal(d1 - deviation);
    put = call - s + discounted;
  }
};

template <class Formula, class T, std::size_t... i>
[[gnu::always_inline]] inline void libmvec_loop(std::size_t n, const T* const* in, T* out, std::index_sequence<i...>) {
  const T* __restrict const columns[] = {in[i]...};
  T* __restrict const result = out;
  T* __restrict const second = out + n;
#pragma omp simd
  for (std::size_t e = 0; e < n; ++e) {
    if constexpr (sizeof...(i) == 5) {
      Formula::of(columns[i][e]..., result[e], second[e]);
    } else {
      result[e] = Formula::of(columns[i][e]...);
    }
  }
}
template <class Formula, int arity, class T> void libmvec(std::size_t n, const T* const* in, T* out) {
  libmvec_loop<Formula>(n, in, out, std::make_index_sequence<arity>());
}

// A chain of sines waits for the latency of each, so a block of eight vectors goes through it side by side.
template <bool libmvec, class T> void sin_chain(std::size_t n, const T* const* in, T* out) {
  constexpr std::size_t block = 8 * lanes<T>;
  for (std::size_t e = 0; e < n; e += block) {
    const std::size_t size = n - e < block ? n - e : block;
    alignas(64) T x[block] = {};
    std::memcpy(x, in[0] + e, size * sizeof(T));
    for (int k = 0; k < chained_sines; ++k) {
      if constexpr (libmvec) {
#pragma omp simd aligned(x : 64)
        for (std::size_t i = 0; i < block; ++i) x[i] = sin(x[i]);
      } else {
        for (std::size_t i = 0; i < block; i += lanes<T>) store(x + i, sin(load(x + i)));
      }
    }
    std::memcpy(out + e, x, size * sizeof(T));
  }
}

#if defined(YARDSTICK_HAVE_SLEEF)
template <class Formula, class T, std::size_t... i>
void sleef_loop(std::size_t n, const T* const* in, T* out, std::index_sequence<i...>) {
  std::size_t e = 0;
  for (; e + lanes<T> <= n; e += lanes<T>) {
    if constexpr (sizeof...(i) == 5) {
      Vector<T> a, b;
      Formula::of(load(in[i] + e)..., a, b);
      store(out + e, a);
      store(out + n + e, b);
    } else {
      store(out + e, Formula::of(load(in[i] + e)...));
    }
  }
  if (e == n) return;
  if constexpr (sizeof...(i) == 5) {
    Vector<T> a, b;
    Formula::of(load_rest(in[i], e, n)..., a, b);
    store_rest(out, e, n, a);
    store_rest(out + n, e, n, b);
  } else {
    store_rest(out, e, n, Formula::of(load_rest(in[i], e, n)...));
  }
}
template <class Formula, int arity, class T> void sleef(std::size_t n, const T* const* in, T* out) {
  sleef_loop<Formula>(n, in, out, std::make_index_sequence<arity>());
}
#endif

constexpr Kernel kernels[] = {
    {"a1", "libmvec", "exp sin cos", libmvec<A1, 2, double>, libmvec<A1, 2, float>},
    {"a2", "libmvec", "log exp erf", libmvec<A2, 3, double>, libmvec<A2, 3, float>},
    {"a3", "libmvec", "exp log1p", libmvec<A3, 1, double>, libmvec<A3, 1, float>},
    {"a4", "plain", "", libmvec<A4, 1, double>, libmvec<A4, 1, float>},
    {"a5", "libmvec", "pow log atan2", libmvec<A5, 2, double>, libmvec<A5, 2, float>},
    {"black_scholes", "libmvec", "log exp erf", libmvec<BlackScholes, 5, double>, libmvec<BlackScholes, 5, float>},
    {"sin_chain", "libmvec", "sin", sin_chain<true, double>, sin_chain<true, float>},
#if defined(YARDSTICK_HAVE_SLEEF)
    {"a1", "SLEEF", "", sleef<A1, 2, double>, sleef<A1, 2, float>},
    {"a2", "SLEEF", "", sleef<A2, 3, double>, sleef<A2, 3, float>},
    {"a3", "SLEEF", "", sleef<A3, 1, double>, sleef<A3, 1, float>},
    {"a5", "SLEEF", "", sleef<A5, 2, double>, sleef<A5, 2, float>},
    {"black_scholes", "SLEEF", "", sleef<BlackScholes, 5, double>, sleef<BlackScholes, 5, float>},
    {"sin_chain", "SLEEF", "", sin_chain<false, double>, sin_chain<false, float>},
#endif
};

}  // namespace

std::span<const Kernel> elementwise() { return kernels; }

}  // namespace yardstick
