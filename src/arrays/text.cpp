// Elements of arrays as text.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "arrays/effect.hpp"

namespace frit::arrays {
namespace {

constexpr std::int64_t most_elements = 64;  // of an array that is written in full

template <class T> std::string number_text(T x) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(x)) return "nan";  // nobody sees its sign
  if constexpr (std::is_integral_v<T> && sizeof(T) == 1) return fmt::format("{}", static_cast<int>(x));
  return fmt::format("{}", x);
}

template <class T> std::string element_text(const std::byte* at) {
  T x;
  std::memcpy(&x, at, sizeof x);
  return number_text(x);
}

template <class T> std::string complex_text(const std::byte* at) {
  const std::string im = element_text<T>(at + sizeof(T));
  return fmt::format("{}{}{}i", element_text<T>(at), im[0] == '-' ? "" : "+", im);
}

std::string element_text(DType dtype, const std::byte* at) {
  switch (dtype) {
    case DType::boolean: return *at == std::byte{0} ? "false" : "true";
    case DType::i8: return element_text<std::int8_t>(at);
    case DType::i16: return element_text<std::int16_t>(at);
    case DType::i32: return element_text<std::int32_t>(at);
    case DType::i64: return element_text<std::int64_t>(at);
    case DType::u8: return element_text<std::uint8_t>(at);
    case DType::u16: return element_text<std::uint16_t>(at);
    case DType::u32: return element_text<std::uint32_t>(at);
    case DType::u64: return element_text<std::uint64_t>(at);
    case DType::f32: return element_text<float>(at);
    case DType::f64: return element_text<double>(at);
    case DType::c64: return complex_text<float>(at);
    default: return complex_text<double>(at);
  }
}

// The axes from `axis` on, in brackets; `edge`: the elements at each end of an axis that is cut, or 0.
void write_axis(const Data& data, int axis, const std::byte* at, std::int64_t edge, std::string& out) {
  if (axis == data.rank) {
    out += element_text(data.dtype, at);
    return;
  }
  const std::int64_t n = data.extents[static_cast<std::size_t>(axis)];
  const bool cut = edge > 0 && n > 2 * edge;
  out += '[';
  for (std::int64_t i = 0; i < n; ++i) {
    if (i > 0) out += ", ";
    if (cut && i == edge) {
      out += "..., ";
      i = n - edge;
    }
    write_axis(data, axis + 1, at + i * data.strides[static_cast<std::size_t>(axis)], edge, out);
  }
  out += ']';
}

}  // namespace

std::string text_of(const Data& data) {
  std::string out;
  if (data.rank > 0) {
    out = fmt::format("{}[", name_of(data.dtype));
    for (int i = 0; i < data.rank; ++i)
      out += fmt::format("{}{}", i == 0 ? "" : ", ", data.extents[static_cast<std::size_t>(i)]);
    out += "] ";
  }
  write_axis(data, 0, data.at, data.size() <= most_elements ? 0 : data.rank > 2 ? 1 : 3, out);
  return out;
}

}  // namespace frit::arrays
