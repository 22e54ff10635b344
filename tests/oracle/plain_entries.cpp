// Ops whose result is exact or correctly rounded part by part, and the real functions.
#include "oracle/inverse_erf.hpp"
#include "oracle/logarithmic.hpp"
#include "oracle/oracle.hpp"
#include "oracle/rounding.hpp"

namespace frit::test::oracle {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <Function1 f> void function(const Operands& o, Expected& r) { r.re = near(apply(f, o.x[0].re)); }
template <Function2 f> void function(const Operands& o, Expected& r) { r.re = near(apply(f, o.x[0].re, o.x[1].re)); }

template <bool binary> void log_of_powers(const Operands& o, Expected& r) {
  r.re = near(apply(log_of_sum<binary>, o.x[0].re, o.x[1].re), apply(unit_of_sum<binary>, o.x[0].re, o.x[1].re));
}

// A sum or difference of real and complex numbers: what has no imaginary part adds none.
template <Function2 f> void sum(const Operands& o, Expected& r) {
  const Number &a = o.x[0], &b = o.x[1];
  r.re = rounded(o.format, for_rounding(f, a.re, b.re));
  if (a.complex && b.complex) r.im = rounded(o.format, for_rounding(f, a.im, b.im));
  if (a.complex && !b.complex) r.im = is_exactly(a.im);
  if (!a.complex && b.complex) r.im = is_exactly(f == mpfr_sub ? -b.im : b.im);
}

// docs/numerics.md: the plain formula of four products, and two with a real operand.
void multiply(const Operands& o, Expected& r) {
  const Number &a = o.x[0], &b = o.x[1];
  const auto product = [&](double x, double y) { return o.format.round(for_rounding(mpfr_mul, x, y)); };
  if (a.complex && b.complex) {
    r.re = rounded(o.format, for_rounding(mpfr_sub, product(a.re, b.re), product(a.im, b.im)));
    r.im = rounded(o.format, for_rounding(mpfr_add, product(a.re, b.im), product(a.im, b.re)));
  } else {
    r.re = is_exactly(product(a.re, b.re));
    r.im = is_exactly(a.complex ? product(a.im, b.re) : product(a.re, b.im));
  }
}

void square(const Operands& o, Expected& r) {
  const Number twice[] = {o.x[0], o.x[0]};
  multiply({twice, o.format}, r);
}
void absolute_square(const Operands& o, Expected& r) {
  const auto square_of = [&](double x) { return o.format.round(for_rounding(mpfr_mul, x, x)); };
  const Number& z = o.x[0];
  r.re = rounded(o.format, z.complex ? for_rounding(mpfr_add, square_of(z.re), square_of(z.im)) : square_of(z.re));
}

// Of two real numbers, or of a complex and a real one.
void divide(const Operands& o, Expected& r) {
  const Number &a = o.x[0], &b = o.x[1];
  r.re = rounded(o.format, for_rounding(mpfr_div, a.re, b.re));
  r.im = rounded(o.format, for_rounding(mpfr_div, a.im, b.re));
}

void reciprocal(const Operands& o, Expected& r) {
  r.re = rounded(o.format, for_rounding(mpfr_div, Real(1.0), o.x[0].re));
}
void square_root(const Operands& o, Expected& r) { r.re = rounded(o.format, for_rounding(mpfr_sqrt, o.x[0].re)); }
void multiply_add(const Operands& o, Expected& r) {
  r.re = rounded(o.format, for_rounding(mpfr_fma, o.x[0].re, o.x[1].re, o.x[2].re));
}
void multiply_subtract(const Operands& o, Expected& r) {
  r.re = rounded(o.format, for_rounding(mpfr_fma, -o.x[0].re, o.x[1].re, o.x[2].re));
}

void both(Expected& r, double re, double im) {
  r.re = is_exactly(re);
  r.im = is_exactly(im);
}
void negate(const Operands& o, Expected& r) { both(r, -o.x[0].re, -o.x[0].im); }
void absolute(const Operands& o, Expected& r) { r.re = is_exactly(std::abs(o.x[0].re)); }
void sign(const Operands& o, Expected& r) {
  const double x = o.x[0].re;
  r.re = is_exactly(x > 0 ? 1 : x < 0 ? -1 : std::isnan(x) ? nan : 0.0);
}
// A NaN wins; -0 is less than +0.
double least(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return nan;
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
void minimum(const Operands& o, Expected& r) { r.re = is_exactly(least(o.x[0].re, o.x[1].re)); }
void maximum(const Operands& o, Expected& r) { r.re = is_exactly(-least(-o.x[0].re, -o.x[1].re)); }

void cis(const Operands& o, Expected& r) {
  r.re = near(apply(mpfr_cos, o.x[0].re));
  r.im = near(apply(mpfr_sin, o.x[0].re));
}
// docs/numerics.md: for negative x the error is in units of the last place of 1 where the result is smaller.
template <Function1 f> void near_or_one(const Operands& o, Expected& r) {
  const Real value = apply(f, o.x[0].re);
  const bool small = value.is_zero() || (value.is_regular() && value.exponent() <= 0);
  r.re = near(value, o.x[0].re < 0 && small ? Real(1.0) : value);
}
// 0 or pi: the angle of x + 0 i.
void angle(const Operands& o, Expected& r) { r.re = rounded(o.format, for_rounding(mpfr_atan2, Real(0.0), o.x[0].re)); }

template <double (*f)(double)> void exact_function(const Operands& o, Expected& r) { r.re = is_exactly(f(o.x[0].re)); }
template <Function2 f> void rounded_function(const Operands& o, Expected& r) {
  r.re = rounded(o.format, for_rounding(f, o.x[0].re, o.x[1].re));
}
void step(const Operands& o, Expected& r) { r.re = is_exactly(heaviside(o.x[0].re, o.x[1].re)); }
void next_after(const Operands& o, Expected& r) {
  const double x = o.x[0].re, y = o.x[1].re;
  r.re = is_exactly(o.format.f64 ? std::nextafter(x, y) : std::nextafter(static_cast<float>(x), static_cast<float>(y)));
}

template <class Holds> void condition(Expected& r, Holds holds) { r.re = is_exactly(holds ? 1 : 0); }
void less(const Operands& o, Expected& r) { condition(r, o.x[0].re < o.x[1].re); }
void less_equal(const Operands& o, Expected& r) { condition(r, o.x[0].re <= o.x[1].re); }
void greater(const Operands& o, Expected& r) { condition(r, o.x[0].re > o.x[1].re); }
void greater_equal(const Operands& o, Expected& r) { condition(r, o.x[0].re >= o.x[1].re); }
void equal(const Operands& o, Expected& r) { condition(r, o.x[0].re == o.x[1].re && o.x[0].im == o.x[1].im); }
void not_equal(const Operands& o, Expected& r) { condition(r, o.x[0].re != o.x[1].re || o.x[0].im != o.x[1].im); }
void logical_and(const Operands& o, Expected& r) { condition(r, o.x[0].re != 0 && o.x[1].re != 0); }
void logical_or(const Operands& o, Expected& r) { condition(r, o.x[0].re != 0 || o.x[1].re != 0); }
void logical_xor(const Operands& o, Expected& r) { condition(r, (o.x[0].re != 0) != (o.x[1].re != 0)); }
void logical_not(const Operands& o, Expected& r) { condition(r, o.x[0].re == 0); }
void where(const Operands& o, Expected& r) {
  const Number& chosen = o.x[0].re != 0 ? o.x[1] : o.x[2];
  both(r, chosen.re, chosen.im);
}

void real(const Operands& o, Expected& r) { r.re = is_exactly(o.x[0].re); }
void imag(const Operands& o, Expected& r) { r.re = is_exactly(o.x[0].complex ? o.x[0].im : 0.0); }
void conj(const Operands& o, Expected& r) { both(r, o.x[0].re, -o.x[0].im); }
void make_complex(const Operands& o, Expected& r) { both(r, o.x[0].re, o.x[1].re); }
void times_i(const Operands& o, Expected& r) { both(r, o.x[0].complex ? -o.x[0].im : 0.0, o.x[0].re); }

constexpr NamedEntry all[] = {
    {"add", sum<mpfr_add>},
    {"subtract", sum<mpfr_sub>},
    {"multiply", multiply},
    {"divide", divide},
    {"square", square},
    {"abs_square", absolute_square},
    {"reciprocal", reciprocal},
    {"negate", negate},
    {"multiply_add", multiply_add},
    {"multiply_subtract", multiply_subtract},
    {"sqrt", square_root},
    {"abs", absolute},
    {"sign", sign},
    {"minimum", minimum},
    {"maximum", maximum},
    {"exp", function<mpfr_exp>},
    {"log", function<mpfr_log>},
    {"sin", function<mpfr_sin>},
    {"cos", function<mpfr_cos>},
    {"cis", cis},
    {"tan", function<mpfr_tan>},
    {"asin", function<mpfr_asin>},
    {"acos", function<mpfr_acos>},
    {"atan", function<mpfr_atan>},
    {"atan2", function<mpfr_atan2>},
    {"pow", function<mpfr_pow>},
    {"angle", angle},
    {"floor", exact_function<std::floor>},
    {"ceil", exact_function<std::ceil>},
    {"trunc", exact_function<std::trunc>},
    {"rint", exact_function<std::nearbyint>},
    {"round_half_away", exact_function<std::round>},
    {"fmod", rounded_function<mpfr_fmod>},
    {"remainder", rounded_function<remainder>},
    {"floor_divide", rounded_function<floor_divide>},
    {"ldexp", rounded_function<ldexp>},
    {"frexp_mantissa", exact_function<frexp_mantissa>},
    {"frexp_exponent", exact_function<frexp_exponent>},
    {"nextafter", next_after},
    {"sinpi", function<mpfr_sinpi>},
    {"cospi", function<mpfr_cospi>},
    {"sinc", function<sinc>},
    {"logical_xor", logical_xor},
    {"heaviside", step},
    {"log2", function<mpfr_log2>},
    {"log10", function<mpfr_log10>},
    {"log1p", function<mpfr_log1p>},
    {"logaddexp", log_of_powers<false>},
    {"logaddexp2", log_of_powers<true>},
    {"softplus", function<softplus>},
    {"asinh", function<mpfr_asinh>},
    {"acosh", function<mpfr_acosh>},
    {"atanh", function<mpfr_atanh>},
    {"cbrt", function<mpfr_cbrt>},
    {"rsqrt", function<inverse_root>},
    {"hypot", function<mpfr_hypot>},
    {"exp2", function<mpfr_exp2>},
    {"exp10", function<mpfr_exp10>},
    {"expm1", function<mpfr_expm1>},
    {"logistic", function<logistic>},
    {"sinh", function<mpfr_sinh>},
    {"cosh", function<mpfr_cosh>},
    {"tanh", function<mpfr_tanh>},
    {"erf", function<mpfr_erf>},
    {"erfc", function<mpfr_erfc>},
    {"erfinv", function<inverse_erf>},
    {"erfcinv", function<inverse_erfc>},
    {"gamma", function<mpfr_gamma>},
    {"lgamma", near_or_one<log_gamma>},
    {"digamma", near_or_one<mpfr_digamma>},
    {"less", less},
    {"less_equal", less_equal},
    {"greater", greater},
    {"greater_equal", greater_equal},
    {"equal", equal},
    {"not_equal", not_equal},
    {"logical_and", logical_and},
    {"logical_or", logical_or},
    {"logical_not", logical_not},
    {"where", where},
    {"real", real},
    {"imag", imag},
    {"conj", conj},
    {"complex", make_complex},
    {"times_i", times_i},
};

}  // namespace

std::span<const NamedEntry> plain_entries() { return all; }

}  // namespace frit::test::oracle
