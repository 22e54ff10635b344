// The stages of a traced function: what they print, what they cost, and that the compiled one is the function.
#include <malloc.h>

#include "support/traced.hpp"

// A sanitizer has an allocator of its own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FRIT_COUNTS_MEMORY 1

// The bytes of aligned memory, which arrays above 256 bytes and the scratch of calls are made of, alive and at most.
static std::int64_t aligned_alive = 0, aligned_peak = 0;
static std::array<const void*, 64> aligned_blocks{};
static constexpr std::size_t least_counted = 2048;  // LLVM has many that are smaller

extern "C" {
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
#define FRIT_EXPORTED __attribute__((visibility("default")))
FRIT_EXPORTED void* aligned_alloc(std::size_t alignment, std::size_t size) {
  void* const p = __libc_memalign(alignment, size);
  for (const void*& block : aligned_blocks) {
    if (block != nullptr || size < least_counted) continue;
    block = p;
    aligned_alive += static_cast<std::int64_t>(malloc_usable_size(p));
    aligned_peak = std::max(aligned_peak, aligned_alive);
    break;
  }
  return p;
}
FRIT_EXPORTED void free(void* p) {
  for (const void*& block : aligned_blocks) {
    if (p == nullptr || block != p) continue;
    aligned_alive -= static_cast<std::int64_t>(malloc_usable_size(p));
    block = nullptr;
  }
  __libc_free(p);
}
}
#endif

