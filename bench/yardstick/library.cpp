#include <vector>

#include "kernel.hpp"
#include "simd.hpp"

namespace yardstick {

Library library() {
  static const std::vector<Kernel> all = [] {
    std::vector<Kernel> list;
    for (const auto& family : {elementwise(), rows(), grids(), mandelbrot(), matmul(), scan(), loops(), streams()})
      list.insert(list.end(), family.begin(), family.end());
    return list;
  }();
  return {all, vector_isa, sleef_missing};
}

}  // namespace yardstick
