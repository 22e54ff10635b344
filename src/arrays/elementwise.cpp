#include "arrays/elementwise.hpp"

#include "arrays/renaming.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/fp_state.hpp"
#include "exec/pack.hpp"
#include "frit/error.hpp"
#include "ops/table.hpp"
#include "runtime/parallel.hpp"

namespace frit::arrays {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

constexpr int most_parts = 8;
// NOTE: so that the tiles of three complex operands and a result stay below 36 kB: callers may have a stack of 64 kB.
constexpr std::int64_t tile_elements = 512;
constexpr std::int64_t whole = 64;         // a multiple of the lanes of every vector
constexpr std::int64_t grain = 32 * 1024;  // elements that are worth a thread

// Lane masks of n bytes of booleans; what is behind them up to `padded` repeats the last.
template <class T>
void expand_mask(const std::byte* from, std::int64_t stride, std::int64_t n, std::int64_t padded, T* to) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  for (std::int64_t i = 0; i < padded; ++i) {
    const Bits mask = from[std::min(i, n - 1) * stride] != std::byte{0} ? ~Bits{0} : Bits{0};
    std::memcpy(to + i, &mask, sizeof mask);
  }
}

struct Source {
  const std::byte* at = nullptr;
  std::int64_t stride = 0;
  DType from{}, to{};   // stored, and what the kernel takes
  bool scalar = false;  // one element, read once
};

// One op over rows of elements.
template <class T> class Rows {
 public:
  Rows(const Elementwise& op, std::span<const Source> sources, const exec::KernelTable& table)
      : sources_(sources), result_(op.result.dtype) {
    unsigned form = 0, scalars = 0;
    const bool logical = info_of(op.op).type == TypeRule::logical;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (is_complex(op.operands[i])) form |= 1u << i;
      if (sources[i].scalar) scalars |= 1u << i;
    }
    const auto& row =
        table.single[exec::dtype_index(sizeof(T) == 8 ? DType::f64 : DType::f32)][index(static_cast<int>(op.op))][form];
    if (logical || scalars == (1u << sources.size()) - 1 || row[scalars] == nullptr) scalars = 0;
    kernel_ = row[scalars];
    if (kernel_ == nullptr) kernel_ = renaming_kernel(op.op, form, sizeof(T) == 8 ? DType::f64 : DType::f32);
    if (kernel_ == nullptr) throw Error(ErrorCode::internal, std::string("no kernel for ") + info_of(op.op).name);
    scalars_ = scalars;
  }

  // `offsets`: of each source at the first element of the row, in bytes.
  void run(std::span<const std::int64_t> offsets, std::int64_t begin, std::int64_t end, std::byte* to) const {
    const bool direct = result_ == (sizeof(T) == 8 ? DType::f64 : DType::f32);
    bool in_place = direct;
    for (std::size_t i = 0; i < sources_.size(); ++i)
      in_place = in_place && ((scalars_ >> i & 1u) != 0 || is_native(sources_[i]));
    std::int64_t at = begin;
    if (in_place && end - begin >= whole) {
      const std::int64_t n = (end - begin) / whole * whole;
      tile(offsets, at, n, n, to, true);
      at += n;
    }
    for (; at < end; at += tile_elements) {
      const std::int64_t n = std::min(tile_elements, end - at);
      tile(offsets, at, n, (n + lanes - 1) / lanes * lanes, to, false);
    }
  }

 private:
  static constexpr std::int64_t lanes = exec::scalar_bytes / static_cast<std::int64_t>(sizeof(T));
  static bool is_native(const Source& s) {
    return s.from == s.to && s.stride == static_cast<std::int64_t>(sizeof(T)) && is_real_floating(s.to);
  }

  void tile(std::span<const std::int64_t> offsets, std::int64_t at, std::int64_t n, std::int64_t padded, std::byte* to,
            bool in_place) const {
    alignas(64) T buffers[most_parts][tile_elements];
    void* parts[most_parts];
    int part = 0;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Source& s = sources_[i];
      const bool scalar = (scalars_ >> i & 1u) != 0;
      const std::byte* const from = s.at + offsets[i];
      if (s.to == DType::boolean) {
        expand_mask(from + (scalar ? 0 : at * s.stride), s.stride, scalar ? 1 : n, scalar ? lanes : padded,
                    buffers[part]);
        parts[part] = buffers[part];
        ++part;
        continue;
      }
      const FritOperand operand{from, scalar ? 0 : s.stride, static_cast<std::int32_t>(s.from), 0};
      for (int p = 0; p < (is_complex(s.to) ? 2 : 1); ++p, ++part) {
        if (!scalar && is_native(s) && (in_place || n == padded)) {
          parts[part] = const_cast<std::byte*>(from + at * s.stride);
          continue;
        }
        if (scalar) {
          exec::pack<T>(operand, p == 1, 0, lanes, lanes, buffers[part]);
        } else {
          exec::pack<T>(operand, p == 1, at, n, padded, buffers[part]);
        }
        parts[part] = buffers[part];
      }
    }
    const int first = part;
    const FritResult result{to, static_cast<std::int32_t>(result_), 0};
    for (int p = 0; p < (is_complex(result_) ? 2 : 1); ++p, ++part) parts[part] = buffers[part];
    if (in_place) parts[first] = to + at * static_cast<std::int64_t>(sizeof(T));
    kernel_(parts, padded);
    if (!in_place)
      exec::unpack<T>(static_cast<const T*>(parts[first]),
                      static_cast<const T*>(parts[first + 1 < part ? first + 1 : first]), result, at, n);
  }

  std::span<const Source> sources_;
  DType result_;
  exec::TileKernel kernel_ = nullptr;
  unsigned scalars_ = 0;
};

