// Loops over the vectors of one ISA that call SLEEF's functions of at most 1 ulp and those of glibc's libmvec.
#include "functions.hpp"

#include "lanes/isa.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#if defined(FUNCTIONS_SLEEF)
#include <sleef.h>
#endif

#if defined(__AVX512F__)
using Doubles = __m512d;
using Floats = __m512;
#define SLEEF_F64(name, accuracy) Sleef_##name##d8_##accuracy##avx512f
#define SLEEF_F32(name, accuracy) Sleef_##name##f16_##accuracy##avx512f
#define LIBMVEC_F64(v, name) _ZGVeN8##v##_##name
#define LIBMVEC_F32(v, name) _ZGVeN16##v##_##name##f
#else
using Doubles = __m256d;
using Floats = __m256;
#define SLEEF_F64(name, accuracy) Sleef_##name##d4_##accuracy##avx2
#define SLEEF_F32(name, accuracy) Sleef_##name##f8_##accuracy##avx2
#define LIBMVEC_F64(v, name) _ZGVdN4##v##_##name
#define LIBMVEC_F32(v, name) _ZGVdN8##v##_##name##f
#endif

#define OPERANDS_1(V) V
#define OPERANDS_2(V) V, V
#define DECLARE(v, name, operands)                            \
  Doubles LIBMVEC_F64(v, name)(OPERANDS_##operands(Doubles)); \
  Floats LIBMVEC_F32(v, name)(OPERANDS_##operands(Floats));
#define DECLARE_1(name) DECLARE(v, name, 1)
#define DECLARE_2(name) DECLARE(vv, name, 2)
#define DECLARE_LIBMVEC(name, operands) DECLARE_##operands(name)
#define DECLARE_NO_LIBMVEC(name, operands)
#define FUNCTION(op, name, operands, accuracy, libmvec, low, high) DECLARE_##libmvec(name, operands)
extern "C" {
#include "functions.inc"
}
#undef FUNCTION
#endif

namespace frit {
inline namespace FRIT_ISA {

std::vector<functions::Peer> peers();

#if defined(__x86_64__)
namespace {

template <class T> struct VectorOf;
template <> struct VectorOf<double> { using type = Doubles; };
template <> struct VectorOf<float> { using type = Floats; };

template <class T, auto function> void loop(const T* x, const T* y, T* out, std::int64_t n) {
  using V = typename VectorOf<T>::type;
  constexpr std::int64_t width = sizeof(V) / sizeof(T);
  const auto load = [](const T* at) {
    V v;
    __builtin_memcpy(&v, at, sizeof v);
    return v;
  };
  for (std::int64_t i = 0; i < n; i += width) {
    V result;
    if constexpr (requires(V v) { function(v); }) {
      result = function(load(x + i));
    } else {
      result = function(load(x + i), load(y + i));
    }
    __builtin_memcpy(out + i, &result, sizeof result);
  }
}

}  // namespace

std::vector<functions::Peer> peers() {
  return {
#if defined(FUNCTIONS_SLEEF)
#define FUNCTION(op, name, operands, accuracy, libmvec, low, high) \
  {#op, "SLEEF", loop<double, SLEEF_F64(name, accuracy)>, loop<float, SLEEF_F32(name, accuracy)>},
#include "functions.inc"
#undef FUNCTION
#endif
#define PEER(v, op, name) {#op, "libmvec", loop<double, LIBMVEC_F64(v, name)>, loop<float, LIBMVEC_F32(v, name)>},
#define PEER_1(op, name) PEER(v, op, name)
#define PEER_2(op, name) PEER(vv, op, name)
#define PEER_LIBMVEC(op, name, operands) PEER_##operands(op, name)
#define PEER_NO_LIBMVEC(op, name, operands)
#define FUNCTION(op, name, operands, accuracy, libmvec, low, high) PEER_##libmvec(op, name, operands)
#include "functions.inc"
#undef FUNCTION
  };
}
#else
std::vector<functions::Peer> peers() { return {}; }
#endif

}  // namespace FRIT_ISA
}  // namespace frit
