// Kernels of matrix products. Lanes lie across the columns of the result, so each element is one chain of its own.
#include "exec/kernel_table.hpp"
#include "lanes/integers.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {
namespace {

using exec::MatmulCall;
using exec::MatmulInto;

// The largest tile: as many sums as registers hold beside the operands.
#if defined(FRIT_LANES_AVX512) || defined(FRIT_LANES_NEON)
inline constexpr int tile_rows = 8, tile_vectors = 3;
#elif defined(FRIT_LANES_AVX2)
inline constexpr int tile_rows = 4, tile_vectors = 3;
#else
inline constexpr int tile_rows = 4, tile_vectors = 1;
#endif
// A matrix of more rows than this reads another one packed, where its rows do not lie in a few pages.
inline constexpr std::int64_t few_rows = 4 * tile_rows;
inline constexpr std::int64_t page_bytes = 4096;

// What differs between floating-point numbers and integers, which are unsigned here: that wraps.
// NOTE: sums are kept as registers without a constructor, since GCC keeps an array of others in memory.
template <class T> struct Sums {
  using V = lanes::WideInteger<T>;
  using Register = typename V::U;
  static FRIT_INLINE V of(Register sum) { return {sum}; }
  static FRIT_INLINE Register add_product(V a, V b, Register sum) { return (a * b + of(sum)).u; }
};
template <class T>
requires std::is_floating_point_v<T>
struct Sums<T> {
  using V = lanes::Wide<T>;
  using Register = typename V::F;
  static FRIT_INLINE V of(Register sum) { return V::of_register(sum); }
  static FRIT_INLINE Register add_product(V a, V b, Register sum) { return fma(a, b, of(sum)).v; }
};

template <class T> struct Matmul {
  using V = typename Sums<T>::V;
  using Register = typename Sums<T>::Register;
  static constexpr std::int64_t size = sizeof(T);
  static constexpr std::int64_t width = V::width;
  static constexpr std::int64_t vector_bytes = width * size;
  static constexpr std::int64_t row_bytes = tile_vectors * vector_bytes;
  static_assert(tile_rows <= exec::matmul_rows && row_bytes <= exec::matmul_row_bytes);

  static FRIT_INLINE const T* elements(const std::byte* at) { return reinterpret_cast<const T*>(at); }
  static FRIT_INLINE T* elements(std::byte* at) { return reinterpret_cast<T*>(at); }
  static FRIT_INLINE void move(const std::byte* from, std::byte* to) {
    T x;
    __builtin_memcpy(&x, from, sizeof x);
    __builtin_memcpy(to, &x, sizeof x);
  }

  // One block of a tile: `rows` rows of a, each `step` bytes from an element to the next, by panels of b.
  using Tile = void (*)(const std::byte* const* rows, std::int64_t step, const std::byte* b, std::int64_t b_row,
                        std::int64_t k, std::byte* to);
  template <int rows, int vectors>
  static void tile(const std::byte* const* a, std::int64_t step, const std::byte* b, std::int64_t b_row, std::int64_t k,
                   std::byte* to) {
    Register sum[rows][vectors];
    const std::byte* row[rows];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      row[r] = a[r];
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] = Register{};
    }
    for (std::int64_t end = k * step, at = 0; at != end; at += step, b += b_row) {
      Register x[vectors];
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) __builtin_memcpy(&x[v], b + v * vector_bytes, sizeof x[v]);
#pragma GCC unroll 8
      for (int r = 0; r < rows; ++r) {
        const V y = V::broadcast_load(elements(row[r] + at));
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) sum[r][v] = Sums<T>::add_product(y, Sums<T>::of(x[v]), sum[r][v]);
      }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) Sums<T>::of(sum[r][v]).store(elements(to + r * row_bytes + v * vector_bytes));
    }
  }
  template <int rows> static Tile tile_of(std::int64_t vectors) {
    if constexpr (tile_vectors >= 3) {
      if (vectors == 3) return &tile<rows, 3>;
      if (vectors == 2) return &tile<rows, 2>;
    }
    return &tile<rows, 1>;
  }
  // Missing rows of a tile repeat another one.
  static Tile tile_for(std::int64_t rows, std::int64_t vectors) {
    if (rows == 1) return tile_of<1>(vectors);
    if (rows == 2) return tile_of<2>(vectors);
    if constexpr (tile_rows > 4) {
      if (rows > 4) return tile_of<tile_rows>(vectors);
    }
    return tile_of<4>(vectors);
  }

  // The nodes that an element of a block is added to, in order, and where the sum goes.
  struct Merge {
    const std::byte* nodes[64];
    int count = 0;
    std::byte* node = nullptr;  // else to the result
    std::int64_t node_row = 0;
  };

  static FRIT_INLINE V merged(const Merge& merge, std::int64_t offset, V value) {
    for (int i = 0; i < merge.count; ++i) value = V::load(elements(merge.nodes[i] + offset)) + value;
    return value;
  }
  static FRIT_INLINE V into(MatmulInto how, V old, V value) {
    return how == MatmulInto::subtract ? old - value : how == MatmulInto::add ? old + value : value;
  }

  static void finish(const MatmulCall& call, const Merge& merge, const std::byte* tile, std::int64_t i, std::int64_t j,
                     std::int64_t rows, std::int64_t columns) {
    if (merge.count == 0 && merge.node == nullptr && call.to_column == size && call.into == MatmulInto::store) {
      std::byte* to = call.to + i * call.to_row + j * size;
      for (std::int64_t r = 0; r < rows; ++r, to += call.to_row, tile += row_bytes) {
        std::int64_t c = 0;
        for (; c + width <= columns; c += width) V::load(elements(tile + c * size)).store(elements(to + c * size));
        if (c < columns) V::load(elements(tile + c * size)).store_partial(elements(to + c * size), columns - c);
      }
      return;
    }
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < columns; c += width) {
        const std::int64_t offset = (i + r) * merge.node_row + (j + c) * size;
        const V value = merged(merge, offset, V::load(elements(tile + r * row_bytes + c * size)));
        if (merge.node != nullptr) {
          value.store(elements(merge.node + offset));
          continue;
        }
        std::byte* const to = call.to + (i + r) * call.to_row + (j + c) * call.to_column;
        const std::int64_t here = columns - c < width ? columns - c : width;
        if (call.to_column == size && call.into == MatmulInto::store) {
          here == width ? value.store(elements(to)) : value.store_partial(elements(to), here);
          continue;
        }
        alignas(64) std::byte lane[vector_bytes], old[vector_bytes];
        if (call.into != MatmulInto::store) {
#pragma GCC unroll 1
          for (std::int64_t l = 0; l < here; ++l) move(to + l * call.to_column, old + l * size);
          into(call.into, V::load(elements(static_cast<const std::byte*>(old))), value).store(elements(lane));
        } else {
          value.store(elements(lane));
        }
#pragma GCC unroll 1
        for (std::int64_t l = 0; l < here; ++l) move(lane + l * size, to + l * call.to_column);
      }
    }
  }

  // k rows of one panel of b, behind each other; missing columns are zeros.
  static void pack_panel(const std::byte* from, std::int64_t row, std::int64_t column, std::int64_t k,
                         std::int64_t columns, std::int64_t to_row, std::byte* to) {
    const std::int64_t whole = columns / width * width;
    if (column == size) {
      for (std::int64_t p = 0; p < k; ++p, from += row, to += to_row) {
        for (std::int64_t c = 0; c < whole; c += width)
          V::load(elements(from + c * size)).store(elements(to + c * size));
        if (whole < columns)
          V::load_partial(elements(from + whole * size), columns - whole).store(elements(to + whole * size));
      }
      return;
    }
    for (std::int64_t p = 0; p < k; ++p, from += row, to += to_row) {
      if (whole < columns) Sums<T>::of(Register{}).store(elements(to + whole * size));
#pragma GCC unroll 4
      for (std::int64_t c = 0; c < columns; ++c) move(from + c * column, to + c * size);
    }
  }

  static void run(const MatmulCall& call) {
    const std::int64_t blocks = call.k == 0 ? 1 : (call.k + exec::matmul_block - 1) / exec::matmul_block;
    const std::int64_t vectors = (call.n + width - 1) / width;
    const std::int64_t panels = (vectors + tile_vectors - 1) / tile_vectors;
    const std::int64_t block_most = call.k < exec::matmul_block ? call.k : exec::matmul_block;
    std::byte* const tile = call.scratch;
    std::byte* const packed_a = tile + exec::matmul_rows * exec::matmul_row_bytes;
    std::byte* const packed_b = packed_a + exec::matmul_padded(exec::matmul_rows * block_most, size);
    std::byte* const nodes = packed_b + exec::matmul_padded(call.n, size) * block_most;
    Merge merge;
    merge.node_row = vectors * vector_bytes;
    const std::int64_t node_bytes = merge.node_row * call.m;

    const bool b_in_place = call.b_column == size && (call.m <= few_rows || call.b_row * block_most <= 8 * page_bytes);
    // Tiles count their steps by the place in a row, so it must move on.
    const bool a_in_place = (panels == 1 && call.a_column != 0) || call.a_column == size;
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t first = block * exec::matmul_block;
      const std::int64_t k = call.k - first < exec::matmul_block ? call.k - first : exec::matmul_block;
      int level = 0;
      merge.count = 0;
      for (; (block >> level & 1) != 0; ++level) merge.nodes[merge.count++] = nodes + level * node_bytes;
      merge.node = nodes + level * node_bytes;
      if (block + 1 == blocks) {
        merge.node = nullptr;
        for (++level; blocks >> level != 0; ++level) {
          if ((blocks >> level & 1) != 0) merge.nodes[merge.count++] = nodes + level * node_bytes;
        }
      }
      // Panels are of about one width. panel(fn): fn(first column, vectors).
      const auto each_panel = [&](auto fn) FRIT_INLINE_LAMBDA {
        for (std::int64_t p = 0, at = 0; p < panels; ++p) {
          const std::int64_t wide = vectors / panels + (p < vectors % panels ? 1 : 0);
          fn(at * width, wide);
          at += wide;
        }
      };
      const std::byte* const b = call.b + first * call.b_row;
      const auto is_packed = [&](std::int64_t column, std::int64_t wide)
                                 FRIT_INLINE_LAMBDA { return !b_in_place || column + wide * width > call.n; };
      each_panel([&](std::int64_t column, std::int64_t wide) {
        if (!is_packed(column, wide)) return;
        const std::int64_t columns = call.n - column < wide * width ? call.n - column : wide * width;
        pack_panel(b + column * call.b_column, call.b_row, call.b_column, k, columns, wide * vector_bytes,
                   packed_b + column * block_most * size);
      });
      for (std::int64_t i = 0; i < call.m; i += tile_rows) {
        const std::int64_t rows = call.m - i < tile_rows ? call.m - i : tile_rows;
        const std::byte* row[tile_rows];
        std::int64_t step = call.a_column;
        for (std::int64_t r = 0; r < tile_rows; ++r)
          row[r] = call.a + (i + (r < rows ? r : 0)) * call.a_row + first * call.a_column;
        if (!a_in_place) {
          step = tile_rows * size;
          for (std::int64_t p = 0; p < k; ++p) {
            for (std::int64_t r = 0; r < tile_rows; ++r)
              move(row[r] + p * call.a_column, packed_a + p * step + r * size);
          }
          for (std::int64_t r = 0; r < tile_rows; ++r) row[r] = packed_a + r * size;
        }
        each_panel([&](std::int64_t column, std::int64_t wide) {
          const std::int64_t columns = call.n - column < wide * width ? call.n - column : wide * width;
          const bool packed = is_packed(column, wide);
          const std::byte* const panel = packed ? packed_b + column * block_most * size : b + column * call.b_column;
          tile_for(rows, wide)(row, step, panel, packed ? wide * vector_bytes : call.b_row, k, tile);
          finish(call, merge, tile, i, column, rows, columns);
        });
      }
    }
  }
};

}  // namespace

void fill_matmul(exec::KernelTable& table);

void fill_matmul(exec::KernelTable& table) {
  const auto at = [&](DType t) FRIT_INLINE_LAMBDA -> exec::MatmulKernel& { return table.matmul[static_cast<int>(t)]; };
  at(DType::i8) = at(DType::u8) = &Matmul<std::uint8_t>::run;
  at(DType::i16) = at(DType::u16) = &Matmul<std::uint16_t>::run;
  at(DType::i32) = at(DType::u32) = &Matmul<std::uint32_t>::run;
  at(DType::i64) = at(DType::u64) = &Matmul<std::uint64_t>::run;
  at(DType::f32) = &Matmul<float>::run;
  at(DType::f64) = &Matmul<double>::run;
}

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
