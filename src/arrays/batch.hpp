// Arrays inside of vmap: what is behind them is an array with one more axis in front, the axis of the batch. An operation on them
// is the operation on those, by a rule; vmaps inside of others stand behind each other, the innermost first to be seen.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "arrays/structural.hpp"
#include "frit/array.hpp"

namespace frit::arrays {

// One vmap that is running.
struct Level {
  int depth = 0;  // of vmaps around it
  Extent extent;  // of its axis
  bool ended = false;
};
// Of an array, ascending in depth.
using Levels = std::vector<std::shared_ptr<const Level>>;

struct Batch {
  Array inside;  // its first axis is that of the level
  std::shared_ptr<const Level> level;
};

// nullptr where the array is no batch.
const Batch* batch_of(const Array& array);
bool has_batch(std::span<const Operand* const> operands);
Array make_batch(Array inside, std::shared_ptr<const Level> level);

// The operations on operands of which one at least is a batch.
Array apply_batch(OpId op, std::span<const Operand* const> operands);
Array apply_batch(StructuralId id, Attributes attributes, std::span<const Operand* const> operands);
// `view` of the array itself as that of what is inside, and its type.
void shift_for_batch(View& view, Type& type, const Extent& batch);

// The array without vmaps: axes of batches, outermost first, then its own.
const Array& root_of(const Array& array);
Levels levels_of(const Array& array);
Array with_root(Array root, const Levels& levels);
// Repeated over the batches of those levels, of which its own are some.
Array with_levels(Array array, const Levels& levels);
Levels united(const Levels& a, const Levels& b);
// The axis `from` as axis `to`, the others in their order.
Array with_axis_moved(const Array& array, int from, int to, SourceLine where);

// An operand of a structural operation.
struct BatchOperand {
  Operand operand;  // what is inside
  bool batched = false;
  int rank() const { return operand.array.rank() - (batched ? 1 : 0); }
};
// Of the rows of the structural table.
namespace batch_rules {
Array one_operand(StructuralId id, std::span<BatchOperand> operands, Attributes attributes, const Extent& batch);
Array concat(StructuralId id, std::span<BatchOperand> operands, Attributes attributes, const Extent& batch);
Array take(StructuralId id, std::span<BatchOperand> operands, Attributes attributes, const Extent& batch);
Array update(StructuralId id, std::span<BatchOperand> operands, Attributes attributes, const Extent& batch);
Array matmul(StructuralId id, std::span<BatchOperand> operands, Attributes attributes, const Extent& batch);
}  // namespace batch_rules

}  // namespace frit::arrays
