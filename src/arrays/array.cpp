// Array: a handle whose operations run at once on elements, or are recorded where one of the operands is traced.
#include "frit/array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>

#include "arrays/batch.hpp"
#include "arrays/trace.hpp"
#include "arrays/value.hpp"
#include "frit/engine.hpp"
#include "frit/functions.hpp"
#include "ops/list.hpp"
#include "ops/table.hpp"

namespace frit {

using arrays::Access;
using arrays::ArrayNode;
using arrays::Data;
using arrays::Trace;
using arrays::Type;
using arrays::Value;
using arrays::View;

namespace arrays {

const Value& Access::value(const Array& array) {
  if (array.value_ == nullptr) throw Error(ErrorCode::usage, "an Array that was never given a value is used");
  return *array.value_;
}

Type type_of(const Data& data, bool weak) {
  Type type;
  type.dtype = data.dtype;
  type.weak = weak;
  type.rank = data.rank;
  for (std::size_t i = 0; i < static_cast<std::size_t>(data.rank); ++i) type.extents[i] = data.extents[i];
  return type;
}

void check_cancelled(const std::int32_t* cancel) {
  if (cancel != nullptr && __atomic_load_n(cancel, __ATOMIC_RELAXED) != 0)
    throw Error(ErrorCode::cancelled, "the call was cancelled");
}

Workers workers_of(const Engine::Impl& engine) { return {engine.table, engine.threads, engine.process}; }

Array eager(std::shared_ptr<Engine::Impl> engine, Data data, bool weak) {
  auto value = std::make_shared<Value>();
  value->type = type_of(data, weak);
  value->data = std::move(data);
  value->engine = std::move(engine);
  return Access::make(std::move(value));
}

void write_number(const Number& number, std::byte* to) {
  switch (number.kind) {
    case Operand::Kind::boolean: *to = static_cast<std::byte>(number.integer != 0 ? 1 : 0); break;
    case Operand::Kind::integer: std::memcpy(to, &number.integer, sizeof number.integer); break;
    case Operand::Kind::floating: {
      const double x = number.value.real();
      std::memcpy(to, &x, sizeof x);
      break;
    }
    default: std::memcpy(to, &number.value, sizeof number.value);
  }
}

Data number_data(const Operand& operand) {
  Data data = make_data(default_dtype(operand.kind), {});
  write_number(number_of(operand), data.at);
  return data;
}

Home home_of(std::span<const Operand* const> operands) {
  Home home;
  for (const Operand* operand : operands) {
    if (operand->extent.is_symbolic()) {
      home.trace = Recording::of(operand->extent);
      if (home.engine && home.engine != home.trace->engine())
        throw Error(ErrorCode::usage, "the operands belong to different engines; copy one with frit::array");
      home.engine = home.trace->engine();
    }
    if (operand->kind != Operand::Kind::array) continue;
    for (const Batch* batch = batch_of(operand->array); batch != nullptr; batch = batch_of(batch->inside))
      if (batch->level->ended)
        throw Error(ErrorCode::traced_value, "an array of a vmap that has ended is used: return it from the callable");
    const Value& value = Access::value(root_of(operand->array));
    const auto& engine = value.trace ? value.trace->engine() : value.engine;
    if (home.engine && home.engine != engine)
      throw Error(ErrorCode::usage, "the operands belong to different engines; copy one with frit::array");
    if (!home.engine) home.engine = engine;
    if (!value.trace) continue;
    if (value.trace->is_finished())
      throw Error(ErrorCode::traced_value,
                  "an array of a function or region that has been traced already is used: return it from there");
    if (home.trace && !home.trace->is_of(*value.trace))
      throw Error(ErrorCode::traced_value,
                  "arrays of two functions that are being traced are mixed; pass one as an argument");
    home.trace = value.trace->active();
  }
  if (!home.engine)
    throw Error(ErrorCode::usage, "an operation needs an array among its operands; make one with frit::scalar");
  return home;
}

Extents& extents_of(const Home& home, Numbers& numbers) {
  return home.trace ? static_cast<Extents&>(*home.trace) : numbers;
}

bool has_no_elements(const Array& array) { return Access::value(array).trace || Access::value(array).batch; }

namespace {

// What a composite op is expanded with.
struct Expanded {
  Array array;
  SourceLine where;
  friend Expanded operator+(const Expanded& a, const Expanded& b) { return a.with(ops::id_of<ops::Add>, b); }
  friend Expanded operator*(const Expanded& a, const Expanded& b) { return a.with(ops::id_of<ops::Multiply>, b); }
  friend Expanded real(const Expanded& a) { return is_complex(a) ? a.with(ops::id_of<ops::Real>) : a; }
  friend Expanded imag(const Expanded& a) { return a.with(ops::id_of<ops::Imag>); }
  friend bool is_complex(const Expanded& a) { return frit::is_complex(a.array.dtype()); }

