#include "llvm/emit_plan.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <optional>

#include "exec/reduce.hpp"
#include "llvm/divider.hpp"
#include "llvm/emit_called.hpp"
#include "llvm/emit_steps.hpp"
#include "llvm/emit_value.hpp"
#include "ops/table.hpp"
#include "plan/fusion_tree.hpp"

namespace frit::codegen {

thread_local Emission* Emission::current = nullptr;

namespace {

constexpr std::uint64_t scalar_bytes = 64;  // one block of the prologue, as the executor lays it out

// The members of TileCall by place, for address arithmetic in IR.
enum TileCallMember : unsigned {
  call_columns,
  call_outputs,
  call_scalars,
  call_arena,
  call_row_bytes,
  call_n,
  call_masks,
  call_in_blocks,
  call_rows,
  call_column_steps,
  call_output_steps
};

class SegmentEmitter {
 public:
  SegmentEmitter(llvm::Module& module, const plan::Plan& plan, const Layout& layout, std::size_t segment,
                 const SegmentOptions& options)
      : module_(module), plan_(plan), layout_(layout), segment_(segment), options_(options), width_(options.width),
        context_(module.getContext()), builder_(context_), element_bytes_(static_cast<unsigned>(size_of(plan.dtype))),
        element_(plan.dtype == DType::f64 ? builder_.getDoubleTy() : builder_.getFloatTy()),
        vector_(llvm::FixedVectorType::get(element_, width_)),
        lanes_(llvm::FixedVectorType::get(builder_.getIntNTy(element_bytes_ * 8), width_)),
        vectors_(options.vectors, Vector{nullptr, std::vector<llvm::Value*>(layout.row.size())}) {}

  EmittedSegment run();

 private:
  llvm::Value* member(TileCallMember which, llvm::Type* type);
  llvm::Value* load_of_call(llvm::Type* type, llvm::Value* at);
  llvm::Value* load_element(llvm::Value* base, bool boolean, std::uint64_t align);
  llvm::Value* read(const plan::Part& part, std::uint32_t value, bool boolean);
  llvm::Value* row_address(std::uint32_t row);
  void find_steady_divisors();
  void emit_inverse(std::uint32_t column, llvm::Value* divisor);
  void emit_op(OpId op, unsigned form, llvm::Value** parts, int operands, int results);
  void emit_step_of(std::size_t step);
  void emit_tree(std::span<const fusion::PatternNode> nodes, std::size_t& node, llvm::Value** operands, int& operand,
                 llvm::Value** result, int& results);
  void emit_outputs();
  void begin_sums();
  void emit_sums();
  llvm::Value* neutral_sum() const { return llvm::ConstantFP::get(vector_, ops::Sum::neutral<double>()); }
  void begin_emission() {
    emission_.emplace(Emission{builder_, width_, options_.full_form});
    Emission::current = &*emission_;
  }
  void begin_loop(bool one_vector_each);
  llvm::Value* emit_loop(bool one_vector_each);
  void emit_rows(bool one_vector_each);

  llvm::Module& module_;
  const plan::Plan& plan_;
  const Layout& layout_;
  std::size_t segment_;
  SegmentOptions options_;
  unsigned width_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> builder_;
  std::optional<Emission> emission_;  // of the loop that is emitted
  unsigned element_bytes_;
  llvm::Type* element_;
  llvm::Type* vector_;
  llvm::Type* lanes_;
  llvm::Value* call_ = nullptr;
  llvm::Value* scalars_ = nullptr;
  llvm::Value* arena_ = nullptr;
  llvm::Value* row_bytes_ = nullptr;
  llvm::Function* function_ = nullptr;
  std::vector<llvm::Value*> columns_, outputs_;
  std::vector<llvm::Value*> masks_;  // of the index of each column that repeats, else nullptr
  // In the loop for calls in which each column that repeats is one vector: that vector.
  std::vector<llvm::Value*> one_vector_;
  // The vectors of one iteration: where each begins, and its values that are computed or read in this function.
  struct Vector {
    llvm::Value* index;
    std::vector<llvm::Value*> values;
  };
  std::vector<Vector> vectors_;
  Vector* now_ = nullptr;  // the one that is emitted
  // Of each output that is summed: the sums of the block's 32 lanes so far, that which the next vector goes to first, and what was
  // added to them in this iteration.
  struct Sums {
    std::size_t output;  // of the call
    std::vector<llvm::PHINode*> before;
    std::deque<llvm::Value*> lanes;
    std::vector<llvm::Value*> added;
  };
  std::vector<Sums> sums_;
  llvm::Value *in_blocks_ = nullptr, *n_ = nullptr;
  EmittedSegment result_;
  // Of each column that repeats, and by which something is divided, the last divisor, its inverse, and the lanes of all divisors so
  // far that are out of range. `before`: as the iteration finds them.
  struct Steady {
    llvm::PHINode *divisor_before = nullptr, *inverse_before = nullptr, *rare_before = nullptr;
    llvm::Value *divisor = nullptr, *inverse = nullptr, *rare = nullptr;
  };
  std::map<std::uint32_t, Steady> steady_;
};

llvm::Value* SegmentEmitter::member(TileCallMember which, llvm::Type* type) {
  static_assert(sizeof(TileCall) == 88, "the members of TileCall are read by place");
  return load_of_call(type, builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), call_, which));
}

