// Every kernel in hostile surroundings: unreadable pages, every alignment, the caller's floating-point environment, a small
// stack, event numbers beyond 32 bits, rare paths anywhere, cancellation after any tile.
#include "surroundings/kernels.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include "support/guarded.hpp"
#include "surroundings/environments.hpp"

namespace frit::test {
namespace {

// What the tests below rely on.
TEST(Kernels, TheOrdinaryInputsAreRareForNoMachineCode) {
  FRIT_NEEDS_COMPILER();
  std::size_t compiled = 0;
  for_each_runner([&](const Runner& runner) {
    if (runner.watched() == nullptr) return;
    ++compiled;
    HeapMemory memory;
    const KernelCall call(runner, 0, runner.graph().n, memory.take());
    EXPECT_EQ(call.run(), FRIT_OK);
    EXPECT_EQ(call.difference(), "");
    EXPECT_GE(runner.watched()->tiles(), 5u) << runner.name();
    EXPECT_EQ(runner.watched()->done(), runner.watched()->tiles()) << runner.name();
  });
  EXPECT_EQ(compiled, kernel_graphs().size());
}

TEST(Kernels, NothingIsReadOrWrittenBesideAnyBuffer) {
  for_each_runner([](const Runner& runner) {
    for (std::int64_t n : {1, 3, 4, 7, 8, 15, 16, 17, 63, 64, 65, 79, 80, 128, 323}) {
      for (bool at_end : {false, true}) {
        std::vector<std::unique_ptr<Guarded>> blocks;
        const KernelCall call(runner, 0, n, [&](std::size_t size, bool) {
          blocks.push_back(std::make_unique<Guarded>(size, at_end));
          return blocks.back()->data();
        });
        EXPECT_EQ(call.run(), FRIT_OK);
        EXPECT_EQ(call.difference(), "") << (at_end ? "at the end" : "at the start");
      }
    }
  });
}

TEST(Kernels, ColumnsAndOutputsOfEveryByteAlignment) {
  for_each_runner([](const Runner& runner) {
    for (std::size_t shift = 0; shift < 64; ++shift) {
      // All moved alike, by one element among them, then each differently.
      for (std::size_t step : {0u, 7u}) {
        HeapMemory memory;
        const KernelCall call(runner, 0, 2 * small_tile + 5,
                              memory.take([&](std::size_t block) { return (shift + step * block) % 64; }));
        EXPECT_EQ(call.run(), FRIT_OK);
        EXPECT_EQ(call.difference(), "") << "moved by " << shift;
        EXPECT_TRUE(memory.intact()) << runner.name() << ", moved by " << shift;
      }
    }
  });
}

#if defined(__x86_64__)
TEST(Kernels, TheCallersFloatingPointEnvironmentChangesNothingAndIsKept) {
  std::vector<Environment> all(std::begin(environments), std::end(environments));
  all.push_back({"every trap", 0x0000});
  all.push_back({"every trap, round toward zero, both", 0xe040});
  for_each_runner([&](const Runner& runner) {
    for (const Environment& environment : all) {
      HeapMemory memory;
      const KernelCall call(runner, 0, runner.graph().n, memory.take());
      std::int32_t status = -1;
      std::uint32_t after = 0;
      {
        const Csr csr(environment.csr);
        status = call.run();
        after = _mm_getcsr();
      }
      EXPECT_EQ(status, FRIT_OK);
      EXPECT_EQ(after, environment.csr) << runner.name() << ", " << environment.name;
      EXPECT_EQ(call.difference(), "") << environment.name;
    }
  });
}
#endif

TEST(Kernels, AStackOf64KilobytesIsEnough) {
#ifdef FRIT_SANITIZED
  GTEST_SKIP() << "sanitizers need more stack";
#endif
  for_each_runner([](const Runner& runner) {
    HeapMemory memory;
    KernelCall call(runner, 0, runner.graph().n, memory.take());
    struct Work {
      const KernelCall* call;
      std::int32_t status;
    } work{&call, -1};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, 64 * 1024), 0);
    pthread_t thread;
    const auto body = [](void* argument) -> void* {
      auto& w = *static_cast<Work*>(argument);
      w.status = w.call->run();
      return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, &attributes, body, &work), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    EXPECT_EQ(work.status, FRIT_OK);
    EXPECT_EQ(call.difference(), "");
  });
}

TEST(Kernels, EventNumbersBeyond31And32Bits) {
  for_each_runner([](const Runner& runner) {
    for (std::int64_t begin : {(std::int64_t{1} << 31) - 100, std::int64_t{1} << 31, (std::int64_t{1} << 32) - 100,
                               (std::int64_t{1} << 32) + 1, (std::int64_t{1} << 40) - 3}) {
      for (std::int64_t n : {1, 163}) {
        HeapMemory memory;
        const KernelCall call(runner, begin, n, memory.take());
        EXPECT_EQ(call.run(), FRIT_OK);
        EXPECT_EQ(call.difference(), "") << "from event " << begin;
        EXPECT_TRUE(memory.intact()) << runner.name() << ", from event " << begin;
      }
    }
  });
}

