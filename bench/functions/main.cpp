// Times the real functions over arrays in cache: frit's kernels of each ISA beside SLEEF, libmvec and scalar glibc. A benchmark is
// OP/DTYPE/ISA/LIBRARY; its counter `ulp` is the largest error over 65,536 points of the range that is timed. bench/functions.py
// runs this and prints the table.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

#include "exec/kernel_table.hpp"
#include "functions.hpp"
#include "ops/table.hpp"
#include "support/measured.hpp"
#include "support/wide.hpp"

#if defined(FRIT_HAVE_V3)
FUNCTIONS_OF_ISA(v3)
#endif
#if defined(FRIT_HAVE_V4)
FUNCTIONS_OF_ISA(v4)
#endif
#if defined(FRIT_HAVE_A64)
FUNCTIONS_OF_ISA(a64)
#endif

namespace functions {
namespace {

using namespace frit;

constexpr std::int64_t length = 2048;  // three arrays fit the second cache
constexpr int accuracy_rounds = 32;

constexpr Range ranges[] = {
#define FUNCTION(op, name, operands, accuracy, libmvec, low, high) {#op, low, high},
#include "functions.inc"
#undef FUNCTION
    // Those that no other library has.
    {"rsqrt", 0.01, 100},  {"sinpi", -10, 10},      {"cospi", -10, 10},     {"sinc", -10, 10},
    {"erfinv", -1, 1},     {"digamma", 0.1, 100},   {"logaddexp", -20, 20}, {"softplus", -20, 20},
    {"logistic", -20, 20}, {"reciprocal", 0.1, 10}, {"sqrt", 0, 100},
};

Range range_of(std::string_view op) {
  for (const Range& range : ranges)
    if (op == range.op) return range;
  return {"", -10, 10};
}

template <class T> struct Arrays {
  std::vector<T> x = std::vector<T>(length), y = x, out = x;

  void draw(const Range& range, std::mt19937_64& random) {
    std::uniform_real_distribution<double> any(range.low, range.high);
    for (std::vector<T>* const array : {&x, &y})
      for (T& e : *array) e = static_cast<T>(any(random));
  }
};

// Functions of the C library, one element at a time; exp10 is none of std.
namespace scalar {
using namespace std;
inline double exp10(double x) { return ::exp10(x); }
inline float exp10(float x) { return ::exp10f(x); }
}  // namespace scalar
template <class T> Loop<T> scalar_of(std::string_view op) {
#define LOOP_1(name) out[i] = scalar::name(x[i])
#define LOOP_2(name) out[i] = scalar::name(x[i], y[i])
#define FUNCTION(op_, name, operands, accuracy, libmvec, low, high)              \
  if (op == #op_)                                                                \
    return [](const T* x, [[maybe_unused]] const T* y, T* out, std::int64_t n) { \
      for (std::int64_t i = 0; i < n; ++i) LOOP_##operands(name);                \
    };
#include "functions.inc"
#undef FUNCTION
  return nullptr;
}

template <class T, class Call> double largest_error(const std::string& op, const Range& range, Call call) {
  using W = std::conditional_t<sizeof(T) == 8, long double, double>;
  using L = std::numeric_limits<T>;
  const test::wide::Function* const wide = test::wide::find(op);
  if (wide == nullptr) return -1;
  std::mt19937_64 random(11);
  Arrays<T> arrays;
  double worst = 0;
  for (int round = 0; round < accuracy_rounds; ++round) {
    arrays.draw(range, random);
    call(arrays);
    for (std::size_t i = 0; i < length; ++i) {
      const W exact = (*wide)(static_cast<W>(arrays.x[i]), static_cast<W>(arrays.y[i]));
      if (!std::isfinite(exact) || exact == 0) continue;
      const int exponent = std::max(std::ilogb(exact), L::min_exponent - 1) - (L::digits - 1);
      worst =
          std::max(worst, static_cast<double>(std::ldexp(std::fabs(static_cast<W>(arrays.out[i]) - exact), -exponent)));
    }
  }
  return worst;
}

template <class T, class Call>
void add(const std::string& op, const std::string& isa, const std::string& library, Call call) {
  const std::string name = op + (sizeof(T) == 8 ? "/f64/" : "/f32/") + isa + "/" + library;
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    static std::map<std::string, double> errors;  // repetitions share them
    const Range range = range_of(op);
    if (!errors.contains(name)) errors[name] = largest_error<T>(op, range, call);
    std::mt19937_64 random(7);
    Arrays<T> arrays;
    arrays.draw(range, random);
    for (auto _ : state) {
      call(arrays);
      benchmark::ClobberMemory();
    }
    state.counters["ulp"] = errors[name];
  });
}

template <class T> void add_all(const std::string& op, OpId id, int arity) {
  const auto peers_of = [&](const std::string& isa, const std::vector<Peer>& peers) {
    const exec::KernelTable* const table = exec::find_table(isa.c_str());
    if (table == nullptr) return;
    const exec::TileKernel kernel = table->single[sizeof(T) == 8 ? 1 : 0][static_cast<int>(id)][0][0];
    add<T>(op, isa, "frit", [=](Arrays<T>& a) {
      void* const one[] = {a.x.data(), a.out.data()};
      void* const two[] = {a.x.data(), a.y.data(), a.out.data()};
      kernel(arity == 1 ? one : two, length);
    });
    for (const Peer& peer : peers) {
      if (op != peer.op) continue;
      Loop<T> loop;
      if constexpr (sizeof(T) == 8) loop = peer.f64;
      if constexpr (sizeof(T) == 4) loop = peer.f32;
      add<T>(op, isa, peer.library, [=](Arrays<T>& a) { loop(a.x.data(), a.y.data(), a.out.data(), length); });
    }
  };
#if defined(FRIT_HAVE_V3)
  peers_of("v3", v3::peers());
#endif
#if defined(FRIT_HAVE_V4)
  peers_of("v4", v4::peers());
#endif
#if defined(FRIT_HAVE_A64)
  peers_of("a64", a64::peers());
#endif
  if (const Loop<T> loop = scalar_of<T>(op); loop != nullptr)
    add<T>(op, "scalar", "glibc", [=](Arrays<T>& a) { loop(a.x.data(), a.y.data(), a.out.data(), length); });
}

}  // namespace
}  // namespace functions

int main(int argc, char** argv) {
  for (const frit::test::MeasuredForm& form : frit::test::measured_forms()) {
    const frit::OpInfo& info = frit::info_of(form.op);
    const bool function = info.cost == frit::CostClass::elementary || info.cost == frit::CostClass::divide;
    if (form.form != 0 || !function || info.type == frit::TypeRule::to_complex) continue;
    functions::add_all<double>(info.name, form.op, info.arity);
    functions::add_all<float>(info.name, form.op, info.arity);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
