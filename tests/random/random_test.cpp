// Random programs have the same bits in every way they run, and the right values; the generator knows the whole op table; what
// a difference is reported by can be replayed.
#include <gtest/gtest.h>

#include <map>

#include "ops/table.hpp"
#include "random/check.hpp"
#include "random/replay.hpp"
#include "random/shrink.hpp"
#include "random/sympy_program.hpp"
#include "support/compiled.hpp"

namespace frit::test {
namespace {

std::string found_in(std::uint64_t seed, bool compiled) {
  const RandomProgram program = random_program(seed);
  const auto found = check(program, {.compiled = compiled});
  if (!found) return "";
  const Shrunk small = shrink(program, *found);
  return "seed " + std::to_string(seed) + ", stage " + small.difference.stage + ": " + small.difference.what +
         "\n--replay '" + replay_line(small.program, small.difference.stage) + "'\n";
}

TEST(Random, ProgramsHaveTheSameBitsAndTheRightValues) {
  const std::uint64_t count = nightly() ? 100'000 : 25'000;
  for (std::uint64_t seed = 1; seed <= count; ++seed) EXPECT_EQ(found_in(seed, false), "");
}

TEST(Random, CompiledProgramsHaveTheSameBits) {
  FRIT_NEEDS_COMPILER();
  const std::uint64_t count = nightly() ? 10'000 : 2000;
  for (std::uint64_t seed = 1'000'001; seed <= 1'000'000 + count; ++seed) EXPECT_EQ(found_in(seed, true), "");
}

void check_sympy_programs(std::uint64_t from, std::uint64_t count, bool compiled) {
  SympyCounts counts;
  for (std::uint64_t seed = from; seed < from + count; ++seed) {
    const SympyProgram program = random_sympy_program(seed);
    const auto found = check_sympy(program, compiled, &counts);
    if (!found) continue;
    ADD_FAILURE() << "seed " << seed << ", stage " << found->difference.stage << ": " << found->difference.what
                  << "\n--replay \"" << replay_line(shrink_sympy(program, found->difference)) << "\"";
  }
  const int programs = static_cast<int>(count);
  EXPECT_GT(counts.refused, programs / 100);
  EXPECT_LT(counts.refused, programs / 2);
  EXPECT_GT(counts.rewrites, programs / 5);
}

TEST(Random, SympyProgramsHaveTheSameBitsAndMeanWhatTheySay) {
  check_sympy_programs(1, nightly() ? 30'000 : 5000, false);
}

TEST(Random, CompiledSympyProgramsHaveTheSameBits) {
  FRIT_NEEDS_COMPILER();
  check_sympy_programs(1'000'001, nightly() ? 1500 : 300, true);
}

// A new op enters by being in the list.
TEST(Random, EveryOpInEveryFormIsGeneratedSoon) {
  constexpr std::uint64_t programs = 400;
  constexpr int at_least = 5;
  std::map<std::string, int> count;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const RandomProgram program = random_program(seed);
    std::map<std::string, int> here;
    for (NodeId id = 0; id < program.graph.size(); ++id) {
      const Node& node = program.graph.node(id);
      if (node.kind == NodeKind::op)
        here[std::string(info_of(node.op).name) + " form " + std::to_string(node.form)] = 1;
    }
    for (const auto& [name, one] : here) count[name] += one;
  }
  int forms = 0;
  for (int i = 0; i < op_count(); ++i) {
    const auto op = static_cast<OpId>(i);
    EXPECT_TRUE(is_composite(op) || forms_of(op) != 0 || info_of(op).type == TypeRule::integer) << info_of(op).name;
    for (unsigned form = 0; form < exec::form_count; ++form) {
      if ((forms_of(op) >> form & 1u) == 0) continue;
      ++forms;
      const std::string name = std::string(info_of(op).name) + " form " + std::to_string(form);
      EXPECT_GE(count[name], at_least) << name << " is in too few of " << programs << " programs";
    }
  }
  EXPECT_EQ(static_cast<std::size_t>(forms), every_op_form().size());
}

// What the description of the generator promises, by counting.
TEST(Random, ProgramsAreOfEveryKind) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const RandomProgram p = random_program(seed);
    const Settings& s = p.settings;
    const auto note = [&](const std::string& what, bool holds = true) { seen[what] += holds ? 1 : 0; };
    note(std::string(name_of(p.graph.kernel_dtype())));
    note("no event", p.events == 0);
    note("one event", p.events == 1);
    note("two events", p.events == 2);
    for (const std::int64_t n : {63, 64, 65}) note(std::to_string(n) + " events", p.events == n);
    note("beside a tile", s.tile != 0 && std::abs(p.events - s.tile) == 1);
    note("thousands of events", p.events > 1000);
    note("one node", p.graph.size() == 1);
    note("a few hundred nodes", p.graph.size() > 200);
    note("misaligned", s.misalign % 8 != 0);
    note("threads", s.threads && s.cuts.size() > 1);
    note("cuts", !s.cuts.empty());
    for (const exec::KernelTable* table : exec::usable_tables()) note(table->isa, s.isa == table->isa);
    for (const std::string& target : usable_targets()) note("target " + target, s.how.target == target);
    for (const int effort : {0, 1, 2}) note("effort " + std::to_string(effort), s.how.effort == effort);
    for (const int width : {0, 1, 2, 4, 8, 16}) note("width " + std::to_string(width), s.how.width == width);
    note("full form", s.how.full_form);
    note("two vectors", s.how.vectors == 2);
    note("roots by estimate", s.how.roots == CompileOptions::Roots::estimate);
    note("functions called", s.how.functions == CompileOptions::Functions::called);
    note("several outputs", p.graph.outputs().size() > 2);
    std::vector<int> uses(p.graph.size());
    for (NodeId id = 0; id < p.graph.size(); ++id) {
      for (const NodeId operand : p.graph.operands(id)) ++uses[operand];
      note(std::string(name_of(p.graph.node(id).role)) + " " + std::string(name_of(p.graph.node(id).dtype)));
      if (p.graph.node(id).kind != NodeKind::constant) continue;
      const double x = p.graph.constant(id).re;
      note("constant -0", x == 0 && std::signbit(x));
      note("constant infinity", std::isinf(x));
      note("constant NaN", std::isnan(x));
      note("subnormal constant", x != 0 && std::abs(x) < (p.graph.kernel_dtype() == DType::f64 ? 0x1p-1022 : 0x1p-126));
    }
    for (const GraphOutput& output : p.graph.outputs()) {
      ++uses[output.node];
      note("an argument as output", p.graph.node(output.node).kind == NodeKind::argument);
      note("a constant as output", p.graph.node(output.node).kind == NodeKind::constant);
    }
    note("a shared node", std::any_of(uses.begin(), uses.end(), [](int n) { return n > 1; }));
    note("a dead node", std::any_of(uses.begin(), uses.end(), [](int n) { return n == 0; }));
  }
  for (const auto& [what, count] : seen) EXPECT_GE(count, 5) << what;
}

TEST(Random, AReplayLineIsTheProgram) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomProgram program = random_program(seed);
    const std::string line = replay_line(program, "pass fold-constants");
    const Replay again = parse_replay(line);
    EXPECT_TRUE(equal(program.graph, again.program.graph)) << line;
    EXPECT_EQ(again.stage, "pass fold-constants");
    EXPECT_EQ(replay_line(again.program, again.stage), line);
    EXPECT_EQ(check(again.program, {.compiled = false}).has_value(), false);
  }
}

}  // namespace
}  // namespace frit::test
