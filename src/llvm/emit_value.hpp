// The lane model that emits LLVM IR: an operation on an Emit<T> appends an instruction on vectors of T. lanes/concepts.hpp
// says what each operation means.
//
// NOTE: the width is a property of the emission, not of the type, so the templates of math and ops are instantiated once for
// each dtype and serve all widths.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include <array>
#include <bit>
#include <type_traits>
#include <vector>

#include "lanes/concepts.hpp"

namespace frit::codegen {

using lanes::from_bits;  // found by argument-dependent lookup from the templates
using lanes::to_float;

// Where the templates emit: one a compilation, current on its thread.
struct Emission {
  llvm::IRBuilder<>& builder;
  unsigned width;
  bool full_form;
  llvm::Value* rare = nullptr;  // i1 vector: lanes that need the full form, so far in this iteration
  // A routine has no second form: it branches to what is rare, where a lane of `active` (all, if nullptr) needs it.
  bool branches = false;
  llvm::Value* active = nullptr;
  // Divisors that stay the same from one iteration to the next, with their inverses (llvm/divider.hpp).
  struct Inverse {
    llvm::Value *divisor, *inverse;
  };
  std::vector<Inverse> inverses = {};
  std::vector<llvm::Value*> numbers = {};  // values that are no NaN where nothing is rare
  // What the divider is to compute, for balance_divider().
  int divisions = 0;
  std::vector<llvm::Instruction*> roots = {};

