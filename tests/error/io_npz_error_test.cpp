// Damaged and hostile npz and npy files: one clear error each, and no memory for sizes that cannot be true.
#include <sys/stat.h>

#include "unit/io_images.hpp"

namespace frit::io::test {
namespace {

void read_all(const std::string& image, const std::string& name) {
  SampleFile file = open_image(image, name);
  for (const ColumnInfo& info : file.columns()) file.read(info.name);
  for (const UnusableEntry& entry : file.unusable()) file.find(entry.name);
}

void expect_npz(ErrorCode code, const std::string& image, const std::string& part) {
  expect_error(
      code, [&] { read_all(image, "data.npz"); }, part);
}

void expect_corrupt(const std::vector<Part>& parts, const std::string& part, const ZipOptions& options = {}) {
  expect_npz(ErrorCode::npz_corrupt, zip_of(parts, options), part);
}

Part good(const std::string& name) { return {.name = name + ".npy", .content = npy_f64({1, 2, 3})}; }

Part changed(const std::function<void(Part&)>& change, bool deflate = false) {
  Part part = good("x");
  part.deflate = deflate;
  change(part);
  return part;
}

TEST(IoNpzError, FilesThatCannotBeOpened) {
  const Folder folder;
  expect_error(
      ErrorCode::file_open, [&] { SampleFile::open(folder / "none.npz"); }, "No such file or directory");
  expect_error(
      ErrorCode::file_open, [&] { SampleFile::open(folder.path()); }, "it is a folder");
  expect_error(
      ErrorCode::file_open, [&] { SampleFile::open("/dev/null"); }, "pipe or device");
  ASSERT_EQ(::mkfifo((folder / "pipe.csv").c_str(), 0600), 0);
  expect_error(
      ErrorCode::file_open, [&] { SampleFile::open(folder / "pipe.csv"); }, "pipe or device");
  write_file(folder / "empty.npz", "");
  expect_error(
      ErrorCode::npz_corrupt, [&] { SampleFile::open(folder / "empty.npz"); }, "it is empty");
  write_file(folder / "data.bin", "hello");
  expect_error(
      ErrorCode::file_read, [&] { SampleFile::open(folder / "data.bin"); }, "neither an npz nor an npy");
  write_file(folder / "text.npz", "hello\x1B world");
  expect_error(
      ErrorCode::npz_corrupt, [&] { SampleFile::open(folder / "text.npz"); }, "begins with \"hello\\x1b w\"");
}

TEST(IoNpzError, EveryTruncationIsFound) {
  for (const bool zip64_end : {false, true}) {
    const std::string image = zip_of({good("a"), changed([](Part&) {}, true)}, {.zip64_end = zip64_end});
    for (std::size_t size = 0; size < image.size(); ++size)
      expect_npz(ErrorCode::npz_corrupt, image.substr(0, size), "data.npz");
  }
}

TEST(IoNpzError, EveryChangedByteGivesAnErrorOrValues) {
  const std::string image = zip_of({good("a"), changed([](Part& p) { p.zip64 = true; }, true)}, {.zip64_end = true});
  for (std::size_t at = 0; at < image.size(); ++at) {
    for (const int change : {1, 0x80, 0xFF}) {
      std::string damaged = image;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      try {
        read_all(damaged, "data.npz");
      } catch (const Error& error) {
        EXPECT_NE(error.code(), ErrorCode::internal) << at << ": " << error.what();
        EXPECT_NE(error.code(), ErrorCode::out_of_memory) << at << ": " << error.what();
      }
    }
  }
}

TEST(IoNpzError, TheDirectory) {
  expect_corrupt({good("a")}, "several volumes", {.disk = 1});
  expect_corrupt({good(std::string(60, 'a'))}, "no header for entry 2 of 2", {.entries = 2});
  expect_corrupt({good("a")}, "do not fit into its directory", {.entries = 60000});
  expect_corrupt({good("a")}, "lies outside the file", {.directory_size = 1 << 30});
  expect_corrupt({good("a")}, "lies outside the file", {.directory_offset = 1 << 30});
  expect_corrupt({good("a")}, "lies outside the file", {.zip64_end = true, .directory_size = UINT64_MAX - 1});
  expect_corrupt({good("a")}, "do not fit into its directory", {.zip64_end = true, .entries = UINT64_MAX});
  expect_corrupt({good("a"), good("b")}, "after the last entry", {.entries = 1});
  std::string image = zip_of({good("a")}, {.zip64_end = true});
  image[image.size() - 22 - 20 + 8] = 1;  // the locator's offset
  expect_npz(ErrorCode::npz_corrupt, image, "points to no Zip64 record");
  image = zip_of({good("a")}, {.zip64_end = true});
  image.erase(image.size() - 22 - 20, 20);  // the locator
  expect_npz(ErrorCode::npz_corrupt, image, "Zip64 record is missing");
}

TEST(IoNpzError, Entries) {
  expect_corrupt({good("a"), good("a")}, "holds this name twice");
  expect_corrupt({changed([](Part& p) { p.flags = 1; })}, "encrypted");
  expect_corrupt({changed([](Part& p) { p.method = 12; })}, "compression method is 12");
  expect_corrupt({changed([](Part& p) { p.name = "\xFF.npy"; })}, "no UTF-8");
  expect_corrupt({changed([](Part& p) { p.offset = 1; })}, "no local header at offset 1");
  expect_corrupt({changed([](Part& p) { p.offset = 1 << 30; })}, "lies outside the");
  expect_corrupt({changed([](Part& p) { p.offset = UINT64_MAX - 8, p.zip64 = true; })}, "lies outside the");
  expect_corrupt({changed([](Part& p) { p.local_name = "y.npy"; })}, "differs from the directory");
  expect_corrupt({changed([](Part& p) { p.local_size = 5; })}, "its local header gives 5 bytes");
  expect_corrupt({changed([](Part& p) { p.size = 1000; })}, "1000 bytes of which");
  expect_corrupt({changed([](Part& p) { p.size = 1 << 30, p.stored = 1 << 30; })}, "reach beyond the data");
  expect_corrupt({changed([](Part& p) { p.size = UINT64_MAX - 1, p.stored = UINT64_MAX - 1, p.zip64 = true; })},
                 "reach beyond the data");
  expect_corrupt({changed([](Part& p) { p.size = UINT64_MAX - 1, p.zip64 = true; }, true)}, "cannot hold its");
  expect_corrupt({changed([](Part& p) { p.size = 0xFFFFFFFF; })}, "bytes of which");
  // Two directory entries, one local header.
  Part again = good("x");
  again.offset = 0;
  again.raw = "";
  again.stored = again.size = good("x").content.size();
  expect_corrupt({good("x"), again}, "overlaps entry \"x.npy\"");
  Part inside = good("b");
  inside.offset = 30 + 5 + 3;  // in the content of the first one, see below
  Part outside = good("a");
  const std::string inner = zip_of({good("b")});
  outside.content = "xyz" + inner.substr(0, inner.find("PK\1\2"));
  expect_corrupt({outside, inside}, "overlaps entry \"a.npy\"");
}

TEST(IoNpzError, DeflatedData) {
  expect_corrupt({changed([](Part& p) { p.crc = 1; }, true)}, "CRC error");
  expect_corrupt({changed([](Part& p) { p.raw = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"; }, true)}, "x.npy");
  expect_corrupt({changed([](Part& p) { p.raw = deflate_stored(p.content.substr(0, p.content.size() - 8)); }, true)},
                 "x.npy");
  expect_corrupt({changed([](Part& p) { p.raw = deflate_stored(p.content + "12345678"); }, true)},
                 "longer than its size");
  expect_corrupt({changed([](Part& p) { p.raw = deflate_stored(p.content).substr(0, 50); }, true)}, "x.npy");
  const std::string image = zip_of({changed([](Part& p) { p.crc = 1; }, true)});
  SampleFile file = open_image(image);
  EXPECT_EQ(values_of<double>(file.read("x", 0, 2)), (std::vector<double>{1, 2}));  // the CRC is known at the end only
  expect_error(
      ErrorCode::npz_corrupt, [&] { file.read("x", 2, 1); }, "CRC");
  expect_error(
      ErrorCode::npz_corrupt, [&] { file.read("x"); }, "CRC");
}

TEST(IoNpzError, ArraysShorterOrLongerThanTheirHeader) {
  for (const bool deflate : {false, true}) {
    const auto array = [&](const std::string& shape, std::size_t bytes) {
      return std::vector<Part>{
          {.name = "x.npy", .content = npy("<f8", shape, std::string(bytes, '\0')), .deflate = deflate}};
    };
    expect_corrupt(array("(3,)", 23), "3 values of f64 take");
    expect_corrupt(array("(3,)", 25), "3 values of f64 take");
    expect_corrupt(array("(1000000000000000000,)", 24), "1000000000000000000 values");
    expect_npz(ErrorCode::npy_header, zip_of(array("(9000000000000000000,)", 24)), "more than any file holds");
    expect_npz(ErrorCode::npy_header, zip_of(array("(99999999999999999999,)", 24)), "out of range");
    expect_npz(ErrorCode::npy_header, zip_of(array("(-1,)", 24)), "out of range");
  }
}

void expect_npy(ErrorCode code, const std::string& npy_image, const std::string& part) {
  expect_error(
      code, [&] { read_all(npy_image, "x.npy"); }, part);
  for (const bool deflate : {false, true})
    expect_npz(code, zip_of({{.name = "x.npy", .content = npy_image, .deflate = deflate}}), part);
}

TEST(IoNpyError, Headers) {
  constexpr ErrorCode header = ErrorCode::npy_header;
  const std::string data(8, '\0');
  expect_npy(header, "", "does not begin with");
  expect_npy(header, "hello", "does not begin with");
  expect_npy(header, "\x93NUMPY", "ends after 6 bytes");
  expect_npy(header, std::string("\x93NUMPY\4\0\6\0      ", 16), "version is 4.0");
  expect_npy(header, std::string("\x93NUMPY\1\1\6\0      ", 16), "version is 1.1");
  expect_npy(header, std::string("\x93NUMPY\1\0\xFF\xFF{}", 12), "it has 65545 bytes and ends after 12");
  expect_npy(header, std::string("\x93NUMPY\2\0\xFF\xFF\xFF\xFF{}", 14), "the limit is");
  for (const char* dict :
       {"", "{", "{}", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': False}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'x': 1}",
        "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': [1]}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1+1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '<f8 'fortran_order': False, 'shape': (1,)}", "{'descr': '', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '\\x3cf8', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': __import__('os'), 'fortran_order': False, 'shape': (1,)}"})
    expect_npy(header, npy_of_dict(dict, data), "its .npy header cannot be read");
  expect_error(
      header,
      [&] {
        read_all(npy_f64({1, 2}) + "x", "x.npy");
      },
      "holds more than one array");
  expect_error(
      header,
      [&] {
        read_all(npy_f64({1, 2}).substr(0, 80), "x.npy");
      },
      "truncated");
}

TEST(IoNpyError, DtypesAndShapes) {
  const std::string data(16, '\0');
  expect_npy(ErrorCode::npy_object, npy("|O", "(1,)", data), "pickled");
  expect_npy(ErrorCode::npy_object, npy("O", "(1,)", data), "pickled");
  for (const char* descr :
       {"<f2", "<f16", "<c32", "<U8", "|S8", "<M8[ns]", "<m8[s]", "|V8", "<f3", "<", "<x8", "<f8,<f8"})
    expect_npy(ErrorCode::npy_dtype, npy(descr, "(1,)", data), "frit reads bool");
  expect_npy(ErrorCode::npy_dtype,
             npy_of_dict("{'descr': [('a', '<f8'), ('b', '<i4')], 'fortran_order': False, 'shape': (1,), }", data),
             "structured");
  expect_npy(ErrorCode::npy_dtype,
             npy_of_dict("{'descr': ('<f8', (2,)), 'fortran_order': False, 'shape': (1,), }", data), "structured");
  expect_npy(ErrorCode::npy_shape, npy("<f8", "()", data), "shape ()");
  expect_npy(ErrorCode::npy_shape, npy("<f8", "(2, 1)", data), "each of its columns as an array of its own");
  expect_npy(ErrorCode::npy_shape, npy("<f8", "(1, 2, 1)", data), "shape (1, 2, 1)");
  std::string many = "(";
  for (int i = 0; i < 10000; ++i) many += "1,";
  expect_npy(ErrorCode::npy_shape, npy("<f8", many + ")", data), "1, ...)");
}

TEST(IoNpzError, MissingColumns) {
  const std::string image = zip_of({good("sigma1")});
  SampleFile file = open_image(image);
  expect_error(
      ErrorCode::column_missing, [&] { file.read("sigma2"); },
      "data.npz\" has no column \"sigma2\"; it has \"sigma1\"");
  expect_error(
      ErrorCode::internal, [&] { file.read("sigma1", 2, 2); }, "2 events from 2");
  expect_error(
      ErrorCode::internal, [&] { file.read("sigma1", -1, 1); }, "which has 3");
}

}  // namespace
}  // namespace frit::io::test
