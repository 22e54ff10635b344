// emit_step for one dtype. The only files that instantiate the ops' templates on Emit include this: they take long to compile.
#pragma once

#include "llvm/emit_value.hpp"
#include "ops/list.hpp"

namespace frit::codegen {

using StepEmitter = void (*)(llvm::Value** parts);

template <class T> struct Operand;
template <class T> struct Operand<Emit<T>> {
  static constexpr int parts = 1;
  static Emit<T> read(llvm::Value** p) { return Emit<T>::of_value(p[0]); }
};
template <class T> struct Operand<EmitMask<T>> {
  static constexpr int parts = 1;
  static EmitMask<T> read(llvm::Value** p) { return {p[0]}; }
};
template <class V> struct Operand<Complex<V>> {
  static constexpr int parts = 2;
  static Complex<V> read(llvm::Value** p) { return {Operand<V>::read(p), Operand<V>::read(p + 1)}; }
};
template <class T> void write(Emit<T> value, llvm::Value** p) { p[0] = value.v; }
template <class T> void write(EmitMask<T> value, llvm::Value** p) { p[0] = value.v; }
template <class V> void write(Complex<V> value, llvm::Value** p) {
  write(value.re, p);
  write(value.im, p + 1);
}

template <class Op, class V, unsigned form> void emit_op(llvm::Value** p) {
  constexpr TypeRule rule = Op::info.type;
  using A = Operand<ops::OperandOf<V, rule, form, 0>>;
  if constexpr (Op::info.arity == 1) {
    write(Op::value(A::read(p)), p + A::parts);
  } else {
    using B = Operand<ops::OperandOf<V, rule, form, 1>>;
    if constexpr (Op::info.arity == 2) {
      write(Op::value(A::read(p), B::read(p + A::parts)), p + A::parts + B::parts);
    } else {
      using C = Operand<ops::OperandOf<V, rule, form, 2>>;
      write(Op::value(A::read(p), B::read(p + A::parts), C::read(p + A::parts + B::parts)),
            p + A::parts + B::parts + C::parts);
    }
  }
}

template <class T> void emit_step_as(OpId op, unsigned form, llvm::Value** parts) {
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    if (ops::id_of<Op> != op) return;
    [&]<unsigned... f>(ops::Forms<f...>) {
      const auto one = [&]<unsigned candidate>() {
        if constexpr (ops::takes<Op, Emit<T>, candidate>()) {
          if (candidate == form) emit_op<Op, Emit<T>, candidate>(parts);
        }
      };
      (one.template operator()<f>(), ...);
    }
    (ops::Forms<0, 1, 2, 3, 4, 5, 6, 7>{});
  });
}

}  // namespace frit::codegen
