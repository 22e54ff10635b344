// A compiled kernel as the bytes of a file: what it was made from in full (the key), what is known about it (the details), and its
// image. Neither is looked into here, so that every kind of compiled code is kept alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "code/image.hpp"

namespace frit::code {

// Raised where the layout below changes.
inline constexpr std::uint32_t entry_version = 1;

struct EntryHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t reserved;
  std::uint64_t checksum;  // of all other bytes
  std::uint64_t key_bytes, details_bytes, entry_count, code_bytes, image_bytes;
  // The key, the details, the entries and the image follow.
};

// Of the bytes of an entry, at least those of a header.
std::uint64_t checksum_of(std::span<const std::byte> bytes);

std::vector<std::byte> write_entry(std::span<const std::byte> key, std::span<const std::byte> details,
                                   const Image& image);

// What was read, within the bytes of the file.
struct Entry {
  std::span<const std::byte> details;
  std::span<const std::byte> image_bytes;
  std::size_t code_bytes = 0;
  std::vector<std::uint64_t> entries;
  Image image() const { return {image_bytes, code_bytes, entries}; }
};

// "", or why these bytes are not the entry of this key: cut, damaged, of another version, of another key. Any bytes may come.
std::string read_entry(std::span<const std::byte> bytes, std::span<const std::byte> key, Entry& entry);

}  // namespace frit::code
