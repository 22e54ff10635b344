// The bytes of a compiled kernel on disk: read back as written, and refused wherever one differs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "code/bytes.hpp"
#include "code/entry.hpp"
#include "code/identity.hpp"

namespace frit::code {
namespace {

using Bytes = std::vector<std::byte>;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

struct Sample {
  Bytes image = Bytes(page_bytes + 100);
  std::vector<std::uint64_t> entries{0, 64};
  std::string_view key = "the key", details = "details";
  Sample() {
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::byte>(i * 7);
  }
  Bytes written() const { return write_entry(bytes_of(key), bytes_of(details), {image, page_bytes, entries}); }
};

std::string read(const Bytes& bytes, std::string_view key = Sample{}.key) {
  // Of exactly that size, so that a sanitizer sees what lies beyond.
  const Bytes exact(bytes.begin(), bytes.end());
  Entry entry;
  return read_entry(exact, bytes_of(key), entry);
}

void set_checksum(Bytes& bytes) {
  const std::uint64_t sum = checksum_of(bytes);
  std::memcpy(bytes.data() + offsetof(EntryHeader, checksum), &sum, sizeof sum);
}

TEST(CodeEntry, ReadsWhatWasWritten) {
  const Sample sample;
  const Bytes bytes = sample.written();
  Entry entry;
  ASSERT_EQ(read_entry(bytes, bytes_of(sample.key), entry), "");
  EXPECT_EQ(entry.entries, sample.entries);
  EXPECT_EQ(entry.code_bytes, page_bytes);
  EXPECT_TRUE(std::equal(entry.image_bytes.begin(), entry.image_bytes.end(), sample.image.begin(), sample.image.end()));
  EXPECT_EQ(std::memcmp(entry.details.data(), sample.details.data(), sample.details.size()), 0);
  EXPECT_EQ(read(bytes, "the kez"), "it is of another function");
  EXPECT_EQ(read(bytes, "the key "), "it is of another function");
  EXPECT_EQ(read(bytes, ""), "it is of another function");
}

TEST(CodeEntry, AnyOtherByteIsRefused) {
  const Bytes bytes = Sample{}.written();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
      Bytes damaged = bytes;
      damaged[i] ^= static_cast<std::byte>(flip);
      ASSERT_NE(read(damaged), "") << i;
    }
  }
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_NE(read({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}), "") << size;
  Bytes longer = bytes;
  longer.push_back({});
  EXPECT_EQ(read(longer), "its length is not what it says");
}

// Lengths and offsets that a checksum does not protect from: another program may have written it.
TEST(CodeEntry, FieldsAreCheckedAlsoUnderAGoodChecksum) {
  const Bytes bytes = Sample{}.written();
  const std::uint64_t values[] = {0,     1,         7,          64,        page_bytes - 1, page_bytes, 2 * page_bytes,
                                  ~0ull, ~0ull / 8, 1ull << 61, 1ull << 63};
  int refused = 0;
  for (const std::size_t field :
       {offsetof(EntryHeader, key_bytes), offsetof(EntryHeader, details_bytes), offsetof(EntryHeader, entry_count),
        offsetof(EntryHeader, code_bytes), offsetof(EntryHeader, image_bytes)}) {
    for (const std::uint64_t value : values) {
      Bytes changed = bytes;
      if (std::memcmp(changed.data() + field, &value, sizeof value) == 0) continue;
      std::memcpy(changed.data() + field, &value, sizeof value);
      set_checksum(changed);
      EXPECT_NE(read(changed), "") << field << " " << value;
      ++refused;
    }
  }
  EXPECT_GT(refused, 45);
  const Sample sample;
  for (const std::uint64_t entry : {std::uint64_t{page_bytes}, ~std::uint64_t{0}}) {
    Sample beyond;
    beyond.entries[1] = entry;
    EXPECT_EQ(read(beyond.written()), "its code is not within it");
  }
  Sample none;
  none.entries.clear();
  EXPECT_EQ(read(none.written()), "its code is not within it");
  Bytes version = bytes;
  version[offsetof(EntryHeader, version)] = std::byte{2};
  set_checksum(version);
  EXPECT_EQ(read(version), "it is of another version of frit");
}

TEST(CodeBytes, ReadersStopAtTheEnd) {
  ByteWriter to;
  to.put(std::int32_t{-5});
  to.put("text");
  to.put(2.5);
  const Bytes bytes = to.take();
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    ByteReader from{std::span(bytes).first(size)};
    std::int32_t a = 0;
    std::string b;
    double c = 0;
    EXPECT_EQ(from.get(a) && from.get(b) && from.get(c) && from.at_end(), size == bytes.size());
    EXPECT_TRUE(size < bytes.size() || (a == -5 && b == "text" && c == 2.5));
  }
}

TEST(CodeBytes, HashesDifferByAnyByteAndLength) {
  std::vector<std::uint64_t> seen;
  for (std::size_t size = 0; size < 100; ++size) {
    Bytes bytes(size);
    seen.push_back(hash_of(bytes));
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] = std::byte{1};
      seen.push_back(hash_of(bytes));
      bytes[i] = std::byte{0};
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(CodeIdentity, NamesThisCpuAndEveryLibrary) {
  EXPECT_FALSE(cpu_identity().empty());
  EXPECT_EQ(cpu_identity(), cpu_identity());
  EXPECT_EQ(library_identity("/nonexistent"), "");
  EXPECT_EQ(library_identity("/"), "");
  EXPECT_NE(library_identity("/proc/self/exe"), "");
  EXPECT_EQ(library_identity("/proc/self/exe"), library_identity("/proc/self/exe"));
}

}  // namespace
}  // namespace frit::code
