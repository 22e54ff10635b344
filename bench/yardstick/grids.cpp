// Two-dimensional results: the 5-point stencil and the distances of all pairs of points. -O3 -march=native -ffast-math.
#include "kernel.hpp"
#include "simd.hpp"

namespace yardstick {
namespace {

// n by n points, the boundary is copied. Four rows at a time: a row that is loaded serves as the middle, upper and lower one.
template <class T, std::size_t rows> inline void stencil_rows(std::size_t n, const T* __restrict u, T* __restrict out) {
  const auto step = [&](std::size_t j, auto read, auto write) {
    decltype(read(u)) column[rows + 2];
    for (std::size_t k = 0; k < rows + 2; ++k) column[k] = read(u + k * n + j - n);
    for (std::size_t k = 0; k < rows; ++k) {
      const T* const at = u + k * n + j;
      write(out + k * n + j,
            T(0.5) * column[k + 1] + T(0.125) * ((column[k] + column[k + 2]) + (read(at - 1) + read(at + 1))));
    }
  };
  std::size_t j = 1;
  for (; j + lanes<T> < n; j += lanes<T>)
    step(
        j, [](const T* at) { return load(at); }, [](T* at, Vector<T> x) { store(at, x); });
  for (; j + 1 < n; ++j)
    step(
        j, [](const T* at) { return *at; }, [](T* at, T x) { *at = x; });
  for (std::size_t k = 0; k < rows; ++k) {
    out[k * n] = u[k * n];
    out[k * n + n - 1] = u[k * n + n - 1];
  }
}

template <class T> void stencil(std::size_t n, const T* const* in, T* out) {
  const T* const u = in[0];
  std::memcpy(out, u, n * sizeof(T));
  std::memcpy(out + (n - 1) * n, u + (n - 1) * n, n * sizeof(T));
  std::size_t i = 1;
  for (; i + 4 < n; i += 4) stencil_rows<T, 4>(n, u + i * n, out + i * n);
  for (; i + 1 < n; ++i) stencil_rows<T, 1>(n, u + i * n, out + i * n);
}

// n points by n points of three coordinates, each coordinate an array. Eight rows share the loads of a vector of columns.
template <class T, std::size_t rows>
inline void distance_rows(std::size_t n, const T* const* in, std::size_t i, T* __restrict out) {
  for (std::size_t j = 0; j < n; j += lanes<T>) {
    const bool whole = j + lanes<T> <= n;
    Vector<T> q[3];
    for (std::size_t c = 0; c < 3; ++c) q[c] = whole ? load(in[3 + c] + j) : load_rest(in[3 + c], j, n);
    for (std::size_t k = 0; k < rows; ++k) {
      const Vector<T> dx = q[0] - in[0][i + k], dy = q[1] - in[1][i + k], dz = q[2] - in[2][i + k];
      const Vector<T> d = fast_sqrt(dx * dx + dy * dy + dz * dz);
      T* const row = out + (i + k) * n;
      if (whole) {
        store(row + j, d);
      } else {
        store_rest(row, j, n, d);
      }
    }
  }
}

template <class T> void distances(std::size_t n, const T* const* in, T* out) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) distance_rows<T, 4>(n, in, i, out);
  for (; i < n; ++i) distance_rows<T, 1>(n, in, i, out);
}

constexpr Kernel kernels[] = {
    {"stencil", "plain", "", stencil<double>, stencil<float>},
    {"distances", "plain", "", distances<double>, distances<float>},
};

}  // namespace

std::span<const Kernel> grids() { return kernels; }

}  // namespace yardstick
