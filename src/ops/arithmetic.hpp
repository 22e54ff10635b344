// Add, subtract, multiply, divide and their relatives. Real results are correctly rounded; the complex product is the plain
// four-product formula; a real operand is never widened.
#pragma once

#include "math/complex.hpp"
#include "ops/info.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace ops {

struct Add {
  static constexpr OpInfo info{
      .name = "add", .arity = 2, .budget = {.real = 0.5, .complex = 0.5}, .commutative = true, .integers = true};
  template <class V> static FRIT_INLINE V value(V a, V b) { return a + b; }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, Complex<V> b) {
    return {a.re + b.re, a.im + b.im};
  }
  template <class V> static FRIT_INLINE Complex<V> value(V a, Complex<V> b) { return {a + b.re, b.im}; }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, V b) { return {a.re + b, a.im}; }
};

struct Subtract {
  static constexpr OpInfo info{
      .name = "subtract", .arity = 2, .budget = {.real = 0.5, .complex = 0.5}, .integers = true};
  template <class V> static FRIT_INLINE V value(V a, V b) { return a - b; }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, Complex<V> b) {
    return {a.re - b.re, a.im - b.im};
  }
  template <class V> static FRIT_INLINE Complex<V> value(V a, Complex<V> b) { return {a - b.re, -b.im}; }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, V b) { return {a.re - b, a.im}; }
};

struct Multiply {
  // The complex budget is of the modulus of the result.
  static constexpr OpInfo info{.name = "multiply",
                               .arity = 2,
                               .budget = {.real = 0.5, .complex = 2, .special = "complex infinities"},
                               .commutative = true,
                               .integers = true};
  template <class V> static FRIT_INLINE V value(V a, V b) { return a * b; }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, Complex<V> b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  template <class V> static FRIT_INLINE Complex<V> value(V a, Complex<V> b) { return {a * b.re, a * b.im}; }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, V b) { return {a.re * b, a.im * b}; }
};

struct Divide {
  static constexpr OpInfo info{.name = "divide",
                               .arity = 2,
                               .cost = CostClass::divide,
                               .budget = {.real = 0.5, .complex = 2, .special = "complex infinities"}};
  template <class V> static FRIT_INLINE V value(V a, V b) { return a / b; }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, Complex<V> b) { return math::divide(a, b); }
  template <class V> static FRIT_INLINE Complex<V> value(V a, Complex<V> b) { return math::divide(a, b); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, V b) { return {a.re / b, a.im / b}; }
};

// 1 / a. Of a complex number it is cheaper than a division, so quotients of real by complex numbers are made with it.
struct Reciprocal {
  static constexpr OpInfo info{.name = "reciprocal",
                               .arity = 1,
                               .cost = CostClass::divide,
                               .budget = {.real = 0.5, .complex = 2, .special = "complex infinities"}};
  template <class V> static FRIT_INLINE V value(V a) { return V(1) / a; }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::reciprocal(a); }
};

struct Negate {
  static constexpr OpInfo info{.name = "negate", .arity = 1, .integers = true};
  template <class V> static FRIT_INLINE V value(V a) { return -a; }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return {-a.re, -a.im}; }
};

// a b + c, rounded once; of complex numbers four fused steps instead of six operations and two additions. Only a front end
// that says so makes it (sums of complex terms): nothing turns a * b + c into it later.
struct MultiplyAdd {
  // The complex budget is of |a b| + |c|.
  static constexpr OpInfo info{
      .name = "multiply_add", .arity = 3, .budget = {.real = 0.5, .complex = 2, .special = "complex infinities"}};
  template <class V> static FRIT_INLINE V value(V a, V b, V c) { return fma(a, b, c); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, Complex<V> b, Complex<V> c) {
    return {fma(-a.im, b.im, fma(a.re, b.re, c.re)), fma(a.im, b.re, fma(a.re, b.im, c.im))};
  }
  template <class V> static FRIT_INLINE Complex<V> value(V a, Complex<V> b, Complex<V> c) {
    return {fma(a, b.re, c.re), fma(a, b.im, c.im)};
  }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, V b, Complex<V> c) {
    return {fma(a.re, b, c.re), fma(a.im, b, c.im)};
  }
};