// What the caller has set up and no store of the loop changes.
llvm::Value* SegmentEmitter::load_of_call(llvm::Type* type, llvm::Value* at) {
  llvm::LoadInst* const load = builder_.CreateLoad(type, at);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
  return load;
}

// One vector at `base`; booleans are stored as lanes of all ones or zero.
llvm::Value* SegmentEmitter::load_element(llvm::Value* base, bool boolean, std::uint64_t align) {
  if (!boolean) return builder_.CreateAlignedLoad(vector_, base, llvm::Align(align));
  return builder_.CreateICmpNE(builder_.CreateAlignedLoad(lanes_, base, llvm::Align(align)),
                               llvm::Constant::getNullValue(lanes_));
}

llvm::Value* SegmentEmitter::row_address(std::uint32_t row) {
  llvm::Value* const start =
      builder_.CreateInBoundsGEP(builder_.getInt8Ty(), arena_, builder_.CreateMul(row_bytes_, builder_.getInt64(row)));
  return builder_.CreateInBoundsGEP(element_, start, now_->index);
}

// NOTE: scalars and columns are read anew at each use: such a load folds into the instruction that uses it, while a value held
// over the whole body costs a register or a spill.
llvm::Value* SegmentEmitter::read(const plan::Part& part, std::uint32_t value, bool boolean) {
  switch (part.kind) {
    case plan::Part::Kind::buffer:
      if (now_->values[value] == nullptr)
        now_->values[value] = load_element(row_address(layout_.row[value]), boolean, element_bytes_);
      return now_->values[value];
    case plan::Part::Kind::column: {
      llvm::Value* index = now_->index;
      if (!one_vector_.empty() && masks_[part.index] != nullptr) {
        if (!boolean) return one_vector_[part.index];
        index = builder_.getInt64(0);
      } else if (llvm::Value* const mask = masks_[part.index]) {
        index = builder_.CreateAnd(index, mask);
      }
      llvm::Value* const loaded =
          load_element(builder_.CreateInBoundsGEP(element_, columns_[part.index], index), boolean, element_bytes_);
      if (!boolean && steady_.contains(part.index)) emit_inverse(part.index, loaded);
      return loaded;
    }
    case plan::Part::Kind::scalar: break;
  }
  return load_element(
      builder_.CreateInBoundsGEP(builder_.getInt8Ty(), scalars_, builder_.getInt64(part.index * scalar_bytes)), boolean,
      scalar_bytes);
}

// Columns that repeat and are the divisor of a step; what else reads them pays little.
void SegmentEmitter::find_steady_divisors() {
  const bool pay = plan_.dtype == DType::f64 ? inverses_pay<double>() : inverses_pay<float>();
  if (!pay || options_.full_form) return;
  const Segment& segment = layout_.segments[segment_];
  for (std::size_t s = segment.first_step; s < segment.last_step; ++s) {
    const plan::Step& step = plan_.loop[s];
    if (step.fusion != FusionId::single_op || info_of(step.op).cost != CostClass::divide || info_of(step.op).arity != 2)
      continue;
    const plan::Part& divisor = step.parts[step.operands - 1];
    if (divisor.kind != plan::Part::Kind::column) continue;
    if (plan_.arguments[plan_.columns[divisor.index].argument].repeats) steady_.emplace(divisor.index, Steady{});
  }
}

