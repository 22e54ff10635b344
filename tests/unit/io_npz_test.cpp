// Reading npz and npy: every dtype in both byte orders, stored and deflated, whole and in ranges, names and Zip64.
#include <zip.h>

#include <cmath>
#include <complex>
#include <cstdlib>

#include "unit/io_images.hpp"

namespace frit::io::test {
namespace {

template <typename T> void round_trip(DType dtype, const std::string& code, const std::vector<T>& values) {
  const std::string shape = "(" + std::to_string(values.size()) + ",)";
  for (const bool big : {false, true}) {
    for (const bool deflate : {false, true}) {
      const std::string image = zip_of({{.name = "pad", .content = "x"},  // shifts the next array to an odd address
                                        {.name = "x.npy",
                                         .content = npy((big ? ">" : "<") + code, shape, bytes_of(values, big)),
                                         .deflate = deflate}});
      SampleFile file = open_image(image);
      ASSERT_EQ(file.columns().size(), 1u);
      const ColumnInfo& info = file.columns()[0];
      EXPECT_EQ(info.name, "x");
      EXPECT_EQ(info.dtype, dtype);
      EXPECT_EQ(info.size, static_cast<std::int64_t>(values.size()));
      EXPECT_EQ(info.swapped, big && sizeof(T) > 1);
      EXPECT_EQ(info.mapped, !deflate && !info.swapped);
      EXPECT_EQ(bytes_of(values_of<T>(file.read("x"))), bytes_of(values));
      for (std::size_t first = 0; first <= values.size(); ++first) {
        const std::vector<T> tail(values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
        EXPECT_EQ(bytes_of(values_of<T>(
                      file.read("x", static_cast<std::int64_t>(first), info.size - static_cast<std::int64_t>(first)))),
                  bytes_of(tail));
      }
    }
  }
}

TEST(IoNpz, EveryDtypeInBothByteOrdersStoredAndDeflated) {
  round_trip<std::int8_t>(DType::i8, "i1", {-128, 0, 127});
  round_trip<std::int16_t>(DType::i16, "i2", {-32768, 5, 32767});
  round_trip<std::int32_t>(DType::i32, "i4", {-5, 1 << 30});
  round_trip<std::int64_t>(DType::i64, "i8", {INT64_MIN, 7, INT64_MAX});
  round_trip<std::uint8_t>(DType::u8, "u1", {0, 255});
  round_trip<std::uint16_t>(DType::u16, "u2", {1, 65535});
  round_trip<std::uint32_t>(DType::u32, "u4", {1, 0xFFFFFFFF});
  round_trip<std::uint64_t>(DType::u64, "u8", {1, UINT64_MAX});
  round_trip<float>(DType::f32, "f4", {1.5f, -0.0f, INFINITY, NAN});
  round_trip<double>(DType::f64, "f8", {0.1, -0.0, -INFINITY, NAN, 5e-324});
  round_trip<std::complex<float>>(DType::c64, "c8", {{1, 2}, {-0.0f, NAN}});
  round_trip<std::complex<double>>(DType::c128, "c16", {{1, 2}, {0.1, -0.0}, {INFINITY, NAN}});
  round_trip<std::uint8_t>(DType::boolean, "b1", {0, 1, 1});
  round_trip<double>(DType::f64, "f8", {});
  round_trip<double>(DType::f64, "f8", {42});
}

TEST(IoNpz, OtherOrderMarksAndHeaderVersions) {
  for (const int major : {1, 2, 3}) {
    const std::string image =
        zip_of({{.name = "a.npy", .content = npy("=f8", "(2,)", bytes_of<double>({1, 2}), major)},
                {.name = "b.npy", .content = npy("|u1", "(2,)", "ab", major)},
                {.name = "c.npy", .content = npy("f8", "( 2L , )", bytes_of<double>({3, 4}), major)}});
    SampleFile file = open_image(image);
    EXPECT_EQ(values_of<double>(file.read("a")), (std::vector<double>{1, 2}));
    EXPECT_EQ(values_of<std::uint8_t>(file.read("b")), (std::vector<std::uint8_t>{'a', 'b'}));
    EXPECT_EQ(values_of<double>(file.read("c")), (std::vector<double>{3, 4}));
  }
  const std::string other =
      npy_of_dict("{\"shape\":(1,),\"fortran_order\":True,\"descr\":\"<f8\"}", bytes_of<double>({9}));
  EXPECT_EQ(values_of<double>(open_image(other, "a.npy").read("a")), std::vector<double>{9});
}

TEST(IoNpz, NamesAreTakenAsTheyAre) {
  const std::vector<std::string> names = {
      "m_{12}^2", R"(\cos\theta, \left[a, b\right] c)", "σ₁", " ", "a/b", "x.npy", std::string(3000, 'n')};
  std::vector<Part> parts;
  for (const std::string& name : names)
    parts.push_back({.name = name + ".npy", .content = npy_f64({double(parts.size())})});
  const std::string image = zip_of(parts, {.comment = "PK\5\6 a comment"});
  SampleFile file = open_image(image);
  ASSERT_EQ(file.columns().size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(file.columns()[i].name, names[i]);
    EXPECT_EQ(file.find(names[i]), &file.columns()[i]);
    EXPECT_EQ(values_of<double>(file.read(names[i])), std::vector<double>{double(i)});
  }
  EXPECT_EQ(file.find("m_{13}^2"), nullptr);
}

TEST(IoNpz, Zip64AndDataDescriptors) {
  for (const bool deflate : {false, true}) {
    for (const bool zip64_end : {false, true}) {
      const std::string image =
          zip_of({{.name = "a.npy", .content = npy_f64({1, 2, 3}), .deflate = deflate, .zip64 = true},
                  {.name = "b.npy", .content = npy_f64({4, 5, 6}), .deflate = deflate, .descriptor = true},
                  {.name = "c.npy", .content = npy_f64({7, 8, 9}), .deflate = deflate}},
                 {.zip64_end = zip64_end});
      SampleFile file = open_image(image);
      EXPECT_EQ(file.events(), 3);
      EXPECT_EQ(values_of<double>(file.read("a")), (std::vector<double>{1, 2, 3}));
      EXPECT_EQ(values_of<double>(file.read("b")), (std::vector<double>{4, 5, 6}));
      EXPECT_EQ(values_of<double>(file.read("c")), (std::vector<double>{7, 8, 9}));
    }
  }
}

TEST(IoNpz, AnArchiveWithoutEntriesHasNoEvents) {
  const std::string image = zip_of({});
  SampleFile file = open_image(image);
  EXPECT_TRUE(file.columns().empty());
  EXPECT_EQ(file.events(), 0);
}

TEST(IoNpz, StoredColumnsAreViewsThatOutliveTheFile) {
  const Folder folder;
  write_file(folder / "data.npz", zip_of({{.name = "x.npy", .content = npy_f64({1, 2, 3})}}));
  Column column;
  {
    SampleFile file = SampleFile::open(folder / "data.npz");
    const Column whole = file.read("x");
    column = file.read("x", 1, 2);
    EXPECT_EQ(column.data, whole.data + 8);
    file.release(3);
  }
  EXPECT_EQ(values_of<double>(column), (std::vector<double>{2, 3}));
}

TEST(IoNpz, BooleansAreZeroOrOne) {
  for (const bool deflate : {false, true}) {
    const std::string image =
        zip_of({{.name = "b.npy", .content = npy("|b1", "(4,)", std::string("\0\1\2\xFF", 4)), .deflate = deflate}});
    SampleFile file = open_image(image);
    EXPECT_EQ(values_of<std::uint8_t>(file.read("b")), (std::vector<std::uint8_t>{0, 1, 1, 1}));
    EXPECT_EQ(values_of<std::uint8_t>(file.read("b", 0, 2)), (std::vector<std::uint8_t>{0, 1}));
  }
}

TEST(IoNpz, DeflatedColumnsAreReadInRangesForwardAndBack) {
  std::vector<double> values(100000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 1000);
  const Folder folder;
  const std::string content = npy_f64(values);
  zip_t* archive = zip_open((folder / "data.npz").c_str(), ZIP_CREATE, nullptr);
  ASSERT_NE(archive, nullptr);
  for (const char* name : {"x.npy", "y.npy"}) {
    const zip_int64_t index =
        zip_file_add(archive, name, zip_source_buffer(archive, content.data(), content.size(), 0), 0);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_DEFLATE, 6);
  }
  ASSERT_EQ(zip_close(archive), 0);
  SampleFile file = SampleFile::open(folder / "data.npz");
  EXPECT_FALSE(file.columns()[0].mapped);
  for (const std::int64_t chunk : {100000, 33333, 4096}) {
    for (std::int64_t first = 0; first < 100000; first += chunk) {
      const std::int64_t count = std::min<std::int64_t>(chunk, 100000 - first);
      const std::vector<double> expected(values.begin() + first, values.begin() + first + count);
      EXPECT_EQ(values_of<double>(file.read("x", first, count)), expected);
      EXPECT_EQ(values_of<double>(file.read("y", first, count)), expected);
      file.release(first + count);
    }
  }
  EXPECT_EQ(values_of<double>(file.read("x", 500, 2)), (std::vector<double>{500, 501}));
  EXPECT_EQ(values_of<double>(file.read("x", 400, 2)), (std::vector<double>{400, 401}));
  EXPECT_EQ(values_of<double>(file.read("x", 99999, 1)), (std::vector<double>{999}));
  EXPECT_EQ(values_of<double>(file.read("x")), values);
}

TEST(IoNpz, LengthsAreComparedWhereTheyMatter) {
  const std::string image = zip_of({{.name = "a.npy", .content = npy_f64({1, 2})},
                                    {.name = "b.npy", .content = npy_f64({1, 2})},
                                    {.name = "c.npy", .content = npy_f64({1})}});
  SampleFile file = open_image(image);
  expect_error(
      ErrorCode::column_length, [&] { file.events(); }, "column \"a\" has 2 events, column \"c\" has 1");
  const std::vector<std::string> names = {"a", "b"}, missing = {"a", "d"};
  EXPECT_EQ(file.events(names), 2);
  expect_error(
      ErrorCode::column_missing, [&] { file.events(missing); }, "no column \"d\"; it has \"a\", \"b\", \"c\"");
}

TEST(IoNpz, EntriesThatAreNoColumnsMatterOnlyWhenAskedFor) {
  const std::string image = zip_of({{.name = "x.npy", .content = npy_f64({1})},
                                    {.name = "matrix.npy", .content = npy("<f8", "(1, 1)", bytes_of<double>({1}))},
                                    {.name = "text.npy", .content = npy("<U3", "(1,)", std::string(12, '\0'))},
                                    {.name = "objects.npy", .content = npy("|O", "(1,)", "pickle")},
                                    {.name = "readme.txt", .content = "hello"}});
  SampleFile file = open_image(image);
  EXPECT_EQ(file.columns().size(), 1u);
  EXPECT_EQ(file.unusable().size(), 4u);
  EXPECT_EQ(file.events(), 1);
  expect_error(
      ErrorCode::npy_shape, [&] { file.find("matrix"); }, "shape (1, 1)");
  expect_error(
      ErrorCode::npy_dtype, [&] { file.read("text"); }, "\"<U3\"");
  expect_error(
      ErrorCode::npy_object, [&] { file.read("objects"); }, "pickled");
  expect_error(
      ErrorCode::npy_dtype, [&] { file.read("readme.txt"); }, "no .npy array");
}

TEST(IoNpy, OneArrayIsAColumnNamedByTheFile) {
  const Folder folder;
  write_file(folder / "sigma1.npy", npy_f64({1, 2}));
  SampleFile file = SampleFile::open(folder / "sigma1.npy");
  EXPECT_EQ(file.events(), 2);
  EXPECT_EQ(values_of<double>(file.read("sigma1")), (std::vector<double>{1, 2}));
  EXPECT_TRUE(file.columns()[0].mapped);
}

// Files that NumPy wrote, where a folder with some is named.
TEST(IoNpz, ModelsOfTheNamedFolder) {
  const char* folder = std::getenv("FRIT_MODELS");
  if (folder == nullptr) GTEST_SKIP() << "FRIT_MODELS names no folder";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!std::filesystem::exists(entry.path() / "data.npz")) continue;
    ++files;
    SampleFile file = SampleFile::open(entry.path() / "data.npz");
    EXPECT_FALSE(file.columns().empty());
    EXPECT_TRUE(file.unusable().empty());
    EXPECT_GT(file.events(), 0);
    for (const ColumnInfo& info : file.columns()) {
      const Column column = file.read(info.name);
      EXPECT_EQ(column.size, file.events());
      EXPECT_TRUE(info.dtype == DType::f64 || info.dtype == DType::c128);
    }
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace frit::io::test
