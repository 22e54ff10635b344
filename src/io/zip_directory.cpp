#include "io/zip_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "frit/error.hpp"

namespace frit::io {
namespace {

// Signatures and sizes of the fixed parts: APPNOTE.TXT 4.3.7, 4.3.12, 4.3.14, 4.3.15, 4.3.16.
constexpr std::uint32_t local_signature = 0x04034b50, central_signature = 0x02014b50, end_signature = 0x06054b50,
                        zip64_end_signature = 0x06064b50, zip64_locator_signature = 0x07064b50;
constexpr std::uint64_t local_size = 30, central_size = 46, end_size = 22, zip64_end_size = 56, zip64_locator_size = 20;
constexpr std::uint64_t max_comment = 0xFFFF;
constexpr std::uint32_t in_zip64_32 = 0xFFFFFFFF;
constexpr std::uint16_t in_zip64_16 = 0xFFFF, zip64_extra_id = 0x0001;
constexpr std::uint16_t flag_encrypted = 1, flag_descriptor = 1 << 3, flag_strong_encryption = 1 << 6;
constexpr std::uint16_t method_stored = 0, method_deflated = 8;
// Deflate codes at most 258 bytes in two bits, see zlib's technical notes on the maximum compression factor.
constexpr std::uint64_t max_deflate_ratio = 1032;

class Reader {
 public:
  explicit Reader(const ByteSource& source) : source_(source), bytes_(source.bytes()) {}

  std::uint64_t size() const { return bytes_.size(); }
  bool holds(std::uint64_t offset, std::uint64_t count) const {
    return offset <= bytes_.size() && count <= bytes_.size() - offset;
  }
  // Little-endian numbers; the caller has asked holds() before.
  std::uint16_t u16(std::uint64_t at) const { return static_cast<std::uint16_t>(little(at, 2)); }
  std::uint32_t u32(std::uint64_t at) const { return static_cast<std::uint32_t>(little(at, 4)); }
  std::uint64_t u64(std::uint64_t at) const { return little(at, 8); }
  std::string_view text(std::uint64_t at, std::uint64_t count) const { return source_.text().substr(at, count); }

  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorCode::npz_corrupt,
                fmt::format("{} is no zip archive that frit can read: {}", source_.name(), what));
  }
  [[noreturn]] void fail(std::string_view entry, std::string_view what) const {
    throw Error(ErrorCode::npz_corrupt, fmt::format("{}, entry {}: {}", source_.name(), shown(entry), what));
  }

 private:
  std::uint64_t little(std::uint64_t at, unsigned count) const {
    std::uint64_t value = 0;
    for (unsigned i = count; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes_[at + i]);
    return value;
  }
  const ByteSource& source_;
  std::span<const std::byte> bytes_;
};

struct Directory {
  std::uint64_t offset, size, entries;
};

std::uint64_t find_end_record(const Reader& in) {
  if (in.size() < end_size) in.fail(fmt::format("it has only {} bytes", in.size()));
  const std::uint64_t last = in.size() - end_size;
  const std::uint64_t first = last > max_comment ? last - max_comment : 0;
  for (std::uint64_t at = last + 1; at-- > first;) {
    if (in.u32(at) == end_signature && at + end_size + in.u16(at + 20) == in.size()) return at;
  }
  in.fail("the record at its end is missing; the file is truncated or something else");
}