  Expanded with(OpId op) const {
    const Operand a(array, where);
    return {frit::arrays::apply(op, std::array{&a}), where};
  }
  Expanded with(OpId op, const Expanded& other) const {
    const Operand a(array, where), b(other.array, where);
    return {frit::arrays::apply(op, std::array{&a, &b}), where};
  }
};

Array expand(OpId op, const Operand& operand) {
  if (operand.kind != Operand::Kind::array)
    throw Error(ErrorCode::usage, "an operation needs an array among its operands");
  Array result;
  ops::for_each_op(ops::AllOps{}, [&]<class Op>() {
    if constexpr (ops::Composite<Op>) {
      if (ops::id_of<Op> == op) result = Op::expand(Expanded{operand.array, operand.where}).array;
    }
  });
  return result;
}

// A weak integer takes the dtype beside it, and must fit.
void check_weak_integers(const Elementwise& inferred, std::span<const Type* const> types,
                         std::span<const Data* const> data) {
  for (std::size_t i = 0; inferred.integer && i < types.size(); ++i) {
    if (!types[i]->weak || types[i]->dtype != DType::i64 || !is_integer(inferred.operands[i])) continue;
    std::int64_t value = 0;
    std::memcpy(&value, data[i]->at, sizeof value);
    check_fits(value, inferred.operands[i]);
  }
}

Array apply_eager(OpId op, std::span<const Operand* const> operands, std::shared_ptr<Engine::Impl> engine) {
  Numbers numbers;
  std::array<std::array<std::byte, 16>, 3> storage;
  std::array<Data, 3> scalars;  // numbers as arrays of rank 0
  std::array<Type, 3> number_types;
  std::array<const Type*, 3> types{};
  std::array<const Data*, 3> data{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i]->kind == Operand::Kind::array) {
      const Value& value = Access::value(operands[i]->array);
      types[i] = &value.type;
      data[i] = &value.data;
    } else {
      write_number(number_of(*operands[i]), storage[i].data());
      scalars[i].dtype = default_dtype(operands[i]->kind);
      scalars[i].at = storage[i].data();
      number_types[i] = type_of(scalars[i], true);
      types[i] = &number_types[i];
      data[i] = &scalars[i];
    }
  }
  const Elementwise inferred = infer(op, std::span(types).first(operands.size()), numbers);
  check_weak_integers(inferred, std::span(types).first(operands.size()), std::span(data).first(operands.size()));
  std::array<std::int64_t, max_rank> extents{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(inferred.result.rank); ++i)
    extents[i] = inferred.result.extents[i].constant();
  Data result =
      make_data(inferred.result.dtype, std::span(extents).first(static_cast<std::size_t>(inferred.result.rank)),
                engine->memory.get());
  run_elementwise(inferred, std::span(data).first(operands.size()), result, workers_of(*engine));
  return eager(std::move(engine), std::move(result), inferred.result.weak);
}

Array apply_traced(OpId op, std::span<const Operand* const> operands, Trace& trace) {
  ArrayNode node;
  node.kind = ArrayNode::Kind::op;
  node.op = op;
  std::array<ValueId, 3> ids{};
  std::array<Type, 3> copies;
  std::array<const Type*, 3> types{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    ids[i] = trace.node_of(*operands[i]);
    copies[i] = trace.node(ids[i]).type;
    types[i] = &copies[i];
  }
  const Elementwise inferred = infer(op, std::span(types).first(operands.size()), trace);
  node.type = inferred.result;
  node.operand_dtypes = inferred.operands;
  node.where = operands[0]->where;
  return trace.array(node, std::span(ids).first(operands.size()));
}

void check_readable(const Array& array) {
  if (batch_of(array) != nullptr)
    throw Error(ErrorCode::traced_value,
                "an array inside of vmap stands for all of a batch: return it from the callable to read its elements");
  if (Access::value(array).trace)
    throw Error(ErrorCode::traced_value,
                "the elements of a traced array are known at a call only: return it from the function to read it");
}

using InferView = std::function<View(const Type& from, Type& to, Extents& extents)>;
Array apply_view(const Array& array, const SourceLine& where, auto infer_view, std::span<const Extent> shape = {});

// The view of what is inside of a batch.
Array batch_view(const Array& array, const SourceLine& where, const InferView& infer_view) {
  const Value& value = Access::value(array);
  const Operand self(array, where);
  const Home home = home_of(std::array{&self});
  Numbers numbers;
  Type type;
  const std::shared_ptr<Trace> trace = home.trace ? home.trace : Recording::innermost();
  View view = infer_view(value.type, type, trace ? static_cast<Extents&>(*trace) : numbers);
  Array inside = value.batch->inside;
  for (int i = value.type.rank; view.kind == View::Kind::broadcast && i < type.rank; ++i)
    inside = inside.expand_dims(1, where);
  shift_for_batch(view, type, value.batch->level->extent);
  const InferView shifted = [&](const Type&, Type& to, Extents&) {
    to = type;
    return view;
  };
  return make_batch(apply_view(inside, where, shifted, type.shape()), value.batch->level);
}

// `shape`: extents that the view names; where one is symbolic, an eager array becomes one of the trace.
Array apply_view(const Array& array, const SourceLine& where, auto infer_view, std::span<const Extent> shape) {
  return located(where, [&] {
    const Value& value = Access::value(array);
    Type type;
    if (value.batch) return batch_view(array, where, infer_view);
    const auto symbolic = std::find_if(shape.begin(), shape.end(), [](const Extent& e) { return e.is_symbolic(); });
    if (value.trace || symbolic != shape.end()) {
      const Operand self(array, where);
      const auto trace = value.trace ? home_of(std::array{&self}).trace : Recording::of(*symbolic);
      const ValueId id = trace->node_of(self);
      const Type from = trace->node(id).type;
      const View view = infer_view(from, type, static_cast<Extents&>(*trace));
      type.weak = false;
      ArrayNode node;
      node.kind = ArrayNode::Kind::view;
      node.payload = trace->add_view(view);
      node.type = type;
      node.where = where;
      return trace->array(node, {&id, 1});
    }
    Numbers numbers;
    const View view = infer_view(value.type, type, static_cast<Extents&>(numbers));
    std::array<std::int64_t, max_rank> extents{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(type.rank); ++i) extents[i] = type.extents[i].constant();
    return eager(value.engine, apply(view, value.data, std::span(extents).first(static_cast<std::size_t>(type.rank)),
                                     view.start.constant()));
  });
}

// x^n for a literal n >= 0: squares first, then the product of those whose bit is set, from the lowest; the chain of
// docs/numerics.md.
Array chain(const Operand& x, std::int64_t n) {
  std::optional<Array> result;
  Array square = x.array;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = result ? multiply(Operand(*result, x.where), Operand(square, x.where)) : square;
    if (n > 1) square = multiply(Operand(square, x.where), Operand(square, x.where));
  }
  return *result;
}

