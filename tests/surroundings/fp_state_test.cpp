// The host's floating-point environment neither changes a result nor is changed: flush-to-zero, denormals-are-zero, every
// rounding mode, raised flags and unmasked traps, at reading, binding and running, on the calling and on pool threads.
#include <gtest/gtest.h>

#if defined(__x86_64__)
#include <random>

#include "exec/program.hpp"
#include "frit/frit.hpp"
#include "graph/graph.hpp"
#include "support/values.hpp"
#include "surroundings/environments.hpp"

namespace frit::test {
namespace {

// Subnormal and inexact values everywhere: in literals, in folded constants, in parameters and in columns.
constexpr const char* model_text =
    "Tuple(Add(Mul(Symbol('x'), Float('1.0e-310')), exp(Mul(Integer(-1), Symbol('a'), Symbol('x'))), Rational(1, 3)), "
    "Mul(Symbol('x'), Float('3.0e-39')), Mul(Symbol('x'), exp(Integer(-88))), Mul(Symbol('x'), exp(Integer(-740))), "
    "Mul(Symbol('x'), Symbol('b')), Mul(sin(Symbol('x')), Symbol('a'), Pow(Add(Integer(1), Pow(Symbol('x'), "
    "Integer(2))), Rational(-1, 2))), "
    "Piecewise(ExprCondPair(Symbol('x'), StrictGreaterThan(Symbol('x'), Float('1.0e-320'))), "
    "ExprCondPair(log(Symbol('x')), true)))";

std::uint64_t evaluate(Mode mode, DType dtype, int threads) {
  static const std::vector<double> x = [] {
    std::vector<double> values = special_values<double>();
    Inputs<double> inputs(3);
    while (values.size() < 20'000) values.push_back(inputs.next());
    return values;
  }();
  const Engine engine{{.threads = threads}};
  const Model model = Model::parse(model_text);
  const Columns columns = Columns().add("x", x);
  const Parameters parameters = Parameters().set("a", 0.3).set("b", dtype == DType::f64 ? 4.9e-310 : 4.9e-39);
  const Function f = engine.bind(model, Signature::of(columns, parameters), {.mode = mode, .dtype = dtype});
  const Result result = f(columns, parameters);
  std::uint64_t h = hash_of({});
  for (std::size_t i = 0; i < result.output_count(); ++i) {
    const auto bytes = static_cast<std::size_t>(result.size()) * size_of(result.dtype(i));
    h = hash_of({static_cast<const std::byte*>(result.data(i)), bytes}, h);
  }
  return h;
}

TEST(FpState, ResultsDoNotDependOnTheCallersEnvironmentWhichIsKept) {
  for (Mode mode : {Mode::eager, Mode::graph}) {
    for (DType dtype : {DType::f32, DType::f64}) {
      for (int threads : {1, 2}) {
        const std::uint64_t want = evaluate(mode, dtype, threads);
        for (const Environment& environment : environments) {
          std::uint64_t got = 0;
          std::uint32_t after = 0;
          {
            const Csr csr(environment.csr);
            got = evaluate(mode, dtype, threads);
            after = _mm_getcsr();
          }
          EXPECT_EQ(got, want) << environment.name << " " << name_of(mode) << " " << name_of(dtype) << " threads "
                               << threads;
          EXPECT_EQ(after & ~exception_flags, environment.csr & ~exception_flags) << environment.name;
          EXPECT_EQ(after & environment.csr & exception_flags, environment.csr & exception_flags)
              << environment.name << ": a flag was lost";
        }
      }
    }
  }
}

// The entries of the C ABI alone: every trap unmasked, and not one flag more or less afterwards.
TEST(FpState, TheEntriesOfAKernelLeaveTheControlWordAsItWas) {
  const Graph graph = parse_graph(
      "frit graph 1 f64\n%0 = argument \"x\" : f64 column\n%1 = argument \"p\" : f64 parameter\n%2 = log(%1) : f64 "
      "parameter\n"
      "%3 = divide(%0, %2) : f64 column\n%4 = sqrt(%3) : f64 column\noutput \"output\" = %4\n");
  const exec::Program program(plan::make_plan(graph), exec::active_table());
  const std::vector<double> x = special_values<double>();
  std::vector<double> want(x.size()), got(x.size());
  const auto call_into = [&](std::vector<double>& to) {
    alignas(64) static std::byte prologue[4096], scratch[1 << 20];
    const FritOperand operand{x.data(), 8, static_cast<std::int32_t>(DType::f64), 0};
    const FritResult result{to.data(), static_cast<std::int32_t>(DType::f64), 0};
    const double scalars[2] = {0.1, 0};
    FritCall call{};
    call.size = sizeof call;
    call.abi_version = FRIT_ABI_VERSION;
    call.operand_count = call.result_count = call.scalar_count = 1;
    call.operands = &operand;
    call.results = &result;
    call.scalars = scalars;
    call.prologue = prologue;
    call.scratch = scratch;
    call.scratch_bytes = sizeof scratch;
    call.end = static_cast<std::int64_t>(x.size());
    call.program = &program;
    return exec::Program::run_prologue(&call) + exec::Program::run_loop(&call);
  };
  ASSERT_EQ(call_into(want), FRIT_OK);
  for (std::uint32_t csr : {0x1f80u, 0x0000u, 0x6000u, 0xe040u, 0x1f80u | exception_flags, 0x1f95u, 0x5fc0u}) {
    std::int32_t status = -1;
    std::uint32_t after = 0;
    {
      const Csr held(csr);
      status = call_into(got);
      after = _mm_getcsr();
    }
    EXPECT_EQ(status, FRIT_OK);
    EXPECT_EQ(after, csr);
    EXPECT_EQ(std::memcmp(got.data(), want.data(), 8 * x.size()), 0) << std::hex << csr;
  }
}

TEST(FpState, GraphTextDoesNotDependOnTheCallersEnvironment) {
  const std::string text =
      "frit graph 1 f32\n%0 = constant 0x1p-149 : f32 constant\n%1 = constant 0x1.99999ap-4 : f32 constant\noutput "
      "\"o\" = %0\n";
  for (const Environment& environment : environments) {
    const Csr csr(environment.csr);
    EXPECT_EQ(print_graph(parse_graph(text)), text) << environment.name;
  }
}

}  // namespace
}  // namespace frit::test
#endif
