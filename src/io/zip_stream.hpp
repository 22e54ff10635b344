// Deflated zip entries, inflated from begin to end through libzip in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "io/byte_source.hpp"
#include "io/zip_directory.hpp"

struct zip;
struct zip_file;

namespace frit::io {

// libzip's handle on an archive. Its streams share it, so one thread at a time uses it and them.
class ZipArchive {
 public:
  explicit ZipArchive(std::shared_ptr<const ByteSource> source);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

 private:
  friend class ZipStream;
  std::shared_ptr<const ByteSource> source_;
  zip* handle_ = nullptr;
};

// One entry of it. Throws npz_corrupt where the compressed data are damaged or end early.
class ZipStream {
 public:
  // `entry` is from read_zip_directory of the same source. libzip reads the directory again; where it finds another
  // entry at this index, the archive means two things at once and is refused.
  ZipStream(std::shared_ptr<ZipArchive> archive, const ZipEntry& entry);
  ~ZipStream();
  ZipStream(const ZipStream&) = delete;
  ZipStream& operator=(const ZipStream&) = delete;

  // The next bytes of the content, all of `target`.
  void read(std::span<std::byte> target);
  // Reads `count` bytes and forgets them.
  void skip(std::uint64_t count);
  // The content must end here; libzip compares the CRC now.
  void expect_end();

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::shared_ptr<ZipArchive> archive_;
  std::string entry_name_;
  zip_file* file_ = nullptr;
};

}  // namespace frit::io
