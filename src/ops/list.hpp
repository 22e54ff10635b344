// The one list of ops. Everything that enumerates ops derives from it: ids, kernels, printer, parser, the SymPy classes of
// the reader, docs/ops.md and the tests.
#pragma once

#include "ops/arithmetic.hpp"
#include "ops/bitwise.hpp"
#include "ops/compare.hpp"
#include "ops/elementary.hpp"
#include "ops/error_function.hpp"
#include "ops/exponential.hpp"
#include "ops/logarithmic.hpp"
#include "ops/parts.hpp"
#include "ops/rounding.hpp"
#include "ops/special.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace ops {

template <unsigned... form> struct Forms {};

template <class... Ops> struct List { static constexpr int size = sizeof...(Ops); };

using AllOps = List<Add, Subtract, Multiply, Divide, Reciprocal, Negate, MultiplyAdd, MultiplySubtract,  //
                    SquareRoot, Absolute, Sign, Minimum, Maximum, Square, AbsoluteSquare,                //
                    Exp, Log, Sin, Cos, Cis, Tan, Asin, Acos, Atan, Atan2, Power, Argument,              //
                    Floor, Ceil, Trunc, Rint, RoundHalfAway, Fmod, Remainder, FloorDivide,               //
                    Ldexp, FrexpMantissa, FrexpExponent, NextAfter, SinPi, CosPi, Sinc, Xor, Heaviside,  //
                    Log2, Log10, Log1p, LogAddExp, LogAddExp2, Softplus, Asinh, Acosh, Atanh,            //
                    CubeRoot, InverseSquareRoot, Hypot,                                                  //
                    Exp2, Exp10, Expm1, Logistic, Sinh, Cosh, Tanh,                                      //
                    Erf, Erfc, Erfinv, Erfcinv,                                                          //
                    Gamma, LogGamma, Digamma,                                                            //
                    Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual, And, Or, Not, Select,       //
                    Real, Imag, Conjugate, MakeComplex, QuarterTurn,                                     //
                    BitwiseAnd, BitwiseOr, BitwiseXor, BitwiseInvert, BitwiseLeftShift, BitwiseRightShift>;

template <class Op, class First, class... Rest> constexpr int index_in(List<First, Rest...>) {
  if constexpr (__is_same(Op, First)) {
    return 0;
  } else {
    static_assert(sizeof...(Rest) > 0, "the op is not in AllOps");
    return 1 + index_in<Op>(List<Rest...>{});
  }
}

template <class Op> inline constexpr OpId id_of = static_cast<OpId>(index_in<Op>(AllOps{}));

// A primitive op has a value over lane values, a composite op an expansion into other ops.
struct ExpansionProbe {
  static ExpansionProbe literal_like(ExpansionProbe, int);
};
template <class Op>
concept Composite = requires {
  &Op::template expand<ExpansionProbe>;
};

// Calls fn.template operator()<Op>() for every op of the list, in order.
template <class... Ops, class Fn> constexpr void for_each_op(List<Ops...>, Fn fn) {
  (fn.template operator()<Ops>(), ...);
}

// Forms. Bit i of a form says that operand i is complex. The operand types that an op's value takes in a form, for a lane
// value V, are what `takes` tests; so the forms of an op are read off its templates.
enum class OperandKind { real, complex, boolean };
constexpr OperandKind operand_kind(TypeRule rule, unsigned form, int operand) {
  if (rule == TypeRule::logical || (rule == TypeRule::select && operand == 0)) return OperandKind::boolean;
  return (form >> operand & 1u) != 0 ? OperandKind::complex : OperandKind::real;
}
template <class V, OperandKind kind> struct OperandType { using type = V; };
template <class V> struct OperandType<V, OperandKind::complex> { using type = Complex<V>; };
template <class V> struct OperandType<V, OperandKind::boolean> { using type = typename V::Mask; };
template <class V, TypeRule rule, unsigned form, int operand>
using OperandOf = typename OperandType<V, operand_kind(rule, form, operand)>::type;

