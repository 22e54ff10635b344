#include "measurement.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "points.hpp"

namespace frit::accuracy {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double special = -1;   // a special value that the screen has too
constexpr double beside = 0.02;  // more than a screen is off, in ulp

template <class T> int range_of(T x) {
  const T size = std::fabs(x);
  return size < T(0x1p-10) ? 0 : size < 1 ? 1 : size < T(0x1p10) ? 2 : 3;
}

int exponent_of(double x) {
  const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff);
  return biased - 1023;  // of a subnormal number too small, which the caller clamps
}
int exponent_of(long double x) { return std::ilogb(x); }
double scaled(double x, int exponent) {
  return x * std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}
double scaled(long double x, int exponent) { return static_cast<double>(std::ldexp(x, exponent)); }

}  // namespace

Worst Record::worst() const {
  Worst result;
  for (const Worst& w : ranges)
    if (w.ulps > result.ulps) result = w;
  return result;
}

void Record::merge(const Record& other) {
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (other.ranges[i].ulps > ranges[i].ulps) ranges[i] = other.ranges[i];
  points += other.points;
  special += other.special;
  failed += other.failed;
  for (const std::string& text : other.failures)
    if (failures.size() < 5) failures.push_back(text);
}

template <class T>
Measurement<T>::Measurement(const Subject& subject)
    : subject_(subject), question_{subject_.name, subject_.budget, sizeof(T) == 8 ? DType::f64 : DType::f32},
      format_(test::oracle::Format::of(question_.kernel_dtype)) {
  question_.op = info_of(subject_.op).name;
  if (subject.parts != 1 || subject.form != 0) return;
  const test::wide::Function* const function = test::wide::find(subject_.name);
  if (function != nullptr && agrees(*function, refused_)) {
    wide_ = function;
    return;
  }
  // An exact op has the same values in f64 whether they are right or wrong.
  by_f64_ = sizeof(T) == 4 && subject_.budget.real > 0;
}

template <class T> std::string Measurement<T>::screen() const {
  if (wide_ != nullptr) return sizeof(T) == 4 ? "double" : "long double";
  return (by_f64_ ? std::string("f64 kernel") : std::string("none")) + (refused_.empty() ? "" : "; " + refused_);
}

// Up to here the screen is believed.
template <class T> double Measurement<T>::limit(bool subnormal) const {
  const double budget = subject_.limit(subnormal);
  if (budget > 0.5) return 0.8 * budget;
  return std::max(0.0, budget - (sizeof(T) == 8 ? 0x1p-8 : 0x1p-16));
}

// The error in ulp; `special`, or infinite where the screen cannot say.
template <class T> double Measurement<T>::screened(T got, W exact, T x) const {
  using L = std::numeric_limits<T>;
  // Of special values the f64 kernel, which is of the same template, says nothing.
  const auto is_special = [](auto v) { return v == 0 || !std::isfinite(v); };
  if (wide_ == nullptr && (is_special(got) || is_special(exact))) return infinite;
  if (std::isnan(exact)) {
    // In double the functions of one operand have digits enough for f32.
    const bool partial = wide_ != nullptr && wide_->partial && (sizeof(T) == 8 || subject_.arity == 2);
    const bool certain = !partial || std::isnan(x);
    return std::isnan(got) && certain ? special : infinite;
  }
  const bool same_sign = std::signbit(got) == std::signbit(exact);
  if (std::isinf(exact)) return std::isinf(got) && same_sign ? special : infinite;
  if (exact == 0) return got == 0 && same_sign ? special : infinite;
  if (std::isnan(got) || (got == 0 && !same_sign)) return infinite;
  W value = static_cast<W>(got);
  if (std::isinf(got)) {
    value = std::copysign(std::ldexp(W(1), L::max_exponent), value);
    if (same_sign && std::fabs(exact) >= std::fabs(value)) return special;
  }
  const int exponent = std::min(std::max(exponent_of(exact), L::min_exponent - 1), L::max_exponent - 1);
  const double off = scaled(std::fabs(value - exact), L::digits - 1 - exponent);
  // A power of two may be rounded from below it, where units are half as large.
  return off != 0 && scaled(std::fabs(exact), -exponent) == 1 ? infinite : off;
}

template <class T> void Measurement<T>::note(int range, double ulps, const Point& x) {
  Worst& worst = record_.ranges[static_cast<std::size_t>(range)];
  if (ulps > worst.ulps) worst = {ulps, x};
}

