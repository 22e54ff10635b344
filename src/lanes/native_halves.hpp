// Native<T, W> where W lanes need more than one register of this ISA: two values of half the width, each operation done
// on both. native.hpp includes this.
#pragma once

namespace frit {
inline namespace FRIT_ISA {
namespace lanes {

template <class T, int W>
requires in_halves<T, W>
struct NativeMask<T, W> {
  using Half = NativeMask<T, W / 2>;
  Half lo, hi;

  static FRIT_INLINE NativeMask of(bool flag) { return {Half::of(flag), Half::of(flag)}; }
  friend FRIT_INLINE NativeMask operator&(NativeMask a, NativeMask b) { return {a.lo & b.lo, a.hi & b.hi}; }
  friend FRIT_INLINE NativeMask operator|(NativeMask a, NativeMask b) { return {a.lo | b.lo, a.hi | b.hi}; }
  friend FRIT_INLINE NativeMask operator^(NativeMask a, NativeMask b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }
  friend FRIT_INLINE NativeMask operator~(NativeMask a) { return {~a.lo, ~a.hi}; }
  friend FRIT_INLINE unsigned lane_flags(NativeMask a) { return lane_flags(a.lo) | lane_flags(a.hi) << (W / 2); }
  friend FRIT_INLINE bool any(NativeMask a) { return any(a.lo | a.hi); }
  friend FRIT_INLINE bool none(NativeMask a) { return none(a.lo | a.hi); }
  friend FRIT_INLINE bool all(NativeMask a) { return all(a.lo & a.hi); }
  friend FRIT_INLINE NativeBits<T, W> to_bits(NativeMask a) { return {to_bits(a.lo), to_bits(a.hi)}; }
};

template <class T, int W>
requires in_halves<T, W>
struct NativeBits<T, W> {
  using Mask = NativeMask<T, W>;
  using Half = NativeBits<T, W / 2>;
  using Unsigned = typename Half::Unsigned;
  using Signed = typename Half::Signed;
  static constexpr int width = W;
  static constexpr int size = Half::size;
  Half lo, hi;

  static FRIT_INLINE NativeBits of(std::int64_t literal) { return {Half::of(literal), Half::of(literal)}; }
  static FRIT_INLINE NativeBits load(const Unsigned* from) { return {Half::load(from), Half::load(from + W / 2)}; }
  FRIT_INLINE void store(Unsigned* to) const {
    lo.store(to);
    hi.store(to + W / 2);
  }
  friend FRIT_INLINE NativeBits operator+(NativeBits a, NativeBits b) { return {a.lo + b.lo, a.hi + b.hi}; }
  friend FRIT_INLINE NativeBits operator-(NativeBits a, NativeBits b) { return {a.lo - b.lo, a.hi - b.hi}; }
  friend FRIT_INLINE NativeBits operator&(NativeBits a, NativeBits b) { return {a.lo & b.lo, a.hi & b.hi}; }
  friend FRIT_INLINE NativeBits operator|(NativeBits a, NativeBits b) { return {a.lo | b.lo, a.hi | b.hi}; }
  friend FRIT_INLINE NativeBits operator^(NativeBits a, NativeBits b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }
  friend FRIT_INLINE NativeBits operator~(NativeBits a) { return {~a.lo, ~a.hi}; }
  friend FRIT_INLINE NativeBits operator<<(NativeBits a, int count) { return {a.lo << count, a.hi << count}; }
  friend FRIT_INLINE NativeBits operator>>(NativeBits a, int count) { return {a.lo >> count, a.hi >> count}; }
  friend FRIT_INLINE NativeBits shl(NativeBits a, NativeBits n) { return {shl(a.lo, n.lo), shl(a.hi, n.hi)}; }
  friend FRIT_INLINE NativeBits shr(NativeBits a, NativeBits n) { return {shr(a.lo, n.lo), shr(a.hi, n.hi)}; }
  friend FRIT_INLINE NativeBits sar(NativeBits a, int count) { return {sar(a.lo, count), sar(a.hi, count)}; }
  friend FRIT_INLINE Mask operator==(NativeBits a, NativeBits b) { return {a.lo == b.lo, a.hi == b.hi}; }
  friend FRIT_INLINE Mask operator!=(NativeBits a, NativeBits b) { return {a.lo != b.lo, a.hi != b.hi}; }
  friend FRIT_INLINE Mask operator<(NativeBits a, NativeBits b) { return {a.lo < b.lo, a.hi < b.hi}; }
  friend FRIT_INLINE Mask operator>(NativeBits a, NativeBits b) { return b < a; }
  friend FRIT_INLINE Mask operator<=(NativeBits a, NativeBits b) { return ~(b < a); }
  friend FRIT_INLINE Mask operator>=(NativeBits a, NativeBits b) { return ~(a < b); }
  friend FRIT_INLINE NativeBits select(Mask m, NativeBits a, NativeBits b) {
    return {select(m.lo, a.lo, b.lo), select(m.hi, a.hi, b.hi)};
  }
  friend FRIT_INLINE Mask mask_of(NativeBits a) { return {mask_of(a.lo), mask_of(a.hi)}; }
};

template <class T, int W>
requires in_halves<T, W>
struct Native<T, W> {
  using Element = T;
  using Mask = NativeMask<T, W>;
  using Bits = NativeBits<T, W>;
  using Half = Native<T, W / 2>;
  static constexpr int width = W;
  Half lo, hi;

  FRIT_INLINE Native() = default;
  FRIT_INLINE Native(T scalar) : lo(scalar), hi(scalar) {}
  FRIT_INLINE Native(Half low, Half high) : lo(low), hi(high) {}
  static FRIT_INLINE Native of(double literal) { return Native(static_cast<T>(literal)); }

  static FRIT_INLINE Native load(const T* from) { return {Half::load(from), Half::load(upper(from))}; }
  FRIT_INLINE void store(T* to) const {
    lo.store(to);
    hi.store(upper(to));
  }
  static FRIT_INLINE Native load_partial(const T* from, std::ptrdiff_t n) {
    return {Half::load_partial(from, low_part(n)), Half::load_partial(upper(from), n - low_part(n))};
  }
  FRIT_INLINE void store_partial(T* to, std::ptrdiff_t n) const {
    lo.store_partial(to, low_part(n));
    hi.store_partial(upper(to), n - low_part(n));
  }
  static FRIT_INLINE Native broadcast_load(const T* from) {
    const Half half = Half::broadcast_load(from);
    return {half, half};
  }

  friend FRIT_INLINE Native operator+(Native a, Native b) { return {a.lo + b.lo, a.hi + b.hi}; }
  friend FRIT_INLINE Native operator-(Native a, Native b) { return {a.lo - b.lo, a.hi - b.hi}; }
  friend FRIT_INLINE Native operator*(Native a, Native b) { return {a.lo * b.lo, a.hi * b.hi}; }
  friend FRIT_INLINE Native operator/(Native a, Native b) { return {a.lo / b.lo, a.hi / b.hi}; }
  friend FRIT_INLINE Native operator-(Native a) { return {-a.lo, -a.hi}; }
  FRIT_INLINE Native& operator+=(Native b) { return *this = *this + b; }
  FRIT_INLINE Native& operator-=(Native b) { return *this = *this - b; }
  FRIT_INLINE Native& operator*=(Native b) { return *this = *this * b; }
  FRIT_INLINE Native& operator/=(Native b) { return *this = *this / b; }

  friend FRIT_INLINE Mask operator<(Native a, Native b) { return {a.lo < b.lo, a.hi < b.hi}; }
  friend FRIT_INLINE Mask operator<=(Native a, Native b) { return {a.lo <= b.lo, a.hi <= b.hi}; }
  friend FRIT_INLINE Mask operator>(Native a, Native b) { return {a.lo > b.lo, a.hi > b.hi}; }
  friend FRIT_INLINE Mask operator>=(Native a, Native b) { return {a.lo >= b.lo, a.hi >= b.hi}; }
  friend FRIT_INLINE Mask operator==(Native a, Native b) { return {a.lo == b.lo, a.hi == b.hi}; }
  friend FRIT_INLINE Mask operator!=(Native a, Native b) { return {a.lo != b.lo, a.hi != b.hi}; }
  friend FRIT_INLINE Mask is_nan(Native a) { return {is_nan(a.lo), is_nan(a.hi)}; }

  friend FRIT_INLINE Native fma(Native a, Native b, Native c) { return {fma(a.lo, b.lo, c.lo), fma(a.hi, b.hi, c.hi)}; }
  friend FRIT_INLINE Native sqrt(Native a) { return {sqrt(a.lo), sqrt(a.hi)}; }
  friend FRIT_INLINE Native round_even(Native a) { return {round_even(a.lo), round_even(a.hi)}; }
  friend FRIT_INLINE Native floor(Native a) { return {floor(a.lo), floor(a.hi)}; }
  friend FRIT_INLINE Native trunc(Native a) { return {trunc(a.lo), trunc(a.hi)}; }
  friend FRIT_INLINE Native abs(Native a) { return {abs(a.lo), abs(a.hi)}; }
  friend FRIT_INLINE Native copysign(Native a, Native s) { return {copysign(a.lo, s.lo), copysign(a.hi, s.hi)}; }
  friend FRIT_INLINE Native select(Mask m, Native a, Native b) {
    return {select(m.lo, a.lo, b.lo), select(m.hi, a.hi, b.hi)};
  }

  friend FRIT_INLINE Bits bits(Native a) { return {bits(a.lo), bits(a.hi)}; }
  static FRIT_INLINE Native from_bits(Bits a) { return {Half::from_bits(a.lo), Half::from_bits(a.hi)}; }
  friend FRIT_INLINE Bits to_int(Native a) { return {to_int(a.lo), to_int(a.hi)}; }
  static FRIT_INLINE Native to_float(Bits a) { return {Half::to_float(a.lo), Half::to_float(a.hi)}; }

 private:
  static FRIT_INLINE std::ptrdiff_t low_part(std::ptrdiff_t n) { return n < W / 2 ? n : W / 2; }
  static FRIT_INLINE const T* upper(const T* p) { return p + W / 2; }
  static FRIT_INLINE T* upper(T* p) { return p + W / 2; }
};

template <class T, int W>
requires in_halves<T, W> FRIT_INLINE Native<T, W> table(const T* base, NativeBits<T, W> index) {
  return {table(base, index.lo), table(base, index.hi)};
}

// What this header promises, checked where it is compiled.
template <class V>
concept Complete = LaneControl<V> && LaneMemory<V>;
static_assert(Complete<Native<double, 1>> && Complete<Native<double, 2>> && Complete<Native<double, 4>> &&
              Complete<Native<double, 8>>);
static_assert(Complete<Native<float, 1>> && Complete<Native<float, 4>> && Complete<Native<float, 8>> &&
              Complete<Native<float, 16>>);

}  // namespace lanes
}  // namespace FRIT_ISA
}  // namespace frit