  static thread_local Emission* current;
};

inline llvm::IRBuilder<>& builder() { return Emission::current->builder; }

template <class T> struct EmitBits;
template <class T> struct EmitMask;

template <class T> llvm::Type* element_type() {
  return sizeof(T) == 8 ? builder().getDoubleTy() : builder().getFloatTy();
}
template <class T> llvm::Type* bits_type() {
  return llvm::FixedVectorType::get(builder().getIntNTy(sizeof(T) * 8), Emission::current->width);
}
template <class T> llvm::Type* value_type() {
  return llvm::FixedVectorType::get(element_type<T>(), Emission::current->width);
}
inline llvm::Value* unary(llvm::Intrinsic::ID id, llvm::Value* a) { return builder().CreateUnaryIntrinsic(id, a); }

template <class T> struct EmitMask {
  llvm::Value* v;  // <width x i1>
  static EmitMask of(bool flag) {
    return {llvm::ConstantInt::get(llvm::FixedVectorType::get(builder().getInt1Ty(), Emission::current->width), flag)};
  }
  friend EmitMask operator&(EmitMask a, EmitMask b) { return {builder().CreateAnd(a.v, b.v)}; }
  friend EmitMask operator|(EmitMask a, EmitMask b) { return {builder().CreateOr(a.v, b.v)}; }
  friend EmitMask operator^(EmitMask a, EmitMask b) { return {builder().CreateXor(a.v, b.v)}; }
  friend EmitMask operator~(EmitMask a) { return {builder().CreateNot(a.v)}; }
  friend EmitBits<T> to_bits(EmitMask a) { return {builder().CreateSExt(a.v, bits_type<T>())}; }
};

template <class T> struct EmitBits {
  using Mask = EmitMask<T>;
  llvm::Value* v;

  static EmitBits of(std::int64_t literal) {
    return {llvm::ConstantInt::get(bits_type<T>(), static_cast<std::uint64_t>(literal), true)};
  }
  static llvm::Value* splat(int count) {
    return llvm::ConstantInt::get(bits_type<T>(), static_cast<std::uint64_t>(count));
  }

  friend EmitBits operator+(EmitBits a, EmitBits b) { return {builder().CreateAdd(a.v, b.v)}; }
  friend EmitBits operator-(EmitBits a, EmitBits b) { return {builder().CreateSub(a.v, b.v)}; }
  friend EmitBits operator&(EmitBits a, EmitBits b) { return {builder().CreateAnd(a.v, b.v)}; }
  friend EmitBits operator|(EmitBits a, EmitBits b) { return {builder().CreateOr(a.v, b.v)}; }
  friend EmitBits operator^(EmitBits a, EmitBits b) { return {builder().CreateXor(a.v, b.v)}; }
  friend EmitBits operator~(EmitBits a) { return {builder().CreateNot(a.v)}; }
  friend EmitBits operator<<(EmitBits a, int count) { return {builder().CreateShl(a.v, splat(count))}; }
  friend EmitBits operator>>(EmitBits a, int count) { return {builder().CreateLShr(a.v, splat(count))}; }
  friend EmitBits sar(EmitBits a, int count) { return {builder().CreateAShr(a.v, splat(count))}; }
  friend EmitBits shl(EmitBits a, EmitBits count) { return {builder().CreateShl(a.v, count.v)}; }
  friend EmitBits shr(EmitBits a, EmitBits count) { return {builder().CreateLShr(a.v, count.v)}; }
  friend Mask operator==(EmitBits a, EmitBits b) { return {builder().CreateICmpEQ(a.v, b.v)}; }
  friend Mask operator!=(EmitBits a, EmitBits b) { return {builder().CreateICmpNE(a.v, b.v)}; }
  friend Mask operator<(EmitBits a, EmitBits b) { return {builder().CreateICmpSLT(a.v, b.v)}; }
  friend Mask operator>(EmitBits a, EmitBits b) { return {builder().CreateICmpSGT(a.v, b.v)}; }
  friend Mask operator<=(EmitBits a, EmitBits b) { return {builder().CreateICmpSLE(a.v, b.v)}; }
  friend Mask operator>=(EmitBits a, EmitBits b) { return {builder().CreateICmpSGE(a.v, b.v)}; }
  friend EmitBits select(Mask m, EmitBits a, EmitBits b) { return {builder().CreateSelect(m.v, a.v, b.v)}; }
  friend Mask mask_of(EmitBits a) { return {builder().CreateICmpNE(a.v, llvm::ConstantInt::get(bits_type<T>(), 0))}; }
};

template <class T> struct Emit;
// a / b, given what inverse_of() makes of b; llvm/divider.hpp.
template <class T> Emit<T> quotient(Emit<T> a, Emit<T> b, Emit<T> inverse);

template <class T> struct Emit {
  using Element = T;
  using Mask = EmitMask<T>;
  using Bits = EmitBits<T>;
  llvm::Value* v;

  Emit() : Emit(T(0)) {}
  Emit(T scalar) : v(llvm::ConstantFP::get(value_type<T>(), static_cast<double>(scalar))) {}
  static Emit of(double literal) { return Emit(static_cast<T>(literal)); }
  static Emit of_value(llvm::Value* value) {
    Emit e{Raw{}};
    e.v = value;
    return e;
  }

  friend Emit operator+(Emit a, Emit b) { return of_value(builder().CreateFAdd(a.v, b.v)); }
  friend Emit operator-(Emit a, Emit b) { return of_value(builder().CreateFSub(a.v, b.v)); }
  friend Emit operator*(Emit a, Emit b) { return of_value(builder().CreateFMul(a.v, b.v)); }
  friend Emit operator/(Emit a, Emit b) {
    for (const Emission::Inverse& known : Emission::current->inverses)
      if (known.divisor == b.v) return quotient(a, b, of_value(known.inverse));
    ++Emission::current->divisions;
    return of_value(builder().CreateFDiv(a.v, b.v));
  }
  friend Emit operator-(Emit a) { return of_value(builder().CreateFNeg(a.v)); }
  Emit& operator+=(Emit b) { return *this = *this + b; }
  Emit& operator-=(Emit b) { return *this = *this - b; }
  Emit& operator*=(Emit b) { return *this = *this * b; }
  Emit& operator/=(Emit b) { return *this = *this / b; }

  friend Mask operator<(Emit a, Emit b) { return {builder().CreateFCmpOLT(a.v, b.v)}; }
  friend Mask operator<=(Emit a, Emit b) { return {builder().CreateFCmpOLE(a.v, b.v)}; }
  friend Mask operator>(Emit a, Emit b) { return {builder().CreateFCmpOGT(a.v, b.v)}; }
  friend Mask operator>=(Emit a, Emit b) { return {builder().CreateFCmpOGE(a.v, b.v)}; }
  friend Mask operator==(Emit a, Emit b) { return {builder().CreateFCmpOEQ(a.v, b.v)}; }
  friend Mask operator!=(Emit a, Emit b) { return {builder().CreateFCmpUNE(a.v, b.v)}; }
  friend Mask is_nan(Emit a) { return {builder().CreateFCmpUNO(a.v, a.v)}; }

  friend Emit fma(Emit a, Emit b, Emit c) {
    return of_value(builder().CreateIntrinsic(llvm::Intrinsic::fma, {value_type<T>()}, {a.v, b.v, c.v}));
  }
  friend Emit sqrt(Emit a) {
    llvm::Value* const root = unary(llvm::Intrinsic::sqrt, a.v);
    if (auto* const instruction = llvm::dyn_cast<llvm::Instruction>(root))
      Emission::current->roots.push_back(instruction);
    return of_value(root);
  }
  friend Emit round_even(Emit a) { return of_value(unary(llvm::Intrinsic::roundeven, a.v)); }
  friend Emit floor(Emit a) { return of_value(unary(llvm::Intrinsic::floor, a.v)); }
  friend Emit trunc(Emit a) { return of_value(unary(llvm::Intrinsic::trunc, a.v)); }
  friend Emit abs(Emit a) { return of_value(unary(llvm::Intrinsic::fabs, a.v)); }
  friend Emit copysign(Emit a, Emit sign) {
    return of_value(builder().CreateBinaryIntrinsic(llvm::Intrinsic::copysign, a.v, sign.v));
  }
  friend Emit select(Mask m, Emit a, Emit b) { return of_value(builder().CreateSelect(m.v, a.v, b.v)); }

  friend Bits bits(Emit a) { return {builder().CreateBitCast(a.v, bits_type<T>())}; }
  static Emit from_bits(Bits a) { return of_value(builder().CreateBitCast(a.v, value_type<T>())); }
  // As the native model: see there.
  static constexpr T integer_magic = sizeof(T) == 8 ? T(0x1.8p52) : T(0x1.8p23f);
  friend Bits to_int(Emit a) { return bits(a + Emit(integer_magic)) - bits(Emit(integer_magic)); }
  static Emit to_float(Bits a) { return from_bits(a + bits(Emit(integer_magic))) - Emit(integer_magic); }

 private:
  struct Raw {};
  explicit Emit(Raw) : v(nullptr) {}
};

// The table becomes a constant of the module, and the read a gather.
template <class T, class U, std::size_t N>
llvm::Value* gather(const U (&base)[N], EmitBits<T> index, llvm::Type* element) {
  std::vector<llvm::Constant*> entries;
  for (const U& entry : base) {
    if constexpr (std::is_floating_point_v<U>) {
      entries.push_back(llvm::ConstantFP::get(element, static_cast<double>(entry)));
    } else {
      entries.push_back(llvm::ConstantInt::get(element, entry));
    }
  }
  llvm::Module& module = *builder().GetInsertBlock()->getModule();
  auto* const type = llvm::ArrayType::get(element, N);
  auto* const table = new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::PrivateLinkage,
                                               llvm::ConstantArray::get(type, entries), "table");
  llvm::Value* const addresses = builder().CreateGEP(element, table, index.v);
  return builder().CreateMaskedGather(llvm::FixedVectorType::get(element, Emission::current->width), addresses,
                                      llvm::Align(sizeof(U)));
}
template <class T, std::size_t N> Emit<T> table(const T (&base)[N], EmitBits<T> index) {
  return Emit<T>::of_value(gather(base, index, element_type<T>()));
}

