// Lanes of integers for the reductions: what their templates ask of a lane value, at any width. Unlike the Bits of a lane
// value these have every size, and elements of a narrower type can be loaded into them.
#pragma once

#include "lanes/native.hpp"
#include "math/complex_value.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {

template <std::size_t size> struct SignedOf;
template <> struct SignedOf<1> { using type = std::int8_t; };
template <> struct SignedOf<2> { using type = std::int16_t; };
template <> struct SignedOf<4> { using type = std::int32_t; };
template <> struct SignedOf<8> { using type = std::int64_t; };

template <int... i> struct Places {};
template <int n, int... i> struct FirstPlaces : FirstPlaces<n - 1, n - 1, i...> {};
template <int... i> struct FirstPlaces<0, i...> { using type = Places<i...>; };

// The real parts, or the imaginary ones, of the complex numbers in a and b.
template <int part, class V, int... i> FRIT_INLINE V parts_of(V a, V b, Places<i...>) {
  return __builtin_shufflevector(a, b, (2 * i + part)...);
}
// Lane l is lane l + by of a; the last ones come round from the first.
template <int by, class V, int... i> FRIT_INLINE V rotated(V a, Places<i...>) {
  return __builtin_shufflevector(a, a, ((i + by) % static_cast<int>(sizeof...(i)))...);
}

template <class V> FRIT_INLINE V load_vector(const std::byte* from) {
  V a;
  __builtin_memcpy(&a, from, sizeof a);
  return a;
}

#if defined(__x86_64__)
template <int words> struct RegisterOf { using type = __m128i; };
template <> struct RegisterOf<4> { using type = __m256i; };
#endif

// Elements of a narrower type, widened to 64 bits.
// NOTE: by instructions, since __builtin_convertvector of GCC 12 takes 8-bit lanes apart.
template <class I, class T, int W> FRIT_INLINE lanes::Vector<I, W> widened(const std::byte* from) {
#if defined(FRIT_LANES_AVX512)
// The maskz forms for the reason that registers.hpp has.
#define FRIT_WIDENED(SIZE, FROM)                                            \
  std::is_signed_v<T> ? (V)_mm512_maskz_cvtepi##SIZE##_epi64(0xff, (FROM)a) \
                      : (V)_mm512_maskz_cvtepu##SIZE##_epi64(0xff, (FROM)a)
#elif defined(FRIT_LANES_AVX2)
#define FRIT_WIDENED(SIZE, FROM) \
  std::is_signed_v<T> ? (V)_mm256_cvtepi##SIZE##_epi64((FROM)a) : (V)_mm256_cvtepu##SIZE##_epi64((FROM)a)
#elif defined(FRIT_LANES_SSE4)
#define FRIT_WIDENED(SIZE, FROM) \
  std::is_signed_v<T> ? (V)_mm_cvtepi##SIZE##_epi64((FROM)a) : (V)_mm_cvtepu##SIZE##_epi64((FROM)a)
#endif
  using V = lanes::Vector<I, W>;
#if defined(FRIT_WIDENED)
  if constexpr (W * 8 == lanes::register_bytes) {
    constexpr int bytes = W * static_cast<int>(sizeof(T)), words = bytes > 16 ? 4 : 2;
    lanes::Vector<std::int64_t, words> a{};
    __builtin_memcpy(&a, from, bytes);
    using Register = typename RegisterOf<words>::type;
    if constexpr (sizeof(T) == 1) {
      return FRIT_WIDENED(8, Register);
    } else if constexpr (sizeof(T) == 2) {
      return FRIT_WIDENED(16, Register);
    } else {
      return FRIT_WIDENED(32, Register);
    }
  }
#undef FRIT_WIDENED
#endif
  return __builtin_convertvector((load_vector<lanes::Vector<T, W>>(from)), V);
}

template <class I, int W> inline constexpr bool integer_halves = W* static_cast<int>(sizeof(I)) > lanes::register_bytes;

template <class I, int W> struct IntegerMask {
  lanes::Vector<typename SignedOf<sizeof(I)>::type, W> m;
  friend FRIT_INLINE IntegerMask operator|(IntegerMask a, IntegerMask b) { return {a.m | b.m}; }
  friend FRIT_INLINE bool any(IntegerMask a) {
    std::int64_t found = 0;
    if constexpr (sizeof(a.m) % 8 == 0) {
      const auto words = (lanes::Vector<std::int64_t, static_cast<int>(sizeof(a.m) / 8)>)a.m;
      for (int i = 0; i < static_cast<int>(sizeof(a.m) / 8); ++i) found |= words[i];
    } else {
      for (int i = 0; i < W; ++i) found |= a.m[i];
    }
    return found != 0;
  }
};
template <class I, int W>
requires integer_halves<I, W>
struct IntegerMask<I, W> {
  IntegerMask<I, W / 2> lo, hi;
  friend FRIT_INLINE IntegerMask operator|(IntegerMask a, IntegerMask b) { return {a.lo | b.lo, a.hi | b.hi}; }
  friend FRIT_INLINE bool any(IntegerMask a) { return any(a.lo | a.hi); }
};

