#include "llvm/emit_routine.hpp"

#include <algorithm>

#include "frit/error.hpp"
#include "llvm/emit_called.hpp"
#include "llvm/emit_integer.hpp"
#include "llvm/emit_plan.hpp"
#include "llvm/emit_steps.hpp"
#include "ops/list.hpp"
#include "ops/table.hpp"

namespace frit::codegen {
namespace {

using plan::RoutineBlock;
using plan::RoutineStep;
using plan::RoutineValue;

// A loop looks at the caller's wish to end it every so many steps.
constexpr std::uint64_t steps_between_polls = 1024;
// A branch of lanes of fewer operations is computed without asking whether a lane takes it.
constexpr std::size_t most_steps_without_branch = 24;

enum RoutineCallMember : unsigned { call_operands, call_results, call_n, call_cancel };

// Whether the result of a step is looked at, by value.
std::vector<bool> find_used(const plan::Routine& routine) {
  std::vector<bool> used(routine.values.size(), false);
  const auto visit = [&](const RoutineBlock& block, const auto& self) -> void {
    for (const RoutineStep& step : block.steps) {
      for (const RoutineValue value : step.operands) used[value] = true;
      for (const RoutineBlock& inner : step.blocks) self(inner, self);
    }
    for (const RoutineValue value : block.yields) used[value] = true;
  };
  visit(routine.body, visit);
  return used;
}

class RoutineEmitter {
 public:
  RoutineEmitter(llvm::Module& module, const plan::Routine& routine, const RoutineOptions& options)
      : module_(module), routine_(routine), options_(options), width_(options.width), copies_(options.copies),
        builder_(module.getContext()), emission_{.builder = builder_,
                                                 .width = options.width,
                                                 .full_form = options.full_form},
        values_(copies_ * routine.values.size()), active_(copies_), used_(find_used(routine)) {
    emission_.branches = !options.full_form;
  }

  std::int64_t run();

 private:
  using Values = std::vector<llvm::Value*>;

  llvm::Type* scalar_type(DType dtype) {
    if (dtype == DType::boolean) return builder_.getInt1Ty();
    if (dtype == DType::f64) return builder_.getDoubleTy();
    if (dtype == DType::f32) return builder_.getFloatTy();
    return builder_.getIntNTy(static_cast<unsigned>(size_of(dtype)) * 8);
  }
  llvm::Type* type_of(DType dtype) { return llvm::FixedVectorType::get(scalar_type(dtype), width_); }
  DType dtype_of(RoutineValue value) const { return routine_.values[value]; }
  // In the copy that is emitted.
  llvm::Value*& at(RoutineValue id) { return values_[copy_ * routine_.values.size() + id]; }
  Values values_of(const std::vector<RoutineValue>& ids) {
    Values values;
    for (const RoutineValue id : ids) values.push_back(at(id));
    return values;
  }
  // Calls fn() for each copy, in its lanes that are active.
  template <class Fn> void for_each_copy(const Fn& fn) {
    for (copy_ = 0; copy_ < copies_; ++copy_) {
      emission_.active = active_[copy_];
      fn();
    }
    copy_ = 0;
  }
  // The values of all copies behind each other.
  Values values_of_all(const std::vector<RoutineValue>& ids) {
    Values all;
    for_each_copy([&] {
      const Values own = values_of(ids);
      all.insert(all.end(), own.begin(), own.end());
    });
    return all;
  }
  void define_all(const std::vector<RoutineValue>& ids, llvm::ArrayRef<llvm::Value*> values) {
    for_each_copy([&] {
      for (std::size_t i = 0; i < ids.size(); ++i) at(ids[i]) = values[copy_ * ids.size() + i];
    });
  }
  // Whether a lane of any copy is set.
  llvm::Value* any_of(const Values& masks) {
    llvm::Value* all = masks[0];
    for (std::size_t i = 1; i < masks.size(); ++i) all = builder_.CreateOr(all, masks[i]);
    return any_lane(all);
  }
  llvm::Value* first_lane(llvm::Value* value) { return builder_.CreateExtractElement(value, std::uint64_t{0}); }
  llvm::Value* among_active(llvm::Value* mask) {
    return emission_.active == nullptr ? mask : builder_.CreateAnd(mask, emission_.active);
  }
  llvm::Value* member(RoutineCallMember which, llvm::Type* type) {
    static_assert(sizeof(RoutineCall) == 32, "the members of RoutineCall are read by place");
    return builder_.CreateLoad(type, builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), call_, which));
  }

