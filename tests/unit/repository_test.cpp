// The pages under docs/ say what the code says: error codes, ops, passes, versions, and links that lead somewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "exec/program.hpp"
#include "frit/abi.h"
#include "frit/error.hpp"
#include "frit/version.hpp"
#include "frontends/sympy/normalise.hpp"
#include "frontends/sympy/reader_derived.hpp"
#include "ops/table.hpp"
#include "passes/passes.hpp"
#include "support/measured.hpp"

namespace frit {
namespace {

const std::filesystem::path source = FRIT_SOURCE_DIR;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> headings(const std::string& text, const std::string& marks) {
  std::vector<std::string> result;
  bool in_code = false;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("```")) in_code = !in_code;
    if (!in_code && line.starts_with(marks + " ")) result.push_back(line.substr(marks.size() + 1));
  }
  return result;
}

TEST(Errors, EveryCodeHasItsSection) {
  std::vector<std::string> codes;
  std::map<std::string, ErrorClass> classes;
#define FRIT_ERROR(id, text, error_class) \
  codes.push_back(text);                  \
  classes[text] = ErrorClass::error_class;
#include "frit/error_codes.def"
#undef FRIT_ERROR
  const std::string page = text_of(source / "docs/errors.md");
  EXPECT_EQ(headings(page, "##"), codes);
  // Each section gives the class and an example with its own code.
  const std::map<ErrorClass, std::string> names{
      {ErrorClass::user, "user"}, {ErrorClass::machine, "machine"}, {ErrorClass::internal, "internal"}};
  for (const std::string& code : codes) {
    const std::size_t begin = page.find("\n## " + code + "\n");
    ASSERT_NE(begin, std::string::npos) << code;
    const std::string section = page.substr(begin, page.find("\n## ", begin + 1) - begin);
    EXPECT_NE(section.find("Class: " + names.at(classes[code]) + "."), std::string::npos) << code;
    EXPECT_NE(section.find("error[" + code + "]: "), std::string::npos) << code;
  }
}

// The page of ops, from the table.
std::string forms_text(OpId op) {
  const OpInfo& info = info_of(op);
  if (is_composite(op)) return "composite";
  if (info.type == TypeRule::logical) return "boolean";
  std::string result;
  for (unsigned form = 0; form < 8; ++form) {
    if ((forms_of(op) >> form & 1u) == 0) continue;
    std::string letters;
    for (int i = 0; i < info.arity; ++i) {
      const bool condition = info.type == TypeRule::select && i == 0;
      letters += condition ? 'b' : (form >> i & 1u) != 0 ? 'c' : 'r';
    }
    result += (result.empty() ? "" : " ") + letters;
  }
  return result;
}

std::string number_text(double x) {
  std::ostringstream stream;
  stream << x;
  return stream.str();
}

std::string ops_page() {
  constexpr const char* types[] = {"arithmetic", "real",    "to real", "to complex",
                                   "compare",    "logical", "select",  "integer"};
  constexpr const char* costs[] = {"free", "cheap", "divide", "elementary"};
  std::string page =
      "# The ops\n\n"
      "This page is written from the list in `src/ops/list.hpp` by `FRIT_UPDATE_DOCS=1 build/tests/repository_test`, "
      "and a test\n"
      "compares the two. [add-an-op.md](add-an-op.md) says what the columns mean. A form is one letter for each "
      "operand: r real,\n"
      "c complex, b boolean. Budgets are in ulp; [numerics.md](numerics.md) defines them, "
      "subnormal is that of\n"
      "real results below the normal range, and special values are those of C99 Annex F and G but for what is named. A "
      "composite op is\n"
      "expanded into the others when a graph is built. Integer operands are of one dtype, i8 to u64; an op that raises "
      "says "
      "where it does\n"
      "in [numerics.md](numerics.md#integers).\n\n"
      "| op | operands | forms | integers | result | cost | budget, real | subnormal | complex | special values | "
      "SymPy |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (int i = 0; i < op_count(); ++i) {
    const auto op = static_cast<OpId>(i);
    const OpInfo& info = info_of(op);
    const bool any_complex =
        is_composite(op) ? info.budget.complex != 0 : (forms_of(op) & ~1u) != 0 || info.type == TypeRule::to_complex;
    page += "| `" + std::string(info.name) + "` | " + std::to_string(info.arity) + " | " + forms_text(op) + " | " +
            (can_raise(op)   ? "raises"
             : info.integers ? "yes"
                             : "") +
            " | " + types[static_cast<int>(info.type)] + " | " + costs[static_cast<int>(info.cost)] + " | " +
            number_text(info.budget.real) + " | " + number_text(info.budget.of_real(true)) + " | " +
            (any_complex ? number_text(info.budget.complex) : "") + " | " +
            (info.budget.special != nullptr ? info.budget.special : "") + " | " +
            (info.sympy != nullptr ? "`" + std::string(info.sympy) + "`" + (info.variadic ? ", n-ary" : "") : "") +
            " |\n";
  }
  page +=
      "\n## SymPy classes that stand for expressions\n\n"
      "The reader replaces each by the expression in other classes, whose rounding it then has.\n\n"
      "| SymPy | is |\n| --- | --- |\n";
  for (const srepr::DerivedClass& cls : srepr::derived_classes())
    page += "| `" + std::string(cls.name) + "` | " + std::string(cls.meaning) + " |\n";
  return page;
}