// The inverse of the divisor of this vector: that of the vector before where the divisor is the same, as it is for sure where one
// vector stands for all.
void SegmentEmitter::emit_inverse(std::uint32_t column, llvm::Value* divisor) {
  Steady& steady = steady_[column];
  llvm::BasicBlock* const before = builder_.GetInsertBlock();
  llvm::BasicBlock* const compared = append_block("perhaps_another_divisor");
  llvm::BasicBlock* const taken = append_block("other_divisor");
  llvm::BasicBlock* const after = append_block("same_divisor");
  llvm::Value* stays = builder_.CreateIsNull(masks_[column]);
  if (now_ == &vectors_.front()) stays = builder_.CreateAnd(stays, builder_.CreateIsNotNull(now_->index));
  builder_.CreateCondBr(stays, after, compared);

  builder_.SetInsertPoint(compared);
  auto* const bits = llvm::FixedVectorType::get(builder_.getIntNTy(element_bytes_ * 8), width_);
  llvm::Value* const other = builder_.CreateOrReduce(
      builder_.CreateICmpNE(builder_.CreateBitCast(divisor, bits), builder_.CreateBitCast(steady.divisor, bits)));
  builder_.CreateCondBr(other, taken, after);

  builder_.SetInsertPoint(taken);
  llvm::Value *inverse = nullptr, *rare = nullptr;
  const auto invert = [&]<class T>(T) {
    const Inverse<T> made = inverse_of(Emit<T>::of_value(divisor));
    inverse = made.value.v;
    rare = builder_.CreateOr(steady.rare, made.rare.v);
  };
  plan_.dtype == DType::f64 ? invert(double{}) : invert(float{});
  builder_.CreateBr(after);

  builder_.SetInsertPoint(after);
  const auto merged = [&](llvm::Value* old, llvm::Value* made) {
    llvm::PHINode* const now = builder_.CreatePHI(made->getType(), 3);
    now->addIncoming(old, before);
    now->addIncoming(old, compared);
    now->addIncoming(made, taken);
    return now;
  };
  steady.divisor = divisor;
  steady.inverse = merged(steady.inverse, inverse);
  steady.rare = merged(steady.rare, rare);
  emission_->inverses.push_back({divisor, steady.inverse});
}

void SegmentEmitter::emit_op(OpId op, unsigned form, llvm::Value** parts, int operands, int results) {
  if (options_.call_functions && info_of(op).cost == CostClass::elementary) {
    emit_called_step(module_, op, form, plan_.dtype, parts, static_cast<unsigned>(operands),
                     static_cast<unsigned>(results));
  } else {
    emit_step(op, form, plan_.dtype, parts);
  }
}

// A fused pattern: its ops one by one, operands first.
void SegmentEmitter::emit_tree(std::span<const fusion::PatternNode> nodes, std::size_t& node, llvm::Value** operands,
                               int& operand, llvm::Value** result, int& results) {
  using Kind = fusion::PatternNode::Kind;
  const fusion::PatternNode& n = nodes[node++];
  if (n.kind != Kind::op) {
    results = n.kind == Kind::complex || n.kind == Kind::complex_scalar ? 2 : 1;
    for (int i = 0; i < results; ++i) result[i] = operands[operand++];
    return;
  }
  llvm::Value* parts[plan::max_parts];
  int at = 0;
  for (int i = 0; i < n.arity; ++i) {
    int one = 0;
    emit_tree(nodes, node, operands, operand, parts + at, one);
    at += one;
  }
  results = n.form != 0 ? 2 : 1;
  emit_op(n.op, n.form, parts, at, results);
  for (int i = 0; i < results; ++i) result[i] = parts[at + i];
}

