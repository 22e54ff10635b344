// Memory between unreadable pages, and what a sanitizer leaves to be tested.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FRIT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FRIT_SANITIZED 1
#endif
#endif

namespace frit::test {

// `size` bytes that end (or begin) at an unreadable page.
class Guarded {
 public:
  Guarded(std::size_t size, bool at_end) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inner = std::max(page, (size + page - 1) / page * page);
    length_ = inner + 2 * page;
    base_ = static_cast<std::byte*>(mmap(nullptr, length_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base_ == MAP_FAILED || mprotect(base_ + page, inner, PROT_READ | PROT_WRITE) != 0)
      throw std::runtime_error("mmap");
    data_ = at_end ? base_ + page + inner - size : base_ + page;
    std::memset(base_ + page, 0x5a, inner);
  }
  ~Guarded() { munmap(base_, length_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::byte* base_;
  std::byte* data_;
  std::size_t length_;
};

}  // namespace frit::test
