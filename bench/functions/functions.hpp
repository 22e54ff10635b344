// Functions over arrays by other libraries, to be timed beside frit's kernels.
#pragma once

#include <cstdint>
#include <vector>

namespace functions {

template <class T> using Loop = void (*)(const T* x, const T* y, T* out, std::int64_t n);

struct Peer {
  const char* op;
  const char* library;
  Loop<double> f64;
  Loop<float> f32;
};

struct Range {
  const char* op;
  double low, high;
};

}  // namespace functions

// Those of each ISA; n is a multiple of its vectors.
#define FUNCTIONS_OF_ISA(isa)           \
  namespace frit::isa {                 \
  std::vector<functions::Peer> peers(); \
  }
