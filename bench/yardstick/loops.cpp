// A loop over scalars as it is written in C: x <- r x (1 - x), each step waiting for the one before. -O2, no fast math.
#include "kernel.hpp"

namespace yardstick {
namespace {

template <class T> void logistic_map(std::size_t n, const T* const* in, T* out) {
  T x = in[0][0];
  const T r = in[1][0];
  for (std::size_t i = 0; i < n; ++i) x = r * x * (1 - x);
  out[0] = x;
}

constexpr Kernel kernels[] = {{"logistic_map", "plain", "", logistic_map<double>, logistic_map<float>}};

}  // namespace

std::span<const Kernel> loops() { return kernels; }

}  // namespace yardstick
