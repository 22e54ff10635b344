// An open file of the operating system.
#pragma once

#include <unistd.h>

namespace frit {

struct Descriptor {
  int fd = -1;  // below 0: none

  explicit Descriptor(int number = -1) : fd(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace frit
