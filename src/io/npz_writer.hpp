// Writes named arrays of one axis into an npz that NumPy reads, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/atomic_file.hpp"
#include "frit/dtype.hpp"

namespace frit::io {

// Entries are stored uncompressed, with Zip64 sizes as NumPy writes them; every array begins at a multiple of 64 bytes
// in the file, so that it can be mapped and used as it is. The same arrays give the same bytes: dates are 1980-01-01.
// Every NaN is written as the canonical one (docs: numeric policy), real and imaginary parts apart.
//
// NOTE: the archive is written here and not by libzip. libzip takes its entries one after the other when it closes the
// archive, so several outputs of a chunked run would have to be spooled to files and copied. The number of elements is
// known at begin(), which fixes the place of every entry, so chunks of any number of outputs go straight to their place
// in the file, and nothing is held back but a CRC for each.
//
// The file appears at commit(); AtomicFile states what a failure leaves and which errors there are (file_write).
class NpzWriter {
 public:
  explicit NpzWriter(const std::filesystem::path& path);

  // Opens an array of `size` elements. The name gets ".npy"; it must be UTF-8, at most 65,000 bytes, and new.
  void begin(std::string_view name, DType dtype, std::int64_t size);
  // The next `count` elements of it, in this machine's byte order, at any byte address. Arrays may take turns.
  void append(std::string_view name, const void* data, std::int64_t count);
  // Ends the archive. Throws `internal` where an array has fewer elements than begin() said.
  void commit();

 private:
  struct Entry {
    std::string name;  // with ".npy"
    DType dtype;
    std::int64_t size, written;
    std::uint64_t header_offset, data_offset, bytes;
    std::uint32_t crc;  // of header and elements so far
  };
  Entry& find(std::string_view name);
  std::string local_header(const Entry& entry) const;

  AtomicFile file_;
  std::uint64_t end_ = 0;  // where the next entry begins
  std::vector<Entry> entries_;
  std::vector<std::byte> buffer_;
};

}  // namespace frit::io
