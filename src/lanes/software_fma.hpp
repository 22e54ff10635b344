// a * b + c rounded once, for sets without the instruction: over a register's lanes, right for all operands.
//
// The fast way rounds twice and sees where that could be wrong. There, seldom, the other way is taken: S. Boldo and
// G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd" (IEEE Transactions on
// Computers 57, 2008): what is rounded to odd first, with at least two bits more, is then rounded to nearest as if it were exact.
//
// NOTE: never inlined, since kernels hold thousands of them; internal to each source, so that GCC knows which registers a
// call leaves alone.
#pragma once

#include <cstdint>

#include "lanes/isa.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace frit {
inline namespace FRIT_ISA {
namespace lanes {
namespace software {

typedef float Singles __attribute__((vector_size(16)));
typedef double Doubles __attribute__((vector_size(16)));
typedef std::int64_t Flags __attribute__((vector_size(16)));  // all ones or zero in each lane
typedef std::uint64_t Images __attribute__((vector_size(16)));
__extension__ typedef unsigned __int128 Wide;

// a + b = sum + error (Knuth), where nothing overflows.
struct Sum {
  Doubles sum, error;
};
FRIT_INLINE Sum two_sum(Doubles a, Doubles b) {
  const Doubles sum = a + b;
  const Doubles of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// Towards zero, and the last bit set where that is not exact. Infinities and NaN stay.
FRIT_INLINE Doubles to_odd(Sum s) {
  const Images inexact = (Images)((s.error < 0.0) | (s.error > 0.0));
  const Images beyond = ((Images)s.sum ^ (Images)s.error) >> 63;  // the sum is further from zero than sum + error
  return (Doubles)(((Images)s.sum - (beyond & inexact)) | (inexact >> 63));
}

#if defined(__SSE2__)
FRIT_INLINE Doubles low(Singles a) { return (Doubles)_mm_cvtps_pd((__m128)a); }
FRIT_INLINE Doubles high(Singles a) { return (Doubles)_mm_cvtps_pd(_mm_movehl_ps((__m128)a, (__m128)a)); }
FRIT_INLINE Singles joined(Doubles a, Doubles b) {
  return (Singles)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)a), _mm_cvtpd_ps((__m128d)b));
}
FRIT_INLINE bool any(Flags m) { return _mm_movemask_pd((__m128d)m) != 0; }
#else
FRIT_INLINE Doubles low(Singles a) { return Doubles{a[0], a[1]}; }
FRIT_INLINE Doubles high(Singles a) { return Doubles{a[2], a[3]}; }
FRIT_INLINE Singles joined(Doubles a, Doubles b) {
  return Singles{static_cast<float>(a[0]), static_cast<float>(a[1]), static_cast<float>(b[0]),
                 static_cast<float>(b[1])};
}
FRIT_INLINE bool any(Flags m) { return (m[0] | m[1]) < 0; }
#endif

FRIT_INLINE Doubles magnitude(Doubles a) { return (Doubles)((Images)a & (~std::uint64_t{0} >> 1)); }

// The product of two floats is exact in double, and no sum leaves the range of double.
__attribute__((noinline, unused)) static Singles fma_by_odd(Singles a, Singles b, Singles c) {
  return joined(to_odd(two_sum(low(a) * low(b), low(c))), to_odd(two_sum(high(a) * high(b), high(c))));
}

__attribute__((noinline, unused)) static Singles fma(Singles a, Singles b, Singles c) {
  // Rounding to double before float is wrong only where it ends on a tie of floats. Those of subnormal floats lie elsewhere.
  const auto is_tie = [](Doubles sum) FRIT_INLINE_LAMBDA {
    const Flags tie = (Flags)(((Images)sum & 0x1fffffffu) == 0x10000000u);
    return tie | (Flags)(magnitude(sum) < 0x1p-126);
  };
  const Doubles first = low(a) * low(b) + low(c), second = high(a) * high(b) + high(c);
  if (any(is_tie(first) | is_tie(second))) [[unlikely]]
    return fma_by_odd(a, b, c);
  return joined(first, second);
}

// mantissa * 2^exponent, not zero, the first bit of the mantissa at place 125.
struct Number {
  Wide mantissa;
  int exponent;
};
FRIT_INLINE Number normalised(Wide mantissa, int exponent) {
  const auto upper = static_cast<std::uint64_t>(mantissa >> 64);
  const int zeros = upper != 0 ? __builtin_clzll(upper) : 64 + __builtin_clzll(static_cast<std::uint64_t>(mantissa));
  return {mantissa << (zeros - 2), exponent - (zeros - 2)};
}
// The magnitude of a finite double.
FRIT_INLINE std::uint64_t mantissa_of(std::uint64_t image) {
  const std::uint64_t fraction = image & 0x000fffffffffffffu;
  return (image >> 52 & 0x7ff) == 0 ? fraction : fraction | 0x0010000000000000u;
}
FRIT_INLINE int exponent_of(std::uint64_t image) {
  const auto field = static_cast<int>(image >> 52 & 0x7ff);
  return (field == 0 ? 1 : field) - 1075;
}
// Shifted right; the last bit says whether anything was lost.
FRIT_INLINE Wide shifted(Wide a, int count) {
  if (count == 0) return a;
  if (count > 127) return a != 0 ? 1u : 0u;
  return (a >> count) | ((a << (128 - count)) != 0 ? 1u : 0u);
}

// One lane, by integers: where the range of the exponents is too small for the errors of sums and products.
__attribute__((noinline, unused)) static double fma_by_integers(double a, double b, double c) {
  std::uint64_t x, y, z;
  __builtin_memcpy(&x, &a, sizeof x);
  __builtin_memcpy(&y, &b, sizeof y);
  __builtin_memcpy(&z, &c, sizeof z);
  const auto finite = [](std::uint64_t image) FRIT_INLINE_LAMBDA { return (image >> 52 & 0x7ff) != 0x7ff; };
  const std::uint64_t m = mantissa_of(x), n = mantissa_of(y), k = mantissa_of(z);
  if (!finite(x) || !finite(y) || m == 0 || n == 0) return a * b + c;
  if (!finite(z)) return c;  // and not a * b + c, where the product may overflow

  const std::uint64_t sign_bit = std::uint64_t{1} << 63;
  std::uint64_t sign = (x ^ y) & sign_bit;
  Number sum = normalised(static_cast<Wide>(m) * n, exponent_of(x) + exponent_of(y));
  if (k != 0) {
    Number larger = normalised(k, exponent_of(z)), smaller = sum;
    std::uint64_t other_sign = sign;
    sign = z & sign_bit;
    if (larger.exponent < smaller.exponent ||
        (larger.exponent == smaller.exponent && larger.mantissa < smaller.mantissa)) {
      const Number swapped = larger;
      larger = smaller;
      smaller = swapped;
      const std::uint64_t swapped_sign = sign;
      sign = other_sign;
      other_sign = swapped_sign;
    }
    // The last 19 places of both are empty, so places are lost only where the larger operand keeps its first or second.
    const Wide aligned = shifted(smaller.mantissa, larger.exponent - smaller.exponent);
    sum = {sign == other_sign ? larger.mantissa + aligned : larger.mantissa - aligned, larger.exponent};
    if (sum.mantissa == 0) return 0.0;
    // A carry has reached place 126 at most.
    sum = (sum.mantissa >> 126) != 0 ? Number{shifted(sum.mantissa, 1), sum.exponent + 1}
                                     : normalised(sum.mantissa, sum.exponent);
  }
  // 53 places, fewer where the spacing of subnormal numbers is wider.
  const int least = -1074, greatest = 971;
  const int spacing = sum.exponent + 73 < least ? least : sum.exponent + 73;
  std::uint64_t image = 0x7ff0000000000000u;
  if (spacing <= greatest) {
    const Wide twice = shifted(sum.mantissa, spacing - sum.exponent - 2);  // two more places, for rounding
    const auto kept = static_cast<std::uint64_t>(twice >> 2);
    const auto rest = static_cast<unsigned>(twice & 3u);
    const std::uint64_t up = rest == 3 || (rest == 2 && (kept & 1u) != 0) ? 1 : 0;
    // The first bit, and a carry, add to the exponent.
    image = (static_cast<std::uint64_t>(spacing - least) << 52) + kept + up;
  }
  image |= sign;
  double result;
  __builtin_memcpy(&result, &image, sizeof result);
  return result;
}

// Half of the bits of a, the other half in the rest (Veltkamp).
FRIT_INLINE Doubles upper_half(Doubles a) {
  const Doubles scaled = a * 0x1.0000002p27;
  return scaled - (scaled - a);
}

// product + error = a * b (Dekker).
FRIT_INLINE Doubles error_of_product(Doubles a, Doubles b, Doubles product) {
  const Doubles a1 = upper_half(a), a2 = a - a1, b1 = upper_half(b), b2 = b - b1;
  return a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2);
}

