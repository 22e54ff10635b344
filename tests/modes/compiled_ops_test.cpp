// Law 3 for machine code: every op of the table in every form, and every fused pattern, at each effort, width and target, in
// fast and full form, has the bits of the executor. Fast code may ask for the rare path, and then for the same events at
// every effort, width and target, unless roots are computed from estimates; the full form may not.
#include "support/compiled.hpp"
#include "support/compiled_graphs.hpp"

namespace frit::test {
namespace {

// A plan whose outputs depend on few functions each, its inputs and what the executor gives.
template <class T> class Subject {
 public:
  Subject(const Graph& graph, std::uint64_t seed, std::size_t n)
      : plan_(plan::make_plan(graph)), program_(plan_, exec::active_table()), n_(static_cast<std::int64_t>(n)),
        columns_(hard_columns<T>(graph, seed, n)) {
    Inputs<T> inputs(seed + 1);
    for (const GraphArgument& argument : graph.arguments()) {
      if (argument.role == Role::parameter)
        parameters_.emplace_back(inputs.next(), is_complex(argument.dtype) ? inputs.next() : T(0));
    }
    want_ = run(program_, columns_, parameters_, n_);
  }

  // The fast form is checked function by function, so a rare event of one op does not hide another op.
  void check(How how) {
    how.largest_function = 1;
    const auto kernel = compile(plan_, how);
    ASSERT_EQ(kernel->functions().size(), plan_.loop.size());
    const int step = kernel->statistics().width * (how.vectors == 2 ? 2 : 1);
    const CodeRun got = run_code<T>(program_, *kernel, columns_, parameters_, n_, step);
    if (how.full_form) {
      for (const auto& rare : got.rare) EXPECT_EQ(std::count(rare.begin(), rare.end(), 1), 0) << how.name();
    } else if (kernel->statistics().estimated_roots == 0) {
      check_rare(got, step, how.name());
    }
    compare(got, functions_of_outputs(plan_, kernel->functions().size()), how.name());
  }

  // All ops in one function, in full form: no event is left out.
  void check_together(How how) {
    how.full_form = true;
    how.largest_function = 1'000'000;
    const auto kernel = compile(plan_, how);
    ASSERT_EQ(kernel->functions().size(), 1u);
    compare(run_code<T>(program_, *kernel, columns_, parameters_, n_, kernel->statistics().width),
            functions_of_outputs(plan_, 1), "together, " + how.name());
  }

  // The rare events, one by one: those of code of width 1.
  void learn_rare() {
    const auto kernel = compile(plan_, {.effort = 0, .width = 1, .largest_function = 1});
    const CodeRun got = run_code<T>(program_, *kernel, columns_, parameters_, n_, 1);
    rare_ = got.rare;
    std::size_t ops_with_rare = 0;
    for (std::size_t step = 0; step < rare_.size(); ++step) {
      const auto count = std::count(rare_[step].begin(), rare_[step].end(), 1);
      if (count > 0) ++ops_with_rare;
      // Few of the random inputs are rare for any op, or the fast form would be worth nothing, and untested here.
      EXPECT_LT(count, n_ * 9 / 10) << info_of(plan_.loop[step].op).name;
    }
    EXPECT_EQ(ops_with_rare > 0, has_rare_ops());
  }

  const plan::Plan& plan() const { return plan_; }

 private:
  bool has_rare_ops() const {
    for (const plan::Step& step : plan_.loop) {
      if (step.fusion == FusionId::single_op && info_of(step.op).cost == CostClass::elementary) return true;
    }
    return false;
  }

  void check_rare(const CodeRun& got, int step, const std::string& name) const {
    if (rare_.empty()) return;
    for (std::size_t f = 0; f < rare_.size(); ++f) {
      for (std::size_t begin = 0; begin < rare_[f].size(); begin += static_cast<std::size_t>(step)) {
        char any = 0;
        for (std::size_t i = begin; i < begin + static_cast<std::size_t>(step); ++i) any |= rare_[f][i];
        if (any == got.rare[f][begin]) continue;
        const plan::Step& one = plan_.loop[f];
        ADD_FAILURE() << name << ": " << info_of(one.op).name << " form " << int{one.form} << ", event " << begin
                      << (any != 0 ? " is rare at width 1 and not here" : " is rare here and not at width 1");
        break;
      }
    }
  }

  // Bit for bit, NaN included: it leaves in its canonical form.
  void compare(const CodeRun& got, const std::vector<std::vector<std::size_t>>& functions,
               const std::string& name) const {
    for (std::size_t k = 0; k < plan_.outputs.size(); ++k) {
      const std::size_t element = size_of(plan_.outputs[k].dtype);
      for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i) {
        bool rare = false;
        for (std::size_t f : functions[k]) rare = rare || got.rare[f][i] != 0;
        if (rare || std::memcmp(&got.outputs[k][i * element], &want_[k][i * element], element) == 0) continue;
        const std::span<const std::byte> a(&got.outputs[k][i * element], element), b(&want_[k][i * element], element);
        std::string inputs;
        for (const Bytes& column : columns_) {
          const std::size_t size = column.size() / static_cast<std::size_t>(n_);
          for (std::size_t at = 0; at < size; at += sizeof(T)) {
            char text[40];
            std::snprintf(text, sizeof text, " %a", static_cast<double>(read_as<T>(&column[i * size + at])));
            inputs += text;
          }
        }
        const std::string difference = first_difference(a, b, plan_.outputs[k].dtype);
        ADD_FAILURE() << plan_.outputs[k].name << ", " << name_of(dtype_of<T>) << ", " << name << ", event " << i
                      << ": " << (difference.empty() ? "a NaN that is not canonical" : difference) << "; inputs"
                      << inputs;
        break;
      }
    }
  }