// A lane value or a structure of them as the values that it holds.
template <class State> using Leaves = std::array<llvm::Value*, sizeof(State) / sizeof(llvm::Value*)>;
template <class State> Leaves<State> leaves_of(const State& state) {
  static_assert(std::is_trivially_copyable_v<State> && sizeof(Leaves<State>) == sizeof(State));
  return std::bit_cast<Leaves<State>>(state);
}

inline llvm::BasicBlock* append_block(const char* name) {
  return llvm::BasicBlock::Create(builder().getContext(), name, builder().GetInsertBlock()->getParent());
}
inline llvm::Value* any_lane(llvm::Value* mask) { return builder().CreateOrReduce(mask); }

// A phi for each leaf, with its value on the way in.
template <class State> Leaves<State> begin_phis(const State& state, llvm::BasicBlock* from) {
  Leaves<State> phis;
  const Leaves<State> leaves = leaves_of(state);
  for (std::size_t i = 0; i < phis.size(); ++i) {
    llvm::PHINode* const phi = builder().CreatePHI(leaves[i]->getType(), 2);
    phi->addIncoming(leaves[i], from);
    phis[i] = phi;
  }
  return phis;
}
template <class State> void end_phis(const Leaves<State>& phis, const State& state, llvm::BasicBlock* from) {
  const Leaves<State> leaves = leaves_of(state);
  for (std::size_t i = 0; i < phis.size(); ++i) llvm::cast<llvm::PHINode>(phis[i])->addIncoming(leaves[i], from);
}