// One rare event in a tile, at each place in a vector: it has the value that it has alone, and the others keep theirs.
TEST(Kernels, ARareEventChangesNoOther) {
  constexpr std::int64_t n = 2 * small_tile + 5;
  for_each_runner([](const Runner& runner) {
    const KernelGraph& graph = runner.graph();
    const auto with = [&]<class T>(T value) {
      // The columns with `value` in every part of event i, and what an event of such values alone gives.
      const auto columns_with = [&](std::int64_t i) {
        std::vector<Bytes> columns = graph.columns;
        for (Bytes& column : columns) {
          const std::size_t element = column.size() / static_cast<std::size_t>(graph.n);
          for (std::size_t at = 0; at < element; at += sizeof(T))
            std::memcpy(&column[static_cast<std::size_t>(i) * element + at], &value, sizeof(T));
        }
        return columns;
      };
      const std::vector<Bytes> alone = columns_with(0);
      const std::vector<Bytes> rare =
          run(exec::Program(graph.plan, exec::active_table()), alone, graph.parameters, 1, {.whole_range = true});
      for (std::int64_t place = 0; place < 17; ++place) {
        // In the first tile, and in what is left over beyond whole vectors.
        const std::int64_t event = place < 16 ? place * 3 : n - 2;
        std::vector<Bytes> want = graph.want;
        for (std::size_t i = 0; i < want.size(); ++i)
          std::copy(rare[i].begin(), rare[i].end(),
                    want[i].begin() + event * static_cast<std::int64_t>(rare[i].size()));
        HeapMemory memory;
        const std::vector<Bytes> columns = columns_with(event);
        const KernelCall call(runner, columns, 0, n, memory.take());
        EXPECT_EQ(call.run(), FRIT_OK);
        EXPECT_EQ(call.difference(want), "") << "event " << event << " is " << static_cast<double>(value);
      }
    };
    const auto with_all = [&]<class T>(T) {
      using L = std::numeric_limits<T>;
      for (T value : {L::infinity(), -L::max(), L::denorm_min(), L::quiet_NaN(), T(-0.0), T(-3), T(1e30)}) with(value);
    };
    graph.plan.dtype == DType::f64 ? with_all(double()) : with_all(float());
  });
}

// Machine code that says of any tile that it is rare: the executor computes that tile, and its neighbours stay.
TEST(Kernels, ARarePathForcedOnAnyTile) {
  FRIT_NEEDS_COMPILER();
  for_each_runner([](const Runner& runner) {
    if (runner.watched() == nullptr) return;
    const std::pair<const char*, bool (*)(std::size_t)> picks[] = {
        {"every tile", [](std::size_t) { return true; }},
        {"the first", [](std::size_t i) { return i == 0; }},
        {"every other", [](std::size_t i) { return i % 2 == 1; }},
        {"the last", [](std::size_t i) { return i >= 5; }}};
    for (const auto& [name, pick] : picks) {
      runner.watched()->activate(pick);
      HeapMemory memory;
      const KernelCall call(runner, 0, runner.graph().n, memory.take([](std::size_t) { return 1; }));
      EXPECT_EQ(call.run(), FRIT_OK);
      EXPECT_LT(runner.watched()->done(), runner.watched()->tiles()) << name;
      EXPECT_EQ(call.difference(), "") << name;
      EXPECT_TRUE(memory.intact());
    }
  });
}

// A kernel that sets the cancel word in its call `calls_left`.
std::int32_t cancel_word = 0;
long calls_left = 0;
exec::TileKernel counted = nullptr;
void cancelling(void* const* parts, std::int64_t n) {
  counted(parts, n);
  if (--calls_left == 0) cancel_word = 1;
}

// Where a table has the kernel of a step.
exec::TileKernel& kernel_of(exec::KernelTable& table, DType dtype, const plan::Step& step) {
  const auto index = static_cast<std::size_t>(exec::dtype_index(dtype));
  if (step.fusion != FusionId::single_op) return table.fused[index][static_cast<std::size_t>(step.fusion)];
  auto& row = table.single[index][static_cast<std::size_t>(step.op)][step.form];
  unsigned scalars = 0;
  for (int operand = 0, at = 0; operand < info_of(step.op).arity; ++operand) {
    const int parts = (step.form >> operand & 1) + 1;
    bool scalar = true;
    for (int i = at; i < at + parts; ++i) scalar = scalar && step.parts[i].kind == plan::Part::Kind::scalar;
    if (scalar) scalars |= 1u << operand;
    at += parts;
  }
  return row[row[scalars] == nullptr ? 0 : scalars];
}

