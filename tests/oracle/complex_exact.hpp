// The circular and hyperbolic functions of complex numbers and their inverses by MPFR's real functions, for finite arguments; by
// formulas in which nothing cancels but what is exact (W. Kahan, Branch cuts for complex elementary functions, 1987).
#pragma once

#include "oracle/real.hpp"

namespace frit::test::oracle {

struct Exact {
  Real re;
  Real im;
};

inline Exact exchanged(const Exact& z) { return {z.im, z.re}; }
inline Real half(const Real& a) { return a * Real(0.5); }
inline Real with_sign(const Real& a, const Real& sign) { return sign.is_negative() ? -a : a; }

// Beyond it the results are those at the bound, rounded to any format; and nothing is infinite here.
inline Real bounded(const Real& x) {
  const Real bound(1e5);
  return mpfr_cmpabs(x.get(), bound.get()) > 0 ? with_sign(bound, x) : x;
}

inline Exact exact_sinh(const Real& x, const Real& y) {
  return {apply(mpfr_sinh, bounded(x)) * apply(mpfr_cos, y), apply(mpfr_cosh, bounded(x)) * apply(mpfr_sin, y)};
}
inline Exact exact_cosh(const Real& x, const Real& y) {
  return {apply(mpfr_cosh, bounded(x)) * apply(mpfr_cos, y), apply(mpfr_sinh, bounded(x)) * apply(mpfr_sin, y)};
}
// sinh 2x and sin 2y over cosh 2x + cos 2y, where the sum is one of squares.
inline Exact exact_tanh(const Real& x, const Real& y) {
  const Real sine = apply(mpfr_sinh, bounded(x)), cosine = apply(mpfr_cos, y);
  const Real divisor = (sine * sine + cosine * cosine) * Real(2.0);
  return {apply(mpfr_sinh, bounded(x) * Real(2.0)) / divisor, apply(mpfr_sin, y * Real(2.0)) / divisor};
}
inline Exact exact_sin(const Real& x, const Real& y) { return exchanged(exact_sinh(y, x)); }
inline Exact exact_cos(const Real& x, const Real& y) {
  const Exact r = exact_cosh(y, x);
  return {r.re, -r.im};
}
inline Exact exact_tan(const Real& x, const Real& y) { return exchanged(exact_tanh(y, x)); }

// sqrt(re + i im), im >= 0.
inline Exact exact_root(const Real& re, const Real& im) {
  const Real larger = apply(mpfr_sqrt, half(magnitude(re) + apply(mpfr_hypot, re, im)));
  if (larger.is_zero()) return {larger, larger};
  const Real smaller = im / (larger + larger);
  return re.is_negative() ? Exact{smaller, larger} : Exact{larger, smaller};
}

// asin z = sine + i h and acos z = cosine - i h in the upper half plane.
struct ExactArc {
  Real sine, cosine, h;
};
inline ExactArc exact_arc(const Real& x, const Real& y) {
  const Real im = magnitude(y);
  const Exact plus = exact_root(exactly(mpfr_add, Real(1.0), x), im);   // sqrt(1 + z)
  const Exact minus = exact_root(exactly(mpfr_sub, Real(1.0), x), im);  // conj sqrt(1 - z)
  const Real leg = plus.re * minus.re + plus.im * minus.im;             // Re(sqrt(1 + z) sqrt(1 - z))
  const Real rise = minus.re * plus.im + minus.im * plus.re;            // Im(sqrt(1 + z) conj sqrt(1 - z))
  return {apply(mpfr_atan2, x, leg), apply(mpfr_atan2, minus.re, plus.re) * Real(2.0), apply(mpfr_asinh, rise)};
}
inline Exact exact_asin(const Real& x, const Real& y) {
  const ExactArc arc = exact_arc(x, y);
  return {arc.sine, with_sign(arc.h, y)};
}
inline Exact exact_acos(const Real& x, const Real& y) {
  const ExactArc arc = exact_arc(x, y);
  return {arc.cosine, with_sign(-arc.h, y)};
}
inline Exact exact_acosh(const Real& x, const Real& y) {
  const ExactArc arc = exact_arc(x, y);
  return {arc.h, with_sign(arc.cosine, y)};
}
inline Exact exact_asinh(const Real& x, const Real& y) { return exchanged(exact_asin(y, x)); }

// Not of +-1.
inline Exact exact_atanh(const Real& x, const Real& y) {
  const Real re = magnitude(x);
  const Real away = exactly(mpfr_sub, Real(1.0), re), im_square = y * y;
  const Real ratio = Real(4.0) * re / (away * away + im_square);
  const Real beyond = exactly(mpfr_sub, exactly(mpfr_mul, away, exactly(mpfr_add, Real(1.0), re)), im_square);
  return {with_sign(apply(mpfr_log1p, ratio) * Real(0.25), x), half(apply(mpfr_atan2, y * Real(2.0), beyond))};
}
inline Exact exact_atan(const Real& x, const Real& y) { return exchanged(exact_atanh(y, x)); }

}  // namespace frit::test::oracle
