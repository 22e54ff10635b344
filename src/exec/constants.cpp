// Constants are folded by the kernels of their ops.
#include <cstring>

#include "core/fp_state.hpp"
#include "exec/pack.hpp"
#include "exec/program.hpp"
#include "ops/table.hpp"

namespace frit::exec {
namespace {

template <class T>
ConstantValue evaluate_as(TileKernel kernel, OpId op, unsigned form, std::span<const ConstantValue> operands) {
  alignas(64) std::byte blocks[plan::max_parts][scalar_bytes];
  void* pointers[plan::max_parts];
  int at = 0;
  const OpInfo& info = info_of(op);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool boolean = info.type == TypeRule::logical || (info.type == TypeRule::select && i == 0);
    splat<T>(operands[i].re, boolean, blocks[at]);
    pointers[at] = blocks[at];
    ++at;
    if ((form >> i & 1u) == 0) continue;
    splat<T>(operands[i].im, false, blocks[at]);
    pointers[at] = blocks[at];
    ++at;
  }
  pointers[at] = blocks[at];
  pointers[at + 1] = blocks[at + 1];
  std::memset(blocks[at], 0, 2 * scalar_bytes);
  kernel(pointers, scalar_bytes / static_cast<std::int64_t>(sizeof(T)));
  if (info.type == TypeRule::compare || info.type == TypeRule::logical) {
    return {blocks[at][0] != std::byte{0} ? 1.0 : 0.0, 0};
  }
  T parts[2];
  std::memcpy(&parts[0], blocks[at], sizeof(T));
  std::memcpy(&parts[1], blocks[at + 1], sizeof(T));
  return {static_cast<double>(parts[0]), static_cast<double>(parts[1])};
}

// Ops that only rename parts have no kernels: their templates run on plain numbers.
struct Number {
  double x;
  explicit Number(double value) : x(value) {}
  Number operator-() const { return Number(-x); }
};

ConstantValue evaluate_free(OpId op, unsigned form, std::span<const ConstantValue> operands) {
  ConstantValue result;
  const auto put = [&]<class R>(const R& value) {
    if constexpr (is_complex_value<R>) {
      result = {value.re.x, value.im.x};
    } else {
      result = {value.x, 0};
    }
  };
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    if constexpr (Op::info.cost == CostClass::free) {
      if (ops::id_of<Op> != op) return;
      const Number re(operands[0].re);
      if constexpr (Op::info.arity == 2) {
        put(Op::value(re, Number(operands[1].re)));
      } else if (form == 0) {
        put(Op::value(re));
      } else {
        put(Op::value(Complex<Number>{re, Number(operands[0].im)}));
      }
    }
  });
  return result;
}

}  // namespace

ConstantValue evaluate_constant(OpId op, unsigned form, DType kernel_dtype, std::span<const ConstantValue> operands) {
  const FpState state;
  if (info_of(op).cost == CostClass::free) return evaluate_free(op, form, operands);
  const TileKernel kernel = active_table().single[dtype_index(kernel_dtype)][static_cast<std::size_t>(op)][form][0];
  return kernel_dtype == DType::f64 ? evaluate_as<double>(kernel, op, form, operands)
                                    : evaluate_as<float>(kernel, op, form, operands);
}

}  // namespace frit::exec
