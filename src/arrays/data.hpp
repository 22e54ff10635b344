// The elements of an array in memory: a dtype, extents, strides and a shared buffer. What views do to them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "frit/array.hpp"

namespace frit::runtime {
class ArrayMemory;
}

namespace frit::arrays {

// With room for a whole vector behind the last element, of zeros; aligned to 64 bytes where it is not small. Else uninitialised.
// `memory`: what large ones are taken from, or nullptr. Throws out_of_memory.
inline constexpr int array_room = 64;
std::shared_ptr<std::byte> allocate(std::int64_t bytes, runtime::ArrayMemory* memory = nullptr);

// n elements of `size` bytes (1, 2, 4, 8 or 16), `stride` bytes from each to the next, to or from a run of them.
void gather(std::size_t size, const std::byte* from, std::int64_t stride, std::int64_t n, std::byte* to);
void scatter(std::size_t size, const std::byte* from, std::int64_t n, std::byte* to, std::int64_t stride);

// fn.operator()<T>(), T of so many bytes: 1, 2, 4, 8 or 16.
template <class Fn> void by_size(std::size_t size, Fn fn) {
  switch (size) {
    case 1: return fn.template operator()<std::uint8_t>();
    case 2: return fn.template operator()<std::uint16_t>();
    case 4: return fn.template operator()<std::uint32_t>();
    case 8: return fn.template operator()<std::uint64_t>();
    default: return fn.template operator()<std::array<std::uint64_t, 2>>();
  }
}

struct Data {
  // NOTE: not defaulted, which would clear the extents and strides that an array of this rank does not have: small calls
  // make several of these.
  Data() {}  // NOLINT(modernize-use-equals-default)

  DType dtype = DType::f64;
  int rank = 0;
  std::array<std::int64_t, max_rank> extents;  // set up to the rank, as the strides are
  std::array<std::int64_t, max_rank> strides;  // bytes
  std::byte* at = nullptr;                     // of the first element
  std::shared_ptr<std::byte> buffer;

  std::int64_t size() const {
    std::int64_t n = 1;
    for (int i = 0; i < rank; ++i) n *= extents[static_cast<std::size_t>(i)];
    return n;
  }
  bool is_contiguous() const;
};

// How a new contiguous array lies in memory, without memory. Errors: out_of_memory where its bytes are beyond 2^63.
Data laid_out(DType dtype, std::span<const std::int64_t> extents);
// A new contiguous array. Errors: out_of_memory, also where the number of bytes is beyond 2^63.
Data make_data(DType dtype, std::span<const std::int64_t> extents, runtime::ArrayMemory* memory = nullptr);
// The same elements, contiguous: `data` itself where it is, else a copy.
Data contiguous(const Data& data);
// A contiguous copy.
Data copy_of(const Data& data);
// All elements in row-major order, canonical NaNs, to `to`.
void copy_elements(const Data& data, std::byte* to);

// What a view does, with numbers in the place of extents.
struct View {
  enum class Kind : std::uint8_t { slice, transpose, broadcast, expand, reshape } kind = Kind::slice;
  int axis = 0;                               // slice, expand
  Extent start = 0;                           // slice
  std::int64_t step = 1;                      // slice
  bool drop = false;                          // slice of one element: the axis is gone
  std::array<std::uint8_t, max_rank> axes{};  // transpose
};
// Along the first axis.
Data row_of(const Data& all, std::int64_t number);
// `extents`: of the result; `start`: the view's, evaluated. Reshape copies where the strides do not allow a view.
Data apply(const View& view, const Data& data, std::span<const std::int64_t> extents, std::int64_t start);
// The same where it needs no copy, else nothing.
std::optional<Data> view_of(const View& view, const Data& data, std::span<const std::int64_t> extents,
                            std::int64_t start);

// `count` elements of the axis from `start` on, `step` apart.
Data along(const Data& data, int axis, std::int64_t start, std::int64_t count, std::int64_t step = 1);

// Several arrays of one shape as one loop nest: axes that lie behind each other in all of them are one, axes of extent 1 are
// gone. The last axis is the fastest.
struct Nest {
  static constexpr int max_operands = 16;
  int rank = 0;
  // NOTE: set up to `rank` and the number of arrays; a small call should not clear a kilobyte.
  std::array<std::int64_t, max_rank> extents;
  std::array<std::array<std::int64_t, max_rank>, max_operands> strides;
};
// `strides[k]`: of array k along each axis, 0 where it is broadcast.
Nest collapse(std::span<const std::int64_t> extents, std::span<const std::array<std::int64_t, max_rank>> strides);
// Where the elements of `data` seen with this shape, which it broadcasts to, are one run in row-major order: the bytes from each
// to the next.
std::optional<std::int64_t> run_stride(const Data& data, std::span<const std::int64_t> extents);
// The strides of `data` seen with this shape, which it broadcasts to.
std::array<std::int64_t, max_rank> strides_as(const Data& data, std::span<const std::int64_t> extents);

}  // namespace frit::arrays
