// The complex functions: templates over Complex<V>, V any lane value. Add, subtract and multiply stand with their ops.
//
// Special values and branch cuts are those of C99 Annex G. Where that leaves a choice, or we differ:
//
//   function        here                                                  Annex G
//   all             a NaN has no sign                                     conj f(z) = f(conj z), whatever a NaN
//   exp             (-inf, inf or NaN): +0 and a zero of the sign of im,  zeros of unspecified sign
//                   of a NaN +0
//   sqrt            (-inf, NaN): (NaN, +inf)                              an infinity of unspecified sign
//   cosh            of 0 + i infinity or 0 + i NaN: im +0; of NaN + 0 i   zeros of unspecified sign
//                   im is z's
//   tanh            of (inf, inf or NaN): im a zero of the sign of im, of  zeros of unspecified sign
//                   a NaN +0
//   sinh            of (+-inf, inf or NaN): re +inf                       an infinity of unspecified sign
//   asinh, acosh    of an infinite beside a NaN: re +inf                  infinities of unspecified sign
//   atanh           of (NaN, inf): re +0                                  a zero of unspecified sign
//   sin, cos, tan   those of i z, as Annex G has it, and their inverses
//   divide, real a  the numerator has no imaginary part, not even +0      defined for two complex operands
//   pow             z^0 = 1, of a NaN too; 0^w = 0, (inf, NaN) or NaN as  exp(w log z), the rest is free
//                   re w > 0, < 0, = 0; zero times infinity in w log z
//                   is zero
//
// All but multiply, divide and pow have no spurious overflow or underflow, divide none while each component is at least 2^-400 (f64)
// or 2^-32 (f32) of its partner, or zero; below that a component may lose its last bits.
#pragma once

#include "math/complex_divide.hpp"
#include "math/complex_exp.hpp"
#include "math/complex_inverse.hpp"
#include "math/complex_log.hpp"
#include "math/complex_pow.hpp"
#include "math/complex_sqrt.hpp"
#include "math/complex_trig.hpp"
#include "math/complex_value.hpp"
