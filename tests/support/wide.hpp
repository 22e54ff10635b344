// The functions of ops in a wider type, double for float and long double for double, by glibc or a few lines made of it: screens
// for measurements over many points, where MPFR decides what matters.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace frit::test::wide {

struct Function {
  std::string_view name;
  bool partial = false;  // gives NaN where it cannot say enough digits
  double (*f1)(double) = nullptr;
  long double (*f1_long)(long double) = nullptr;
  double (*f2)(double, double) = nullptr;
  long double (*f2_long)(long double, long double) = nullptr;

  template <class W> W operator()(W x, W y) const {
    if constexpr (sizeof(W) == 8) return f1 != nullptr ? f1(x) : f2(x, y);
    if constexpr (sizeof(W) != 8) return f1_long != nullptr ? f1_long(x) : f2_long(x, y);
  }
};

template <class W> inline constexpr W pi = static_cast<W>(3.14159265358979323846264338327950288L);
template <class W> inline constexpr W no_digits = std::numeric_limits<W>::quiet_NaN();

inline double exp10(double x) { return ::exp10(x); }
inline long double exp10(long double x) { return ::exp10l(x); }
template <class W> W rsqrt(W x) { return 1 / std::sqrt(x); }
template <class W> W softplus(W x) { return std::fmax(x, W(0)) + std::log1p(std::exp(-std::fabs(x))); }
template <class W> W logistic(W x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

template <class W> W sinpi(W x) {
  W turn = std::fmod(x, W(2));  // exact, and so are the differences
  if (turn > 1) turn -= 2;
  if (turn < -1) turn += 2;
  if (turn > W(0.5)) turn = 1 - turn;
  if (turn < W(-0.5)) turn = -1 - turn;
  return std::fabs(turn) <= W(0.25) ? std::sin(pi<W> * turn)
                                    : std::copysign(std::cos(pi<W> * (W(0.5) - std::fabs(turn))), turn);
}
template <class W> W cospi(W x) {
  const W turn = std::fabs(std::fmod(x, W(2)));
  const W half = turn > 1 ? 2 - turn : turn;  // cos is even about 0 and 1
  return half <= W(0.25) ? std::cos(pi<W> * half) : sinpi(W(0.5) - half);
}
template <class W> W sinc(W x) { return x == 0 ? 1 : sinpi(x) / (pi<W> * x); }

template <class W> W erfinv(W x) {
  if (!(std::fabs(x) < 1)) return std::fabs(x) == 1 ? x * std::numeric_limits<W>::infinity() : no_digits<W>;
  if (std::fabs(x) < W(1e-9)) return x * (std::sqrt(pi<W>) / 2) * (1 + x * x * (pi<W> / 12));
  // A beginning by the logarithm of the tail (Winitzki, 2008), then Newton's method for erf or, in the tail, for log erfc.
  const W size = std::fabs(x), tail = 1 - size, a = W(0.147);
  const W l = std::log(tail * (1 + size)), m = 2 / (pi<W> * a) + l / 2;
  W y = std::sqrt(std::sqrt(m * m - l / a) - m);
  for (int i = 0; i < 6; ++i) {
    const W slope = 2 / std::sqrt(pi<W>) * std::exp(-y * y);
    const W rest = std::erfc(y);
    y -= size < W(0.5) ? (std::erf(y) - size) / slope : -rest / slope * std::log(rest / tail);
  }
  return std::copysign(y, x);
}

template <class W> W erfcinv(W x) {
  if (!(x > 0 && x < 2)) return no_digits<W>;
  if (x > W(0.5)) return erfinv(1 - x);  // exact
  const W a = W(0.147), l = std::log(x * (2 - x)), m = 2 / (pi<W> * a) + l / 2;
  W y = std::sqrt(std::sqrt(m * m - l / a) - m);
  for (int i = 0; i < 8; ++i) {
    const W rest = std::erfc(y);
    y += rest * std::sqrt(pi<W>) / 2 * std::exp(y * y) * std::log(rest / x);
  }
  return y;
}

// Of negative arguments results below 1 are measured in units of 1.
template <class W> W lgamma(W x) {
  int sign = 0;
  W result;
  if constexpr (sizeof x == 8) result = ::lgamma_r(x, &sign);
  if constexpr (sizeof x != 8) result = ::lgammal_r(x, &sign);
  return x < 0 && std::fabs(result) < 1 ? no_digits<W> : result;
}

template <class W> W digamma(W x) {
  const bool negative = x < 0;
  if (std::isinf(x)) return x > 0 ? x : no_digits<W>;
  if (x <= 0 && std::floor(x) == x) return no_digits<W>;
  W reflected = 0;
  if (x < 0) {
    reflected = -pi<W> * cospi(x) / sinpi(x);
    x = 1 - x;
  }
  W sum = 0;
  for (; x < 20; x += 1) sum -= 1 / x;
  const W z = 1 / (x * x);
  W series = 0;
  for (const W b :
       {W(-3617) / 8160, W(1) / 12, W(-691) / 32760, W(1) / 132, W(-1) / 240, W(1) / 252, W(-1) / 120, W(1) / 12})
    series = series * z + b;
  const W result = sum + (std::log(x) - 1 / (2 * x) - series * z) + reflected;
  // Beside the positive root the terms cancel; of negative arguments as of lgamma.
  return std::fabs(result) < (negative ? W(1) : W(0.2)) && sizeof(W) != 8 ? no_digits<W> : result;
}

// Where the terms cancel there are too few digits.
template <class W> W larger_and(W larger, W rest) {
  const W result = larger + rest;
  return std::fabs(result) < rest ? no_digits<W> : result;
}
template <class W> W logaddexp(W a, W b) {
  const W larger = std::fmax(a, b);
  return larger_and(larger, std::log1p(std::exp(std::fmin(a, b) - larger)));
}
template <class W> W logaddexp2(W a, W b) {
  const W larger = std::fmax(a, b), log2_e = 1 / std::log(W(2));
  return larger_and(larger, std::log1p(std::exp2(std::fmin(a, b) - larger)) * log2_e);
}

inline const std::vector<Function>& functions() {
  const auto one = []<class F>(std::string_view name, F) -> Function {
    return {name, false, [](double x) { return F{}(x); }, [](long double x) { return F{}(x); }};
  };
  const auto two = []<class F>(std::string_view name, F) -> Function {
    return {.name = name,
            .f2 = [](double x, double y) { return F{}(x, y); },
            .f2_long = [](long double x, long double y) { return F{}(x, y); }};
  };
  const auto partial = [](Function f) {
    f.partial = true;
    return f;
  };
#define FRIT_ONE(function) one(#function, [](auto x) { return std::function(x); })
#define FRIT_OWN(function) one(#function, [](auto x) { return function(x); })
#define FRIT_TWO(function) two(#function, [](auto x, auto y) { return std::function(x, y); })
  static const std::vector<Function> all{
      two("add", [](auto x, auto y) { return x + y; }),
      two("subtract", [](auto x, auto y) { return x - y; }),
      two("multiply", [](auto x, auto y) { return x * y; }),
      two("divide", [](auto x, auto y) { return x / y; }),
      one("reciprocal", [](auto x) { return 1 / x; }),
      one("negate", [](auto x) { return -x; }),
      one("abs", [](auto x) { return std::fabs(x); }),
      two("minimum", [](auto x, auto y) { return std::fmin(x, y); }),
      two("maximum", [](auto x, auto y) { return std::fmax(x, y); }),
      FRIT_ONE(sqrt),
      FRIT_OWN(rsqrt),
      FRIT_ONE(cbrt),
      FRIT_TWO(hypot),
      FRIT_ONE(exp),
      FRIT_ONE(exp2),
      FRIT_OWN(exp10),
      FRIT_ONE(expm1),
      FRIT_ONE(log),
      FRIT_ONE(log2),
      FRIT_ONE(log10),
      FRIT_ONE(log1p),
      FRIT_TWO(pow),
      FRIT_ONE(sin),
      FRIT_ONE(cos),
      FRIT_ONE(tan),
      FRIT_ONE(asin),
      FRIT_ONE(acos),
      FRIT_ONE(atan),
      FRIT_TWO(atan2),
      FRIT_ONE(sinh),
      FRIT_ONE(cosh),
      FRIT_ONE(tanh),
      FRIT_ONE(asinh),
      FRIT_ONE(acosh),
      FRIT_ONE(atanh),
      FRIT_OWN(sinpi),
      FRIT_OWN(cospi),
      FRIT_OWN(sinc),
      FRIT_ONE(erf),
      FRIT_ONE(erfc),
      FRIT_OWN(erfinv),
      FRIT_OWN(erfcinv),
      one("gamma", [](auto x) { return std::tgamma(x); }),
      partial(FRIT_OWN(lgamma)),
      partial(FRIT_OWN(digamma)),
      partial(two("logaddexp", [](auto x, auto y) { return logaddexp(x, y); })),
      partial(two("logaddexp2", [](auto x, auto y) { return logaddexp2(x, y); })),
      FRIT_OWN(softplus),
      FRIT_OWN(logistic),
      one("sign", [](auto x) { return std::isnan(x) ? x : static_cast<decltype(x)>((x > 0) - (x < 0)); }),
      FRIT_ONE(floor),
      FRIT_ONE(ceil),
      FRIT_ONE(trunc),
      FRIT_ONE(rint),
      one("round_half_away", [](auto x) { return std::round(x); }),
      two("floor_divide", [](auto x, auto y) { return std::floor(x / y); }),
      FRIT_TWO(fmod),
      two("remainder",
          [](auto x, auto y) {
            const auto r = std::fmod(x, y);
            return r != 0 && (r < 0) != (y < 0) ? r + y : std::copysign(r, r == 0 ? y : r);
          }),
  };
#undef FRIT_ONE
#undef FRIT_OWN
#undef FRIT_TWO
  return all;
}

// nullptr where the op of this name has none.
inline const Function* find(std::string_view name) {
  for (const Function& function : functions())
    if (function.name == name) return &function;
  return nullptr;
}

}  // namespace frit::test::wide
