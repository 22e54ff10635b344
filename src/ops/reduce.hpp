// The reductions: one struct each, and the one list of them. Ids, kernels, the cumulative forms and tests derive from it.
//
// To add one, write the struct and put it into AllReductions. It has `info`, the neutral element of a scalar type and `combine`
// over lane values, which every back end instantiates; `Pairwise` names the op that does to two elements what `combine` does,
// where there is one; argmin and argmax name the reduction whose element they find instead.
//
// The order of combination, which is part of the result where `info.ordered` is set and the elements are floating-point:
//
//   1. Elements are numbered from the start of the reduced axis. A block is 256 of them, 8 vectors of 32 virtual lanes:
//      element 256 b + 32 j + l is lane l of vector j of block b.
//   2. In each block each lane starts at the neutral element and takes its 8 elements in order:
//      s = neutral; s = combine(s, x[j]) for j = 0..7. Elements past the end count as the neutral element.
//   3. Blocks are combined lane by lane by a binary cascade: the nodes of level 0 are the blocks; node i of level k + 1 is
//      combine(node 2 i, node 2 i + 1) of level k where both are whole. The n blocks are then one node for each bit set in n,
//      the largest first: N1 N2 ... Nm, and their value is combine(N1, combine(N2, ... combine(Nm-1, Nm))).
//   4. The 32 lanes are combined last: lane l becomes combine(lane l, lane l + h) for h = 16, 8, 4, 2, 1.
//   5. No element at all gives the neutral element.
//
// So the tree depends on the number of elements alone, and any range of whole blocks can be computed apart: it is a list of
// nodes. A step whose second operand is missing elements alone changes no bit and may be left out. A NaN is made canonical at
// the end. The parts of a complex sum are summed each by itself.
//
// The cumulative forms work in blocks of 64: r[0] = x[0], r[i] = combine(r[i - 1], x[i]) inside of a block, and element i of
// the result is combine(p, r[i]), where p is the last element of the result of the block before, for the first block the
// neutral element. The running sums of numbers that are not negative never decrease.
#pragma once

#include "frit/dtype.hpp"
#include "ops/arithmetic.hpp"
#include "ops/compare.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace ops {

enum class ReduceTakes : unsigned char {
  numbers,       // integers, real and complex numbers
  real_numbers,  // integers and real numbers
  everything,    // and booleans; an element counts as whether it is not zero
};
enum class ReduceGives : unsigned char {
  widened,  // integers as i64 or u64, wrapping; others as they are
  same,
  boolean,
  index,  // i64: a count or the number of an element
};

struct ReductionInfo {
  std::string_view name;  // that of the Python array API
  ReduceTakes takes;
  ReduceGives gives;
  bool ordered = false;              // rounds, so that the order above is part of the result
  bool parts_apart = false;          // combines the parts of complex numbers each by itself, as real ones
  bool by_blocks = false;            // back ends may leave the lanes of whole blocks of real numbers for their elements
  std::string_view cumulative = {};  // the name of the cumulative form, where there is one
};

constexpr bool accepts(const ReductionInfo& info, DType t) {
  if (info.takes == ReduceTakes::everything) return true;
  return t != DType::boolean && (!is_complex(t) || info.takes == ReduceTakes::numbers);
}
// The dtype of the result for elements of dtype t.
constexpr DType result_of(const ReductionInfo& info, DType t) {
  switch (info.gives) {
    case ReduceGives::widened: return !is_integer(t) ? t : t >= DType::u8 ? DType::u64 : DType::i64;
    case ReduceGives::same: return t;
    case ReduceGives::boolean: return DType::boolean;
    case ReduceGives::index: break;
  }
  return DType::i64;
}

template <class T> constexpr T greatest() {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(__builtin_inf());
  } else {
    return std::is_signed_v<T> ? static_cast<T>((std::uint64_t{1} << (8 * sizeof(T) - 1)) - 1) : static_cast<T>(~T{});
  }
}
template <class T> constexpr T least() {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(-__builtin_inf());
  } else {
    return static_cast<T>(~greatest<T>());
  }
}

struct Sum {
  static constexpr ReductionInfo info{.name = "sum",
                                      .takes = ReduceTakes::numbers,
                                      .gives = ReduceGives::widened,
                                      .ordered = true,
                                      .parts_apart = true,
                                      .by_blocks = true,
                                      .cumulative = "cumulative_sum"};
  using Pairwise = Add;
  template <class T> static constexpr T neutral() { return T{0}; }
  template <class V> static FRIT_INLINE V combine(V a, V b) { return Add::value(a, b); }
};