// The steps whose kernel no other step has.
std::vector<const plan::Step*> steps_of_their_own(const plan::Plan& plan, exec::KernelTable& table) {
  std::vector<const plan::Step*> result;
  for (const plan::Step& step : plan.loop) {
    const auto same = [&](const plan::Step& s) {
      return &kernel_of(table, plan.dtype, s) == &kernel_of(table, plan.dtype, step);
    };
    if (std::count_if(plan.loop.begin(), plan.loop.end(), same) == 1) result.push_back(&step);
  }
  return result;
}

bool untouched(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0xa5}; });
}

// The outputs of the events before `done` are right, and those of the others untouched.
std::string after_cancel(const Runner& runner, const KernelCall& call, std::int64_t done) {
  const auto& outputs = runner.graph().plan.outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto bytes = call.output(i);
    const Bytes want = part_of(runner.graph().want[i], outputs[i].dtype, 0, done);
    const std::string text = first_difference(bytes.first(want.size()), want, outputs[i].dtype);
    if (!text.empty()) return outputs[i].name + ": " + text;
    if (!untouched(bytes.subspan(want.size()))) return outputs[i].name + ": an event behind the last tile was written";
  }
  return "";
}

// Sets the cancel word in tile k, by `arm`, for every tile. One that is set within the last tile comes too late.
template <class Arm> void cancel_after_any_tile(const Runner& runner, const Arm& arm) {
  const std::int64_t n = runner.graph().n, tiles = (n + small_tile - 1) / small_tile;
  for (std::int64_t k = 0; k < tiles; ++k) {
    cancel_word = 0;
    arm(k);
    HeapMemory memory;
    KernelCall call(runner, 0, n, memory.take());
    call.call.cancel = &cancel_word;
    EXPECT_EQ(call.run(), k + 1 < tiles ? FRIT_CANCELLED : FRIT_OK) << runner.name() << ", tile " << k;
    EXPECT_EQ(cancel_word, 1) << runner.name();
    EXPECT_EQ(after_cancel(runner, call, std::min((k + 1) * small_tile, n)), "") << runner.name() << ", tile " << k;
    EXPECT_TRUE(memory.intact());
  }
}

TEST(Kernels, CancellationAfterAnyTile) {
  for (const KernelGraph& graph : kernel_graphs()) {
    for (const exec::KernelTable* table : exec::usable_tables()) {
      exec::KernelTable changed = *table;
      const std::vector<const plan::Step*> steps = steps_of_their_own(graph.plan, changed);
      ASSERT_FALSE(steps.empty()) << graph.name;
      exec::TileKernel& kernel = kernel_of(changed, graph.plan.dtype, *steps[steps.size() / 2]);
      counted = kernel;
      kernel = &cancelling;
      cancel_after_any_tile(Runner(graph, changed, false), [](std::int64_t k) { calls_left = k + 1; });
    }
  }
  for_each_runner([](const Runner& runner) {
    if (runner.watched() == nullptr) return;
    cancel_after_any_tile(runner, [&](std::int64_t k) {
      runner.watched()->activate([k](std::size_t tile) {
        if (tile == static_cast<std::size_t>(k)) cancel_word = 1;
        return false;
      });
    });
  });
}

// A range as one tile, as in mode eager, looks at the word before each step.
TEST(Kernels, CancellationWithinALongTile) {
  constexpr std::int64_t whole_vectors = 2112;
  const KernelGraph graphs[] = {KernelGraph::of<double>(every_op(DType::f64), "every op, f64", whole_vectors),
                                KernelGraph::of<float>(every_op(DType::f32), "every op, f32", whole_vectors)};
  for (const KernelGraph& graph : graphs) {
    exec::KernelTable table = exec::active_table();
    const std::vector<const plan::Step*> steps = steps_of_their_own(graph.plan, table);
    ASSERT_GT(steps.size(), 20u);
    std::size_t before = 0;
    for (const plan::Step* step : steps) {
      exec::KernelTable changed = exec::active_table();
      exec::TileKernel& kernel = kernel_of(changed, graph.plan.dtype, *step);
      counted = kernel;
      kernel = &cancelling;
      cancel_word = 0;
      calls_left = 1;
      const Runner runner(graph, changed, true);
      HeapMemory memory;
      KernelCall call(runner, 0, graph.n, memory.take());
      call.call.cancel = &cancel_word;
      EXPECT_EQ(call.run(), FRIT_CANCELLED);
      // An output is complete or untouched, and a later step leaves more of them complete.
      std::size_t complete = 0;
      for (std::size_t i = 0; i < graph.plan.outputs.size(); ++i) {
        if (untouched(call.output(i))) continue;
        ++complete;
        EXPECT_EQ(first_difference(call.output(i), graph.want[i], graph.plan.outputs[i].dtype), "")
            << graph.plan.outputs[i].name;
      }
      EXPECT_GE(complete, before);
      EXPECT_LT(complete, graph.plan.outputs.size());
      before = complete;
    }
    EXPECT_GT(before, 0u);
  }
}

}  // namespace
}  // namespace frit::test
