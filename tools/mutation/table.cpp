// The kernels of the ops over one lane of the baseline, as the table that ops_accuracy_test runs: what of the whole tables can kill
// a mutant of an op. FRIT_MUTATION_ELEMENTARY makes the half with the elementary functions.
#include "exec/kernels/body.hpp"

namespace frit::mutation {

void fill_cheap(exec::KernelTable& table);
void fill_elementary(exec::KernelTable& table);

template <class T, bool elementary> void fill(exec::KernelTable& table) {
  using V = lanes::Native<T, 1>;
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    if constexpr ((Op::info.cost == CostClass::elementary) == elementary) {
      [&]<unsigned... forms>(ops::Forms<forms...>) {
        const auto one = [&]<unsigned form>() {
          if constexpr (ops::takes<Op, V, form>())
            table.single[sizeof(T) == 8 ? 1 : 0][static_cast<int>(ops::id_of<Op>)][form][0] =
                &kernels::run<Op, V, form, 0>;
        };
        (one.template operator()<forms>(), ...);
      }
      (ops::Forms<0, 1, 2, 3, 4, 5, 6, 7>{});
    }
  });
}

#ifdef FRIT_MUTATION_ELEMENTARY
void fill_elementary(exec::KernelTable& table) {
  fill<float, true>(table);
  fill<double, true>(table);
}
#else
void fill_cheap(exec::KernelTable& table) {
  fill<float, false>(table);
  fill<double, false>(table);
  table.canonical_nan[0] = &kernels::canonical_nan<float>;
  table.canonical_nan[1] = &kernels::canonical_nan<double>;
}
#endif

}  // namespace frit::mutation

#ifndef FRIT_MUTATION_ELEMENTARY
namespace frit::exec {

const KernelTable& active_table() {
  static const KernelTable table = [] {
    KernelTable result;
    result.isa = "baseline";
    mutation::fill_cheap(result);
    mutation::fill_elementary(result);
    kernels::fill_fused(result);
    return result;
  }();
  return table;
}

std::span<const KernelTable* const> usable_tables() {
  static const KernelTable* const tables[] = {&active_table()};
  return tables;
}

const KernelTable* find_table(const char*) { return &active_table(); }

}  // namespace frit::exec
#endif
