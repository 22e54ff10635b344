// The header of an .npy array (NumPy Enhancement Proposal 1; format versions 1.0, 2.0 and 3.0), read and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "frit/dtype.hpp"

namespace frit::io {

struct NpyHeader {
  DType dtype = DType::f64;
  bool swapped = false;         // the bytes of each number are in the other order than this machine's
  std::int64_t size = 0;        // number of elements; size * size_of(dtype) fits into an int64
  std::size_t header_size = 0;  // bytes before the first element
};

// What npy_header_size needs to see.
inline constexpr std::size_t npy_prefix_size = 12;

// The number of bytes of the header whose first npy_prefix_size bytes (or all of a shorter file) are `prefix`.
// Throws npy_header for anything else than the magic string, a known version and a length of at most 1 MiB.
std::size_t npy_header_size(std::span<const std::byte> prefix, std::string_view where);

// Parses a complete header. The dictionary in it is matched against the three keys that NumPy writes, never evaluated.
// Throws npy_header (no such header), npy_object (a pickled object array, never loaded), npy_dtype (half, long
// double, text, dates, records) or npy_shape (anything but one axis). `where` begins the message.
NpyHeader parse_npy_header(std::span<const std::byte> header, std::string_view where);

// The header of version 1.0 for a little-endian array of shape (size,), padded so that its length is a multiple of 64.
std::string make_npy_header(DType dtype, std::int64_t size);

}  // namespace frit::io
