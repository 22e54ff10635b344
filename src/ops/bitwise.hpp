// Operations on the bits of integers. Booleans have logical_and and its relatives instead.
#pragma once

#include "lanes/isa.hpp"
#include "ops/info.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace ops {

struct BitwiseAnd {
  static constexpr OpInfo info{
      .name = "bitwise_and", .arity = 2, .type = TypeRule::integer, .commutative = true, .integers = true};
  template <class V> static FRIT_INLINE V integer_value(V a, V b) { return a & b; }
};

struct BitwiseOr {
  static constexpr OpInfo info{
      .name = "bitwise_or", .arity = 2, .type = TypeRule::integer, .commutative = true, .integers = true};
  template <class V> static FRIT_INLINE V integer_value(V a, V b) { return a | b; }
};

struct BitwiseXor {
  static constexpr OpInfo info{
      .name = "bitwise_xor", .arity = 2, .type = TypeRule::integer, .commutative = true, .integers = true};
  template <class V> static FRIT_INLINE V integer_value(V a, V b) { return a ^ b; }
};

struct BitwiseInvert {
  static constexpr OpInfo info{.name = "bitwise_invert", .arity = 1, .type = TypeRule::integer, .integers = true};
  template <class V> static FRIT_INLINE V integer_value(V a) { return ~a; }
};

// a shifted by as many bits as `count` says. By its width or more: 0, and to the right the sign.
struct BitwiseLeftShift {
  static constexpr OpInfo info{.name = "bitwise_left_shift", .arity = 2, .type = TypeRule::integer, .integers = true};
  template <class V> static FRIT_INLINE V integer_value(V a, V count) {
    const V last = V::of(V::size - 1);
    return select(count > last, V::of(0), shl(a, count & last));
  }
  template <class V> static FRIT_INLINE typename V::Mask raises(V, V count) { return count < V::of(0); }
};

struct BitwiseRightShift {
  static constexpr OpInfo info{.name = "bitwise_right_shift", .arity = 2, .type = TypeRule::integer, .integers = true};
  template <class V> static FRIT_INLINE V integer_value(V a, V count) {
    const V zero = V::of(0);
    const V last = V::of(V::size - 1);
    const V beyond = select(a < zero, V::of(-1), zero);
    return select(count > last, beyond, shr(a, count & last));
  }
  template <class V> static FRIT_INLINE typename V::Mask raises(V, V count) { return count < V::of(0); }
};

}  // namespace ops
}  // namespace FRIT_ISA
}  // namespace frit