void SegmentEmitter::emit_step_of(std::size_t s) {
  const plan::Step& step = plan_.loop[s];
  llvm::Value* parts[plan::max_parts];
  const bool single = step.fusion == FusionId::single_op;
  const TypeRule rule = single ? info_of(step.op).type : TypeRule::arithmetic;
  for (int i = 0; i < step.operands; ++i) {
    const bool boolean = rule == TypeRule::logical || (rule == TypeRule::select && i == 0);
    parts[i] = read(step.parts[i], layout_.operand_value[layout_.first_operand[s] + static_cast<unsigned>(i)], boolean);
  }
  if (single) {
    emit_op(step.op, step.form, parts, step.operands, step.results);
  } else {
    llvm::Value* results[2];
    int count = 0;
    int operand = 0;
    std::size_t node = 0;
    emit_tree(plan::pattern_nodes(step.fusion), node, parts, operand, results, count);
    for (int i = 0; i < count; ++i) parts[step.operands + i] = results[i];
  }
  for (int i = 0; i < step.results; ++i) {
    const std::uint32_t value = layout_.first_value[s] + static_cast<unsigned>(i);
    now_->values[value] = parts[step.operands + i];
    if (layout_.row[value] == Layout::no_row) continue;
    llvm::Value* stored = now_->values[value];
    if (rule == TypeRule::logical || rule == TypeRule::compare) stored = builder_.CreateSExt(stored, lanes_);
    builder_.CreateAlignedStore(stored, row_address(layout_.row[value]), llvm::Align(element_bytes_));
  }
}

void SegmentEmitter::emit_outputs() {
  std::size_t at = 0;
  auto sums = sums_.begin();
  for (const plan::Output& output : plan_.outputs) {
    if (output.summed) {
      llvm::Value* const value = read(output.parts[0], layout_.output_value[at++], false);
      llvm::Value* parts[] = {sums->lanes.front(), value, nullptr};
      emit_step(ops::id_of<ops::Sum::Pairwise>, 0, plan_.dtype, parts);
      sums->lanes.pop_front();
      sums->lanes.push_back(parts[2]);
      sums++->added.push_back(value);
      continue;
    }
    for (int i = 0; i < (is_complex(output.dtype) ? 2 : 1); ++i, ++at) {
      const bool boolean = output.dtype == DType::boolean;
      llvm::Value* value = read(output.parts[i], layout_.output_value[at], boolean);
      if (boolean) {
        value = builder_.CreateSExt(value, lanes_);
      } else if (std::find(emission_->numbers.begin(), emission_->numbers.end(), value) == emission_->numbers.end()) {
        // A NaN leaves in its canonical form, as from the executor.
        value = builder_.CreateSelect(builder_.CreateFCmpUNO(value, value), llvm::ConstantFP::getNaN(vector_), value);
      }
      builder_.CreateAlignedStore(value, builder_.CreateInBoundsGEP(element_, outputs_[at], now_->index),
                                  llvm::Align(element_bytes_));
    }
  }
}

void SegmentEmitter::begin_sums() {
  std::size_t at = 0;
  for (const plan::Output& output : plan_.outputs) {
    if (output.summed) {
      Sums& sums = sums_.emplace_back(Sums{at, {}, {}, {}});
      for (unsigned lane = 0; lane < exec::reduce_lanes; lane += width_) {
        sums.before.push_back(builder_.CreatePHI(vector_, 2));
        sums.lanes.push_back(sums.before.back());
      }
    }
    at += is_complex(output.dtype) ? 2 : 1;
  }
}

// Behind the last vector of an iteration: where a block ends its sums are stored, and behind the last whole block the elements are.
void SegmentEmitter::emit_sums() {
  using exec::reduce_block, exec::reduce_lanes;
  const auto number = [&](std::int64_t n) { return builder_.getInt64(static_cast<std::uint64_t>(n)); };
  llvm::Value* const index = vectors_.front().index;
  llvm::BasicBlock* const behind = append_block("behind_blocks");
  llvm::BasicBlock* const inside = append_block("in_block");
  llvm::BasicBlock* const ends = append_block("block_ends");
  llvm::BasicBlock* const after = append_block("summed");
  const auto store = [&](const Sums& sums, llvm::Value* value, llvm::Value* place) {
    builder_.CreateAlignedStore(value, builder_.CreateInBoundsGEP(element_, outputs_[sums.output], place),
                                llvm::Align(element_bytes_));
  };
  builder_.CreateCondBr(builder_.CreateICmpSGE(index, in_blocks_), behind, inside);

  builder_.SetInsertPoint(behind);
  llvm::Value* const skipped =
      builder_.CreateSub(in_blocks_, builder_.CreateUDiv(in_blocks_, number(reduce_block / reduce_lanes)));
  for (const Sums& sums : sums_)
    for (std::size_t i = 0; i < vectors_.size(); ++i)
      store(sums, sums.added[i], builder_.CreateSub(vectors_[i].index, skipped));
  builder_.CreateBr(after);

  builder_.SetInsertPoint(inside);
  llvm::Value* const next = builder_.CreateAdd(index, number(options_.vectors * width_));
  builder_.CreateCondBr(builder_.CreateIsNull(builder_.CreateAnd(next, number(reduce_block - 1))), ends, after);

  builder_.SetInsertPoint(ends);
  llvm::Value* const block = builder_.CreateMul(
      builder_.CreateLShr(index, number(std::countr_zero(unsigned{reduce_block}))), number(reduce_lanes));
  for (const Sums& sums : sums_)
    for (std::size_t i = 0; i < sums.lanes.size(); ++i)
      store(sums, sums.lanes[i], builder_.CreateAdd(block, number(static_cast<std::int64_t>(i) * width_)));
  builder_.CreateBr(after);

  builder_.SetInsertPoint(after);
  for (Sums& sums : sums_)
    for (llvm::Value*& lanes : sums.lanes) {
      llvm::PHINode* const now = builder_.CreatePHI(vector_, 3);
      now->addIncoming(lanes, behind);
      now->addIncoming(lanes, inside);
      now->addIncoming(neutral_sum(), ends);
      lanes = now;
    }
}

