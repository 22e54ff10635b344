#include "io/sample_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>

#include "io/byte_source.hpp"
#include "io/csv_reader.hpp"
#include "io/npy_header.hpp"
#include "io/zip_directory.hpp"
#include "io/zip_stream.hpp"

namespace frit::io {
namespace {

// Where the elements of a column are: in the file at `offset`, or in a deflated entry behind `header_size` bytes.
struct Location {
  std::uint64_t offset = 0;
  bool deflated = false;
  std::size_t header_size = 0;
  ZipEntry entry;
  // The stream that inflates it, and the event that comes next in it.
  std::unique_ptr<ZipStream> stream;
  std::int64_t next_event = 0;
  bool read_before = false;
  std::int64_t released = 0;
};

std::shared_ptr<std::byte[]> allocate(std::uint64_t bytes, std::string_view name) {
  try {
    return std::make_shared_for_overwrite<std::byte[]>(std::max<std::uint64_t>(bytes, 1));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory,
                fmt::format("no memory for {} bytes of column {}; read it in chunks", bytes, shown(name)));
  }
}

void swap_bytes(std::byte* data, std::uint64_t bytes, DType dtype) {
  const std::size_t word = is_complex(dtype) ? size_of(real_of(dtype)) : size_of(dtype);
  for (std::uint64_t at = 0; at < bytes; at += word) std::reverse(data + at, data + at + word);
}

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return extension;
}

}  // namespace

struct SampleFile::State {
  std::shared_ptr<const ByteSource> source;
  std::vector<ColumnInfo> columns;
  std::vector<Location> locations;  // of npz and npy columns
  std::vector<UnusableEntry> unusable;
  std::unordered_map<std::string, std::size_t> index, unusable_index;
  std::shared_ptr<ZipArchive> archive;  // where an entry is deflated
  std::unique_ptr<CsvReader> csv;
  std::vector<bool> selected;
  std::shared_ptr<const CsvBlock> block;  // the last one read

  void open(const std::filesystem::path& path);
  void open_npz();
  void open_npy(const std::string& name);
  void open_csv();
  void add_entry(const ZipEntry& entry);
  void add_column(const std::string& name, const NpyHeader& header, Location location);

  std::size_t find(std::string_view name) const;
  Column read_csv(std::size_t i, std::int64_t first, std::int64_t count);
  Column read_array(std::size_t i, std::int64_t first, std::int64_t count);
  void inflate(std::size_t i, std::int64_t first, std::span<std::byte> target);
};

void SampleFile::State::open(const std::filesystem::path& path) {
  const std::string_view text = source->text();
  const std::string extension = lower_extension(path);
  if (text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06")) return open_npz();
  if (text.starts_with("\x93NUMPY")) return open_npy(path.stem().string());
  if (extension == ".csv") return open_csv();
  if (extension == ".npz")
    throw Error(ErrorCode::npz_corrupt,
                fmt::format("{} is no zip archive: it {}", source->name(),
                            text.empty() ? "is empty" : "begins with " + shown(text.substr(0, 8))));
  if (extension == ".npy") return open_npy(path.stem().string());
  throw Error(ErrorCode::file_read, fmt::format("{} is neither an npz nor an npy file, and only names that end in .csv "
                                                "are read as text",
                                                source->name()));
}

void SampleFile::State::open_npz() {
  for (const ZipEntry& entry : read_zip_directory(*source)) add_entry(entry);
}

void SampleFile::State::add_entry(const ZipEntry& entry) {
  constexpr std::string_view suffix = ".npy";
  const std::string name =
      entry.name.ends_with(suffix) ? entry.name.substr(0, entry.name.size() - suffix.size()) : entry.name;
  const std::string where = fmt::format("{}, array {}", source->name(), shown(name));
  try {
    if (!entry.name.ends_with(suffix)) throw Error(ErrorCode::npy_dtype, fmt::format("{} is no .npy array", where));
    Location location;
    location.deflated = entry.deflated;
    location.entry = entry;
    NpyHeader header;
    if (entry.deflated) {
      if (archive == nullptr) archive = std::make_shared<ZipArchive>(source);
      ZipStream stream(archive, entry);
      std::vector<std::byte> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(npy_prefix_size, entry.size)));
      stream.read(bytes);
      const std::size_t prefix = bytes.size();
      bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(npy_header_size(bytes, where), entry.size)));
      if (bytes.size() > prefix) stream.read(std::span(bytes).subspan(prefix));
      header = parse_npy_header(bytes, where);
    } else {
      header = parse_npy_header(source->bytes().subspan(entry.data_offset, entry.size), where);
      location.offset = entry.data_offset + header.header_size;
    }
    location.header_size = header.header_size;
    const std::uint64_t needed = header.header_size + static_cast<std::uint64_t>(header.size) * size_of(header.dtype);
    if (needed != entry.size)
      throw Error(ErrorCode::npz_corrupt, fmt::format("{}: {} values of {} take {} bytes, the entry has {}", where,
                                                      header.size, name_of(header.dtype), needed, entry.size));
    add_column(name, header, std::move(location));
  } catch (const Error& error) {
    const ErrorCode code = error.code();
    if (code != ErrorCode::npy_object && code != ErrorCode::npy_dtype && code != ErrorCode::npy_shape) throw;
    unusable_index.emplace(name, unusable.size());
    unusable.push_back({name, code, error.message()});
  }
}

