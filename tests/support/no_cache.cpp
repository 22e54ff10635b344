// Tests leave the user's cache of compiled kernels alone, and measure compilations: linked into every test, and so set before
// the programs that it starts. Tests of the cache set FRIT_CACHE=1 and a folder of their own.
#include <cstdlib>

namespace {
[[maybe_unused]] const int no_cache = setenv("FRIT_CACHE", "0", 0);
}
