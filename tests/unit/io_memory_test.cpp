// Chunked reading and writing keep the resident memory bounded, whatever the size of the file.
#include <zip.h>

#include <cstdio>
#include <fstream>

#include "io/npz_writer.hpp"
#include "unit/io_images.hpp"

namespace frit::io::test {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool measures = false;  // freed memory stays in quarantine
#else
constexpr bool measures = true;
#endif
constexpr std::int64_t events = 2000000, chunk = 100000;
constexpr int columns = 3;
constexpr double mega = 1 << 20;

double resident_mb() {
  std::ifstream in("/proc/self/statm");
  double total = 0, resident = 0;
  in >> total >> resident;
  return resident * 4096 / mega;
}

// Reads all columns chunk by chunk and writes their sum; returns by how much the resident memory grew at most.
double stream(const std::filesystem::path& input, const std::filesystem::path& output) {
  const double before = resident_mb();
  double most = before;
  SampleFile file = SampleFile::open(input);
  most = std::max(most, resident_mb());
  EXPECT_EQ(file.events(), events);
  NpzWriter writer(output);
  writer.begin("output", DType::f64, events);
  std::vector<double> sum(chunk);
  for (std::int64_t first = 0; first < events; first += chunk) {
    std::fill(sum.begin(), sum.end(), 0.0);
    for (int c = 0; c < columns; ++c) {
      const Column column = file.read("x" + std::to_string(c), first, chunk);
      for (std::size_t i = 0; i < sum.size(); ++i) {
        double value;
        std::memcpy(&value, column.data + 8 * i, 8);
        sum[i] += value;
      }
    }
    writer.append("output", sum.data(), chunk);
    most = std::max(most, resident_mb());
    file.release(first + chunk);
  }
  writer.commit();
  SampleFile result = SampleFile::open(output);
  const Column column = result.read("output", events - 1, 1);
  EXPECT_EQ(values_of<double>(column)[0], static_cast<double>((events - 1) % 1000 * columns));
  return most - before;
}

TEST(IoMemory, StoredDeflatedAndTextFilesAreStreamedInBoundedMemory) {
  const Folder folder;
  {
    NpzWriter writer(folder / "stored.npz");
    std::vector<double> values(chunk);
    for (int c = 0; c < columns; ++c) writer.begin("x" + std::to_string(c), DType::f64, events);
    for (std::int64_t first = 0; first < events; first += chunk) {
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>((static_cast<std::size_t>(first) + i) % 1000);
      for (int c = 0; c < columns; ++c) writer.append("x" + std::to_string(c), values.data(), chunk);
    }
    writer.commit();
  }
  const double stored = stream(folder / "stored.npz", folder / "out.npz");
  {
    zip_t* from = zip_open((folder / "stored.npz").c_str(), ZIP_RDONLY, nullptr);
    zip_t* to = zip_open((folder / "deflated.npz").c_str(), ZIP_CREATE, nullptr);
    for (int c = 0; c < columns; ++c) {
      const std::string name = "x" + std::to_string(c) + ".npy";
      const zip_int64_t index =
          zip_file_add(to, name.c_str(), zip_source_zip(to, from, static_cast<zip_uint64_t>(c), 0, 0, -1), 0);
      zip_set_file_compression(to, static_cast<zip_uint64_t>(index), ZIP_CM_DEFLATE, 1);
    }
    ASSERT_EQ(zip_close(to), 0);
    zip_discard(from);
  }
  const double deflated = stream(folder / "deflated.npz", folder / "out.npz");
  {
    std::ofstream csv(folder / "data.csv");
    csv << "x0,x1,x2\n";
    for (std::int64_t i = 0; i < events; ++i) {
      const std::string value = std::to_string(i % 1000);
      csv << value + "," + value + "," + value + "\n";
    }
  }
  const double text = stream(folder / "data.csv", folder / "out.npz");
  std::printf("resident memory grew by %.1f MB (stored), %.1f MB (deflated), %.1f MB (csv)\n", stored, deflated, text);
  if (!measures) GTEST_SKIP() << "resident memory says nothing under the address sanitizer";
  // Three columns of a chunk are 2.4 MB; the whole of each file is 24 to 48 MB.
  EXPECT_LT(stored, 16);
  EXPECT_LT(deflated, 16);
  EXPECT_LT(text, 16);
}

}  // namespace
}  // namespace frit::io::test
