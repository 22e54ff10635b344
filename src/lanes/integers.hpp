// The native model of integer lanes: Integer<T, W> holds W integers of 8 to 64 bits in one register of the ISA.
// lanes/concepts.hpp says what each operation means.
//
// NOTE: arithmetic is done on unsigned lanes, where wrapping is defined; the signedness of T decides comparisons, shifts to
// the right and quotients.
#pragma once

#include "lanes/native.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace lanes {

template <class T, int W> struct Integer;

template <class T> using WideInteger = Integer<T, native_width<T>>;

// Copies fewer than 64 bytes. Powers of two, since a loop over bytes would become a call of memcpy.
inline __attribute__((noinline)) void copy_short(void* to, const void* from, std::ptrdiff_t bytes) {
  char* t = static_cast<char*>(to);
  const char* f = static_cast<const char*>(from);
  const auto part = [&]<std::size_t size>() {
    if ((static_cast<std::size_t>(bytes) & size) == 0) return;
    __builtin_memcpy(t, f, size);
    t += size;
    f += size;
  };
  part.template operator()<32>();
  part.template operator()<16>();
  part.template operator()<8>();
  part.template operator()<4>();
  part.template operator()<2>();
  part.template operator()<1>();
}

template <int bytes, bool is_signed> struct SizedInteger;
template <> struct SizedInteger<1, true> { using Type = std::int8_t; };
template <> struct SizedInteger<2, true> { using Type = std::int16_t; };
template <> struct SizedInteger<4, true> { using Type = std::int32_t; };
template <> struct SizedInteger<8, true> { using Type = std::int64_t; };
template <int bytes> struct SizedInteger<bytes, false> {
  using Type = std::make_unsigned_t<typename SizedInteger<bytes, true>::Type>;
};

// L elements of From as To, in steps that change their size by 2 at most: GCC takes longer steps element by element.
template <class From, class To, int L> FRIT_INLINE Vector<To, L> cast_lanes(Vector<From, L> x) {
  constexpr int from = static_cast<int>(sizeof(From)), to = static_cast<int>(sizeof(To));
  constexpr bool to_integer = std::is_integral_v<To>;
  if constexpr (!std::is_integral_v<From> && to_integer && to < 4) {
    return cast_lanes<std::int32_t, To, L>(__builtin_convertvector(x, Vector<std::int32_t, L>));
  } else if constexpr (std::is_integral_v<From> && (to_integer ? to > 2 * from : from < 4)) {
    using Middle = typename SizedInteger<2 * from, std::is_signed_v<From>>::Type;
    return cast_lanes<Middle, To, L>(__builtin_convertvector(x, Vector<Middle, L>));
  } else if constexpr (std::is_integral_v<From> && to_integer && 2 * to < from) {
    using Middle = typename SizedInteger<from / 2, std::is_signed_v<From>>::Type;
    return cast_lanes<Middle, To, L>(__builtin_convertvector(x, Vector<Middle, L>));
  } else if constexpr (std::is_same_v<From, std::uint32_t> && std::is_same_v<To, double>) {
    // The conversion that every ISA has is signed: half of the range down and up again.
    const auto half = static_cast<std::uint32_t>(1) << 31;
    return __builtin_convertvector((Vector<std::int32_t, L>)(x ^ half), Vector<To, L>) + To(0x1p31);
  } else {
    return __builtin_convertvector(x, Vector<To, L>);
  }
}

template <class T, int W> struct IntegerMask {
  using M = Vector<std::make_signed_t<T>, W>;
  M m;

  static FRIT_INLINE IntegerMask of(bool flag) { return {flag ? ~M{} : M{}}; }
  // Bytes: false is 0, true anything else.
  static FRIT_INLINE IntegerMask load_bytes(const void* from) {
    Vector<std::int8_t, W> bytes;
    __builtin_memcpy(&bytes, from, W);
    return {(M)(cast_lanes<std::int8_t, std::make_signed_t<T>, W>(bytes) != M{})};
  }
  // Bytes of 0 and 1.
  FRIT_INLINE void store_bytes(void* to) const {
    const auto bytes = cast_lanes<std::make_signed_t<T>, std::int8_t, W>(m) & std::int8_t{1};
    __builtin_memcpy(to, &bytes, W);
  }

  friend FRIT_INLINE IntegerMask operator&(IntegerMask a, IntegerMask b) { return {a.m & b.m}; }
  friend FRIT_INLINE IntegerMask operator|(IntegerMask a, IntegerMask b) { return {a.m | b.m}; }
  friend FRIT_INLINE IntegerMask operator^(IntegerMask a, IntegerMask b) { return {a.m ^ b.m}; }
  friend FRIT_INLINE IntegerMask operator~(IntegerMask a) { return {~a.m}; }

  friend FRIT_INLINE Integer<T, W> to_bits(IntegerMask a) { return {(typename Integer<T, W>::U)a.m}; }
  friend FRIT_INLINE bool any(IntegerMask a) {
#if defined(FRIT_LANES_AVX512)
    return _mm512_test_epi64_mask((__m512i)a.m, (__m512i)a.m) != 0;
#elif defined(FRIT_LANES_AVX2)
    return _mm256_testz_si256((__m256i)a.m, (__m256i)a.m) == 0;
#elif defined(FRIT_LANES_SSE4)
    return _mm_testz_si128((__m128i)a.m, (__m128i)a.m) == 0;
#else
    const auto halves = (Vector<std::uint64_t, 2>)a.m;
    return (halves[0] | halves[1]) != 0;
#endif
  }
  // The first lane that is true, or W.
  friend FRIT_INLINE int first(IntegerMask a) {
    int i = 0;
    while (i < W && a.m[i] == 0) ++i;
    return i;
  }
};

