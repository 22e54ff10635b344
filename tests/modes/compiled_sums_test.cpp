// What is only summed leaves a loop as sums of blocks, and each column of rows that is one number a row has a loop of its own: the
// same bits as of elements that are stored and summed then.
#include <cmath>
#include <limits>

#include "exec/reduce.hpp"
#include "support/compiled.hpp"
#include "support/traced.hpp"
#include "trace/traced.hpp"

namespace frit::test {
namespace {

using exec::reduce_block;
using exec::reduce_lanes;

// Two outputs that are summed and one that is not.
Graph three_outputs(DType dtype) {
  Graph graph(dtype);
  const trace::Traced x(graph, graph.add_argument("x", dtype, Role::column));
  const trace::Traced y(graph, graph.add_argument("y", dtype, Role::column));
  const trace::Traced p = trace::apply<ops::Multiply>(x, y);
  graph.add_output("a", trace::apply<ops::Add>(p, x).id());
  graph.add_output("b", trace::apply<ops::Sin>(p).id());
  graph.add_output("c", trace::apply<ops::Subtract>(x, y).id());
  return graph;
}

template <class T> std::vector<T> column(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<T> uniform(-2, 2);
  std::vector<T> values(n);
  for (T& x : values) x = uniform(random);
  if (n > 3) values[3] = T(-0.0);
  return values;
}

// How the events of a tile are given to the code: with memory up to the end of a vector behind them, or exactly.
enum class Room { behind, none };

// One tile by compiled code, with memory for what is asked and a fence behind it.
template <class T>
std::vector<Bytes> one_tile(const exec::Program& program, const CompiledKernel& kernel,
                            std::span<const std::vector<T>> columns, std::int64_t n, bool by_blocks,
                            Room room = Room::behind) {
  const auto lanes = static_cast<std::int64_t>(64 / sizeof(T));
  const std::int64_t padded = room == Room::behind ? (n + lanes - 1) / lanes * lanes : n;
  const std::int64_t in_blocks = by_blocks ? n / reduce_block * reduce_block : 0;
  const auto size = static_cast<std::int64_t>(sizeof(T));
  const Aligned prologue(std::max<std::int64_t>(program.prologue_bytes(), 64));
  FritCall call{};
  call.size = sizeof call;
  call.abi_version = FRIT_ABI_VERSION;
  call.prologue = prologue.data();
  call.program = &program;
  if (exec::Program::run_prologue(&call) != FRIT_OK) throw std::runtime_error("the prologue failed");
  std::vector<const void*> from;
  for (const std::vector<T>& one : columns) from.push_back(one.data());
  std::vector<Fenced> results;
  std::vector<void*> to;
  for (const plan::Output& output : program.plan().outputs)
    results.emplace_back(static_cast<std::size_t>(
                             size * (output.summed ? exec::size_by_blocks(in_blocks) + padded - in_blocks : padded)),
                         0);
  for (Fenced& one : results) to.push_back(one.data());
  const std::int64_t row = padded * size;
  Fenced arena(static_cast<std::size_t>(row * kernel.arena_rows()), 0);
  const TileCall tile{from.data(), to.data(), prologue.data(), arena.data(), row, padded, nullptr, in_blocks};
  for (const CompiledTile function : kernel.functions()) EXPECT_EQ(function(&tile), 0);
  std::vector<Bytes> all;
  for (Fenced& one : results) {
    EXPECT_TRUE(one.intact());
    all.emplace_back(one.data(), one.data() + one.view().size());
  }
  return all;
}

template <class T> void sums_of_blocks() {
  FRIT_NEEDS_COMPILER();
  const Graph graph = three_outputs(dtype_of<T>);
  plan::Plan plan = plan::make_plan(graph);
  plan.outputs[0].summed = plan.outputs[1].summed = true;
  const exec::KernelTable& table = exec::active_table();
  const exec::Program program(plan, table);
  const exec::ReduceKernel& sum = table.reductions.reduce[ops::reduction_id<ops::Sum>][static_cast<int>(dtype_of<T>)];
  for (const std::string& target : usable_targets())
    for (int width = 64 / static_cast<int>(sizeof(T)); width >= 1; width /= 2)
      for (const int vectors : {0, 1, 2})
        for (const int largest : {0, 20}) {
          const How how{.width = width, .target = target, .largest_function = largest, .vectors = vectors};
          if (target == "x86-64-v3" && width * static_cast<int>(sizeof(T)) > 32) continue;
          const std::unique_ptr<CompiledKernel> kernel = compile(plan, how);
          for (const std::int64_t n : {1, 31, 33, 255, 256, 257, 275, 300, 512, 2047, 2048}) {
            const std::vector<T> columns[] = {column<T>(static_cast<std::size_t>(n) + 64, 1),
                                              column<T>(static_cast<std::size_t>(n) + 64, 2)};
            const std::vector<Bytes> elements = one_tile<T>(program, *kernel, columns, n, false);
            const std::vector<Bytes> blocks = one_tile<T>(program, *kernel, columns, n, true);
            for (std::size_t i = 0; i < 2; ++i) {
              Bytes want = elements[i];
              sum.sum_blocks(want.data(), n / reduce_block);
              const auto size = static_cast<std::int64_t>(sizeof(T));
              const std::int64_t sums = n / reduce_block * reduce_lanes * size;
              ASSERT_EQ(Bytes(blocks[i].begin(), blocks[i].begin() + sums), Bytes(want.begin(), want.begin() + sums))
                  << how.name() << ", " << n << " elements, output " << i;
              // What is behind the last whole block is there as it is.
              ASSERT_EQ(Bytes(blocks[i].begin() + sums, blocks[i].begin() + sums + n % reduce_block * size),
                        Bytes(elements[i].begin() + (n - n % reduce_block) * size, elements[i].begin() + n * size))
                  << how.name() << ", " << n << " elements, output " << i;
            }
            ASSERT_EQ(elements[2], blocks[2]);
            // Less than a vector at the end is computed with what stands before it, if that is in no block.
            const std::int64_t behind = n < reduce_block ? n : n % reduce_block;
            if (n < width || (behind != 0 && behind < width)) continue;
            for (const bool by_blocks : {false, true}) {
              const std::vector<Bytes> exact = one_tile<T>(program, *kernel, columns, n, by_blocks, Room::none);
              for (std::size_t i = 0; i < 3; ++i) {
                Bytes want = by_blocks ? blocks[i] : elements[i];
                want.resize(exact[i].size());
                ASSERT_EQ(exact[i], want) << how.name() << ", " << n << " elements, output " << i;
              }
            }
          }
        }
}
TEST(CompiledSums, OfBlocksF64) { sums_of_blocks<double>(); }
TEST(CompiledSums, OfBlocksF32) { sums_of_blocks<float>(); }

std::vector<Bytes> bytes_of_all(const auto& results) {
  return std::apply([](const auto&... one) { return std::vector<Bytes>{bytes_of(one)...}; }, results);
}

// A sum inside of a function beside the sum of an array that was stored before.
template <class F> void as_of_stored(F callable, const Array& x, const Array& y) {
  const Array stored = traced(engine(), callable, {.mode = Mode::eager})(x, y);
  const Array want = sum(stored, -1), want_all = sum(stored);
  const auto both = [&](Array a, Array b) {
    const Array z = callable(a, b);
    return std::tuple<Array, Array>(sum(z, -1), sum(z));
  };
  const auto rows = [&](Array a, Array b) { return sum(callable(a, b), -1); };
  const auto all = [&](Array a, Array b) { return sum(callable(a, b)); };
  std::vector<Mode> each{Mode::eager};
  each.insert(each.end(), modes().begin(), modes().end());
  for (const int threads : {1, 2})
    for (const std::int64_t tile : {0, 64, 320}) {
      Engine one({.threads = threads, .tile = tile});
      const auto moved = [&](const Array& a) {
        const std::int64_t shape[] = {a.extent(0), a.extent(1)};
        return array(one, bytes_of(a).data(), a.dtype(), shape);
      };
      const Array u = moved(x), v = moved(y);
      for (const Mode mode : each) {
        ASSERT_EQ(bytes_of(traced(one, rows, {.mode = mode})(u, v)), bytes_of(want)) << name_of(mode);
        ASSERT_EQ(bytes_of(traced(one, all, {.mode = mode})(u, v)), bytes_of(want_all)) << name_of(mode);
        const auto got = traced(one, both, {.mode = mode})(u, v);
        ASSERT_EQ(bytes_of(std::get<0>(got)), bytes_of(want)) << name_of(mode);
        ASSERT_EQ(bytes_of(std::get<1>(got)), bytes_of(want_all)) << name_of(mode);
      }
    }
}

TEST(CompiledSums, AsOfStoredElements) {
  for (const DType dtype : {DType::f64, DType::f32})
    for (const std::int64_t length : {1, 255, 256, 511, 513, 1000, 4096, 5001, 40000}) {
      const Array x = random_array({3, length}, dtype, 1), y = random_array({3, length}, dtype, 2);
      as_of_stored([](Array a, Array b) { return a * b + a; }, x, y);
      // In every 97th element a rare path, or a NaN.
      const Array tiny =
          where(remainder(iota(engine(), length), 97) == 5, dtype == DType::f64 ? 0x1p-1060 : 0x1p-140, 1.0)
              .astype(dtype);
      as_of_stored([](Array a, Array b) { return sqrt(abs(a)) * b; }, x * tiny, y);
      as_of_stored([](Array a, Array b) { return log(a) / b; }, x * tiny, y);
      if (HasFatalFailure()) return;
    }
}

// Rows of one call, each as by a call of its own: of columns that move on, that stay, and that are one number a row.
template <class T> void rows_of_a_call() {
  FRIT_NEEDS_COMPILER();
  const DType dtype = dtype_of<T>;
  Graph graph(dtype);
  const trace::Traced x(graph, graph.add_argument("x", dtype, Role::column));
  const trace::Traced y(graph, graph.add_argument("y", dtype, Role::column));
  const trace::Traced a(graph, graph.add_argument("a", dtype, Role::column, true));
  const trace::Traced b(graph, graph.add_argument("b", dtype, Role::column, true));
  graph.add_output("p", trace::apply<ops::Divide>(trace::apply<ops::Exp>(trace::apply<ops::Subtract>(x, a)), b).id());
  graph.add_output("q", trace::apply<ops::SquareRoot>(trace::apply<ops::Multiply>(x, y)).id());
  plan::Plan plan = plan::make_plan(graph);
  plan.outputs[1].summed = true;
  const exec::Program program(plan, exec::active_table());
  const Aligned prologue(std::max<std::int64_t>(program.prologue_bytes(), 64));
  constexpr std::int64_t rows = 5, n = 600, step = 640;
  constexpr std::int64_t row_bytes = step * static_cast<std::int64_t>(sizeof(T));
  const std::vector<T> of_x = column<T>(rows * step, 1), of_y = column<T>(n, 2);
  std::vector<T> of_a = column<T>(rows, 3), of_b = column<T>(rows, 4), positive = of_x;
  for (T& one : positive) one = std::abs(one);
  std::vector<T> of_y_positive = of_y;
  for (T& one : of_y_positive) one = std::abs(one);
  for (T& one : of_b) one += T(3);
  T huge = T(1e30);
  const std::int64_t number = sizeof(T), masks[] = {-1, -1, 0, 0};
  const std::int64_t column_steps[] = {row_bytes, 0, number, number}, output_steps[] = {row_bytes, row_bytes};
  const auto call = [&](const CompiledKernel& kernel, std::int64_t first, std::int64_t count, Fenced& p, Fenced& q) {
    const void* columns[] = {positive.data() + first * step, of_y_positive.data(), of_a.data() + first,
                             of_b.data() + first};
    void* outputs[] = {p.data() + first * row_bytes, q.data() + first * row_bytes};
    Fenced arena(static_cast<std::size_t>(row_bytes * std::max<std::int64_t>(kernel.arena_rows(), 1)), 0);
    const TileCall tile{columns, outputs, prologue.data(), arena.data(), row_bytes,   n,
                        masks,   512,     count,           column_steps, output_steps};
    return kernel.functions()[0](&tile);
  };
  for (const std::string& target : usable_targets())
    for (int width = 64 / static_cast<int>(sizeof(T)); width >= 1; width /= 2) {
      if (target == "x86-64-v3" && width * static_cast<int>(sizeof(T)) > 32) continue;
      for (const int vectors : {1, 2}) {
        const How how{.width = width, .target = target, .vectors = vectors};
        const std::unique_ptr<CompiledKernel> kernel = compile(plan, how);
        ASSERT_EQ(kernel->functions().size(), 1u);
        Fenced p(rows * row_bytes, 0), q(rows * row_bytes, 0), p_apart(rows * row_bytes, 0),
            q_apart(rows * row_bytes, 0);
        EXPECT_EQ(call(*kernel, 0, rows, p, q), 0) << how.name();
        for (std::int64_t row = 0; row < rows; ++row)
          EXPECT_EQ(call(*kernel, row, 1, p_apart, q_apart), 0) << how.name();
        EXPECT_TRUE(p.intact() && q.intact());
        for (const auto& [one, apart] : {std::pair(&p, &p_apart), {&q, &q_apart}})
          ASSERT_EQ(Bytes(one->data(), one->data() + rows * row_bytes),
                    Bytes(apart->data(), apart->data() + rows * row_bytes))
              << how.name();
        // A rare event in one row is one of the call.
        std::swap(positive[2 * step + 5], huge);
        EXPECT_NE(call(*kernel, 0, rows, p, q), 0) << how.name();
        EXPECT_EQ(call(*kernel, 0, 2, p, q), 0) << how.name();
        EXPECT_EQ(call(*kernel, 3, 2, p, q), 0) << how.name();
        std::swap(positive[2 * step + 5], huge);
      }
    }
}
TEST(CompiledSums, RowsOfACallF64) { rows_of_a_call<double>(); }
TEST(CompiledSums, RowsOfACallF32) { rows_of_a_call<float>(); }

// What is summed and wanted as it is too leaves a loop twice; what is wanted inside of the loop alone leaves it as sums.
TEST(CompiledSums, BesideElements) {
  const auto beside = [](Array a, Array b) {
    const Array y = sqrt(abs(a)) * b;
    const Array inside = a / b;
    return std::tuple<Array, Array, Array, Array, Array, Array, Array>(
        y / sum(y, -1, true), y, sum(y), mean(y, -1), sum(inside, -1), sum(inside * inside, -1), max(y, -1));
  };
  const auto check = [&](Engine& one, DType dtype, const auto& want, const auto& f, std::int64_t rows,
                         std::int64_t length) {
    const auto moved = [&](const Array& a, std::initializer_list<std::int64_t> shape) {
      return array(one, bytes_of(a).data(), a.dtype(), shape);
    };
    const Array x = moved(random_array({rows, length}, dtype, 1), {rows, length});
    const Array y = moved(random_array({rows, length}, dtype, 2), {rows, length});
    const Array across = moved(random_array({length, rows}, dtype, 3), {length, rows}).transpose({1, 0});
    const double tiny = dtype == DType::f64 ? 0x1p-1060 : 0x1p-140, nan = std::numeric_limits<double>::quiet_NaN();
    const auto every_97th = [&](double factor) {
      return where(remainder(iota(one, length), 97) == 5, factor, y).astype(dtype);
    };
    for (const auto& [a, b] : {std::pair(x, y), {x, every_97th(tiny)}, {x, every_97th(nan)}, {across, y}})
      EXPECT_EQ(bytes_of_all(f(a, b)), bytes_of_all(want(a, b))) << rows << " rows of " << length;
  };
  for (const DType dtype : {DType::f64, DType::f32})
    for (const int threads : {1, 2})
      for (const std::int64_t tile : {0, 64}) {
        Engine one({.threads = threads, .tile = tile});
        const auto want = traced(one, beside, {.mode = Mode::eager});
        for (const Mode mode : modes()) {
          const auto f = traced(one, beside, {.mode = mode});
          for (const std::int64_t rows : {1, 7, 70})
            for (const std::int64_t length : {1, 20, 256, 511, 512, 1003, 4096, 5001, 40000})
              if (length * rows < 300'000) check(one, dtype, want, f, rows, length);
        }
      }
}

// Sums of minus zeros begin at zero, as sums of stored ones do.
TEST(CompiledSums, OfSignedZeros) {
  const Array x = random_array({2, 1024}, DType::f64, 1);
  as_of_stored([](Array a, Array b) { return copysign(a * 0.0, -1.0) + copysign(b * 0.0, -1.0); }, x, x);
}

// Columns of one number a row: as vectors of their own, gathered, and both at once.
TEST(CompiledSums, OneNumberARow) {
  for (const DType dtype : {DType::f64, DType::f32})
    for (const std::int64_t rows : {1, 5, 40})
      for (const std::int64_t length : {3, 100, 600, 1003}) {
        const Array x = random_array({rows, length}, dtype, 1), one = random_array({rows, 1}, dtype, 2);
        const Array divisor = random_array({rows, 1}, dtype, 3), number = random_array({1, 1}, dtype, 4);
        same_in_every_mode(
            [](Array a, Array b, Array c, Array d) {
              const Array z = (a - b) / c * d + where(b > 0, a, c);
              return std::tuple<Array, Array, Array>(z, sum(z * b, -1), sum((a / c) / d));
            },
            x, one, divisor, number);
        // Divisors that are out of the range of inverses.
        const double special[] = {0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(),
                                  dtype == DType::f64 ? 0x1p-1050 : 0x1p-145, dtype == DType::f64 ? 0x1p1023 : 0x1p127};
        std::vector<double> divisors;
        for (std::int64_t row = 0; row < rows; ++row) divisors.push_back(special[static_cast<std::size_t>(row) % 5]);
        same_in_every_mode([](Array a, Array c) { return std::tuple<Array, Array>(a / c, sum(a / c, 1)); }, x,
                           array(engine(), divisors).astype(dtype).expand_dims(1));
      }
}

// Rows of each length, in the place of a row of a larger array: nothing beside them is written, and the end of a row counts once.
TEST(CompiledSums, RowsOfEachLength) {
  const auto scaled = [](Array x, Array weight, Array divisor, Array table) {
    const Array d = x - mean(x, 1, true);
    const Array y = d / divisor * weight + sqrt(d * d + weight * weight);
    const Array inside = update(table, 1, {.start = 3, .stop = -2}, y / (sum(y * y, 1, true) + 1.0));
    return std::tuple<Array, Array, Array, Array>(inside, y, sum(abs(y), 1), sum(where(y > 0, y, -1.0)));
  };
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 1; n <= 600; n += n < 300 || n > 500 ? 1 : 7) lengths.push_back(n);
  for (const std::int64_t n : {1000, 1003, 1023, 1025, 4095, 4096, 4097, 4111, 32'767, 32'768, 32'769})
    lengths.push_back(n);
  for (const DType dtype : {DType::f64, DType::f32}) {
    const auto eager = traced(engine(), scaled, {.mode = Mode::eager});
    for (const Mode mode : modes()) {
      const auto f = traced(engine(), scaled, {.mode = mode});
      for (const std::int64_t n : lengths) {
        const Array x = random_array({5, n}, dtype, 1), weight = random_array({n}, dtype, 2);
        const Array divisor = random_array({5, 1}, dtype, 3), table = random_array({5, n + 5}, dtype, 4);
        const auto want = eager(x, weight, divisor, table), got = f(x, weight, divisor, table);
        const std::string what = std::string(name_of(mode)) + ", " + std::to_string(n);
        ASSERT_EQ(bytes_of(std::get<0>(got)), bytes_of(std::get<0>(want))) << what;
        ASSERT_EQ(bytes_of(std::get<1>(got)), bytes_of(std::get<1>(want))) << what;
        ASSERT_EQ(bytes_of(std::get<2>(got)), bytes_of(std::get<2>(want))) << what;
        ASSERT_EQ(bytes_of(std::get<3>(got)), bytes_of(std::get<3>(want))) << what;
      }
    }
  }
}

}  // namespace
}  // namespace frit::test
