#include "io/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/descriptor.hpp"
#include "frit/error.hpp"

namespace frit::io {
namespace {}  // namespace

std::shared_ptr<const ByteSource> ByteSource::map_file(const std::filesystem::path& path) {
  const std::string name = shown_path(path);
  Descriptor file;
  // NOTE: O_NONBLOCK, so that a pipe without a writer is refused below instead of waited for.
  do file.fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  while (file.fd < 0 && errno == EINTR);
  if (file.fd < 0) throw Error(ErrorCode::file_open, fmt::format("cannot open {}: {}", name, errno_text(errno)));
  struct stat status {};
  if (::fstat(file.fd, &status) != 0)
    throw Error(ErrorCode::file_read, fmt::format("cannot read {}: {}", name, errno_text(errno)));
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorCode::file_open,
                fmt::format("cannot open {}: it is a {}, and frit maps its inputs; give a regular file", name,
                            S_ISDIR(status.st_mode) ? "folder" : "pipe or device"));
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return std::shared_ptr<const ByteSource>(new ByteSource({}, name, false));
  void* map = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (map == MAP_FAILED) {
    throw Error(errno == ENOMEM ? ErrorCode::out_of_memory : ErrorCode::file_read,
                fmt::format("cannot map the {} bytes of {}: {}", size, name, errno_text(errno)));
  }
  return std::shared_ptr<const ByteSource>(new ByteSource({static_cast<const std::byte*>(map), size}, name, true));
}

std::shared_ptr<const ByteSource> ByteSource::view(std::span<const std::byte> bytes, std::string name) {
  return std::shared_ptr<const ByteSource>(new ByteSource(bytes, shown(name), false));
}

ByteSource::~ByteSource() {
  if (mapped_) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void ByteSource::advise(std::uint64_t offset, std::uint64_t size, int advice) const {
  if (!mapped_ || offset >= bytes_.size()) return;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t begin = offset / page * page;
  std::uint64_t end = std::min<std::uint64_t>(offset + size, bytes_.size());
  // A page that is read only in part may be in use by the next range, so it is not dropped before that is done.
  if (advice == MADV_DONTNEED && end != bytes_.size()) end = end / page * page;
  if (end <= begin) return;
  // A hint that the kernel does not take is no error.
  (void)::madvise(const_cast<std::byte*>(bytes_.data() + begin), end - begin, advice);
}

void ByteSource::expect_all(std::uint64_t offset, std::uint64_t size) const { advise(offset, size, MADV_WILLNEED); }
void ByteSource::expect_sequential(std::uint64_t offset, std::uint64_t size) const {
  advise(offset, size, MADV_SEQUENTIAL);
}
void ByteSource::drop(std::uint64_t offset, std::uint64_t size) const { advise(offset, size, MADV_DONTNEED); }

}  // namespace frit::io
