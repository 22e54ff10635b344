// Rows of 1,024 elements: softmax, logsumexp, layer norm. A row fits into the first-level cache, so several passes over it
// cost little; the exponentials of softmax are kept in the output. -O3 -march=native -ffast-math -fopenmp-simd; the variant
// libmvec is vectorised by the compiler, the variant SLEEF has explicit vectors.
#include "kernel.hpp"
#include "simd.hpp"

namespace yardstick {
namespace {

template <class T> inline T row_max(const T* __restrict x) {
  Vector<T> m[4] = {load(x), load(x), load(x), load(x)};
  for (std::size_t i = 0; i < row_length; i += 4 * lanes<T>) {
    for (std::size_t k = 0; k < 4; ++k) m[k] = larger(m[k], load(x + i + k * lanes<T>));
  }
  return max_of<T>(larger(larger(m[0], m[1]), larger(m[2], m[3])));
}

template <class T> void softmax_libmvec(std::size_t n, const T* const* in, T* out) {
  for (std::size_t r = 0; r + row_length <= n; r += row_length) {
    const T* __restrict const x = in[0] + r;
    T* __restrict const y = out + r;
    const T m = row_max(x);
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < row_length; ++i) {
      y[i] = exp(x[i] - m);
      sum += y[i];
    }
    const T scale = 1 / sum;
#pragma omp simd
    for (std::size_t i = 0; i < row_length; ++i) y[i] *= scale;
  }
}

template <class T> void logsumexp_libmvec(std::size_t n, const T* const* in, T* out) {
  for (std::size_t r = 0; r + row_length <= n; r += row_length) {
    const T* __restrict const x = in[0] + r;
    const T m = row_max(x);
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < row_length; ++i) sum += exp(x[i] - m);
    out[r / row_length] = m + std::log(sum);
  }
}

#if defined(YARDSTICK_HAVE_SLEEF)
template <class T> void softmax_sleef(std::size_t n, const T* const* in, T* out) {
  for (std::size_t r = 0; r + row_length <= n; r += row_length) {
    const T* const x = in[0] + r;
    T* const y = out + r;
    const T m = row_max(x);
    Vector<T> sum{};
    for (std::size_t i = 0; i < row_length; i += lanes<T>) {
      const Vector<T> e = exp(load(x + i) - m);
      store(y + i, e);
      sum += e;
    }
    const T scale = 1 / sum_of<T>(sum);
    for (std::size_t i = 0; i < row_length; i += lanes<T>) store(y + i, load(y + i) * scale);
  }
}

template <class T> void logsumexp_sleef(std::size_t n, const T* const* in, T* out) {
  for (std::size_t r = 0; r + row_length <= n; r += row_length) {
    const T* const x = in[0] + r;
    const T m = row_max(x);
    Vector<T> sum{};
    for (std::size_t i = 0; i < row_length; i += lanes<T>) sum += exp(load(x + i) - m);
    out[r / row_length] = m + std::log(sum_of<T>(sum));
  }
}
#endif

// Mean first, then the mean square of what is left, then scale and shift.
template <class T> void layer_norm(std::size_t n, const T* const* in, T* out) {
  const T* const gain = in[1];
  const T* const shift = in[2];
  for (std::size_t r = 0; r + row_length <= n; r += row_length) {
    const T* const x = in[0] + r;
    Vector<T> sums[4] = {};
    for (std::size_t i = 0; i < row_length; i += 4 * lanes<T>) {
      for (std::size_t k = 0; k < 4; ++k) sums[k] += load(x + i + k * lanes<T>);
    }
    const T mean = sum_of<T>((sums[0] + sums[1]) + (sums[2] + sums[3])) / T(row_length);
    Vector<T> squares[4] = {};
    for (std::size_t i = 0; i < row_length; i += 4 * lanes<T>) {
      for (std::size_t k = 0; k < 4; ++k) {
        const Vector<T> d = load(x + i + k * lanes<T>) - mean;
        squares[k] += d * d;
      }
    }
    const T variance = sum_of<T>((squares[0] + squares[1]) + (squares[2] + squares[3])) / T(row_length);
    const T scale = 1 / std::sqrt(variance + T(1e-5));
    for (std::size_t i = 0; i < row_length; i += lanes<T>)
      store(out + r + i, (load(x + i) - mean) * scale * load(gain + i) + load(shift + i));
  }
}

constexpr Kernel kernels[] = {
    {"softmax", "libmvec", "exp", softmax_libmvec<double>, softmax_libmvec<float>},
    {"logsumexp", "libmvec", "exp", logsumexp_libmvec<double>, logsumexp_libmvec<float>},
#if defined(YARDSTICK_HAVE_SLEEF)
    {"softmax", "SLEEF", "", softmax_sleef<double>, softmax_sleef<float>},
    {"logsumexp", "SLEEF", "", logsumexp_sleef<double>, logsumexp_sleef<float>},
#endif
    {"layer_norm", "plain", "", layer_norm<double>, layer_norm<float>},
};

}  // namespace

std::span<const Kernel> rows() { return kernels; }

}  // namespace yardstick
