// Memory for the arrays of a measurement.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace yardstick {

struct Free {
  void operator()(void* p) const { std::free(p); }
};
template <class T> using Array = std::unique_ptr<T[], Free>;
// Memory that begins at a multiple of 64 bytes and has been touched; from 2 MB on in huge pages, where the system gives any, as
// frit's arrays are.
template <class T> Array<T> make_array(std::size_t size) {
  constexpr std::size_t huge = std::size_t{2} << 20;
  const std::size_t needed = size * sizeof(T) + 64;
  const std::size_t unit = needed >= huge ? huge : 64;
  const std::size_t bytes = (needed + unit - 1) / unit * unit;
  Array<T> array(static_cast<T*>(std::aligned_alloc(unit, bytes)));
#ifdef MADV_HUGEPAGE
  if (unit == huge) (void)madvise(array.get(), bytes, MADV_HUGEPAGE);
#endif
  for (std::size_t i = 0; i < bytes / sizeof(T); ++i) array[i] = T(0);
  return array;
}

}  // namespace yardstick
