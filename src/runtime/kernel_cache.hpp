// Compiled kernels on disk, one file each, so that the next process needs no compiler.
//
// A file is named by a hash of its key and holds the key in full (code/entry.hpp). Files appear complete by rename and are never
// written again, so any number of processes may use the folder. Whatever goes wrong here is a note, never an error of a call:
// the kernel is then compiled, and not kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "code/entry.hpp"

namespace frit::runtime {

// Where kernels are kept, and how much of them. FRIT_CACHE=0: nowhere. FRIT_CACHE_DIR, else XDG_CACHE_HOME/frit, else
// HOME/.cache/frit. FRIT_CACHE_SIZE: bytes, or with K, M or G after it; 256M if absent.
struct CacheSettings {
  std::filesystem::path folder;
  std::int64_t most_bytes = std::int64_t{256} << 20;
  std::string off;                 // why there is no cache, or ""
  std::vector<std::string> notes;  // settings that mean nothing
  static CacheSettings of_environment();
};

class KernelCache {
 public:
  explicit KernelCache(CacheSettings settings = CacheSettings::of_environment());

  struct Found {
    std::vector<std::byte> bytes;
    code::Entry entry;  // within `bytes`
  };
  // The entry of this key, marked as used, or nothing.
  std::optional<Found> find(std::span<const std::byte> key);
  // Keeps an entry, and removes those that were used longest ago while there are too many.
  void store(std::span<const std::byte> key, std::span<const std::byte> details, const code::Image& image);

  // What was ignored or could not be done, each with its reason.
  const std::vector<std::string>& notes() const { return notes_; }
  void note(std::string text) { notes_.push_back(std::move(text)); }
  // Why nothing is kept, or "".
  const std::string& off() const { return settings_.off; }
  std::filesystem::path path_of(std::span<const std::byte> key) const;

  struct Size {
    std::int64_t entries = 0, bytes = 0;
  };
  Size size() const;
  // Removes all entries. Errors: file_write.
  Size clear();
  const CacheSettings& settings() const { return settings_; }

 private:
  bool usable_folder();
  void trim() const;

  CacheSettings settings_;
  std::vector<std::string> notes_;
};

}  // namespace frit::runtime
