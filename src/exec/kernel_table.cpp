#include "exec/kernel_table.hpp"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/cpu_level.hpp"
#include "frit/error.hpp"

// NOTE: the fill functions of each ISA are declared here by hand: their header is written for lane code and must be compiled
// for its ISA only.
#define FRIT_DECLARE_ISA(isa)                         \
  namespace frit {                                    \
  namespace isa {                                     \
  namespace kernels {                                 \
  void fill_cheap(exec::KernelTable& table);          \
  void fill_elementary_f32(exec::KernelTable& table); \
  void fill_elementary_f64(exec::KernelTable& table); \
  void fill_complex_f32(exec::KernelTable& table);    \
  void fill_complex_f64(exec::KernelTable& table);    \
  void fill_fused(exec::KernelTable& table);          \
  void fill_reductions(exec::ReduceTable& table);     \
  void fill_integers(exec::KernelTable& table);       \
  void fill_convert(exec::KernelTable& table);        \
  void fill_matmul(exec::KernelTable& table);         \
  }                                                   \
  }                                                   \
  }
#ifdef FRIT_HAVE_V2
FRIT_DECLARE_ISA(v2)
#endif
#ifdef FRIT_HAVE_V3
FRIT_DECLARE_ISA(v3)
#endif
#ifdef FRIT_HAVE_V4
FRIT_DECLARE_ISA(v4)
#endif
#ifdef FRIT_HAVE_A64
FRIT_DECLARE_ISA(a64)
#endif

namespace frit::exec {
namespace {

#define FRIT_FILL_ISA(isa_name, bytes)                    \
  [] {                                                    \
    static KernelTable table;                             \
    table.isa = #isa_name;                                \
    table.vector_bytes = bytes;                           \
    isa_name::kernels::fill_cheap(table);                 \
    isa_name::kernels::fill_elementary_f32(table);        \
    isa_name::kernels::fill_elementary_f64(table);        \
    isa_name::kernels::fill_complex_f32(table);           \
    isa_name::kernels::fill_complex_f64(table);           \
    isa_name::kernels::fill_fused(table);                 \
    isa_name::kernels::fill_integers(table);              \
    isa_name::kernels::fill_convert(table);               \
    isa_name::kernels::fill_matmul(table);                \
    isa_name::kernels::fill_reductions(table.reductions); \
    return &table;                                        \
  }()

std::vector<const KernelTable*> make_tables() {
  std::vector<const KernelTable*> tables;
#ifdef FRIT_HAVE_V2
  if (cpu_has_level(2)) tables.push_back(FRIT_FILL_ISA(v2, 16));
#endif
#ifdef FRIT_HAVE_V3
  if (cpu_has_level(3)) tables.push_back(FRIT_FILL_ISA(v3, 32));
#endif
#ifdef FRIT_HAVE_V4
  if (cpu_has_level(4)) tables.push_back(FRIT_FILL_ISA(v4, 64));
#endif
#ifdef FRIT_HAVE_A64
  tables.push_back(FRIT_FILL_ISA(a64, 16));
#endif
  return tables;
}

}  // namespace

std::span<const KernelTable* const> usable_tables() {
  static const std::vector<const KernelTable*> tables = make_tables();
  return tables;
}

const KernelTable* find_table(const char* isa) {
  for (const KernelTable* table : usable_tables()) {
    if (std::strcmp(table->isa, isa) == 0) return table;
  }
  return nullptr;
}

const KernelTable& active_table() {
  static const KernelTable* const chosen = [] {
    const char* const wanted = std::getenv("FRIT_ISA");
    if (wanted != nullptr && *wanted != '\0') return find_table(wanted);
    return usable_tables().empty() ? nullptr : usable_tables().back();
  }();
  if (chosen == nullptr) {
    std::string known;
    for (const KernelTable* table : usable_tables()) known += std::string(known.empty() ? "" : ", ") + table->isa;
    throw Error(ErrorCode::cpu_unsupported,
                "no kernels for this CPU or for the ISA that FRIT_ISA names; usable here: " +
                    (known.empty() ? "none (x86-64-v2 or AArch64 is needed)" : known));
  }
  return *chosen;
}

}  // namespace frit::exec
