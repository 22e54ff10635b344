#include "arrays/batch.hpp"

#include <algorithm>

#include "arrays/trace.hpp"
#include "arrays/value.hpp"
#include "frit/error.hpp"

namespace frit::arrays {
namespace {

bool is_batch(const Operand& operand) {
  return operand.kind == Operand::Kind::array && batch_of(operand.array) != nullptr;
}

// The innermost vmap that one of the operands is of.
const std::shared_ptr<const Level>& innermost(std::span<const Operand* const> operands) {
  const std::shared_ptr<const Level>* level = nullptr;
  for (const Operand* operand : operands) {
    if (!is_batch(*operand)) continue;
    const auto& own = batch_of(operand->array)->level;
    if (level == nullptr || own->depth > (*level)->depth) level = &own;
  }
  return *level;
}

std::vector<BatchOperand> opened(std::span<const Operand* const> operands, const Level* level) {
  std::vector<BatchOperand> result;
  result.reserve(operands.size());
  for (const Operand* operand : operands) {
    const Batch* batch = is_batch(*operand) ? batch_of(operand->array) : nullptr;
    const bool batched = batch != nullptr && batch->level.get() == level;
    result.push_back({batched ? Operand(batch->inside, operand->where) : *operand, batched});
  }
  return result;
}

// The types of operands as the callable sees them, for the errors of a wrong call.
class SeenTypes {
 public:
  explicit SeenTypes(std::span<const Operand* const> operands)
      : home_(home_of(operands)), types_(operands.size()), pointers_(operands.size()) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (operands[i]->kind == Operand::Kind::array) {
        types_[i] = Access::value(operands[i]->array).type;
      } else {
        types_[i].dtype = default_dtype(operands[i]->kind);
        types_[i].weak = true;
      }
      pointers_[i] = &types_[i];
    }
  }
  std::span<const Type* const> types() const { return pointers_; }
  Extents& extents() { return extents_of(home_, numbers_); }

 private:
  Home home_;
  Numbers numbers_;
  std::vector<Type> types_;
  std::vector<const Type*> pointers_;
};

// With axes of extent 1 behind that of the batch, so that the axes of operands stand below each other.
Operand with_rank(const BatchOperand& operand, int rank) {
  Operand result = operand.operand;
  if (operand.batched)
    for (int i = operand.rank(); i < rank; ++i) result.array = result.array.expand_dims(1, result.where);
  return result;
}

Operand in_batch(const BatchOperand& operand, const Extent& batch) {
  if (operand.batched || operand.operand.kind != Operand::Kind::array) return operand.operand;
  std::vector<Extent> shape = operand.operand.array.shape();
  shape.insert(shape.begin(), batch);
  return {operand.operand.array.broadcast_to(std::move(shape), operand.operand.where), operand.operand.where};
}

Array call(StructuralId id, Attributes attributes, const std::vector<Operand>& operands) {
  return frit::arrays::apply(id, std::move(attributes), pointers_to(operands));
}

}  // namespace

const Batch* batch_of(const Array& array) { return Access::value(array).batch.get(); }

bool has_batch(std::span<const Operand* const> operands) {
  return std::any_of(operands.begin(), operands.end(), [](const Operand* operand) { return is_batch(*operand); });
}

Array make_batch(Array inside, std::shared_ptr<const Level> level) {
  auto value = std::make_shared<Value>();
  value->type = Access::value(inside).type;
  Type& type = value->type;
  std::copy(type.extents.begin() + 1, type.extents.begin() + type.rank, type.extents.begin());
  --type.rank;
  value->batch = std::make_shared<const Batch>(Batch{std::move(inside), std::move(level)});
  return Access::make(std::move(value));
}

Array apply_batch(OpId op, std::span<const Operand* const> operands) {
  SeenTypes seen(operands);
  (void)infer(op, seen.types(), seen.extents());
  const std::shared_ptr<const Level> level = innermost(operands);
  const std::vector<BatchOperand> all = opened(operands, level.get());
  int rank = 0;
  for (const BatchOperand& one : all)
    if (one.operand.kind == Operand::Kind::array) rank = std::max(rank, one.rank());
  std::vector<Operand> insides;
  insides.reserve(all.size());
  for (const BatchOperand& one : all) insides.push_back(with_rank(one, rank));
  return make_batch(frit::arrays::apply(op, pointers_to(insides)), level);
}