template <class Op, class V, unsigned form> constexpr bool takes() {
  constexpr TypeRule rule = Op::info.type;
  if constexpr (Composite<Op> || rule == TypeRule::integer || form >= (1u << Op::info.arity)) {
    return false;
  } else if constexpr (rule == TypeRule::logical || rule == TypeRule::real) {
    return form == 0;
  } else if constexpr (rule == TypeRule::select) {
    return form == 0 || form == 0b110;
  } else if constexpr (Op::info.arity == 1) {
    return requires(OperandOf<V, rule, form, 0> a) { Op::value(a); };
  } else if constexpr (Op::info.arity == 2) {
    return requires(OperandOf<V, rule, form, 0> a, OperandOf<V, rule, form, 1> b) { Op::value(a, b); };
  } else {
    return requires(OperandOf<V, rule, form, 0> a, OperandOf<V, rule, form, 1> b, OperandOf<V, rule, form, 2> c) {
      Op::value(a, b, c);
    };
  }
}

inline constexpr int max_arity = 3;

template <class Op, class V> constexpr unsigned forms() {
  unsigned result = 0;
  [&]<unsigned... form>(Forms<form...>) { ((result |= takes<Op, V, form>() ? 1u << form : 0u), ...); }
  (Forms<0, 1, 2, 3, 4, 5, 6, 7>{});
  return result;
}

// The form of integer operands, for integer lanes I (lanes/concepts.hpp): integer_value where integers differ from floating
// numbers, else value, else the expansion. Operands are I, a condition is I::Mask.
template <class Op> struct IntegerForm {
  template <class... A> static FRIT_INLINE auto value(A... a) {
    if constexpr (requires { Op::integer_value(a...); }) {
      return Op::integer_value(a...);
    } else if constexpr (Composite<Op>) {
      return Op::expand(a...);
    } else {
      return Op::value(a...);
    }
  }
};
template <class Op, class I, int operand>
using IntegerOperand = typename OperandType<I, operand_kind(Op::info.type, 0, operand)>::type;

// An op that can raise says where by a template `raises` over the operands of its integer form.
template <class Op, class I>
concept Raises = requires(I a) {
  Op::raises(a, a);
};

template <class Op, class I> constexpr bool has_integer_form() {
  if constexpr (!Op::info.integers) {
    return false;
  } else if constexpr (Op::info.arity == 1) {
    return requires(IntegerOperand<Op, I, 0> a) { IntegerForm<Op>::value(a); };
  } else if constexpr (Op::info.arity == 2) {
    return requires(IntegerOperand<Op, I, 0> a, IntegerOperand<Op, I, 1> b) { IntegerForm<Op>::value(a, b); };
  } else {
    return requires(IntegerOperand<Op, I, 0> a, IntegerOperand<Op, I, 1> b, IntegerOperand<Op, I, 2> c) {
      IntegerForm<Op>::value(a, b, c);
    };
  }
}
// A part of an integer form where info does not say that there is one.
template <class Op, class I>
concept StrayIntegerPart = !Op::info.integers && (
                                                     Raises<Op, I> || requires(I a) { Op::integer_value(a); } ||
                                                     requires(I a) { Op::integer_value(a, a); });

// The parts that every op must have so far, for floating lanes V and integer lanes I. Partials join them with derivatives,
// batching rules with vmap.
template <class Op, class V, class I> constexpr bool has_every_part() {
  return Op::info.name != nullptr && Op::info.arity >= 1 && Op::info.arity <= max_arity && Op::info.budget.real >= 0 &&
         (Composite<Op> || forms<Op, V>() != 0 || Op::info.type == TypeRule::integer) &&
         (Op::info.integers ? has_integer_form<Op, I>()
                            : Op::info.type != TypeRule::integer && !StrayIntegerPart<Op, I>);
}

}  // namespace ops
}  // namespace FRIT_ISA
}  // namespace frit
