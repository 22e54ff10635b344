// What the compiler writes: no call of any function but its own, no fast-math flag, no contraction, code for the target that was asked for.
#include <cctype>
#include <set>

#include "support/compiled.hpp"
#include "support/compiled_graphs.hpp"

namespace frit::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

// The symbols that the assembly uses and does not define, and its calls.
std::set<std::string> undefined_symbols(const std::string& assembly) {
  std::set<std::string> defined, used;
  for (const std::string& line : lines_of(assembly)) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != '\t') {
      defined.insert(line.substr(0, line.find(':')));
      continue;
    }
    const std::size_t tab = line.find('\t', 1);
    if (line[1] == '.' || tab == std::string::npos) continue;  // a directive, or no operands
    // A call of a function of its own is one of a name; through a register it could be of anything.
    if (line.starts_with("\tcall") && std::isalpha(static_cast<unsigned char>(line[tab + 1])) == 0)
      used.insert("a call: " + line.substr(1));
    // Symbols stand in the operands of calls, jumps and addresses; registers begin with %, literals with $ or a digit.
    for (std::size_t at = tab + 1; at < line.size() && line[at] != '#';) {
      const char mark = line[at - 1];
      std::size_t end = at;
      while (end < line.size() && in_name(line[end])) ++end;
      const bool name = end > at && std::isdigit(static_cast<unsigned char>(line[at])) == 0;
      if (name && mark != '%' && mark != '$' && mark != '{') used.insert(line.substr(at, end - at));
      at = end + 1;
    }
  }
  std::set<std::string> result;
  for (const std::string& name : used) {
    if (!defined.contains(name)) result.insert(name);
  }
  return result;
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + "; ";
  return text;
}

void check_text(const plan::Plan& plan, const How& how) {
  How with_text = how;
  with_text.keep_text = true;
  const auto kernel = compile(plan, with_text);
  ASSERT_FALSE(kernel->assembly().empty());
  EXPECT_EQ(joined(undefined_symbols(kernel->assembly())), "") << how.name();
  // Every function that the IR declares is an intrinsic, and no operation has a flag that allows other bits.
  for (const std::string& line : lines_of(kernel->ir())) {
    if (line.starts_with("declare ")) {
      EXPECT_EQ(line.substr(line.find('@'), 6), "@llvm.") << line;
      EXPECT_EQ(line.find("fmuladd"), std::string::npos) << line;
    }
    if (line.starts_with("attributes ")) {
      for (const char* word : {"fp-math", "denormal"}) EXPECT_EQ(line.find(word), std::string::npos) << line;
    }
    for (const char* flag : {" fast ", " contract ", " reassoc ", " nnan ", " ninf ", " nsz ", " arcp ", " afn "})
      ASSERT_EQ(line.find(flag), std::string::npos) << line;
  }
}

TEST(LlvmObject, NoForeignCallAndNoFastMathInAnyOpOrForm) {
  FRIT_NEEDS_COMPILER();
  for (DType dtype : {DType::f64, DType::f32}) {
    const plan::Plan plan = plan::make_plan(every_op(dtype));
    for (bool full_form : {false, true}) {
      int effort = 0;
      for (const std::string& target : usable_targets())
        check_text(plan, {.effort = effort++ % 3, .target = target, .full_form = full_form, .largest_function = 2000});
      check_text(plan, {.effort = 0, .width = 1, .full_form = full_form, .largest_function = 2000});
      for (int calls_at : {0, 1})
        check_text(plan, {.effort = calls_at,
                          .full_form = full_form,
                          .largest_function = 2000,
                          .functions = CompileOptions::Functions::called});
    }
  }
}

