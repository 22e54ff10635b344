// Files of named columns of events: npz, npy and csv behind one interface, whole or a range of events at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frit/dtype.hpp"
#include "frit/error.hpp"

namespace frit::io {

struct ColumnInfo {
  std::string name;      // UTF-8, without the ".npy" that an npz adds
  DType dtype;           // the dtype of the file; values are never converted to another one
  std::int64_t size;     // number of events
  bool swapped = false;  // the other byte order on disk
  bool mapped = false;   // read() gives a view of the file without a copy
};

// An entry of an npz that cannot be a column: an array of two axes, of text, of objects, or no array at all. It is no
// error until it is asked for.
struct UnusableEntry {
  std::string name;
  ErrorCode code;
  std::string message;
};

// Values of one column: `size` elements of `dtype` in this machine's byte order, one after the other, valid as long as
// `owner` lives. NOTE: in an npz the data begin at any byte address, so take them with memcpy or an unaligned load.
struct Column {
  DType dtype = DType::f64;
  const std::byte* data = nullptr;
  std::int64_t size = 0;
  std::shared_ptr<const void> owner;
};

// Formats, told by the first bytes and, for csv, by the extension:
//   npz   a zip archive of .npy arrays, each of one axis: bool, int8..int64, uint8..uint64, float32, float64, complex64
//         or complex128, of either byte order. Stored entries are mapped, deflated ones inflated.
//   npy   one such array; its column has the stem of the file name.
//   csv   see CsvReader; columns are f64, or c128 where a value has an imaginary part.
// What is mapped is not compared with the CRC of the archive, which would read every page twice; what is inflated is,
// as soon as its last event has been read. Booleans stored as other bytes than 0 and 1 are read as 1, in a copy.
// An object is used by one thread at a time; the columns it gave out may be read by any number.
class SampleFile {
 public:
  // Throws file_open and file_read; npz_corrupt for a damaged archive; npy_header for an array whose header cannot be
  // read or whose data are too short or too long; csv_syntax for a damaged header line; for an .npy file also
  // npy_object, npy_dtype and npy_shape.
  static SampleFile open(const std::filesystem::path& path);
  // The same from memory, which the caller keeps alive as long as the object and its columns. The extension of `name`
  // decides as that of a path does, and messages quote it.
  static SampleFile from_memory(std::span<const std::byte> bytes, const std::string& name);

  SampleFile(SampleFile&&) noexcept;
  SampleFile& operator=(SampleFile&&) noexcept;
  ~SampleFile();

  // In the order of the file.
  const std::vector<ColumnInfo>& columns() const;
  const std::vector<UnusableEntry>& unusable() const;
  // The column of this name, or nullptr where the file has none. Throws the error of an unusable entry of this name
  // (npy_object, npy_dtype, npy_shape or npy_header).
  const ColumnInfo* find(std::string_view name) const;

  // The common number of events of all columns, or of those named; 0 where there is no column. Throws column_length
  // with the names and sizes of two columns that differ, and column_missing.
  std::int64_t events() const;
  std::int64_t events(std::span<const std::string> names) const;

  // Says which columns will be read. Others may still be, but a csv converts the numbers of these only; without this
  // call it converts all columns on the first read. Throws column_missing.
  void select(std::span<const std::string> names);

  // All events of a column, or events [first, first + count) of it. Throws column_missing; npz_corrupt and csv_syntax
  // for damage in the data; out_of_memory. A range costs memory for `count` events where it cannot be mapped. Ranges
  // are meant to go forward: one that begins before the end of the last one of the same column starts to inflate or
  // to count lines from the begin.
  Column read(std::string_view name);
  Column read(std::string_view name, std::int64_t first, std::int64_t count);

  // Says that events below `up_to_event` have been used: their pages leave resident memory, so that a pass over a
  // file of any size stays bounded. What is read again later is mapped again; columns given out stay valid.
  void release(std::int64_t up_to_event);

 private:
  struct State;
  explicit SampleFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace frit::io