// Where no operation of the ways below overflows, and every place of the product is a multiple of the least number or the
// product is zero because an operand is. Of a NaN nothing is asked.
FRIT_INLINE Flags out_of_range(Doubles a, Doubles b, Doubles c, Doubles product) {
  const auto larger = [](Doubles x, Doubles y) FRIT_INLINE_LAMBDA { return x > y ? x : y; };
  const Doubles size = magnitude(product);
  const Doubles largest = larger(larger(magnitude(a), magnitude(b)), larger(magnitude(c), size));
  return (Flags)(largest >= 0x1p995) | (Flags)((size < 0x1p-960) & (a != 0.0) & (b != 0.0));
}

__attribute__((noinline, unused)) static Doubles fma_by_odd(Doubles a, Doubles b, Doubles c) {
  const Doubles product = a * b;
  if (any(out_of_range(a, b, c, product)))
    return Doubles{fma_by_integers(a[0], b[0], c[0]), fma_by_integers(a[1], b[1], c[1])};
  const Sum low_sum = two_sum(c, error_of_product(a, b, product));
  const Sum high_sum = two_sum(product, low_sum.sum);
  const Doubles sum = high_sum.sum + to_odd(two_sum(low_sum.error, high_sum.error));
  // The sign of a zero is that of the plain sum.
  return sum == 0.0 ? product + c : sum;
}

__attribute__((noinline, unused)) static Doubles fma(Doubles a, Doubles b, Doubles c) {
  const Doubles product = a * b;
  const Doubles product_error = error_of_product(a, b, product);
  const Sum sum = two_sum(product, c);
  const Doubles rest = sum.error + product_error;
  const Doubles result = sum.sum + rest;
  // `rest` is rounded where both of its terms are there; the exact one lies between these two.
  const Doubles below = sum.sum + rest * (1 - 0x1p-52), above = sum.sum + rest * (1 + 0x1p-52);
  const Flags unsure = (Flags)((below != above) & (sum.error != 0.0) & (product_error != 0.0));
  const Flags negative_zero = (Flags)(result == 0.0) & (Flags)product & (Flags)c;  // in the sign bit
  if (any(out_of_range(a, b, c, product) | unsure | negative_zero)) [[unlikely]]
    return fma_by_odd(a, b, c);
  return result;
}

}  // namespace software
}  // namespace lanes
}  // namespace FRIT_ISA
}  // namespace frit