  void leave_if(llvm::Value* condition, std::int32_t status);
  void emit_block(const RoutineBlock& block, llvm::ArrayRef<llvm::Value*> parameters);
  void emit(const RoutineStep& step);
  void emit_straight(const RoutineStep& step);
  void emit_literal(const RoutineStep& step);
  void emit_arithmetic(const RoutineStep& step);
  llvm::Value* converted(llvm::Value* value, DType from, DType to);
  llvm::Value* address(llvm::Value* base, const plan::RoutineArray& array, const RoutineStep& step,
                       std::size_t row_operand);
  void emit_load(const RoutineStep& step);
  void emit_store(const RoutineStep& step);
  void emit_choose(const RoutineStep& step);
  void emit_choose_lanes(const RoutineStep& step);
  void emit_loop(const RoutineStep& step);
  void poll(llvm::Value* steps, std::uint64_t at_a_time);
  unsigned steps_at_a_time(const RoutineStep& loop) const;

  llvm::Module& module_;
  const plan::Routine& routine_;
  RoutineOptions options_;
  unsigned width_;
  // NOTE: vectors of lanes side by side hide the latency of a loop's chain. Each has masks of its own, which one wide vector
  // would have to put together and take apart.
  std::size_t copies_;
  std::size_t copy_ = 0;
  llvm::IRBuilder<> builder_;
  Emission emission_;
  Values values_;  // of each copy
  Values active_;  // the lanes of each copy that are computed, nullptr for all
  std::vector<bool> used_;
  llvm::Value* call_ = nullptr;
  llvm::Value* cancel_ = nullptr;
  llvm::Value* index_ = nullptr;  // of the first lane of all
  Values operands_, results_;
};

void RoutineEmitter::leave_if(llvm::Value* condition, std::int32_t status) {
  llvm::BasicBlock* const leave = append_block("leave");
  llvm::BasicBlock* const stay = append_block("stay");
  builder_.CreateCondBr(condition, leave, stay);
  builder_.SetInsertPoint(leave);
  builder_.CreateRet(builder_.getInt32(static_cast<std::uint32_t>(status)));
  builder_.SetInsertPoint(stay);
}

void RoutineEmitter::emit_block(const RoutineBlock& block, llvm::ArrayRef<llvm::Value*> parameters) {
  define_all(block.parameters, parameters);
  for (const RoutineStep& step : block.steps) emit(step);
}

void RoutineEmitter::emit(const RoutineStep& step) {
  if (step.kind == RoutineStep::Kind::loop) return emit_loop(step);
  if (step.kind == RoutineStep::Kind::choose) return routine_.lanes ? emit_choose_lanes(step) : emit_choose(step);
  for_each_copy([&] { emit_straight(step); });
}

void RoutineEmitter::emit_straight(const RoutineStep& step) {
  using K = RoutineStep::Kind;
  switch (step.kind) {
    case K::literal: return emit_literal(step);
    case K::arithmetic: return emit_arithmetic(step);
    case K::integer: {
      llvm::Value* raises = nullptr;
      // A condition stands in front of the integers that it selects.
      at(step.results[0]) = emit_integer(step.op, dtype_of(step.operands.back()), values_of(step.operands), raises);
      if (raises != nullptr) leave_if(any_lane(among_active(raises)), routine_raised);
      return;
    }
    case K::convert:
      at(step.results[0]) = converted(at(step.operands[0]), dtype_of(step.operands[0]), dtype_of(step.results[0]));
      return;
    case K::fma:
      at(step.results[0]) = builder_.CreateIntrinsic(llvm::Intrinsic::fma, {type_of(dtype_of(step.results[0]))},
                                                     values_of(step.operands));
      return;
    case K::load: return emit_load(step);
    case K::store: return emit_store(step);
    case K::choose:
    case K::loop: return;
  }
}