// c - a b, as multiply_add(-a, b, c).
struct MultiplySubtract {
  static constexpr OpInfo info{
      .name = "multiply_subtract", .arity = 3, .budget = {.real = 0.5, .complex = 2, .special = "complex infinities"}};
  template <class V> static FRIT_INLINE V value(V a, V b, V c) { return fma(-a, b, c); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, Complex<V> b, Complex<V> c) {
    return MultiplyAdd::value(Complex<V>{-a.re, -a.im}, b, c);
  }
  template <class V> static FRIT_INLINE Complex<V> value(V a, Complex<V> b, Complex<V> c) {
    return MultiplyAdd::value(-a, b, c);
  }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a, V b, Complex<V> c) {
    return MultiplyAdd::value(a, -b, c);
  }
};

struct SquareRoot {
  static constexpr OpInfo info{
      .name = "sqrt", .arity = 1, .cost = CostClass::divide, .budget = {.real = 0.5, .complex = 2}, .sympy = "sqrt"};
  template <class V> static FRIT_INLINE V value(V a) { return sqrt(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::sqrt(a); }
};

struct Absolute {
  static constexpr OpInfo info{.name = "abs",
                               .arity = 1,
                               .type = TypeRule::to_real,
                               .budget = {.real = 0, .complex = 2},
                               .sympy = "Abs",
                               .integers = true};
  template <class V> static FRIT_INLINE V value(V a) { return abs(a); }
  template <class V> static FRIT_INLINE V value(Complex<V> a) { return math::abs(a); }
};

// -1, 0 or 1, and NaN for NaN; of a complex number z / |z|, and 0 for 0.
struct Sign {
  static constexpr OpInfo info{.name = "sign",
                               .arity = 1,
                               .budget = {.real = 0, .complex = 2, .special = "of a zero is +0"},
                               .sympy = "sign",
                               .integers = true};
  template <class V> static FRIT_INLINE V value(V a) {
    const V zero(0);
    const V one(1);
    const V of_number = select(a > zero, one, select(a < zero, -one, zero));
    return select(is_nan(a), a, of_number);
  }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::sign(a); }
  template <class V> static FRIT_INLINE V integer_value(V a) {
    const V zero = V::of(0);
    return select(a < zero, V::of(-1), min(a, V::of(1)));
  }
};

// NaN propagates and -0 < +0 (unlike the minimum instructions of x86).
struct Minimum {
  static constexpr OpInfo info{.name = "minimum",
                               .arity = 2,
                               .type = TypeRule::real,
                               .budget = {.special = "NaN propagates, -0 < +0"},
                               .sympy = "Min",
                               .variadic = true,
                               .integers = true};
  template <class V> static FRIT_INLINE V value(V a, V b) {
    const V of_equal = from_bits<V>(bits(a) | bits(b));
    const V of_number = select(a < b, a, select(a == b, of_equal, b));
    return select(is_nan(a), a, of_number);
  }
  template <class V> static FRIT_INLINE V integer_value(V a, V b) { return min(a, b); }
};

struct Maximum {
  static constexpr OpInfo info{.name = "maximum",
                               .arity = 2,
                               .type = TypeRule::real,
                               .budget = {.special = "NaN propagates, -0 < +0"},
                               .sympy = "Max",
                               .variadic = true,
                               .integers = true};
  template <class V> static FRIT_INLINE V value(V a, V b) {
    const V of_equal = from_bits<V>(bits(a) & bits(b));
    const V of_number = select(a > b, a, select(a == b, of_equal, b));
    return select(is_nan(a), a, of_number);
  }
  template <class V> static FRIT_INLINE V integer_value(V a, V b) { return max(a, b); }
};

// Composite ops: written in other ops and expanded when a graph is built.

struct Square {
  static constexpr OpInfo info{.name = "square", .arity = 1, .budget = {.real = 0.5, .complex = 2}, .integers = true};
  template <class T> static T expand(T a) { return a * a; }
};

// |z|^2 = re^2 + im^2, real; of a real number its square. Half an ulp from the sum, and up to 0.75 from the two squares.
struct AbsoluteSquare {
  static constexpr OpInfo info{
      .name = "abs_square", .arity = 1, .type = TypeRule::to_real, .budget = {.real = 0.5, .complex = 1.25}};
  template <class T> static T expand(T a) {
    const T re = real(a);
    if (!is_complex(a)) return re * re;
    const T im = imag(a);
    return re * re + im * im;
  }
};

}  // namespace ops
}  // namespace FRIT_ISA
}  // namespace frit
