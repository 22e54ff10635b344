// What the machine can do at most: plain sums, a loop that only loads, and one that only computes in registers.
// -O3 -march=native -ffast-math; no SIMD math.
#include "kernel.hpp"
#include "simd.hpp"

namespace yardstick {
namespace {

constexpr std::size_t streams_at_once = 8;

// Eight vectors of partial sums hide the latency of the addition.
template <class T> void sum(std::size_t n, const T* const* in, T* out) {
  const T* const x = in[0];
  constexpr std::size_t block = streams_at_once * lanes<T>;
  Vector<T> sums[streams_at_once] = {};
  std::size_t i = 0;
  for (; i + block <= n; i += block) {
    for (std::size_t k = 0; k < streams_at_once; ++k) sums[k] += load(x + i + k * lanes<T>);
  }
  Vector<T> all{};
  for (std::size_t k = 0; k < streams_at_once; ++k) all += sums[k];
  T result = sum_of<T>(all);
  for (; i < n; ++i) result += x[i];
  out[0] = result;
}

// Loads every vector and does nothing with it; the output is the last element.
template <class T> void load_only(std::size_t n, const T* const* in, T* out) {
  const T* const x = in[0];
  constexpr std::size_t block = streams_at_once * lanes<T>;
  std::size_t i = 0;
  for (; i + block <= n; i += block) {
#pragma GCC unroll 8
    for (std::size_t k = 0; k < streams_at_once; ++k) {
      Vector<T> v = load(x + i + k * lanes<T>);
      use(v);
    }
  }
  T last = x[n - 1];
  for (; i < n; ++i) last = *static_cast<const volatile T*>(x + i);
  out[0] = last;
}

// n rounds of eight independent fused multiply-adds, y <- 0.5 y + x, and nothing else; the output is the mean of all lanes.
// NOTE: variables and no array, which GCC would keep in memory.
template <class T> void registers(std::size_t n, const T* const* in, T* out) {
  const Vector<T> add = splat(in[0][0]), half = splat(T(0.5));
  Vector<T> a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};
  const auto step = [&](Vector<T> & y) __attribute__((always_inline)) {
    y = y * half + add;
    use(y);
  };
  for (std::size_t i = 0; i < n; ++i) {
    step(a), step(b), step(c), step(d);
    step(e), step(f), step(g), step(h);
  }
  out[0] = sum_of<T>(((a + b) + (c + d)) + ((e + f) + (g + h))) / T(8 * lanes<T>);
}

constexpr Kernel kernels[] = {
    {"sum", "plain", "", sum<double>, sum<float>},
    {"load_only", "plain", "", load_only<double>, load_only<float>},
    {"registers", "plain", "", registers<double>, registers<float>},
};

}  // namespace

std::span<const Kernel> streams() { return kernels; }

}  // namespace yardstick