struct Product {
  static constexpr ReductionInfo info{.name = "prod",
                                      .takes = ReduceTakes::numbers,
                                      .gives = ReduceGives::widened,
                                      .ordered = true,
                                      .cumulative = "cumulative_prod"};
  using Pairwise = Multiply;
  template <class T> static constexpr T neutral() { return T{1}; }
  template <class V> static FRIT_INLINE V combine(V a, V b) { return Multiply::value(a, b); }
  // NOTE: the complex one counts as the real one, which leaves the other factor as it is: the plain formula makes a NaN of
  // infinity * (1 + 0 i), and would for the missing elements of any short product.
  template <class V> static FRIT_INLINE Complex<V> combine(Complex<V> a, Complex<V> b) {
    const auto is_one = [](Complex<V> z) FRIT_INLINE_LAMBDA { return (z.re == V(1)) & (bits(z.im) == bits(V())); };
    return select(is_one(b), a, select(is_one(a), b, Multiply::value(a, b)));
  }
};

struct ReduceMinimum {
  static constexpr ReductionInfo info{.name = "min", .takes = ReduceTakes::real_numbers, .gives = ReduceGives::same};
  using Pairwise = Minimum;
  template <class T> static constexpr T neutral() { return greatest<T>(); }
  template <class V> static FRIT_INLINE V combine(V a, V b) {
    if constexpr (std::is_floating_point_v<typename V::Element>) {
      return Minimum::value(a, b);
    } else {
      return select(a < b, a, b);
    }
  }
  template <class V> static FRIT_INLINE auto beats(V a, V b) { return a < b; }
  // As combine() where neither is NaN, but for the sign of a zero.
  template <class V> static FRIT_INLINE V nearly(V a, V b) { return select(beats(b, a), b, a); }
};

struct ReduceMaximum {
  static constexpr ReductionInfo info{.name = "max", .takes = ReduceTakes::real_numbers, .gives = ReduceGives::same};
  using Pairwise = Maximum;
  template <class T> static constexpr T neutral() { return least<T>(); }
  template <class V> static FRIT_INLINE V combine(V a, V b) {
    if constexpr (std::is_floating_point_v<typename V::Element>) {
      return Maximum::value(a, b);
    } else {
      return select(b < a, a, b);
    }
  }
  template <class V> static FRIT_INLINE auto beats(V a, V b) { return b < a; }
  template <class V> static FRIT_INLINE V nearly(V a, V b) { return select(beats(b, a), b, a); }
};

// The number of the first NaN, else of the first element that equals the least (the greatest); -1 of no elements.
struct ArgMin {
  static constexpr ReductionInfo info{
      .name = "argmin", .takes = ReduceTakes::real_numbers, .gives = ReduceGives::index};
  using Finds = ReduceMinimum;
};
struct ArgMax {
  static constexpr ReductionInfo info{
      .name = "argmax", .takes = ReduceTakes::real_numbers, .gives = ReduceGives::index};
  using Finds = ReduceMaximum;
};

// Over zeros and ones, as ReduceTakes::everything says.
struct Any {
  static constexpr ReductionInfo info{.name = "any", .takes = ReduceTakes::everything, .gives = ReduceGives::boolean};
  using Pairwise = Or;
  template <class T> static constexpr T neutral() { return T{0}; }
  template <class V> static FRIT_INLINE V combine(V a, V b) { return a | b; }
};
struct All {
  static constexpr ReductionInfo info{.name = "all", .takes = ReduceTakes::everything, .gives = ReduceGives::boolean};
  using Pairwise = And;
  template <class T> static constexpr T neutral() { return T{1}; }
  template <class V> static FRIT_INLINE V combine(V a, V b) { return a & b; }
};
struct CountNonzero {
  static constexpr ReductionInfo info{
      .name = "count_nonzero", .takes = ReduceTakes::everything, .gives = ReduceGives::index};
  template <class T> static constexpr T neutral() { return T{0}; }
  template <class V> static FRIT_INLINE V combine(V a, V b) { return a + b; }
};

template <class... Rs> struct ReductionList {
  static constexpr int size = sizeof...(Rs);
  static constexpr ReductionInfo infos[] = {Rs::info...};
};
using AllReductions = ReductionList<Sum, Product, ReduceMinimum, ReduceMaximum, ArgMin, ArgMax, Any, All, CountNonzero>;

// The place of a reduction in the list, which is that in the tables of kernels.
template <class R, class... Rs> constexpr int reduction_index(ReductionList<Rs...>) {
  int at = 0;
  bool found = false;
  ((found = found || std::is_same_v<R, Rs>, at += found ? 0 : 1), ...);
  return at;
}
template <class R> inline constexpr int reduction_id = reduction_index<R>(AllReductions{});
constexpr int reduction_named(std::string_view name) {
  for (int i = 0; i < AllReductions::size; ++i) {
    if (AllReductions::infos[i].name == name) return i;
  }
  return -1;
}

constexpr bool sums_by_blocks(const ReductionInfo& info, DType t) {
  return info.by_blocks && (t == DType::f32 || t == DType::f64);
}

template <class R>
concept FindsElement = requires {
  typename R::Finds;
};

}  // namespace ops
}  // namespace FRIT_ISA
}  // namespace frit
