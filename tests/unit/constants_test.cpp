// The constants of src/math/generated and the values of tests/accuracy/golden are those that the scripts of tools/math make.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace {

int run(const std::string& command, std::string& output) {
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return -1;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
  return pclose(pipe);
}

TEST(Constants, AreThoseOfTheScripts) {
  std::string output;
  if (run("python3 -c 'import mpmath'", output) != 0)
    GTEST_SKIP() << "python3 has no mpmath, with which the constants are made (Debian: python3-mpmath)";
  for (const char* script : {"generate", "golden"}) {
    output.clear();
    EXPECT_EQ(run(std::string("python3 '" FRIT_SOURCE_DIR "/tools/math/") + script + ".py' --check", output), 0)
        << output;
  }
}

}  // namespace