  plan::Plan plan_;
  exec::Program program_;
  std::int64_t n_;
  std::vector<Bytes> columns_;
  std::vector<std::complex<double>> parameters_;
  std::vector<Bytes> want_;
  std::vector<std::vector<char>> rare_;
};

template <class T> std::vector<int> widths() {
  std::vector<int> result{1, 2, 4, 8};
  if (sizeof(T) == 4) result.push_back(16);
  return result;
}

template <class T> void check_every_way(Subject<T>& subject) {
  subject.learn_rare();
  for (int effort : {0, 1, 2}) {
    for (int width : widths<T>())
      subject.check({.effort = effort, .width = width, .roots = CompileOptions::Roots::divider});
    for (const std::string& target : usable_targets()) {
      if (!target.empty() && effort != 0) subject.check({.effort = effort, .target = target});
    }
  }
  for (int width : widths<T>())
    subject.check({.effort = 1, .width = width, .vectors = 2, .roots = CompileOptions::Roots::estimate});
  for (int width : widths<T>())
    subject.check({.effort = width % 3 == 1 ? 1 : 0,
                   .width = width,
                   .roots = CompileOptions::Roots::divider,
                   .functions = CompileOptions::Functions::called});
}

template <class T> void check_full_form(Subject<T>& subject) {
  for (int width : widths<T>()) subject.check({.effort = width == 4 ? 1 : 0, .width = width, .full_form = true});
  for (const std::string& target : usable_targets()) {
    if (!target.empty()) subject.check({.effort = 2, .target = target, .full_form = true});
  }
  for (int effort : {0, 1}) subject.check_together({.effort = effort});
  subject.check_together({.effort = 0, .vectors = 2, .roots = CompileOptions::Roots::estimate});
  for (int effort : {0, 1}) subject.check_together({.effort = effort, .functions = CompileOptions::Functions::called});
}

constexpr std::size_t short_run = 4096;

template <class T> void every_op_in_fast_form(std::uint64_t seed) {
  FRIT_NEEDS_COMPILER();
  Subject<T> subject(every_op(dtype_of<T>), seed, short_run);
  check_every_way(subject);
}
template <class T> void every_op_in_full_form(std::uint64_t seed) {
  FRIT_NEEDS_COMPILER();
  Subject<T> subject(every_op(dtype_of<T>), seed, short_run);
  check_full_form(subject);
}

TEST(CompiledOps, FastFormF64) { every_op_in_fast_form<double>(1); }
TEST(CompiledOps, FastFormF32) { every_op_in_fast_form<float>(2); }
TEST(CompiledOps, FullFormF64) { every_op_in_full_form<double>(3); }
TEST(CompiledOps, FullFormF32) { every_op_in_full_form<float>(4); }

template <class T> void scalar_operands() {
  FRIT_NEEDS_COMPILER();
  for (unsigned scalars = 1; scalars < 7; ++scalars) {
    for (std::uint64_t seed = 1; seed <= (nightly() ? 50u : 1u); ++seed) {
      Subject<T> subject(every_op(dtype_of<T>, scalars), 10 * seed + scalars, short_run / 4);
      subject.check_together({.effort = 0});
      if (seed == 1) subject.check({.effort = static_cast<int>(scalars % 3)});
    }
  }
}
TEST(CompiledOps, ScalarOperandsF64) { scalar_operands<double>(); }
TEST(CompiledOps, ScalarOperandsF32) { scalar_operands<float>(); }

template <class T> void every_fused_pattern() {
  FRIT_NEEDS_COMPILER();
  Subject<T> subject(every_pattern(dtype_of<T>), 5, short_run);
  ASSERT_EQ(subject.plan().loop.size(), all_patterns.size()) << plan::print_plan(subject.plan());
  for (std::size_t k = 0; k < all_patterns.size(); ++k)
    ASSERT_EQ(static_cast<std::size_t>(subject.plan().loop[k].fusion), k);
  check_every_way(subject);
  check_full_form(subject);
}
TEST(CompiledOps, EveryFusedPatternF64) { every_fused_pattern<double>(); }
TEST(CompiledOps, EveryFusedPatternF32) { every_fused_pattern<float>(); }

// A million events an op: every form in one compilation, then many inputs.
template <class T> void a_million_events() {
  if (!nightly()) GTEST_SKIP() << "only with FRIT_NIGHTLY=1";
  FRIT_NEEDS_COMPILER();
  constexpr std::size_t n = 8192;
  for (std::uint64_t seed = 1; seed <= 1'000'000 / n + 1; ++seed) {
    Subject<T> subject(every_op(dtype_of<T>), 1000 + seed, n);
    const auto round = static_cast<int>(seed);
    const std::vector<std::string> targets = usable_targets();
    subject.check({.effort = round % 3, .target = targets[seed % targets.size()]});
    subject.check({.effort = round % 3, .target = targets[seed % targets.size()], .full_form = true});
  }
}
TEST(CompiledOps, AMillionEventsF64) { a_million_events<double>(); }
TEST(CompiledOps, AMillionEventsF32) { a_million_events<float>(); }

}  // namespace
}  // namespace frit::test
