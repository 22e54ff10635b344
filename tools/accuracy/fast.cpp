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
  Arguments<T> x = zeros<T>(block);
  std::vector<T> result[2];
  const auto fail = [&](std::string text) {
    ++record.failed;
    record.failures.push_back(std::move(text));
  };
  if (golden.size() > block) return fail("more stored values than a block");
  for (std::size_t i = 0; i < golden.size(); ++i) {
    x[0][i] = static_cast<T>(golden[i].x);
    x[1][i] = static_cast<T>(golden[i].y);
  }
  evaluate(subject, x, result);
  for (std::size_t i = 0; i < golden.size(); ++i) {
    if (sizeof(T) == 4 && !golden[i].f32) continue;
    const Part says =
        test::oracle::expected({subject.name, subject.budget, dtype}, operands_of(subject, point_of(x, i))).re;
    const bool exactly = says.is == Part::Is::exactly;
    const Part want{.is = Part::Is::near, .value = golden[i].value, .unit = exactly ? golden[i].value : says.unit};
    const double off = test::oracle::ulps_off(static_cast<double>(result[0][i]), want, format);
    const std::string where = subject.name + "(" + std::to_string(golden[i].x) + ", " + std::to_string(golden[i].y) +
                              ") in " + std::string(name_of(dtype));
    if (off > subject.limit(test::oracle::is_subnormal(want, format)))
      fail(where + " is " + std::to_string(off) + " ulp from the stored value");
    // To 50 digits, or rounded like the stored value.
    const Real size = test::oracle::magnitude(golden[i].value);
    const Real apart = test::oracle::magnitude(says.value - golden[i].value);
    const bool agree = exactly ? format.round(golden[i].value) == says.value.shown()
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
  const bool complex = subject.form != 0;
  Structured<T> points(subject, 20240517);
  std::mt19937_64 random(20240517);
  const std::size_t pairs = special.size() * special.size();
  Arguments<T> x = zeros<T>(subject.inputs == 1 ? special.size() : pairs);
  for (std::size_t i = 0; i < x[0].size(); ++i) {
    x[0][i] = special[i % special.size()];
    x[1][i] = special[i / special.size()];
    for (std::size_t k : {2, 3}) x[k][i] = special[random() % special.size()];
  }
  measurement.add_exactly(x);
  // NOTE: fewer of complex forms, which have no screen.
  const int rounds = complex ? 2 : 4;
  x = zeros<T>(static_cast<std::size_t>(rounds * block));
  points.fill(x);
  measurement.add(x);
  // Edges, as each input in turn beside ordinary ones and as each other's partner.
  const std::size_t whole = (around.size() + block - 1) / block * block;
  const auto inputs = static_cast<std::size_t>(subject.inputs);
  for (std::size_t k = 0; inputs > 1 && k < inputs; ++k) {
    x = zeros<T>(whole);
    points.fill(x);
    for (std::size_t i = 0; i < around.size(); ++i) x[k][i] = around[i];
    measurement.add(x);
  }
  for (std::size_t k = 0; k < inputs; ++k) {
    x[k].assign(whole, T(1));
    for (std::size_t i = 0; i < around.size(); ++i) x[k][i] = around[(i * (6 * k + 1) + 3 * k) % around.size()];
  }
  measurement.add(x);
  Record& record = measurement.record();
  if (!complex) check_golden<T>(subject, golden, record);
  return record;
}

template Record fast<float>(const Subject&, const std::filesystem::path&);
template Record fast<double>(const Subject&, const std::filesystem::path&);

}  // namespace frit::accuracy
