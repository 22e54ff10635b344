// Byte images of zip, npz and npy files, good and damaged, for the tests of src/io. Written apart from the writer of
// the library, so that a mistake in it does not hide one in the reader.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "frit/error.hpp"
#include "io/sample_file.hpp"

namespace frit::io::test {

inline std::string little(std::uint64_t value, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

template <typename T> std::string bytes_of(const std::vector<T>& values, bool big_endian = false) {
  std::string bytes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    char one[sizeof(T)];
    const T value = values[i];
    std::memcpy(one, &value, sizeof one);
    constexpr bool pair = sizeof(T) == 16 || std::is_same_v<T, std::complex<float>>;
    if (big_endian && pair) {
      std::reverse(one, one + sizeof(T) / 2);
      std::reverse(one + sizeof(T) / 2, one + sizeof(T));
    } else if (big_endian) {
      std::reverse(one, one + sizeof(T));
    }
    bytes.append(one, sizeof one);
  }
  return bytes;
}

// An .npy with any text as its dictionary.
inline std::string npy_of_dict(std::string dict, std::string_view data, int major = 1) {
  dict += '\n';
  std::string image = "\x93NUMPY";
  image += static_cast<char>(major);
  image += '\0';
  return image + little(dict.size(), major == 1 ? 2 : 4) + dict + std::string(data);
}

inline std::string npy(const std::string& descr, const std::string& shape, std::string_view data, int major = 1) {
  return npy_of_dict("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", data, major);
}

inline std::string npy_f64(const std::vector<double>& values) {
  return npy("<f8", "(" + std::to_string(values.size()) + ",)", bytes_of(values));
}

inline std::uint32_t crc_of(std::string_view data) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : data) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

// The content as deflate blocks that are not compressed.
inline std::string deflate_stored(std::string_view data) {
  std::string out;
  do {
    const std::string_view part = data.substr(0, 60000);
    data.remove_prefix(part.size());
    out += data.empty() ? '\1' : '\0';
    out += little(part.size(), 2) + little(part.size() ^ 0xFFFF, 2) + std::string(part);
  } while (!data.empty());
  return out;
}

// One entry; what is set replaces the right value in the headers.
struct Part {
  std::string name = {};
  std::string content = {};
  bool deflate = false;
  bool zip64 = false;       // both headers give sizes (and the offset) in a Zip64 field
  bool descriptor = false;  // sizes follow the data
  std::optional<std::uint64_t> flags = {}, method = {}, crc = {}, size = {}, stored = {}, offset = {};
  std::optional<std::uint64_t> local_size = {}, local_stored = {};
  std::optional<std::string> local_name = {}, raw = {};  // raw: the stored bytes
};

struct ZipOptions {
  bool zip64_end = false;
  std::string comment = {};
  std::optional<std::uint64_t> entries = {}, directory_size = {}, directory_offset = {}, disk = {};
};

inline std::string zip_of(const std::vector<Part>& parts, const ZipOptions& options = {}) {
  std::string image, directory;
  for (const Part& part : parts) {
    const std::string raw = part.raw.value_or(part.deflate ? deflate_stored(part.content) : part.content);
    const std::uint64_t flags = part.flags.value_or(part.descriptor ? 8 : 0),
                        method = part.method.value_or(part.deflate ? 8 : 0);
    const std::uint64_t crc = part.crc.value_or(crc_of(part.content));
    const std::uint64_t size = part.size.value_or(part.content.size()), stored = part.stored.value_or(raw.size());
    const std::uint64_t offset = part.offset.value_or(image.size());
    const std::uint64_t local_size = part.local_size.value_or(part.descriptor ? 0 : size);
    const std::uint64_t local_stored = part.local_stored.value_or(part.descriptor ? 0 : stored);
    const std::string local_name = part.local_name.value_or(part.name);
    const std::uint64_t far = 0xFFFFFFFF;
    const std::string local_extra =
        part.zip64 ? little(1, 2) + little(16, 2) + little(local_size, 8) + little(local_stored, 8) : "";
    const std::string extra = part.zip64 ? little(0x5455, 2) + little(1, 2) + "x" + little(1, 2) + little(24, 2) +
                                               little(size, 8) + little(stored, 8) + little(offset, 8)
                                         : "";
    image += little(0x04034b50, 4) + little(45, 2) + little(flags, 2) + little(method, 2) + little(0x210000, 4) +
             little(crc, 4);
    image += little(part.zip64 ? far : local_stored, 4) + little(part.zip64 ? far : local_size, 4);
    image += little(local_name.size(), 2) + little(local_extra.size(), 2) + local_name + local_extra + raw;
    if (part.descriptor) image += little(0x08074b50, 4) + little(crc, 4) + little(stored, 4) + little(size, 4);
    directory += little(0x02014b50, 4) + little(45, 2) + little(45, 2) + little(flags, 2) + little(method, 2) +
                 little(0x210000, 4);
    directory += little(crc, 4) + little(part.zip64 ? far : stored, 4) + little(part.zip64 ? far : size, 4);
    directory += little(part.name.size(), 2) + little(extra.size(), 2) + little(0, 2) + little(0, 2) + little(0, 2) +
                 little(0, 4);
    directory += little(part.zip64 ? far : offset, 4) + part.name + extra;
  }
  const std::uint64_t entries = options.entries.value_or(parts.size());
  const std::uint64_t at = options.directory_offset.value_or(image.size()),
                      size = options.directory_size.value_or(directory.size());
  image += directory;
  if (options.zip64_end) {
    const std::uint64_t record = image.size();
    image += little(0x06064b50, 4) + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 4) + little(0, 4);
    image += little(entries, 8) + little(entries, 8) + little(size, 8) + little(at, 8);
    image += little(0x07064b50, 4) + little(0, 4) + little(record, 8) + little(1, 4);
  }
  const bool far = options.zip64_end;
  image +=
      little(0x06054b50, 4) + little(options.disk.value_or(0), 2) + little(0, 2) + little(far ? 0xFFFF : entries, 2);
  image += little(far ? 0xFFFF : entries, 2) + little(far ? 0xFFFFFFFF : size, 4) + little(far ? 0xFFFFFFFF : at, 4);
  return image + little(options.comment.size(), 2) + options.comment;
}

// The image must outlive the file.
inline SampleFile open_image(const std::string& image, const std::string& name = "data.npz") {
  return SampleFile::from_memory(std::as_bytes(std::span(image)), name);
}

template <typename T> std::vector<T> values_of(const Column& column) {
  std::vector<T> values(static_cast<std::size_t>(column.size));
  EXPECT_EQ(sizeof(T), size_of(column.dtype));
  if (!values.empty()) std::memcpy(values.data(), column.data, values.size() * sizeof(T));
  return values;
}

inline void expect_error(ErrorCode code, const std::function<void()>& action, const std::string& part = "") {
  try {
    action();
    ADD_FAILURE() << "no error where " << name_of(code) << " was expected (" << part << ")";
  } catch (const Error& error) {
    EXPECT_EQ(name_of(error.code()), name_of(code)) << error.what();
    EXPECT_NE(error.message().find(part), std::string::npos) << error.what() << "\nhas no: " << part;
  }
}

// A folder of its own for a test, removed afterwards.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "frit-io-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace frit::io::test
