// The cache of compiled kernels as the command shows it.
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace frit::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

class CacheCli : public testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_ / "m.srepr", "Mul(sin(Mul(Symbol('a'), Symbol('x'))), Integer(3))");
    write_file(folder_ / "p.json", R"({"a": 2.5})");
    write_file(folder_ / "x.npy", io::test::npy_f64({0.5, 1.5, 2.5}));
    if (run({"explain", folder_ / "m.srepr", "--stage", "ir"}).status != 0)
      GTEST_SKIP() << "this build has no compiler";
  }
  static std::function<void()> with_cache(const std::string& folder, const char* on = "1") {
    return [folder, on] {
      setenv("FRIT_CACHE", on, 1);
      setenv("FRIT_CACHE_DIR", folder.c_str(), 1);
    };
  }
  Ended frit(const Words& words, const char* on = "1") { return run(words, with_cache(folder_ / "cache", on)); }
  // Whether the code of an evaluation came from the cache.
  bool from_cache(const Words& more = {}) {
    Words words{"eval",     folder_ / "m.srepr", "--data", folder_ / "x.npy", "--parameters", folder_ / "p.json",
                "--output", folder_ / "out.npz", "--mode", "compiled",        "--report",     folder_ / "r.json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ended result = frit(words);
    EXPECT_EQ(result.status, 0) << result.err;
    err_ = result.err;
    return Json::parse(read_file(folder_ / "r.json"))["code"]["from_cache"];
  }
  std::filesystem::path only_kernel() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "cache")) return entry.path();
    return {};
  }
  Folder folder_;
  std::string err_;
};

TEST_F(CacheCli, EvalKeepsAndTakesKernels) {
  EXPECT_FALSE(from_cache({"--no-cache"}));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cache"));
  EXPECT_FALSE(from_cache());
  const std::string expected = read_file(folder_ / "out.npz");
  EXPECT_TRUE(from_cache());
  EXPECT_TRUE(read_file(folder_ / "out.npz") == expected);
  EXPECT_FALSE(from_cache({"--no-cache"}));
  EXPECT_FALSE(from_cache({"--dtype", "f32"}));
  EXPECT_FALSE(from_cache({"--effort", "2"}));
  EXPECT_TRUE(from_cache({"--threads", "2"}));
  EXPECT_EQ(err_, "");
}

TEST_F(CacheCli, ADamagedKernelIsANote) {
  EXPECT_FALSE(from_cache());
  const std::string path = only_kernel();
  std::string text = read_file(path);
  text.back() = static_cast<char>(text.back() ^ 1);
  write_file(path, text);
  EXPECT_FALSE(from_cache());
  EXPECT_EQ(err_, "note: the cached kernel \"" + path + "\" is ignored: its checksum is wrong\n");
  EXPECT_TRUE(from_cache());
  EXPECT_EQ(err_, "");
}

TEST_F(CacheCli, ShowsAndClears) {
  const std::string folder = folder_ / "cache";
  EXPECT_EQ(frit({"cache"}).out, "folder   " + folder + "\nkernels  0\nbytes    0 of at most 268435456\n");
  (void)from_cache();
  (void)from_cache({"--dtype", "f32"});
  const std::string shown = frit({"cache"}).out;
  EXPECT_NE(shown.find("\nkernels  2\n"), std::string::npos) << shown;
  EXPECT_NE(frit({"cache"}, "0").out.find("off      FRIT_CACHE is 0\n"), std::string::npos);
  write_file(folder + "/other", "not ours");
  const Ended cleared = frit({"cache", "--clear"});
  EXPECT_EQ(cleared.status, 0);
  EXPECT_TRUE(cleared.out.starts_with("removed 2 kernels of ")) << cleared.out;
  EXPECT_EQ(only_kernel(), folder + "/other");
  EXPECT_EQ(frit({"cache", "--clear"}).out, "removed 0 kernels of 0 bytes from \"" + folder + "\"\n");
  const Ended nowhere = run({"cache"}, [] {
    for (const char* name : {"FRIT_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}) unsetenv(name);
    setenv("FRIT_CACHE", "1", 1);
  });
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_NE(nowhere.err.find("error[usage]: there is no cache: "), std::string::npos) << nowhere.err;
}

TEST_F(CacheCli, ExplainSaysWhetherThereIsOne) {
  const auto line = [&](const char* on = "1") {
    const std::string out =
        frit({"explain", folder_ / "m.srepr", "--data", folder_ / "x.npy", "--parameters", folder_ / "p.json"}, on).out;
    const std::size_t at = out.find("\ncache ");
    return at == std::string::npos ? out : out.substr(at + 14, out.find('\n', at + 1) - at - 14);
  };
  EXPECT_EQ(line(), "not kept yet");
  (void)from_cache();
  EXPECT_EQ(line(), "in " + only_kernel().string());
  EXPECT_EQ(line("0"), "off: FRIT_CACHE is 0");
}

// What bench measures is the compilation.
TEST_F(CacheCli, BenchKeepsNothing) {
  EXPECT_EQ(frit({"bench", folder_ / "m.srepr", "--data", folder_ / "x.npy", "--parameters", folder_ / "p.json",
                  "--modes", "compiled,auto", "--samples", "1", "--min-time", "0"})
                .status,
            0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cache"));
}

}  // namespace
}  // namespace frit::test
