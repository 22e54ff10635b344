// Machine code in hostile surroundings: rare paths forced on any tile, unreadable pages round columns and outputs, every byte
// alignment and length, the caller's floating-point environment.
#include "frit/frit.hpp"
#include "support/compiled.hpp"
#include "support/guarded.hpp"
#include "surroundings/environments.hpp"
#include "surroundings/watched.hpp"

namespace frit::test {
namespace {

// Rare paths of every kind: exp, log, sine, a complex quotient, modulus and root; outputs of every kind.
constexpr const char* model_text =
    "Tuple(Add(Mul(Symbol('x'), exp(Symbol('a'))), Pow(Add(Pow(Symbol('x'), Integer(2)), Integer(1)), Rational(1, "
    "2))), "
    "Mul(Symbol('z'), Symbol('c'), exp(Mul(I, Symbol('x')))), "
    "Piecewise(ExprCondPair(log(Symbol('x')), StrictGreaterThan(Symbol('x'), Integer(2))), "
    "ExprCondPair(Abs(Symbol('z')), true)), "
    "Symbol('x'), Symbol('z'), Symbol('a'), StrictLessThan(Symbol('x'), Symbol('a')), "
    "Mul(Pow(Add(Symbol('z'), Symbol('x')), Integer(-1)), sin(Symbol('x'))), sqrt(Symbol('z')))";

struct Subject {
  explicit Subject(std::int64_t tile = 64) : engine{{.threads = 1, .tile = tile}} {}
  Engine engine;
  Model model = Model::parse(model_text);
  Parameters parameters = Parameters().set("a", 0.25).set("c", std::complex<double>(0.5, -2));
  Signature signature{.columns = {{"x", false}, {"z", true}}, .parameters = {{"a", false}, {"c", true}}};
  Function bind(Mode mode, DType dtype = DType::f64, int effort = 1) const {
    return engine.bind(model, signature, {.mode = mode, .dtype = dtype, .compiler = {.effort = effort}});
  }
};

// Calls f over memory that the caller chose.
template <class Place>
std::vector<Bytes> call(const Function& f, const Parameters& parameters, const void* x, const void* z, std::int64_t n,
                        const Place& place) {
  const bool single = f.dtype() == DType::f32;
  const Columns columns = Columns()
                              .add({"x", x, single ? DType::f32 : DType::f64, n, 0})
                              .add({"z", z, single ? DType::c64 : DType::c128, n, 0});
  std::vector<OutputView> outputs;
  for (std::size_t i = 0; i < f.output_count(); ++i)
    outputs.push_back({place(i, static_cast<std::size_t>(n) * size_of(f.output_dtype(i))), n});
  f.run(columns, parameters, outputs);
  std::vector<Bytes> images;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto* from = static_cast<const std::byte*>(outputs[i].data);
    images.emplace_back(from, from + static_cast<std::size_t>(n) * size_of(f.output_dtype(i)));
  }
  return images;
}

std::vector<Bytes> plain(const Function& f, const Parameters& parameters, const void* x, const void* z,
                         std::int64_t n) {
  std::vector<Bytes> memory(f.output_count());
  return call(f, parameters, x, z, n, [&](std::size_t i, std::size_t size) {
    memory[i].resize(size + 1);
    return memory[i].data();
  });
}

// Numbers that are rare for none of the model's ops, but at the events that `rare` picks.
template <class T, class Rare>
std::vector<T> numbers(std::size_t n, std::size_t events, std::uint64_t seed, const Rare& rare) {
  Inputs<T> inputs(seed);
  std::vector<T> values(n);
  const T rare_values[] = {std::numeric_limits<T>::infinity(),   -std::numeric_limits<T>::max(),      T(-0.0),
                           std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::quiet_NaN(), T(1e30)};
  for (std::size_t i = 0; i < n; ++i)
    values[i] = rare(i % events) ? rare_values[i % 6] : 1 + std::abs(inputs.moderate()) / 64;
  return values;
}

template <class T> void check_rare_tiles() {
  const Subject subject;
  using Pick = bool (*)(std::size_t, std::size_t);
  const std::pair<const char*, Pick> picks[] = {
      {"none", [](std::size_t, std::size_t) { return false; }},
      {"every event", [](std::size_t, std::size_t) { return true; }},
      {"one event of every tile", [](std::size_t i, std::size_t) { return i % 64 == 17; }},
      {"every other tile", [](std::size_t i, std::size_t) { return i / 64 % 2 == 1; }},
      {"the first event", [](std::size_t i, std::size_t) { return i == 0; }},
      {"the last event, which the padding repeats", [](std::size_t i, std::size_t n) { return i + 1 == n; }},
  };
  for (int effort : {0, 1}) {
    const Function graph = subject.bind(Mode::graph, dtype_of<T>);
    const Function compiled = subject.bind(Mode::compiled, dtype_of<T>, effort);
    ASSERT_EQ(compiled.mode_used(), Mode::compiled);
    for (const auto& [name, pick] : picks) {
      for (std::size_t n = 0; n <= 1000; n = n == 140 ? 1000 : n + 1) {
        const auto rare = [&, p = pick](std::size_t i) { return p(i, n); };
        const std::vector<T> x = numbers<T>(n, std::max<std::size_t>(n, 1), n, rare);
        const std::vector<T> z = numbers<T>(2 * n, std::max<std::size_t>(n, 1), n + 1, rare);
        const auto count = static_cast<std::int64_t>(n);
        EXPECT_EQ(plain(compiled, subject.parameters, x.data(), z.data(), count),
                  plain(graph, subject.parameters, x.data(), z.data(), count))
            << "rare: " << name << ", length " << n << ", effort " << effort;
      }
    }
  }
}
TEST(CompiledMemory, RareTilesAndEveryLengthF64) {
  FRIT_NEEDS_COMPILER();
  check_rare_tiles<double>();
}
TEST(CompiledMemory, RareTilesAndEveryLengthF32) {
  FRIT_NEEDS_COMPILER();
  check_rare_tiles<float>();
}

// One graph of a few ops of each kind.
constexpr const char* graph_text =
    "frit graph 1 f64\n%0 = argument \"x\" : f64 column\n%1 = argument \"z\" : c128 column\n%2 = argument \"a\" : f64 "
    "parameter\n%3 = exp(%0) : f64 column\n%4 = multiply(%2, %3) : f64 column\n%5 = multiply(%1, %3) : c128 column\n"
    "%6 = less(%0, %2) : bool column\n%7 = sqrt(%1) : c128 column\n"
    "output \"real\" = %4\noutput \"complex\" = %5\noutput \"boolean\" = %6\noutput \"column\" = %0\noutput \"root\" = "
    "%7\noutput \"z\" = %1\n";

TEST(CompiledMemory, AForcedRarePathOnAnyTile) {
  FRIT_NEEDS_COMPILER();
  const Graph graph = parse_graph(graph_text);
  const plan::Plan plan = plan::make_plan(graph);
  std::size_t parts = 0;
  for (const plan::Output& output : plan.outputs) parts += is_complex(output.dtype) ? 2 : 1;
  constexpr std::int64_t n = 1000;
  const std::vector<double> x = numbers<double>(n, n, 1, [](std::size_t) { return false; });
  const std::vector<double> z = numbers<double>(2 * n, n, 2, [](std::size_t) { return false; });
  const Bytes columns[] = {bytes_of<double>(x), bytes_of<double>(z)};
  const std::complex<double> parameters[] = {1.25};
  const std::vector<Bytes> want = run(exec::Program(plan, exec::active_table()), columns, parameters, n);
  for (int largest : {0, 1}) {
    const auto kernel = compile(plan, {.largest_function = largest});
    using Pick = bool (*)(std::size_t);
    for (Pick pick : {Pick([](std::size_t) { return true; }), Pick([](std::size_t tile) { return tile % 3 == 2; }),
                      Pick([](std::size_t) { return false; })}) {
      for (std::int64_t length : {n, std::int64_t{64}, std::int64_t{63}, std::int64_t{1}}) {
        exec::Program program(plan, exec::active_table(), {.tile = 64});
        Watched forced(*kernel, parts, 8);
        forced.activate(pick);
        program.use(&forced);
        const std::vector<Bytes> got = run(program, columns, parameters, length, {.misalign = 1});
        for (std::size_t i = 0; i < want.size(); ++i)
          EXPECT_EQ(got[i], part_of(want[i], plan.outputs[i].dtype, 0, length)) << plan.outputs[i].name;
        // What is left over of the last tile beyond whole vectors is a tile of its own.
        const std::int64_t rest = length % 64;
        const auto tiles = static_cast<std::size_t>(length / 64 + (rest != 0) + (rest > 8 && rest % 8 != 0));
        EXPECT_EQ(forced.tiles(), tiles);
        // The inputs are ordinary, so the code itself answers each tile that is not forced.
        std::size_t expected = 0;
        for (std::size_t tile = 0; tile < tiles; ++tile) expected += pick(tile) ? 0 : 1;
        EXPECT_EQ(forced.done(), expected);
      }
    }
  }
}

template <class T> void check_guarded() {
  const Subject subject;
  const Function f = subject.bind(Mode::compiled, dtype_of<T>);
  const Function graph = subject.bind(Mode::graph, dtype_of<T>);
  for (bool rare : {false, true}) {
    for (std::size_t n : {1u, 7u, 8u, 15u, 16u, 17u, 63u, 64u, 65u, 127u, 128u, 500u, 512u, 1000u, 4096u, 4097u}) {
      const auto pick = [&](std::size_t i) { return rare && i % 100 == 3; };
      const std::vector<T> x = numbers<T>(n, n, n, pick), z = numbers<T>(2 * n, n, n + 1, pick);
      const auto count = static_cast<std::int64_t>(n);
      const auto want = plain(graph, subject.parameters, x.data(), z.data(), count);
      for (bool at_end : {false, true}) {
        const Guarded gx(n * sizeof(T), at_end), gz(2 * n * sizeof(T), at_end);
        std::memcpy(gx.data(), x.data(), n * sizeof(T));
        std::memcpy(gz.data(), z.data(), 2 * n * sizeof(T));
        std::vector<std::unique_ptr<Guarded>> memory;
        EXPECT_EQ(call(f, subject.parameters, gx.data(), gz.data(), count,
                       [&](std::size_t, std::size_t size) {
                         memory.push_back(std::make_unique<Guarded>(size, at_end));
                         return memory.back()->data();
                       }),
                  want)
            << "length " << n;
      }
    }
  }
}
TEST(CompiledMemory, NothingIsReadOrWrittenBesideColumnsAndOutputs) {
  FRIT_NEEDS_COMPILER();
  check_guarded<double>();
  check_guarded<float>();
}

TEST(CompiledMemory, EveryByteAlignmentOfColumnsAndOutputs) {
  FRIT_NEEDS_COMPILER();
  const Subject subject;
  const Function graph = subject.bind(Mode::graph);
  for (int effort : {0, 1, 2}) {
    const Function f = subject.bind(Mode::compiled, DType::f64, effort);
    for (std::size_t n : {64u, 300u}) {
      const std::vector<double> x = numbers<double>(n, n, 1, [](std::size_t) { return false; });
      const std::vector<double> z = numbers<double>(2 * n, n, 2, [](std::size_t) { return false; });
      const auto count = static_cast<std::int64_t>(n);
      const auto want = plain(graph, subject.parameters, x.data(), z.data(), count);
      for (std::size_t shift = 0; shift < 64; ++shift) {
        // Columns and outputs are moved by different numbers of bytes.
        Bytes xs(8 * n + 64), zs(16 * n + 64);
        std::memcpy(xs.data() + shift, x.data(), 8 * n);
        std::memcpy(zs.data() + (shift * 7 + 3) % 64, z.data(), 16 * n);
        std::vector<Bytes> memory(f.output_count());
        EXPECT_EQ(call(f, subject.parameters, xs.data() + shift, zs.data() + (shift * 7 + 3) % 64, count,
                       [&](std::size_t i, std::size_t size) {
                         memory[i].resize(size + 128);
                         return memory[i].data() + (shift * 5 + i) % 64;
                       }),
                  want)
            << shift;
      }
    }
  }
}

#if defined(__x86_64__)

TEST(CompiledMemory, TheCallersFloatingPointEnvironmentChangesNothingAndIsKept) {
  FRIT_NEEDS_COMPILER();
  const Subject subject;
  constexpr std::size_t n = 1000;
  Inputs<double> inputs(4);
  const std::vector<double> x = inputs.take(n), z = inputs.take(2 * n);
  for (DType dtype : {DType::f64, DType::f32}) {
    std::vector<float> single(3 * n);
    std::transform(x.begin(), x.end(), single.begin(), [](double v) { return static_cast<float>(v); });
    std::transform(z.begin(), z.end(), single.begin() + n, [](double v) { return static_cast<float>(v); });
    const void* const px = dtype == DType::f64 ? static_cast<const void*>(x.data()) : single.data();
    const void* const pz = dtype == DType::f64 ? static_cast<const void*>(z.data()) : single.data() + n;
    const auto want = plain(subject.bind(Mode::graph, dtype), subject.parameters, px, pz, n);
    const Function bound_before = subject.bind(Mode::compiled, dtype);
    for (const Environment& environment : environments) {
      std::vector<Bytes> early, late;
      std::uint32_t after = 0;
      {
        const Csr csr(environment.csr);
        early = plain(bound_before, subject.parameters, px, pz, n);
        // Compiling too: the constants of the math functions are made then.
        late = plain(subject.bind(Mode::compiled, dtype), subject.parameters, px, pz, n);
        after = _mm_getcsr();
      }
      EXPECT_EQ(early, want) << environment.name;
      EXPECT_EQ(late, want) << environment.name;
      EXPECT_EQ(after & ~exception_flags, environment.csr & ~exception_flags) << environment.name;
    }
  }
}

#endif

}  // namespace
}  // namespace frit::test