// NOTE: x^0 and x^1 stay calls of pow, which gives 1 and x: their dtype is that of a power.
bool is_chain(OpId op, std::span<const Operand* const> operands) {
  return op == ops::id_of<ops::Power> && operands[0]->kind == Operand::Kind::array &&
         operands[1]->kind == Operand::Kind::integer && !operands[1]->extent.is_symbolic() &&
         operands[1]->integer >= 2 && operands[1]->integer <= 16;
}

bool is_boolean(const Operand& a) {
  return a.kind == Operand::Kind::boolean || (a.kind == Operand::Kind::array && a.array.dtype() == DType::boolean);
}

// Choices and comparisons of booleans, in logical ops; the table has those of numbers. An array that was never given a value
// where it is none of them.
Array apply_to_booleans(OpId op, std::span<const Operand* const> operands) {
  const bool chooses = op == ops::id_of<ops::Select>, same = op == ops::id_of<ops::Equal>;
  if (!chooses && !same && op != ops::id_of<ops::NotEqual>) return {};
  for (const Operand* operand : operands)
    if (!is_boolean(*operand)) return {};
  const SourceLine where = operands[0]->where;
  const auto at = [&](Array array) { return Operand(std::move(array), where); };
  if (chooses)
    return logical_or(at(logical_and(*operands[0], *operands[1])),
                      at(logical_and(at(logical_not(*operands[0])), *operands[2])));
  const Array differ = logical_xor(*operands[0], *operands[1]);
  return same ? logical_not(at(differ)) : differ;
}

}  // namespace

