// The native model of the lane concepts: Native<T, W> holds W lanes of T in one register, or in two halves where the ISA
// has no register that long (native_halves.hpp). lanes/concepts.hpp says what each operation means.
//
// NOTE: a width below the smallest register (one double, one float) is the low end of that register. The lanes above it
// are computed along and never looked at; this keeps one code path, without branches, for every width.
#pragma once

#include "lanes/concepts.hpp"
#include "lanes/registers.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace lanes {

template <class T> inline constexpr int smallest_register = 16 / static_cast<int>(sizeof(T));
template <class T> inline constexpr int native_width = register_bytes / static_cast<int>(sizeof(T));
template <class T, int W> inline constexpr int register_lanes = W < smallest_register<T> ? smallest_register<T> : W;
template <class T, int W> inline constexpr bool in_halves = W > native_width<T>;

template <class T, int W> struct Native;
template <class T, int W> struct NativeBits;
template <class T, int W> struct NativeMask;

// The lane value as wide as a register of this ISA.
template <class T> using Wide = Native<T, native_width<T>>;

template <class T, int W> struct NativeMask {
  using R = Registers<T, register_lanes<T, W>>;
  static constexpr unsigned live = static_cast<unsigned>((std::uint64_t{1} << W) - 1);
  typename R::M m;

  static FRIT_INLINE NativeMask of(bool flag) { return {R::splat(flag)}; }

  friend FRIT_INLINE NativeMask operator&(NativeMask a, NativeMask b) { return {R::both(a.m, b.m)}; }
  friend FRIT_INLINE NativeMask operator|(NativeMask a, NativeMask b) { return {R::either(a.m, b.m)}; }
  friend FRIT_INLINE NativeMask operator^(NativeMask a, NativeMask b) { return {R::differ(a.m, b.m)}; }
  friend FRIT_INLINE NativeMask operator~(NativeMask a) { return {R::inverse(a.m)}; }

  // Bit i is lane i.
  friend FRIT_INLINE unsigned lane_flags(NativeMask a) { return R::lane_flags(a.m) & live; }
  friend FRIT_INLINE bool any(NativeMask a) { return lane_flags(a) != 0; }
  friend FRIT_INLINE bool none(NativeMask a) { return lane_flags(a) == 0; }
  friend FRIT_INLINE bool all(NativeMask a) { return lane_flags(a) == live; }
  friend FRIT_INLINE NativeBits<T, W> to_bits(NativeMask a) { return {R::mask_image(a.m)}; }
};

