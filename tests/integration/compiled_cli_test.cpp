// Modes compiled and auto as the command runs them: the file of graph mode byte by byte at every setting, what the report
// says, and what happens where there is no compiler or no patience.
#include <chrono>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace frit::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

std::function<void()> with_module(const std::string& path) {
  return [path] { setenv("FRIT_COMPILER_MODULE", path.c_str(), 1); };
}

Words joined(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

bool has_compiler() {
  Folder folder;
  write_file(folder / "m.srepr", "sin(Symbol('x'))");
  return run({"explain", folder / "m.srepr", "--stage", "ir"}).status == 0;
}

class CompiledModel : public testing::TestWithParam<ModelFolder> {
 protected:
  Folder folder_;
};

TEST_P(CompiledModel, TheSameFileAsGraphMode) {
  if (!has_compiler()) GTEST_SKIP() << "this build has no compiler";
  for (const std::string dtype : {"f64", "f32"}) {
    ASSERT_EQ(run(eval_arguments(GetParam(), folder_ / "graph.npz", {"--dtype", dtype})).status, 0);
    const std::string expected = read_file(folder_ / "graph.npz");
    std::vector<Words> variants{{"--mode", "auto"},
                                {"--mode", "auto", "--chunk", "100"},
                                {"--mode", "compiled"},
                                {"--mode", "compiled", "--threads", "2", "--chunk", "613"},
                                {"--mode", "compiled", "--tile", "64"},
                                {"--mode", "compiled", "--effort", "0"},
                                {"--mode", "compiled", "--effort", "2"},
                                {"--mode", "compiled", "--target", "x86-64-v3"},
                                {"--mode", "compiled", "--target", "x86-64-v3", "--effort", "0"},
                                {"--mode", "compiled", "--target", "x86-64-v4"},
                                {"--mode", "compiled", "--isa", "v3"}};
    for (const std::string width : {"1", "2", "4", "8"})
      variants.push_back({"--mode", "compiled", "--effort", "0", "--width", width});
    if (dtype == "f32") variants.push_back({"--mode", "compiled", "--width", "16"});
    for (const Words& variant : variants) {
      const Ended result = run(eval_arguments(GetParam(), folder_ / "other.npz", joined(variant, {"--dtype", dtype})));
      if (result.status == 3 && result.err.find("error[cpu-unsupported]") != std::string::npos) continue;
      ASSERT_EQ(result.status, 0) << testing::PrintToString(variant) << result.err;
      EXPECT_TRUE(read_file(folder_ / "other.npz") == expected) << dtype << ": " << testing::PrintToString(variant);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, CompiledModel, testing::ValuesIn(model_folders()),
                         [](const auto& param_info) { return param_info.param.name; });

class CompiledCli : public testing::Test {
 protected:
  void SetUp() override {
    std::string text = "sin(Mul(Symbol('a'), Symbol('x')))";
    for (int i = 0; i < 10; ++i) text = "exp(sin(" + text + "))";
    write_file(folder_ / "m.srepr", text);
    write_file(folder_ / "p.json", R"({"a": 2.5})");
    write_data(1000);
  }
  void write_data(std::size_t events) const {
    std::vector<double> x(events);
    for (std::size_t i = 0; i < events; ++i) x[i] = 0.001 * static_cast<double>(i);
    write_file(folder_ / "x.npy", io::test::npy_f64(x));
  }
  Words arguments(const Words& more) const {
    return joined({"eval", folder_ / "m.srepr", "--data", folder_ / "x.npy", "--parameters", folder_ / "p.json",
                   "--output", folder_ / "out.npz"},
                  more);
  }
  // The report of a run that succeeds.
  Json report(const Words& more, const std::function<void()>& in_child = {}) {
    const Ended result = run(arguments(joined(more, {"--report", folder_ / "r.json"})), in_child);
    EXPECT_EQ(result.status, 0) << result.err;
    err_ = result.err;
    return Json::parse(read_file(folder_ / "r.json"));
  }
  // A model that takes many seconds to compile.
  void write_large_model() const {
    std::string text = "Add(";
    for (int i = 1; i <= 6000; ++i)
      text += "exp(sin(Mul(Integer(" + std::to_string(i) + "), Symbol('a'), Symbol('x')))), ";
    write_file(folder_ / "m.srepr", text + "Integer(1))");
  }
  // Sends SIGINT once the module is open, and returns the seconds until the command has ended.
  double interrupt(const Words& command);
  Folder folder_;
  std::string err_;
};

TEST_F(CompiledCli, ReportsWhatRan) {
  if (!has_compiler()) GTEST_SKIP() << "this build has no compiler";
  for (const int effort : {0, 1, 2}) {
    const Json json = report({"--mode", "compiled", "--effort", std::to_string(effort), "--width", "2"});
    EXPECT_EQ(json["mode_asked"], "compiled");
    EXPECT_EQ(json["mode_used"], "compiled");
    EXPECT_EQ(json["effort"], effort);
    EXPECT_EQ(json["width"], 2);
    EXPECT_FALSE(json["target"].get<std::string>().empty());
    EXPECT_EQ(json["calls"]["compiled"], 1);
    EXPECT_EQ(json["calls"]["graph"], 0);
    EXPECT_GT(json["compile_s"], 0);
    const Json& code = json["code"];
    for (const char* key : {"emit_s", "optimise_s", "codegen_s", "link_s"}) EXPECT_GE(code[key], 0) << key;
    for (const char* key : {"operations", "functions", "code_bytes"}) EXPECT_GT(code[key], 0) << key;
    EXPECT_EQ(err_, "");
  }
  EXPECT_EQ(report({"--mode", "compiled", "--target", "x86-64-v3"})["target"], "x86-64-v3");
  const Json graph = report({"--mode", "graph"});
  EXPECT_EQ(graph["mode_used"], "graph");
  EXPECT_TRUE(graph["width"].is_null() && graph["target"].is_null() && graph["code"].is_null());
  EXPECT_EQ(graph["compile_s"], 0);
}

TEST_F(CompiledCli, SettingsThatMeanNothingAreNoted) {
  report({"--mode", "graph", "--effort", "2"});
  EXPECT_EQ(err_, "note: --effort, --width and --target mean nothing in mode graph\n");
  for (const Words& wrong :
       {Words{"--effort", "3"}, {"--effort", "x"}, {"--width", "3"}, {"--width", "32"}, {"--target", "v5"}}) {
    const Ended result = run(arguments(joined({"--mode", "compiled"}, wrong)));
    EXPECT_EQ(result.status, 2) << testing::PrintToString(wrong);
    EXPECT_NE(result.err.find("error[usage]"), std::string::npos);
  }
  if (!has_compiler()) return;
  EXPECT_EQ(run(arguments({"--mode", "compiled", "--width", "16"})).status, 2);  // of f64
}

// Calls before and after the code is ready give the file that graph mode gives.
TEST_F(CompiledCli, AutoChangesToMachineCodeBetweenCalls) {
  if (!has_compiler()) GTEST_SKIP() << "this build has no compiler";
  write_data(2000000);
  report({"--mode", "graph"});
  const std::string expected = read_file(folder_ / "out.npz");
  const Json json = report({"--mode", "auto", "--chunk", "20000"});
  EXPECT_TRUE(read_file(folder_ / "out.npz") == expected);
  EXPECT_EQ(json["calls"]["graph"].get<int>() + json["calls"]["compiled"].get<int>(), 100);
  EXPECT_GE(json["calls"]["graph"], 1);
  EXPECT_EQ(json["mode_used"], json["calls"]["compiled"] > 0 ? "compiled" : "graph");
}

TEST_F(CompiledCli, BenchNamesWhatRan) {
  if (!has_compiler()) GTEST_SKIP() << "this build has no compiler";
  const Ended result = run({"bench", folder_ / "m.srepr", "--data", folder_ / "x.npy", "--parameters",
                            folder_ / "p.json", "--modes", "graph,compiled,auto", "--dtypes", "f64,f32", "--samples",
                            "3", "--min-time", "0", "--json", folder_ / "rows.json"});
  ASSERT_EQ(result.status, 0) << result.err;
  for (const auto& row : Json::parse(read_file(folder_ / "rows.json"))) {
    EXPECT_EQ(row["mode_used"], row["mode"] == "graph" ? "graph" : "compiled");
    EXPECT_EQ(row["width"].is_null(), row["mode"] == "graph");
    EXPECT_EQ(row["differing"], 0);
    // The first call of auto does not wait for the compilation.
    if (row["mode"] == "graph") continue;
    const bool waits = row["first_s"] >= row["compile_s"];
    EXPECT_EQ(waits, row["mode"] == "compiled");
  }
}

TEST_F(CompiledCli, WithoutTheModule) {
  const auto missing = with_module("/nonexistent/frit_llvm.so");
  const std::size_t before = folder_.files();
  const Ended compiled = run(arguments({"--mode", "compiled"}), missing);
  EXPECT_EQ(compiled.status, 3);
  EXPECT_NE(compiled.err.find("error[compiler-missing]: "), std::string::npos) << compiled.err;
  EXPECT_NE(compiled.err.find("/nonexistent/frit_llvm.so"), std::string::npos) << compiled.err;
  const Ended strict = run(arguments({"--mode", "auto", "--strict"}), missing);
  EXPECT_EQ(strict.status, 3);
  EXPECT_NE(strict.err.find("error[mode-unavailable]: "), std::string::npos) << strict.err;
  EXPECT_EQ(folder_.files(), before);
  const Json json = report({"--mode", "auto"}, missing);
  EXPECT_EQ(json["mode_used"], "graph");
  EXPECT_EQ(json["mode_asked"], "auto");
  EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1);
  EXPECT_TRUE(err_.starts_with("note: mode auto stays on the graph: there is no compiler module")) << err_;
  const Ended bench = run({"bench", folder_ / "m.srepr", "--data", folder_ / "x.npy", "--parameters",
                           folder_ / "p.json", "--modes", "auto", "--samples", "1", "--min-time", "0"},
                          missing);
  EXPECT_EQ(bench.status, 0) << bench.err;
  EXPECT_NE(bench.out.find("auto>graph"), std::string::npos) << bench.out;
}

TEST_F(CompiledCli, AModuleThatIsNone) {
  write_file(folder_ / "garbage.so", std::string(5000, 'x'));
  const auto garbage = with_module(folder_ / "garbage.so");
  const Ended compiled = run(arguments({"--mode", "compiled"}), garbage);
  EXPECT_EQ(compiled.status, 3);
  EXPECT_NE(compiled.err.find("error[compiler-missing]: "), std::string::npos) << compiled.err;
  EXPECT_EQ(run(arguments({"--mode", "auto", "--strict"}), garbage).status, 3);
  // Found out only where compiling is due, so on enough events; then it is noted.
  write_data(400000);
  EXPECT_EQ(report({"--mode", "auto", "--chunk", "10000"}, garbage)["mode_used"], "graph");
  EXPECT_NE(err_.find("note: mode auto stays on the graph: "), std::string::npos) << err_;
}

double CompiledCli::interrupt(const Words& command) {
  const Program program(command);
  const std::string maps = "/proc/" + std::to_string(program.pid()) + "/maps";
  const timespec pause{0, 10000000};
  bool open = false;
  for (int i = 0; i < 3000 && !open; ++i) {
    nanosleep(&pause, nullptr);
    std::ifstream file(maps);
    open = std::string(std::istreambuf_iterator<char>(file), {}).find("frit_llvm.so") != std::string::npos;
  }
  EXPECT_TRUE(open) << "the module was not opened";
  const timespec working{0, 300000000};
  nanosleep(&working, nullptr);
  const auto start = std::chrono::steady_clock::now();
  kill(program.pid(), SIGINT);
  const Ended result = program.wait();
  EXPECT_EQ(result.status, 130) << result.err;
  EXPECT_EQ(result.err, "frit: error[cancelled]: interrupted; nothing was written\n");
  EXPECT_EQ(result.out, "");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST_F(CompiledCli, AnInterruptionDoesNotWaitForTheCompilation) {
  if (!has_compiler()) GTEST_SKIP() << "this build has no compiler";
  write_large_model();
  const std::size_t before = folder_.files();
  EXPECT_LT(interrupt(arguments({"--mode", "compiled", "--effort", "2", "--report", folder_ / "r.json"})), 2);
  EXPECT_EQ(folder_.files(), before);
  EXPECT_LT(interrupt({"explain", folder_ / "m.srepr", "--effort", "2", "--json", folder_ / "e.json"}), 2);
  EXPECT_EQ(folder_.files(), before);
  // In mode auto the calls go on while the code is made.
  write_data(2000000);
  EXPECT_LT(interrupt(arguments({"--mode", "auto", "--effort", "2", "--chunk", "1000"})), 5);
  EXPECT_EQ(folder_.files(), before);
}

}  // namespace
}  // namespace frit::test
