// Bit patterns of f32 and f64.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace frit::test {

template <class T> using Unsigned = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

// The same bits; a NaN is any NaN.
template <class T> bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<Unsigned<T>>(a) == std::bit_cast<Unsigned<T>>(b);
}

}  // namespace frit::test
