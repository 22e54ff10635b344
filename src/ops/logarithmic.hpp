// Logarithms of other bases and of sums, the inverse hyperbolic functions, and roots: at most 1 ulp in real arithmetic over the
// whole range.
#pragma once

#include "math/complex.hpp"
#include "math/inverse_hyperbolic.hpp"
#include "math/logarithmic.hpp"
#include "math/root.hpp"
#include "ops/info.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace ops {

struct Log2 {
  static constexpr OpInfo info{.name = "log2",
                               .arity = 1,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1},
                               .sympy = "log2"};
  template <class V> static FRIT_INLINE V value(V a) { return math::log2(a); }
};

struct Log10 {
  static constexpr OpInfo info{.name = "log10",
                               .arity = 1,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1},
                               .sympy = "log10"};
  template <class V> static FRIT_INLINE V value(V a) { return math::log10(a); }
};

struct Log1p {
  static constexpr OpInfo info{.name = "log1p",
                               .arity = 1,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1},
                               .sympy = "log1p"};
  template <class V> static FRIT_INLINE V value(V a) { return math::log1p(a); }
};

// log(exp(a) + exp(b)). Where it cancels the budget is in units in the last place of the larger operand.
struct LogAddExp {
  static constexpr OpInfo info{.name = "logaddexp",
                               .arity = 2,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1},
                               .sympy = "logaddexp",
                               .commutative = true};
  template <class V> static FRIT_INLINE V value(V a, V b) { return math::logaddexp(a, b); }
};

// log2(2^a + 2^b), with the budget of LogAddExp.
struct LogAddExp2 {
  static constexpr OpInfo info{.name = "logaddexp2",
                               .arity = 2,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1},
                               .sympy = "logaddexp2",
                               .commutative = true};
  template <class V> static FRIT_INLINE V value(V a, V b) { return math::logaddexp2(a, b); }
};

// log(1 + exp(a)).
struct Softplus {
  static constexpr OpInfo info{
      .name = "softplus", .arity = 1, .type = TypeRule::real, .cost = CostClass::elementary, .budget = {.real = 1}};
  template <class V> static FRIT_INLINE V value(V a) { return math::softplus(a); }
};

struct Asinh {
  static constexpr OpInfo info{.name = "asinh",
                               .arity = 1,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1, .complex = 2},
                               .sympy = "asinh"};
  template <class V> static FRIT_INLINE V value(V a) { return math::asinh(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::asinh(a); }
};

struct Acosh {
  static constexpr OpInfo info{.name = "acosh",
                               .arity = 1,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1, .complex = 2},
                               .sympy = "acosh"};
  template <class V> static FRIT_INLINE V value(V a) { return math::acosh(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::acosh(a); }
};

struct Atanh {
  static constexpr OpInfo info{.name = "atanh",
                               .arity = 1,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1, .complex = 2},
                               .sympy = "atanh"};
  template <class V> static FRIT_INLINE V value(V a) { return math::atanh(a); }
  template <class V> static FRIT_INLINE Complex<V> value(Complex<V> a) { return math::atanh(a); }
};

// The real root, negative for negative numbers.
struct CubeRoot {
  static constexpr OpInfo info{.name = "cbrt",
                               .arity = 1,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1},
                               .sympy = "Cbrt"};
  template <class V> static FRIT_INLINE V value(V a) { return math::cbrt(a); }
};

// 1 / sqrt(a), with -infinity for -0.
struct InverseSquareRoot {
  static constexpr OpInfo info{
      .name = "rsqrt", .arity = 1, .type = TypeRule::real, .cost = CostClass::elementary, .budget = {.real = 1}};
  template <class V> static FRIT_INLINE V value(V a) { return math::rsqrt(a); }
};

struct Hypot {
  static constexpr OpInfo info{.name = "hypot",
                               .arity = 2,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1},
                               .sympy = "hypot",
                               .commutative = true};
  template <class V> static FRIT_INLINE V value(V a, V b) { return math::hypot(a, b); }
};

}  // namespace ops
}  // namespace FRIT_ISA
}  // namespace frit
