// The circular and hyperbolic functions of complex numbers and their inverses, with C99 Annex G's special values (tanh as C17 has
// it): those of sin z are those of -i sinh(i z), and so on.
#include "oracle/complex_exact.hpp"
#include "oracle/oracle.hpp"

namespace frit::test::oracle {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const Part any_zero{.is = Part::Is::any_zero};
const Part any_infinity{.is = Part::Is::any_infinity};

struct Parts {
  Part re, im;
};
Parts near_parts(const Exact& z) { return {near(z.re), near(z.im)}; }
Part zero_of_sign(double sign) { return is_exactly(std::copysign(0.0, sign)); }
Part infinity_of_sign(double sign) { return std::isnan(sign) ? any_infinity : is_exactly(std::copysign(inf, sign)); }
Part quarter_turn(double sign, double share = 1) {
  Real pi;
  mpfr_const_pi(pi.get(), MPFR_RNDN);
  return near(with_sign(pi * Real(share / 2), sign));
}

// A factor of zero wins over the other, whatever that is.
Parts sinh_parts(double x, double y) {
  const Part no_number = is_exactly(nan);
  if (!std::isfinite(y)) {
    if (x == 0) return {any_zero, no_number};
    return {std::isinf(x) ? any_infinity : no_number, no_number};
  }
  if (std::isnan(x)) return {no_number, y == 0 ? is_exactly(y) : no_number};
  const Exact r = exact_sinh(x, y);
  return {near(r.re), y == 0 ? is_exactly(y) : near(r.im)};
}

Parts cosh_parts(double x, double y) {
  const Part no_number = is_exactly(nan);
  if (!std::isfinite(y)) {
    if (x == 0) return {no_number, any_zero};
    return {std::isinf(x) ? any_infinity : no_number, no_number};
  }
  if (std::isnan(x)) return {no_number, y == 0 ? any_zero : no_number};
  const Exact r = exact_cosh(x, y);
  return {near(r.re), y == 0 ? zero_of_sign(std::copysign(1.0, x) * std::copysign(1.0, y)) : near(r.im)};
}

Parts tanh_parts(double x, double y) {
  const Part no_number = is_exactly(nan);
  if (!std::isfinite(y)) {
    if (x == 0) return {is_exactly(x), no_number};
    return std::isinf(x) ? Parts{is_exactly(std::copysign(1.0, x)), any_zero} : Parts{no_number, no_number};
  }
  if (std::isnan(x)) return {no_number, y == 0 ? is_exactly(y) : no_number};
  const Exact r = exact_tanh(x, y);
  return {near(r.re), y == 0 ? is_exactly(y) : near(r.im)};
}

// Far out asin z is atan2(x, |y|) and acos z is atan2(|y|, x); where y is a NaN, that of x = 0 is still known.
Parts arc_parts(double x, double y, bool cosine) {
  if (std::isfinite(x) && std::isfinite(y)) return near_parts(cosine ? exact_acos(x, y) : exact_asin(x, y));
  const bool some_nan = std::isnan(x) || std::isnan(y);
  const Part im = std::isinf(x) || std::isinf(y) ? infinity_of_sign(cosine ? -y : y) : is_exactly(nan);
  if (some_nan && x == 0) return {cosine ? quarter_turn(1) : is_exactly(x), im};
  if (some_nan) return {is_exactly(nan), im};
  const Real rise(x), run(std::abs(y));
  return {near(cosine ? apply(mpfr_atan2, run, rise) : apply(mpfr_atan2, rise, run)), im};
}
Parts asin_parts(double x, double y) { return arc_parts(x, y, false); }
Parts acos_parts(double x, double y) { return arc_parts(x, y, true); }

Parts acosh_parts(double x, double y) {
  const Parts r = acos_parts(x, y);
  if (std::isfinite(x) && std::isfinite(y)) return near_parts(exact_acosh(x, y));
  Part im = r.re;
  im.value = with_sign(im.value, y);
  if (std::isnan(y) && x == 0) im = {};  // a quarter turn of unspecified sign
  return {std::isinf(x) || std::isinf(y) ? is_exactly(inf) : is_exactly(nan), im};
}

Parts atanh_parts(double x, double y) {
  if (std::isnan(y)) return {x == 0 || std::isinf(x) ? zero_of_sign(x) : is_exactly(nan), is_exactly(nan)};
  if (std::isnan(x)) return std::isinf(y) ? Parts{any_zero, quarter_turn(y)} : Parts{is_exactly(nan), is_exactly(nan)};
  if (std::isinf(x) || std::isinf(y)) return {zero_of_sign(x), quarter_turn(y)};
  if (std::abs(x) == 1 && y == 0) return {infinity_of_sign(x), is_exactly(y)};
  return near_parts(exact_atanh(x, y));
}

using PartsOf = Parts (*)(double x, double y);
template <PartsOf f> void function(const Operands& o, Expected& r) {
  const Parts parts = f(o.x[0].re, o.x[0].im);
  r.re = parts.re;
  r.im = parts.im;
}
// -i f(i z).
template <PartsOf f> void turned(const Operands& o, Expected& r) {
  const Parts parts = f(o.x[0].im, o.x[0].re);
  r.re = parts.im;
  r.im = parts.re;
}
// cosh(i z) = cosh(-y + i x), the conjugate of cosh(y + i x).
void cosine(const Operands& o, Expected& r) {
  const Parts parts = cosh_parts(o.x[0].im, o.x[0].re);
  r.re = parts.re;
  r.im = parts.im;
  r.im.value = -r.im.value;
}

constexpr NamedEntry all[] = {
    {"sinh", function<sinh_parts>},
    {"cosh", function<cosh_parts>},
    {"tanh", function<tanh_parts>},
    {"sin", turned<sinh_parts>},
    {"cos", cosine},
    {"tan", turned<tanh_parts>},
    {"asin", function<asin_parts>},
    {"acos", function<acos_parts>},
    {"atan", turned<atanh_parts>},
    {"asinh", turned<asin_parts>},
    {"acosh", function<acosh_parts>},
    {"atanh", function<atanh_parts>},
};

}  // namespace

std::span<const NamedEntry> complex_trig_entries() { return all; }

}  // namespace frit::test::oracle
