#include "arrays/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "exec/kernel_table.hpp"
#include "exec/pack.hpp"
#include "frit/error.hpp"
#include "runtime/array_memory.hpp"
#include "runtime/scratch.hpp"

namespace frit::arrays {
namespace {

constexpr std::int64_t alignment = array_room;

// The elements of a small array.
struct Small {
  static constexpr std::int64_t bytes = 256;
  std::byte elements[bytes + alignment];
};

struct Free {
  void operator()(std::byte* p) const { std::free(p); }
};

template <class T>
void copy_run(const std::byte* from, std::int64_t stride, std::int64_t n, std::byte* to, std::int64_t to_stride) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  if (stride == size && to_stride == size) {
    std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
    return;
  }
  if (stride == 0 && to_stride == size && n > 0) return exec::repeat_element(from, sizeof(T), n, to);
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_stride, from + i * stride, sizeof(T));
}

void copy_strided(std::size_t size, const std::byte* from, std::int64_t stride, std::int64_t n, std::byte* to,
                  std::int64_t to_stride) {
  by_size(size, [&]<class T>() { copy_run<T>(from, stride, n, to, to_stride); });
}

std::size_t index(int axis) { return static_cast<std::size_t>(axis); }

// The strides of a reshape that needs no copy, or false. Axes that lie behind each other in memory are one group, and each axis
// of the result is a part of one group.
bool reshape_strides(const Data& data, Data& result) {
  int from = data.rank - 1;
  std::int64_t left = 1, stride = static_cast<std::int64_t>(size_of(data.dtype));
  const auto next_group = [&] {
    for (; from >= 0 && (left == 1 || data.extents[index(from)] == 1 || data.strides[index(from)] == stride * left);
         --from) {
      if (data.extents[index(from)] == 1) continue;
      if (left == 1) stride = data.strides[index(from)];
      left *= data.extents[index(from)];
    }
  };
  for (int to = result.rank - 1; to >= 0; --to) {
    const std::int64_t extent = result.extents[index(to)];
    result.strides[index(to)] = stride;
    if (extent == 1) continue;
    if (left == 1) next_group();
    if (left % extent != 0) return false;
    result.strides[index(to)] = stride;
    left /= extent;
    stride *= extent;
  }
  return true;
}

}  // namespace

void gather(std::size_t size, const std::byte* from, std::int64_t stride, std::int64_t n, std::byte* to) {
  copy_strided(size, from, stride, n, to, static_cast<std::int64_t>(size));
}

void scatter(std::size_t size, const std::byte* from, std::int64_t n, std::byte* to, std::int64_t stride) {
  copy_strided(size, from, static_cast<std::int64_t>(size), n, to, stride);
}

std::shared_ptr<std::byte> allocate(std::int64_t bytes, runtime::ArrayMemory* memory) {
  if (bytes <= Small::bytes) {
    // One piece of memory with the count of its owners; kernels take any alignment.
    auto small = std::make_shared_for_overwrite<Small>();
    std::byte* const at = small->elements;
    std::memset(at + bytes, 0, alignment);
    return {std::move(small), at};
  }
  std::shared_ptr<std::byte> block;
  if (memory != nullptr) {
    block = memory->take(bytes + alignment);
  } else if (std::byte* const p = runtime::allocate_aligned(bytes + alignment); p != nullptr) {
    block.reset(p, Free{});
  }
  if (!block) throw Error(ErrorCode::out_of_memory, fmt::format("no memory for an array of {} bytes", bytes));
  std::memset(block.get() + bytes, 0, alignment);
  return block;
}

bool Data::is_contiguous() const {
  std::int64_t expected = static_cast<std::int64_t>(size_of(dtype));
  for (int i = rank - 1; i >= 0; --i) {
    if (extents[index(i)] == 0) return true;
    if (extents[index(i)] != 1 && strides[index(i)] != expected) return false;
    expected *= extents[index(i)];
  }
  return true;
}

Data laid_out(DType dtype, std::span<const std::int64_t> extents) {
  Data data;
  data.dtype = dtype;
  data.rank = static_cast<int>(extents.size());
  std::int64_t stride = static_cast<std::int64_t>(size_of(dtype));
  for (int i = data.rank - 1; i >= 0; --i) {
    const std::int64_t extent = extents[index(i)];
    data.extents[index(i)] = extent;
    data.strides[index(i)] = stride;
    if (__builtin_mul_overflow(stride, std::max<std::int64_t>(extent, 1), &stride) ||
        stride > std::numeric_limits<std::int64_t>::max() - (std::int64_t{4} << 20))
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("an array of rank {} has more bytes than there are addresses", data.rank));
  }
  return data;
}

Data make_data(DType dtype, std::span<const std::int64_t> extents, runtime::ArrayMemory* memory) {
  Data data = laid_out(dtype, extents);
  data.buffer = allocate(data.size() * static_cast<std::int64_t>(size_of(dtype)), memory);
  data.at = data.buffer.get();
  return data;
}

