// Products of matrices, independent of the ISA. The order of combination is part of the result where elements are
// floating-point; it depends on the number k of products in an element alone:
//
//   1. The products are numbered along k. A block is 256 of them, taken in order: s = +0; s = fma(a[k], b[k], s).
//   2. The blocks are combined by the cascade of ops/reduce.hpp: two nodes of a level are one of the next, and the nodes that are
//      left, one for each bit set in the number of blocks, are N1 + (N2 + ... (Nm-1 + Nm)), the largest first.
//   3. No product at all gives +0.
//
// Integers wrap in their own dtype. The parts of a complex product are made of products of real matrices, each in this order:
// re = re a re b - im a im b, im = re a im b + im a re b.
#pragma once

#include <cstddef>
#include <cstdint>

namespace frit::exec {

inline constexpr std::int64_t matmul_block = 256;

// What becomes of the elements of a product.
enum class MatmulInto : unsigned char { store, subtract, add };

// to[i, j] = sum over k of a[i, k] b[k, j]. Strides are in bytes; elements may have any address, and `to` shares none with the
// others.
struct MatmulCall {
  const std::byte* a = nullptr;
  const std::byte* b = nullptr;
  std::byte* to = nullptr;
  std::int64_t a_row = 0, a_column = 0, b_row = 0, b_column = 0, to_row = 0, to_column = 0;
  std::int64_t m = 0, n = 0, k = 0;
  MatmulInto into = MatmulInto::store;
  std::byte* scratch = nullptr;  // of matmul_scratch() bytes, aligned to 64
};
using MatmulKernel = void (*)(const MatmulCall& call);

// The largest tile of any ISA: rows, and bytes of columns.
inline constexpr std::int64_t matmul_rows = 8;
inline constexpr std::int64_t matmul_row_bytes = 192;

constexpr std::int64_t matmul_levels(std::int64_t k) {
  std::int64_t levels = 0;
  for (std::int64_t blocks = (k + matmul_block - 1) / matmul_block; blocks > 1; blocks = (blocks + 1) / 2) ++levels;
  return levels;
}
constexpr std::int64_t matmul_padded(std::int64_t n, std::int64_t size) { return (n * size + 63) / 64 * 64; }
// One tile, the packed blocks of a and b, and a node for each level of the cascade.
constexpr std::int64_t matmul_scratch(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t size) {
  const std::int64_t block = k < matmul_block ? k : matmul_block;
  return matmul_rows * matmul_row_bytes + matmul_padded(matmul_rows * block, size) + matmul_padded(n, size) * block +
         matmul_padded(n, size) * m * matmul_levels(k);
}

}  // namespace frit::exec
