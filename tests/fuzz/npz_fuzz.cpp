// Any bytes as an npz or npy: an Error or values, and ranges give the bytes that the whole gives.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "io/sample_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace frit;
  try {
    io::SampleFile file = io::SampleFile::from_memory(std::as_bytes(std::span(data, size)), "x.npz");
    try {
      (void)file.events();
    } catch (const Error&) {
    }
    for (const io::ColumnInfo& info : file.columns()) {
      try {
        const io::Column whole = file.read(info.name);
        const std::size_t element = size_of(info.dtype);
        const std::int64_t half = info.size / 2;
        const io::Column front = file.read(info.name, 0, half), back = file.read(info.name, half, info.size - half);
        file.release(half);
        const auto front_bytes = static_cast<std::size_t>(front.size) * element;
        if (front_bytes > 0 && std::memcmp(whole.data, front.data, front_bytes) != 0) std::abort();
        if (back.size > 0 &&
            std::memcmp(whole.data + front_bytes, back.data, static_cast<std::size_t>(back.size) * element) != 0)
          std::abort();
      } catch (const Error& error) {
        if (error.code() == ErrorCode::internal) std::abort();
      }
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal) std::abort();
  }
  return 0;
}
