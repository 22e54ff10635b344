// Linked into what is compiled for one ISA as a whole: ends the program where this CPU lacks it, before anything else of it runs.
//
// NOTE: a test that skips itself is too late, since its static variables and the templates of GoogleTest are compiled for the ISA too.
#include <cstdio>
#include <cstdlib>

#include "core/cpu_level.hpp"

namespace {

constexpr int skipped = 77;  // SKIP_RETURN_CODE of tests/CMakeLists.txt

// 101: the first that programs may have.
[[gnu::constructor(101)]] void check_cpu() {
  if (frit::cpu_has_level(FRIT_LEVEL)) return;
  std::puts("this CPU lacks the instructions of x86-64-v" FRIT_LEVEL_NAME);
  std::fflush(stdout);
  std::_Exit(skipped);
}

}  // namespace
