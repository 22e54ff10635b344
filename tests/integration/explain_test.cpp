// frit explain: every stage of whole models, figures that agree with each other, and pictures that other programs can read.
#include <nlohmann/json.hpp>
#include <set>

#include "frontends/sympy/reader.hpp"
#include "graph/expr_text.hpp"
#include "program.hpp"
#include "runtime/explain.hpp"

namespace frit::test {
namespace {

using Json = nlohmann::json;

const std::vector<std::string> stages{"expression", "graph", "passes", "plan", "kernels", "ir", "assembly", "summary"};

void without_module() { setenv("FRIT_COMPILER_MODULE", "/nonexistent/frit_llvm.so", 1); }

bool has_compiler() {
  Folder folder;
  write_file(folder / "m.srepr", "sin(Symbol('x'))");
  return run({"explain", folder / "m.srepr", "--stage", "ir"}).status == 0;
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

// Where `text` is no well-formed XML of elements, attributes in double quotes, text and the five entities; else "".
std::string xml_fault(std::string_view text) {
  std::vector<std::string> open;
  bool root_seen = false;
  const auto bad_text = [](std::string_view part) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto c = static_cast<unsigned char>(part[i]);
      if (c == '<' || (c < 0x20 && c != '\n' && c != '\t')) return true;
      if (c != '&') continue;
      const std::string_view entity = part.substr(i, part.find(';', i) - i + 1);
      if (entity != "&lt;" && entity != "&gt;" && entity != "&amp;" && entity != "&quot;" && entity != "&apos;")
        return true;
    }
    return false;
  };
  std::size_t at = text.starts_with("<?xml") ? text.find("?>") + 2 : 0;
  while (at < text.size()) {
    const std::size_t tag = std::min(text.find('<', at), text.size());
    if (bad_text(text.substr(at, tag - at))) return "text at byte " + std::to_string(at);
    if (open.empty() && text.substr(at, tag - at).find_first_not_of("\n") != text.npos) return "text outside the root";
    if (tag == text.size()) break;
    std::size_t i = tag + 1;
    const bool closing = i < text.size() && text[i] == '/';
    if (closing) ++i;
    const std::size_t name_end = text.find_first_of(" />", i);
    if (name_end == text.npos || name_end == i) return "tag at byte " + std::to_string(tag);
    const std::string name(text.substr(i, name_end - i));
    i = name_end;
    std::set<std::string> attributes;
    while (i < text.size() && text[i] == ' ') {
      const std::size_t equals = text.find("=\"", ++i);
      if (equals == text.npos) return "attribute at byte " + std::to_string(i);
      const std::size_t quote = text.find('"', equals + 2);
      if (quote == text.npos || bad_text(text.substr(equals + 2, quote - equals - 2)))
        return "attribute at byte " + std::to_string(i);
      if (!attributes.insert(std::string(text.substr(i, equals - i))).second) return "an attribute twice";
      i = quote + 1;
    }
    const bool empty = i < text.size() && text[i] == '/';
    if (empty) ++i;
    if (i >= text.size() || text[i] != '>') return "end of the tag at byte " + std::to_string(tag);
    at = i + 1;
    if (closing) {
      if (open.empty() || open.back() != name) return "</" + name + "> closes nothing";
      open.pop_back();
    } else {
      if (open.empty() && root_seen) return "a second root";
      root_seen = true;
      if (!empty) open.push_back(name);
    }
  }
  return !root_seen ? "no element" : open.empty() ? "" : "<" + open.back() + "> is not closed";
}

// Statements of a dot file with its strings blanked; a fault where a string does not end on its line.
std::string dot_fault(std::string_view text) {
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && in_string) return "a string goes over the end of its line, byte " + std::to_string(i);
    if (in_string && text[i] == '\\') {
      if (text[i + 1] != '"' && text[i + 1] != '\\') return "an escape at byte " + std::to_string(i);
      ++i;
    } else if (text[i] == '"') {
      in_string = !in_string;
    }
  }
  return in_string ? "a string does not end" : "";
}

