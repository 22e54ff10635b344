// The loops round the ops' templates. Compiled once for each ISA.
//
// NOTE: each kernel handles whole vectors only: the executor pads its buffers, so there is no tail loop to duplicate the
// (long) body, and the position of an element has no influence on its bits.
#pragma once

#include "exec/kernel_table.hpp"
#include "lanes/native.hpp"
#include "ops/list.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {

template <class T> struct Reader;

template <class T, int W> struct Reader<lanes::Native<T, W>> {
  static constexpr int parts = 1;
  static FRIT_INLINE lanes::Native<T, W> load(void* const* p, std::int64_t i) {
    return lanes::Native<T, W>::load(static_cast<const T*>(p[0]) + i);
  }
};
template <class V> struct Reader<Complex<V>> {
  static constexpr int parts = 2;
  static FRIT_INLINE Complex<V> load(void* const* p, std::int64_t i) {
    return {Reader<V>::load(p, i), Reader<V>::load(p + 1, i)};
  }
};
template <class T, int W> struct Reader<lanes::NativeMask<T, W>> {
  static constexpr int parts = 1;
  static FRIT_INLINE lanes::NativeMask<T, W> load(void* const* p, std::int64_t i) {
    using V = lanes::Native<T, W>;
    return mask_of(V::Bits::load(static_cast<const typename V::Bits::Unsigned*>(p[0]) + i));
  }
};

template <class T, int W> FRIT_INLINE void store(lanes::Native<T, W> value, void* const* p, std::int64_t i) {
  value.store(static_cast<T*>(p[0]) + i);
}
template <class V> FRIT_INLINE void store(Complex<V> value, void* const* p, std::int64_t i) {
  store(value.re, p, i);
  store(value.im, p + 1, i);
}
template <class T, int W> FRIT_INLINE void store(lanes::NativeMask<T, W> value, void* const* p, std::int64_t i) {
  using Bits = lanes::NativeBits<T, W>;
  to_bits(value).store(static_cast<typename Bits::Unsigned*>(p[0]) + i);
}

// An operand that is read once before the loop, or at each step of it.
template <class T, bool scalar> struct Source {
  void* const* parts;
  explicit FRIT_INLINE Source(void* const* p) : parts(p) {}
  FRIT_INLINE T at(std::int64_t i) const { return Reader<T>::load(parts, i); }
};
template <class T> struct Source<T, true> {
  T value;
  explicit FRIT_INLINE Source(void* const* p) : value(Reader<T>::load(p, 0)) {}
  FRIT_INLINE T at(std::int64_t) const { return value; }
};

// Two vectors, the second of which may be the first once more: each operation is done on both, so that the CPU has two chains of
// dependent operations to work on.
// NOTE: measured: elementary functions in f64 take a twelfth less time with 32 registers of 64 bytes. Those in f32 gain little, and 16
// registers do not hold two vectors.
template <class Op, class V, unsigned form>
inline constexpr bool in_pairs =
    V::width * sizeof(typename V::Element) == 64 && sizeof(typename V::Element) == 8 &&
    Op::info.cost == CostClass::elementary&& form == 0 && Op::info.arity < 3 && Op::info.type == TypeRule::real;
template <class Op, class V> void run_pairs(void* const* parts, std::int64_t n) {
  using T = typename V::Element;
  using Pair = lanes::Native<T, 2 * V::width>;
  for (std::int64_t i = 0; i < n; i += Pair::width) {
    const std::int64_t j = i + V::width < n ? i + V::width : n - V::width;
    const auto operand = [&](int k) FRIT_INLINE_LAMBDA {
      const T* const at = static_cast<const T*>(parts[k]);
      return Pair(V::load(at + i), V::load(at + j));
    };
    Pair result;
    if constexpr (Op::info.arity == 1) {
      result = Op::value(operand(0));
    } else {
      result = Op::value(operand(0), operand(1));
    }
    T* const to = static_cast<T*>(parts[Op::info.arity]);
    result.lo.store(to + i);
    result.hi.store(to + j);
  }
}

