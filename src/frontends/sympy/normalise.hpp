// Expr -> Graph. The one place where an expression's rounding is decided; every later pass preserves bits.
//
// The rewrites, by name (docs/numerics.md shows each with an example). Grouping depends on declared roles, on which symbols
// are complex, and on the expression; never on values.
//   roles        n-ary sums and products are grouped by role (constant, parameter, column) and reality (real, imaginary,
//                complex), so that what is known once per call is computed once per call
//   quarter-turn the factor I and the sign -1 are carried beside a value (i^k * value) and cost nothing
//   parts        real and imaginary terms of a sum become the parts of one complex number
//   int-power    x^n, |n| <= 16, by a fixed chain of squares and products; negative n as the reciprocal of the chain
//   half-power   x^(k/2), k odd, |k| <= 32, as x^((k-1)/2) * sqrt(x)
//   reciprocal   a power with a negative exponent used in one product divides it; used more than once it is one shared
//                reciprocal, multiplied; the reciprocals of z, -z, conj(z) and -conj(z) are one
//   abs-square   |z|^2 and z * conj(z) as re^2 + im^2
//   cis          exp(I x) of a real x as cos(x) + I sin(x)
//   fused-sum    a complex product that is a term of a complex sum is added by multiply_add
//   piecewise    a branch whose condition is literally False is dropped, what follows a literal True too; no true
//                condition gives NaN
#pragma once

#include <span>

#include "graph/expr.hpp"
#include "graph/graph.hpp"

namespace frit::sympy {

// Part of every cache key and artifact. Raised where a rewrite changes bits.
inline constexpr int rewrite_table_version = 1;

struct SymbolBinding {
  Role role = Role::column;  // parameter or column
  bool complex = false;
};

// `bindings`: one for each symbol of the expression, by symbol index. `kernel_dtype`: f32 or f64. Symbols that a dropped
// branch alone uses do not become arguments. Outputs are named "output", or "output_0", "output_1", ... for several.
// Errors: complex_op (a function without a complex form gets a complex operand), sympy_argument (a boolean where a number is
// needed and the reverse), sympy_unsupported (zoo).
Graph normalise(const Expr& expr, std::span<const SymbolBinding> bindings, DType kernel_dtype);

}  // namespace frit::sympy