Directory find_directory(const Reader& in) {
  const std::uint64_t end = find_end_record(in);
  // Zip64 archives may write 0xFFFF for the number of a volume; then the Zip64 record has it.
  const auto names_volume = [&](std::uint64_t at) { return in.u16(at) != 0 && in.u16(at) != in_zip64_16; };
  if (names_volume(end + 4) || names_volume(end + 6) || in.u16(end + 8) != in.u16(end + 10))
    in.fail("it is one of several volumes");
  Directory directory{in.u32(end + 16), in.u32(end + 12), in.u16(end + 10)};
  std::uint64_t limit = end;
  // NOTE: 0xFFFF entries may also be meant literally.
  const bool needs_zip64 = directory.offset == in_zip64_32 || directory.size == in_zip64_32;
  if (end >= zip64_locator_size && in.u32(end - zip64_locator_size) == zip64_locator_signature) {
    const std::uint64_t locator = end - zip64_locator_size;
    const std::uint64_t record = in.u64(locator + 8);
    if (record > locator || !in.holds(record, zip64_end_size) || record + zip64_end_size > locator ||
        in.u32(record) != zip64_end_signature)
      in.fail("its Zip64 locator points to no Zip64 record");
    if (in.u32(record + 16) != 0 || in.u32(record + 20) != 0 || in.u64(record + 24) != in.u64(record + 32))
      in.fail("it is one of several volumes");
    directory = {in.u64(record + 48), in.u64(record + 40), in.u64(record + 32)};
    limit = record;
  } else if (needs_zip64) {
    in.fail("its Zip64 record is missing");
  }
  if (directory.offset > limit || directory.size > limit - directory.offset)
    in.fail(fmt::format("its directory (offset {}, {} bytes) lies outside the file of {} bytes", directory.offset,
                        directory.size, in.size()));
  if (directory.entries > directory.size / central_size)
    in.fail(fmt::format("{} entries do not fit into its directory of {} bytes", directory.entries, directory.size));
  return directory;
}

// The content of the Zip64 extra field in the extra fields at [at, at + size).
struct Span {
  std::uint64_t at, size;
};
std::optional<Span> find_zip64_extra(const Reader& in, std::string_view name, std::uint64_t at, std::uint64_t size) {
  const std::uint64_t end = at + size;
  while (end - at >= 4) {
    const std::uint16_t id = in.u16(at), length = in.u16(at + 2);
    at += 4;
    if (length > end - at) in.fail(name, "an extra field is longer than its header");
    if (id == zip64_extra_id) return Span{at, length};
    at += length;
  }
  return std::nullopt;
}

// The sizes (and, in a central header, the offset) that are 0xFFFFFFFF are in the Zip64 field, in this order.
void take_zip64(const Reader& in, std::string_view name, Span extra, std::initializer_list<std::uint64_t*> values) {
  for (std::uint64_t* value : values) {
    if (*value != in_zip64_32) continue;
    if (extra.size < 8) in.fail(name, "its Zip64 field is too short");
    *value = in.u64(extra.at);
    extra.at += 8;
    extra.size -= 8;
  }
}

struct Located {
  std::uint64_t begin, end;  // of the local header and the data
  std::uint64_t index;
};

// Checks the local header at `header` against the central one and sets entry.data_offset.
Located check_local(const Reader& in, const Directory& directory, std::uint64_t header, std::uint16_t flags,
                    std::uint16_t method, ZipEntry& entry) {
  const std::string_view name = entry.name;
  if (header > directory.offset || directory.offset - header < local_size)
    in.fail(name, fmt::format("its local header (offset {}) lies outside the {} bytes before the directory", header,
                              directory.offset));
  if (in.u32(header) != local_signature) in.fail(name, fmt::format("there is no local header at offset {}", header));
  const std::uint16_t local_flags = in.u16(header + 6), name_size = in.u16(header + 26), extra = in.u16(header + 28);
  const std::uint64_t room = directory.offset - header - local_size;
  if (std::uint64_t{name_size} + extra > room) in.fail(name, "its local header is truncated");
  if (in.text(header + local_size, name_size) != name || in.u16(header + 8) != method ||
      ((local_flags ^ flags) & (flag_encrypted | flag_descriptor)) != 0)
    in.fail(name, "its local header differs from the directory");
  const std::uint64_t extra_at = header + local_size + name_size;
  entry.data_offset = extra_at + extra;
  if (entry.stored_size > directory.offset - entry.data_offset)
    in.fail(name, fmt::format("its {} bytes reach beyond the data of the archive, which ends at offset {}",
                              entry.stored_size, directory.offset));
  // With a data descriptor the sizes follow the data, and the directory alone is asked, as every reader does.
  if ((flags & flag_descriptor) == 0) {
    std::uint64_t size = in.u32(header + 22), stored = in.u32(header + 18);
    if (size == in_zip64_32 || stored == in_zip64_32) {
      const auto zip64 = find_zip64_extra(in, name, extra_at, extra);
      if (zip64) take_zip64(in, name, *zip64, {&size, &stored});
    }
    if (size != entry.size || stored != entry.stored_size)
      in.fail(name, fmt::format("its local header gives {} bytes ({} stored), the directory {} ({} stored)", size,
                                stored, entry.size, entry.stored_size));
  }
  return {header, entry.data_offset + entry.stored_size, entry.index};
}

}  // namespace