// What of an ISA has a shift with a count of its own for each lane. Elsewhere it is made of shifts by 1, 2, 4, ...
#if defined(FRIT_LANES_AVX512)
inline constexpr int smallest_lane_shift = 2;
#elif defined(FRIT_LANES_AVX2)
inline constexpr int smallest_lane_shift = 4;
#elif defined(FRIT_LANES_NEON)
inline constexpr int smallest_lane_shift = 1;
#else
inline constexpr int smallest_lane_shift = 16;
#endif

template <class T, int W> struct Integer {
  static_assert(W == native_width<T>, "one register of the ISA");
  using Element = T;
  using Mask = IntegerMask<T, W>;
  using Unsigned = std::make_unsigned_t<T>;
  using U = Vector<Unsigned, W>;
  using X = Vector<T, W>;
  static constexpr int width = W;
  static constexpr int size = static_cast<int>(sizeof(T)) * 8;
  static constexpr bool is_signed = std::is_signed_v<T>;
  U u;

  static FRIT_INLINE Integer of(std::int64_t literal) { return splat(static_cast<Unsigned>(literal)); }

  static FRIT_INLINE Integer load(const void* from) {
    Integer a;
    __builtin_memcpy(&a.u, from, sizeof(U));
    return a;
  }
  FRIT_INLINE void store(void* to) const { __builtin_memcpy(to, &u, sizeof(U)); }
  static FRIT_INLINE Integer load_partial(const void* from, std::ptrdiff_t n) {
    if (n >= W) return load(from);
    Integer a = of(0);
    copy_short(&a.u, from, n * std::ptrdiff_t{sizeof(T)});
    return a;
  }
  FRIT_INLINE void store_partial(void* to, std::ptrdiff_t n) const {
    if (n >= W) return store(to);
    copy_short(to, &u, n * std::ptrdiff_t{sizeof(T)});
  }
  static FRIT_INLINE Integer broadcast_load(const void* from) {
    Unsigned scalar;
    __builtin_memcpy(&scalar, from, sizeof(T));
    return splat(scalar);
  }

  friend FRIT_INLINE Integer operator+(Integer a, Integer b) { return {a.u + b.u}; }
  friend FRIT_INLINE Integer operator-(Integer a, Integer b) { return {a.u - b.u}; }
  friend FRIT_INLINE Integer operator*(Integer a, Integer b) { return {a.u * b.u}; }
  friend FRIT_INLINE Integer operator-(Integer a) { return {U{} - a.u}; }
  friend FRIT_INLINE Integer operator&(Integer a, Integer b) { return {a.u & b.u}; }
  friend FRIT_INLINE Integer operator|(Integer a, Integer b) { return {a.u | b.u}; }
  friend FRIT_INLINE Integer operator^(Integer a, Integer b) { return {a.u ^ b.u}; }
  friend FRIT_INLINE Integer operator~(Integer a) { return {~a.u}; }

  friend FRIT_INLINE Mask operator==(Integer a, Integer b) { return {(typename Mask::M)(a.u == b.u)}; }
  friend FRIT_INLINE Mask operator!=(Integer a, Integer b) { return {(typename Mask::M)(a.u != b.u)}; }
  friend FRIT_INLINE Mask operator<(Integer a, Integer b) { return {(typename Mask::M)((X)a.u < (X)b.u)}; }
  friend FRIT_INLINE Mask operator>(Integer a, Integer b) { return {(typename Mask::M)((X)a.u > (X)b.u)}; }
  friend FRIT_INLINE Mask operator<=(Integer a, Integer b) { return {(typename Mask::M)((X)a.u <= (X)b.u)}; }
  friend FRIT_INLINE Mask operator>=(Integer a, Integer b) { return {(typename Mask::M)((X)a.u >= (X)b.u)}; }

  friend FRIT_INLINE Integer select(Mask m, Integer a, Integer b) { return {m.m ? a.u : b.u}; }
  friend FRIT_INLINE Integer min(Integer a, Integer b) { return {(X)a.u < (X)b.u ? a.u : b.u}; }
  friend FRIT_INLINE Integer max(Integer a, Integer b) { return {(X)a.u > (X)b.u ? a.u : b.u}; }
  friend FRIT_INLINE Integer abs(Integer a) {
    if constexpr (is_signed) return {(X)a.u < X{} ? U{} - a.u : a.u};
    return a;
  }

  friend FRIT_INLINE Integer shl(Integer a, Integer count) {
    if constexpr (sizeof(T) >= smallest_lane_shift) {
      return {a.u << count.u};
    } else {
      return by_powers(a, count, [](Integer x, int by) FRIT_INLINE_LAMBDA { return Integer{x.u << by}; });
    }
  }
  friend FRIT_INLINE Integer shr(Integer a, Integer count) {
    if constexpr (!is_signed && sizeof(T) >= smallest_lane_shift) {
      return {a.u >> count.u};
    } else if constexpr (sizeof(T) >= smallest_lane_shift && !no_signed_shift) {
      return {(U)((X)a.u >> (X)count.u)};
    } else if constexpr (is_signed && sizeof(T) == 8 && no_signed_shift) {
      // Shift, then extend the sign bit where it arrived.
      const auto logical = [&](U x) FRIT_INLINE_LAMBDA {
        if constexpr (sizeof(T) >= smallest_lane_shift) return x >> count.u;
        return by_powers(Integer{x}, count, [](Integer y, int by) FRIT_INLINE_LAMBDA { return Integer{y.u >> by}; }).u;
      };
      const U sign = logical(splat(Unsigned{1} << (size - 1)).u);
      return {(logical(a.u) ^ sign) - sign};
    } else {
      return by_powers(a, count, [](Integer x, int by) FRIT_INLINE_LAMBDA { return Integer{(U)((X)x.u >> by)}; });
    }
  }

  friend FRIT_INLINE Integer quotient(Integer a, Integer b) {
    // What would trap or overflow is divided by 2 instead, and replaced.
    const Mask by_zero = b == of(0);
    const Mask by_one = b == of(1);
    const Mask by_minus_one = is_signed ? b == of(-1) : Mask::of(false);
    const Integer q = ordinary_quotient(a, select(by_zero | by_one | by_minus_one, of(2), b));
    return select(by_zero, of(0), select(by_one, a, select(by_minus_one, -a, q)));
  }

 private:
#if defined(FRIT_LANES_AVX2) || defined(FRIT_LANES_SSE4) || defined(FRIT_LANES_PLAIN)
  static constexpr bool no_signed_shift = sizeof(T) == 8;
#else
  static constexpr bool no_signed_shift = false;
#endif

  static FRIT_INLINE Integer splat(Unsigned scalar) { return {scalar - U{}}; }

  template <class Shift> static FRIT_INLINE Integer by_powers(Integer a, Integer count, Shift shift) {
#pragma GCC unroll 6
    for (int by = 1; by < size; by *= 2) a = select((count & of(by)) != of(0), shift(a, by), a);
    return a;
  }

  // |b| >= 2. By floating-point division where it is exact: with 24 (53) bits for a quotient of 16-bit (32-bit) integers, one that is
  // no integer is never rounded up to one, in no rounding mode. So it is for 64 bits where all lanes have 51 or fewer.
  static FRIT_INLINE Integer ordinary_quotient(Integer a, Integer b) {
    if constexpr (sizeof(T) == 8) {
      using F = Native<double, W>;
      constexpr Unsigned bias = is_signed ? Unsigned{1} << 51 : 0;
      const auto high_bits = ((a.u + bias) | (b.u + bias)) >> (is_signed ? 52 : 51);
      if (!any(Mask{(typename Mask::M)(high_bits != U{})}))
        return {to_int(trunc(F::to_float({a.u}) / F::to_float({b.u}))).u};
    }
    T dividend[W], divisor[W];
    a.store(dividend);
    b.store(divisor);
    if constexpr (sizeof(T) == 8) {
      for (int i = 0; i < W; ++i) dividend[i] = static_cast<T>(dividend[i] / divisor[i]);
    } else {
      using F = std::conditional_t<sizeof(T) == 4, double, float>;
      constexpr int L = native_width<F>;
      for (int i = 0; i < W; i += L) {
        Vector<T, L> x, y;
        __builtin_memcpy(&x, dividend + i, sizeof x);
        __builtin_memcpy(&y, divisor + i, sizeof y);
        x = cast_lanes<std::int32_t, T, L>(
            __builtin_convertvector(cast_lanes<T, F, L>(x) / cast_lanes<T, F, L>(y), Vector<std::int32_t, L>));
        __builtin_memcpy(dividend + i, &x, sizeof x);
      }
    }
    return load(dividend);
  }
};

}  // namespace lanes
}  // namespace FRIT_ISA
}  // namespace frit
