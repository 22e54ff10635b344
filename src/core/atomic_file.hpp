// Outputs that appear complete or not at all.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace frit {

struct AtomicFileOptions {
  mode_t mode = 0666;   // less the umask
  bool durable = true;  // on the disk when commit() returns; false: for what can be made again
};

// Temporary files are named by these, around a random number.
inline constexpr std::string_view temporary_prefix = ".frit-", temporary_suffix = ".tmp";

// A file written under a temporary name in the folder of its target and renamed over it by commit(). Until then an
// older file of the target's name stays as it is; without commit() the temporary one is removed. The new file has the
// permissions of the options, whatever the older one had. A target that is a symbolic link is replaced where the
// link points to. Every failure is a file_write error with the path and the system's reason: no such folder, a
// read-only one, a target that is no regular file or may not be written, a full disk, a file size limit (SIGXFSZ, which
// would end the process, is held back in this thread while it writes).
// NOTE: durable data are on the disk when commit() returns (fsync), because a rename that survives a power failure without
// them would leave an empty file in place of the older one. The folder is not synced: after a power failure either file
// may be there.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path, AtomicFileOptions options = {});
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Asks for space up to `size` bytes, so that a full disk is found before the work is done. File systems that cannot
  // say are believed.
  void reserve(std::uint64_t size);
  void write_at(std::uint64_t offset, const void* data, std::size_t size);
  // Ends the writing; nothing may be called afterwards.
  void commit();

 private:
  [[noreturn]] void fail(const char* doing, int error) const;
  void remove() noexcept;

  AtomicFileOptions options_;
  std::string shown_;  // the path for messages
  std::filesystem::path target_, temporary_;
  int fd_ = -1;
};

// Writes a whole text file with the same guarantees and errors.
void write_text_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace frit
