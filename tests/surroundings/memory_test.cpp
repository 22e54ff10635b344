// Hostile memory: unreadable pages on both sides of every column and output, every byte alignment, strides, a small stack,
// cancellation.
#include <gtest/gtest.h>
#include <pthread.h>

#include <cstddef>
#include <functional>

#include "exec/program.hpp"
#include "frit/abi.h"
#include "frit/frit.hpp"
#include "support/guarded.hpp"
#include "support/programs.hpp"
#include "support/values.hpp"

namespace frit::test {
namespace {

// A real and a complex column, a prologue, a shared root, a condition.
constexpr const char* model_text =
    "Tuple(Add(Mul(Symbol('x'), exp(Symbol('a'))), Pow(Add(Pow(Symbol('x'), Integer(2)), Integer(1)), Rational(1, "
    "2))), "
    "Mul(Symbol('z'), Symbol('c'), exp(Mul(I, Symbol('x')))), "
    "Piecewise(ExprCondPair(Symbol('x'), StrictLessThan(Symbol('x'), Integer(0))), ExprCondPair(Abs(Symbol('z')), "
    "true)), "
    "Integer(2), Symbol('a'), StrictLessThan(Symbol('x'), Symbol('a')))";

struct Subject {
  Engine engine{{.threads = 1}};
  Model model = Model::parse(model_text);
  Parameters parameters = Parameters().set("a", 0.25).set("c", std::complex<double>(0.5, -2));
  Signature signature{.columns = {{"x", false}, {"z", true}}, .parameters = {{"a", false}, {"c", true}}};
  Function bind(Mode mode, DType dtype = DType::f64) const {
    return engine.bind(model, signature, {.mode = mode, .dtype = dtype});
  }
};

std::vector<double> inputs_of(std::size_t n, std::uint64_t seed) {
  Inputs<double> inputs(seed);
  return inputs.take(n);
}

std::vector<Bytes> call(const Function& f, const Parameters& parameters, const void* x, std::int64_t x_stride,
                        const void* z, std::int64_t z_stride, std::int64_t n,
                        const std::function<std::byte*(std::size_t, std::size_t)>& place) {
  const Columns columns = Columns()
                              .add({"x", x, f.dtype() == DType::f32 ? DType::f32 : DType::f64, n, x_stride})
                              .add({"z", z, f.dtype() == DType::f32 ? DType::c64 : DType::c128, n, z_stride});
  std::vector<OutputView> outputs;
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < f.output_count(); ++i) {
    sizes.push_back(static_cast<std::size_t>(n) * size_of(f.output_dtype(i)));
    outputs.push_back({place(i, sizes.back()), n});
  }
  f.run(columns, parameters, outputs);
  std::vector<Bytes> images;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto* from = static_cast<const std::byte*>(outputs[i].data);
    images.emplace_back(from, from + sizes[i]);
  }
  return images;
}

std::vector<Bytes> plain(const Function& f, const Parameters& parameters, const void* x, const void* z,
                         std::int64_t n) {
  std::vector<Bytes> memory(f.output_count());
  return call(f, parameters, x, 0, z, 0, n, [&](std::size_t i, std::size_t size) {
    memory[i].resize(size + 1);
    return memory[i].data();
  });
}

TEST(Memory, NothingIsReadOrWrittenBesideColumnsAndOutputs) {
  const Subject subject;
  for (Mode mode : {Mode::eager, Mode::graph}) {
    for (DType dtype : {DType::f64, DType::f32}) {
      const Function f = subject.bind(mode, dtype);
      const std::size_t real = size_of(dtype);
      for (std::size_t n : {1u, 3u, 7u, 8u, 63u, 64u, 65u, 127u, 500u, 1000u, 4097u}) {
        const std::vector<double> values = inputs_of(3 * n, n);
        std::vector<float> single(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) single[i] = static_cast<float>(values[i]);
        const std::byte* const from = dtype == DType::f64 ? reinterpret_cast<const std::byte*>(values.data())
                                                          : reinterpret_cast<const std::byte*>(single.data());
        const auto want = plain(f, subject.parameters, from, from + n * real, static_cast<std::int64_t>(n));
        for (bool at_end : {false, true}) {
          const Guarded x(n * real, at_end), z(2 * n * real, at_end);
          std::memcpy(x.data(), from, n * real);
          std::memcpy(z.data(), from + n * real, 2 * n * real);
          std::vector<std::unique_ptr<Guarded>> memory;
          const auto got = call(f, subject.parameters, x.data(), 0, z.data(), 0, static_cast<std::int64_t>(n),
                                [&](std::size_t, std::size_t size) {
                                  memory.push_back(std::make_unique<Guarded>(size, at_end));
                                  return memory.back()->data();
                                });
          for (std::size_t i = 0; i < want.size(); ++i)
            EXPECT_EQ(first_difference(got[i], want[i], f.output_dtype(i)), "")
                << name_of(mode) << " n " << n << " output " << i;
        }
      }
    }
  }
}