void copy_elements(const Data& data, std::byte* to) {
  const std::int64_t size = data.size();
  if (size == 0) return;
  const std::array<std::array<std::int64_t, max_rank>, 1> strides{data.strides};
  const Nest nest = collapse(std::span(data.extents).first(index(data.rank)), strides);
  const std::int64_t inner = nest.rank == 0 ? 1 : nest.extents[index(nest.rank - 1)];
  const std::int64_t stride = nest.rank == 0 ? 0 : nest.strides[0][index(nest.rank - 1)];
  std::array<std::int64_t, max_rank> at{};
  std::byte* begin = to;
  for (std::int64_t rows = size / inner; rows > 0; --rows) {
    const std::byte* from = data.at;
    for (int i = 0; i < nest.rank - 1; ++i) from += at[index(i)] * nest.strides[0][index(i)];
    gather(size_of(data.dtype), from, stride, inner, begin);
    begin += inner * static_cast<std::int64_t>(size_of(data.dtype));
    for (int i = nest.rank - 2; i >= 0; --i) {
      if (++at[index(i)] < nest.extents[index(i)]) break;
      at[index(i)] = 0;
    }
  }
  const DType real = real_of(data.dtype);
  if (is_real_floating(real))
    exec::active_table().canonical_nan[exec::dtype_index(real)](to, size * (is_complex(data.dtype) ? 2 : 1));
}

Data along(const Data& data, int axis, std::int64_t start, std::int64_t count, std::int64_t step) {
  Data part = data;
  part.extents[index(axis)] = count;
  if (count > 0) part.at += start * data.strides[index(axis)];
  part.strides[index(axis)] = count < 2 ? 0 : data.strides[index(axis)] * step;
  return part;
}

Data contiguous(const Data& data) { return data.is_contiguous() ? data : copy_of(data); }

Data copy_of(const Data& data) {
  Data result = make_data(data.dtype, std::span(data.extents).first(index(data.rank)));
  copy_elements(data, result.at);
  return result;
}

std::optional<Data> view_of(const View& view, const Data& data, std::span<const std::int64_t> extents,
                            std::int64_t start) {
  Data result = data;
  result.rank = static_cast<int>(extents.size());
  std::copy(extents.begin(), extents.end(), result.extents.begin());
  std::int64_t elements = 1;
  for (const std::int64_t extent : extents) {
    if (__builtin_mul_overflow(elements, std::max<std::int64_t>(extent, 1), &elements))
      throw Error(ErrorCode::out_of_memory, "an array would have more than 2^63 elements");
  }
  switch (view.kind) {
    case View::Kind::slice:
      if (data.size() != 0) result.at += start * data.strides[index(view.axis)];
      // Between fewer than two elements there is no stride, and the product may overflow.
      if (!view.drop)
        result.strides[index(view.axis)] =
            extents[index(view.axis)] < 2 ? 0 : data.strides[index(view.axis)] * view.step;
      if (view.drop)
        for (int i = view.axis; i < result.rank; ++i) result.strides[index(i)] = data.strides[index(i + 1)];
      break;
    case View::Kind::transpose:
      for (int i = 0; i < result.rank; ++i) result.strides[index(i)] = data.strides[view.axes[index(i)]];
      break;
    case View::Kind::broadcast: result.strides = strides_as(data, extents); break;
    case View::Kind::expand:
      for (int i = result.rank - 1; i > view.axis; --i) result.strides[index(i)] = data.strides[index(i - 1)];
      result.strides[index(view.axis)] = 0;
      break;
    case View::Kind::reshape:
      if (data.size() != 0 && !reshape_strides(data, result)) return std::nullopt;
      break;
  }
  return result;
}

Data row_of(const Data& all, std::int64_t number) {
  View view;
  view.drop = true;
  return apply(view, all, std::span(all.extents).subspan(1, index(all.rank) - 1), number);
}

Data apply(const View& view, const Data& data, std::span<const std::int64_t> extents, std::int64_t start) {
  std::optional<Data> seen = view_of(view, data, extents, start);
  return seen ? *std::move(seen) : *view_of(view, copy_of(data), extents, start);
}

std::array<std::int64_t, max_rank> strides_as(const Data& data, std::span<const std::int64_t> extents) {
  std::array<std::int64_t, max_rank> strides{};
  const int extra = static_cast<int>(extents.size()) - data.rank;
  for (int i = 0; i < data.rank; ++i) {
    const bool repeated = data.extents[index(i)] == 1 && extents[index(i + extra)] != 1;
    strides[index(i + extra)] = repeated ? 0 : data.strides[index(i)];
  }
  return strides;
}

std::optional<std::int64_t> run_stride(const Data& data, std::span<const std::int64_t> extents) {
  std::int64_t stride = 0, length = 1;
  const int extra = static_cast<int>(extents.size()) - data.rank;
  bool any = false;
  for (int i = static_cast<int>(extents.size()) - 1; i >= 0; --i) {
    const std::int64_t extent = extents[index(i)];
    if (extent == 1) continue;
    const std::int64_t own = i < extra || data.extents[index(i - extra)] == 1 ? 0 : data.strides[index(i - extra)];
    if (any && own != stride * length) return std::nullopt;
    if (!any) stride = own;
    any = true;
    length *= extent;
  }
  return stride;
}

Nest collapse(std::span<const std::int64_t> extents, std::span<const std::array<std::int64_t, max_rank>> strides) {
  Nest nest;
  const int rank = static_cast<int>(extents.size());
  for (int i = 0; i < rank; ++i) {
    const std::int64_t extent = extents[index(i)];
    if (extent == 1) continue;
    bool joins = nest.rank > 0;
    for (std::size_t k = 0; joins && k < strides.size(); ++k)
      joins = nest.strides[k][index(nest.rank - 1)] == strides[k][index(i)] * extent;
    if (!joins) {
      nest.extents[index(nest.rank)] = 1;
      ++nest.rank;
    }
    nest.extents[index(nest.rank - 1)] *= extent;
    for (std::size_t k = 0; k < strides.size(); ++k) nest.strides[k][index(nest.rank - 1)] = strides[k][index(i)];
  }
  return nest;
}

}  // namespace frit::arrays