template <class Value, class Fn> Value rare_by_branch(llvm::Value* mask, Value value, Fn fn) {
  llvm::Value* const lanes =
      Emission::current->active == nullptr ? mask : builder().CreateAnd(mask, Emission::current->active);
  llvm::BasicBlock* const before = builder().GetInsertBlock();
  llvm::BasicBlock* const taken = append_block("rare");
  llvm::BasicBlock* const after = append_block("ordinary");
  builder().CreateCondBr(any_lane(lanes), taken, after);
  builder().SetInsertPoint(taken);
  const Value all = fn();
  llvm::BasicBlock* const end = builder().GetInsertBlock();
  builder().CreateBr(after);
  builder().SetInsertPoint(after);
  const Leaves<Value> merged = begin_phis(value, before);
  end_phis(merged, all, end);
  return std::bit_cast<Value>(merged);
}

// The fast form notes the lanes and goes on with the ordinary value; the full form selects.
template <class T, class Value, class Fn> Value rare(EmitMask<T> mask, Value value, Fn fn) {
  Emission& emission = *Emission::current;
  if (emission.branches) return rare_by_branch(mask.v, value, [&] { return select(mask, fn(), value); });
  if (emission.full_form) return select(mask, fn(), value);
  emission.rare = emission.rare == nullptr ? mask.v : builder().CreateOr(emission.rare, mask.v);
  return value;
}

template <class State, class Active, class Step> State while_any(State state, Active active, Step step) {
  llvm::BasicBlock* const before = builder().GetInsertBlock();
  llvm::BasicBlock* const head = append_block("while");
  llvm::BasicBlock* const body = append_block("step");
  llvm::BasicBlock* const after = append_block("done");
  builder().CreateBr(head);
  builder().SetInsertPoint(head);
  const Leaves<State> phis = begin_phis(state, before);
  const State now = std::bit_cast<State>(phis);
  const auto lanes = active(now);
  builder().CreateCondBr(any_lane(lanes.v), body, after);
  builder().SetInsertPoint(body);
  end_phis(phis, select(lanes, step(now), now), builder().GetInsertBlock());
  builder().CreateBr(head);
  builder().SetInsertPoint(after);
  return now;
}

}  // namespace frit::codegen
