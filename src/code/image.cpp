#include "code/image.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "core/shown.hpp"
#include "frit/error.hpp"

namespace frit::code {

LoadedCode::LoadedCode(const Image& image)
    : bytes_(image.bytes.size()), code_bytes_(image.code_bytes), entries_(image.entries.begin(), image.entries.end()) {
  void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw Error(ErrorCode::out_of_memory, "no memory for compiled code; use mode graph");
  memory_ = static_cast<std::byte*>(memory);
  std::memcpy(memory_, image.bytes.data(), bytes_);
  const bool refused =
      ::mprotect(memory_, code_bytes_, PROT_READ | PROT_EXEC) != 0 ||
      (bytes_ > code_bytes_ && ::mprotect(memory_ + code_bytes_, bytes_ - code_bytes_, PROT_READ) != 0);
  if (refused) {
    const int error = errno;
    ::munmap(memory_, bytes_);
    throw Error(ErrorCode::out_of_memory, "no executable memory for compiled code: " + errno_text(error));
  }
  __builtin___clear_cache(reinterpret_cast<char*>(memory_), reinterpret_cast<char*>(memory_ + code_bytes_));
}

LoadedCode::~LoadedCode() { ::munmap(memory_, bytes_); }

}  // namespace frit::code