TEST(LlvmObject, TheScannerSeesSymbols) {
  EXPECT_EQ(joined(undefined_symbols("f:\n\tvmovups\t(%rdi), %zmm0\n\tjmp\t.LBB0_1\n.LBB0_1:\n\tret\n")), "");
  EXPECT_EQ(joined(undefined_symbols("f:\n\tcallq\tsin@PLT\n")), "PLT; sin; ");
  EXPECT_EQ(joined(undefined_symbols("f:\n\tcallq\t*%rax\n")), "a call: callq\t*%rax; ");
  EXPECT_EQ(joined(undefined_symbols("g:\n\tret\nf:\n\tcallq\tg\n")), "");
  EXPECT_EQ(joined(undefined_symbols("f:\n\tjmp\tpow\n")), "pow; ");
  EXPECT_EQ(joined(undefined_symbols("f:\n\tmovq\ttable@GOTPCREL(%rip), %rax\n")), "GOTPCREL; table; ");
}

// A product and a sum stay two operations: only templates fuse, and these have none.
TEST(LlvmObject, NoContraction) {
  FRIT_NEEDS_COMPILER();
  for (DType dtype : {DType::f64, DType::f32}) {
    Graph graph(dtype);
    const auto column = [&](const char* name) {
      return trace::Traced(graph, graph.add_argument(name, dtype, Role::column));
    };
    const trace::Traced a = column("a"), b = column("b"), c = column("c"), d = column("d");
    int k = 0;
    for (const trace::Traced& x :
         {a * b + c, a * b - d, d - b * c, a * b + c * d, a * d - b * c, -(a * c) - b, -(b * d) + a})
      graph.add_output(std::to_string(k++), x.id());
    for (bool fuse : {false, true}) {
      const plan::Plan plan = plan::make_plan(graph, {.fuse = fuse});
      for (int effort : {0, 1, 2}) {
        for (const std::string& target : usable_targets()) {
          const auto kernel = compile(plan, {.effort = effort, .target = target, .keep_text = true});
          for (const char* fused : {"vfma", "vfms", "vfnm"})
            EXPECT_EQ(kernel->assembly().find(fused), std::string::npos) << fused;
          EXPECT_NE(kernel->assembly().find("vmulp"), std::string::npos);
          EXPECT_EQ(kernel->ir().find("llvm.fma"), std::string::npos);
        }
      }
    }
  }
}

TEST(LlvmObject, TheCodeIsForItsTargetAndWidth) {
  FRIT_NEEDS_COMPILER();
  const plan::Plan plan = plan::make_plan(every_op(DType::f64));
  for (const std::string& target : usable_targets()) {
    for (int width : {0, 4, 8}) {
      const auto kernel =
          compile(plan, {.width = width, .target = target, .largest_function = 2000, .keep_text = true});
      const bool wide = kernel->assembly().find("%zmm") != std::string::npos;
      if (target == "x86-64-v3") {
        EXPECT_FALSE(wide);
        EXPECT_EQ(kernel->assembly().find("%k1"), std::string::npos);
      }
      if (target == "x86-64-v4") {
        EXPECT_EQ(wide, width == 8 || width == 0) << width;
      }
      EXPECT_EQ(kernel->statistics().width, width != 0              ? width
                                            : target == "x86-64-v3" ? 4
                                                                    : kernel->statistics().width);
      EXPECT_GT(kernel->statistics().operations, 1000);
      EXPECT_GT(kernel->statistics().code_bytes, 10'000);
      EXPECT_EQ(kernel->statistics().functions, static_cast<std::int64_t>(kernel->functions().size()));
    }
  }
}

// One plan and one set of options give one text, whatever was compiled before and on how many threads.
TEST(LlvmObject, CompilationIsRepeatable) {
  FRIT_NEEDS_COMPILER();
  const plan::Plan plan = plan::make_plan(every_op(DType::f64));
  const auto once = compile(plan, {.largest_function = 300, .keep_text = true});
  const auto again = compile(plan, {.largest_function = 300, .threads = 3, .keep_text = true});
  EXPECT_TRUE(once->ir() == again->ir());
  EXPECT_TRUE(once->assembly() == again->assembly());
}

}  // namespace
}  // namespace frit::test