template <class T, int W> struct NativeBits {
  using Mask = NativeMask<T, W>;
  using R = Registers<T, register_lanes<T, W>>;
  using Unsigned = typename IntegersOf<T>::Unsigned;
  using Signed = typename IntegersOf<T>::Signed;
  static constexpr int width = W;
  static constexpr int size = static_cast<int>(sizeof(T)) * 8;
  typename R::U u;

  static FRIT_INLINE NativeBits of(std::int64_t literal) { return splat(static_cast<Unsigned>(literal)); }
  static FRIT_INLINE NativeBits load(const Unsigned* from) {
    NativeBits a{};
    __builtin_memcpy(&a.u, from, sizeof(T) * static_cast<std::size_t>(W));
    return a;
  }
  FRIT_INLINE void store(Unsigned* to) const { __builtin_memcpy(to, &u, sizeof(T) * static_cast<std::size_t>(W)); }

  friend FRIT_INLINE NativeBits operator+(NativeBits a, NativeBits b) { return {a.u + b.u}; }
  friend FRIT_INLINE NativeBits operator-(NativeBits a, NativeBits b) { return {a.u - b.u}; }
  friend FRIT_INLINE NativeBits operator&(NativeBits a, NativeBits b) { return {a.u & b.u}; }
  friend FRIT_INLINE NativeBits operator|(NativeBits a, NativeBits b) { return {a.u | b.u}; }
  friend FRIT_INLINE NativeBits operator^(NativeBits a, NativeBits b) { return {a.u ^ b.u}; }
  friend FRIT_INLINE NativeBits operator~(NativeBits a) { return {~a.u}; }
  friend FRIT_INLINE NativeBits operator<<(NativeBits a, int count) {
    return {a.u << splat(static_cast<Unsigned>(count)).u};
  }
  friend FRIT_INLINE NativeBits operator>>(NativeBits a, int count) {
    return {a.u >> splat(static_cast<Unsigned>(count)).u};
  }
  friend FRIT_INLINE NativeBits shl(NativeBits a, NativeBits count) { return {a.u << count.u}; }
  friend FRIT_INLINE NativeBits shr(NativeBits a, NativeBits count) { return {a.u >> count.u}; }
  friend FRIT_INLINE NativeBits sar(NativeBits a, int count) {
#if defined(FRIT_LANES_AVX2) || defined(FRIT_LANES_SSE4) || defined(FRIT_LANES_PLAIN)
    if constexpr (sizeof(T) == 8) {
      // These sets have no arithmetic shift of 64-bit lanes: shift, then extend the sign bit where it arrived.
      const NativeBits sign = splat(Unsigned{1} << (size - 1 - count));
      return ((a >> count) ^ sign) - sign;
    }
#endif
    using S = Vector<Signed, register_lanes<T, W>>;
    return {(typename R::U)((S)a.u >> (S)splat(static_cast<Unsigned>(count)).u)};
  }
  friend FRIT_INLINE Mask operator==(NativeBits a, NativeBits b) { return {R::int_eq(a.u, b.u)}; }
  friend FRIT_INLINE Mask operator!=(NativeBits a, NativeBits b) { return ~(a == b); }
  friend FRIT_INLINE Mask operator<(NativeBits a, NativeBits b) { return {R::int_lt(a.u, b.u)}; }
  friend FRIT_INLINE Mask operator>(NativeBits a, NativeBits b) { return b < a; }
  friend FRIT_INLINE Mask operator<=(NativeBits a, NativeBits b) { return ~(b < a); }
  friend FRIT_INLINE Mask operator>=(NativeBits a, NativeBits b) { return ~(a < b); }
  friend FRIT_INLINE NativeBits select(Mask m, NativeBits a, NativeBits b) { return {R::select(m.m, a.u, b.u)}; }
  friend FRIT_INLINE Mask mask_of(NativeBits a) { return {R::mask_of(a.u)}; }

 private:
  static FRIT_INLINE NativeBits splat(Unsigned value) { return {value - typename R::U{}}; }
};

