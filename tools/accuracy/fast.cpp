#include <cmath>

#include "golden.hpp"
#include "points.hpp"
#include "support/values.hpp"
#include "tiers.hpp"

namespace frit::accuracy {
namespace {

using test::oracle::Part;
using test::oracle::Real;

// What the stored values say of the kernel, and of the oracle.
template <class T> void check_golden(const Subject& subject, const std::filesystem::path& folder, Record& record) {
  const std::vector<Golden> golden = read_golden(folder, subject.name, subject.arity);
  const DType dtype = sizeof(T) == 8 ? DType::f64 : DType::f32;
  const test::oracle::Format format = test::oracle::Format::of(dtype);
  std::vector<T> x(block), y(block), result[2];
  const auto fail = [&](std::string text) {
    ++record.failed;
    record.failures.push_back(std::move(text));
  };
  if (golden.size() > x.size()) return fail("more stored values than a block");
  for (std::size_t i = 0; i < golden.size(); ++i) {
    x[i] = static_cast<T>(golden[i].x);
    y[i] = static_cast<T>(golden[i].y);
  }
  evaluate(subject, x, y, result);
  for (std::size_t i = 0; i < golden.size(); ++i) {
    if (sizeof(T) == 4 && !golden[i].f32) continue;
    const Part want{.is = Part::Is::near, .value = golden[i].value, .unit = golden[i].value};
    const double off = test::oracle::ulps_off(static_cast<double>(result[0][i]), want, format);
    const std::string where = subject.name + "(" + std::to_string(golden[i].x) + ", " + std::to_string(golden[i].y) +
                              ") in " + std::string(name_of(dtype));
    if (off > subject.budget.of_real(test::oracle::is_subnormal(want, format)))
      fail(where + " is " + std::to_string(off) + " ulp from the stored value");
    const test::oracle::Number operands[2] = {{static_cast<double>(x[i])}, {static_cast<double>(y[i])}};
    const Part says = test::oracle::expected({subject.name, subject.budget, dtype},
                                             {operands, static_cast<std::size_t>(subject.arity)})
                          .re;
    // To 50 digits, or rounded like the stored value.
    const Real size = test::oracle::magnitude(golden[i].value);
    const Real apart = test::oracle::magnitude(says.value - golden[i].value);
    const bool agree = says.is == Part::Is::exactly ? format.round(golden[i].value) == says.value.shown()
                                                    : mpfr_cmp(apart.get(), (size * Real(1e-48)).get()) <= 0;
    if (!agree) fail("the oracle of " + where + " differs from the stored value");
  }
}

template <class T> std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  std::vector<T> result;
  const auto near = [&](T x) {
    T below = x, above = x;
    for (int k = 0; k < 3; ++k) {
      for (const T e : {below, above}) result.insert(result.end(), {e, -e});
      below = std::nextafter(below, -L::infinity());
      above = std::nextafter(above, L::infinity());
    }
  };
  for (int k = 1; k <= 64; ++k) near(static_cast<T>(k * 1.57079632679489661923L));
  for (int e = 7; e < 60; ++e) near(static_cast<T>(std::ldexp(1.57079632679489661923L, e)));
  for (int e = L::min_exponent - L::digits; e<L::max_exponent; e += e> - 40 && e < 40 ? 1 : 17)
    near(std::ldexp(T(1), e));
  for (int k = 1; k <= 180; ++k) near(static_cast<T>(k) / 2);
  for (const T x : test::special_values<T>())
    if (std::isfinite(x)) near(x);
  // Where exponentials and gamma functions leave the range.
  for (const double x :
       {-745.2, -708.4, 709.79, 710.48, -1074.5, -1022.0, 1024.0, -323.4, -307.7, 308.3, 171.63, -170.6, -103.98,
        -87.34, 88.73,  89.42,  -149.5, -126.0,  128.0,   -45.2,  -37.9,  38.6,   35.05, 27.3,   10.1})
    near(static_cast<T>(x));
  return result;
}

}  // namespace

template <class T> Record fast(const Subject& subject, const std::filesystem::path& golden) {
  Measurement<T> measurement(subject);
  const std::vector<T> special = test::special_values<T>(), around = edges<T>();
  std::vector<T> x, y;
  if (subject.arity == 1) {
    x = special;
    y.resize(x.size());
  } else {
    for (const T a : special) {
      x.insert(x.end(), special.size(), a);
      y.insert(y.end(), special.begin(), special.end());
    }
  }
  measurement.add_exactly(x, y);
  constexpr int rounds = 4;
  x.assign(rounds * block, T(0));
  y.assign(rounds * block, T(0));
  Structured<T> points(subject, 20240517);
  points.fill(x, y);
  measurement.add(x, y);
  // Edges, as both operands in turn beside ordinary ones and as each other's partner.
  const std::size_t whole = (around.size() + block - 1) / block * block;
  x.assign(whole, T(1));
  y.assign(whole, T(1));
  for (std::size_t i = 0; i < around.size(); ++i) x[i] = around[i];
  if (subject.arity == 2) {
    std::vector<T> other(whole);
    points.fill(other, y);
    measurement.add(x, y);
    measurement.add(y, x);
    for (std::size_t i = 0; i < around.size(); ++i) y[i] = around[(i * 7 + 3) % around.size()];
  }
  measurement.add(x, y);
  Record& record = measurement.record();
  check_golden<T>(subject, golden, record);
  return record;
}

template Record fast<float>(const Subject&, const std::filesystem::path&);
template Record fast<double>(const Subject&, const std::filesystem::path&);

}  // namespace frit::accuracy