Array apply_batch(StructuralId id, Attributes attributes, std::span<const Operand* const> operands) {
  const Structural& row = structural_of(id);
  SeenTypes seen(operands);
  (void)row.infer(seen.types(), attributes, seen.extents());
  const std::shared_ptr<const Level> level = innermost(operands);
  std::vector<BatchOperand> all = opened(operands, level.get());
  return make_batch(row.batch(id, all, std::move(attributes), level->extent), level);
}

void shift_for_batch(View& view, Type& type, const Extent& batch) {
  if (type.rank == max_rank)
    throw Error(ErrorCode::axis_range, "an array has at most 8 axes, of which a vmap takes one");
  std::copy_backward(type.extents.begin(), type.extents.begin() + type.rank, type.extents.begin() + type.rank + 1);
  type.extents[0] = batch;
  ++type.rank;
  ++view.axis;
  std::copy_backward(view.axes.begin(), view.axes.end() - 1, view.axes.end());
  view.axes[0] = 0;
  for (std::size_t i = 1; i < view.axes.size(); ++i) ++view.axes[i];
}

const Array& root_of(const Array& array) {
  const Array* root = &array;
  while (const Batch* batch = batch_of(*root)) root = &batch->inside;
  return *root;
}

Levels levels_of(const Array& array) {
  Levels levels;
  for (const Batch* batch = batch_of(array); batch != nullptr; batch = batch_of(batch->inside))
    levels.insert(levels.begin(), batch->level);
  return levels;
}

Array with_root(Array root, const Levels& levels) {
  for (const auto& level : levels) root = make_batch(std::move(root), level);
  return root;
}

Array with_levels(Array array, const Levels& levels) {
  if (levels.empty()) return array;
  const Levels outer(levels.begin(), levels.end() - 1);
  const Batch* const batch = batch_of(array);
  const bool batched = batch != nullptr && batch->level == levels.back();
  const BatchOperand one{batched ? batch->inside : array, batched};
  return make_batch(with_levels(in_batch(one, levels.back()->extent).array, outer), levels.back());
}

Array with_axis_moved(const Array& array, int from, int to, SourceLine where) {
  if (from == to) return array;
  std::vector<int> axes;
  for (int i = 0; i < array.rank(); ++i)
    if (i != from) axes.push_back(i);
  axes.insert(axes.begin() + to, from);
  return array.transpose(axes, where);
}

Levels united(const Levels& a, const Levels& b) {
  Levels result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result),
                 [](const auto& x, const auto& y) { return x->depth < y->depth; });
  return result;
}

Array batch_rules::one_operand(StructuralId id, std::span<BatchOperand> operands, Attributes attributes,
                               const Extent&) {
  attributes.axes <<= 1;
  ++attributes.axis;
  return call(id, std::move(attributes), {operands[0].operand});
}

Array batch_rules::concat(StructuralId id, std::span<BatchOperand> operands, Attributes attributes,
                          const Extent& batch) {
  ++attributes.axis;
  std::vector<Operand> all;
  all.reserve(operands.size());
  for (const BatchOperand& operand : operands) all.push_back(in_batch(operand, batch));
  return call(id, std::move(attributes), all);
}

// Places that are a batch are paired with the array: each element of the first axes has places of its own.
Array batch_rules::take(StructuralId id, std::span<BatchOperand> operands, Attributes attributes, const Extent& batch) {
  ++attributes.axis;
  if (!operands[1].batched && attributes.which == 0)
    return call(id, std::move(attributes), {operands[0].operand, operands[1].operand});
  ++attributes.which;
  return call(id, std::move(attributes), {in_batch(operands[0], batch), in_batch(operands[1], batch)});
}

Array batch_rules::update(StructuralId id, std::span<BatchOperand> operands, Attributes attributes,
                          const Extent& batch) {
  const int rank = operands[0].rank();
  ++attributes.axis;
  return call(id, std::move(attributes), {in_batch(operands[0], batch), with_rank(operands[1], rank)});
}

// Arrays of rank 1 become the matrices that they stand for.
Array batch_rules::matmul(StructuralId id, std::span<BatchOperand> operands, Attributes attributes, const Extent&) {
  Operand &a = operands[0].operand, &b = operands[1].operand;
  const bool row = operands[0].rank() == 1, column = operands[1].rank() == 1;
  if (row) a.array = a.array.expand_dims(-2, a.where);
  if (column) b.array = b.array.expand_dims(-1, b.where);
  const int rank = std::max(operands[0].rank(), operands[1].rank());
  Array result = call(id, std::move(attributes), {with_rank(operands[0], rank), with_rank(operands[1], rank)});
  if (row) result = result.index(-2, 0, a.where);
  if (column) result = result.index(-1, 0, a.where);
  return result;
}

}  // namespace frit::arrays