template <class T, int W> struct Native {
  using Element = T;
  using Mask = NativeMask<T, W>;
  using Bits = NativeBits<T, W>;
  using R = Registers<T, register_lanes<T, W>>;
  using F = typename R::F;
  using U = typename R::U;
  static constexpr int width = W;
  F v;

  FRIT_INLINE Native() : v{} {}
  // NOTE: minus the vector of +0 keeps a scalar -0; plus would not.
  FRIT_INLINE Native(T scalar) : v(scalar - F{}) {}  // implicit: a literal is a lane value
  static FRIT_INLINE Native of(double literal) { return Native(static_cast<T>(literal)); }
  static FRIT_INLINE Native of_register(F a) {
    Native r;
    r.v = a;
    return r;
  }

  static FRIT_INLINE Native load(const T* from) {
    Native a;
    __builtin_memcpy(&a.v, from, sizeof(T) * static_cast<std::size_t>(W));
    return a;
  }
  FRIT_INLINE void store(T* to) const { __builtin_memcpy(to, &v, sizeof(T) * static_cast<std::size_t>(W)); }
  static FRIT_INLINE Native load_partial(const T* from, std::ptrdiff_t n) {
    return of_register(R::load_partial(from, n));
  }
  FRIT_INLINE void store_partial(T* to, std::ptrdiff_t n) const { R::store_partial(to, v, n); }
  static FRIT_INLINE Native broadcast_load(const T* from) {
    T scalar;
    __builtin_memcpy(&scalar, from, sizeof(T));
    return Native(scalar);
  }

  friend FRIT_INLINE Native operator+(Native a, Native b) { return of_register(a.v + b.v); }
  friend FRIT_INLINE Native operator-(Native a, Native b) { return of_register(a.v - b.v); }
  friend FRIT_INLINE Native operator*(Native a, Native b) { return of_register(a.v * b.v); }
  friend FRIT_INLINE Native operator/(Native a, Native b) { return of_register(a.v / b.v); }
  friend FRIT_INLINE Native operator-(Native a) { return of_register(-a.v); }
  FRIT_INLINE Native& operator+=(Native b) { return *this = *this + b; }
  FRIT_INLINE Native& operator-=(Native b) { return *this = *this - b; }
  FRIT_INLINE Native& operator*=(Native b) { return *this = *this * b; }
  FRIT_INLINE Native& operator/=(Native b) { return *this = *this / b; }

  friend FRIT_INLINE Mask operator<(Native a, Native b) { return {R::lt(a.v, b.v)}; }
  friend FRIT_INLINE Mask operator<=(Native a, Native b) { return {R::le(a.v, b.v)}; }
  friend FRIT_INLINE Mask operator>(Native a, Native b) { return {R::lt(b.v, a.v)}; }
  friend FRIT_INLINE Mask operator>=(Native a, Native b) { return {R::le(b.v, a.v)}; }
  friend FRIT_INLINE Mask operator==(Native a, Native b) { return {R::eq(a.v, b.v)}; }
  friend FRIT_INLINE Mask operator!=(Native a, Native b) { return {R::ne(a.v, b.v)}; }
  friend FRIT_INLINE Mask is_nan(Native a) { return {R::ne(a.v, a.v)}; }

  friend FRIT_INLINE Native fma(Native a, Native b, Native c) { return of_register(R::fma(a.v, b.v, c.v)); }
  friend FRIT_INLINE Native sqrt(Native a) { return of_register(R::sqrt(a.v)); }
  friend FRIT_INLINE Native round_even(Native a) { return of_register(R::round_even(a.v)); }
  friend FRIT_INLINE Native floor(Native a) { return of_register(R::floor(a.v)); }
  friend FRIT_INLINE Native trunc(Native a) { return of_register(R::trunc(a.v)); }
  friend FRIT_INLINE Native abs(Native a) { return from_image((U)a.v & ~(U)(-F{})); }
  friend FRIT_INLINE Native copysign(Native a, Native sign) {
    const U sign_bit = (U)(-F{});
    return from_image(((U)a.v & ~sign_bit) | ((U)sign.v & sign_bit));
  }
  friend FRIT_INLINE Native select(Mask m, Native a, Native b) { return of_register(R::select(m.m, a.v, b.v)); }

  friend FRIT_INLINE Bits bits(Native a) { return {(U)a.v}; }
  static FRIT_INLINE Native from_bits(Bits a) { return from_image(a.u); }
  // In the binade of 1.5 * 2^52 (1.5 * 2^23) neighbours differ by one, so the last bits of a sum are the integer.
  static constexpr T integer_magic = sizeof(T) == 8 ? T(0x1.8p52) : T(0x1.8p23f);
  friend FRIT_INLINE Bits to_int(Native a) { return bits(a + Native(integer_magic)) - bits(Native(integer_magic)); }
  static FRIT_INLINE Native to_float(Bits a) {
    return from_bits(a + bits(Native(integer_magic))) - Native(integer_magic);
  }

 private:
  static FRIT_INLINE Native from_image(U image) { return of_register((F)image); }
};

// Lane i by itself: for tests and for code that leaves the lane world.
template <class T, int W> FRIT_INLINE T lane(Native<T, W> a, int i) {
  T all[W];
  a.store(all);
  return all[i];
}

template <class T, int W>
requires(!in_halves<T, W>) FRIT_INLINE Native<T, W> table(const T* base, NativeBits<T, W> index) {
#if defined(FRIT_LANES_AVX512) || defined(FRIT_LANES_AVX2)
  if constexpr (W == native_width<T>) return Native<T, W>::of_register(Native<T, W>::R::gather(base, index.u));
#endif
  typename IntegersOf<T>::Unsigned at[W];
  index.store(at);
  T value[W];
  for (int i = 0; i < W; ++i) value[i] = base[at[i]];
  return Native<T, W>::load(value);
}

template <class T, int W>
FRIT_INLINE NativeBits<T, W> table(const typename IntegersOf<T>::Unsigned* base, NativeBits<T, W> index) {
  typename IntegersOf<T>::Unsigned at[W];
  index.store(at);
  for (int i = 0; i < W; ++i) at[i] = base[at[i]];
  return NativeBits<T, W>::load(at);
}

template <class T, int W, class Value, class Fn> FRIT_INLINE Value rare(NativeMask<T, W> mask, Value value, Fn fn) {
  if (any(mask)) [[unlikely]]
    return select(mask, fn(), value);
  return value;
}

template <class State, class Active, class Step> FRIT_INLINE State while_any(State state, Active active, Step step) {
  for (auto mask = active(state); any(mask); mask = active(state)) state = select(mask, step(state), state);
  return state;
}

}  // namespace lanes
}  // namespace FRIT_ISA
}  // namespace frit

#include "lanes/native_halves.hpp"