Array apply(OpId op, std::span<const Operand* const> operands) {
  return located(operands[0]->where, [&] {
    if (is_composite(op)) return expand(op, *operands[0]);
    if (is_chain(op, operands)) return chain(*operands[0], operands[1]->integer);
    if (Array result = apply_to_booleans(op, operands); Access::is_set(result)) return result;
    if (has_batch(operands)) return apply_batch(op, operands);
    Home home = home_of(operands);
    if (home.trace) return apply_traced(op, operands, *home.trace);
    check_cancelled(home.engine->cancel);
    return apply_eager(op, operands, std::move(home.engine));
  });
}

Array apply(StructuralId id, Attributes attributes, std::span<const Operand* const> operands) {
  return located(operands[0]->where, [&] {
    if (has_batch(operands)) return apply_batch(id, std::move(attributes), operands);
    const Home home = home_of(operands);
    const Structural& row = structural_of(id);
    std::vector<Type> copies(operands.size());
    std::vector<const Type*> types(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) types[i] = &copies[i];
    if (home.trace) {
      std::vector<ValueId> ids;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        ids.push_back(home.trace->node_of(*operands[i]));
        copies[i] = home.trace->node(ids[i]).type;
      }
      ArrayNode node;
      node.kind = ArrayNode::Kind::structural;
      node.type = row.infer(types, attributes, *home.trace);
      node.payload = home.trace->add_call({id, std::move(attributes)});
      node.where = operands[0]->where;
      return home.trace->array(node, ids);
    }
    check_cancelled(home.engine->cancel);
    std::vector<Data> data;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool is_array = operands[i]->kind == Operand::Kind::array;
      data.push_back(is_array ? Access::value(operands[i]->array).data : number_data(*operands[i]));
      copies[i] = is_array ? Access::value(operands[i]->array).type : type_of(data[i], true);
    }
    std::vector<const Data*> pointers;
    pointers.reserve(data.size());
    for (const Data& one : data) pointers.push_back(&one);
    Numbers numbers;
    const Type type = row.infer(types, attributes, numbers);
    std::array<std::int64_t, max_rank> extents{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(type.rank); ++i) extents[i] = type.extents[i].constant();
    for (const Extent& extent : attributes.extents) attributes.values.push_back(extent.constant());
    Data result =
        make_data(type.dtype, std::span(extents).first(static_cast<std::size_t>(type.rank)), home.engine->memory.get());
    row.run(pointers, attributes, result, workers_of(*home.engine));
    return eager(home.engine, std::move(result), type.weak);
  });
}

Array number_beside(const Array& array, const Operand& number) {
  const Value& value = Access::value(root_of(array));
  if (!value.trace && !number.extent.is_symbolic()) return eager(value.engine, number_data(number), true);
  auto made = std::make_shared<Value>();
  made->trace = value.trace ? value.trace->active() : Recording::of(number.extent);
  made->node = made->trace->node_of(number);
  made->type = made->trace->node(made->node).type;
  return Access::make(std::move(made));
}

