// The directory of a zip archive, read without trust: APPNOTE.TXT 6.3 with Zip64, no other extensions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/byte_source.hpp"

namespace frit::io {

struct ZipEntry {
  std::string name;               // UTF-8
  std::uint64_t index = 0;        // position in the central directory, libzip's index
  std::uint64_t data_offset = 0;  // of the first byte after the local header
  std::uint64_t stored_size = 0;  // bytes in the archive
  std::uint64_t size = 0;         // bytes of the content
  bool deflated = false;          // otherwise stored as it is
};

// The entries in the order of the central directory. What is returned holds: every entry lies between the begin of the
// file and the central directory, no two overlap, local and central header agree, names are distinct, sizes of stored
// entries are equal, and a deflated entry is not larger than deflate can make it. Anything else (a truncated archive,
// several volumes, encryption, another compression method) throws npz_corrupt with the entry and the reason.
std::vector<ZipEntry> read_zip_directory(const ByteSource& source);

}  // namespace frit::io