void RoutineEmitter::emit_literal(const RoutineStep& step) {
  llvm::Type* const type = type_of(dtype_of(step.results[0]));
  at(step.results[0]) = type->isFPOrFPVectorTy()
                            ? llvm::ConstantFP::get(type, step.number)
                            : llvm::ConstantInt::get(type, static_cast<std::uint64_t>(step.integer), true);
}

// The steps of a plan all of whose arguments are columns.
void RoutineEmitter::emit_arithmetic(const RoutineStep& arithmetic) {
  const plan::Plan& plan = routine_.plans[arithmetic.which];
  Values scalars(plan.scalars), buffers(plan.buffers);
  for (const plan::ScalarConstant& constant : plan.constants) {
    llvm::Type* const type = type_of(constant.boolean ? DType::boolean : plan.dtype);
    scalars[constant.scalar] = constant.boolean
                                   ? static_cast<llvm::Value*>(llvm::ConstantInt::get(type, constant.value != 0))
                                   : llvm::ConstantFP::get(type, constant.value);
  }
  // Columns as the plan takes them.
  Values columns(arithmetic.operands.size());
  for (std::size_t i = 0; i < columns.size(); ++i)
    columns[i] = converted(at(arithmetic.operands[i]), dtype_of(arithmetic.operands[i]), plan.dtype);
  const auto place = [&](const plan::Part& part) -> llvm::Value*& {
    if (part.kind == plan::Part::Kind::scalar) return scalars[part.index];
    return part.kind == plan::Part::Kind::buffer ? buffers[part.index] : columns[part.index];
  };
  // A plan asks whether the number that a boolean has become is zero: it is what it was.
  const auto boolean_asked = [&](const plan::Step& step) -> llvm::Value* {
    const plan::Part& asked = step.parts[0];
    if (step.op != ops::id_of<ops::NotEqual> || step.form != 0 || asked.kind != plan::Part::Kind::column)
      return nullptr;
    const auto* const with = llvm::dyn_cast<llvm::Constant>(place(step.parts[1]));
    const RoutineValue operand = arithmetic.operands[asked.index];
    return dtype_of(operand) == DType::boolean && with != nullptr && with->isZeroValue() ? at(operand) : nullptr;
  };
  for (const std::vector<plan::Step>* steps : {&plan.prologue, &plan.loop}) {
    for (const plan::Step& step : *steps) {
      llvm::Value* parts[plan::max_parts];
      if (llvm::Value* const known = boolean_asked(step)) {
        place(step.parts[step.operands]) = known;
        continue;
      }
      for (int i = 0; i < step.operands; ++i) parts[i] = place(step.parts[i]);
      emit_step(step.op, step.form, plan.dtype, parts);
      for (int i = step.operands; i < step.operands + step.results; ++i) place(step.parts[i]) = parts[i];
    }
  }
  std::size_t result = 0;
  for (const plan::Output& output : plan.outputs)
    for (int i = 0; i < (is_complex(output.dtype) ? 2 : 1); ++i)
      at(arithmetic.results[result++]) = place(output.parts[i]);
}

