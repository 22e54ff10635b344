// The kernels of one ISA: for each op, form and dtype, and for each fused pattern, a function over a run of elements.
#pragma once

#include <cstdint>
#include <span>

#include "exec/matmul.hpp"
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

// Computes n integers, any number of them; reads and writes nothing beyond. `parts`: the operands, then the result, at any byte
// address; a scalar operand points to one element. A boolean is a byte, as operand 0 or not, as result 0 or 1. Returns -1, or
// the lowest index at which the op raises; then the result is not valid. The result may be the same array as an operand of its
// element size.
using IntegerKernel = std::int64_t (*)(void* const* parts, std::int64_t n);

// Converts n elements at any byte address; reads and writes nothing beyond. The two arrays may be one array of one element
// size, and must not overlap otherwise.
using ConvertKernel = void (*)(const void* from, void* to, std::int64_t n);

inline constexpr int integer_dtypes = 8;
inline constexpr int real_dtypes = 11;  // bool, integers, f32 and f64: the dtypes before the complex ones

// The widest vector of any ISA. Scalars are repeated to fill it, so one block serves every variant.
inline constexpr int scalar_bytes = 64;

struct KernelTable {
  const char* isa = nullptr;  // all members are zero at first, so that tables take no room in the program's file
  int vector_bytes = 0;
  // [f32 or f64][op][form][set of operands that are scalars]; nullptr where there is none. The empty set always exists
  // where the op has the form.
  TileKernel single[2][ops::AllOps::size][form_count][operand_sets] = {};
  TileKernel fused[2][fusion::AllFusions::size] = {};
  // [i8 to u64][op][set of operands that are scalars]; all sets but the full one, where the op has an integer form.
  IntegerKernel integer[integer_dtypes][ops::AllOps::size][operand_sets] = {};
  // [from][to], all pairs. To bool: what is not zero, so a NaN, is true. Floating to integer: rounded towards zero, saturating,
  // 0 for NaN. To floating: rounded to nearest even. Integer to integer: modulo 2^bits.
  ConvertKernel convert[real_dtypes][real_dtypes] = {};
  // Gives every NaN among n elements at any address its canonical form; writes only where there is one.
  void (*canonical_nan[2])(void* data, std::int64_t n) = {};
  ReduceTable reductions;                 // exec/reduce.hpp
  MatmulKernel matmul[real_dtypes] = {};  // exec/matmul.hpp; all but bool
};

constexpr int integer_index(DType integer) { return static_cast<int>(integer) - static_cast<int>(DType::i8); }
constexpr int dtype_index(DType kernel_dtype) { return kernel_dtype == DType::f64 ? 1 : 0; }

// The tables of the ISAs in this build that this CPU runs, the best last.
std::span<const KernelTable* const> usable_tables();
// The best, or the one that the environment variable FRIT_ISA names. Throws ErrorCode::cpu_unsupported where there is none.
const KernelTable& active_table();
// The one of this name, or nullptr.
const KernelTable* find_table(const char* isa);

}  // namespace frit::exec
