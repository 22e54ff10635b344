// Conversions between the real dtypes.
//
// NOTE: a boolean is a byte, true where it is not 0; a pair of integers of one size converts by a copy, and signs matter only
// where an integer is widened or meets floating numbers. So kernels are fewer than pairs.
#include "exec/kernel_table.hpp"
#include "lanes/integers.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {
namespace {

using lanes::Vector;

struct Boolean {};
template <class T> struct ElementOf { using type = T; };
template <> struct ElementOf<Boolean> { using type = std::uint8_t; };

template <class T> inline constexpr bool floating = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <int bytes> struct SignedOf;
template <> struct SignedOf<1> { using type = std::int8_t; };
template <> struct SignedOf<2> { using type = std::int16_t; };
template <> struct SignedOf<4> { using type = std::int32_t; };
template <> struct SignedOf<8> { using type = std::int64_t; };

// L lanes of masks of one size as masks of another.
template <class To, int L, class Mask> FRIT_INLINE auto mask_for(Mask mask) {
  return __builtin_convertvector(mask, Vector<typename SignedOf<sizeof(To)>::type, L>);
}

// Rounded towards zero, saturating; 0 for NaN.
template <class F, class T, int L> FRIT_INLINE Vector<T, L> saturating(Vector<F, L> x) {
  constexpr int bits = static_cast<int>(sizeof(T)) * 8;
  constexpr bool is_signed = std::is_signed_v<T>;
  // All powers of two, or 0: exact in both floating dtypes.
  constexpr F above = F(static_cast<std::uint64_t>(1) << (bits - 1)) * F(is_signed ? 1 : 2);
  constexpr F least = is_signed ? -above : F(0);
  constexpr T lowest = is_signed ? static_cast<T>(static_cast<std::uint64_t>(1) << (bits - 1)) : T(0);
  constexpr T highest = static_cast<T>(~lowest);
  const auto high = x >= above;
  const auto inside = (x >= least) & (x < above);
  const Vector<F, L> safe = inside ? x : Vector<F, L>{};
  Vector<T, L> r;
  if constexpr (sizeof(T) < 4) {
    r = __builtin_convertvector(__builtin_convertvector(safe, Vector<std::int32_t, L>), Vector<T, L>);
  } else {
    r = __builtin_convertvector(safe, Vector<T, L>);
  }
  const Vector<T, L> highest_lanes = highest - Vector<T, L>{};
  r = mask_for<T, L>(high) ? highest_lanes : r;
  if constexpr (is_signed) {
    const Vector<T, L> lowest_lanes = lowest - Vector<T, L>{};
    r = mask_for<T, L>(x < least) ? lowest_lanes : r;
  }
  return r;
}

template <class From, class To, int L> FRIT_INLINE auto convert(Vector<typename ElementOf<From>::type, L> x) {
  using E = typename ElementOf<To>::type;
  using X = typename ElementOf<From>::type;
  if constexpr (std::is_same_v<To, Boolean>) {
    return __builtin_convertvector(x != Vector<X, L>{}, Vector<std::int8_t, L>) & std::int8_t{1};
  } else if constexpr (std::is_same_v<From, Boolean>) {
    return __builtin_convertvector((x != Vector<X, L>{}) & std::int8_t{1}, Vector<E, L>);
  } else if constexpr (floating<X> && !floating<E>) {
    return saturating<X, E, L>(x);
  } else if constexpr (!floating<X> && floating<E> && sizeof(X) < 4) {
    return __builtin_convertvector(__builtin_convertvector(x, Vector<std::int32_t, L>), Vector<E, L>);
  } else {
    return __builtin_convertvector(x, Vector<E, L>);
  }
}

template <class From, class To> void run_convert(const void* from, void* to, std::int64_t n) {
  using X = typename ElementOf<From>::type;
  using E = typename ElementOf<To>::type;
  constexpr int L = lanes::register_bytes / static_cast<int>(sizeof(X) > sizeof(E) ? sizeof(X) : sizeof(E));
  const char* const f = static_cast<const char*>(from);
  char* const t = static_cast<char*>(to);
  Vector<X, L> x;
  std::int64_t i = 0;
  for (; i + L <= n; i += L) {
    __builtin_memcpy(&x, f + i * std::int64_t{sizeof(X)}, sizeof x);
    const auto y = convert<From, To, L>(x);
    __builtin_memcpy(t + i * std::int64_t{sizeof(E)}, &y, sizeof y);
  }
  if (i < n) {
    x = Vector<X, L>{};
    lanes::copy_short(&x, f + i * std::int64_t{sizeof(X)}, (n - i) * std::int64_t{sizeof(X)});
    const auto y = convert<From, To, L>(x);
    lanes::copy_short(t + i * std::int64_t{sizeof(E)}, &y, (n - i) * std::int64_t{sizeof(E)});
  }
}

// The kernel of a pair is that of a pair with the same bits where there is one.
template <class From, class To> constexpr exec::ConvertKernel kernel_for() {
  using X = typename ElementOf<From>::type;
  using E = typename ElementOf<To>::type;
  if constexpr (std::is_same_v<From, To> && floating<X>) {
    return kernel_for<typename SignedOf<sizeof(X)>::type, typename SignedOf<sizeof(X)>::type>();
  } else if constexpr (std::is_same_v<To, Boolean> && !floating<X>) {
    return &run_convert<typename SignedOf<sizeof(X)>::type, Boolean>;
  } else if constexpr (std::is_same_v<From, Boolean> && !floating<E>) {
    return &run_convert<Boolean, typename SignedOf<sizeof(E)>::type>;
  } else if constexpr (floating<X> || floating<E> || std::is_same_v<To, Boolean> || std::is_same_v<From, Boolean>) {
    return &run_convert<From, To>;
  } else if constexpr (sizeof(E) <= sizeof(X)) {
    return &run_convert<typename SignedOf<sizeof(X)>::type, typename SignedOf<sizeof(E)>::type>;
  } else {
    return &run_convert<X, typename SignedOf<sizeof(E)>::type>;
  }
}

template <class From, class... To> void fill_from(exec::ConvertKernel (&row)[exec::real_dtypes]) {
  static_assert(sizeof...(To) == exec::real_dtypes);
  int to = 0;
  ((row[to++] = kernel_for<From, To>()), ...);
}

// In the order of DType.
template <class... Real> void fill_all(exec::KernelTable& table) {
  int from = 0;
  (fill_from<Real, Real...>(table.convert[from++]), ...);
}

}  // namespace

void fill_convert(exec::KernelTable& table);

void fill_convert(exec::KernelTable& table) {
  fill_all<Boolean, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
           std::uint64_t, float, double>(table);
}

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
