#include "exec/pack.hpp"

#include <cstring>
#include <type_traits>

#include "frit/dtype.hpp"

namespace frit::exec {
namespace {

template <class T, class From> void convert(const std::byte* from, std::int64_t stride, std::int64_t n, T* to) {
  if (stride == static_cast<std::int64_t>(sizeof(From))) {
    if constexpr (std::is_same_v<T, From>) {
      std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
      return;
    }
    for (std::int64_t i = 0; i < n; ++i) {
      From x;
      std::memcpy(&x, from + i * static_cast<std::int64_t>(sizeof(From)), sizeof x);
      to[i] = static_cast<T>(x);
    }
    return;
  }
  if (stride == 0 && n > 0) {
    From x;
    std::memcpy(&x, from, sizeof x);
    const T value = static_cast<T>(x);
    return repeat_element(reinterpret_cast<const std::byte*>(&value), sizeof value, n,
                          reinterpret_cast<std::byte*>(to));
  }
  for (std::int64_t i = 0; i < n; ++i) {
    From x;
    std::memcpy(&x, from + i * stride, sizeof x);
    to[i] = static_cast<T>(x);
  }
}

}  // namespace

template <class T>
void pack(const FritOperand& operand, bool imaginary, std::int64_t begin, std::int64_t n, std::int64_t padded, T* to) {
  const DType dtype = static_cast<DType>(operand.dtype);
  const std::byte* from = static_cast<const std::byte*>(operand.data) + begin * operand.stride;
  if (imaginary && !is_complex(dtype)) {
    std::memset(to, 0, static_cast<std::size_t>(padded) * sizeof(T));
    return;
  }
  if (imaginary) from += size_of(real_of(dtype));
  switch (real_of(dtype)) {
    case DType::boolean:
    case DType::u8: convert<T, std::uint8_t>(from, operand.stride, n, to); break;
    case DType::i8: convert<T, std::int8_t>(from, operand.stride, n, to); break;
    case DType::i16: convert<T, std::int16_t>(from, operand.stride, n, to); break;
    case DType::i32: convert<T, std::int32_t>(from, operand.stride, n, to); break;
    case DType::i64: convert<T, std::int64_t>(from, operand.stride, n, to); break;
    case DType::u16: convert<T, std::uint16_t>(from, operand.stride, n, to); break;
    case DType::u32: convert<T, std::uint32_t>(from, operand.stride, n, to); break;
    case DType::u64: convert<T, std::uint64_t>(from, operand.stride, n, to); break;
    case DType::f32: convert<T, float>(from, operand.stride, n, to); break;
    case DType::f64:
    case DType::c64:
    case DType::c128: convert<T, double>(from, operand.stride, n, to); break;
  }
  for (std::int64_t i = n; i < padded; ++i) to[i] = to[n - 1];
}

template <class T> void unpack(const T* re, const T* im, const FritResult& result, std::int64_t begin, std::int64_t n) {
  const DType dtype = static_cast<DType>(result.dtype);
  std::byte* const to = static_cast<std::byte*>(result.data) + begin * static_cast<std::int64_t>(size_of(dtype));
  if (dtype == DType::boolean) {
    for (std::int64_t i = 0; i < n; ++i) {
      unsigned char lane[sizeof(T)];
      std::memcpy(lane, re + i, sizeof lane);
      to[i] = static_cast<std::byte>(lane[0] != 0 ? 1 : 0);
    }
    return;
  }
  if (!is_complex(dtype)) {
    std::memcpy(to, re, static_cast<std::size_t>(n) * sizeof(T));
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    T x[2];  // a part may be a column of any alignment
    std::memcpy(&x[0], re + i, sizeof(T));
    std::memcpy(&x[1], im + i, sizeof(T));
    std::memcpy(to + i * static_cast<std::int64_t>(sizeof x), x, sizeof x);
  }
}

template void pack<float>(const FritOperand&, bool, std::int64_t, std::int64_t, std::int64_t, float*);
template void pack<double>(const FritOperand&, bool, std::int64_t, std::int64_t, std::int64_t, double*);
template void unpack<float>(const float*, const float*, const FritResult&, std::int64_t, std::int64_t);
template void unpack<double>(const double*, const double*, const FritResult&, std::int64_t, std::int64_t);

}  // namespace frit::exec
