// Kernels of the fused patterns (plan/fusion_list.inc).
#include "exec/kernels/body.hpp"
#include "plan/fusion.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {
namespace {

// The sources of a tree's leaves, and its value at one step. `first` is the leaf's place among the parts.
template <class V, class T> struct Leaves;

template <class V, class Value, bool scalar> struct Leaf {
  static constexpr int parts = Reader<Value>::parts;
  Source<Value, scalar> source;
  explicit FRIT_INLINE Leaf(void* const* p) : source(p) {}
  FRIT_INLINE Value at(std::int64_t i) const { return source.at(i); }
};
template <class V> struct Leaves<V, fusion::R> : Leaf<V, V, false> { using Leaf<V, V, false>::Leaf; };
template <class V> struct Leaves<V, fusion::S> : Leaf<V, V, true> { using Leaf<V, V, true>::Leaf; };
template <class V> struct Leaves<V, fusion::C> : Leaf<V, Complex<V>, false> { using Leaf<V, Complex<V>, false>::Leaf; };
template <class V> struct Leaves<V, fusion::Z> : Leaf<V, Complex<V>, true> { using Leaf<V, Complex<V>, true>::Leaf; };
template <class V, class Op, class A> struct Leaves<V, fusion::Tree<Op, A>> {
  static constexpr int parts = Leaves<V, A>::parts;
  Leaves<V, A> a;
  explicit FRIT_INLINE Leaves(void* const* p) : a(p) {}
  FRIT_INLINE auto at(std::int64_t i) const { return Op::value(a.at(i)); }
};
template <class V, class Op, class A, class B> struct Leaves<V, fusion::Tree<Op, A, B>> {
  static constexpr int parts = Leaves<V, A>::parts + Leaves<V, B>::parts;
  Leaves<V, A> a;
  Leaves<V, B> b;
  explicit FRIT_INLINE Leaves(void* const* p) : a(p), b(p + Leaves<V, A>::parts) {}
  FRIT_INLINE auto at(std::int64_t i) const { return Op::value(a.at(i), b.at(i)); }
};
template <class V, class Op, class A, class B, class C> struct Leaves<V, fusion::Tree<Op, A, B, C>> {
  static constexpr int parts = Leaves<V, A>::parts + Leaves<V, B>::parts + Leaves<V, C>::parts;
  Leaves<V, A> a;
  Leaves<V, B> b;
  Leaves<V, C> c;
  explicit FRIT_INLINE Leaves(void* const* p)
      : a(p), b(p + Leaves<V, A>::parts), c(p + Leaves<V, A>::parts + Leaves<V, B>::parts) {}
  FRIT_INLINE auto at(std::int64_t i) const { return Op::value(a.at(i), b.at(i), c.at(i)); }
};

template <class V, class T> void run_fused(void* const* parts, std::int64_t n) {
  const Leaves<V, T> leaves(parts);
  for (std::int64_t i = 0; i < n; i += V::width) store(leaves.at(i), parts + Leaves<V, T>::parts, i);
}

}  // namespace

void fill_fused(exec::KernelTable& table) {
  [&]<class... T>(fusion::Patterns<T...>) {
    int i = 0;
    ((table.fused[0][i] = &run_fused<lanes::Wide<float>, T>, table.fused[1][i] = &run_fused<lanes::Wide<double>, T>,
      ++i),
     ...);
  }(fusion::AllFusions{});
}

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
