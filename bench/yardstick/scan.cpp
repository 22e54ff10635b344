// A scan whose carry is a 3 by 3 matrix: c <- 1 + m[t] c, and c after every step is the output. A row of the carry is a
// vector of four lanes, so a step is nine fused operations whose chain is three long; elements of m are broadcast from
// memory, off the chain. The order of steps is kept: the carry of a scan need not be associative.
// -O3 -march=native -ffast-math; no SIMD math.
#include "kernel.hpp"
#include "simd.hpp"

namespace yardstick {
namespace {

using Row64 [[gnu::vector_size(32)]] = double;
using Row32 [[gnu::vector_size(16)]] = float;

// Row `i` of the next carry. NOTE: rows are passed by value and named one by one; GCC keeps arrays in memory.
template <class T, class Row> inline Row next_row(const T* m, Row c0, Row c1, Row c2, Row unit) {
  return m[2] * c2 + (m[1] * c1 + (m[0] * c0 + unit));
}
template <class T, class Row> inline void store_row(T* at, Row x) { std::memcpy(at, &x, sizeof x); }

template <class T, class Row> void scan_3x3(std::size_t n, const T* const* in, T* out) {
  const Row unit0{1, 0, 0, 0}, unit1{0, 1, 0, 0}, unit2{0, 0, 1, 0};
  Row c0 = unit0, c1 = unit1, c2 = unit2;
  const T* m = in[0];
  for (std::size_t t = 0; t < n; ++t, m += 9, out += 9) {
    const Row next0 = next_row(m, c0, c1, c2, unit0);
    const Row next1 = next_row(m + 3, c0, c1, c2, unit1);
    const Row next2 = next_row(m + 6, c0, c1, c2, unit2);
    c0 = next0, c1 = next1, c2 = next2;
    // The fourth lane is overwritten by the next row; the last row of all has no room for it.
    store_row(out, c0);
    store_row(out + 3, c1);
    if (t + 1 < n) {
      store_row(out + 6, c2);
    } else {
      out[6] = c2[0], out[7] = c2[1], out[8] = c2[2];
    }
  }
}

constexpr Kernel kernels[] = {{"scan", "plain", "", scan_3x3<double, Row64>, scan_3x3<float, Row32>}};

}  // namespace

std::span<const Kernel> scan() { return kernels; }

}  // namespace yardstick
