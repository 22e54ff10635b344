// The bytes of an input: a file mapped read-only, or memory of the caller. Every reader of this room works on a span of
// bytes, so tests and fuzzers run the code that files run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/shown.hpp"

namespace frit::io {

class ByteSource {
 public:
  // Maps a regular file. Throws file_open where it does not exist, may not be read or is a folder, pipe or device, and
  // file_read where it cannot be mapped.
  // NOTE: mapping means that a file which another program truncates meanwhile ends this process with SIGBUS; the
  // library installs no signal handler to catch that. Writers that rename (as ours do) never truncate in place.
  static std::shared_ptr<const ByteSource> map_file(const std::filesystem::path& path);
  // Views memory that the caller keeps alive as long as the source and every column read from it. `name` stands for
  // the path in error messages.
  static std::shared_ptr<const ByteSource> view(std::span<const std::byte> bytes, std::string name);

  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  std::span<const std::byte> bytes() const { return bytes_; }
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }
  // The path, quoted for an error message.
  const std::string& name() const { return name_; }

  // Hints to the kernel about bytes [offset, offset + size), nothing for a view. They never change what is read.
  void expect_all(std::uint64_t offset, std::uint64_t size) const;         // will be read soon
  void expect_sequential(std::uint64_t offset, std::uint64_t size) const;  // will be read once, in order
  // Takes the pages that begin in [offset, offset + size) out of resident memory; reading them again maps them again.
  void drop(std::uint64_t offset, std::uint64_t size) const;

 private:
  ByteSource(std::span<const std::byte> bytes, std::string name, bool mapped)
      : bytes_(bytes), name_(std::move(name)), mapped_(mapped) {}
  void advise(std::uint64_t offset, std::uint64_t size, int advice) const;

  std::span<const std::byte> bytes_;
  std::string name_;
  bool mapped_;
};

}  // namespace frit::io
