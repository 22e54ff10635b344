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
template <int bytes> using Signed = typename lanes::SizedInteger<bytes, true>::Type;

// Rounded towards zero, saturating; 0 for NaN.
template <class F, class T, int L> FRIT_INLINE Vector<T, L> saturating(Vector<F, L> x) {
  constexpr int bits = static_cast<int>(sizeof(T)) * 8;
  constexpr bool is_signed = std::is_signed_v<T>;
  // 2^bits or half of it, and its negative or 0: exact in both floating dtypes.
  constexpr F above = F(static_cast<std::uint64_t>(1) << (bits - 1)) * F(is_signed ? 1 : 2);
  constexpr F least = is_signed ? -above : F(0);
  constexpr T lowest = is_signed ? static_cast<T>(static_cast<std::uint64_t>(1) << (bits - 1)) : T(0);
  constexpr T highest = static_cast<T>(~lowest);
  const Vector<F, L> zero{};
  if constexpr (bits <= (sizeof(F) == 8 ? 53 : 24)) {
    // The ends of the range are floating numbers.
    const Vector<F, L> from_below = x > least ? x : least - zero;  // of NaN too
    const Vector<F, L> inside = from_below < above - F(1) ? from_below : (above - F(1)) - zero;
    return lanes::cast_lanes<F, T, L>(x == x ? inside : zero);
  } else {
    const auto in_range = (x >= least) & (x < above);
    const auto r = lanes::cast_lanes<F, T, L>(in_range ? x : zero);
    const auto mask = [](auto m) FRIT_INLINE_LAMBDA {
      return lanes::cast_lanes<Signed<sizeof(F)>, Signed<sizeof(T)>, L>((Vector<Signed<sizeof(F)>, L>)m);
    };
    const Vector<T, L> from_below = mask(x < least) ? lowest - Vector<T, L>{} : r;
    return mask(x >= above) ? highest - Vector<T, L>{} : from_below;
  }
}

template <class From, class To, int L> FRIT_INLINE auto convert(Vector<typename ElementOf<From>::type, L> x) {
  using E = typename ElementOf<To>::type;
  using X = typename ElementOf<From>::type;
  if constexpr (std::is_same_v<To, Boolean>) {
    const auto mask = (Vector<Signed<sizeof(X)>, L>)(x != Vector<X, L>{});
    return lanes::cast_lanes<Signed<sizeof(X)>, std::int8_t, L>(mask) & std::int8_t{1};
  } else if constexpr (std::is_same_v<From, Boolean>) {
    const auto truth = (Vector<std::int8_t, L>)(x != Vector<X, L>{}) & std::int8_t{1};
    return lanes::cast_lanes<std::int8_t, E, L>(truth);
  } else if constexpr (floating<X> && !floating<E>) {
    return saturating<X, E, L>(x);
  } else {
    return lanes::cast_lanes<X, E, L>(x);
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
    return kernel_for<Signed<sizeof(X)>, Signed<sizeof(X)>>();
  } else if constexpr (std::is_same_v<To, Boolean> && !floating<X>) {
    return &run_convert<Signed<sizeof(X)>, Boolean>;
  } else if constexpr (std::is_same_v<From, Boolean> && !floating<E>) {
    return &run_convert<Boolean, Signed<sizeof(E)>>;
  } else if constexpr (floating<X> || floating<E> || std::is_same_v<To, Boolean> || std::is_same_v<From, Boolean>) {
    return &run_convert<From, To>;
  } else if constexpr (sizeof(E) <= sizeof(X)) {
    return &run_convert<Signed<sizeof(X)>, Signed<sizeof(E)>>;
  } else {
    return &run_convert<X, Signed<sizeof(E)>>;
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