TEST(Ops, PageIsThatOfTheTable) {
  const auto path = source / "docs/ops.md";
  if (std::getenv("FRIT_UPDATE_DOCS") != nullptr) std::ofstream(path, std::ios::binary) << ops_page();
  EXPECT_EQ(text_of(path), ops_page()) << "run FRIT_UPDATE_DOCS=1 build/tests/repository_test";
}

// include/frit/functions.hpp: the ops as functions of arrays. The operators of C++ stand for those that have one.
std::string functions_header() {
  std::string text =
      "// The ops of docs/ops.md as functions of arrays and numbers, made from the op table: run\n"
      "// FRIT_UPDATE_DOCS=1 build/tests/repository_test. Errors: dtype_mismatch where an op has no form for the "
      "dtypes of its operands,\n"
      "// shape_mismatch where their shapes do not broadcast.\n"
      "#pragma once\n\n#include <initializer_list>\n\n#include \"frit/array.hpp\"\n\nnamespace frit {\nnamespace "
      "arrays {\n"
      "// The op of this number on its operands.\nArray call(int op, std::initializer_list<const Operand*> "
      "operands);\n}  // namespace arrays\n\n";
  for (int i = 0; i < op_count(); ++i) {
    const OpInfo& info = info_of(static_cast<OpId>(i));
    std::string parameters, arguments;
    for (int k = 0; k < info.arity; ++k) {
      const char name[] = {static_cast<char>('a' + k), '\0'};
      parameters += std::string(k == 0 ? "" : ", ") + "const Operand& " + name;
      arguments += std::string(k == 0 ? "&" : ", &") + name;
    }
    const std::string head = "inline Array " + std::string(info.name) + "(" + parameters + ") {";
    const std::string body = "return arrays::call(" + std::to_string(i) + ", {" + arguments + "});";
    const bool one_line = head.size() + body.size() + 3 <= 120;
    text += head + (one_line ? " " : "\n  ") + body + (one_line ? " }\n" : "\n}\n");
  }
  return text + "\n}  // namespace frit\n";
}

TEST(Ops, FunctionsAreThoseOfTheTable) {
  const auto path = source / "include/frit/functions.hpp";
  if (std::getenv("FRIT_UPDATE_DOCS") != nullptr) std::ofstream(path, std::ios::binary) << functions_header();
  EXPECT_EQ(text_of(path), functions_header()) << "run FRIT_UPDATE_DOCS=1 build/tests/repository_test";
}

// The section of a page under this heading.
std::string section_of(const std::string& page, const std::string& heading) {
  const std::size_t begin = page.find("\n## " + heading + "\n");
  EXPECT_NE(begin, std::string::npos) << heading;
  return begin == std::string::npos ? "" : page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

TEST(Ops, WhatRaisesIsExplained) {
  const std::string section = section_of(text_of(source / "docs/numerics.md"), "Integers");
  for (int i = 0; i < op_count(); ++i) {
    const OpInfo& info = info_of(static_cast<OpId>(i));
    const std::regex row("\n\\|[^|]*\\b" + std::string(info.name) + "\\b[^|]*\\|[^|]*\\| [^|]+\\|\n");
    EXPECT_EQ(std::regex_search(section, row), can_raise(static_cast<OpId>(i))) << info.name;
  }
}

TEST(Ops, DeviationsAtSpecialValuesAreExplained) {
  const std::string section = section_of(text_of(source / "docs/numerics.md"), "Special values");
  for (int i = 0; i < op_count(); ++i) {
    const OpInfo& info = info_of(static_cast<OpId>(i));
    if (info.budget.special == nullptr) continue;
    const std::regex row("\n\\|[^|]*\\b" + std::string(info.name) + "\\b[^|]*\\|");
    EXPECT_TRUE(std::regex_search(section, row)) << info.name << " has no row in the table of special values";
  }
}

// tools/accuracy writes the figures; here the table has a row for every op that there is, and none of others.
TEST(Numerics, MeasuredErrorsNameEveryOp) {
  const std::string section = section_of(text_of(source / "docs/numerics.md"), "Budgets");
  std::set<std::string> expected, found;
  for (const test::MeasuredForm& form : test::measured_forms()) {
    for (const char* dtype : {"f64", "f32"}) expected.insert("`" + form.name + "` | " + dtype);
  }
  const std::regex row("\\| (`[a-z0-9_(), ]+` \\| f[36][24]) \\|.*");
  for (const std::string& line : lines_of(section)) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    found.insert(match[1]);
    EXPECT_EQ(line.find("not measured"), std::string::npos) << line;
  }
  EXPECT_EQ(found, expected) << "run build/tests/math_accuracy --renew docs/numerics.md --ops NAMES";
}

