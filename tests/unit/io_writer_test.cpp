// Writing npz: what our reader and libzip (which compares CRCs) read back, layout, turns of several arrays, targets.
#include <sys/stat.h>
#include <zip.h>

#include <cmath>
#include <complex>
#include <limits>

#include "io/npz_writer.hpp"
#include "unit/io_images.hpp"

namespace frit::io::test {
namespace {

std::string libzip_read(const std::filesystem::path& path, const std::string& name) {
  zip_t* archive = zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, nullptr);
  if (archive == nullptr) return "no archive";
  zip_stat_t stat;
  std::string content = "no entry";
  if (zip_stat(archive, name.c_str(), 0, &stat) == 0) {
    content.assign(stat.size + 1, '\0');
    zip_file_t* file = zip_fopen(archive, name.c_str(), 0);
    const zip_int64_t got = zip_fread(file, content.data(), content.size());
    // The CRC is compared at the end of the entry.
    if (got != static_cast<zip_int64_t>(stat.size) || zip_fread(file, content.data() + got, 1) != 0)
      content = "damaged ";
    content.pop_back();
    zip_fclose(file);
  }
  zip_discard(archive);
  return content;
}

TEST(IoWriter, ArraysThatTakeTurnsComeBack) {
  const Folder folder;
  std::vector<double> a(50000);
  std::vector<std::complex<float>> b(50000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = 0.1 * static_cast<double>(i);
    b[i] = {static_cast<float>(i), -1.0f};
  }
  const std::vector<std::uint8_t> c = {1, 0, 1};
  {
    NpzWriter writer(folder / "out.npz");
    writer.begin("output_0", DType::f64, 50000);
    writer.begin("σ, output_1", DType::c64, 50000);
    for (std::int64_t first = 0; first < 50000; first += 12345) {
      const std::int64_t count = std::min<std::int64_t>(12345, 50000 - first);
      writer.append("output_0", a.data() + first, count);
      writer.append("σ, output_1", b.data() + first, count);
    }
    writer.begin("flags", DType::boolean, 3);
    writer.append("flags", c.data(), 3);
    writer.begin("empty", DType::i32, 0);
    writer.commit();
  }
  EXPECT_EQ(folder.files(), 1u);
  SampleFile file = SampleFile::open(folder / "out.npz");
  EXPECT_EQ(values_of<double>(file.read("output_0")), a);
  EXPECT_EQ(values_of<std::complex<float>>(file.read("σ, output_1")), b);
  EXPECT_EQ(values_of<std::uint8_t>(file.read("flags")), c);
  EXPECT_EQ(file.find("empty")->size, 0);
  for (const ColumnInfo& info : file.columns()) {
    EXPECT_TRUE(info.mapped);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file.read(info.name).data) % 64, 0u) << info.name;
  }
  const std::string npy = libzip_read(folder / "out.npz", "output_0.npy");
  ASSERT_EQ(npy.size(), 128 + a.size() * 8);
  EXPECT_EQ(npy.substr(0, 128).find("{'descr': '<f8', 'fortran_order': False, 'shape': (50000,), }"), 10u);
  EXPECT_EQ(npy.substr(128), bytes_of(a));
  EXPECT_EQ(libzip_read(folder / "out.npz", "σ, output_1.npy").substr(128), bytes_of(b));
  EXPECT_EQ(libzip_read(folder / "out.npz", "flags.npy").substr(128), bytes_of(c));
  EXPECT_EQ(libzip_read(folder / "out.npz", "empty.npy").size(), 128u);
}

