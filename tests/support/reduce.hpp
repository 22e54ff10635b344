// What the tests of the reductions and of their cumulative forms share.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "exec/kernel_table.hpp"

namespace frit::test {

template <class T> constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, std::int8_t>) return DType::i8;
  if constexpr (std::is_same_v<T, std::int16_t>) return DType::i16;
  if constexpr (std::is_same_v<T, std::int32_t>) return DType::i32;
  if constexpr (std::is_same_v<T, std::int64_t>) return DType::i64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return DType::u8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return DType::u16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return DType::u32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return DType::u64;
  if constexpr (std::is_same_v<T, float>) return DType::f32;
  if constexpr (std::is_same_v<T, double>) return DType::f64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return DType::c64;
  return DType::c128;
}
template <class T>
inline constexpr bool is_complex_type =
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

// The image of a number, of a complex one those of its parts; one image for all NaNs.
template <class T> std::vector<std::uint64_t> bits_of(const std::vector<T>& x) {
  std::vector<std::uint64_t> images;
  const auto add = [&](auto part) {
    std::uint64_t image = 0;
    std::memcpy(&image, &part, sizeof part);
    images.push_back(part == part ? image : ~std::uint64_t{0});
  };
  for (const T& value : x) {
    if constexpr (is_complex_type<T>) {
      add(value.real());
      add(value.imag());
    } else {
      add(value);
    }
  }
  return images;
}
template <class T> std::vector<std::uint64_t> bits_of(T x) { return bits_of(std::vector<T>{x}); }

template <class T> T added(T a, T b) { return a + b; }
template <class T> T multiplied(T a, T b) { return a * b; }
template <class P> std::complex<P> complex_product(std::complex<P> a, std::complex<P> b) {
  const auto is_one = [](std::complex<P> z) { return z.real() == 1 && z.imag() == 0 && !std::signbit(z.imag()); };
  if (is_one(b)) return a;
  if (is_one(a)) return b;
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
// Numbers whose sums and products round in nearly every step and do not overflow.
template <class T> std::vector<T> numbers(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> x(n);
  const auto one = [&](auto zero) {
    using P = decltype(zero);
    const double u = static_cast<double>(random() >> 11) * 0x1p-53;
    return static_cast<P>((random() & 1) != 0 ? 0.75 + 0.55 * u : -(0.75 + 0.55 * u));
  };
  for (T& value : x) {
    if constexpr (is_complex_type<T>) {
      value = {one(typename T::value_type()), one(typename T::value_type())};
    } else {
      value = one(T());
    }
  }
  return x;
}

inline std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all;
  for (std::size_t n = 0; n <= 600; ++n) all.push_back(n);
  for (std::size_t n : {767u, 1024u, 1025u, 2047u, 4096u, 5000u, 65536u + 300u, 100003u}) all.push_back(n);
  return all;
}

// All types but complex ones: small numbers with many equal ones, or anything.
template <class T> std::vector<T> any_numbers(std::size_t n, unsigned seed, bool few) {
  std::mt19937_64 random(seed);
  std::vector<T> x(n);
  for (T& value : x) {
    const std::uint64_t r = random();
    if constexpr (std::is_floating_point_v<T>) {
      value = few ? std::array<T, 5>{T(0), T(-0.0), T(1), T(-1), T(2)}[r % 5]
                  : static_cast<T>(static_cast<std::int64_t>(r) >> 8) * T(0x1p-30);
      if (!few && seed % 3 == 0 && r % 200 == 0) value = std::numeric_limits<T>::quiet_NaN();
      if (few && seed % 3 == 0) value = value == T(-1) ? -std::numeric_limits<T>::infinity() : value;
    } else {
      value = few ? static_cast<T>(r % 3) : static_cast<T>(r >> 13);
    }
  }
  return x;
}

// What holds for every reduction and dtype: the bytes of a result depend on the elements alone.
struct Entry {
  int id;
  DType dtype;
  std::size_t size, result_size;
  std::string name;
};
inline std::vector<Entry> entries() {
  std::vector<Entry> all;
  for (int id = 0; id < ops::AllReductions::size; ++id) {
    const ops::ReductionInfo& info = ops::AllReductions::infos[id];
    for (int t = 0; t < dtype_count; ++t) {
      const DType dtype = static_cast<DType>(t);
      if (!ops::accepts(info, dtype)) continue;
      all.push_back({id, dtype, size_of(dtype), size_of(ops::result_of(info, dtype)),
                     std::string(info.name) + " of " + std::string(name_of(dtype))});
    }
  }
  return all;
}
// Elements of all sizes; a boolean is 0 or 1.
inline std::vector<unsigned char> elements(const Entry& entry, std::size_t n) {
  std::mt19937_64 random(n);
  std::vector<unsigned char> data(n * entry.size);
  for (unsigned char& byte : data) {
    byte = static_cast<unsigned char>(random());
    if (entry.dtype == DType::boolean) byte &= 1u;
  }
  // Floating-point numbers near 1, so that sums and products depend on their order.
  for (std::size_t i = 0; i < n; ++i) {
    const auto put = [&](auto x) { std::memcpy(&data[i * sizeof x], &x, sizeof x); };
    const double x = 0.7 + static_cast<double>(random() >> 11) * 0x1p-53 * 0.6;
    if (entry.dtype == DType::f32) put(static_cast<float>(x));
    if (entry.dtype == DType::f64) put(x);
    if (entry.dtype == DType::c64) put(std::complex<float>(static_cast<float>(x), static_cast<float>(1 - x)));
    if (entry.dtype == DType::c128) put(std::complex<double>(x, 1 - x));
  }
  return data;
}
using Image = std::vector<unsigned char>;

}  // namespace frit::test
