#include "random/program.hpp"

#include <algorithm>
#include <cmath>

#include "random/grow.hpp"
#include "support/programs.hpp"

namespace frit::test {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine(seed) {}
  std::mt19937_64 engine;
  std::size_t below(std::size_t n) { return engine() % n; }
  template <class T> T pick(std::initializer_list<T> values) { return values.begin()[below(values.size())]; }
};

// Small programs are many: they are fast, and small where something is wrong. 1 to 300 ops, half of them up to 8.
int op_count_of(Random& random) {
  const std::size_t scale = random.below(16);
  if (scale < 1) return 0;
  if (scale < 9) return 1 + static_cast<int>(random.below(8));
  if (scale < 14) return 8 + static_cast<int>(random.below(24));
  if (scale < 15) return 32 + static_cast<int>(random.below(64));
  return 96 + static_cast<int>(random.below(204));
}

// None, one, two; beside the widths of vectors; beside tiles; a few thousand.
std::int64_t events_of(Random& random, std::int64_t tile, int ops) {
  const std::int64_t one = tile != 0 ? tile : 2048;
  const auto beside = [&](std::int64_t n) { return n + random.pick<std::int64_t>({-1, 0, 1}); };
  switch (random.below(16)) {
    case 0: return 0;
    case 1:
    case 2: return 1 + static_cast<std::int64_t>(random.below(2));
    case 3:
    case 4:
    case 5: return beside(random.pick<std::int64_t>({4, 8, 16, 24, 32}));
    case 6:
    case 7:
    case 8: return beside(64);
    case 9: return beside(std::min<std::int64_t>(one, 256));
    case 10: return beside(2 * std::min<std::int64_t>(one, 128));
    case 11: return ops < 32 ? beside(one) : beside(128);
    case 12: return ops < 32 ? 1000 + static_cast<std::int64_t>(random.below(4000)) : 65;
    default: return 1 + static_cast<std::int64_t>(random.below(200));
  }
}

Graph graph_of(Random& random, DType dtype, int ops, bool calm) {
  Graph graph(dtype);
  Grower grower(graph, random.engine, calm);
  if (ops == 0) grower.leaf();
  for (int i = 0; i < ops; ++i) grower.grow();
  const std::size_t outputs = 1 + (random.below(3) == 0 ? random.below(5) : 0);
  for (std::size_t i = 0; i < outputs; ++i) {
    // The last values first, so that most ops count; now and then anything, an argument or a constant too.
    const std::size_t window = i == 0                 ? 1
                               : random.below(3) == 0 ? graph.size()
                                                      : std::min<std::size_t>(graph.size(), 6);
    const auto id = static_cast<NodeId>(graph.size() - 1 - random.below(window));
    graph.add_output("o" + std::to_string(i), id);
  }
  verify(graph);
  return graph;
}

template <class T> void fill_data(RandomProgram& program, std::uint64_t seed, bool calm) {
  Data<T> data(seed, calm);
  for (const GraphArgument& argument : program.graph.arguments()) {
    const bool complex = is_complex(argument.dtype);
    if (argument.role == Role::column) {
      program.columns.push_back(bytes_of<T>(data.take(static_cast<std::size_t>(program.events), complex)));
    } else {
      const std::vector<T> one = data.take(1, complex);
      program.parameters.emplace_back(one[0], complex ? one[1] : T(0));
    }
  }
}

Settings settings_of(Random& random, DType dtype) {
  using Roots = CompileOptions::Roots;
  using Functions = CompileOptions::Functions;
  Settings s;
  const auto tables = exec::usable_tables();
  s.isa = tables[random.below(tables.size())]->isa;
  s.tile = random.pick<std::int64_t>({0, 0, 64, 64, 128, 192, 1024});
  s.misalign = random.below(2) == 0 ? 0 : random.below(64);
  const std::vector<std::string> targets = usable_targets();
  s.how = {.effort = random.pick({0, 1, 2}),
           .width = random.pick({0, 0, 1, 2, 4, 8}),
           .target = targets[random.below(targets.size())],
           .full_form = random.below(4) == 0,
           .largest_function = random.pick({0, 0, 0, 1, 40, 300}),
           .threads = random.pick({1, 1, 2}),
           .vectors = random.pick({0, 0, 1, 2}),
           .roots = random.pick({Roots::by_balance, Roots::divider, Roots::estimate}),
           .functions = random.pick({Functions::by_policy, Functions::in_line, Functions::called})};
  if (dtype == DType::f32 && random.below(4) == 0) s.how.width = 16;
  // The full forms of many ops in one function take long at the higher efforts, and add nothing here.
  if (s.how.full_form) s.how.effort = 0;
  return s;
}

}  // namespace

RandomProgram random_program(std::uint64_t seed) {
  Random random(seed);
  const DType dtype = random.below(2) == 0 ? DType::f64 : DType::f32;
  const bool calm = random.below(2) == 0;
  RandomProgram program;
  program.settings = settings_of(random, dtype);
  const int ops = op_count_of(random);
  program.events = events_of(random, program.settings.tile, ops);
  program.graph = graph_of(random, dtype, ops, calm);
  for (std::size_t cuts = random.below(2) == 0 ? 0 : random.below(4); cuts > 0 && program.events > 0; --cuts) {
    const auto cut = static_cast<std::int64_t>(random.below(static_cast<std::size_t>(program.events) + 1));
    program.settings.cuts.push_back(cut);
  }
  std::sort(program.settings.cuts.begin(), program.settings.cuts.end());
  program.settings.threads = random.below(4) == 0;
  if (dtype == DType::f64) {
    fill_data<double>(program, random.engine(), calm);
  } else {
    fill_data<float>(program, random.engine(), calm);
  }
  return program;
}

}  // namespace frit::test
