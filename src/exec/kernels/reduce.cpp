// Kernels of the reductions and their cumulative forms.
#include "exec/kernels/reduce_body.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {

void fill_reductions(exec::ReduceTable& table);

namespace {

template <class R, int t> void fill_dtype(exec::ReduceTable& table) {
  constexpr int id = ops::reduction_id<R>;
  if constexpr (ops::accepts(R::info, static_cast<DType>(t))) {
    using T = typename ElementOf<static_cast<DType>(t)>::type;
    if constexpr (ops::FindsElement<R>) {
      table.reduce[id][t] = Find<R, T>::kernel();
    } else {
      table.reduce[id][t] = Reduce<R, T>::kernel();
    }
    if constexpr (!R::info.cumulative.empty()) table.scan[id][t] = &Scan<R, T>::scan;
  }
  if constexpr (t + 1 < dtype_count) fill_dtype<R, t + 1>(table);
}

}  // namespace

void fill_reductions(exec::ReduceTable& table) {
  [&]<class... Rs>(ops::ReductionList<Rs...>) { (fill_dtype<Rs, 0>(table), ...); }(ops::AllReductions{});
}

}  // namespace kernels
}  // namespace FRIT_ISA
}  // namespace frit
