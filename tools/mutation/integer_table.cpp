// The kernels of integers over lanes of the baseline, as the table that integer_ops_test runs.
#include "exec/kernel_table.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace kernels {
void fill_integers(exec::KernelTable& table);
}
}  // namespace FRIT_ISA

namespace exec {

const KernelTable& active_table() {
  static const KernelTable table = [] {
    KernelTable result;
    result.isa = "baseline";
    kernels::fill_integers(result);
    return result;
  }();
  return table;
}

std::span<const KernelTable* const> usable_tables() {
  static const KernelTable* const tables[] = {&active_table()};
  return tables;
}

}  // namespace exec
}  // namespace frit