llvm::Value* RoutineEmitter::converted(llvm::Value* value, DType from, DType to) {
  const auto floating = [](DType dtype) { return dtype == DType::f32 || dtype == DType::f64; };
  const auto is_signed = [](DType dtype) { return dtype >= DType::i8 && dtype <= DType::i64; };
  llvm::Type* const type = type_of(to);
  if (from == to) return value;
  if (to == DType::boolean) {
    llvm::Value* const zero = llvm::Constant::getNullValue(value->getType());
    return floating(from) ? builder_.CreateFCmpUNE(value, zero) : builder_.CreateICmpNE(value, zero);
  }
  if (floating(from) && floating(to)) return builder_.CreateFPCast(value, type);
  if (floating(to)) return is_signed(from) ? builder_.CreateSIToFP(value, type) : builder_.CreateUIToFP(value, type);
  if (floating(from))
    return builder_.CreateIntrinsic(is_signed(to) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                                    {type, value->getType()}, {value});
  return builder_.CreateIntCast(value, type, is_signed(from));
}

// Of an element. `row_operand`: the place of the operand that is times `row`, beyond the last where there is none.
llvm::Value* RoutineEmitter::address(llvm::Value* base, const plan::RoutineArray& array, const RoutineStep& step,
                                     std::size_t row_operand) {
  llvm::Value* element = builder_.getInt64(static_cast<std::uint64_t>(step.integer));
  if (row_operand < step.operands.size())
    element = builder_.CreateAdd(element, builder_.CreateMul(first_lane(at(step.operands[row_operand])),
                                                             builder_.getInt64(static_cast<std::uint64_t>(step.row))));
  if (array.each_lane)
    element = builder_.CreateAdd(element, builder_.CreateAdd(index_, builder_.getInt64(copy_ * width_)));
  return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), base,
                                    builder_.CreateMul(element, builder_.getInt64(size_of(array.dtype))));
}

void RoutineEmitter::emit_load(const RoutineStep& step) {
  const plan::RoutineArray& array = routine_.operands[step.which];
  llvm::Value* const from = address(operands_[step.which], array, step, 0);
  const DType real = real_of(array.dtype);
  llvm::Type* const stored = array.dtype == DType::boolean ? builder_.getInt8Ty() : scalar_type(real);
  const llvm::Align align(array.dtype == DType::boolean ? 1 : size_of(real));
  const unsigned parts = static_cast<unsigned>(step.results.size());
  llvm::Value* loaded = nullptr;
  const unsigned count = (array.each_lane ? width_ : 1) * parts;
  loaded = builder_.CreateAlignedLoad(llvm::FixedVectorType::get(stored, count), from, align);
  for (unsigned part = 0; part < parts; ++part) {
    llvm::SmallVector<int> lanes;
    for (unsigned lane = 0; lane < width_; ++lane)
      lanes.push_back(static_cast<int>((array.each_lane ? lane * parts : 0) + part));
    llvm::Value* value = builder_.CreateShuffleVector(loaded, lanes);
    if (array.dtype == DType::boolean) value = converted(value, DType::u8, DType::boolean);
    at(step.results[part]) = value;
  }
}

void RoutineEmitter::emit_store(const RoutineStep& step) {
  const plan::RoutineArray& array = routine_.results[step.which];
  const unsigned parts = is_complex(array.dtype) ? 2 : 1;
  llvm::Value* const to = address(results_[step.which], array, step, parts);
  const DType real = real_of(array.dtype);
  llvm::Value* stored[2]{};
  for (unsigned part = 0; part < parts; ++part) {
    llvm::Value*& value = stored[part];
    value = at(step.operands[part]);
    if (array.dtype == DType::boolean)
      value = builder_.CreateZExt(value, llvm::FixedVectorType::get(builder_.getInt8Ty(), width_));
    // A NaN leaves in its canonical form.
    if (value->getType()->isFPOrFPVectorTy())
      value = builder_.CreateSelect(builder_.CreateFCmpUNO(value, value), llvm::ConstantFP::getNaN(value->getType()),
                                    value);
  }
  llvm::Value* all = stored[0];
  if (parts == 2) {
    llvm::SmallVector<int> lanes;
    for (unsigned lane = 0; lane < width_; ++lane) {
      lanes.push_back(static_cast<int>(lane));
      lanes.push_back(static_cast<int>(lane + width_));
    }
    all = builder_.CreateShuffleVector(stored[0], stored[1], lanes);
  }
  builder_.CreateAlignedStore(all, to, llvm::Align(array.dtype == DType::boolean ? 1 : size_of(real)));
}

