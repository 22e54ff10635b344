#include "llvm/emit_integer.hpp"

#include <type_traits>

#include "frit/error.hpp"
#include "ops/list.hpp"

namespace frit::codegen {

// An operation on an EmitInteger<T> appends an instruction on vectors of T; see EmitBits, which is as wide as a floating lane.
template <class T> struct EmitInteger {
  using Element = T;
  using Mask = EmitMask<T>;
  static constexpr int size = static_cast<int>(sizeof(T)) * 8;
  static constexpr bool is_signed = std::is_signed_v<T>;
  llvm::Value* v;

  static llvm::Type* type() {
    return llvm::FixedVectorType::get(builder().getIntNTy(static_cast<unsigned>(size)), Emission::current->width);
  }
  static EmitInteger of(std::int64_t literal) {
    return {llvm::ConstantInt::get(type(), static_cast<std::uint64_t>(literal), true)};
  }

  friend EmitInteger operator+(EmitInteger a, EmitInteger b) { return {builder().CreateAdd(a.v, b.v)}; }
  friend EmitInteger operator-(EmitInteger a, EmitInteger b) { return {builder().CreateSub(a.v, b.v)}; }
  friend EmitInteger operator*(EmitInteger a, EmitInteger b) { return {builder().CreateMul(a.v, b.v)}; }
  friend EmitInteger operator-(EmitInteger a) { return {builder().CreateNeg(a.v)}; }
  friend EmitInteger operator&(EmitInteger a, EmitInteger b) { return {builder().CreateAnd(a.v, b.v)}; }
  friend EmitInteger operator|(EmitInteger a, EmitInteger b) { return {builder().CreateOr(a.v, b.v)}; }
  friend EmitInteger operator^(EmitInteger a, EmitInteger b) { return {builder().CreateXor(a.v, b.v)}; }
  friend EmitInteger operator~(EmitInteger a) { return {builder().CreateNot(a.v)}; }
  friend EmitInteger shl(EmitInteger a, EmitInteger count) { return {builder().CreateShl(a.v, count.v)}; }
  friend EmitInteger shr(EmitInteger a, EmitInteger count) {
    return {is_signed ? builder().CreateAShr(a.v, count.v) : builder().CreateLShr(a.v, count.v)};
  }
  friend Mask operator==(EmitInteger a, EmitInteger b) { return {builder().CreateICmpEQ(a.v, b.v)}; }
  friend Mask operator!=(EmitInteger a, EmitInteger b) { return {builder().CreateICmpNE(a.v, b.v)}; }
  friend Mask operator<(EmitInteger a, EmitInteger b) { return compare(llvm::CmpInst::ICMP_SLT, a, b); }
  friend Mask operator>(EmitInteger a, EmitInteger b) { return compare(llvm::CmpInst::ICMP_SGT, a, b); }
  friend Mask operator<=(EmitInteger a, EmitInteger b) { return compare(llvm::CmpInst::ICMP_SLE, a, b); }
  friend Mask operator>=(EmitInteger a, EmitInteger b) { return compare(llvm::CmpInst::ICMP_SGE, a, b); }
  friend EmitInteger select(Mask m, EmitInteger a, EmitInteger b) { return {builder().CreateSelect(m.v, a.v, b.v)}; }
  friend EmitInteger min(EmitInteger a, EmitInteger b) { return select(a < b, a, b); }
  friend EmitInteger max(EmitInteger a, EmitInteger b) { return select(a > b, a, b); }
  friend EmitInteger abs(EmitInteger a) {
    if constexpr (is_signed) return select(a < of(0), -a, a);
    return a;
  }
  friend EmitInteger quotient(EmitInteger a, EmitInteger b) {
    // What would trap is divided by 1 instead, and replaced.
    const Mask by_zero = b == of(0);
    if constexpr (is_signed) {
      const Mask by_minus_one = b == of(-1);
      const EmitInteger divisor = select(by_zero | by_minus_one, of(1), b);
      return select(by_zero, of(0), select(by_minus_one, -a, EmitInteger{builder().CreateSDiv(a.v, divisor.v)}));
    } else {
      return select(by_zero, of(0), EmitInteger{builder().CreateUDiv(a.v, select(by_zero, of(1), b).v)});
    }
  }

 private:
  static Mask compare(llvm::CmpInst::Predicate predicate, EmitInteger a, EmitInteger b) {
    return {builder().CreateICmp(is_signed ? predicate : llvm::CmpInst::getUnsignedPredicate(predicate), a.v, b.v)};
  }
};

namespace {

template <class Op, class I> llvm::Value* emit_op(llvm::ArrayRef<llvm::Value*> operands, llvm::Value*& raises) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    if constexpr (ops::Raises<Op, I>) raises = Op::raises(ops::IntegerOperand<Op, I, i>{operands[i]}...).v;
    return ops::IntegerForm<Op>::value(ops::IntegerOperand<Op, I, i>{operands[i]}...).v;
  }
  (std::make_index_sequence<Op::info.arity>{});
}

template <class T> llvm::Value* emit_as(OpId op, llvm::ArrayRef<llvm::Value*> operands, llvm::Value*& raises) {
  llvm::Value* result = nullptr;
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    if constexpr (Op::info.integers) {
      if (ops::id_of<Op> == op) result = emit_op<Op, EmitInteger<T>>(operands, raises);
    }
  });
  return result;
}

}  // namespace

llvm::Value* emit_integer(OpId op, DType dtype, llvm::ArrayRef<llvm::Value*> operands, llvm::Value*& raises) {
  raises = nullptr;
  switch (dtype) {
    case DType::i8: return emit_as<std::int8_t>(op, operands, raises);
    case DType::i16: return emit_as<std::int16_t>(op, operands, raises);
    case DType::i32: return emit_as<std::int32_t>(op, operands, raises);
    case DType::i64: return emit_as<std::int64_t>(op, operands, raises);
    case DType::u8: return emit_as<std::uint8_t>(op, operands, raises);
    case DType::u16: return emit_as<std::uint16_t>(op, operands, raises);
    case DType::u32: return emit_as<std::uint32_t>(op, operands, raises);
    case DType::u64: return emit_as<std::uint64_t>(op, operands, raises);
    default: throw Error(ErrorCode::internal, "an op on integers of a dtype that has none");
  }
}

}  // namespace frit::codegen
