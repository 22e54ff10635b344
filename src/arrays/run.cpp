// Runs the stages of a lowered program on elements.
#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "arrays/elementwise.hpp"
#include "arrays/lower.hpp"
#include "arrays/value.hpp"
#include "core/few.hpp"

namespace frit::arrays {
namespace {

class Run {
 public:
  Run(const Lowered& lowered, std::span<const Data* const> arguments, std::span<const std::int64_t> symbols,
      const Engine::Impl& engine, const std::int32_t* cancel)
      : lowered_(lowered), program_(*lowered.program), arguments_(arguments), symbols_(symbols), engine_(engine),
        cancel_(cancel), slots_(lowered.slot_count) {}

  std::vector<Data> run();

 private:
  const ArrayNode& node(ValueId id) const { return program_.nodes[id]; }
  // The elements of a stored node.
  const Data& data(ValueId id) const {
    const ArrayNode& n = node(id);
    if (n.kind == ArrayNode::Kind::argument) return *arguments_[n.payload];
    if (n.kind == ArrayNode::Kind::captured) return program_.captured[n.payload];
    return slots_[lowered_.slots[id]];
  }
  std::span<const std::int64_t> extents_of(const Type& type) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(type.rank); ++i)
      extents_[i] = Symbols::evaluate(type.extents[i], symbols_);
    return std::span(extents_).first(static_cast<std::size_t>(type.rank));
  }
  // A number or an extent as an array of rank 0.
  Data scalar(ValueId id) const;
  std::complex<double> parameter(ValueId id, DType width) const;
  bool is_number(ValueId id) const {
    return node(id).kind == ArrayNode::Kind::number || node(id).kind == ArrayNode::Kind::extent;
  }
  void check_weak(ValueId id, const Data& number, DType dtype) const;
  void loop(const Stage& stage);
  void single(ValueId id);

  const Lowered& lowered_;
  const Program& program_;
  std::span<const Data* const> arguments_;
  std::span<const std::int64_t> symbols_;
  const Engine::Impl& engine_;
  const std::int32_t* cancel_;
  Few<Data, 4> slots_;
  std::array<std::int64_t, max_rank> extents_{};
  Few<FritOperand, 8> operands_;
  Few<double, 16> scalars_;
  Few<FritResult, 4> results_;
  std::vector<Data> copies_;  // of columns that are no runs
  Few<Data, 4> inputs_;
  Few<const Data*, 4> pointers_;
};

Data Run::scalar(ValueId id) const {
  const ArrayNode& n = node(id);
  Data result = make_data(n.type.dtype, {});
  if (n.kind == ArrayNode::Kind::extent) {
    const std::int64_t value = Symbols::evaluate(program_.extents[n.payload], symbols_);
    std::memcpy(result.at, &value, sizeof value);
    return result;
  }
  const Number& number = program_.numbers[n.payload];
  if (number.kind == Operand::Kind::boolean) {
    result.at[0] = static_cast<std::byte>(number.integer != 0 ? 1 : 0);
  } else if (number.kind == Operand::Kind::integer) {
    std::memcpy(result.at, &number.integer, sizeof number.integer);
  } else {
    std::memcpy(result.at, &number.value, size_of(result.dtype));
  }
  return result;
}

// As a loop of this width takes it: rounded once, as an eager operation rounds.
std::complex<double> Run::parameter(ValueId id, DType width) const {
  const ArrayNode& n = node(id);
  const auto rounded = [&](auto x) {
    return width == DType::f32 ? static_cast<double>(static_cast<float>(x)) : static_cast<double>(x);
  };
  if (n.kind == ArrayNode::Kind::extent) return rounded(Symbols::evaluate(program_.extents[n.payload], symbols_));
  const Data& stored = data(id);
  const auto read = [&]<class T>(T) {
    T x;
    std::memcpy(&x, stored.at, sizeof x);
    return rounded(x);
  };
  switch (stored.dtype) {
    case DType::boolean:
    case DType::u8: return read(std::uint8_t{});
    case DType::i8: return read(std::int8_t{});
    case DType::i16: return read(std::int16_t{});
    case DType::i32: return read(std::int32_t{});
    case DType::i64: return read(std::int64_t{});
    case DType::u16: return read(std::uint16_t{});
    case DType::u32: return read(std::uint32_t{});
    case DType::u64: return read(std::uint64_t{});
    case DType::f32: return read(float{});
    case DType::f64: return read(double{});
    case DType::c64: {
      float parts[2];
      std::memcpy(parts, stored.at, sizeof parts);
      return {parts[0], parts[1]};
    }
    default: {
      double parts[2];
      std::memcpy(parts, stored.at, sizeof parts);
      return {rounded(parts[0]), rounded(parts[1])};
    }
  }
}