// What is computed before the loop, which begins where the builder stands then.
void SegmentEmitter::begin_loop(bool one_vector_each) {
  begin_emission();
  sums_.clear();
  steady_.clear();
  one_vector_.clear();
  for (Vector& vector : vectors_) std::fill(vector.values.begin(), vector.values.end(), nullptr);
  find_steady_divisors();
  if (!one_vector_each) return;
  one_vector_.resize(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (masks_[i] != nullptr)
      one_vector_[i] = builder_.CreateVectorSplat(
          width_, builder_.CreateAlignedLoad(element_, columns_[i], llvm::Align(element_bytes_)));
  // Their inverses do not change.
  const auto invert = [&]<class T>(T, std::uint32_t column) {
    const Inverse<T> made = inverse_of(Emit<T>::of_value(one_vector_[column]));
    emission_->inverses.push_back({one_vector_[column], made.value.v});
    emission_->rare = emission_->rare == nullptr ? made.rare.v : builder_.CreateOr(emission_->rare, made.rare.v);
  };
  for (const auto& [column, steady] : steady_)
    plan_.dtype == DType::f64 ? invert(double{}, column) : invert(float{}, column);
  steady_.clear();
}

// The events of a row, from where the builder stands; the lanes that are rare.
llvm::Value* SegmentEmitter::emit_loop(bool one_vector_each) {
  begin_loop(one_vector_each);
  llvm::BasicBlock* const entry = builder_.GetInsertBlock();
  llvm::Value* const rare_at_first = emission_->rare;
  emission_->rare = nullptr;
  auto* const loop = append_block("loop");
  builder_.CreateBr(loop);

  builder_.SetInsertPoint(loop);
  llvm::Type* const i64 = builder_.getInt64Ty();
  llvm::PHINode* const index = builder_.CreatePHI(i64, 2);
  auto* const mask_type = llvm::FixedVectorType::get(builder_.getInt1Ty(), width_);
  llvm::PHINode* const rare_before = builder_.CreatePHI(mask_type, 2);
  const bool last = segment_ + 1 == layout_.segments.size();
  if (last) begin_sums();
  for (auto& [column, steady] : steady_) {
    steady.divisor = steady.divisor_before = builder_.CreatePHI(vector_, 2);
    steady.inverse = steady.inverse_before = builder_.CreatePHI(vector_, 2);
    steady.rare = steady.rare_before = builder_.CreatePHI(mask_type, 2);
  }
  const std::size_t before = loop->size();
  // NOTE: n is no multiple of an iteration, and perhaps not of the width, so the last iteration may compute its last vector or a
  // part of it twice. That is the same result in the same place, and costs no second copy of the loop.
  for (unsigned i = 0; i < options_.vectors; ++i) {
    vectors_[i].index = index;
    if (i == 0) continue;
    vectors_[i].index =
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, builder_.CreateAdd(index, builder_.getInt64(i * width_)),
                                       builder_.CreateSub(n_, builder_.getInt64(width_)));
  }
  const Segment& segment = layout_.segments[segment_];
  const auto for_each_vector = [&](const auto& emit) {
    for (Vector& vector : vectors_) {
      now_ = &vector;
      emit();
    }
  };
  for (std::size_t s = segment.first_step; s < segment.last_step; ++s) for_each_vector([&] { emit_step_of(s); });
  if (last) for_each_vector([&] { emit_outputs(); });
  if (!sums_.empty()) emit_sums();
  result_ = {};
  result_.operations = -static_cast<std::int64_t>(before);
  for (auto block = loop->getIterator(); block != function_->end(); ++block)
    result_.operations += static_cast<std::int64_t>(block->size());
  const auto balance = [&]<class T>(T) {
    const double load = divider_load<T>(result_.operations);
    result_.waits_for_divider = waits_for_divider<T>(load);
    result_.shares_roots = options_.roots == CompileOptions::Roots::by_balance && emission_->divisions == 0;
    result_.estimated_roots = balance_divider<T>(options_.roots, load, options_.vectors);
  };
  if (plan_.dtype == DType::f64) {
    balance(double{});
  } else {
    balance(float{});
  }
  llvm::Value* const rare_after = emission_->rare == nullptr ? static_cast<llvm::Value*>(rare_before)
                                                             : builder_.CreateOr(rare_before, emission_->rare);
  llvm::Value* const next = builder_.CreateAdd(index, builder_.getInt64(options_.vectors * width_), "", true, true);
  llvm::BasicBlock* const latch = builder_.GetInsertBlock();
  llvm::Value* const last_vector = builder_.CreateSub(n_, builder_.getInt64(width_));
  llvm::BasicBlock* const ends = append_block("ends");
  builder_.CreateCondBr(builder_.CreateICmpSLE(next, last_vector), loop, ends);
  // Less than a vector may be left over.
  builder_.SetInsertPoint(ends);
  llvm::BasicBlock* const done = append_block("done");
  builder_.CreateCondBr(builder_.CreateICmpSLT(next, n_), loop, done);
  index->addIncoming(builder_.getInt64(0), entry);
  index->addIncoming(next, latch);
  index->addIncoming(last_vector, ends);
  const auto goes_on = [&](llvm::PHINode* phi, llvm::Value* at_first, llvm::Value* after) {
    phi->addIncoming(at_first, entry);
    phi->addIncoming(after, latch);
    phi->addIncoming(after, ends);
  };
  llvm::Value* const zeros = neutral_sum();
  for (const Sums& sums : sums_)
    for (std::size_t i = 0; i < sums.before.size(); ++i) goes_on(sums.before[i], zeros, sums.lanes[i]);
  goes_on(rare_before, rare_at_first != nullptr ? rare_at_first : llvm::Constant::getNullValue(mask_type), rare_after);
  for (auto& [column, steady] : steady_) {
    goes_on(steady.divisor_before, llvm::ConstantFP::getNaN(vector_), steady.divisor);
    goes_on(steady.inverse_before, llvm::ConstantFP::getNaN(vector_), steady.inverse);
    goes_on(steady.rare_before, llvm::Constant::getNullValue(mask_type), steady.rare);
  }

  builder_.SetInsertPoint(done);
  llvm::Value* rare = rare_after;
  for (const auto& [column, steady] : steady_) rare = builder_.CreateOr(rare, steady.rare);
  return rare;
}

