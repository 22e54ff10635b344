#include "runtime/kernel_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <system_error>

#include "code/bytes.hpp"
#include "core/atomic_file.hpp"
#include "core/descriptor.hpp"
#include "core/shown.hpp"
#include "frit/error.hpp"

namespace frit::runtime {
namespace {

constexpr std::string_view extension = ".kernel";
constexpr std::int64_t most_entry_bytes = std::int64_t{1} << 30;
// A file that was begun this long ago is of a process that has ended.
constexpr std::int64_t stale_seconds = 3600;

// NOTE: secure, because a program with the rights of another user must not take code from where its caller says.
std::string environment(const char* name) {
  const char* const value = ::secure_getenv(name);
  return value == nullptr ? "" : value;
}

// "64M" as a number; nothing where it is none.
std::optional<std::int64_t> bytes_of(std::string_view text) {
  constexpr std::string_view units = "KMG";
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const std::size_t power = unit.empty() ? 0 : units.find(unit) + 1;
  if (error != std::errc() || value < 0 || unit.size() > 1 || (power == 0 && !unit.empty())) return std::nullopt;
  const int shift = 10 * static_cast<int>(power);
  if (value > std::int64_t{1} << (62 - shift)) return std::nullopt;
  return value << shift;
}

// Why code from a file or folder of this kind is not run, or "".
std::string distrust(const struct stat& status) {
  if (status.st_uid != ::geteuid()) return "it belongs to another user";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "others may write to it";
  return "";
}

struct File {
  std::filesystem::path path;
  std::int64_t bytes = 0;
  std::int64_t used = 0;  // nanoseconds
  bool temporary = false;
};

// The entries, and what is left of those that were never complete. What others remove meanwhile is left out.
std::vector<File> files_in(const std::filesystem::path& folder) {
  std::vector<File> files;
  std::error_code error;
  for (std::filesystem::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    const std::string name = i->path().filename().string();
    const bool temporary = name.starts_with(temporary_prefix) && name.ends_with(temporary_suffix);
    struct stat status {};
    if ((!temporary && !name.ends_with(extension)) || ::lstat(i->path().c_str(), &status) != 0) continue;
    if (!S_ISREG(status.st_mode)) continue;
    files.push_back({i->path(), status.st_size,
                     std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec, temporary});
  }
  return files;
}

// Creates the folder and those above it, for the user alone. Returns "" or why not.
std::string make_folder(const std::filesystem::path& folder) {
  std::filesystem::path path;
  for (const std::filesystem::path& part : folder) {
    path /= part;
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST && !std::filesystem::is_directory(path))
      return errno_text(errno);
  }
  return "";
}

}  // namespace

CacheSettings CacheSettings::of_environment() {
  CacheSettings settings;
  if (const std::string text = environment("FRIT_CACHE_SIZE"); !text.empty()) {
    if (const auto bytes = bytes_of(text)) {
      settings.most_bytes = *bytes;
    } else {
      settings.notes.push_back(
          fmt::format("FRIT_CACHE_SIZE is bytes, or a number with K, M or G after it, not {}; {} M "
                      "are kept",
                      shown(text), settings.most_bytes >> 20));
    }
  }
  if (environment("FRIT_CACHE") == "0") settings.off = "FRIT_CACHE is 0";
  // The base folders are ignored where they are relative, as the XDG specification says.
  const auto below = [&](const char* name, std::string_view rest) {
    const std::filesystem::path base = environment(name);
    if (settings.folder.empty() && base.is_absolute()) settings.folder = base / rest;
  };
  settings.folder = environment("FRIT_CACHE_DIR");
  below("XDG_CACHE_HOME", "frit");
  below("HOME", ".cache/frit");
  if (settings.off.empty() && settings.folder.empty()) settings.off = "neither FRIT_CACHE_DIR nor HOME says where";
  return settings;
}

KernelCache::KernelCache(CacheSettings settings) : settings_(std::move(settings)) {
  if (off().empty()) notes_ = settings_.notes;
}

std::filesystem::path KernelCache::path_of(std::span<const std::byte> key) const {
  return settings_.folder / fmt::format("{:016x}{}", code::hash_of(key), extension);
}