void SampleFile::State::open_npy(const std::string& name) {
  const NpyHeader header = parse_npy_header(source->bytes(), source->name());
  const std::uint64_t needed = header.header_size + static_cast<std::uint64_t>(header.size) * size_of(header.dtype);
  if (needed != source->bytes().size())
    throw Error(ErrorCode::npy_header,
                fmt::format("{}: {} values of {} take {} bytes, the file has {}; it is truncated or "
                            "holds more than one array",
                            source->name(), header.size, name_of(header.dtype), needed, source->bytes().size()));
  Location location;
  location.offset = location.header_size = header.header_size;
  add_column(name, header, std::move(location));
}

void SampleFile::State::open_csv() {
  csv = std::make_unique<CsvReader>(source);
  for (const CsvColumn& column : csv->columns()) {
    index.emplace(column.name, columns.size());
    columns.push_back({column.name, column.complex ? DType::c128 : DType::f64, csv->events(), false, false});
  }
  selected.assign(columns.size(), true);
}

void SampleFile::State::add_column(const std::string& name, const NpyHeader& header, Location location) {
  index.emplace(name, columns.size());
  columns.push_back({name, header.dtype, header.size, header.swapped, !location.deflated && !header.swapped});
  locations.push_back(std::move(location));
}

std::size_t SampleFile::State::find(std::string_view name) const {
  if (const auto it = index.find(std::string(name)); it != index.end()) return it->second;
  if (const auto it = unusable_index.find(std::string(name)); it != unusable_index.end())
    throw Error(unusable[it->second].code, unusable[it->second].message);
  std::string known;
  for (std::size_t i = 0; i < std::min<std::size_t>(columns.size(), 8); ++i)
    known += (i == 0 ? "" : ", ") + shown(columns[i].name);
  if (columns.size() > 8) known += fmt::format(" and {} more", columns.size() - 8);
  throw Error(ErrorCode::column_missing, fmt::format("{} has no column {}; it has {}", source->name(), shown(name),
                                                     columns.empty() ? "none" : known));
}

Column SampleFile::State::read_csv(std::size_t i, std::int64_t first, std::int64_t count) {
  // All selected columns of a range are parsed at once, and the next columns of the same range are taken from it.
  if (!selected[i]) {
    selected[i] = true;
    block.reset();
  }
  if (block == nullptr || block->first != first || block->count != count) {
    block.reset();
    try {
      block = csv->read(first, count, selected);
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("no memory for {} events of {}; read them in chunks", count, source->name()));
    }
  }
  return {columns[i].dtype, reinterpret_cast<const std::byte*>(block->values[i].data()), count, block};
}

void SampleFile::State::inflate(std::size_t i, std::int64_t first, std::span<std::byte> target) {
  Location& location = locations[i];
  const std::uint64_t element = size_of(columns[i].dtype);
  if (location.stream == nullptr || first < location.next_event) {
    location.stream = std::make_unique<ZipStream>(archive, location.entry);
    location.stream->skip(location.header_size);
    location.next_event = 0;
  }
  try {
    location.stream->skip(static_cast<std::uint64_t>(first - location.next_event) * element);
    location.stream->read(target);
    location.next_event = first + static_cast<std::int64_t>(target.size() / element);
    if (location.next_event == columns[i].size) {
      location.stream->expect_end();
      location.stream.reset();
      location.next_event = 0;
    }
  } catch (...) {
    location.stream.reset();
    throw;
  }
}

