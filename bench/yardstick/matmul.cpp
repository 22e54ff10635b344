// The product of two n by n matrices, row-major, on one core: both operands are packed into panels in the order of their
// use, a panel of b (256 by two vectors) stays in the first-level cache, a block of a in the second-level one, and a tile
// of the result in registers. -O3 -march=native -ffast-math; no SIMD math.
#include <cstdlib>
#include <memory>

#include "kernel.hpp"
#include "simd.hpp"

namespace yardstick {
namespace {

constexpr std::size_t tile_rows = many_registers ? 12 : 6;
constexpr std::size_t tile_vectors = 2;
constexpr std::size_t depth = 256;      // of a panel
constexpr std::size_t block_rows = 96;  // of a, a multiple of tile_rows

struct Free {
  void operator()(void* p) const { std::free(p); }
};

// Memory for panels, kept between calls: touching new pages takes longer than packing.
template <class T> T* panels(std::size_t size, int which) {
  thread_local std::unique_ptr<T, Free> memory[2];
  thread_local std::size_t sizes[2] = {};
  if (sizes[which] < size) {
    const std::size_t bytes = (size * sizeof(T) + 63) / 64 * 64;
    memory[which].reset(static_cast<T*>(std::aligned_alloc(64, bytes)));
    sizes[which] = size;
  }
  return memory[which].get();
}

// c (tile_rows by tile_vectors vectors, stride `ld`) gets or adds the product of two panels.
template <class T>
inline void tile(std::size_t k_size, const T* __restrict a, const T* __restrict b, T* __restrict c, std::size_t ld,
                 bool add) {
  Vector<T> sum[tile_rows][tile_vectors] = {};
  for (std::size_t k = 0; k < k_size; ++k) {
    Vector<T> row[tile_vectors];
#pragma GCC unroll 2
    for (std::size_t j = 0; j < tile_vectors; ++j) row[j] = load(b + (k * tile_vectors + j) * lanes<T>);
#pragma GCC unroll 12
    for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 2
      for (std::size_t j = 0; j < tile_vectors; ++j) sum[i][j] += a[k * tile_rows + i] * row[j];
    }
  }
#pragma GCC unroll 12
  for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 2
    for (std::size_t j = 0; j < tile_vectors; ++j) {
      T* const at = c + i * ld + j * lanes<T>;
      store(at, add ? load(at) + sum[i][j] : sum[i][j]);
    }
  }
}

template <class T> void multiply(std::size_t n, const T* const* in, T* out) {
  constexpr std::size_t width = tile_vectors * lanes<T>;
  const std::size_t columns = (n + width - 1) / width * width;
  T* const packed_b = panels<T>(depth * columns, 0);
  T* const packed_a = panels<T>(block_rows * depth, 1);
  alignas(64) T edge[tile_rows * width];
  for (std::size_t k0 = 0; k0 < n; k0 += depth) {
    const std::size_t k_size = n - k0 < depth ? n - k0 : depth;
    for (std::size_t j = 0; j < columns; j += width) {
      for (std::size_t k = 0; k < k_size; ++k) {
        const T* const from = in[1] + (k0 + k) * n + j;
        T* const to = packed_b + j * k_size + k * width;
        if (j + width <= n) {
          std::memcpy(to, from, width * sizeof(T));
        } else {
          for (std::size_t l = 0; l < width; ++l) to[l] = j + l < n ? from[l] : T(0);
        }
      }
    }
    for (std::size_t i0 = 0; i0 < n; i0 += block_rows) {
      const std::size_t i_size = n - i0 < block_rows ? n - i0 : block_rows;
      for (std::size_t i = 0; i < i_size; i += tile_rows) {
        for (std::size_t l = 0; l < tile_rows; ++l) {
          const bool inside = i + l < i_size;
          const T* const from = in[0] + (i0 + i + (inside ? l : 0)) * n + k0;
          T* const to = packed_a + i * k_size + l;
          for (std::size_t k = 0; k < k_size; ++k) to[k * tile_rows] = inside ? from[k] : T(0);
        }
      }
      for (std::size_t j = 0; j < columns; j += width) {
        for (std::size_t i = 0; i < i_size; i += tile_rows) {
          const T* const a = packed_a + i * k_size;
          const T* const b = packed_b + j * k_size;
          T* const c = out + (i0 + i) * n + j;
          if (i + tile_rows <= i_size && j + width <= n) {
            tile(k_size, a, b, c, n, k0 > 0);
            continue;
          }
          tile(k_size, a, b, edge, width, false);
          for (std::size_t r = 0; r < tile_rows && i + r < i_size; ++r) {
            for (std::size_t l = 0; l < width && j + l < n; ++l)
              c[r * n + l] = k0 > 0 ? c[r * n + l] + edge[r * width + l] : edge[r * width + l];
          }
        }
      }
    }
  }
}

constexpr Kernel kernels[] = {{"matmul", "plain", "", multiply<double>, multiply<float>}};

}  // namespace

std::span<const Kernel> matmul() { return kernels; }

}  // namespace yardstick
