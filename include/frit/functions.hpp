// The ops of docs/ops.md as functions of arrays and numbers, made from the op table: run
// FRIT_UPDATE_DOCS=1 build/tests/repository_test. Errors: dtype_mismatch where an op has no form for the dtypes of its operands,
// shape_mismatch where their shapes do not broadcast.
#pragma once

#include <initializer_list>

#include "frit/array.hpp"

namespace frit {
namespace arrays {
// The op of this number on its operands.
Array call(int op, std::initializer_list<const Operand*> operands);
}  // namespace arrays

inline Array add(const Operand& a, const Operand& b) { return arrays::call(0, {&a, &b}); }
inline Array subtract(const Operand& a, const Operand& b) { return arrays::call(1, {&a, &b}); }
inline Array multiply(const Operand& a, const Operand& b) { return arrays::call(2, {&a, &b}); }
inline Array divide(const Operand& a, const Operand& b) { return arrays::call(3, {&a, &b}); }
inline Array reciprocal(const Operand& a) { return arrays::call(4, {&a}); }
inline Array negate(const Operand& a) { return arrays::call(5, {&a}); }
inline Array multiply_add(const Operand& a, const Operand& b, const Operand& c) {
  return arrays::call(6, {&a, &b, &c});
}
inline Array multiply_subtract(const Operand& a, const Operand& b, const Operand& c) {
  return arrays::call(7, {&a, &b, &c});
}
inline Array sqrt(const Operand& a) { return arrays::call(8, {&a}); }
inline Array abs(const Operand& a) { return arrays::call(9, {&a}); }
inline Array sign(const Operand& a) { return arrays::call(10, {&a}); }
inline Array minimum(const Operand& a, const Operand& b) { return arrays::call(11, {&a, &b}); }
inline Array maximum(const Operand& a, const Operand& b) { return arrays::call(12, {&a, &b}); }
inline Array square(const Operand& a) { return arrays::call(13, {&a}); }
inline Array abs_square(const Operand& a) { return arrays::call(14, {&a}); }
inline Array exp(const Operand& a) { return arrays::call(15, {&a}); }
inline Array log(const Operand& a) { return arrays::call(16, {&a}); }
inline Array sin(const Operand& a) { return arrays::call(17, {&a}); }
inline Array cos(const Operand& a) { return arrays::call(18, {&a}); }
inline Array cis(const Operand& a) { return arrays::call(19, {&a}); }
inline Array tan(const Operand& a) { return arrays::call(20, {&a}); }
inline Array asin(const Operand& a) { return arrays::call(21, {&a}); }
inline Array acos(const Operand& a) { return arrays::call(22, {&a}); }
inline Array atan(const Operand& a) { return arrays::call(23, {&a}); }
inline Array atan2(const Operand& a, const Operand& b) { return arrays::call(24, {&a, &b}); }
inline Array pow(const Operand& a, const Operand& b) { return arrays::call(25, {&a, &b}); }
inline Array angle(const Operand& a) { return arrays::call(26, {&a}); }
inline Array floor(const Operand& a) { return arrays::call(27, {&a}); }
inline Array ceil(const Operand& a) { return arrays::call(28, {&a}); }
inline Array trunc(const Operand& a) { return arrays::call(29, {&a}); }
inline Array rint(const Operand& a) { return arrays::call(30, {&a}); }
inline Array round_half_away(const Operand& a) { return arrays::call(31, {&a}); }
inline Array fmod(const Operand& a, const Operand& b) { return arrays::call(32, {&a, &b}); }
inline Array remainder(const Operand& a, const Operand& b) { return arrays::call(33, {&a, &b}); }
inline Array floor_divide(const Operand& a, const Operand& b) { return arrays::call(34, {&a, &b}); }
inline Array ldexp(const Operand& a, const Operand& b) { return arrays::call(35, {&a, &b}); }
inline Array frexp_mantissa(const Operand& a) { return arrays::call(36, {&a}); }
inline Array frexp_exponent(const Operand& a) { return arrays::call(37, {&a}); }
inline Array nextafter(const Operand& a, const Operand& b) { return arrays::call(38, {&a, &b}); }
inline Array sinpi(const Operand& a) { return arrays::call(39, {&a}); }
inline Array cospi(const Operand& a) { return arrays::call(40, {&a}); }
inline Array sinc(const Operand& a) { return arrays::call(41, {&a}); }
inline Array logical_xor(const Operand& a, const Operand& b) { return arrays::call(42, {&a, &b}); }
inline Array heaviside(const Operand& a, const Operand& b) { return arrays::call(43, {&a, &b}); }
inline Array log2(const Operand& a) { return arrays::call(44, {&a}); }
inline Array log10(const Operand& a) { return arrays::call(45, {&a}); }
inline Array log1p(const Operand& a) { return arrays::call(46, {&a}); }
inline Array logaddexp(const Operand& a, const Operand& b) { return arrays::call(47, {&a, &b}); }
inline Array logaddexp2(const Operand& a, const Operand& b) { return arrays::call(48, {&a, &b}); }
inline Array softplus(const Operand& a) { return arrays::call(49, {&a}); }
inline Array asinh(const Operand& a) { return arrays::call(50, {&a}); }
inline Array acosh(const Operand& a) { return arrays::call(51, {&a}); }
inline Array atanh(const Operand& a) { return arrays::call(52, {&a}); }
inline Array cbrt(const Operand& a) { return arrays::call(53, {&a}); }
inline Array rsqrt(const Operand& a) { return arrays::call(54, {&a}); }
inline Array hypot(const Operand& a, const Operand& b) { return arrays::call(55, {&a, &b}); }
inline Array exp2(const Operand& a) { return arrays::call(56, {&a}); }
inline Array exp10(const Operand& a) { return arrays::call(57, {&a}); }
inline Array expm1(const Operand& a) { return arrays::call(58, {&a}); }
inline Array logistic(const Operand& a) { return arrays::call(59, {&a}); }
inline Array sinh(const Operand& a) { return arrays::call(60, {&a}); }
inline Array cosh(const Operand& a) { return arrays::call(61, {&a}); }
inline Array tanh(const Operand& a) { return arrays::call(62, {&a}); }
inline Array erf(const Operand& a) { return arrays::call(63, {&a}); }
inline Array erfc(const Operand& a) { return arrays::call(64, {&a}); }
inline Array erfinv(const Operand& a) { return arrays::call(65, {&a}); }
inline Array erfcinv(const Operand& a) { return arrays::call(66, {&a}); }
inline Array gamma(const Operand& a) { return arrays::call(67, {&a}); }
inline Array lgamma(const Operand& a) { return arrays::call(68, {&a}); }
inline Array digamma(const Operand& a) { return arrays::call(69, {&a}); }
inline Array less(const Operand& a, const Operand& b) { return arrays::call(70, {&a, &b}); }
inline Array less_equal(const Operand& a, const Operand& b) { return arrays::call(71, {&a, &b}); }
inline Array greater(const Operand& a, const Operand& b) { return arrays::call(72, {&a, &b}); }
inline Array greater_equal(const Operand& a, const Operand& b) { return arrays::call(73, {&a, &b}); }
inline Array equal(const Operand& a, const Operand& b) { return arrays::call(74, {&a, &b}); }
inline Array not_equal(const Operand& a, const Operand& b) { return arrays::call(75, {&a, &b}); }
inline Array logical_and(const Operand& a, const Operand& b) { return arrays::call(76, {&a, &b}); }
inline Array logical_or(const Operand& a, const Operand& b) { return arrays::call(77, {&a, &b}); }
inline Array logical_not(const Operand& a) { return arrays::call(78, {&a}); }
inline Array where(const Operand& a, const Operand& b, const Operand& c) { return arrays::call(79, {&a, &b, &c}); }
inline Array real(const Operand& a) { return arrays::call(80, {&a}); }
inline Array imag(const Operand& a) { return arrays::call(81, {&a}); }
inline Array conj(const Operand& a) { return arrays::call(82, {&a}); }
inline Array complex(const Operand& a, const Operand& b) { return arrays::call(83, {&a, &b}); }
inline Array times_i(const Operand& a) { return arrays::call(84, {&a}); }
inline Array bitwise_and(const Operand& a, const Operand& b) { return arrays::call(85, {&a, &b}); }
inline Array bitwise_or(const Operand& a, const Operand& b) { return arrays::call(86, {&a, &b}); }
inline Array bitwise_xor(const Operand& a, const Operand& b) { return arrays::call(87, {&a, &b}); }
inline Array bitwise_invert(const Operand& a) { return arrays::call(88, {&a}); }
inline Array bitwise_left_shift(const Operand& a, const Operand& b) { return arrays::call(89, {&a, &b}); }
inline Array bitwise_right_shift(const Operand& a, const Operand& b) { return arrays::call(90, {&a, &b}); }

}  // namespace frit
