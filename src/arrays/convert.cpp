// Conversion between dtypes, by the kernels of the table, of elements that need be no runs.
#include <cstring>

#include "arrays/elementwise.hpp"
#include "arrays/rows.hpp"

namespace frit::arrays {
namespace {

constexpr std::int64_t tile_elements = 512;

struct Part {
  std::byte* at;
  std::int64_t stride;
};

// One part (real or imaginary) of n elements; tiles are gathered and scattered where elements are not side by side.
void convert_part(exec::ConvertKernel kernel, Part from, std::size_t from_size, Part to, std::size_t to_size,
                  std::int64_t n) {
  alignas(64) std::byte in[tile_elements * 8];
  alignas(64) std::byte out[tile_elements * 8];
  const bool in_place =
      from.stride == static_cast<std::int64_t>(from_size) && to.stride == static_cast<std::int64_t>(to_size);
  if (in_place) return kernel(from.at, to.at, n);
  for (std::int64_t at = 0; at < n; at += tile_elements) {
    const std::int64_t count = std::min(tile_elements, n - at);
    gather(from_size, from.at + at * from.stride, from.stride, count, in);
    kernel(in, out, count);
    scatter(to_size, out, count, to.at + at * to.stride, to.stride);
  }
}

// A complex number is true where one of its parts is.
void complex_truth(const exec::KernelTable& table, Part from, DType real, Part to, std::int64_t n) {
  const auto kernel = table.convert[static_cast<int>(real)][static_cast<int>(DType::boolean)];
  const std::size_t size = size_of(real);
  std::byte re[tile_elements], im[tile_elements];
  for (std::int64_t at = 0; at < n; at += tile_elements) {
    const std::int64_t count = std::min(tile_elements, n - at);
    const Part tile{from.at + at * from.stride, from.stride};
    convert_part(kernel, tile, size, {re, 1}, 1, count);
    convert_part(kernel, {tile.at + size, tile.stride}, size, {im, 1}, 1, count);
    for (std::int64_t i = 0; i < count; ++i) to.at[(at + i) * to.stride] = re[i] | im[i];
  }
}

void convert_row(const exec::KernelTable& table, Part from, DType from_dtype, Part to, DType to_dtype, std::int64_t n) {
  const DType from_real = real_of(from_dtype), to_real = real_of(to_dtype);
  if (is_complex(from_dtype) && to_dtype == DType::boolean) return complex_truth(table, from, from_real, to, n);
  const auto kernel = table.convert[static_cast<int>(from_real)][static_cast<int>(to_real)];
  const std::size_t from_size = size_of(from_real), to_size = size_of(to_real);
  convert_part(kernel, from, from_size, to, to_size, n);
  if (!is_complex(to_dtype)) return;
  to.at += to_size;
  if (is_complex(from_dtype))
    return convert_part(kernel, {from.at + from_size, from.stride}, from_size, to, to_size, n);
  const std::byte zero[8] = {};
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(to.at + i * to.stride, zero, to_size);
}

}  // namespace

void convert_run(const exec::KernelTable& table, const std::byte* from, DType from_dtype, std::int64_t stride,
                 std::byte* to, DType to_dtype, std::int64_t n) {
  convert_row(table, {const_cast<std::byte*>(from), stride}, from_dtype,
              {to, static_cast<std::int64_t>(size_of(to_dtype))}, to_dtype, n);
}

void convert(const Data& from, const Data& result, const Workers& workers) {
  if (result.size() == 0) return;
  const FpState state;
  const auto extents = std::span(result.extents).first(static_cast<std::size_t>(result.rank));
  const std::array<std::array<std::int64_t, max_rank>, 2> strides{strides_as(from, extents), result.strides};
  const Nest nest = collapse(extents, strides);
  const auto inner = [&](std::size_t k) {
    return nest.rank == 0 ? std::int64_t{0} : nest.strides[k][static_cast<std::size_t>(nest.rank - 1)];
  };
  for_each_row(nest, 2, workers, [&](std::span<const std::int64_t> offsets, std::int64_t begin, std::int64_t end) {
    convert_row(*workers.table, {from.at + offsets[0] + begin * inner(0), inner(0)}, from.dtype,
                {result.at + offsets[1] + begin * inner(1), inner(1)}, result.dtype, end - begin);
  });
}

}  // namespace frit::arrays
