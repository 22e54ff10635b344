#include "io/npz_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "frit/error.hpp"
#include "io/byte_source.hpp"
#include "io/npy_header.hpp"

namespace frit::io {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written in the order of a little-endian machine");

constexpr std::uint64_t alignment = 64;
constexpr std::size_t buffer_size = std::size_t{128} << 10;  // inside L2; a multiple of every element size

// CRC-32 of ISO 3309, reflected polynomial 0xEDB88320, eight bytes a step: table k advances a byte by k more bytes.
using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;
constexpr CrcTables make_crc_tables() {
  CrcTables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0U);
    tables[0][i] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t i = 0; i < 256; ++i) tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 0xFF];
  return tables;
}
constexpr CrcTables crc_tables = make_crc_tables();

std::uint32_t crc32(std::uint32_t crc, const std::byte* data, std::size_t size) {
  crc = ~crc;
  for (; size >= 8; size -= 8, data += 8) {
    std::uint64_t word;
    std::memcpy(&word, data, 8);
    word ^= crc;
    crc = 0;
    for (unsigned k = 0; k < 8; ++k) crc ^= crc_tables[7 - k][word >> (8 * k) & 0xFF];
  }
  for (; size > 0; --size, ++data) crc = crc >> 8 ^ crc_tables[0][(crc ^ std::to_integer<std::uint32_t>(*data)) & 0xFF];
  return ~crc;
}

// Integer operations, so that the floating-point environment plays no part.
template <typename Word, Word infinity, Word canonical> void write_canonical_nans(std::byte* data, std::size_t size) {
  constexpr Word magnitude = std::numeric_limits<Word>::max() >> 1;
  for (std::size_t at = 0; at < size; at += sizeof(Word)) {
    Word word;
    std::memcpy(&word, data + at, sizeof word);
    word = (word & magnitude) > infinity ? canonical : word;
    std::memcpy(data + at, &word, sizeof word);
  }
}

void write_canonical_nans(DType dtype, std::byte* data, std::size_t size) {
  switch (real_of(dtype)) {
    case DType::f32: return write_canonical_nans<std::uint32_t, 0x7F800000, 0x7FC00000>(data, size);
    case DType::f64: return write_canonical_nans<std::uint64_t, 0x7FF0000000000000, 0x7FF8000000000000>(data, size);
    default: return;
  }
}

// Fields of the records: APPNOTE.TXT 4.3.7, 4.3.12, 4.3.14 to 4.3.16, 4.5.3.
class Record {
 public:
  Record& u16(std::uint64_t value) { return little(value, 2); }
  Record& u32(std::uint64_t value) { return little(value, 4); }
  Record& u64(std::uint64_t value) { return little(value, 8); }
  // 0xFFFFFFFF where the value is in a Zip64 field.
  Record& u32_or_zip64(std::uint64_t value) { return u32(std::min(value, in_zip64)); }
  Record& text(std::string_view value) {
    bytes += value;
    return *this;
  }
  static constexpr std::uint64_t in_zip64 = 0xFFFFFFFF;
  std::string bytes;

 private:
  Record& little(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    return *this;
  }
};

constexpr std::uint64_t version_zip64 = 45;
constexpr std::uint64_t date_1980 = 0x21;  // 1980-01-01, the first day of the format
constexpr std::uint64_t zip64_id = 0x0001;
// The field of Android's zipalign: the alignment and as many zeros as it takes. Readers skip fields they do not know.
constexpr std::uint64_t alignment_id = 0xD935;

std::uint64_t flags_of(std::string_view name) {
  const bool ascii = std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii ? 0 : 1 << 11;  // UTF-8
}

}  // namespace

NpzWriter::NpzWriter(const std::filesystem::path& path) : file_(path), buffer_(buffer_size) {}

std::string NpzWriter::local_header(const Entry& entry) const {
  Record extra;
  extra.u16(zip64_id).u16(16).u64(entry.bytes).u64(entry.bytes);
  constexpr std::uint64_t fixed = 30, alignment_field = 6;
  const std::uint64_t end = entry.header_offset + fixed + entry.name.size() + extra.bytes.size() + alignment_field;
  const std::uint64_t padding = (alignment - end % alignment) % alignment;
  extra.u16(alignment_id).u16(2 + padding).u16(alignment).text(std::string(padding, '\0'));
  Record header;
  header.u32(0x04034b50).u16(version_zip64).u16(flags_of(entry.name)).u16(0).u16(0).u16(date_1980).u32(entry.crc);
  header.u32(Record::in_zip64).u32(Record::in_zip64).u16(entry.name.size()).u16(extra.bytes.size());
  return header.text(entry.name).text(extra.bytes).bytes;
}

