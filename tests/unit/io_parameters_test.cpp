// Parameters from JSON.
#include <cfenv>

#include "io/parameters.hpp"
#include "unit/io_images.hpp"

namespace frit::io::test {
namespace {

TEST(IoParameters, NumbersAndPairsInTheOrderOfTheFile) {
  const Parameters p = parse_parameters(
      R"({"z_{1}, \\left[x\\right]": [0.5, -2], "a": 3, "b": -1.5e-3, "big": 9007199254740993, "huge": 100000000000000000000000, "σ": -0.0})",
      "p.json");
  ASSERT_EQ(p.size(), 6u);
  EXPECT_EQ(p[0].first, "z_{1}, \\left[x\\right]");
  EXPECT_TRUE(p[0].second.complex);
  EXPECT_EQ(p[0].second.re, 0.5);
  EXPECT_EQ(p[0].second.im, -2);
  EXPECT_EQ(p[1].first, "a");
  EXPECT_FALSE(p[1].second.complex);
  EXPECT_EQ(p[1].second.re, 3);
  EXPECT_EQ(p[2].second.re, -1.5e-3);
  EXPECT_EQ(p[3].second.re, 9007199254740992.0);
  EXPECT_EQ(p[4].second.re, 1e23);
  EXPECT_EQ(p[5].first, "σ");
}

TEST(IoParameters, RoundingIsToNearestInEveryMode) {
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const Parameters p =
        parse_parameters(R"({"a": 0.1, "b": 0.3, "c": 9007199254740995, "d": -9007199254740993})", "p.json");
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(p[0].second.re, 0.1);
    EXPECT_EQ(p[1].second.re, 0.3);
    EXPECT_EQ(p[2].second.re, 9007199254740996.0);
    EXPECT_EQ(p[3].second.re, -9007199254740992.0);
  }
}

TEST(IoParameters, AnEmptyObjectAndAFile) {
  EXPECT_TRUE(parse_parameters("{}", "p.json").empty());
  EXPECT_TRUE(parse_parameters("\xEF\xBB\xBF { }\n", "p.json").empty());
  const Folder folder;
  write_file(folder / "p.json", "{\"x\": 1}");
  EXPECT_EQ(read_parameters(folder / "p.json")[0].second.re, 1);
}

TEST(IoParameters, ModelsOfTheNamedFolder) {
  const char* folder = std::getenv("FRIT_MODELS");
  if (folder == nullptr) GTEST_SKIP() << "FRIT_MODELS names no folder";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (std::filesystem::exists(entry.path() / "parameters.json")) read_parameters(entry.path() / "parameters.json");
  }
}

}  // namespace
}  // namespace frit::io::test