namespace frit::test {
namespace {

Cost::Operations operations(std::int64_t cheap, std::int64_t divisions, std::int64_t functions) {
  return {cheap, divisions, functions};
}

TEST(Stages, EachIsMadeOfTheOneBefore) {
  FRIT_NEEDS_COMPILER();
  const Array x = random_array({1000}, DType::f64, 1);
  const auto f = traced(engine(), [](Array a, Array b) { return sum(sin(a) * b + a / b); });
  const TracedStage recorded = f.trace(x, 0.5);
  const LoweredStage lowered = recorded.lower();
  const CompiledStage compiled = lowered.compile();
  EXPECT_EQ(f.trace_count(), 0);
  EXPECT_EQ(bytes_of(compiled(x, 0.25)[0]), bytes_of(f(x, 0.25)));
  EXPECT_EQ(f.trace_count(), 1);
  EXPECT_EQ(recorded.text(), f.print("trace"));
  EXPECT_EQ(lowered.text(), f.print("lower"));
  EXPECT_GT(compiled.code_bytes(), 0);
  EXPECT_NE(compiled.text().find("bytes of code"), std::string::npos) << compiled.text();
  EXPECT_NE(compiled.assembly().find("ret"), std::string::npos);
  EXPECT_NE(compiled.ir().find("define"), std::string::npos);
}

// Of f32 a register holds twice as many elements, also where C++ numbers stand in the loop.
TEST(Stages, LoopsOfLanesFillTheRegisters) {
  FRIT_NEEDS_COMPILER();
  const auto halve = [](Array x) {
    return map(
        [](std::span<const Array> element) {
          return while_loop([](std::span<const Array> s) { return s[0] > 4.0; },
                            [](std::span<const Array> s) { return std::vector<Array>{s[0] * 0.5}; }, {element[0]});
        },
        {x})[0];
  };
  const auto lanes = [&](DType dtype) {
    const Array x = random_array({100}, dtype, 1);
    const std::string text = traced(engine(), halve).trace(x).lower().compile().text();
    std::size_t most = 0;
    for (std::size_t at = text.find(" lanes"); at != std::string::npos; at = text.find(" lanes", at + 1))
      most = std::max<std::size_t>(most, std::stoul(text.substr(text.rfind(' ', at - 1))));
    return most;
  };
  EXPECT_GT(lanes(DType::f64), 0u);
  EXPECT_EQ(lanes(DType::f32), 2 * lanes(DType::f64));
}

TEST(Stages, ArgumentsMustFit) {
  FRIT_NEEDS_COMPILER();
  const Array x = random_array({7}, DType::f64, 1);
  const auto f = traced(engine(), [](Array a, Array b) { return a + b; }, {.name = "pull"});
  const CompiledStage compiled = f.trace(x, x).lower().compile();
  const Array longer = random_array({9}, DType::f64, 2);
  EXPECT_EQ(bytes_of(compiled(longer, longer)[0]), bytes_of(longer + longer));
  const auto message = [&](auto call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::trace_arguments);
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(message([&] { (void)compiled(x); }), "pull takes 2 arguments and is called with 1");
  EXPECT_EQ(message([&] { (void)compiled(x, x.astype(DType::f32)); }),
            "the arguments do not fit the stage: argument 1 of pull was f64 of rank 1 and is f32 of rank 1; convert it "
            "before the call to keep one trace");
  EXPECT_NE(message([&] { (void)compiled.cost(x, longer.slice(0, {.stop = 1})); }).find("do not fit"),
            std::string::npos);
  const auto outer = traced(engine(), [&](Array a) { return f.trace(a, a).lower().compile()(a, a)[0]; });
  EXPECT_NE(message([&] { (void)outer(x); }).find("outside of other functions"), std::string::npos);
}

TEST(Stages, CostOfEach) {
  const std::int64_t n = 1000;
  const Array x = random_array({n}, DType::f64, 1), y = random_array({n}, DType::f64, 2);
  const auto f = traced(engine(), [](Array a, Array b) {
    const Array c = sin(a) * b;
    return c / (c + 2.0);
  });
  const TracedStage recorded = f.trace(x, y);
  const Cost written = recorded.cost(x, y), fused = recorded.lower().cost(x, y);
  EXPECT_EQ(written.real, operations(2 * n, n, n));
  EXPECT_EQ(written.complex, operations(0, 0, 0));
  EXPECT_EQ(written.bytes_read, 6 * 8 * n);
  EXPECT_EQ(written.bytes_written, 4 * 8 * n);
  EXPECT_EQ(written.temporaries, 3);
  EXPECT_EQ(written.result_bytes, 8 * n);
  EXPECT_EQ(written.peak_bytes, 3 * 8 * n);  // c, c + 2 and the quotient
  EXPECT_EQ(fused.real, written.real);
  EXPECT_EQ(fused.bytes_read, 2 * 8 * n);
  EXPECT_EQ(fused.bytes_written, 8 * n);
  EXPECT_EQ(fused.temporaries, 0);
  EXPECT_EQ(fused.peak_bytes, 8 * n);
  EXPECT_EQ(recorded.cost(x.slice(0, {.stop = 10}), y.slice(0, {.stop = 10})).bytes_read, 6 * 8 * 10);
  // Constants of the loop are folded, scalars are computed once, and real parts of complex numbers are renamed.
  const auto g = traced(engine(), [](Array z, Array s) { return real(z * z) + exp(s); });
  const Array z = random_array({n}, DType::c128, 3);
  const Cost complex = g.trace(z, 0.5).lower().cost(z, 0.5);
  EXPECT_EQ(complex.complex.cheap, n);
  EXPECT_EQ(complex.real.functions, 1);
  EXPECT_EQ(complex.bytes_read, 16 * n);
}

TEST(Stages, CostOfWhatIsNotElementWise) {
  const Array a = random_array({20, 30}, DType::f64, 1), b = random_array({30, 40}, DType::f64, 2);
  const auto product = traced(engine(), [](Array x, Array y) { return sum(matmul(x, y)); });
  const Cost cost = product.trace(a, b).lower().cost(a, b);
  EXPECT_EQ(cost.real, operations(2 * 20 * 30 * 40 + 20 * 40, 0, 0));
  EXPECT_EQ(cost.temporaries, 1);
  EXPECT_EQ(cost.peak_bytes, 8 * 20 * 40);
  // A transposed operand is gathered while it is read, a reduction takes its elements from the loop.
  const auto moved = traced(engine(), [](Array x) { return sum(x.transpose() * exp(x)); });
  const Array square = random_array({30, 30}, DType::f64, 3);
  const Cost gathered = moved.trace(square).lower().cost(square);
  EXPECT_EQ(gathered.temporaries, 0);
  EXPECT_EQ(gathered.real, operations(2 * 900, 0, 900));
  const auto steps = traced(engine(), [](Array x) {
    return scan([](std::span<const Array> c) { return std::vector{c[0] + c[1]}; }, {x.index(0, 0)}, {x})[0];
  });
  EXPECT_EQ(steps.trace(square).lower().cost(square).real.cheap, 30 * 30);
}

// Loops and rows write into the updates that take them, and reductions take long rows as they come.
TEST(Stages, TemporariesThatAreNotMade) {
  const Array u = random_array({40, 700}, DType::f64, 1);
  const auto temporaries = [&](auto callable) {
    return traced(engine(), callable).trace(u).lower().cost(u).temporaries;
  };
  EXPECT_EQ(temporaries([](Array a) { return update(a, 0, {.start = 1}, a.slice(0, {.start = 1}) * 2.0); }), 0);
  EXPECT_EQ(temporaries([](Array a) {
              const Slice inside{.start = 1, .stop = -1};
              const Array rows = a.slice(0, inside);
              return update(a, 0, inside, update(rows, 1, inside, rows.slice(1, inside) * 2.0));
            }),
            0);
  EXPECT_EQ(temporaries([](Array a) { return sum(sin(a) * a, 1); }), 0);
  // By steps, and of short rows.
  EXPECT_EQ(temporaries([](Array a) { return update(a, 0, {.step = 2}, a.slice(0, {.step = 2}) * 2.0); }), 1);
  EXPECT_EQ(temporaries([](Array a) { return sum(sin(a.slice(1, {.stop = 300})), 1); }), 1);
}

#ifdef FRIT_COUNTS_MEMORY
// What is predicted is what a call allocates.
TEST(Stages, PeakIsThatOfTheAllocator) {
  FRIT_NEEDS_COMPILER();
  const Engine one({.threads = 1, .kept_memory = 0});
  const std::int64_t n = 150 * 1000;
  const std::vector<double> elements(static_cast<std::size_t>(n), 0.5);
  const std::array<std::int64_t, 2> shape{300, 500};
  const Array x = array(one, std::span<const double>(elements), shape);
  const auto check = [&](auto callable) {
    const auto f = traced(one, callable);
    const CompiledStage stage = f.trace(x).lower().compile();
    (void)stage(x);  // the scratch of the loops is kept from then on
    const std::int64_t before = aligned_alive;
    aligned_peak = before;
    const std::vector<Array> results = stage(x);
    const Cost cost = stage.cost(x);
    // Whole lines of each array, and the 56 KB that a running sum works in.
    const std::int64_t slack = 64 * 1024 + 256 * (cost.temporaries + static_cast<std::int64_t>(results.size()));
    // Small arrays (numbers of the rows of a block) are not counted.
    EXPECT_GE(aligned_peak - before + least_counted, cost.peak_bytes) << stage.text();
    EXPECT_LE(aligned_peak - before, cost.peak_bytes + slack) << cost.text() << f.trace(x).lower().text();
    EXPECT_GE(aligned_alive - before, cost.result_bytes);
    EXPECT_LE(aligned_alive - before, cost.result_bytes + slack);
  };
  check([](Array a) { return exp(a) * 2.0; });
  check([](Array a) { return a.slice(0, {.start = 1}) - cumulative_sum(a, 0).slice(0, {.stop = -1}); });
  check([](Array a) {
    return cumulative_sum(a * 2.0, 0) * cumulative_sum(exp(a), 1) + a.transpose().reshape({300, 500});
  });
  check([](Array a) { return std::tuple<Array, Array>(cumulative_sum(a, 0), a.astype(DType::f32)); });
  check([](Array a) { return sum(cumulative_sum(sin(a), 1), {0}); });
  check([](Array a) {
    const Slice inside{.start = 1, .stop = -1};
    const Array rows = a.slice(0, inside);
    return update(a, 0, inside, update(rows, 1, inside, sin(rows.slice(1, inside))));
  });
  // In blocks of rows.
  check([](Array a) { return exp(a) / sum(exp(a), 1, true); });
  check([](Array a) {
    const Array sums = cumulative_sum(a * 2.0, 1);
    return std::tuple<Array, Array>(sums - mean(sums, 1, true), sin(max(sums, 1)));
  });
}
#endif

}  // namespace
}  // namespace frit::test
