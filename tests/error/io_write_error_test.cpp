// Outputs that cannot be written: no part of them stays, an older file stays as it was, the host's signals too.
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io/npz_writer.hpp"
#include "unit/io_images.hpp"

namespace frit::io::test {
namespace {

void write_output(const std::filesystem::path& path, std::int64_t size) {
  const std::vector<double> values(1000, 1.0);
  NpzWriter writer(path);
  writer.begin("output", DType::f64, size);
  for (std::int64_t first = 0; first < size; first += 1000)
    writer.append("output", values.data(), std::min<std::int64_t>(1000, size - first));
  writer.commit();
}

TEST(IoWriteError, FoldersThatDoNotTakeAFile) {
  const Folder folder;
  write_file(folder / "file", "x");
  expect_error(
      ErrorCode::file_write, [&] { write_output(folder / "missing" / "out.npz", 1); }, "No such file or directory");
  expect_error(
      ErrorCode::file_write, [&] { write_output(folder / "file" / "out.npz", 1); }, "Not a directory");
  expect_error(
      ErrorCode::file_write, [&] { write_output(folder.path(), 1); }, "is a folder");
  expect_error(
      ErrorCode::file_write, [&] { write_output(folder.path() / "", 1); }, "names no file");
  expect_error(
      ErrorCode::file_write, [&] { write_output("", 1); }, "names no file");
  expect_error(
      ErrorCode::file_write, [&] { write_output("/dev/null", 1); }, "not a regular file");
  expect_error(
      ErrorCode::file_write, [&] { write_output(folder / std::string(300, 'x'), 1); }, "File name too long");
  // The kernel makes no files here, for root neither.
  expect_error(
      ErrorCode::file_write, [&] { write_output("/proc/frit-out.npz", 1); }, "/proc/frit-out.npz");
  expect_error(
      ErrorCode::file_write, [&] { write_text_atomically("/proc/frit-report.json", "{}"); }, "/proc/frit-report.json");
  EXPECT_EQ(folder.files(), 1u);
  if (::geteuid() != 0) {
    std::filesystem::permissions(folder.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    expect_error(
        ErrorCode::file_write, [&] { write_output(folder / "out.npz", 1); }, "Permission denied");
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  }
}

TEST(IoWriteError, WithoutCommitNothingStays) {
  const Folder folder;
  write_file(folder / "out.npz", "older");
  {
    NpzWriter writer(folder / "out.npz");
    const double x = 1;
    writer.begin("output", DType::f64, 2);
    writer.append("output", &x, 1);
    EXPECT_EQ(folder.files(), 2u);
  }
  EXPECT_EQ(folder.files(), 1u);
  EXPECT_EQ(read_file(folder / "out.npz"), "older");
}

// A file size limit stands for a full disk: write fails after some bytes, and the kernel sends SIGXFSZ on top.
TEST(IoWriteError, AFileSizeLimitIsAnErrorAndNoSignal) {
  const Folder folder;
  write_file(folder / "out.npz", "older");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit tight{65536, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  expect_error(
      ErrorCode::file_write, [&] { write_output(folder / "out.npz", 1000000); }, "File too large");
  expect_error(
      ErrorCode::file_write, [&] { write_text_atomically(folder / "out.npz", std::string(100000, 'x')); },
      "File too large");
  write_text_atomically(folder / "small.txt", "fits");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  sigset_t pending, blocked;
  sigpending(&pending);
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&pending, SIGXFSZ), 0);
  EXPECT_EQ(sigismember(&blocked, SIGXFSZ), 0);
  EXPECT_EQ(read_file(folder / "out.npz"), "older");
  EXPECT_EQ(folder.files(), 2u);
}

TEST(IoWriteError, AFullDiskIsAnError) {
  const Folder folder;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "no permission to mount a small disk";
  write_file(folder / "out.npz", "older");
  expect_error(
      ErrorCode::file_write, [&] { write_output(folder / "out.npz", 100000); }, "No space left on device");
  expect_error(
      ErrorCode::file_write, [&] { write_text_atomically(folder / "out.npz", std::string(100000, 'x')); },
      "No space left on device");
  EXPECT_EQ(read_file(folder / "out.npz"), "older");
  EXPECT_EQ(folder.files(), 1u);
  EXPECT_EQ(::mount("tmpfs", folder.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
  expect_error(
      ErrorCode::file_write, [&] { write_output(folder / "new.npz", 1); }, "Read-only file system");
  expect_error(
      ErrorCode::file_write, [&] { write_output(folder / "out.npz", 1); }, "Read-only file system");
  ::umount(folder.path().c_str());
}

}  // namespace
}  // namespace frit::io::test
