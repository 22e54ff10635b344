// Values as bytes and back, in the order of this machine: what is kept is for the CPU that wrote it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace frit::code {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class ByteWriter {
 public:
  template <Plain T> void put(T value) {
    const auto* const at = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), at, at + sizeof value);
  }
  // With its length, so that neighbours cannot be mistaken for each other.
  void put(std::string_view text) { put(std::as_bytes(std::span(text))); }
  void put(std::span<const std::byte> bytes) {
    put(std::uint64_t{bytes.size()});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// Reads what a ByteWriter wrote. Whatever the bytes are, it reads none beyond them; each get says whether there was one.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <Plain T> bool get(T& value) {
    static_assert(!std::is_same_v<T, bool>, "not every byte is a bool");
    if (bytes_.size() < sizeof value) return false;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_ = bytes_.subspan(sizeof value);
    return true;
  }
  bool get(std::string& text) {
    std::uint64_t size = 0;
    if (!get(size) || size > bytes_.size()) return false;
    text.assign(reinterpret_cast<const char*>(bytes_.data()), size);
    bytes_ = bytes_.subspan(size);
    return true;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

// A checksum against damage, and a short name for long contents; no defence against intent. One changed byte always changes it:
// every step can be undone.
std::uint64_t hash_of(std::span<const std::byte> bytes);

}  // namespace frit::code
