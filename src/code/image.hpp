// Machine code that runs at any address, and its place in this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace frit::code {

// The largest page of the systems that run this architecture: what is executed begins and ends at a multiple.
#if defined(__aarch64__)
inline constexpr std::size_t page_bytes = 65536;
#else
inline constexpr std::size_t page_bytes = 4096;
#endif

// Code, and from code_bytes on the constants that it reads. All addresses in it are relative to where they stand, so that it runs
// wherever it is copied to the start of a page.
struct Image {
  std::span<const std::byte> bytes;
  std::size_t code_bytes = 0;              // a multiple of page_bytes
  std::span<const std::uint64_t> entries;  // offsets of its functions, in order
};

// An image that owns its bytes.
struct OwnedImage {
  std::vector<std::byte> bytes;
  std::size_t code_bytes = 0;
  std::vector<std::uint64_t> entries;
  Image view() const { return {bytes, code_bytes, entries}; }
};

// A copy of an image that runs. Its pages are writable or executable, never both, and what is executed is what was copied.
// NOTE: a copy also of images that come from files. A mapped file would save some 20 us for 100 kB, but it could change after
// its checksum was verified, and file systems that are mounted noexec refuse to map it.
class LoadedCode {
 public:
  // Errors: out_of_memory.
  explicit LoadedCode(const Image& image);
  ~LoadedCode();
  LoadedCode(const LoadedCode&) = delete;
  LoadedCode& operator=(const LoadedCode&) = delete;

  const void* entry(std::size_t i) const { return memory_ + entries_[i]; }
  std::size_t entry_count() const { return entries_.size(); }
  Image image() const { return {{memory_, bytes_}, code_bytes_, entries_}; }

 private:
  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t code_bytes_ = 0;
  std::vector<std::uint64_t> entries_;
};

}  // namespace frit::code
