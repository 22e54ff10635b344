// The concepts every numeric template of frit is written against.
//
// A *lane value* V holds V::width elements of V::Element (float or double), one per lane. Lanes never influence each
// other: lane i of a result is a function of lane i of the operands, and the same function at every width. That is what
// makes a result independent of its position in an array.
//
// There are two models. lanes/native.hpp computes; the compiler's model builds instructions and so knows no lane's
// value while a template runs. Hence the one rule for authors: never branch on the value of a lane. any(), all() and
// none() return a C++ bool and exist in computing models only; a template that both models use reaches a decision by
// select(), or by rare() and while_any() of LaneControl.
//
// The functions below are friends of the model, found through their arguments, and not templates (from_bits, to_float,
// rare, while_any and table aside): so that math::sqrt(V), a template, can be written as sqrt(x).
//
// Arithmetic is IEEE 754, round to nearest even, subnormals computed; fma() is the only fused operation and
// `a * b + c` never becomes one.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lanes/isa.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace lanes {

// The conversions that name their result: a model defines the static members.
template <class V> FRIT_INLINE V from_bits(typename V::Bits n) { return V::from_bits(n); }
template <class V> FRIT_INLINE V to_float(typename V::Bits n) { return V::to_float(n); }

// Integer lanes as wide as the element, two's complement, wrapping. `>>` fills with zeros and sar() with the sign.
// Comparisons are signed. Shift counts lie in [0, bits of the element).
template <class B>
concept LaneBits = requires(B a, B b, int count, std::int64_t literal) {
  { B::of(literal) } -> std::same_as<B>;  // the literal in every lane, cut to the element's size
  { a + b } -> std::same_as<B>;
  { a - b } -> std::same_as<B>;
  { a& b } -> std::same_as<B>;
  { a | b } -> std::same_as<B>;
  { a ^ b } -> std::same_as<B>;
  { ~a } -> std::same_as<B>;
  { a << count } -> std::same_as<B>;
  { a >> count } -> std::same_as<B>;
  { sar(a, count) } -> std::same_as<B>;
  { shl(a, b) } -> std::same_as<B>;  // per-lane counts
  { shr(a, b) } -> std::same_as<B>;
  { select(a == b, a, b) } -> std::same_as<B>;
  { select(a < b, a, b) } -> std::same_as<B>;
};

template <class M>
concept LaneMask = requires(M m, bool flag) {
  { M::of(flag) } -> std::same_as<M>;
  { m& m } -> std::same_as<M>;
  { m | m } -> std::same_as<M>;
  { m ^ m } -> std::same_as<M>;
  { ~m } -> std::same_as<M>;
  to_bits(m);  // all ones or zero in each lane
};

template <class V>
concept LaneValue = LaneBits<typename V::Bits> && LaneMask<typename V::Mask> &&
    (std::same_as<typename V::Element, float> ||
     std::same_as<typename V::Element, double>)&&requires(V a, V b, V c, typename V::Mask m, typename V::Bits n,
                                                          double literal) {
  V();                                    // +0 in every lane
  V(typename V::Element());               // the scalar in every lane, implicit
  { V::of(literal) } -> std::same_as<V>;  // a double literal, rounded once to the element
  { a + b } -> std::same_as<V>;
  { a - b } -> std::same_as<V>;
  { a* b } -> std::same_as<V>;
  { a / b } -> std::same_as<V>;
  { -a } -> std::same_as<V>;                    // flips the sign bit, of a NaN too
  { a < b } -> std::same_as<typename V::Mask>;  // ordered: false where an operand is a NaN
  { a <= b } -> std::same_as<typename V::Mask>;
  { a > b } -> std::same_as<typename V::Mask>;
  { a >= b } -> std::same_as<typename V::Mask>;
  { a == b } -> std::same_as<typename V::Mask>;
  { a != b } -> std::same_as<typename V::Mask>;  // true where an operand is a NaN
  { is_nan(a) } -> std::same_as<typename V::Mask>;
  { fma(a, b, c) } -> std::same_as<V>;  // a * b + c, rounded once
  { sqrt(a) } -> std::same_as<V>;       // correctly rounded
  { abs(a) } -> std::same_as<V>;
  { copysign(a, b) } -> std::same_as<V>;  // magnitude of a, sign bit of b
  { round_even(a) } -> std::same_as<V>;   // to the nearest integer, ties to even, keeps the sign of zero
  { floor(a) } -> std::same_as<V>;
  { trunc(a) } -> std::same_as<V>;
  { select(m, a, b) } -> std::same_as<V>;  // a where m is true, else b; evaluates both
  { bits(a) } -> std::same_as<typename V::Bits>;
  { from_bits<V>(n) } -> std::same_as<V>;
  // Exact for integers of magnitude below 2^51 (double) or 2^22 (float). Other lanes give an unspecified value that is
  // the same in every model; it must be masked or clamped before it becomes an index.
  { to_int(a) } -> std::same_as<typename V::Bits>;
  { to_float<V>(n) } -> std::same_as<V>;
  { mask_of(n) } -> std::same_as<typename V::Mask>;  // true where the lane is not zero
};