std::vector<ZipEntry> read_zip_directory(const ByteSource& source) {
  const Reader in(source);
  const Directory directory = find_directory(in);
  std::vector<ZipEntry> entries;
  std::vector<Located> located;
  entries.reserve(directory.entries);
  located.reserve(directory.entries);
  std::uint64_t at = directory.offset;
  const std::uint64_t end = directory.offset + directory.size;
  for (std::uint64_t index = 0; index < directory.entries; ++index) {
    if (end - at < central_size || in.u32(at) != central_signature)
      in.fail(fmt::format("its directory has no header for entry {} of {}", index + 1, directory.entries));
    const std::uint16_t flags = in.u16(at + 8), method = in.u16(at + 10);
    const std::uint16_t name_size = in.u16(at + 28), extra_size = in.u16(at + 30), comment_size = in.u16(at + 32);
    const std::uint64_t tail = std::uint64_t{name_size} + extra_size + comment_size;
    if (tail > end - at - central_size) in.fail(fmt::format("its directory is truncated in entry {}", index + 1));
    ZipEntry entry;
    entry.name = in.text(at + central_size, name_size);
    entry.index = index;
    entry.stored_size = in.u32(at + 20);
    entry.size = in.u32(at + 24);
    entry.deflated = method == method_deflated;
    std::uint64_t header = in.u32(at + 42);
    if (entry.size == in_zip64_32 || entry.stored_size == in_zip64_32 || header == in_zip64_32) {
      const auto zip64 = find_zip64_extra(in, entry.name, at + central_size + name_size, extra_size);
      if (zip64) take_zip64(in, entry.name, *zip64, {&entry.size, &entry.stored_size, &header});
    }
    // NOTE: without the UTF-8 flag the specification says code page 437; writers in use put UTF-8 there as well.
    if (!is_utf8(entry.name) || entry.name.find('\0') != std::string::npos)
      in.fail(entry.name, "its name is no UTF-8 text");
    if ((flags & (flag_encrypted | flag_strong_encryption)) != 0)
      in.fail(entry.name, "it is encrypted; write the archive without a password");
    if (method != method_stored && method != method_deflated)
      in.fail(entry.name, fmt::format("its compression method is {}; frit reads stored (0) and deflated (8) entries, "
                                      "as numpy.savez and numpy.savez_compressed write them",
                                      method));
    if (method == method_stored && entry.size != entry.stored_size)
      in.fail(entry.name, fmt::format("it is stored as it is, but has {} bytes of which {} are stored", entry.size,
                                      entry.stored_size));
    if (entry.deflated && entry.size / max_deflate_ratio > entry.stored_size)
      in.fail(entry.name, fmt::format("{} compressed bytes cannot hold its {} bytes", entry.stored_size, entry.size));
    located.push_back(check_local(in, directory, header, flags, method, entry));
    entries.push_back(std::move(entry));
    at += central_size + tail;
  }
  if (at != end) in.fail(fmt::format("its directory has {} bytes after the last entry", end - at));

  std::sort(located.begin(), located.end(), [](const Located& a, const Located& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < located.size(); ++i) {
    if (located[i].begin < located[i - 1].end)
      in.fail(entries[located[i].index].name,
              fmt::format("it overlaps entry {}", shown(entries[located[i - 1].index].name)));
  }
  std::unordered_set<std::string_view> names;
  for (const ZipEntry& entry : entries) {
    if (!names.insert(entry.name).second) in.fail(entry.name, "the archive holds this name twice");
  }
  return entries;
}

}  // namespace frit::io