void RoutineEmitter::emit_choose(const RoutineStep& step) {
  llvm::Value* const index = first_lane(at(step.operands[0]));
  const std::size_t last = step.blocks.size() - 1;
  llvm::BasicBlock* const after = append_block("chosen");
  std::vector<llvm::BasicBlock*> begins;
  for (std::size_t i = 0; i <= last; ++i) begins.push_back(append_block("branch"));
  // Beyond the ends the first or the last.
  llvm::Value* const cut = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, index, builder_.getInt64(0));
  llvm::SwitchInst* const chosen = builder_.CreateSwitch(cut, begins[last]);
  for (std::size_t i = 0; i < last; ++i) chosen->addCase(builder_.getInt64(i), begins[i]);
  std::vector<llvm::BasicBlock*> ends;
  std::vector<Values> yields;
  for (std::size_t i = 0; i <= last; ++i) {
    builder_.SetInsertPoint(begins[i]);
    emit_block(step.blocks[i], {});
    yields.push_back(values_of(step.blocks[i].yields));
    ends.push_back(builder_.GetInsertBlock());
    builder_.CreateBr(after);
  }
  builder_.SetInsertPoint(after);
  for (std::size_t k = 0; k < step.results.size(); ++k) {
    llvm::PHINode* const phi = builder_.CreatePHI(type_of(dtype_of(step.results[k])), static_cast<unsigned>(last + 1));
    for (std::size_t i = 0; i <= last; ++i) phi->addIncoming(yields[i][k], ends[i]);
    at(step.results[k]) = phi;
  }
}

// Each branch for the lanes that take it.
void RoutineEmitter::emit_choose_lanes(const RoutineStep& step) {
  const Values outer = active_;
  Values results;
  for_each_copy([&] {
    for (const RoutineValue result : step.results)
      results.push_back(llvm::Constant::getNullValue(type_of(dtype_of(result))));
  });
  for (std::size_t i = 0; i < step.blocks.size(); ++i) {
    Values lanes;
    for_each_copy([&] {
      llvm::Value* const index = at(step.operands[0]);
      llvm::Value* const number = llvm::ConstantInt::get(index->getType(), static_cast<std::uint64_t>(i), true);
      // Beyond the ends the first or the last.
      llvm::Value* own = i == 0                        ? builder_.CreateICmpSLE(index, number)
                         : i + 1 == step.blocks.size() ? builder_.CreateICmpSGE(index, number)
                                                       : builder_.CreateICmpEQ(index, number);
      if (step.blocks.size() == 1) own = llvm::Constant::getAllOnesValue(own->getType());
      lanes.push_back(among_active(own));
    });
    const RoutineBlock& block = step.blocks[i];
    std::size_t operations = 0;
    bool straight = true;
    for (const RoutineStep& inner : block.steps) {
      operations += inner.kind == RoutineStep::Kind::arithmetic ? routine_.plans[inner.which].loop.size() : 1;
      straight = straight && inner.blocks.empty();
    }
    llvm::BasicBlock* const before = builder_.GetInsertBlock();
    llvm::BasicBlock* after = nullptr;
    if (!straight || operations > most_steps_without_branch) {
      llvm::BasicBlock* const taken = append_block("branch");
      after = append_block("passed");
      builder_.CreateCondBr(any_of(lanes), taken, after);
      builder_.SetInsertPoint(taken);
    }
    active_ = lanes;
    emit_block(block, {});
    active_ = outer;
    Values next = values_of_all(block.yields);
    for (std::size_t k = 0; i > 0 && k < results.size(); ++k)
      next[k] = builder_.CreateSelect(lanes[k / step.results.size()], next[k], results[k]);
    if (after != nullptr) {
      llvm::BasicBlock* const end = builder_.GetInsertBlock();
      builder_.CreateBr(after);
      builder_.SetInsertPoint(after);
      for (std::size_t k = 0; k < results.size(); ++k) {
        llvm::PHINode* const phi = builder_.CreatePHI(results[k]->getType(), 2);
        phi->addIncoming(results[k], before);
        phi->addIncoming(next[k], end);
        next[k] = phi;
      }
    }
    results = std::move(next);
  }
  define_all(step.results, results);
}

