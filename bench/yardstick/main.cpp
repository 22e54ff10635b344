// yardstick --check   compares every hand-written kernel with its reference, so that no wrong kernel is ever timed
// yardstick --list    problem, variant, dtype, place in the library, functions that must be called in vector form
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "problem.hpp"

namespace {

int check() {
  const yardstick::Library library = yardstick::library();
  int passed = 0, failed = 0;
  std::size_t unused = library.kernels.size();
  for (const yardstick::Problem& problem : yardstick::problems()) {
    bool any = false;
    for (const yardstick::Kernel& kernel : library.kernels) {
      if (std::strcmp(kernel.problem, problem.name) != 0) continue;
      any = true;
      --unused;
      for (const bool f32 : {false, true}) {
        std::string wrong;
        for (const std::size_t n : problem.check_sizes) {
          if (wrong.empty()) wrong = yardstick::check(problem, kernel, f32, n);
        }
        if (!wrong.empty()) std::printf("WRONG %s\n", wrong.c_str());
        ++(wrong.empty() ? passed : failed);
      }
    }
    if (!any) {
      std::printf("WRONG %s has no kernel\n", problem.name);
      ++failed;
    }
  }
  if (unused > 0) {
    std::printf("WRONG %zu kernels belong to no problem\n", unused);
    ++failed;
  }
  std::printf("kernels for %s\n", library.vectors);
  if (library.missing[0] != '\0') {
    std::printf("SKIPPED variant SLEEF: %s\n%d passed, %d failed, 1 skipped\n", library.missing, passed, failed);
  } else {
    std::printf("%d passed, %d failed\n", passed, failed);
  }
  return failed == 0 ? 0 : 1;
}

int list() {
  const auto line = [](const yardstick::Kernel& kernel, const char* dtype, const void* entry) {
    Dl_info info{};
    if (dladdr(entry, &info) == 0) return false;
    const auto place = reinterpret_cast<std::uintptr_t>(entry) - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    std::printf("%s\t%s\t%s\t%s\t%zx\t%s\n", kernel.problem, kernel.variant, dtype, info.dli_fname, place,
                kernel.functions);
    return true;
  };
  for (const yardstick::Kernel& kernel : yardstick::library().kernels) {
    if (!line(kernel, "f64", reinterpret_cast<const void*>(kernel.f64)) ||
        !line(kernel, "f32", reinterpret_cast<const void*>(kernel.f32)))
      return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string option = argc == 2 ? argv[1] : "";
  if (option == "--check") return check();
  if (option == "--list") return list();
  std::fprintf(stderr, "usage: yardstick --check | --list\n");
  return 2;
}