template <class I, int W> struct IntegerLanes {
  using Element = I;
  using Mask = IntegerMask<I, W>;
  using V = lanes::Vector<I, W>;
  static constexpr int width = W;
  V v;

  FRIT_INLINE IntegerLanes() : v{} {}
  FRIT_INLINE IntegerLanes(V vector) : v(vector) {}
  FRIT_INLINE IntegerLanes(I scalar) : v(scalar - V{}) {}
  // Elements of T, converted; with `nonzero` whether they are not zero.
  template <class T, bool nonzero> static FRIT_INLINE IntegerLanes load_from(const std::byte* from) {
    if constexpr (!nonzero && sizeof(I) == 8 && sizeof(T) < 8) {
      return IntegerLanes(widened<I, T, W>(from));
    } else if constexpr (is_complex_value<T>) {
      using P = lanes::Vector<typename T::Part, W>;
      const P a = load_vector<P>(from), b = load_vector<P>(from + sizeof a);
      using All = typename FirstPlaces<W>::type;
      const P re = parts_of<0>(a, b, All{}), im = parts_of<1>(a, b, All{});
      return IntegerLanes(__builtin_convertvector((re != P{}) | (im != P{}), V) & IntegerLanes(I{1}).v);
    } else {
      using P = lanes::Vector<T, W>;
      const P a = load_vector<P>(from);
      if constexpr (nonzero) {
        return IntegerLanes(__builtin_convertvector(a != P{}, V) & IntegerLanes(I{1}).v);
      } else {
        return IntegerLanes(__builtin_convertvector(a, V));
      }
    }
  }
  static FRIT_INLINE IntegerLanes load(const I* from) {
    IntegerLanes a;
    __builtin_memcpy(&a.v, from, sizeof a.v);
    return a;
  }
  FRIT_INLINE void store(I* to) const { __builtin_memcpy(to, &v, sizeof v); }

  friend FRIT_INLINE IntegerLanes operator+(IntegerLanes a, IntegerLanes b) { return a.v + b.v; }
  friend FRIT_INLINE IntegerLanes operator*(IntegerLanes a, IntegerLanes b) { return a.v * b.v; }
  friend FRIT_INLINE IntegerLanes operator&(IntegerLanes a, IntegerLanes b) { return a.v & b.v; }
  friend FRIT_INLINE IntegerLanes operator|(IntegerLanes a, IntegerLanes b) { return a.v | b.v; }
  friend FRIT_INLINE Mask operator<(IntegerLanes a, IntegerLanes b) { return {a.v < b.v}; }
  friend FRIT_INLINE IntegerLanes select(Mask m, IntegerLanes a, IntegerLanes b) { return m.m ? a.v : b.v; }
};

template <class I, int W>
requires integer_halves<I, W>
struct IntegerLanes<I, W> {
  using Element = I;
  using Mask = IntegerMask<I, W>;
  using Half = IntegerLanes<I, W / 2>;
  static constexpr int width = W;
  Half lo, hi;

  FRIT_INLINE IntegerLanes() = default;
  FRIT_INLINE IntegerLanes(Half low, Half high) : lo(low), hi(high) {}
  FRIT_INLINE IntegerLanes(I scalar) : lo(scalar), hi(scalar) {}
  template <class T, bool nonzero> static FRIT_INLINE IntegerLanes load_from(const std::byte* from) {
    return {Half::template load_from<T, nonzero>(from),
            Half::template load_from<T, nonzero>(from + W / 2 * static_cast<int>(sizeof(T)))};
  }
  static FRIT_INLINE IntegerLanes load(const I* from) { return {Half::load(from), Half::load(from + W / 2)}; }
  FRIT_INLINE void store(I* to) const {
    lo.store(to);
    hi.store(to + W / 2);
  }

  friend FRIT_INLINE IntegerLanes operator+(IntegerLanes a, IntegerLanes b) { return {a.lo + b.lo, a.hi + b.hi}; }
  friend FRIT_INLINE IntegerLanes operator*(IntegerLanes a, IntegerLanes b) { return {a.lo * b.lo, a.hi * b.hi}; }
  friend FRIT_INLINE IntegerLanes operator&(IntegerLanes a, IntegerLanes b) { return {a.lo & b.lo, a.hi & b.hi}; }
  friend FRIT_INLINE IntegerLanes operator|(IntegerLanes a, IntegerLanes b) { return {a.lo | b.lo, a.hi | b.hi}; }
  friend FRIT_INLINE Mask operator<(IntegerLanes a, IntegerLanes b) { return {a.lo < b.lo, a.hi < b.hi}; }
  friend FRIT_INLINE IntegerLanes select(Mask m, IntegerLanes a, IntegerLanes b) {
    return {select(m.lo, a.lo, b.lo), select(m.hi, a.hi, b.hi)};
  }
};

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
