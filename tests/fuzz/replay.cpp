// Runs files through a fuzz target once, without a fuzzer: each argument is a file or a folder of files.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void run(const std::filesystem::path& path) {
  // Named before it runs, since a target that fails ends the process.
  std::printf("%s\n", path.c_str());
  std::fflush(stdout);
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot be opened");
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  // Memory of exactly that size: under a sanitizer, reading beyond it is seen.
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::filesystem::path> paths;
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::is_directory(arguments[i])) {
      paths.emplace_back(arguments[i]);
      continue;
    }
    const std::size_t before = paths.size();
    for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) paths.push_back(entry.path());
    if (paths.size() == before) {
      std::printf("no file in %s\n", arguments[i]);
      return 1;
    }
  }
  if (paths.empty()) {
    std::printf("no file to run\n");
    return 1;
  }
  std::sort(paths.begin(), paths.end());
  try {
    for (const auto& path : paths) run(path);
  } catch (const std::exception& error) {
    std::printf("an exception left the target: %s\n", error.what());
    return 1;
  }
  std::printf("%zu files\n", paths.size());
  return 0;
}
