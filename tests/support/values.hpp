// Bits, special values and random inputs that tests share.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "frit/dtype.hpp"
#include "support/same.hpp"

namespace frit::test {

using Bytes = std::vector<std::byte>;

template <class T> inline constexpr DType dtype_of = sizeof(T) == 8 ? DType::f64 : DType::f32;

template <class T> T read_as(const std::byte* from) {
  T x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

template <class T> Bytes bytes_of(std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  return Bytes(bytes.begin(), bytes.end());
}

// The first element that differs between two images of one dtype, as text; "" where there is none.
inline std::string first_difference(std::span<const std::byte> got, std::span<const std::byte> want, DType dtype) {
  if (got.size() != want.size())
    return "images of " + std::to_string(got.size()) + " and " + std::to_string(want.size()) + " bytes";
  if (got.empty() || std::memcmp(got.data(), want.data(), got.size()) == 0) return "";
  const std::size_t element = size_of(dtype);
  const auto print = [&](const std::byte* at) {
    char text[96];
    switch (dtype) {
      case DType::boolean: std::snprintf(text, sizeof text, "%d", static_cast<int>(*at)); break;
      case DType::f32: std::snprintf(text, sizeof text, "%a", static_cast<double>(read_as<float>(at))); break;
      case DType::c64:
        std::snprintf(text, sizeof text, "(%a, %a)", static_cast<double>(read_as<float>(at)),
                      static_cast<double>(read_as<float>(at + 4)));
        break;
      case DType::f64: std::snprintf(text, sizeof text, "%a", read_as<double>(at)); break;
      default: std::snprintf(text, sizeof text, "(%a, %a)", read_as<double>(at), read_as<double>(at + 8)); break;
    }
    return std::string(text);
  };
  const auto part_same = [&](std::size_t at) {
    if (real_of(dtype) == DType::f32) return same(read_as<float>(&got[at]), read_as<float>(&want[at]));
    if (real_of(dtype) == DType::f64) return same(read_as<double>(&got[at]), read_as<double>(&want[at]));
    return got[at] == want[at];
  };
  const std::size_t part = size_of(real_of(dtype));
  for (std::size_t at = 0; at < got.size(); at += part) {
    if (part_same(at)) continue;
    const std::size_t i = at / element;
    return "element " + std::to_string(i) + " is " + print(&got[i * element]) + ", not " + print(&want[i * element]);
  }
  return "";
}

// FNV-1a.
inline std::uint64_t hash_of(std::span<const std::byte> bytes, std::uint64_t h = 0xcbf29ce484222325u) {
  for (std::byte b : bytes) h = (h ^ static_cast<std::uint64_t>(b)) * 0x100000001b3u;
  return h;
}

// Zeros, subnormals, the ends of the range, ones, angles, ties, infinities and NaN.
template <class T> std::vector<T> special_values() {
  using L = std::numeric_limits<T>;
  std::vector<T> values;
  for (T x : {T(0),
              L::denorm_min(),
              L::min() / 4,
              L::min(),
              T(1e-20),
              L::epsilon(),
              T(0.3),
              T(0.5),
              T(0.75),
              std::nextafter(T(1), T(0)),
              T(1),
              std::nextafter(T(1), T(2)),
              T(1.5707963267948966),
              T(2),
              T(2.5),
              T(3.141592653589793),
              T(88.7),
              T(709.7),
              T(745.2),
              T(1e10),
              1 / L::epsilon(),
              L::max() / 2,
              L::max(),
              L::infinity()}) {
    values.push_back(x);
    values.push_back(-x);
  }
  values.push_back(L::quiet_NaN());
  return values;
}

// Two in eight special, two of any bits, the rest of magnitude 2^-8 to 2^8, as models have them.
template <class T> class Inputs {
 public:
  explicit Inputs(std::uint64_t seed) : random_(seed), special_(special_values<T>()) {}
  T next() {
    const std::uint64_t kind = random_() % 8;
    if (kind < 2) return special_[random_() % special_.size()];
    if (kind < 4) return std::bit_cast<T>(static_cast<Unsigned<T>>(random_()));
    return moderate();
  }
  T moderate() {
    const T fraction = 1 + static_cast<T>(random_() >> 11) * static_cast<T>(0x1p-53);
    const T x = std::ldexp(fraction, static_cast<int>(random_() % 16) - 8);
    return random_() % 2 == 0 ? x : -x;
  }
  std::vector<T> take(std::size_t n) {
    std::vector<T> values(n);
    for (T& x : values) x = next();
    return values;
  }
  std::mt19937_64& random() { return random_; }

 private:
  std::mt19937_64 random_;
  std::vector<T> special_;
};

}  // namespace frit::test
