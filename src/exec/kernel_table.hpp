// The kernels of one ISA: for each op, form and dtype, and for each fused pattern, a function over a run of elements.
#pragma once

#include <cstdint>
#include <span>

#include "exec/reduce.hpp"
#include "frit/dtype.hpp"
#include "plan/fusion.hpp"

namespace frit::exec {

// Computes n elements. `parts`: the operands' parts in order, then the results' parts; each points to n elements of the
// kernel's dtype, a scalar operand to one vector that repeats it, a boolean to lanes of all ones or zero of the dtype's
// size. n is a multiple of the vector width. A result may be the same buffer as an operand: elements are read before they
// are written.
using TileKernel = void (*)(void* const* parts, std::int64_t n);

inline constexpr int form_count = 1 << ops::max_arity;
inline constexpr int operand_sets = 1 << ops::max_arity;

// The widest vector of any ISA. Scalars are repeated to fill it, so one block serves every variant.
inline constexpr int scalar_bytes = 64;

struct KernelTable {
  const char* isa = "";
  int vector_bytes = 0;
  // [f32 or f64][op][form][set of operands that are scalars]; nullptr where there is none. The empty set always exists
  // where the op has the form.
  TileKernel single[2][ops::AllOps::size][form_count][operand_sets] = {};
  TileKernel fused[2][fusion::AllFusions::size] = {};
  // Gives every NaN among n elements at any address its canonical form; writes only where there is one.
  void (*canonical_nan[2])(void* data, std::int64_t n) = {};
  ReduceTable reductions;  // exec/reduce.hpp
};

constexpr int dtype_index(DType kernel_dtype) { return kernel_dtype == DType::f64 ? 1 : 0; }

// The tables of the ISAs in this build that this CPU runs, the best last.
std::span<const KernelTable* const> usable_tables();
// The best, or the one that the environment variable FRIT_ISA names. Throws ErrorCode::cpu_unsupported where there is none.
const KernelTable& active_table();
// The one of this name, or nullptr.
const KernelTable* find_table(const char* isa);

}  // namespace frit::exec