Extent elements_over(const Array& array, std::uint32_t axes) {
  const Value& value = Access::value(array);
  const Operand self(array, SourceLine{});
  const Home home = home_of(std::array{&self});
  Numbers numbers;
  Extents& extents = extents_of(home, numbers);
  Extent count = 1;
  for (int i = 0; i < value.type.rank; ++i)
    if ((axes >> i & 1u) != 0) count = extents.product(count, value.type.extents[static_cast<std::size_t>(i)]);
  return count;
}

Array call(int op, std::initializer_list<const Operand*> operands) {
  return apply(static_cast<OpId>(op), std::span(operands.begin(), operands.size()));
}

}  // namespace arrays

DType Array::dtype() const { return Access::value(*this).type.dtype; }
int Array::rank() const { return Access::value(*this).type.rank; }
bool Array::is_traced() const { return Access::value(arrays::root_of(*this)).trace != nullptr; }

Extent Array::extent(int axis) const {
  const Type& type = Access::value(*this).type;
  return type.extents[static_cast<std::size_t>(arrays::checked_axis(axis, type.rank, "extent"))];
}

std::vector<Extent> Array::shape() const {
  const Type& type = Access::value(*this).type;
  return {type.shape().begin(), type.shape().end()};
}

std::int64_t Array::size() const {
  std::int64_t n = 1;
  for (const Extent& extent : Access::value(*this).type.shape()) n *= static_cast<std::int64_t>(extent);
  return n;
}

void Array::check_type(std::size_t size, DType wanted) const {
  arrays::check_readable(*this);
  const DType own = dtype();
  if (own != wanted || size != size_of(own))
    throw Error(
        ErrorCode::dtype_mismatch,
        fmt::format("an array of dtype {} is read as {}; convert it with astype first", name_of(own), name_of(wanted)));
}

void Array::copy_to(void* to) const {
  arrays::check_readable(*this);
  arrays::copy_elements(Access::value(*this).data, static_cast<std::byte*>(to));
}

Array::operator bool() const {
  const Value& value = Access::value(*this);
  if (arrays::has_no_elements(*this))
    throw Error(
        ErrorCode::traced_value,
        "a branch of C++ on a traced array can't be recorded, since its value is known at a call only; choose between "
        "values with where(condition, a, b)");
  if (value.type.dtype != DType::boolean)
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("an array of dtype {} is no truth value; compare it first", name_of(value.type.dtype)));
  return item<bool>();
}

Array Array::slice(int axis, Slice elements, SourceLine where) const {
  return arrays::apply_view(*this, where, [&](const Type& from, Type& to, arrays::Extents& extents) {
    return slice_view(from, axis, elements, to, extents);
  });
}
Array Array::index(int axis, std::int64_t element, SourceLine where) const {
  return arrays::apply_view(*this, where, [&](const Type& from, Type& to, arrays::Extents& extents) {
    return index_view(from, axis, element, to, extents);
  });
}
Array Array::transpose(std::vector<int> axes, SourceLine where) const {
  return arrays::apply_view(
      *this, where, [&](const Type& from, Type& to, arrays::Extents&) { return transpose_view(from, axes, to); });
}
Array Array::broadcast_to(std::vector<Extent> shape, SourceLine where) const {
  return arrays::apply_view(
      *this, where,
      [&](const Type& from, Type& to, arrays::Extents& extents) { return broadcast_view(from, shape, to, extents); },
      shape);
}
Array Array::expand_dims(int axis, SourceLine where) const {
  return arrays::apply_view(*this, where,
                            [&](const Type& from, Type& to, arrays::Extents&) { return expand_view(from, axis, to); });
}
Array Array::reshape(std::vector<Extent> shape, SourceLine where) const {
  return arrays::apply_view(
      *this, where,
      [&](const Type& from, Type& to, arrays::Extents& extents) { return reshape_view(from, shape, to, extents); },
      shape);
}