template <class Op, class V, unsigned form, unsigned scalars> void run(void* const* parts, std::int64_t n) {
  constexpr TypeRule rule = Op::info.type;
  using A = ops::OperandOf<V, rule, form, 0>;
  const Source<A, (scalars & 1u) != 0> a(parts);
  if constexpr (Op::info.arity == 1) {
    for (std::int64_t i = 0; i < n; i += V::width) store(Op::value(a.at(i)), parts + Reader<A>::parts, i);
  } else {
    using B = ops::OperandOf<V, rule, form, 1>;
    constexpr int at_b = Reader<A>::parts;
    const Source<B, (scalars & 2u) != 0> b(parts + at_b);
    if constexpr (Op::info.arity == 2) {
      for (std::int64_t i = 0; i < n; i += V::width) {
        store(Op::value(a.at(i), b.at(i)), parts + at_b + Reader<B>::parts, i);
      }
    } else {
      using C = ops::OperandOf<V, rule, form, 2>;
      constexpr int at_c = at_b + Reader<B>::parts;
      const Source<C, (scalars & 4u) != 0> c(parts + at_c);
      for (std::int64_t i = 0; i < n; i += V::width) {
        store(Op::value(a.at(i), b.at(i), c.at(i)), parts + at_c + Reader<C>::parts, i);
      }
    }
  }
}

// One kernel for each set of scalar operands where the op is cheap enough for a repeated load to matter; elementary
// functions take vectors only.
template <class Op, class V, unsigned form> void fill_form(exec::TileKernel (&row)[exec::operand_sets]) {
  if constexpr (in_pairs<Op, V, form>) {
    row[0] = &run_pairs<Op, V>;
  } else {
    row[0] = &run<Op, V, form, 0>;
  }
  if constexpr (Op::info.cost != CostClass::elementary && Op::info.arity > 1) {
    row[1] = &run<Op, V, form, 1>;
    row[2] = &run<Op, V, form, 2>;
    if constexpr (Op::info.arity == 3) {
      row[3] = &run<Op, V, form, 3>;
      row[4] = &run<Op, V, form, 4>;
      row[5] = &run<Op, V, form, 5>;
      row[6] = &run<Op, V, form, 6>;
    }
  }
}

// Fills the rows of the ops and forms that the filter picks: Filter::holds<Op>(form).
template <class T, class Filter, class V = lanes::Wide<T>> void fill(exec::KernelTable& table) {
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    [&]<unsigned... form>(ops::Forms<form...>) {
      const auto one = [&]<unsigned f>() {
        if constexpr (ops::takes<Op, V, f>()) {
          if constexpr (Filter::template holds<Op>(f)) {
            fill_form<Op, V, f>(table.single[sizeof(T) == 8 ? 1 : 0][static_cast<int>(ops::id_of<Op>)][f]);
          }
        }
      };
      (one.template operator()<form>(), ...);
    }
    (ops::Forms<0, 1, 2, 3, 4, 5, 6, 7>{});
  });
}

template <class T> void canonical_nan(void* data, std::int64_t n) {
  using V = lanes::Wide<T>;
  const V nan = V(static_cast<T>(__builtin_nan("")));
  T* const at = static_cast<T*>(data);
  std::int64_t i = 0;
  for (; i + V::width <= n; i += V::width) {
    const V x = V::load(at + i);
    if (any(is_nan(x))) select(is_nan(x), nan, x).store(at + i);
  }
  if (i < n) {
    const V x = V::load_partial(at + i, n - i);
    select(is_nan(x), nan, x).store_partial(at + i, n - i);
  }
}

struct Cheap {
  template <class Op> static constexpr bool holds(unsigned form) {
    return Op::info.cost != CostClass::elementary && (form == 0 || Op::info.cost == CostClass::cheap);
  }
};
struct RealElementary {
  template <class Op> static constexpr bool holds(unsigned form) {
    return Op::info.cost == CostClass::elementary && form == 0;
  }
};
struct ComplexElementary {
  template <class Op> static constexpr bool holds(unsigned form) {
    return form != 0 && (Op::info.cost == CostClass::elementary || Op::info.cost == CostClass::divide);
  }
};

void fill_cheap(exec::KernelTable& table);
void fill_elementary_f32(exec::KernelTable& table);
void fill_elementary_f64(exec::KernelTable& table);
void fill_complex_f32(exec::KernelTable& table);
void fill_complex_f64(exec::KernelTable& table);
void fill_fused(exec::KernelTable& table);

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
