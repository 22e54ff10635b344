#include "arrays/routine_structural.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "exec/matmul.hpp"
#include "exec/reduce.hpp"
#include "ops/list.hpp"
#include "ops/reduce.hpp"

namespace frit::arrays {
namespace {

using plan::RoutineValue;
using Kind = plan::RoutineStep::Kind;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// Of what each result of a short reduction is made: the op that combines two elements, and what they begin with where that
// rounds and so is part of the result (ops/reduce.hpp).
struct Combination {
  OpId op;
  std::optional<int> first;
};
// For results of this dtype.
template <class... Rs>
std::optional<Combination> combination_of(int which, DType dtype, ops::ReductionList<Rs...> /*all*/) {
  std::optional<Combination> found;
  const auto look_at = [&]<class R>() {
    if constexpr (requires { typename R::Pairwise; }) {
      if (which != ops::reduction_id<R> || (is_complex(dtype) && !R::info.parts_apart)) return;
      found = Combination{ops::id_of<typename R::Pairwise>, {}};
      if (R::info.ordered) found->first = R::template neutral<int>();
    }
  };
  (look_at.template operator()<Rs>(), ...);
  return found;
}

// Operations that put elements of their operands somewhere: run on the numbers of the elements.
Elements moved(RoutineValues& values, const StructuralCall& call, const Type& type,
               std::span<const Elements> operands) {
  Elements result{type.dtype, static_extents(type), {}};
  std::vector<Data> data;
  std::vector<const Data*> pointers;
  pointers.reserve(operands.size());
  std::vector<Element> all;
  for (const Elements& operand : operands) {
    data.push_back(numbered(operand.extents, static_cast<std::int64_t>(all.size())));
    for (const Element& element : operand.all) all.push_back(values.converted(element, operand.dtype, result.dtype));
  }
  for (const Data& one : data) pointers.push_back(&one);
  Attributes attributes = call.attributes;
  for (const Extent& extent : attributes.extents) {
    if (extent.is_symbolic()) throw NoRoutine{};
    attributes.values.push_back(extent.constant());
  }
  const Data places = make_data(DType::i64, result.extents);
  structural_of(call.id).run(pointers, attributes, places, {&exec::active_table(), 1, 0});
  for (const std::int64_t place : numbers_in(places)) result.all.push_back(all[index(place)]);
  return result;
}

// One block of the tree of ops/reduce.hpp in which each lane has one element at most; missing ones are left out.
Element combined(RoutineValues& values, const Combination& how, std::vector<Element> elements, DType dtype) {
  const auto both = [&](const Element& a, const Element& b) { return values.op(how.op, std::array{a, b}, dtype); };
  if (how.first) {
    Element first;
    for (RoutineValue& part : first.parts) part = values.literal(real_of(dtype), *how.first, *how.first);
    if (elements.empty()) return first;
    for (Element& element : elements) element = both(first, element);
  }
  for (std::size_t half = exec::reduce_lanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = half; lane < std::min(elements.size(), 2 * half); ++lane)
      elements[lane - half] = both(elements[lane - half], elements[lane]);
    elements.resize(std::min(elements.size(), half));
  }
  return elements[0];
}

Elements reduced(RoutineValues& values, const StructuralCall& call, const Type& type, const Elements& x) {
  const DType inner = type.dtype;
  const std::optional<Combination> how = combination_of(call.attributes.which, inner, ops::AllReductions{});
  if (!how) throw NoRoutine{};
  Elements result{inner, static_extents(type), {}};
  std::vector<std::vector<Element>> rows(index(count_of(result.extents)));
  // The place of the result that each element goes to: that of the axes that are kept.
  std::vector<std::int64_t> at(x.extents.size(), 0);
  for (const Element& element : x.all) {
    std::int64_t row = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis)
      if ((call.attributes.axes >> axis & 1u) == 0) row = row * x.extents[axis] + at[axis];
    rows[index(row)].push_back(values.converted(element, x.dtype, inner));
    for (std::size_t axis = at.size(); axis-- > 0;) {
      if (++at[axis] < x.extents[axis]) break;
      at[axis] = 0;
    }
  }
  for (std::vector<Element>& row : rows) {
    if (row.size() > exec::reduce_lanes || (row.empty() && !how->first)) throw NoRoutine{};
    result.all.push_back(combined(values, *how, std::move(row), inner));
  }
  return result;
}

// In the order of exec/matmul.hpp, which in one block is a chain.
Elements matmul(RoutineValues& values, const Type& type, const Elements& a, const Elements& b) {
  Elements result{type.dtype, static_extents(type), {}};
  const std::int64_t inner = a.extents.back();
  if (a.extents.size() > 2 || b.extents.size() > 2 || inner > exec::matmul_block) throw NoRoutine{};
  const std::int64_t rows = a.extents.size() == 2 ? a.extents[0] : 1;
  const std::int64_t columns = b.extents.size() == 2 ? b.extents[1] : 1;
  const DType real = real_of(result.dtype);
  const auto chain = [&](std::int64_t i, std::int64_t j, int part_a, int part_b) {
    RoutineValue total = values.literal(real, 0, 0);
    for (std::int64_t k = 0; k < inner; ++k) {
      const RoutineValue x = values.converted(a.all[index(i * inner + k)].parts[part_a], real);
      const RoutineValue y = values.converted(b.all[index(k * columns + j)].parts[part_b], real);
      if (is_integer(real)) {
        total = values.integer_op(ops::id_of<ops::Add>,
                                  {total, values.integer_op(ops::id_of<ops::Multiply>, {x, y}, real)}, real);
      } else {
        total = values.step(Kind::fma, {x, y, total}, {values.make(real)}).results[0];
      }
    }
    return total;
  };
  const auto both = [&](OpId op, RoutineValue x, RoutineValue y) {
    return values.op(op, std::array<Element, 2>{Element{{x}}, Element{{y}}}, real).parts[0];
  };
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      Element element{{chain(i, j, 0, 0)}};
      if (b.parts() == 2) element.parts[1] = chain(i, j, 0, 1);
      if (a.parts() == 2 && b.parts() == 2)
        element.parts[0] = both(ops::id_of<ops::Subtract>, element.parts[0], chain(i, j, 1, 1));
      if (a.parts() == 2) {
        const RoutineValue cross = chain(i, j, 1, 0);
        element.parts[1] = b.parts() == 2 ? both(ops::id_of<ops::Add>, element.parts[1], cross) : cross;
      }
      result.all.push_back(element);
    }
  }
  return result;
}

}  // namespace

Data numbered(std::span<const std::int64_t> extents, std::int64_t first) {
  Data data = make_data(DType::i64, extents);
  for (std::int64_t i = 0; i < count_of(extents); ++i) {
    const std::int64_t number = first + i;
    std::memcpy(data.at + i * 8, &number, sizeof number);
  }
  return data;
}
std::vector<std::int64_t> numbers_in(const Data& data) {
  std::vector<std::int64_t> numbers(index(data.size()));
  copy_elements(data, reinterpret_cast<std::byte*>(numbers.data()));
  return numbers;
}

Elements routine_structural(RoutineValues& values, const StructuralCall& call, const Type& type,
                            std::span<const Elements> operands) {
  if (call.id == structural::reduce()) return reduced(values, call, type, operands[0]);
  if (call.id == structural::matmul()) return matmul(values, type, operands[0], operands[1]);
  if (call.id == structural::concat() || call.id == structural::update() || call.id == structural::repeat())
    return moved(values, call, type, operands);
  throw NoRoutine{};
}

}  // namespace frit::arrays