// `at_a_time`: by how much the number of steps grows from one look to the next.
void RoutineEmitter::poll(llvm::Value* steps, std::uint64_t at_a_time) {
  llvm::BasicBlock* const look = append_block("poll");
  llvm::BasicBlock* const asked = append_block("asked");
  llvm::BasicBlock* const on = append_block("on");
  llvm::Value* const due = builder_.CreateICmpEQ(builder_.CreateAnd(steps, builder_.getInt64(steps_between_polls - 1)),
                                                 builder_.getInt64(steps_between_polls - at_a_time));
  builder_.CreateCondBr(due, look, on);
  builder_.SetInsertPoint(look);
  builder_.CreateCondBr(builder_.CreateIsNull(cancel_), on, asked);
  builder_.SetInsertPoint(asked);
  llvm::LoadInst* const flag = builder_.CreateAlignedLoad(builder_.getInt32Ty(), cancel_, llvm::Align(4));
  flag->setAtomic(llvm::AtomicOrdering::Monotonic);
  leave_if(builder_.CreateIsNotNull(flag), routine_cancelled);
  builder_.CreateBr(on);
  builder_.SetInsertPoint(on);
}

// How many steps of a loop of lanes are taken from one look whether a lane goes on to the next. Steps of lanes that have ended
// change nothing, so a few too many cost their time alone, where looking costs as much as some operations.
unsigned RoutineEmitter::steps_at_a_time(const RoutineStep& loop) const {
  if (!routine_.lanes || loop.most_steps > 0) return 1;
  std::size_t operations = 0;
  for (const RoutineBlock& block : loop.blocks) {
    for (const RoutineStep& step : block.steps) {
      if (!step.blocks.empty() || (step.kind == RoutineStep::Kind::integer && can_raise(step.op))) return 1;
      operations += step.kind == RoutineStep::Kind::arithmetic ? routine_.plans[step.which].loop.size() : 1;
      if (step.kind != RoutineStep::Kind::arithmetic) continue;
      for (const plan::Step& one : routine_.plans[step.which].loop)
        if (info_of(one.op).cost == CostClass::elementary) return 1;
    }
  }
  return operations <= most_steps_without_branch ? 4 : 1;
}

