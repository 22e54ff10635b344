#include "arrays/elementwise.hpp"

#include <fmt/format.h>

#include "arrays/renaming.hpp"
#include "arrays/rows.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
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
constexpr std::int64_t whole = 64;  // a multiple of the lanes of every vector

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

// The integer form of an op over rows. What raises is known when all is done: the lowest element counts.
class IntegerRows {
 public:
  IntegerRows(const Elementwise& op, std::span<const Source> sources, const exec::KernelTable& table)
      : sources_(sources), table_(table) {
    const DType dtype = op.operands[sources.size() - 1];
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (sources[i].scalar) scalars_ |= 1u << i;
    const auto& row = table.integer[exec::integer_index(dtype)][index(static_cast<int>(op.op))];
    if (scalars_ == (1u << sources.size()) - 1 || row[scalars_] == nullptr) scalars_ = 0;
    kernel_ = row[scalars_];
    if (kernel_ == nullptr)
      throw Error(ErrorCode::internal, std::string("no integer kernel for ") + info_of(op.op).name);
    size_ = static_cast<std::int64_t>(size_of(op.result.dtype));
  }

  void run(std::span<const std::int64_t> offsets, std::int64_t begin, std::int64_t end, std::byte* to,
           std::int64_t first) {
    alignas(64) std::byte buffers[3][tile_elements * 8];
    void* parts[4];
    for (std::int64_t at = begin; at < end; at += tile_elements) {
      const std::int64_t n = std::min(tile_elements, end - at);
      for (std::size_t i = 0; i < sources_.size(); ++i) {
        const Source& s = sources_[i];
        const bool scalar = (scalars_ >> i & 1u) != 0;
        const std::byte* const from = s.at + offsets[i] + (scalar ? 0 : at * s.stride);
        if (s.from == s.to && (scalar || s.stride == static_cast<std::int64_t>(size_of(s.to)))) {
          parts[i] = const_cast<std::byte*>(from);
        } else {
          convert_run(table_, from, s.from, s.stride, buffers[i], s.to, scalar ? 1 : n);
          parts[i] = buffers[i];
        }
      }
      parts[sources_.size()] = to + at * size_;
      const std::int64_t raised = kernel_(parts, n);
      if (raised < 0) continue;
      const std::int64_t element = first + at + raised;
      std::int64_t known = raised_.load(std::memory_order_relaxed);
      while ((known < 0 || element < known) &&
             !raised_.compare_exchange_weak(known, element, std::memory_order_relaxed)) {
      }
      return;
    }
  }
  std::int64_t raised() const { return raised_.load(std::memory_order_relaxed); }

 private:
  std::span<const Source> sources_;
  const exec::KernelTable& table_;
  exec::IntegerKernel kernel_ = nullptr;
  unsigned scalars_ = 0;
  std::int64_t size_ = 0;
  std::atomic<std::int64_t> raised_{-1};
};

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
  if (op.integer) {
    IntegerRows rows(op, std::span<const Source>(sources).first(operands.size()), *workers.table);
    const auto size = static_cast<std::int64_t>(size_of(result.dtype));
    for_each_row(nest, operands.size() + 1, workers,
                 [&](std::span<const std::int64_t> offsets, std::int64_t begin, std::int64_t end) {
                   rows.run(offsets, begin, end, result.at + offsets.back(), offsets.back() / size);
                 });
    if (rows.raised() >= 0)
      throw Error(
          ErrorCode::integer_domain,
          fmt::format(
              "{}: element {} has no integer result: a division by zero, a negative exponent or a negative shift",
              info_of(op.op).name, rows.raised()));
    return;
  }
  if (!any_number) kernel = DType::f32;  // of booleans alone: the narrower lanes
  const auto used = std::span<const Source>(sources).first(operands.size());
  const auto run = [&]<class T>(T) {
    const Rows<T> rows(op, used, *workers.table);
    for_each_row(nest, operands.size() + 1, workers,
                 [&](std::span<const std::int64_t> offsets, std::int64_t begin, std::int64_t end) {
                   rows.run(offsets, begin, end, result.at + offsets.back());
                 });
  };
  if (kernel == DType::f64) run(double{});
  if (kernel == DType::f32) run(float{});
}

}  // namespace frit::arrays
