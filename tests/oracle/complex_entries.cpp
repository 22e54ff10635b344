// Functions of complex numbers: quotients, roots, exponentials, logarithms and powers, with C99 Annex G's special values and
// the deviations that docs/numerics.md names.
#include "oracle/oracle.hpp"

namespace frit::test::oracle {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool is_nan(const Number& z) { return std::isnan(z.re) || std::isnan(z.im); }
bool is_infinite(const Number& z) { return std::isinf(z.re) || std::isinf(z.im); }
bool is_finite(const Number& z) { return std::isfinite(z.re) && std::isfinite(z.im); }
bool is_zero(const Number& z) { return z.re == 0 && z.im == 0; }

Real modulus(const Real& re, const Real& im) { return apply(mpfr_hypot, re, im); }
Real modulus(const Number& z) { return modulus(z.re, z.im); }
Real power_of_two(long exponent) {
  Real r;
  mpfr_set_si_2exp(r.get(), 1, exponent, MPFR_RNDN);
  return r;
}

void nans(Expected& r) { r.re = r.im = is_exactly(nan); }

// Of one component the other is so far below that docs/numerics.md gives up its last bits.
bool unbalanced(const Number& z, const Format& format) {
  if (z.re == 0 || z.im == 0) return false;
  return std::abs(std::ilogb(z.re) - std::ilogb(z.im)) >= (format.f64 ? 400 : 32);
}

// a / b of finite numbers, b not zero.
void finite_quotient(const Number& a, const Number& b, const Format& format, Expected& r) {
  const Real ac = Real(a.re) * Real(b.re), bd = Real(a.im) * Real(b.im);
  const Real bc = Real(a.im) * Real(b.re), ad = Real(a.re) * Real(b.im);
  const Real square = exactly(mpfr_add, Real(b.re) * Real(b.re), Real(b.im) * Real(b.im));
  // The imaginary part of a real number is no number: its products do not count, not even as zeros.
  const Real re = (a.complex ? exactly(mpfr_add, ac, bd) : ac) / square;
  const Real im = (a.complex ? exactly(mpfr_sub, bc, ad) : -ad) / square;
  r.re = near(re);
  r.im = near(im);
  if (unbalanced(a, format) || unbalanced(b, format)) {
    const Real size = modulus(re, im);
    r.re.unit = r.im.unit = size;
  }
  // Nearly all bits of the products cancel: what is left is right to twice the precision of the products.
  const Real lost = power_of_two(4 - 2 * format.digits) / square;
  r.re.slack = (magnitude(ac) + magnitude(bd)) * lost;
  r.im.slack = (magnitude(bc) + magnitude(ad)) * lost;
}

void quotient(const Number& a, const Number& b, const Format& format, Expected& r) {
  using Pair = Expected::Pair;
  if (is_finite(a) && is_finite(b) && !is_zero(b)) return finite_quotient(a, b, format, r);
  if ((is_infinite(a) && is_finite(b)) || (is_zero(b) && !is_zero(a) && !is_nan(a))) {
    r.pair = Pair::an_infinity;
  } else if (is_finite(a) && is_infinite(b)) {
    r.pair = Pair::a_zero;
  } else {
    r.pair = Pair::some_nan;
  }
}

void divide(const Operands& o, Expected& r) { quotient(o.x[0], o.x[1], o.format, r); }
void reciprocal(const Operands& o, Expected& r) { quotient({.re = 1}, o.x[0], o.format, r); }

// The sum of products of a step each as IEEE 754 has it where an operand is not finite. Open where a finite product is so large
// that a step may overflow beside it.
Part sum_of_terms(std::initializer_list<std::pair<double, double>> products, double term, const Format& format) {
  double sum = std::isfinite(term) ? 0 : term;
  double largest = std::abs(std::isfinite(term) ? term : 0);
  for (const auto& [x, y] : products) {
    if (std::isfinite(x) && std::isfinite(y)) {
      largest = std::max(largest, std::abs(x * y));
    } else {
      sum += x * y;
    }
  }
  if (std::isnan(sum)) return is_exactly(nan);
  return sum == 0 || largest > format.largest() / 4 ? Part{} : is_exactly(sum);
}

// c + s a b, s = 1 or -1; a, b or neither is real.
void product_sum(const Number& a, const Number& b, const Number& c, double s, const Format& format, Expected& r) {
  if (!is_finite(a) || !is_finite(b) || !is_finite(c)) {
    if (a.complex && b.complex) {
      r.re = sum_of_terms({{s * a.re, b.re}, {-s * a.im, b.im}}, c.re, format);
      r.im = sum_of_terms({{s * a.re, b.im}, {s * a.im, b.re}}, c.im, format);
    } else {
      r.re = sum_of_terms({{s * a.re, b.re}}, c.re, format);
      r.im = sum_of_terms({a.complex ? std::pair{s * a.im, b.re} : std::pair{s * a.re, b.im}}, c.im, format);
    }
    return;
  }
  const Real size = modulus(a) * modulus(b) + modulus(c);
  if (mpfr_cmp(size.get(), Real(format.largest() / 4).get()) > 0) return;  // a step may overflow
  if (size.is_zero()) {
    r.re = r.im = {.is = Part::Is::any_zero};
    return;
  }
  const Real re = exactly(mpfr_sub, Real(a.re) * Real(b.re), Real(a.im) * Real(b.im));
  const Real im = exactly(mpfr_add, Real(a.re) * Real(b.im), Real(a.im) * Real(b.re));
  const Function2 add = s > 0 ? mpfr_add : mpfr_sub;
  r.re = near(exactly(add, c.re, re), size);
  r.im = near(exactly(add, c.im, im), size);
}

void multiply_add(const Operands& o, Expected& r) { product_sum(o.x[0], o.x[1], o.x[2], 1, o.format, r); }
void multiply_subtract(const Operands& o, Expected& r) { product_sum(o.x[0], o.x[1], o.x[2], -1, o.format, r); }

void square_root(const Operands& o, Expected& r) {
  const Number& z = o.x[0];
  if (std::isinf(z.im)) {
    r.re = is_exactly(inf);
    r.im = is_exactly(z.im);
  } else if (std::isinf(z.re)) {
    r.re = z.re > 0 ? is_exactly(inf) : is_exactly(std::isnan(z.im) ? nan : 0);
    r.im = is_exactly(std::isnan(z.im) ? nan : std::copysign(z.re > 0 ? 0 : inf, z.im));
    if (z.re < 0 && std::isnan(z.im)) r.im = {.is = Part::Is::any_infinity};
  } else if (is_nan(z)) {
    nans(r);
  } else if (is_zero(z)) {
    r.re = is_exactly(0);
    r.im = is_exactly(z.im);
  } else {
    const Real root = apply(mpfr_sqrt, (magnitude(z.re) + modulus(z)) / Real(2.0));
    const Real other = magnitude(z.im) / (root + root);
    const auto signed_as_im = [&](const Real& x) { return std::signbit(z.im) ? -x : x; };
    r.re = near(z.re < 0 ? other : root);
    r.im = near(signed_as_im(z.re < 0 ? root : other));
  }
}

void absolute(const Operands& o, Expected& r) { r.re = near(modulus(o.x[0])); }
void angle(const Operands& o, Expected& r) { r.re = near(apply(mpfr_atan2, o.x[0].im, o.x[0].re)); }

// z / |z|, in units of its modulus, and 0 for 0.
void sign(const Operands& o, Expected& r) {
  const Number& z = o.x[0];
  if (is_zero(z)) {
    r.re = r.im = is_exactly(0);
    return;
  }
  const Real size = modulus(z);
  r.re = near(Real(z.re) / size, Real(1.0));
  r.im = near(Real(z.im) / size, Real(1.0));
  if (!is_finite(z)) r.re.unit = r.im.unit = Real(0.0);
}

void exponential(const Operands& o, Expected& r) {
  const Number& z = o.x[0];
  if (std::isnan(z.re)) {
    r.re = is_exactly(nan);
    r.im = is_exactly(z.im == 0 ? z.im : nan);
  } else if (std::isfinite(z.im)) {
    const Real length = apply(mpfr_exp, z.re);
    r.re = near(length * apply(mpfr_cos, z.im));
    // A real number stays real, an infinite one too.
    r.im = z.im == 0 ? is_exactly(z.im) : near(length * apply(mpfr_sin, z.im));
  } else if (std::isfinite(z.re)) {
    nans(r);
  } else if (z.re < 0) {
    r.re = r.im = {.is = Part::Is::any_zero};
  } else {
    r.re = {.is = Part::Is::any_infinity};
    r.im = is_exactly(nan);
  }
}

// log |z|: near |z| = 1 from |z|^2 - 1, which is exact.
Real log_of_modulus(const Number& z) {
  const double m = std::max(std::abs(z.re), std::abs(z.im)), n = std::min(std::abs(z.re), std::abs(z.im));
  if (is_nan(z) || !(m > 0.5 && m < 2)) return apply(mpfr_log, modulus(z));
  const Real beyond = exactly(mpfr_add, (Real(m) - Real(1.0)) * (Real(m) + Real(1.0)), Real(n) * Real(n));
  return apply(mpfr_log1p, beyond) / Real(2.0);
}

void logarithm(const Operands& o, Expected& r) {
  r.re = near(log_of_modulus(o.x[0]));
  r.im = near(apply(mpfr_atan2, o.x[0].im, o.x[0].re));
}

// z^w as exp(w log z), in units of the modulus.
void power(const Operands& o, Expected& r) {
  const Number &z = o.x[0], &w = o.x[1];
  if (is_zero(w)) {
    r.re = is_exactly(1);
    r.im = {.is = Part::Is::any_zero};
  } else if (is_nan(z) || is_nan(w)) {
    nans(r);
  } else if (is_zero(z)) {
    r.re = is_exactly(w.re > 0 ? 0 : w.re < 0 ? inf : nan);
    r.im = is_exactly(w.re > 0 ? 0 : nan);
  } else if (is_finite(z) && is_finite(w)) {
    const Real length = log_of_modulus(z);
    const Real turn = z.complex ? apply(mpfr_atan2, z.im, z.re) : apply(mpfr_atan2, Real(0.0), Real(z.re));
    const Real re = Real(w.re) * length - Real(w.im) * turn;
    const Real im = Real(w.re) * turn + Real(w.im) * length;
    const double size = modulus(re, im).shown();
    const double most = o.format.f64 ? 700 : 85;  // log z is kept to a relative error of a few 2^-63 (f32: 2^-32)
    // NOTE: where the angle overflows, its direction is unknown and the parts are NaN.
    if (std::abs(im.shown()) > o.format.largest() / 4) return;
    if (re.shown() < std::log(o.format.smallest()) - 4) {
      r.pair = Expected::Pair::a_zero;
    } else if (std::abs(im.shown()) > (o.format.f64 ? 0x1p40 : 0x1p16)) {
      // NOTE: such an angle has lost what a quadrant is: neither part may be much beyond the modulus.
      if (re.shown() > most || size > std::ldexp(1.0, o.format.digits) * most) return;
      r.re = r.im = near(Real(0.0), apply(mpfr_exp, re));
      r.re.factor = r.im.factor = std::ldexp(1.0, o.format.digits);
    } else if (re.shown() < most && size < 64 * most) {
      const Real all = apply(mpfr_exp, re);
      r.re = near(all * apply(mpfr_cos, im), all);
      r.im = near(all * apply(mpfr_sin, im), all);
      r.re.factor = r.im.factor = std::max(1.0, size / most);
    }
  }
}

constexpr NamedEntry all[] = {
    {"multiply_add", multiply_add},
    {"multiply_subtract", multiply_subtract},
    {"reciprocal", reciprocal},
    {"sqrt", square_root},
    {"abs", absolute},
    {"sign", sign},
    {"exp", exponential},
    {"log", logarithm},
    {"pow", power},
    {"angle", angle},
};

}  // namespace

Entry complex_entry(std::string_view name) {
  if (name == "divide")
    return [](const Operands& o, Expected& r) {
      // By a real number it is two real quotients.
      if (o.x[1].complex) return divide(o, r);
      for (const NamedEntry& e : plain_entries()) {
        if (e.name == "divide") e.entry(o, r);
      }
    };
  for (const std::span<const NamedEntry> entries : {std::span<const NamedEntry>(all), complex_trig_entries()}) {
    for (const NamedEntry& e : entries) {
      if (e.name == name) return e.entry;
    }
  }
  return nullptr;
}

}  // namespace frit::test::oracle