// Control that does not look at single lanes.
//
// rare(mask, value, fn) is `value` where mask is false and fn() where it is true. fn must give the right answer for
// every lane of mask and may compute anything in the others, but must not read memory out of bounds for them. value and
// fn() are lane values, or structures of lane values with their own select(). A computing model calls fn only if a lane
// of mask is true; the compiler's model notes the mask and lets a second form of the kernel compute the tile, so a lane
// outside mask must have the same bits by either form: value must not depend on fn.
//
// while_any(state, active, step) replaces the state by step(state) in the lanes where active(state) is true, until none
// is. Finished lanes are frozen.
//
// table(base, index) reads base[index] per lane; every lane's index must be in range. The entries are constants of a
// program, of the element's size: floating entries give a V, integer entries a V::Bits.
template <class V>
concept LaneControl = LaneValue<V> &&
    requires(V a, typename V::Mask m, typename V::Bits n, const typename V::Element* base, V (*fn)(),
             typename V::Mask (*active)(V), V (*step)(V)) {
  { rare(m, a, fn) } -> std::same_as<V>;
  { while_any(a, active, step) } -> std::same_as<V>;
  { table(base, n) } -> std::same_as<V>;
};

// Memory. Pointers may have any byte alignment. The partial forms touch the first n elements only, 0 <= n <= width;
// load_partial fills the other lanes with +0.
template <class V>
concept LaneMemory = LaneValue<V> &&
    requires(V a, const typename V::Element* from, typename V::Element* to, std::ptrdiff_t n) {
  { V::load(from) } -> std::same_as<V>;
  { V::load_partial(from, n) } -> std::same_as<V>;
  { V::broadcast_load(from) } -> std::same_as<V>;
  a.store(to);
  a.store_partial(to, n);
};

// Integers of any size as values of their own, not as the image of floating lanes: V::Element is a signed or unsigned integer
// of 8 to 64 bits, V::size its bits. Two's complement, wrapping; nothing traps. Comparisons have the signedness of the
// element. There is no branch on a lane here either; a loop is while_any().
template <class V>
concept IntegerLanes = LaneMask<typename V::Mask> && std::integral<typename V::Element> &&
    requires(V a, V b, typename V::Mask m, std::int64_t literal) {
  { V::of(literal) } -> std::same_as<V>;  // the literal in every lane, cut to the element's size
  { a + b } -> std::same_as<V>;
  { a - b } -> std::same_as<V>;
  { a* b } -> std::same_as<V>;
  { -a } -> std::same_as<V>;
  { a& b } -> std::same_as<V>;
  { a | b } -> std::same_as<V>;
  { a ^ b } -> std::same_as<V>;
  { ~a } -> std::same_as<V>;
  { shl(a, b) } -> std::same_as<V>;  // per-lane counts in [0, V::size)
  { shr(a, b) } -> std::same_as<V>;  // fills with the sign where the element is signed
  { a < b } -> std::same_as<typename V::Mask>;
  { a <= b } -> std::same_as<typename V::Mask>;
  { a > b } -> std::same_as<typename V::Mask>;
  { a >= b } -> std::same_as<typename V::Mask>;
  { a == b } -> std::same_as<typename V::Mask>;
  { a != b } -> std::same_as<typename V::Mask>;
  { select(m, a, b) } -> std::same_as<V>;
  { min(a, b) } -> std::same_as<V>;
  { max(a, b) } -> std::same_as<V>;
  { abs(a) } -> std::same_as<V>;          // wraps
  { quotient(a, b) } -> std::same_as<V>;  // rounded towards zero; 0 where b is 0, wraps for the least number over -1
};

}  // namespace lanes
}  // namespace FRIT_ISA
}  // namespace frit
