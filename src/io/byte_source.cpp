#include "io/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "frit/error.hpp"

namespace frit::io {
namespace {

struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

// The length of the UTF-8 sequence at the front of `text`, 0 where it is malformed. Table 3-7 of the Unicode Standard.
std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto in = [&](std::size_t i, unsigned low, unsigned high) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return in(1, 0x80, 0xBF) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return in(1, low, high) && in(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return in(1, low, high) && in(2, 0x80, 0xBF) && in(3, 0x80, 0xBF) ? 4 : 0;
  }
  return 0;
}

}  // namespace

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

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string shown(std::string_view text) {
  constexpr std::size_t limit = 120;
  std::string result = "\"";
  while (!text.empty()) {
    if (result.size() > limit) return result + "...\"";
    const std::size_t length = utf8_sequence(text);
    const auto lead = static_cast<unsigned char>(text[0]);
    if (length == 0 || lead < 0x20 || lead == 0x7F) {
      result += fmt::format("\\x{:02x}", lead);
      text.remove_prefix(1);
    } else {
      result += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return result + "\"";
}

std::string shown_path(const std::filesystem::path& path) {
  // A path is named in full, however long: the user has to find it.
  std::string result = "\"";
  const std::string& native = path.native();
  for (std::string_view text = native; !text.empty();) {
    const std::size_t length = utf8_sequence(text);
    const auto lead = static_cast<unsigned char>(text[0]);
    const bool plain = length != 0 && lead >= 0x20 && lead != 0x7F;
    result += plain ? std::string(text.substr(0, length)) : fmt::format("\\x{:02x}", lead);
    text.remove_prefix(plain ? length : 1);
  }
  return result + "\"";
}

std::string errno_text(int error) { return std::generic_category().message(error); }

}  // namespace frit::io