// Of lanes: those that have ended keep what they carry, and the loop ends with the last.
void RoutineEmitter::emit_loop(const RoutineStep& step) {
  llvm::BasicBlock* const before = builder_.GetInsertBlock();
  llvm::BasicBlock* const head = append_block("loop");
  llvm::BasicBlock* const body = append_block("step");
  llvm::BasicBlock* const after = append_block("ended");
  const Values first = values_of_all(step.operands);
  const Values outer = active_;
  builder_.CreateBr(head);

  builder_.SetInsertPoint(head);
  const auto carried = [&](llvm::Value* value) {
    llvm::PHINode* const phi = builder_.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, before);
    return phi;
  };
  std::vector<llvm::PHINode*> carries, active;
  for (llvm::Value* value : first) carries.push_back(carried(value));
  llvm::PHINode* const steps = carried(builder_.getInt64(0));
  for (std::size_t copy = 0; routine_.lanes && copy < copies_; ++copy) {
    llvm::Value* const all = llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(builder_.getInt1Ty(), width_));
    active.push_back(carried(outer[copy] != nullptr ? outer[copy] : all));
    active_[copy] = active.back();
  }
  const unsigned at_a_time = steps_at_a_time(step);
  Values now(carries.begin(), carries.end());
  for (unsigned i = 0; i < at_a_time; ++i) {
    emit_block(step.blocks[0], now);
    Values go_on;
    for_each_copy([&] { go_on.push_back(among_active(at(step.blocks[0].yields[0]))); });
    if (i == 0) {
      builder_.CreateCondBr(any_of(go_on), body, after);
      builder_.SetInsertPoint(body);
      if (step.most_steps > 0)
        leave_if(builder_.CreateICmpSGE(steps, builder_.getInt64(static_cast<std::uint64_t>(step.most_steps))),
                 routine_cut + static_cast<std::int32_t>(step.number_of_loop));
      poll(steps, at_a_time);
    }
    if (routine_.lanes) active_ = go_on;
    emit_block(step.blocks[1], now);
    const Values next = values_of_all(step.blocks[1].yields);
    for (std::size_t k = 0; k < now.size(); ++k) {
      const std::size_t copy = k / step.results.size();
      // A lane that has ended may go on where nobody looks at the result.
      const bool kept = routine_.lanes && used_[step.results[k % step.results.size()]];
      now[k] = kept ? builder_.CreateSelect(go_on[copy], next[k], now[k]) : next[k];
    }
  }
  llvm::BasicBlock* const end = builder_.GetInsertBlock();
  for (std::size_t k = 0; k < carries.size(); ++k) carries[k]->addIncoming(now[k], end);
  steps->addIncoming(builder_.CreateAdd(steps, builder_.getInt64(at_a_time), "", true, true), end);
  for (std::size_t copy = 0; copy < active.size(); ++copy) active[copy]->addIncoming(active_[copy], end);
  builder_.CreateBr(head);

  builder_.SetInsertPoint(after);
  active_ = outer;
  define_all(step.results, Values(carries.begin(), carries.end()));
}

std::int64_t RoutineEmitter::run() {
  Emission* const outer = Emission::current;
  Emission::current = &emission_;
  llvm::Type* const pointer = builder_.getPtrTy();
  llvm::Type* const i64 = builder_.getInt64Ty();
  auto* const type = llvm::FunctionType::get(builder_.getInt32Ty(), {pointer}, false);
  auto* const function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, function_name(0), module_);
  set_attributes(*function, options_.vector_bytes);
  call_ = function->getArg(0);
  builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function));
  const auto pointers = [&](RoutineCallMember which, std::size_t count, Values& into) {
    llvm::Value* const list = member(which, pointer);
    for (std::size_t i = 0; i < count; ++i)
      into.push_back(builder_.CreateLoad(pointer, builder_.CreateConstInBoundsGEP1_64(pointer, list, i)));
  };
  pointers(call_operands, routine_.operands.size(), operands_);
  pointers(call_results, routine_.results.size(), results_);
  cancel_ = member(call_cancel, pointer);
  if (!routine_.lanes) {
    emit_block(routine_.body, {});
  } else {
    llvm::Value* const n = member(call_n, i64);
    llvm::BasicBlock* const before = builder_.GetInsertBlock();
    llvm::BasicBlock* const loop = append_block("elements");
    llvm::BasicBlock* const after = append_block("all");
    builder_.CreateBr(loop);
    builder_.SetInsertPoint(loop);
    llvm::PHINode* const index = builder_.CreatePHI(i64, 2);
    index->addIncoming(builder_.getInt64(0), before);
    index_ = index;
    emit_block(routine_.body, {});
    llvm::Value* const next = builder_.CreateAdd(index, builder_.getInt64(copies_ * width_), "", true, true);
    index->addIncoming(next, builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpSLT(next, n), loop, after);
    builder_.SetInsertPoint(after);
  }
  builder_.CreateRet(builder_.getInt32(routine_done));
  Emission::current = outer;
  std::int64_t instructions = 0;
  for (const llvm::BasicBlock& block : *function) instructions += static_cast<std::int64_t>(block.size());
  return instructions;
}

}  // namespace

std::int64_t emit_routine(llvm::Module& module, const plan::Routine& routine, const RoutineOptions& options) {
  return RoutineEmitter(module, routine, options).run();
}

}  // namespace frit::codegen