TEST(Memory, EveryByteAlignmentOfColumnsAndOutputs) {
  const Subject subject;
  constexpr std::size_t n = 300;
  const std::vector<double> values = inputs_of(3 * n, 5);
  for (Mode mode : {Mode::eager, Mode::graph}) {
    const Function f = subject.bind(mode);
    const auto want = plain(f, subject.parameters, values.data(), values.data() + n, n);
    for (std::size_t shift = 0; shift < 64; ++shift) {
      Bytes x(8 * n + 64), z(16 * n + 64);
      std::memcpy(x.data() + shift, values.data(), 8 * n);
      std::memcpy(z.data() + shift, values.data() + n, 16 * n);
      std::vector<Bytes> memory(f.output_count());
      const auto got = call(f, subject.parameters, x.data() + shift, 0, z.data() + shift, 0, n,
                            [&](std::size_t i, std::size_t size) {
                              memory[i].resize(size + 64);
                              return memory[i].data() + shift;
                            });
      for (std::size_t i = 0; i < want.size(); ++i)
        EXPECT_EQ(first_difference(got[i], want[i], f.output_dtype(i)), "") << shift;
    }
  }
}

TEST(Memory, StridesMayBeAnyNumberOfBytesAndNegative) {
  const Subject subject;
  constexpr std::size_t n = 200;
  const std::vector<double> values = inputs_of(3 * n, 6);
  for (Mode mode : {Mode::eager, Mode::graph}) {
    const Function f = subject.bind(mode);
    const auto want = plain(f, subject.parameters, values.data(), values.data() + n, n);
    for (std::int64_t stride : {24, 17, 33, 129, -16, -24}) {
      const auto step = static_cast<std::size_t>(std::abs(stride));
      Bytes x(step * n + 64), z(step * n + 64);
      std::byte* const x0 = x.data() + (stride < 0 ? step * (n - 1) : 0);
      std::byte* const z0 = z.data() + (stride < 0 ? step * (n - 1) : 0);
      for (std::size_t i = 0; i < n; ++i) {
        std::memcpy(x0 + stride * static_cast<std::int64_t>(i), &values[i], 8);
        if (step >= 16) std::memcpy(z0 + stride * static_cast<std::int64_t>(i), &values[n + 2 * i], 16);
      }
      std::vector<Bytes> memory(f.output_count());
      const auto got = call(f, subject.parameters, x0, stride, z0, stride, n, [&](std::size_t i, std::size_t size) {
        memory[i].resize(size);
        return memory[i].data();
      });
      for (std::size_t i = 0; i < want.size(); ++i)
        EXPECT_EQ(first_difference(got[i], want[i], f.output_dtype(i)), "") << stride;
    }
  }
}

// A real column where a complex one was bound: its imaginary part is zero, in whole tiles (which kernels could read in place)
// as in the last one.
TEST(Memory, ARealColumnInAComplexPlaceHasNoImaginaryPart) {
  const Subject subject;
  constexpr std::size_t n = 200;
  const std::vector<double> values = inputs_of(2 * n, 8);
  std::vector<double> widened;
  for (std::size_t i = 0; i < n; ++i) widened.insert(widened.end(), {values[n + i], 0.0});
  for (Mode mode : {Mode::eager, Mode::graph}) {
    const Function f = subject.bind(mode);
    const auto want = plain(f, subject.parameters, values.data(), widened.data(), n);
    const Result got =
        f(Columns().add("x", std::span(values).first(n)).add("z", std::span(values).subspan(n)), subject.parameters);
    for (std::size_t i = 0; i < want.size(); ++i) {
      const auto* const from = static_cast<const std::byte*>(got.data(i));
      EXPECT_EQ(first_difference({from, want[i].size()}, want[i], f.output_dtype(i)), "")
          << name_of(mode) << " output " << i;
    }
  }
}