TEST(IoWriter, EveryNanIsTheCanonicalOne) {
  const Folder folder;
  const std::vector<std::uint64_t> f64 = {0xFFF8000000000000, 0x7FF0000000000001, 0xFFFFFFFFFFFFFFFF,
                                          0x7FF0000000000000, 0x8000000000000000};
  const std::vector<std::uint32_t> f32 = {0xFFC00001, 0x7F800001, 0xFF800000, 0x80000000};
  NpzWriter writer(folder / "out.npz");
  writer.begin("d", DType::f64, 5);
  writer.begin("z", DType::c128, 2);
  writer.begin("s", DType::f32, 4);
  writer.begin("i", DType::u64, 5);
  writer.append("d", f64.data(), 5);
  writer.append("z", f64.data(), 2);
  writer.append("s", f32.data(), 4);
  writer.append("i", f64.data(), 5);
  writer.commit();
  SampleFile file = SampleFile::open(folder / "out.npz");
  constexpr std::uint64_t nan = 0x7FF8000000000000;
  EXPECT_EQ(values_of<std::uint64_t>(file.read("d")), (std::vector<std::uint64_t>{nan, nan, nan, f64[3], f64[4]}));
  EXPECT_EQ(bytes_of(values_of<std::complex<double>>(file.read("z"))),
            bytes_of(std::vector<std::uint64_t>{nan, nan, nan, f64[3]}));
  EXPECT_EQ(values_of<std::uint32_t>(file.read("s")),
            (std::vector<std::uint32_t>{0x7FC00000, 0x7FC00000, f32[2], f32[3]}));
  EXPECT_EQ(values_of<std::uint64_t>(file.read("i")), f64);
}

TEST(IoWriter, TheSameArraysGiveTheSameBytesWhateverTheChunks) {
  const Folder folder;
  std::vector<double> values(1000, 0.5);
  for (const std::int64_t chunk : {1, 1000}) {
    NpzWriter writer(folder / (std::to_string(chunk) + ".npz"));
    writer.begin("output", DType::f64, 1000);
    for (std::int64_t first = 0; first < 1000; first += chunk) writer.append("output", values.data() + first, chunk);
    writer.commit();
  }
  EXPECT_EQ(read_file(folder / "1.npz"), read_file(folder / "1000.npz"));
}

TEST(IoWriter, BeginSaysTheSizeAndCommitChecksIt) {
  const Folder folder;
  {
    NpzWriter writer(folder / "out.npz");
    const double x = 1;
    writer.begin("a", DType::f64, 2);
    writer.append("a", &x, 1);
    expect_error(
        ErrorCode::internal, [&] { writer.append("a", &x, 2); }, "2 elements after 1 of 2");
    expect_error(
        ErrorCode::internal, [&] { writer.begin("a", DType::f64, 1); }, "twice");
    expect_error(
        ErrorCode::internal, [&] { writer.append("b", &x, 1); }, "not begun");
    expect_error(
        ErrorCode::internal, [&] { writer.begin("\xFF", DType::f64, 1); }, "cannot have the name");
    expect_error(
        ErrorCode::internal, [&] { writer.commit(); }, "1 of its 2");
  }
  EXPECT_EQ(folder.files(), 0u);
}

TEST(IoWriter, PermissionsComeFromTheUmask) {
  const Folder folder;
  const mode_t before = ::umask(027);
  write_text_atomically(folder / "report.json", "{}\n");
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat((folder / "report.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0640u);
  EXPECT_EQ(read_file(folder / "report.json"), "{}\n");
}

TEST(IoWriter, ALinkStaysALink) {
  const Folder folder;
  std::filesystem::create_directory(folder / "real");
  write_file(folder / "real" / "a.txt", "old");
  std::filesystem::create_symlink("real/a.txt", folder / "link.txt");
  write_text_atomically(folder / "link.txt", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(read_file(folder / "real" / "a.txt"), "new");
}

TEST(IoWriter, ARelativeTargetStaysWhereItWasNamed) {
  const Folder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  {
    AtomicFile file("a.txt");
    std::filesystem::current_path(before);
    file.write_at(0, "x", 1);
    file.commit();
  }
  EXPECT_EQ(read_file(folder / "a.txt"), "x");
}

}  // namespace
}  // namespace frit::io::test
