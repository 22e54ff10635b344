// Memory for the arrays of a measurement.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace yardstick {

struct Free {
  void operator()(void* p) const { std::free(p); }
};
template <class T> using Array = std::unique_ptr<T[], Free>;
// Memory that begins at a multiple of 64 bytes and has been touched.
template <class T> Array<T> make_array(std::size_t size) {
  const std::size_t bytes = (size * sizeof(T) + 127) / 64 * 64;
  Array<T> array(static_cast<T*>(std::aligned_alloc(64, bytes)));
  for (std::size_t i = 0; i < bytes / sizeof(T); ++i) array[i] = T(0);
  return array;
}

}  // namespace yardstick