// By the oracle.
template <class T> double Measurement<T>::decide(const Point& x, T re, T im) {
  using test::oracle::Part;
  const std::vector<test::oracle::Number> operands = operands_of(subject_, x);
  const test::oracle::Number got{static_cast<double>(re), static_cast<double>(im), subject_.parts == 2};
  const auto fails = [&](const std::string& text) {
    ++record_.failed;
    if (record_.failures.size() < 5) record_.failures.push_back(text);
  };
  const test::oracle::Expected want = test::oracle::expected(question_, operands);
  double worst = special;
  if (want.pair != test::oracle::Expected::Pair::parts) {
    ++record_.special;
    const std::string wrong = test::oracle::difference(question_, operands, got);
    if (wrong.empty()) return worst;
    fails(wrong);
    return infinite;
  }
  const int range = range_of(subject_.is_complex(0) ? std::hypot(x[0], x[1]) : x[0]);
  for (int i = 0; i < subject_.parts; ++i) {
    const Part& part = i == 0 ? want.re : want.im;
    double off = test::oracle::ulps_off(static_cast<double>(i == 0 ? re : im), part, format_);
    const bool subnormal = test::oracle::is_subnormal(part, format_);
    const double budget = subject_.limit(subnormal);
    if (off > budget) fails(test::oracle::difference(question_, operands, got));
    if (!part.value.is_regular()) {
      ++record_.special;
      if (off == 0) continue;
    }
    // What is compared with a rounded value is that or wrong.
    if (part.is == Part::Is::exactly && off == 0) off = std::min(budget, 0.5);
    note(subnormal ? subnormal_results : range, off, x);
    worst = std::max(worst, off);
  }
  return worst;
}

template <class T> void Measurement<T>::add(const Arguments<T>& x, std::vector<double>* errors) {
  const std::size_t n = x[0].size();
  evaluate(subject_, x, result_);
  if (wide_ == nullptr && by_f64_) {
    for (std::size_t k = 0; k < x.size(); ++k) f64_[k].assign(x[k].begin(), x[k].end());
    evaluate(subject_, f64_, f64_result_);
  }
  record_.points += n;
  if (errors != nullptr) errors->resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    double error = infinite;
    W exact = 0;
    if (has_screen()) {
      if (wide_ != nullptr) {
        exact = (*wide_)(static_cast<W>(x[0][i]), static_cast<W>(subject_.arity == 2 ? x[1][i] : T(0)));
      } else {
        exact = static_cast<W>(f64_result_[0][i]);
      }
      error = screened(result_[0][i], exact, x[0][i]);
    }
    const bool subnormal = std::fabs(exact) < std::numeric_limits<T>::min();
    const int range = subnormal ? subnormal_results : range_of(x[0][i]);
    const double known = record_.ranges[static_cast<std::size_t>(range)].ulps - beside;
    if (error == special) {
      ++record_.special;
    } else if (error <= limit(subnormal) || (error < known && subject_.budget.real > 0.5)) {
      note(range, error, point_of(x, i));
    } else {
      error = decide(point_of(x, i), result_[0][i], subject_.parts == 2 ? result_[1][i] : T(0));
    }
    if (errors != nullptr) (*errors)[i] = error;
  }
}

template <class T> void Measurement<T>::add_exactly(Arguments<T> x) {
  const std::size_t n = x[0].size(), whole = (n + block - 1) / block * block;
  record_.points += n;
  for (std::vector<T>& column : x) column.resize(whole);
  evaluate(subject_, x, result_);
  for (std::size_t i = 0; i < n; ++i) decide(point_of(x, i), result_[0][i], subject_.parts == 2 ? result_[1][i] : T(0));
}

// On a few points that the oracle decides.
template <class T> bool Measurement<T>::agrees(const test::wide::Function& function, std::string& why) const {
  Measurement<T> trial = *this;
  trial.wide_ = &function;
  Structured<T> points(subject_, 99);
  Arguments<T> x = zeros<T>(block);
  std::vector<T> result[2];
  points.fill(x);
  evaluate(subject_, x, result);
  for (std::size_t i = 0; i < block; ++i) {
    const double seen =
        trial.screened(result[0][i], function(static_cast<W>(x[0][i]), static_cast<W>(x[1][i])), x[0][i]);
    if (seen == infinite) continue;
    const double exact = trial.decide(point_of(x, i), result[0][i], T(0));
    // Beside a power of two one may count in units that are half as large.
    const double apart = std::min({std::fabs(seen - exact), std::fabs(seen - 2 * exact), std::fabs(2 * seen - exact)});
    const bool rounded = subject_.budget.real <= 0.5;  // then `exact` says only whether the result is the right one
    if (seen == special ? exact == infinite : exact != infinite && apart > (rounded ? 0.51 : beside)) {
      char text[120];
      std::snprintf(text, sizeof text, "the wider function says %.3g and MPFR %.3g ulp at %a, %a", seen, exact,
                    static_cast<double>(x[0][i]), static_cast<double>(x[1][i]));
      why = text;
      return false;
    }
  }
  return true;
}

template class Measurement<float>;
template class Measurement<double>;

}  // namespace frit::accuracy
