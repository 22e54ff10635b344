#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

#include "core/descriptor.hpp"
#include "frit/error.hpp"
#include "frontends/sympy/reader.hpp"

namespace frit {
namespace {

// Read, not mapped: a file that is cut off while it is read must not kill the process. Pipes are read to their end.
std::size_t read_all(const std::string& path, std::unique_ptr<char[]>& text) {
  const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) {
    throw Error(ErrorCode::file_open, fmt::format("{}: cannot open the expression: {}", path, std::strerror(errno)));
  }
  struct stat status = {};
  std::size_t capacity = std::size_t{1} << 16;
  // One byte more than the file holds, to see its end without growing.
  if (fstat(file.fd, &status) == 0 && status.st_size > 0) capacity = static_cast<std::size_t>(status.st_size) + 1;
  text = std::make_unique_for_overwrite<char[]>(capacity);
  std::size_t size = 0;
  while (true) {
    if (size == capacity) {
      auto larger = std::make_unique_for_overwrite<char[]>(capacity * 2);
      std::copy_n(text.get(), size, larger.get());
      text = std::move(larger);
      capacity *= 2;
    }
    const ssize_t got = read(file.fd, text.get() + size, capacity - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw Error(ErrorCode::file_read, fmt::format("{}: cannot read the expression: {}", path, std::strerror(errno)));
    }
    if (got == 0) return size;
    size += static_cast<std::size_t>(got);
  }
}

}  // namespace

Expr read_srepr_file(const std::string& path) {
  try {
    std::unique_ptr<char[]> text;
    const std::size_t size = read_all(path, text);
    try {
      return read_srepr({text.get(), size});
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: {}", path, error.message()));
    }
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, fmt::format("{}: no memory to read the expression", path));
  }
}

}  // namespace frit