// Calls row(offsets, begin, end, first element of the row) for all rows of a nest; a nest of one row may be cut between threads.
template <class Row> void for_each_row(const Nest& nest, std::size_t operands, const Workers& workers, Row row) {
  const std::int64_t inner = nest.rank == 0 ? 1 : nest.extents[index(nest.rank - 1)];
  if (nest.rank <= 1) {
    const std::array<std::int64_t, Nest::max_operands> offsets{};
    const auto run = [&](std::int64_t begin, std::int64_t end) {
      row(std::span(offsets).first(operands), begin, end, 0);
    };
    // oneTBB cannot be rebuilt after fork, so a child process computes on the calling thread.
    if (workers.threads <= 1 || inner < 2 * grain || workers.process != getpid()) {
      run(0, inner);
      return;
    }
    struct Shared {
      decltype(run)* body;
      std::int64_t inner;
      std::atomic<int> handed_over{0};
    } shared{&run, inner};
    shared.handed_over.store(1, std::memory_order_release);
    runtime::parallel_ranges(
        workers.threads, (inner + grain - 1) / grain,
        [](void* context, std::int64_t begin, std::int64_t end) {
          auto& s = *static_cast<Shared*>(context);
          if (s.handed_over.load(std::memory_order_acquire) == 0) return;
          const FpState state;
          (*s.body)(begin * grain, std::min(s.inner, end * grain));
        },
        &shared);
    return;
  }
  std::array<std::int64_t, max_rank> at{};
  std::int64_t rows = 1, first = 0;
  for (int i = 0; i < nest.rank - 1; ++i) rows *= nest.extents[index(i)];
  for (; rows > 0; --rows, first += inner) {
    std::array<std::int64_t, Nest::max_operands> offsets{};
    for (std::size_t k = 0; k < operands; ++k)
      for (int i = 0; i < nest.rank - 1; ++i) offsets[k] += at[index(i)] * nest.strides[k][index(i)];
    row(std::span<const std::int64_t>(offsets).first(operands), 0, inner, first);
    for (int i = nest.rank - 2; i >= 0; --i) {
      if (++at[index(i)] < nest.extents[index(i)]) break;
      at[index(i)] = 0;
    }
  }
}

template <class To, class From> To converted(From x) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // NaN gives 0; what is beyond the range its nearer end.
    if (!(x == x)) return 0;
    constexpr From least = static_cast<From>(std::numeric_limits<To>::min());
    constexpr From beyond = static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * 2;
    if (x <= least) return std::numeric_limits<To>::min();
    if (x >= beyond) return std::numeric_limits<To>::max();
  }
  return static_cast<To>(x);
}

template <class To, class From>
void convert_run(const std::byte* from, std::int64_t stride, std::int64_t n, std::byte* to, std::int64_t to_stride) {
  for (std::int64_t i = 0; i < n; ++i) {
    From x;
    std::memcpy(&x, from + i * stride, sizeof x);
    const To y = converted<To>(x);
    std::memcpy(to + i * to_stride, &y, sizeof y);
  }
}

using Convert = void (*)(const std::byte* from, std::int64_t stride, std::int64_t n, std::byte* to,
                         std::int64_t to_stride);

template <class To> Convert conversion_to(DType from) {
  switch (real_of(from)) {
    case DType::boolean:
    case DType::u8: return &convert_run<To, std::uint8_t>;
    case DType::i8: return &convert_run<To, std::int8_t>;
    case DType::i16: return &convert_run<To, std::int16_t>;
    case DType::i32: return &convert_run<To, std::int32_t>;
    case DType::i64: return &convert_run<To, std::int64_t>;
    case DType::u16: return &convert_run<To, std::uint16_t>;
    case DType::u32: return &convert_run<To, std::uint32_t>;
    case DType::u64: return &convert_run<To, std::uint64_t>;
    case DType::f32: return &convert_run<To, float>;
    default: return &convert_run<To, double>;
  }
}