TEST(Design, NamesThePassesInTheirOrder) {
  const std::string page = text_of(source / "docs/design.md");
  std::size_t at = page.find("## Passes");
  ASSERT_NE(at, std::string::npos);
  for (const passes::Pass& pass : passes::make_passes(exec::evaluate_constant)) {
    const std::size_t next = page.find("`" + std::string(pass.name) + "`", at);
    EXPECT_NE(next, std::string::npos) << pass.name << " is missing or stands in another order";
    if (next != std::string::npos) at = next;
  }
}

TEST(Versions, PagesAndHeadersAgree) {
  const std::string version = std::to_string(FRIT_VERSION_MAJOR) + "." + std::to_string(FRIT_VERSION_MINOR) + "." +
                              std::to_string(FRIT_VERSION_PATCH);
  EXPECT_EQ(version, FRIT_VERSION) << "include/frit/version.hpp and CMakeLists.txt differ";
  const std::string page = text_of(source / "docs/versions.md");
  EXPECT_NE(page.find("| library | " + version + " |"), std::string::npos);
  EXPECT_NE(page.find("| kernel ABI | " + std::to_string(FRIT_ABI_VERSION) + " |"), std::string::npos);
  EXPECT_NE(page.find("| rewrite table | " + std::to_string(sympy::rewrite_table_version) + " |"), std::string::npos);
}

TEST(Numerics, NamesEveryRewrite) {
  const std::string header = text_of(source / "src/frontends/sympy/normalise.hpp");
  const std::string page = text_of(source / "docs/numerics.md");
  // The names in the comment on the rewrites: lines of "//   name   what".
  const std::regex line("//   ([a-z-]+) +[^ ].*");
  int count = 0;
  for (const std::string& text : lines_of(header)) {
    std::smatch match;
    if (!std::regex_match(text, match, line)) continue;
    ++count;
    EXPECT_NE(page.find("| " + match[1].str() + " |"), std::string::npos) << match[1];
  }
  EXPECT_GE(count, 5) << "the comment in normalise.hpp has another form";
}

// The anchor that a heading gets: lower case, blanks as hyphens, other signs dropped.
std::string anchor_of(const std::string& heading) {
  std::string result;
  for (const char c : heading) {
    if (c == ' ' || c == '-') result += '-';
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') result += static_cast<char>(std::tolower(c));
  }
  return result;
}

TEST(Pages, LinksLeadSomewhere) {
  std::vector<std::filesystem::path> pages{source / "README.md", source / "examples/models/README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(source / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  const std::regex link(R"(\]\(([^)\s]+)\))");
  for (const auto& page : pages) {
    const std::string text = text_of(page);
    for (auto it = std::sregex_iterator(text.begin(), text.end(), link); it != std::sregex_iterator(); ++it) {
      const std::string target = (*it)[1];
      if (target.starts_with("http")) continue;
      const std::string file = target.substr(0, target.find('#'));
      const auto path = file.empty() ? page : page.parent_path() / file;
      EXPECT_TRUE(std::filesystem::exists(path)) << page << " links to " << target;
      if (target.find('#') == std::string::npos || !std::filesystem::exists(path)) continue;
      std::set<std::string> anchors;
      for (const char* marks : {"#", "##", "###"}) {
        for (const std::string& heading : headings(text_of(path), marks)) anchors.insert(anchor_of(heading));
      }
      EXPECT_TRUE(anchors.contains(target.substr(target.find('#') + 1))) << page << " links to " << target;
    }
  }
}

// Tables whose scripts need nothing but Python are those that the scripts write.
TEST(Tables, ScriptsWriteThem) {
  const std::string command = "python3 '" + (source / "tools/math/hard_roots.py").string() + "'";
  FILE* const pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ASSERT_EQ(pclose(pipe), 0) << command;
  EXPECT_EQ(text, text_of(source / "src/math/generated/hard_roots.hpp"));
}

TEST(Models, ExamplesAreComplete) {
  for (const char* name : {"simple-fit", "jpsi-2f0", "kmatrix-complex", "jpsi-kinematics"}) {
    for (const char* file : {"model.srepr", "data.npz", "parameters.json", "reference.npz"}) {
      EXPECT_TRUE(std::filesystem::is_regular_file(source / "examples/models" / name / file)) << name << "/" << file;
    }
  }
}

}  // namespace
}  // namespace frit