// All rows of the call, from where the builder stands to the end of the function.
void SegmentEmitter::emit_rows(bool one_vector_each) {
  llvm::Type* const i64 = builder_.getInt64Ty();
  llvm::Type* const pointer = builder_.getPtrTy();
  const std::vector<llvm::Value*> columns = columns_, outputs = outputs_;
  llvm::BasicBlock* const entry = builder_.GetInsertBlock();
  llvm::BasicBlock* const row = append_block("row");
  builder_.CreateBr(row);
  builder_.SetInsertPoint(row);
  std::vector<llvm::PHINode*> places;
  llvm::PHINode* const number = builder_.CreatePHI(i64, 2);
  llvm::PHINode* const rare_before = builder_.CreatePHI(llvm::FixedVectorType::get(builder_.getInt1Ty(), width_), 2);
  for (std::vector<llvm::Value*>* const list : {&columns_, &outputs_})
    for (llvm::Value*& place : *list) place = places.emplace_back(builder_.CreatePHI(pointer, 2));
  llvm::Value* const rare = builder_.CreateOr(rare_before, emit_loop(one_vector_each));
  llvm::Value* const next = builder_.CreateAdd(number, builder_.getInt64(1));
  llvm::BasicBlock* const another = append_block("another_row");
  llvm::BasicBlock* const done = append_block("rows_done");
  builder_.CreateCondBr(builder_.CreateICmpSLT(next, member(call_rows, i64)), another, done);

  builder_.SetInsertPoint(another);
  auto place = places.begin();
  const auto move = [&](const std::vector<llvm::Value*>& from, TileCallMember which) {
    llvm::Value* const steps = member(which, pointer);
    for (std::size_t i = 0; i < from.size(); ++i, ++place) {
      llvm::Value* const step = load_of_call(i64, builder_.CreateConstInBoundsGEP1_64(i64, steps, i));
      (*place)->addIncoming(from[i], entry);
      (*place)->addIncoming(builder_.CreateGEP(builder_.getInt8Ty(), *place, step), another);
    }
  };
  move(columns, call_column_steps);
  move(outputs, call_output_steps);
  number->addIncoming(builder_.getInt64(0), entry);
  number->addIncoming(next, another);
  rare_before->addIncoming(llvm::Constant::getNullValue(rare_before->getType()), entry);
  rare_before->addIncoming(rare, another);
  builder_.CreateBr(row);

  builder_.SetInsertPoint(done);
  builder_.CreateRet(builder_.CreateZExt(builder_.CreateOrReduce(rare), builder_.getInt32Ty()));
  columns_ = columns;
  outputs_ = outputs;
}