Convert conversion(DType from, DType to) {
  switch (real_of(to)) {
    case DType::boolean:
    case DType::u8: return conversion_to<std::uint8_t>(from);
    case DType::i8: return conversion_to<std::int8_t>(from);
    case DType::i16: return conversion_to<std::int16_t>(from);
    case DType::i32: return conversion_to<std::int32_t>(from);
    case DType::i64: return conversion_to<std::int64_t>(from);
    case DType::u16: return conversion_to<std::uint16_t>(from);
    case DType::u32: return conversion_to<std::uint32_t>(from);
    case DType::u64: return conversion_to<std::uint64_t>(from);
    case DType::f32: return conversion_to<float>(from);
    default: return conversion_to<double>(from);
  }
}

// Anything but zero is true, NaN too.
template <class T>
void truth_run(const std::byte* from, std::int64_t stride, std::int64_t n, bool complex, std::byte* to) {
  for (std::int64_t i = 0; i < n; ++i) {
    T x[2] = {};
    std::memcpy(x, from + i * stride, sizeof(T) * (complex ? 2u : 1u));
    to[i] = static_cast<std::byte>(x[0] != T(0) || x[1] != T(0) ? 1 : 0);
  }
}

void truth(const std::byte* from, DType dtype, std::int64_t stride, std::int64_t n, std::byte* to) {
  const bool complex = is_complex(dtype);
  if (real_of(dtype) == DType::f32) return truth_run<float>(from, stride, n, complex, to);
  if (real_of(dtype) == DType::f64) return truth_run<double>(from, stride, n, complex, to);
  switch (size_of(dtype)) {
    case 1: return truth_run<std::uint8_t>(from, stride, n, false, to);
    case 2: return truth_run<std::uint16_t>(from, stride, n, false, to);
    case 4: return truth_run<std::uint32_t>(from, stride, n, false, to);
    default: return truth_run<std::uint64_t>(from, stride, n, false, to);
  }
}

}  // namespace

void run_elementwise(const Elementwise& op, std::span<const Data* const> operands, const Data& result,
                     const Workers& workers) {
  if (result.size() == 0) return;
  const FpState state;
  std::array<std::array<std::int64_t, max_rank>, 4> strides{};
  const auto extents = std::span(result.extents).first(index(result.rank));
  for (std::size_t k = 0; k < operands.size(); ++k) strides[k] = strides_as(*operands[k], extents);
  strides[operands.size()] = result.strides;
  const Nest nest = collapse(extents, std::span(strides).first(operands.size() + 1));
  std::array<Source, 3> sources;
  DType kernel = DType::f64;
  bool any_number = false;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const std::int64_t stride = nest.rank == 0 ? 0 : nest.strides[k][index(nest.rank - 1)];
    sources[k] = {operands[k]->at, stride, operands[k]->dtype, op.operands[k], stride == 0};
    if (op.operands[k] == DType::boolean) continue;
    kernel = real_of(op.operands[k]);
    any_number = true;
  }
  if (!any_number) kernel = DType::f32;  // of booleans alone: the narrower lanes
  const auto used = std::span<const Source>(sources).first(operands.size());
  const auto run = [&]<class T>(T) {
    const Rows<T> rows(op, used, *workers.table);
    for_each_row(nest, operands.size(), workers,
                 [&](std::span<const std::int64_t> offsets, std::int64_t begin, std::int64_t end, std::int64_t first) {
                   rows.run(offsets, begin, end, result.at + first * static_cast<std::int64_t>(size_of(result.dtype)));
                 });
  };
  if (kernel == DType::f64) run(double{});
  if (kernel == DType::f32) run(float{});
}

void convert(const Data& from, const Data& result, const Workers& workers) {
  if (result.size() == 0) return;
  const FpState state;
  const auto extents = std::span(result.extents).first(index(result.rank));
  const std::array<std::array<std::int64_t, max_rank>, 2> strides{strides_as(from, extents), result.strides};
  const Nest nest = collapse(extents, strides);
  const std::int64_t stride = nest.rank == 0 ? 0 : nest.strides[0][index(nest.rank - 1)];
  const auto size = static_cast<std::int64_t>(size_of(result.dtype)),
             half = static_cast<std::int64_t>(size_of(real_of(result.dtype)));
  for_each_row(nest, 1, workers,
               [&](std::span<const std::int64_t> offsets, std::int64_t begin, std::int64_t end, std::int64_t first) {
                 const std::byte* const at = from.at + offsets[0] + begin * stride;
                 std::byte* const to = result.at + (first + begin) * size;
                 if (result.dtype == DType::boolean) return truth(at, from.dtype, stride, end - begin, to);
                 conversion(from.dtype, result.dtype)(at, stride, end - begin, to, size);
                 if (!is_complex(result.dtype)) return;
                 if (is_complex(from.dtype)) {
                   conversion(from.dtype, result.dtype)(at + size_of(real_of(from.dtype)), stride, end - begin,
                                                        to + half, size);
                 } else {
                   for (std::int64_t i = 0; i < end - begin; ++i)
                     std::memset(to + half + i * size, 0, static_cast<std::size_t>(half));
                 }
               });
}

}  // namespace frit::arrays