std::vector<std::string> explain_arguments(const ModelFolder& model, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"explain",      model.path / "model.srepr",    "--data", model.path / "data.npz",
                                     "--parameters", model.path / "parameters.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

class ExplainModel : public testing::TestWithParam<ModelFolder> {
 protected:
  Ended explain(const std::vector<std::string>& more) const { return run(explain_arguments(GetParam(), more)); }
  Folder folder_;
};

TEST_P(ExplainModel, EachStageAndAllOfThem) {
  const bool compiler = has_compiler();
  const Ended all = explain({"--stage", "all"});
  ASSERT_EQ(all.status, 0) << all.err;
  for (const std::string& stage : stages) {
    const Ended one = explain({"--stage", stage});
    EXPECT_NE(all.out.find("==== " + stage + "\n"), std::string::npos);
    if (!compiler && (stage == "ir" || stage == "assembly")) {
      EXPECT_EQ(one.status, 3);
      continue;
    }
    ASSERT_EQ(one.status, 0) << stage << ": " << one.err;
    EXPECT_FALSE(one.out.empty());
    const bool timed = stage == "passes" || stage == "summary";
    if (timed) continue;
    EXPECT_NE(all.out.find("==== " + stage + "\n" + one.out), std::string::npos) << stage;
  }
  if (compiler) {
    EXPECT_NE(explain({"--stage", "ir"}).out.find("define "), std::string::npos);
    EXPECT_NE(explain({"--stage", "assembly"}).out.find("frit_tile_0:"), std::string::npos);
  }
}

TEST_P(ExplainModel, FiguresAgree) {
  const bool compiler = has_compiler();
  for (const std::vector<std::string>& more : {std::vector<std::string>{},
                                               {"--dtype", "f32", "--effort", "0"},
                                               {"--mode", "eager"},
                                               {"--effort", "2", "--width", "2"}}) {
    std::vector<std::string> arguments{"--json", folder_ / "e.json", "--svg", folder_ / "e.svg",
                                       "--dot",  folder_ / "e.dot"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended result = explain(arguments);
    ASSERT_EQ(result.status, 0) << result.err;
    const Json json = Json::parse(read_file(folder_ / "e.json"));
    const std::int64_t nodes = json["nodes"]["all"];
    std::int64_t counted = 0;
    for (const auto& count : json["counts"])
      counted += count["constant"].get<std::int64_t>() + count["parameter"].get<std::int64_t>() +
                 count["column"].get<std::int64_t>();
    EXPECT_EQ(counted, nodes);
    EXPECT_EQ(json["nodes"]["constant"].get<std::int64_t>() + json["nodes"]["parameter"].get<std::int64_t>() +
                  json["nodes"]["column"].get<std::int64_t>(),
              nodes);
    std::int64_t before = json["nodes"]["traced"];
    for (const auto& pass : json["passes"]) {
      EXPECT_EQ(pass["nodes_before"], before) << pass["name"];
      EXPECT_FALSE(pass["reason"].get<std::string>().empty());
      before = pass["nodes_after"];
    }
    EXPECT_EQ(before, nodes);
    std::int64_t prologue = 0, loop = 0, fused = 0;
    for (const auto& kernel : json["kernels"]) {
      prologue += kernel["prologue_steps"].get<std::int64_t>();
      loop += kernel["loop_steps"].get<std::int64_t>();
      if (kernel["fused"]) fused += kernel["loop_steps"].get<std::int64_t>();
    }
    const Json& plan = json["plan"];
    EXPECT_EQ(plan["prologue_steps"], prologue);
    EXPECT_EQ(plan["loop_steps"], loop);
    EXPECT_EQ(plan["fused_steps"], fused);
    EXPECT_EQ(plan["live"].size(), plan["loop_steps"]);
    const auto live = plan["live"].get<std::vector<std::int64_t>>();
    const std::int64_t most = live.empty() ? 0 : *std::max_element(live.begin(), live.end());
    EXPECT_GE(plan["most_live"], most);
    EXPECT_LE(plan["most_live"], plan["buffers"]);
    EXPECT_GT(json["executor"]["scratch_bytes"], 0);
    const bool eager = json["mode"] == "eager";
    EXPECT_EQ(json["code"].is_object(), compiler && !eager);
    EXPECT_EQ(json["no_code"].is_string(), !compiler || eager);
    if (compiler && !eager) {
      const Json& code = json["code"];
      EXPECT_GT(code["instructions"], 0);
      EXPECT_LE(code["spills"].get<std::int64_t>() + code["reloads"].get<std::int64_t>(), code["instructions"]);
      EXPECT_GT(code["operations"], 0);
      EXPECT_GT(code["code_bytes"], 0);
      for (const char* key : {"emit_s", "optimise_s", "codegen_s", "link_s"}) EXPECT_GE(code[key], 0) << key;
      if (std::find(more.begin(), more.end(), "--width") != more.end()) {
        EXPECT_EQ(code["width"], 2);
      }
    }

    const std::string svg = read_file(folder_ / "e.svg"), dot = read_file(folder_ / "e.dot");
    EXPECT_EQ(xml_fault(svg), "");
    if (nodes <= 400) {
      EXPECT_EQ(count_of(svg, "class=\"node\""), static_cast<std::size_t>(nodes));
      EXPECT_EQ(count_of(svg, "class=\"output\""), json["outputs"]);
    } else {
      EXPECT_NE(svg.find("Overview of the plan: the graph has " + std::to_string(nodes) + " nodes"), std::string::npos);
    }
    EXPECT_EQ(dot_fault(dot), "");
    EXPECT_EQ(count_of(dot, "tooltip="), static_cast<std::size_t>(nodes));
    EXPECT_EQ(count_of(dot, "  out"), json["outputs"]);
  }
}

TEST_P(ExplainModel, WithoutTheModule) {
  for (const std::string& stage : stages) {
    const Ended result = run(explain_arguments(GetParam(), {"--stage", stage}), without_module);
    if (stage == "ir" || stage == "assembly") {
      EXPECT_EQ(result.status, 3);
      EXPECT_NE(result.err.find("error[compiler-missing]"), std::string::npos) << result.err;
      EXPECT_EQ(result.out, "");
    } else {
      EXPECT_EQ(result.status, 0) << result.err;
    }
  }
  const Ended all =
      run(explain_arguments(GetParam(), {"--stage", "all", "--json", folder_ / "e.json"}), without_module);
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_NE(all.out.find("==== ir\nnone: there is no compiler module"), std::string::npos);
  const Json json = Json::parse(read_file(folder_ / "e.json"));
  EXPECT_TRUE(json["code"].is_null());
  EXPECT_NE(json["no_code"].get<std::string>().find("/nonexistent/frit_llvm.so"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Models, ExplainModel, testing::ValuesIn(model_folders()),
                         [](const auto& param_info) { return param_info.param.name; });

class Explain : public testing::Test {
 protected:
  std::string write_model(const std::string& text) const {
    write_file(folder_ / "m.srepr", text);
    return folder_ / "m.srepr";
  }
  Folder folder_;
};

TEST_F(Explain, NamesAreEscaped) {
  const std::string model = write_model(
      R"(Add(Symbol('<b> & "c" \\alpha\'s'), Symbol('line\nbreak'), Symbol('\x01\u00e9\uffff'), Symbol('m_{12}')))");
  const Ended result =
      run({"explain", model, "--stage", "expression", "--svg", folder_ / "e.svg", "--dot", folder_ / "e.dot"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "note: without --data the 4 symbols that are no parameters are real columns\n");
  EXPECT_NE(result.out.find(R"("<b> & \"c\" \\alpha's")"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(R"("line\x0abreak")"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("m_{12}"), std::string::npos) << result.out;
  const std::string svg = read_file(folder_ / "e.svg"), dot = read_file(folder_ / "e.dot");
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_NE(svg.find("&lt;b&gt; &amp; &quot;c&quot; \\alpha's"), std::string::npos) << svg;
  EXPECT_NE(svg.find("line\\x0abreak"), std::string::npos) << svg;
  EXPECT_NE(svg.find("\\x01\u00e9\\xef\\xbf\\xbf"), std::string::npos) << svg;
  EXPECT_EQ(dot_fault(dot), "");
  EXPECT_NE(dot.find(R"(label="<b> &amp; \"c\" \\alpha's")"), std::string::npos) << dot;
}

TEST_F(Explain, Expressions) {
  const auto text = [](const char* srepr) { return print_expression(read_srepr(srepr)); };
  EXPECT_EQ(text("Symbol('x')"), "output = x\n");
  EXPECT_EQ(text("Add(Mul(Integer(-1), Symbol('a')), Symbol('x'))"), "output = -a + x\n");
  EXPECT_EQ(text("Add(Symbol('x'), Mul(Rational(-1, 2), Symbol('a')))"), "output = x - 1/2*a\n");
  EXPECT_EQ(text("Mul(Integer(-1), Rational(1, 2), Add(Symbol('x'), Symbol('y')))"), "output = -1/2*(x + y)\n");
  EXPECT_EQ(text("Pow(Add(Symbol('x'), Integer(1)), Rational(1, 2))"), "output = (x + 1)**(1/2)\n");
  EXPECT_EQ(text("Pow(Pow(Symbol('x'), Symbol('y')), Integer(-2))"), "output = (x**y)**(-2)\n");
  EXPECT_EQ(text("Mul(Symbol('x'), Mul(Integer(2), Symbol('y')))"), "output = x*(2*y)\n");
  EXPECT_EQ(text("Tuple(sin(Symbol('x')), Pow(sin(Symbol('x')), Integer(2)), sin(Symbol('x')))"),
            "%1 = sin(x)\noutput_0 = %1\noutput_1 = %1**2\noutput_2 = %1\n");
  EXPECT_EQ(text("Symbol('2x')"), "output = \"2x\"\n");
  EXPECT_EQ(text("Symbol('x + y')"), "output = \"x + y\"\n");
}

// Doubled sixty times over, and nested far deeper than a stack allows.
TEST_F(Explain, ExpressionsOfLinearSize) {
  std::string shared = "Symbol('x')";
  std::string cse = "([";
  for (int i = 0; i < 60; ++i) {
    const std::string name = "Symbol('t" + std::to_string(i) + "')";
    cse += "(" + name + ", Mul(" + shared + ", sin(" + shared + "))), ";
    shared = name;
  }
  EXPECT_LT(print_expression(read_srepr(cse + "], [" + shared + "])")).size(), 60u * 60u);
  constexpr std::size_t depth = 100000;
  std::string deep, closing;
  for (std::size_t i = 0; i < depth; ++i) deep += "sin(";
  deep += "Symbol('x')" + std::string(depth, ')');
  const std::string text = print_expression(read_srepr(deep));
  EXPECT_LT(text.size(), 12 * depth);
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  EXPECT_LT(longest, 200u);
}

TEST_F(Explain, BadOptions) {
  const std::string model = write_model("sin(Symbol('x'))");
  EXPECT_EQ(run({"explain", model, "--stage", "nothing"}).status, 2);
  EXPECT_EQ(run({"explain", model, "--effort", "3"}).status, 2);
  EXPECT_EQ(run({"explain", model, "--width", "3"}).status, 2);
  EXPECT_EQ(run({"explain", model, "--target", "z80"}).status, 2);
  EXPECT_EQ(run({"explain", model, "--svg", model}).status, 2);
  EXPECT_EQ(run({"explain", model, "--svg", folder_ / "a", "--dot", folder_ / "a"}).status, 2);
  EXPECT_EQ(run({"explain", model, "--stage", "plan", "--svg", folder_ / "none" / "a.svg"}).status, 3);
  EXPECT_EQ(read_file(model), "sin(Symbol('x'))");
  EXPECT_EQ(folder_.files(), 1u);
}

TEST_F(Explain, CountsInAssembly) {
  const runtime::LoopCode code = runtime::count_loop(
      "\t.text\n"
      "frit_tile_0:\n"
      "\tpushq\t%rbp\n"
      "\tmovq\t%rdx, -8(%rsp)\n"  // before the loop
      ".LBB0_1:                     # %loop\n"
      "\tvmovupd\t(%rdi,%rax,8), %zmm0\n"
      "\tvmovupd\t%zmm0, 64(%rsp)   # 64-byte Spill\n"
      "\tvaddpd\t64(%rsp), %zmm1, %zmm0\n"
      "\tvmovupd\t(%rbp,%rdx,8), %zmm3\n"  // %rbp is no frame pointer here
      "\tvmovups\t128(%rsp), %zmm2  # 64-byte Reload\n"
      "\tvcmppd\t$1, 64(%rsp), %zmm1, %k1\n"
      "\tcmpq\t%rcx, %rax\n"
      "\tjl\t.LBB0_1\n"
      "\tjmp\t.LBB0_2\n"
      ".LBB0_2:\n"
      "\tmovq\t-8(%rsp), %rdx\n"
      "\tretq\n"
      "frit_tile_1:\n"
      "\tmovq\t%rsp, %rbp\n"
      ".LBB1_1:\n"
      "\tmovq\t%rax, -16(%rbp)\n"
      "\tjne\t.LBB1_1\n");
  EXPECT_EQ(code.instructions, 10);
  EXPECT_EQ(code.spills, 2);
  EXPECT_EQ(code.reloads, 3);
}

}  // namespace
}  // namespace frit::test
