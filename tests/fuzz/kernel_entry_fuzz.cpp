// Any bytes as the entry of a compiled kernel: as they are, and with the checksum that they should have, since hardly any others
// pass it. What is accepted is written again as it was read, and its code lies within it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "code/entry.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace frit::code;
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  const auto check = [&] {
    // The key of the entry, where it has room for it.
    EntryHeader header{};
    if (bytes.size() >= sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
    std::span<const std::byte> key;
    if (header.key_bytes <= bytes.size() - sizeof header && bytes.size() >= sizeof header)
      key = std::span(bytes).subspan(sizeof header, header.key_bytes);
    Entry entry;
    if (!read_entry(bytes, key, entry).empty()) return;
    for (const std::uint64_t offset : entry.entries) {
      if (offset >= entry.code_bytes || entry.code_bytes > entry.image_bytes.size()) std::abort();
    }
    if (write_entry(key, entry.details, entry.image()) != bytes) std::abort();
    Entry other;
    const std::vector<std::byte> longer(key.size() + 1);
    if (read_entry(bytes, longer, other).empty()) std::abort();
  };
  check();
  if (size >= sizeof(EntryHeader)) {
    const std::uint64_t sum = checksum_of(bytes);
    std::memcpy(bytes.data() + offsetof(EntryHeader, checksum), &sum, sizeof sum);
    check();
  }
  return 0;
}