void Run::loop(const Stage& stage) {
  const auto extents = extents_of(stage.shape);
  std::int64_t n = 1;
  for (const std::int64_t extent : extents) n *= extent;
  const auto rank = static_cast<int>(extents.size());
  operands_.clear();
  scalars_.clear();
  results_.clear();
  copies_.clear();
  for (const ValueId id : stage.columns) {
    const Data& column = data(id);
    const std::array<std::array<std::int64_t, max_rank>, 1> strides{strides_as(column, extents)};
    const Nest nest = collapse(extents, strides);
    const std::byte* at = column.at;
    std::int64_t stride = nest.rank == 0 ? 0 : nest.strides[0][static_cast<std::size_t>(nest.rank - 1)];
    if (nest.rank > 1) {
      // NOTE: what is not one run of elements is copied. Rows of a nest would save the copy where they are long.
      Data seen = column;
      seen.rank = rank;
      std::copy(extents.begin(), extents.end(), seen.extents.begin());
      seen.strides = strides[0];
      copies_.push_back(contiguous(seen));
      at = copies_.back().at;
      stride = static_cast<std::int64_t>(size_of(column.dtype));
    }
    operands_.push_back({at, stride, static_cast<std::int32_t>(column.dtype), 0});
  }
  const DType width = stage.function->options.dtype;
  for (const ValueId id : stage.parameters) {
    const std::complex<double> value = parameter(id, width);
    scalars_.push_back(value.real());
    scalars_.push_back(value.imag());
  }
  for (const ValueId id : stage.outputs) {
    Data& result = slots_[lowered_.slots[id]];
    result = make_data(node(id).type.dtype, extents);
    results_.push_back({result.at, static_cast<std::int32_t>(result.dtype), 0});
  }
  if (n > 0) runtime::run_call(*stage.function, {operands_, scalars_, n}, results_, cancel_);
}

// A weak integer takes the dtype beside it, and must fit.
void Run::check_weak(ValueId id, const Data& number, DType dtype) const {
  if (!node(id).type.weak || number.dtype != DType::i64 || !is_integer(dtype)) return;
  std::int64_t value = 0;
  std::memcpy(&value, number.at, sizeof value);
  check_fits(value, dtype);
}

void Run::single(ValueId id) {
  const ArrayNode& n = node(id);
  const auto ids = program_.operands(n);
  inputs_.resize(ids.size());
  pointers_.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    inputs_[i] = is_number(ids[i]) ? scalar(ids[i]) : data(ids[i]);
    pointers_[i] = &inputs_[i];
  }
  Data& result = slots_[lowered_.slots[id]];
  const auto extents = extents_of(n.type);
  switch (n.kind) {
    case ArrayNode::Kind::view: {
      const View& view = program_.views[n.payload];
      result = apply(view, inputs_[0], extents, Symbols::evaluate(view.start, symbols_));
      return;
    }
    case ArrayNode::Kind::convert:
      result = make_data(n.type.dtype, extents);
      convert(inputs_[0], result, workers_of(engine_));
      return;
    case ArrayNode::Kind::op: {
      Elementwise op;
      op.op = n.op;
      op.count = static_cast<int>(ids.size());
      op.operands = n.operand_dtypes;
      op.integer = true;
      op.result.dtype = n.type.dtype;
      for (std::size_t i = 0; i < ids.size(); ++i) check_weak(ids[i], inputs_[i], n.operand_dtypes[i]);
      result = make_data(n.type.dtype, extents);
      run_elementwise(op, pointers_, result, workers_of(engine_));
      return;
    }
    default: {
      const StructuralCall& call = program_.calls[n.payload];
      result = make_data(n.type.dtype, extents);
      structural_of(call.id).run(pointers_, call.attributes, result, workers_of(engine_));
    }
  }
}

std::vector<Data> Run::run() {
  std::optional<Error> first;
  ValueId raised = 0;
  for (const Stage& stage : lowered_.stages) {
    if (stage.kind == Stage::Kind::loop) {
      loop(stage);
    } else {
      try {
        single(stage.node);
      } catch (const Error& error) {
        // NOTE: the error of a call is the first in the order of the program, and stages may have another one. What depends on
        // the node comes behind it there, so its elements may be anything.
        const ArrayNode& n = node(stage.node);
        if (!program_.can_raise(n) || class_of(error.code()) != ErrorClass::user) throw;
        if (!first || stage.node < raised) {
          first.emplace(error.code(), fmt::format("{} (at {}:{})", error.message(), n.where.file, n.where.line));
          raised = stage.node;
        }
      }
    }
    for (const std::uint32_t slot : stage.freed) slots_[slot] = {};
  }
  if (first) throw *first;
  std::vector<Data> outputs;
  for (const ValueId id : program_.outputs) {
    Data output = is_number(id) ? scalar(id) : data(id);
    outputs.push_back(output.buffer ? std::move(output) : copy_of(output));
  }
  return outputs;
}

}  // namespace

std::vector<Data> run(const Lowered& lowered, std::span<const Data* const> arguments,
                      std::span<const std::int64_t> symbols, const Engine::Impl& engine, const std::int32_t* cancel) {
  return Run(lowered, arguments, symbols, engine, cancel).run();
}

}  // namespace frit::arrays
