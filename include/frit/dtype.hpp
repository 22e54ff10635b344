// The element types of arrays, named as the Python array API standard (2024.12) orders them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace frit {

enum class DType : std::uint8_t { boolean, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, c64, c128 };

inline constexpr int dtype_count = 13;

// Size of one element in bytes. A boolean takes one byte.
constexpr std::size_t size_of(DType t) {
  constexpr std::uint8_t sizes[dtype_count] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
  return sizes[static_cast<int>(t)];
}

// The short name used in reports, printed graphs and error messages: "bool", "i32", "f64", "c128", ...
constexpr std::string_view name_of(DType t) {
  constexpr std::string_view names[dtype_count] = {"bool", "i8",  "i16", "i32", "i64", "u8",  "u16",
                                                   "u32",  "u64", "f32", "f64", "c64", "c128"};
  return names[static_cast<int>(t)];
}

constexpr bool is_complex(DType t) { return t == DType::c64 || t == DType::c128; }
constexpr bool is_real_floating(DType t) { return t == DType::f32 || t == DType::f64; }
constexpr bool is_integer(DType t) { return t >= DType::i8 && t <= DType::u64; }

// c64 -> f32, c128 -> f64, anything else unchanged.
constexpr DType real_of(DType t) { return t == DType::c64 ? DType::f32 : t == DType::c128 ? DType::f64 : t; }
// f32 -> c64, f64 -> c128, anything else unchanged.
constexpr DType complex_of(DType t) { return t == DType::f32 ? DType::c64 : t == DType::f64 ? DType::c128 : t; }

// The dtype named by `text`; false where there is none.
constexpr bool parse_dtype(std::string_view text, DType& out) {
  for (int i = 0; i < dtype_count; ++i) {
    if (name_of(static_cast<DType>(i)) == text) {
      out = static_cast<DType>(i);
      return true;
    }
  }
  return false;
}

}  // namespace frit
