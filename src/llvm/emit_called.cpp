#include "llvm/emit_called.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "llvm/emit_steps.hpp"
#include "ops/table.hpp"

namespace frit::codegen {
namespace {

// Returns the results' parts, and behind them the rare lanes where the op has any: as integers, since instruction selection
// without optimisation cannot copy every mask register.
llvm::Function* emit_function(llvm::Module& module, const std::string& name, OpId op, unsigned form, DType kernel_dtype,
                              llvm::ArrayRef<llvm::Type*> operand_types, unsigned results) {
  Emission& outer = *Emission::current;
  llvm::IRBuilder<>& builder = outer.builder;
  const llvm::IRBuilderBase::InsertPointGuard guard(builder);
  // The results are known once they are emitted, and so is the type of the function: they are emitted into one without.
  auto* const draft = llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), operand_types, false),
                                             llvm::GlobalValue::InternalLinkage, name + "_draft", module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", draft));
  Emission inner{.builder = builder, .width = outer.width, .full_form = outer.full_form};
  Emission::current = &inner;
  llvm::Value* parts[plan::max_parts];
  for (unsigned i = 0; i < operand_types.size(); ++i) parts[i] = draft->getArg(i);
  emit_step(op, form, kernel_dtype, parts);
  Emission::current = &outer;

  llvm::SmallVector<llvm::Value*> values(parts + operand_types.size(), parts + operand_types.size() + results);
  if (inner.rare != nullptr) {
    auto* const lanes = llvm::VectorType::getInteger(llvm::cast<llvm::VectorType>(values.front()->getType()));
    values.push_back(builder.CreateSExt(inner.rare, lanes));
  }
  llvm::SmallVector<llvm::Type*> types;
  for (const llvm::Value* value : values) types.push_back(value->getType());
  auto* const type = llvm::FunctionType::get(llvm::StructType::get(module.getContext(), types), operand_types, false);
  auto* const function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
  function->splice(function->begin(), draft);
  for (unsigned i = 0; i < operand_types.size(); ++i) draft->getArg(i)->replaceAllUsesWith(function->getArg(i));
  for (llvm::Value*& value : values) {
    // A result may be an operand itself.
    for (unsigned i = 0; i < operand_types.size(); ++i) {
      if (value == draft->getArg(i)) value = function->getArg(i);
    }
  }
  draft->eraseFromParent();
  builder.SetInsertPoint(&function->back());
  builder.CreateAggregateRet(values.data(), static_cast<unsigned>(values.size()));
  set_attributes(*function, outer.width * static_cast<unsigned>(size_of(kernel_dtype)));
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::WillReturn);
  function->setDoesNotAccessMemory();  // but for its own tables, so equal calls are one
  return function;
}

}  // namespace

void set_attributes(llvm::Function& function, unsigned bytes) {
  function.addFnAttr(llvm::Attribute::NoUnwind);
  // A frame with many spilled vectors must not step over the guard page of a small stack.
  function.addFnAttr("probe-stack", "inline-asm");
  // Spilled vectors must not cross cache lines, which LLVM only sees to where the whole frame is aligned.
  function.addFnAttr(llvm::Attribute::getWithStackAlignment(function.getContext(), llvm::Align(std::max(16u, bytes))));
  // NOTE: several CPUs with AVX-512 prefer vectors of 256 bits by default, which would split every value in two.
  const std::string bits = std::to_string(bytes * 8);
  function.addFnAttr("prefer-vector-width", bits);
  function.addFnAttr("min-legal-vector-width", bits);
}

void emit_called_step(llvm::Module& module, OpId op, unsigned form, DType kernel_dtype, llvm::Value** parts,
                      unsigned operands, unsigned results) {
  Emission& emission = *Emission::current;
  const std::string name = fmt::format("frit_{}_{}", info_of(op).name, form);
  llvm::Function* function = module.getFunction(name);
  if (function == nullptr) {
    llvm::SmallVector<llvm::Type*> types;
    for (unsigned i = 0; i < operands; ++i) types.push_back(parts[i]->getType());
    function = emit_function(module, name, op, form, kernel_dtype, types, results);
  }
  llvm::Value* const call = emission.builder.CreateCall(function, llvm::ArrayRef(parts, operands));
  for (unsigned i = 0; i < results; ++i) parts[operands + i] = emission.builder.CreateExtractValue(call, i);
  if (llvm::cast<llvm::StructType>(function->getReturnType())->getNumElements() == results) return;
  llvm::Value* const lanes = emission.builder.CreateExtractValue(call, results);
  llvm::Value* const rare = emission.builder.CreateICmpNE(lanes, llvm::Constant::getNullValue(lanes->getType()));
  emission.rare = emission.rare == nullptr ? rare : emission.builder.CreateOr(emission.rare, rare);
}

}  // namespace frit::codegen