bool KernelCache::usable_folder() {
  if (!off().empty()) return false;
  struct stat status {};
  if (::stat(settings_.folder.c_str(), &status) != 0) {
    if (errno != ENOENT) settings_.off = errno_text(errno);
  } else {
    settings_.off = S_ISDIR(status.st_mode) ? distrust(status) : "it is no folder";
  }
  if (off().empty()) return true;
  note(fmt::format("compiled kernels are not kept in {}: {}", shown_path(settings_.folder), off()));
  return false;
}

std::optional<KernelCache::Found> KernelCache::find(std::span<const std::byte> key) {
  if (!usable_folder()) return std::nullopt;
  const std::filesystem::path path = path_of(key);
  const auto ignored = [&](const std::string& why) {
    note(fmt::format("the cached kernel {} is ignored: {}", shown_path(path), why));
    return std::nullopt;
  };
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
  if (file.fd < 0) return errno == ENOENT ? std::nullopt : ignored(errno_text(errno));
  struct stat status {};
  if (::fstat(file.fd, &status) != 0) return ignored(errno_text(errno));
  if (!S_ISREG(status.st_mode)) return ignored("it is no regular file");
  if (const std::string why = distrust(status); !why.empty()) return ignored(why);
  if (status.st_size > most_entry_bytes) return ignored("it is too large");
  Found found;
  found.bytes.resize(static_cast<std::size_t>(status.st_size));
  for (std::size_t at = 0; at < found.bytes.size();) {
    const ssize_t n = ::read(file.fd, found.bytes.data() + at, found.bytes.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ignored(errno_text(errno));
    if (n == 0) found.bytes.resize(at);
    at += static_cast<std::size_t>(n);
  }
  if (const std::string why = code::read_entry(found.bytes, key, found.entry); !why.empty()) return ignored(why);
  (void)::futimens(file.fd, nullptr);  // used now; a disk that cannot be written to keeps the older time
  return found;
}

void KernelCache::store(std::span<const std::byte> key, std::span<const std::byte> details, const code::Image& image) {
  if (!usable_folder()) return;
  const std::filesystem::path path = path_of(key);
  try {
    const std::vector<std::byte> bytes = code::write_entry(key, details, image);
    if (static_cast<std::int64_t>(bytes.size()) > std::min(settings_.most_bytes, most_entry_bytes)) {
      note(fmt::format("a compiled kernel of {} bytes is not kept: the cache holds {} bytes", bytes.size(),
                       settings_.most_bytes));
      return;
    }
    if (const std::string why = make_folder(settings_.folder); !why.empty()) {
      note(fmt::format("compiled kernels are not kept in {}: {}", shown_path(settings_.folder), why));
      return;
    }
    if (!usable_folder()) return;  // another process may have made it
    AtomicFile file(path, {.mode = 0600, .durable = false});
    file.write_at(0, bytes.data(), bytes.size());
    file.commit();
    trim();
  } catch (const Error& error) {
    note("a compiled kernel is not kept: " + error.message());
  } catch (const std::exception& error) {
    note(std::string("a compiled kernel is not kept: ") + error.what());
  }
}

void KernelCache::trim() const {
  std::vector<File> files = files_in(settings_.folder);
  const std::int64_t now = std::time(nullptr);
  std::erase_if(files, [&](const File& file) {
    if (!file.temporary) return false;
    if (file.used / 1'000'000'000 < now - stale_seconds) ::unlink(file.path.c_str());
    return true;
  });
  std::int64_t bytes = 0;
  for (const File& file : files) bytes += file.bytes;
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (std::size_t i = 0; i < files.size() && bytes > settings_.most_bytes; ++i) {
    ::unlink(files[i].path.c_str());
    bytes -= files[i].bytes;
  }
}

KernelCache::Size KernelCache::size() const {
  Size size;
  for (const File& file : files_in(settings_.folder)) {
    if (file.temporary) continue;
    ++size.entries;
    size.bytes += file.bytes;
  }
  return size;
}

KernelCache::Size KernelCache::clear() {
  Size size;
  for (const File& file : files_in(settings_.folder)) {
    if (::unlink(file.path.c_str()) != 0) {
      if (errno == ENOENT) continue;
      throw Error(ErrorCode::file_write, fmt::format("cannot remove {}: {}", shown_path(file.path), errno_text(errno)));
    }
    if (file.temporary) continue;
    ++size.entries;
    size.bytes += file.bytes;
  }
  return size;
}

}  // namespace frit::runtime
