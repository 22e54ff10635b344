// Comparisons, logic and selection. An ordered comparison with NaN is false; unequal is true.
#pragma once

#include "math/complex_value.hpp"
#include "ops/info.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace ops {

struct Less {
  static constexpr OpInfo info{
      .name = "less", .arity = 2, .type = TypeRule::compare, .sympy = "StrictLessThan", .integers = true};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE auto value(V a, V b) { return a < b; }
};

struct LessEqual {
  static constexpr OpInfo info{
      .name = "less_equal", .arity = 2, .type = TypeRule::compare, .sympy = "LessThan", .integers = true};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE auto value(V a, V b) { return a <= b; }
};

struct Greater {
  static constexpr OpInfo info{
      .name = "greater", .arity = 2, .type = TypeRule::compare, .sympy = "StrictGreaterThan", .integers = true};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE auto value(V a, V b) { return a > b; }
};

struct GreaterEqual {
  static constexpr OpInfo info{
      .name = "greater_equal", .arity = 2, .type = TypeRule::compare, .sympy = "GreaterThan", .integers = true};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE auto value(V a, V b) { return a >= b; }
};

struct Equal {
  static constexpr OpInfo info{.name = "equal",
                               .arity = 2,
                               .type = TypeRule::compare,
                               .sympy = "Equality",
                               .commutative = true,
                               .integers = true};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE auto value(V a, V b) { return a == b; }
  template <class V> static FRIT_INLINE auto value(Complex<V> a, Complex<V> b) {
    return (a.re == b.re) & (a.im == b.im);
  }
};

struct NotEqual {
  static constexpr OpInfo info{.name = "not_equal",
                               .arity = 2,
                               .type = TypeRule::compare,
                               .sympy = "Unequality",
                               .commutative = true,
                               .integers = true};
  template <class V>
  requires(!is_complex_value<V>) static FRIT_INLINE auto value(V a, V b) { return a != b; }
  template <class V> static FRIT_INLINE auto value(Complex<V> a, Complex<V> b) {
    return (a.re != b.re) | (a.im != b.im);
  }
};

struct And {
  static constexpr OpInfo info{.name = "logical_and",
                               .arity = 2,
                               .type = TypeRule::logical,
                               .sympy = "And",
                               .variadic = true,
                               .commutative = true};
  template <class M> static FRIT_INLINE M value(M a, M b) { return a & b; }
};

struct Or {
  static constexpr OpInfo info{.name = "logical_or",
                               .arity = 2,
                               .type = TypeRule::logical,
                               .sympy = "Or",
                               .variadic = true,
                               .commutative = true};
  template <class M> static FRIT_INLINE M value(M a, M b) { return a | b; }
};

struct Xor {
  static constexpr OpInfo info{.name = "logical_xor",
                               .arity = 2,
                               .type = TypeRule::logical,
                               .sympy = "Xor",
                               .variadic = true,
                               .commutative = true};
  template <class M> static FRIT_INLINE M value(M a, M b) { return a ^ b; }
};

struct Not {
  static constexpr OpInfo info{.name = "logical_not", .arity = 1, .type = TypeRule::logical, .sympy = "Not"};
  template <class M> static FRIT_INLINE M value(M a) { return ~a; }
};

// a where the condition holds, else b; the other operand has no influence on the value.
struct Select {
  static constexpr OpInfo info{.name = "where", .arity = 3, .type = TypeRule::select, .integers = true};
  template <class M, class V>
  requires(!is_complex_value<V>) static FRIT_INLINE V value(M condition, V a, V b) { return select(condition, a, b); }
  template <class M, class V> static FRIT_INLINE Complex<V> value(M condition, Complex<V> a, Complex<V> b) {
    return {select(condition, a.re, b.re), select(condition, a.im, b.im)};
  }
};

// 0 for x < 0, 1 for x > 0 and h for x == 0; NaN for NaN.
struct Heaviside {
  static constexpr OpInfo info{.name = "heaviside", .arity = 2, .type = TypeRule::real, .sympy = "Heaviside"};
  template <class V> static FRIT_INLINE V value(V x, V h) {
    const V step = select(x > V(0), V(1), select(x < V(0), V(0), h));
    return select(is_nan(x), x, step);
  }
};

}  // namespace ops
}  // namespace FRIT_ISA
}  // namespace frit