Array Array::astype(DType dtype, SourceLine where) const {
  return arrays::located(where, [&] {
    const Value& value = Access::value(*this);
    arrays::check_conversion(value.type.dtype, dtype);
    if (value.type.dtype == dtype && !value.type.weak) return *this;
    if (value.batch) return arrays::make_batch(value.batch->inside.astype(dtype, where), value.batch->level);
    if (value.trace) {
      const Operand self(*this, where);
      const auto trace = arrays::home_of(std::array{&self}).trace;
      const arrays::ValueId id = trace->node_of(self);
      ArrayNode node;
      node.kind = ArrayNode::Kind::convert;
      node.type = value.type;
      node.type.dtype = dtype;
      node.type.weak = false;
      node.where = where;
      return trace->array(node, {&id, 1});
    }
    Data result =
        arrays::make_data(dtype, std::span(value.data.extents).first(static_cast<std::size_t>(value.data.rank)));
    arrays::convert(value.data, result, arrays::workers_of(*value.engine));
    return arrays::eager(value.engine, std::move(result));
  });
}

Array array(const Engine& engine, const void* elements, DType dtype, std::span<const std::int64_t> shape) {
  if (shape.size() > static_cast<std::size_t>(max_rank))
    throw Error(ErrorCode::shape_mismatch, fmt::format("an array has at most {} axes, not {}", max_rank, shape.size()));
  for (const std::int64_t extent : shape)
    if (extent < 0)
      throw Error(ErrorCode::shape_mismatch, fmt::format("an extent is {}; extents are 0 or more", extent));
  Data data = arrays::make_data(dtype, shape);
  if (const std::int64_t n = data.size(); n > 0)
    std::memcpy(data.at, elements, static_cast<std::size_t>(n) * size_of(dtype));
  return arrays::eager(engine.impl(), std::move(data));
}

namespace {

template <class Op> Array operate(const Operand& a, const Operand& b) {
  return arrays::apply(ops::id_of<Op>, std::array{&a, &b});
}
template <class Op> Array operate(const Operand& a) { return arrays::apply(ops::id_of<Op>, std::array{&a}); }

}  // namespace

Array operator+(const Operand& a, const Operand& b) { return operate<ops::Add>(a, b); }
Array operator-(const Operand& a, const Operand& b) { return operate<ops::Subtract>(a, b); }
Array operator*(const Operand& a, const Operand& b) { return operate<ops::Multiply>(a, b); }
Array operator/(const Operand& a, const Operand& b) { return operate<ops::Divide>(a, b); }
Array operator%(const Operand& a, const Operand& b) { return operate<ops::Remainder>(a, b); }
Array operator<(const Operand& a, const Operand& b) { return operate<ops::Less>(a, b); }
Array operator<=(const Operand& a, const Operand& b) { return operate<ops::LessEqual>(a, b); }
Array operator>(const Operand& a, const Operand& b) { return operate<ops::Greater>(a, b); }
Array operator>=(const Operand& a, const Operand& b) { return operate<ops::GreaterEqual>(a, b); }
Array operator==(const Operand& a, const Operand& b) { return operate<ops::Equal>(a, b); }
Array operator!=(const Operand& a, const Operand& b) { return operate<ops::NotEqual>(a, b); }
Array operator&(const Operand& a, const Operand& b) {
  return arrays::is_boolean(a) || arrays::is_boolean(b) ? operate<ops::And>(a, b) : operate<ops::BitwiseAnd>(a, b);
}
Array operator|(const Operand& a, const Operand& b) {
  return arrays::is_boolean(a) || arrays::is_boolean(b) ? operate<ops::Or>(a, b) : operate<ops::BitwiseOr>(a, b);
}
Array operator^(const Operand& a, const Operand& b) {
  return arrays::is_boolean(a) || arrays::is_boolean(b) ? operate<ops::Xor>(a, b) : operate<ops::BitwiseXor>(a, b);
}
Array operator~(const Operand& a) {
  return arrays::is_boolean(a) ? operate<ops::Not>(a) : operate<ops::BitwiseInvert>(a);
}
Array operator-(const Operand& a) { return operate<ops::Negate>(a); }

}  // namespace frit
