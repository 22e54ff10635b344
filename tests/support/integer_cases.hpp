// The integer dtypes as types, values that matter for them, and arrays for kernels that take any length at any address.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "exec/kernel_table.hpp"
#include "support/guarded.hpp"

namespace frit::test {

// Holds every integer of every dtype, and their sums.
using Wide = __int128;
// NOTE: no cast, which clang-tidy would take for one of a character.
template <class T> constexpr Wide wide(T x) { return Wide{0} + x; }

// Calls fn.template operator()<T>(dtype) for each integer dtype.
template <class Fn> void for_each_integer_dtype(Fn fn) {
  fn.template operator()<std::int8_t>(DType::i8);
  fn.template operator()<std::int16_t>(DType::i16);
  fn.template operator()<std::int32_t>(DType::i32);
  fn.template operator()<std::int64_t>(DType::i64);
  fn.template operator()<std::uint8_t>(DType::u8);
  fn.template operator()<std::uint16_t>(DType::u16);
  fn.template operator()<std::uint32_t>(DType::u32);
  fn.template operator()<std::uint64_t>(DType::u64);
}

// The ends of the range, small numbers, and what is near a power of two: shift counts, widths, squares that overflow.
template <class T> std::vector<T> integer_edges() {
  std::set<T> edges;
  for (int k = 0; k < std::numeric_limits<std::uint64_t>::digits; ++k) {
    for (std::uint64_t d = 0; d < 3; ++d) {
      const std::uint64_t near = (std::uint64_t{1} << k) + d - 1;
      edges.insert(static_cast<T>(near));
      edges.insert(static_cast<T>(std::uint64_t{0} - near));
    }
  }
  edges.insert({std::numeric_limits<T>::min(), std::numeric_limits<T>::max()});
  return {edges.begin(), edges.end()};
}

// Of any size, so that small numbers, as exponents and counts are, occur as often as large ones.
template <class T> T any_integer(std::mt19937_64& random) {
  const std::uint64_t bits = random() >> random() % 64;
  return static_cast<T>(random() % 2 == 0 ? bits : std::uint64_t{0} - bits);
}

// An array whose end is the last readable byte, or that starts one byte off its alignment with room behind it.
class EdgeArray {
 public:
  enum class Place { before_a_guard, unaligned };
  static constexpr std::size_t room = 1 << 16;

  void* place(std::size_t bytes, Place place) {
    bytes_ = bytes;
    at_ = place == Place::unaligned ? memory_.data() + 65 : memory_.data() + room - bytes;
    std::memset(at_ - 64, 0x5a, static_cast<std::size_t>(end_of_fence() - (at_ - 64)));
    return at_;
  }
  // Nothing round the array was written.
  bool intact() const {
    const auto untouched = [](const std::byte* from, const std::byte* to) {
      for (; from != to; ++from) {
        if (*from != std::byte{0x5a}) return false;
      }
      return true;
    };
    return untouched(at_ - 64, at_) && untouched(at_ + bytes_, end_of_fence());
  }

 private:
  const std::byte* end_of_fence() const {
    const std::byte* const end = at_ + bytes_;
    const std::byte* const last = memory_.data() + room;
    return last - end < 64 ? last : end + 64;
  }

  Guarded memory_{room, true};
  std::byte* at_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace frit::test