EmittedSegment SegmentEmitter::run() {
  Emission* const outer = Emission::current;
  begin_emission();
  llvm::Type* const pointer = builder_.getPtrTy();
  llvm::Type* const i64 = builder_.getInt64Ty();
  auto* const type = llvm::FunctionType::get(builder_.getInt32Ty(), {pointer}, false);
  if (llvm::Function* const other = module_.getFunction(function_name(segment_))) other->eraseFromParent();
  function_ = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, function_name(segment_), module_);
  set_attributes(*function_, width_ * element_bytes_);
  call_ = function_->getArg(0);

  builder_.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", function_));
  llvm::Value* const columns = member(call_columns, pointer);
  llvm::Value* repeating = nullptr;  // of which columns not one vector stands for all
  for (std::size_t i = 0; i < plan_.columns.size(); ++i) {
    columns_.push_back(load_of_call(pointer, builder_.CreateConstInBoundsGEP1_64(pointer, columns, i)));
    masks_.push_back(nullptr);
    if (!plan_.arguments[plan_.columns[i].argument].repeats) continue;
    masks_[i] = load_of_call(i64, builder_.CreateConstInBoundsGEP1_64(i64, member(call_masks, pointer), i));
    repeating = repeating == nullptr ? masks_[i] : builder_.CreateOr(repeating, masks_[i]);
  }
  const auto outputs_of = [](const plan::Output& output) { return is_complex(output.dtype) ? 2u : 1u; };
  unsigned parts = 0;
  for (const plan::Output& output : plan_.outputs) parts += outputs_of(output);
  llvm::Value* const outputs = member(call_outputs, pointer);
  if (segment_ + 1 == layout_.segments.size())
    for (unsigned i = 0; i < parts; ++i)
      outputs_.push_back(load_of_call(pointer, builder_.CreateConstInBoundsGEP1_64(pointer, outputs, i)));
  scalars_ = member(call_scalars, pointer);
  arena_ = member(call_arena, pointer);
  row_bytes_ = member(call_row_bytes, i64);
  n_ = member(call_n, i64);
  in_blocks_ = member(call_in_blocks, i64);
  if (repeating != nullptr) {
    // The usual case, rows, has a loop of its own: what is the same in all of its iterations is computed once.
    llvm::BasicBlock* const rows = append_block("one_vector_each");
    llvm::BasicBlock* const general = append_block("general");
    builder_.CreateCondBr(builder_.CreateIsNull(repeating), rows, general);
    builder_.SetInsertPoint(general);
    emit_rows(false);
    builder_.SetInsertPoint(rows);
    emit_rows(true);
  } else {
    emit_rows(false);
  }
  Emission::current = outer;
  return result_;
}

}  // namespace

EmittedSegment emit_segment(llvm::Module& module, const plan::Plan& plan, const Layout& layout, std::size_t segment,
                            const SegmentOptions& options) {
  return SegmentEmitter(module, plan, layout, segment, options).run();
}

}  // namespace frit::codegen
