// Square roots computed from the CPU's estimate are correctly rounded: f32 on every mantissa, f64 on the arguments that are
// hardest to round and on random ones, both on special values.
#include <algorithm>
#include <cmath>

#include "math/generated/hard_roots.hpp"
#include "math/root_estimate.hpp"
#include "support/compiled.hpp"

namespace frit::test {
namespace {

// The root of one column, from estimates.
template <class T> class Root {
 public:
  explicit Root(const How& how)
      : program_(plan_of_root(), exec::active_table()), kernel_(compile(program_.plan(), how)) {}

  bool by_estimate() const { return kernel_->statistics().estimated_roots > 0; }

  // Compares with the root of the CPU. What asks for the rare path must be positive and below the least argument.
  void check(const std::vector<T>& arguments) {
    const auto step = static_cast<std::size_t>(kernel_->statistics().width);
    std::vector<T> x = arguments;
    while (x.size() % step != 0) x.push_back(T(1));
    const auto bytes = std::as_bytes(std::span(x));
    const std::vector<Bytes> columns{Bytes(bytes.begin(), bytes.end())};
    const CodeRun got = run_code<T>(program_, *kernel_, columns, {}, static_cast<std::int64_t>(x.size()),
                                    static_cast<std::int64_t>(step));
    int failures = 0;
    for (std::size_t begin = 0; begin < x.size(); begin += step) {
      const bool rare = got.rare[0][begin] != 0;
      bool small = false;
      for (std::size_t i = begin; i < begin + step; ++i)
        small = small || (x[i] > 0 && x[i] < math::least_root_argument<T>);
      ASSERT_EQ(rare, small) << "at " << x[begin];
      if (rare) continue;
      for (std::size_t i = begin; i < begin + step; ++i) {
        const T root = read_as<T>(&got.outputs[0][i * sizeof(T)]);
        const T want = std::sqrt(x[i]);
        if ((std::isnan(root) && std::isnan(want)) || std::memcmp(&root, &want, sizeof root) == 0) continue;
        ADD_FAILURE() << std::hexfloat << "sqrt(" << x[i] << ") = " << root << ", not " << want;
        if (++failures == 10) return;
      }
    }
  }

 private:
  static plan::Plan plan_of_root() {
    Graph graph(dtype_of<T>);
    const NodeId x = graph.add_argument("x", dtype_of<T>, Role::column);
    graph.add_output("root", graph.add_op(ops::id_of<ops::SquareRoot>, std::array<NodeId, 1>{x}));
    return plan::make_plan(graph);
  }

  exec::Program program_;
  std::unique_ptr<CompiledKernel> kernel_;
};

template <class T> std::vector<T> special_arguments() {
  using Limits = std::numeric_limits<T>;
  const T least = math::least_root_argument<T>;
  return {T(0),
          T(-0.0),
          T(1),
          T(-1),
          T(4),
          Limits::infinity(),
          -Limits::infinity(),
          Limits::quiet_NaN(),
          Limits::max(),
          -Limits::max(),
          Limits::min(),
          Limits::denorm_min(),
          -Limits::denorm_min(),
          -Limits::min(),
          least,
          std::nextafter(least, T(0)),
          std::nextafter(least, T(1)),
          std::nextafter(T(1), T(0)),
          std::nextafter(T(1), T(2)),
          std::nextafter(T(4), T(0))};
}

// Each special value in a vector of its own, so that none hides behind the rare path of another.
template <class T> std::vector<T> one_a_vector(const std::vector<T>& values) {
  std::vector<T> all;
  for (const T x : values) all.insert(all.end(), 64 / sizeof(T), x);
  return all;
}

template <class T> void special_values() {
  FRIT_NEEDS_COMPILER();
  for (const std::string& target : usable_targets()) {
    for (int width = 64 / static_cast<int>(sizeof(T)); width >= 1; width /= 2) {
      for (int effort : {0, 1, 2}) {
        Root<T> root({.effort = effort, .width = width, .target = target, .roots = CompileOptions::Roots::estimate});
        if (!root.by_estimate()) continue;
        root.check(one_a_vector(special_arguments<T>()));
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}
TEST(CompiledRoots, SpecialValuesF64) { special_values<double>(); }
TEST(CompiledRoots, SpecialValuesF32) { special_values<float>(); }

// A CPU with AVX-512 whose estimates do not suffice is a failure here: code is slower there than docs/modes.md says.
bool has_estimates() {
  const std::vector<std::string> targets = usable_targets();
  return std::find(targets.begin(), targets.end(), "x86-64-v4") != targets.end();
}
#define FRIT_NEEDS_ESTIMATES(root)                                                     \
  if (!has_estimates()) GTEST_SKIP() << "no AVX-512 here, so roots are the divider's"; \
  ASSERT_TRUE((root).by_estimate())

// All mantissas of both parities of the exponent, in the middle and at both ends of the range.
TEST(CompiledRoots, EveryMantissaF32) {
  FRIT_NEEDS_COMPILER();
  Root<float> root({.roots = CompileOptions::Roots::estimate});
  FRIT_NEEDS_ESTIMATES(root);
  constexpr std::uint32_t mantissas = 1u << 24;  // of two binades
  constexpr std::uint32_t piece = 1u << 20;
  for (const float scale : {0x1p0f, 0x1p-96f, 0x1p126f}) {
    for (std::uint32_t begin = 0; begin < mantissas; begin += piece) {
      std::vector<float> x;
      x.reserve(piece);
      for (std::uint32_t i = begin; i < begin + piece; ++i) {
        const float one = std::bit_cast<float>(0x3f800000u + i);
        x.push_back(std::min(one * scale, std::numeric_limits<float>::max()));
      }
      root.check(x);
      if (HasFailure()) return;
    }
  }
}

template <class T, std::size_t n> void hardest(const T (&hard)[n]) {
  FRIT_NEEDS_COMPILER();
  Root<T> root({.roots = CompileOptions::Roots::estimate});
  FRIT_NEEDS_ESTIMATES(root);
  const T least = math::least_root_argument<T>;
  std::vector<T> x;
  for (int e = std::numeric_limits<T>::min_exponent; e < std::numeric_limits<T>::max_exponent; e += 2) {
    for (const T mantissa : hard) {
      const T scaled = std::ldexp(mantissa, e);
      if (std::isfinite(scaled) && scaled >= least) x.push_back(scaled);
    }
  }
  EXPECT_GT(x.size(), n * 50);
  root.check(x);
}
TEST(CompiledRoots, HardestF64) { hardest(math::hard_roots_f64); }
TEST(CompiledRoots, HardestF32) { hardest(math::hard_roots_f32); }

TEST(CompiledRoots, RandomF64) {
  FRIT_NEEDS_COMPILER();
  Root<double> root({.roots = CompileOptions::Roots::estimate});
  FRIT_NEEDS_ESTIMATES(root);
  std::mt19937_64 random(7);
  for (int piece = 0; piece < (nightly() ? 1000 : 10); ++piece) {
    std::vector<double> x;
    for (int i = 0; i < 1 << 17; ++i) {
      // Any mantissa; the exponent from the least argument to the greatest number.
      const std::uint64_t mantissa = random() >> 12, exponent = 63 + random() % (2047 - 63);
      x.push_back(std::bit_cast<double>(exponent << 52 | mantissa));
    }
    root.check(x);
    if (HasFailure()) return;
  }
}

// The list must hold what it says: no root of a double lies closer to the middle of two than these.
TEST(CompiledRoots, TheListHoldsTheHardest) {
  int closest = 0;
  for (const double x : math::hard_roots_f64) {
    const __float128 root = [](__float128 a) {
      __float128 r = std::sqrt(static_cast<double>(a));
      for (int i = 0; i < 2; ++i) r = (r + a / r) / 2;
      return r;
    }(x);
    const double lower =
        static_cast<double>(root) <= root ? static_cast<double>(root) : std::nextafter(static_cast<double>(root), 0);
    const __float128 ulp = static_cast<__float128>(std::nextafter(lower, 4.0)) - lower;
    const __float128 from_middle = (root - lower) / ulp - static_cast<__float128>(0.5);
    EXPECT_LT(static_cast<double>(from_middle < 0 ? -from_middle : from_middle), 0x1p-47) << std::hexfloat << x;
    if ((from_middle < 0 ? -from_middle : from_middle) < static_cast<__float128>(0x1p-53)) ++closest;
  }
  EXPECT_GE(closest, 2);
}

}  // namespace
}  // namespace frit::test
