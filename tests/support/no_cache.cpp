// Tests leave the user's cache of compiled kernels alone, and measure compilations: linked into every test, and so set before
// the programs that it starts. Tests of the cache set FRIT_CACHE=1 and a folder of their own.
#include <cstdlib>

namespace {
[[maybe_unused]] const int no_cache = setenv("FRIT_CACHE", "0", 0);
}

// Too much memory is an error of the call that asks for it, as without a sanitizer.
#define FRIT_EXPORTED __attribute__((visibility("default")))
extern "C" {
FRIT_EXPORTED const char* __asan_default_options();
FRIT_EXPORTED const char* __asan_default_options() { return "allocator_may_return_null=1"; }
FRIT_EXPORTED const char* __tsan_default_options();
FRIT_EXPORTED const char* __tsan_default_options() { return "allocator_may_return_null=1"; }
}
