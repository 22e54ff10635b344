// frit cache: where machine code is kept on disk, and how much.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/notes.hpp"
#include "core/shown.hpp"
#include "runtime/kernel_cache.hpp"

namespace frit::cli {

int run_cache(const CacheOptions& options) {
  const runtime::CacheSettings settings = runtime::CacheSettings::of_environment();
  if (settings.folder.empty()) throw Error(ErrorCode::usage, "there is no cache: " + settings.off);
  runtime::KernelCache cache(settings);
  if (options.clear) {
    const runtime::KernelCache::Size removed = cache.clear();
    print(fmt::format("removed {} kernels of {} bytes from {}\n", removed.entries, removed.bytes,
                      shown_path(settings.folder)));
    return 0;
  }
  const runtime::KernelCache::Size size = cache.size();
  print(fmt::format("folder   {}\nkernels  {}\nbytes    {} of at most {}\n", settings.folder.string(), size.entries,
                    size.bytes, settings.most_bytes));
  if (!settings.off.empty()) print(fmt::format("off      {}\n", settings.off));
  Notes notes;
  notes.add(cache.notes());
  notes.print();
  return 0;
}

}  // namespace frit::cli
