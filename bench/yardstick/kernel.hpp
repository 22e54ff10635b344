// Hand-written kernels, each as fast as its author could make it without giving up its definition. They live in a shared
// library of their own, since they are compiled with -ffast-math for this CPU: nothing of that may reach another program.
#pragma once

#include <cstddef>
#include <span>

namespace yardstick {

// The arrays of a call begin at multiples of 64 bytes. What `n` counts is the problem's to say (problem.hpp).
template <class T> using Entry = void (*)(std::size_t n, const T* const* in, T* out);

struct Kernel {
  const char* problem;
  const char* variant;    // "libmvec", "SLEEF": whose elementary functions; "plain": calls none
  const char* functions;  // of the C library, blank-separated, that the loop must call in their vector form
  Entry<double> f64;
  Entry<float> f32;
};

inline constexpr std::size_t row_length = 1024;    // of softmax, logsumexp and layer_norm
inline constexpr int mandelbrot_iterations = 256;  // the count of points that stay inside
inline constexpr int chained_sines = 100;

struct Library {
  std::span<const Kernel> kernels;
  const char* vectors;  // the instructions that explicit vectors were compiled for
  const char* missing;  // why there is no variant SLEEF; empty where there is
};

// One list a family.
std::span<const Kernel> elementwise();
std::span<const Kernel> rows();
std::span<const Kernel> grids();
std::span<const Kernel> mandelbrot();
std::span<const Kernel> matmul();
std::span<const Kernel> scan();
std::span<const Kernel> loops();
std::span<const Kernel> streams();

[[gnu::visibility("default")]] Library library();

}  // namespace yardstick
