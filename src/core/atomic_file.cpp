#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <limits>
#include <utility>

#include "core/shown.hpp"
#include "frit/error.hpp"

namespace frit {
namespace {

// Holds SIGXFSZ back in this thread; write then fails with EFBIG. A signal that was pending or blocked before is the
// host's and stays.
class HeldFileSizeSignal {
 public:
  HeldFileSizeSignal() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGXFSZ);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~HeldFileSizeSignal() {
    const int error = errno;
    if (!was_pending_) {
      const timespec at_once{};
      while (sigtimedwait(&set_, nullptr, &at_once) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  HeldFileSizeSignal(const HeldFileSizeSignal&) = delete;
  HeldFileSizeSignal& operator=(const HeldFileSizeSignal&) = delete;

 private:
  sigset_t set_, before_;
  bool was_pending_ = false;
};

std::uint64_t random_word() {
  std::uint64_t word = 0;
  // 8 bytes come whole once the kernel's pool is ready; O_EXCL guards against anything else.
  while (::getrandom(&word, sizeof word, 0) < 0 && errno == EINTR) {
  }
  return word;
}

}  // namespace

void AtomicFile::fail(const char* doing, int error) const {
  throw Error(ErrorCode::file_write, fmt::format("cannot {} {}: {}", doing, shown_, errno_text(error)));
}

AtomicFile::AtomicFile(const std::filesystem::path& path, AtomicFileOptions options)
    : options_(options), shown_(shown_path(path)) {
  if (path.filename().empty())
    throw Error(ErrorCode::file_write, fmt::format("cannot write {}: it names no file", shown_));
  std::error_code error;
  target_ = std::filesystem::absolute(path, error);  // the process may change its folder before commit()
  if (error) fail("write", error.value());
  struct stat status {};
  if (::stat(target_.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode))
      throw Error(ErrorCode::file_write, fmt::format("cannot write {}: it exists and is a {}, not a regular file",
                                                     shown_, S_ISDIR(status.st_mode) ? "folder" : "pipe or device"));
    if (::access(target_.c_str(), W_OK) != 0) fail("write", errno);
    if (std::filesystem::is_symlink(target_, error)) {
      const std::filesystem::path resolved = std::filesystem::canonical(target_, error);
      if (error) fail("write", error.value());
      target_ = resolved;
    }
  } else if (errno != ENOENT) {
    fail("write", errno);
  }
  constexpr int attempts = 16;
  for (int i = 0; fd_ < 0; ++i) {
    // The name does not contain the target's, which may be as long as the file system allows.
    temporary_ = target_.parent_path() / fmt::format("{}{:016x}{}", temporary_prefix, random_word(), temporary_suffix);
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, options_.mode);
    if (fd_ < 0 && ((errno != EEXIST && errno != EINTR) || i == attempts)) fail("write", errno);
  }
}

AtomicFile::~AtomicFile() { remove(); }

void AtomicFile::remove() noexcept {
  if (fd_ < 0) return;
  ::close(fd_);
  fd_ = -1;
  ::unlink(temporary_.c_str());
}

void AtomicFile::reserve(std::uint64_t size) {
  if (size == 0 || size > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) return;
  const HeldFileSizeSignal held;
  int result = 0;
  do result = ::fallocate(fd_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(size));
  while (result != 0 && errno == EINTR);
  if (result != 0 && (errno == ENOSPC || errno == EFBIG || errno == EDQUOT)) fail("write", errno);
}

void AtomicFile::write_at(std::uint64_t offset, const void* data, std::size_t size) {
  const HeldFileSizeSignal held;
  const char* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::pwrite(fd_, bytes, size, static_cast<off_t>(offset));
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("write", errno);
    }
    if (written == 0) fail("write", ENOSPC);
    bytes += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  int result = 0;
  if (options_.durable) {
    do result = ::fsync(fd_);
    while (result != 0 && errno == EINTR);
  }
  // A file system without fsync (EINVAL, EROFS) cannot give more than it has.
  if (result != 0 && errno != EINVAL && errno != EROFS) fail("write", errno);
  // NFS reports a full disk at close. After EINTR the descriptor is closed on Linux.
  const int fd = std::exchange(fd_, -1);
  if (::close(fd) != 0 && errno != EINTR) {
    const int error = errno;
    ::unlink(temporary_.c_str());
    fail("write", error);
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary_.c_str());
    fail("replace", error);
  }
}

void write_text_atomically(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write_at(0, text.data(), text.size());
  file.commit();
}

}  // namespace frit
