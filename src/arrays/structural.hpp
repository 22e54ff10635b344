// Operations that look at more than one element of their operands: the table of them. Each is typed by one rule and run by one
// function, for eager and traced arrays.
#pragma once

#include <span>
#include <vector>

#include "arrays/elementwise.hpp"
#include "arrays/type.hpp"

namespace frit::arrays {

enum class StructuralId : std::uint8_t {};

// What is not an operand. Extents that the run needs stand in `extents`.
struct Attributes {
  int which = 0;           // of the list of reductions; take: the axes in front that places and array have together
  std::uint32_t axes = 0;  // bit i: axis i
  bool keep = false;
  int axis = 0;
  Slice slice;                       // update
  std::vector<Extent> extents;       // that the run needs
  std::vector<std::int64_t> values;  // of the extents, when it runs
};

struct BatchOperand;
// What it computes, for costs.
enum class Work : std::uint8_t {
  none,         // moves elements
  one_each,     // one cheap operation for each element of the first operand
  product_sum,  // two for each pair of numbers of two operands that are multiplied
};

struct Structural {
  // The type of the result. Errors: those of a wrong call.
  using Infer = Type (*)(std::span<const Type* const> operands, Attributes& attributes, Extents& extents);
  // `result`: made for the inferred type; it shares no element with an operand. Errors: those that depend on values.
  using Run = void (*)(std::span<const Data* const> operands, const Attributes& attributes, const Data& result,
                       const Workers& workers);
  // The operation inside of vmap (arrays/batch.hpp): the result has the axis of the batch in front, of that extent.
  using Batch = Array (*)(StructuralId id, std::span<BatchOperand> operands, Attributes attributes,
                          const Extent& batch);

  const char* name;
  Infer infer;
  Run run;
  Batch batch;
  bool can_raise;
  Work work;

  // A row has all of them.
  constexpr Structural(const char* its_name, Infer its_infer, Run its_run, Batch its_batch, bool raises = false,
                       Work its_work = Work::none)
      : name(its_name), infer(its_infer), run(its_run), batch(its_batch), can_raise(raises), work(its_work) {}
};

// The rows of the table.
namespace structural {
StructuralId reduce();
StructuralId cumulative();
StructuralId concat();
StructuralId take();
StructuralId update();
StructuralId matmul();
StructuralId repeat();
}  // namespace structural
const Structural& structural_of(StructuralId id);

}  // namespace frit::arrays
