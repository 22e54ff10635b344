#include "code/entry.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "code/bytes.hpp"

namespace frit::code {
namespace {

constexpr char magic[8] = {'f', 'r', 'i', 't', 'c', 'o', 'd', 'e'};

}  // namespace

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  // Four chains of words side by side, each step a bijection of the chain and of the word; then one over the chains.
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  const auto mixed = [](std::uint64_t chain, std::uint64_t word) { return std::rotl((chain ^ word) * odd, 29); };
  std::uint64_t chains[4] = {odd, odd << 1, odd << 2, odd << 3};
  std::uint64_t words[4];
  std::size_t at = 0;
  for (; at + sizeof words <= bytes.size(); at += sizeof words) {
    std::memcpy(words, bytes.data() + at, sizeof words);
    for (int i = 0; i < 4; ++i) chains[i] = mixed(chains[i], words[i]);
  }
  std::fill_n(words, 4, 0);
  if (at < bytes.size()) std::memcpy(words, bytes.data() + at, bytes.size() - at);
  for (int i = 0; i < 4; ++i) chains[i] = mixed(chains[i], words[i]);
  // Another start than the chains', else a length and a word could change places.
  std::uint64_t hash = mixed(0x243f6a8885a308d3, bytes.size());  // pi
  for (const std::uint64_t chain : chains) hash = mixed(hash, chain);
  hash ^= hash >> 32;
  return hash * odd;
}

std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  EntryHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.checksum = 0;
  const std::uint64_t rest[2] = {hash_of(std::as_bytes(std::span(&header, 1))), hash_of(bytes.subspan(sizeof header))};
  return hash_of(std::as_bytes(std::span(rest)));
}

std::vector<std::byte> write_entry(std::span<const std::byte> key, std::span<const std::byte> details,
                                   const Image& image) {
  EntryHeader header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.version = entry_version;
  header.key_bytes = key.size();
  header.details_bytes = details.size();
  header.entry_count = image.entries.size();
  header.code_bytes = image.code_bytes;
  header.image_bytes = image.bytes.size();
  std::vector<std::byte> bytes;
  const auto append = [&](std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); };
  append(std::as_bytes(std::span(&header, 1)));
  append(key);
  append(details);
  append(std::as_bytes(image.entries));
  append(image.bytes);
  header.checksum = checksum_of(bytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

std::string read_entry(std::span<const std::byte> bytes, std::span<const std::byte> key, Entry& entry) {
  EntryHeader header;
  if (bytes.size() < sizeof header) return "it is cut";
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, magic, sizeof magic) != 0) return "it is no compiled kernel";
  if (header.version != entry_version || header.reserved != 0) return "it is of another version of frit";
  std::span<const std::byte> rest = bytes.subspan(sizeof header);
  // Each length is bounded by what is there, so that no sum overflows.
  bool whole = true;
  const auto take = [&](std::uint64_t size, std::uint64_t count) -> std::span<const std::byte> {
    if (count > rest.size() / size) whole = false;
    if (!whole) return {};
    const auto part = rest.first(size * count);
    rest = rest.subspan(size * count);
    return part;
  };
  const auto stored_key = take(1, header.key_bytes);
  entry.details = take(1, header.details_bytes);
  const auto offsets = take(sizeof(std::uint64_t), header.entry_count);
  entry.image_bytes = take(1, header.image_bytes);
  if (!whole || !rest.empty()) return "its length is not what it says";
  if (header.checksum != checksum_of(bytes)) return "its checksum is wrong";
  entry.entries.resize(header.entry_count);
  if (!offsets.empty()) std::memcpy(entry.entries.data(), offsets.data(), offsets.size());
  entry.code_bytes = header.code_bytes;
  const bool fits = header.code_bytes > 0 && header.code_bytes % page_bytes == 0 &&
                    header.code_bytes <= header.image_bytes && !entry.entries.empty() &&
                    std::all_of(entry.entries.begin(), entry.entries.end(),
                                [&](std::uint64_t offset) { return offset < header.code_bytes; });
  if (!fits) return "its code is not within it";
  if (!std::equal(key.begin(), key.end(), stored_key.begin(), stored_key.end())) return "it is of another function";
  return "";
}

}  // namespace frit::code