TEST(Memory, NoEventsAndOneEvent) {
  const Subject subject;
  for (Mode mode : {Mode::eager, Mode::graph}) {
    const Function f = subject.bind(mode);
    EXPECT_EQ(plain(f, subject.parameters, nullptr, nullptr, 0)[0].size(), 0u);
    const double x = 2;
    const std::complex<double> z(3, 4);
    const auto one = plain(f, subject.parameters, &x, &z, 1);
    EXPECT_EQ(read_as<double>(one[2].data()), 5.0);
    EXPECT_EQ(read_as<double>(one[3].data()), 2.0);
    EXPECT_EQ(read_as<double>(one[4].data()), 0.25);
    EXPECT_EQ(one[5][0], std::byte{0});
  }
}

TEST(Memory, AThreadOfA64KilobyteStackIsEnough) {
#ifdef FRIT_SANITIZED
  GTEST_SKIP() << "sanitizers need more stack";
#endif
  struct Work {
    Subject subject;
    std::vector<double> values = inputs_of(3000, 7);
    std::vector<Bytes> got[2];
  } work;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 64 * 1024), 0);
  pthread_t thread;
  const auto body = [](void* argument) -> void* {
    Work& w = *static_cast<Work*>(argument);
    // Binding too: its depth does not depend on the model's.
    for (int i = 0; i < 2; ++i)
      w.got[i] = plain(w.subject.bind(i == 0 ? Mode::eager : Mode::graph), w.subject.parameters, w.values.data(),
                       w.values.data() + 1000, 1000);
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, body, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  const auto want = plain(work.subject.bind(Mode::graph), work.subject.parameters, work.values.data(),
                          work.values.data() + 1000, 1000);
  for (const auto& got : work.got) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(got[i], want[i]);
  }
}

TEST(Memory, ACancelledCallSaysSo) {
  const Subject subject;
  const std::vector<double> values = inputs_of(3000, 7);
  const Columns columns =
      Columns().add("x", std::span(values).first(1000)).add({"z", values.data() + 1000, DType::c128, 1000, 0});
  for (Mode mode : {Mode::eager, Mode::graph}) {
    const Function f = subject.bind(mode);
    std::vector<Bytes> memory(f.output_count(), Bytes(16000));
    std::vector<OutputView> outputs;
    for (Bytes& m : memory) outputs.push_back({m.data(), 1000});
    std::int32_t cancel = 0;
    EXPECT_NO_THROW(f.run(columns, subject.parameters, outputs, &cancel));
    cancel = 1;
    try {
      f.run(columns, subject.parameters, outputs, &cancel);
      ADD_FAILURE() << "not cancelled";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::cancelled);
    }
  }
}

// A call that a kernel must refuse.
TEST(Memory, ACallOfAnotherVersionOrTooLittleScratchIsRefused) {
  const Graph graph =
      parse_graph("frit graph 1 f64\n%0 = argument \"x\" : f64 column\n%1 = exp(%0) : f64 column\noutput \"o\" = %1\n");
  const exec::Program program(plan::make_plan(graph), exec::active_table());
  FritCall call{};
  call.size = sizeof call;
  call.abi_version = FRIT_ABI_VERSION + 1;
  call.program = &program;
  EXPECT_EQ(exec::Program::run_prologue(&call), FRIT_BAD_CALL);
  EXPECT_EQ(exec::Program::run_loop(&call), FRIT_BAD_CALL);
  call.abi_version = FRIT_ABI_VERSION;
  // The members behind are younger than the version, and 0 where they are missing.
  call.size = offsetof(FritCall, by_blocks) - 1;
  EXPECT_EQ(exec::Program::run_loop(&call), FRIT_BAD_CALL);
  call.size = offsetof(FritCall, by_blocks);
  const Aligned scratch(program.scratch_bytes(0, false));
  call.scratch = scratch.data();
  call.scratch_bytes = program.scratch_bytes(0, false);
  call.by_blocks = 1;
  EXPECT_EQ(exec::Program::run_loop(&call), FRIT_OK);
  call.size = sizeof call;
  call.scratch_bytes = program.scratch_bytes(100, false) - 1;
  call.end = 100;
  EXPECT_EQ(exec::Program::run_loop(&call), FRIT_BAD_CALL);
}

}  // namespace
}  // namespace frit::test
