#include "arrays/renaming.hpp"

#include <array>

#include "exec/kernels/body.hpp"

namespace frit::arrays {
namespace {

using Row = std::array<exec::TileKernel, exec::form_count>;

template <class T> std::array<Row, ops::AllOps::size> make_rows() {
  using V = lanes::Native<T, 1>;
  std::array<Row, ops::AllOps::size> rows{};
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    if constexpr (Op::info.cost == CostClass::free) {
      [&]<unsigned... form>(ops::Forms<form...>) {
        const auto one = [&]<unsigned f>() {
          if constexpr (ops::takes<Op, V, f>())
            rows[static_cast<std::size_t>(ops::id_of<Op>)][f] = &kernels::run<Op, V, f, 0>;
        };
        (one.template operator()<form>(), ...);
      }
      (ops::Forms<0, 1, 2, 3, 4, 5, 6, 7>{});
    }
  });
  return rows;
}

}  // namespace

exec::TileKernel renaming_kernel(OpId op, unsigned form, DType real) {
  static const auto f32 = make_rows<float>();
  static const auto f64 = make_rows<double>();
  return (real == DType::f64 ? f64 : f32)[static_cast<std::size_t>(op)][form];
}

}  // namespace frit::arrays
