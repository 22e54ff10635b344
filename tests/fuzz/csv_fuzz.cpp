// Any bytes as a csv: an Error or values, and ranges give the bytes that the whole gives.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "io/sample_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace frit;
  try {
    // A prefix keeps inputs that begin as another format in this one.
    std::string text = "a,";
    text.append(reinterpret_cast<const char*>(data), size);
    io::SampleFile file = io::SampleFile::from_memory(std::as_bytes(std::span(text)), "x.csv");
    const std::int64_t events = file.events(), third = events / 3;
    for (const io::ColumnInfo& info : file.columns()) {
      const io::Column whole = file.read(info.name);
      const io::Column back = file.read(info.name, third, events - third), front = file.read(info.name, 0, third);
      const std::size_t element = size_of(info.dtype), front_bytes = static_cast<std::size_t>(third) * element;
      if (front_bytes > 0 && std::memcmp(whole.data, front.data, front_bytes) != 0) std::abort();
      if (back.size > 0 &&
          std::memcmp(whole.data + front_bytes, back.data, static_cast<std::size_t>(back.size) * element) != 0)
        std::abort();
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal) std::abort();
  }
  return 0;
}
