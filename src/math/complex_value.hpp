// A complex number whose parts are lane values (or traced values): real part first.
#pragma once

#include "lanes/isa.hpp"

namespace frit {
inline namespace FRIT_ISA {

template <class V> struct Complex {
  using Part = V;
  V re;
  V im;
};

template <class T> inline constexpr bool is_complex_value = false;
template <class V> inline constexpr bool is_complex_value<Complex<V>> = true;

// Part by part, so that rare() takes complex numbers.
template <class M, class V> FRIT_INLINE Complex<V> select(M mask, Complex<V> a, Complex<V> b) {
  return {select(mask, a.re, b.re), select(mask, a.im, b.im)};
}

}  // namespace FRIT_ISA
}  // namespace frit