void NpzWriter::begin(std::string_view name, DType dtype, std::int64_t size) {
  if (name.size() > 65000 || !is_utf8(name) || name.find('\0') != std::string_view::npos || size < 0)
    throw Error(ErrorCode::internal,
                fmt::format("an output cannot have the name {} and {} elements", shown(name), size));
  Entry entry{std::string(name) + ".npy", dtype, size, 0, end_, 0, 0, 0};
  for (const Entry& other : entries_) {
    if (other.name == entry.name)
      throw Error(ErrorCode::internal, fmt::format("the output {} is written twice", shown(name)));
  }
  const std::string npy = make_npy_header(dtype, size);
  entry.bytes = npy.size() + static_cast<std::uint64_t>(size) * size_of(dtype);
  entry.crc = crc32(0, reinterpret_cast<const std::byte*>(npy.data()), npy.size());
  const std::string header = local_header(entry) + npy;
  entry.data_offset = end_ + header.size();
  const std::uint64_t end = entry.data_offset + entry.bytes - npy.size();
  file_.reserve(end);
  file_.write_at(end_, header.data(), header.size());
  end_ = end;
  entries_.push_back(std::move(entry));
}

NpzWriter::Entry& NpzWriter::find(std::string_view name) {
  constexpr std::size_t suffix = 4;
  for (Entry& entry : entries_) {
    if (std::string_view(entry.name).substr(0, entry.name.size() - suffix) == name) return entry;
  }
  throw Error(ErrorCode::internal, fmt::format("the output {} was not begun", shown(name)));
}

void NpzWriter::append(std::string_view name, const void* data, std::int64_t count) {
  Entry& entry = find(name);
  if (count < 0 || count > entry.size - entry.written)
    throw Error(ErrorCode::internal, fmt::format("{} elements after {} of {} in the output {}", count, entry.written,
                                                 entry.size, shown(name)));
  const std::byte* bytes = static_cast<const std::byte*>(data);
  std::uint64_t offset = entry.data_offset + static_cast<std::uint64_t>(entry.written) * size_of(entry.dtype);
  for (std::uint64_t left = static_cast<std::uint64_t>(count) * size_of(entry.dtype); left > 0;) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(left, buffer_.size()));
    std::memcpy(buffer_.data(), bytes, part);
    write_canonical_nans(entry.dtype, buffer_.data(), part);
    entry.crc = crc32(entry.crc, buffer_.data(), part);
    file_.write_at(offset, buffer_.data(), part);
    bytes += part;
    offset += part;
    left -= part;
  }
  entry.written += count;
}

void NpzWriter::commit() {
  Record directory;
  for (const Entry& entry : entries_) {
    if (entry.written != entry.size)
      throw Error(ErrorCode::internal,
                  fmt::format("the output {} has {} of its {} elements", shown(entry.name), entry.written, entry.size));
    const std::string header = local_header(entry);  // now with the CRC of everything
    file_.write_at(entry.header_offset, header.data(), header.size());
    Record zip64;
    if (entry.bytes >= Record::in_zip64) zip64.u64(entry.bytes).u64(entry.bytes);
    if (entry.header_offset >= Record::in_zip64) zip64.u64(entry.header_offset);
    Record extra;
    if (!zip64.bytes.empty()) extra.u16(zip64_id).u16(zip64.bytes.size()).text(zip64.bytes);
    constexpr std::uint64_t made_by_unix = 3 << 8 | version_zip64, mode = std::uint64_t{0100600} << 16;  // as NumPy
    directory.u32(0x02014b50)
        .u16(made_by_unix)
        .u16(version_zip64)
        .u16(flags_of(entry.name))
        .u16(0)
        .u16(0)
        .u16(date_1980);
    directory.u32(entry.crc).u32_or_zip64(entry.bytes).u32_or_zip64(entry.bytes);
    directory.u16(entry.name.size())
        .u16(extra.bytes.size())
        .u16(0)
        .u16(0)
        .u16(0)
        .u32(mode)
        .u32_or_zip64(entry.header_offset);
    directory.text(entry.name).text(extra.bytes);
  }
  const std::uint64_t size = directory.bytes.size(), count = entries_.size();
  if (size >= Record::in_zip64 || end_ >= Record::in_zip64 || count >= 0xFFFF) {
    const std::uint64_t record = end_ + size;
    directory.u32(0x06064b50).u64(44).u16(version_zip64).u16(version_zip64).u32(0).u32(0);
    directory.u64(count).u64(count).u64(size).u64(end_);
    directory.u32(0x07064b50).u32(0).u64(record).u32(1);
  }
  const std::uint64_t short_count = std::min<std::uint64_t>(count, 0xFFFF);
  directory.u32(0x06054b50).u16(0).u16(0).u16(short_count).u16(short_count);
  directory.u32_or_zip64(size).u32_or_zip64(end_).u16(0);
  file_.write_at(end_, directory.bytes.data(), directory.bytes.size());
  file_.commit();
}

}  // namespace frit::io