Column SampleFile::State::read_array(std::size_t i, std::int64_t first, std::int64_t count) {
  const ColumnInfo& info = columns[i];
  Location& location = locations[i];
  const std::uint64_t element = size_of(info.dtype);
  const std::uint64_t bytes = static_cast<std::uint64_t>(count) * element;
  const std::uint64_t begin = location.offset + static_cast<std::uint64_t>(first) * element;
  if (!std::exchange(location.read_before, true)) {
    if (location.deflated)
      source->expect_sequential(location.entry.data_offset, location.entry.stored_size);
    else if (count < info.size)
      source->expect_sequential(location.offset, static_cast<std::uint64_t>(info.size) * element);
    else
      source->expect_all(location.offset, bytes);
  }
  location.released = std::min(location.released, first);
  if (location.deflated) {
    auto owned = allocate(bytes, info.name);
    inflate(i, first, {owned.get(), bytes});
    if (info.swapped) swap_bytes(owned.get(), bytes, info.dtype);
    if (info.dtype == DType::boolean)
      for (std::uint64_t k = 0; k < bytes; ++k) owned[k] = std::byte{owned[k] != std::byte{0}};
    return {info.dtype, owned.get(), count, owned};
  }
  const std::byte* stored = source->bytes().data() + begin;
  const bool odd_booleans =
      info.dtype == DType::boolean && std::any_of(stored, stored + bytes, [](std::byte b) { return b > std::byte{1}; });
  if (!info.swapped && !odd_booleans) return {info.dtype, stored, count, source};
  auto owned = allocate(bytes, info.name);
  if (bytes > 0) std::memcpy(owned.get(), stored, bytes);
  if (info.swapped) swap_bytes(owned.get(), bytes, info.dtype);
  if (odd_booleans)
    for (std::uint64_t k = 0; k < bytes; ++k) owned[k] = std::byte{owned[k] != std::byte{0}};
  return {info.dtype, owned.get(), count, owned};
}

SampleFile::SampleFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
SampleFile::SampleFile(SampleFile&&) noexcept = default;
SampleFile& SampleFile::operator=(SampleFile&&) noexcept = default;
SampleFile::~SampleFile() = default;

SampleFile SampleFile::open(const std::filesystem::path& path) {
  auto state = std::make_unique<State>();
  state->source = ByteSource::map_file(path);
  state->open(path);
  return SampleFile(std::move(state));
}

SampleFile SampleFile::from_memory(std::span<const std::byte> bytes, const std::string& name) {
  auto state = std::make_unique<State>();
  state->source = ByteSource::view(bytes, name);
  state->open(name);
  return SampleFile(std::move(state));
}

const std::vector<ColumnInfo>& SampleFile::columns() const { return state_->columns; }
const std::vector<UnusableEntry>& SampleFile::unusable() const { return state_->unusable; }

const ColumnInfo* SampleFile::find(std::string_view name) const {
  const std::string key(name);
  if (!state_->index.contains(key) && !state_->unusable_index.contains(key)) return nullptr;
  return &state_->columns[state_->find(name)];
}

std::int64_t SampleFile::events() const {
  std::vector<std::string> names;
  for (const ColumnInfo& column : state_->columns) names.push_back(column.name);
  return events(names);
}

std::int64_t SampleFile::events(std::span<const std::string> names) const {
  const ColumnInfo* first = nullptr;
  for (const std::string& name : names) {
    const ColumnInfo& column = state_->columns[state_->find(name)];
    if (first == nullptr) first = &column;
    if (column.size != first->size)
      throw Error(
          ErrorCode::column_length,
          fmt::format("{}: column {} has {} events, column {} has {}; all columns of a sample have the same length",
                      state_->source->name(), shown(first->name), first->size, shown(column.name), column.size));
  }
  return first == nullptr ? 0 : first->size;
}

void SampleFile::select(std::span<const std::string> names) {
  std::vector<bool> selected(state_->columns.size(), false);
  for (const std::string& name : names) selected[state_->find(name)] = true;
  state_->selected = std::move(selected);
  state_->block.reset();
}

Column SampleFile::read(std::string_view name) {
  const std::size_t i = state_->find(name);
  return read(name, 0, state_->columns[i].size);
}

Column SampleFile::read(std::string_view name, std::int64_t first, std::int64_t count) {
  const std::size_t i = state_->find(name);
  const std::int64_t size = state_->columns[i].size;
  if (first < 0 || count < 0 || first > size || count > size - first)
    throw Error(ErrorCode::internal, fmt::format("{} events from {} of column {} were asked for, which has {}", count,
                                                 first, shown(name), size));
  return state_->csv != nullptr ? state_->read_csv(i, first, count) : state_->read_array(i, first, count);
}

void SampleFile::release(std::int64_t up_to_event) {
  // A csv gives its text back while it is parsed.
  for (std::size_t i = 0; i < state_->locations.size(); ++i) {
    Location& location = state_->locations[i];
    if (!location.read_before) continue;
    const std::int64_t end = std::min(up_to_event, state_->columns[i].size);
    if (end <= location.released) continue;
    if (location.deflated) {
      // How far libzip has read is not known; what it still needs is mapped again.
      state_->source->drop(location.entry.data_offset, location.entry.stored_size);
    } else {
      const std::uint64_t element = size_of(state_->columns[i].dtype);
      state_->source->drop(location.offset + static_cast<std::uint64_t>(location.released) * element,
                           static_cast<std::uint64_t>(end - location.released) * element);
    }
    location.released = end;
  }
}

}  // namespace frit::io
