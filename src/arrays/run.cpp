// Runs the stages of a lowered program on elements.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "arrays/elementwise.hpp"
#include "arrays/run.hpp"
#include "arrays/value.hpp"
#include "core/fp_state.hpp"

namespace frit::arrays {

Data Run::scalar(ValueId id) const {
  const ArrayNode& n = node(id);
  Data result = make_data(n.type.dtype, {});
  Number number;
  if (n.kind == ArrayNode::Kind::extent) {
    number.kind = Operand::Kind::integer;
    number.integer = Symbols::evaluate(program_.extents[n.payload], symbols_);
  } else {
    number = program_.numbers[n.payload];
  }
  write_number(number, result.at);
  return result;
}

// As a loop of this width takes it: rounded once, as an eager operation rounds.
std::complex<double> Run::parameter(ValueId id, DType width) const {
  const ArrayNode& n = node(id);
  if (n.kind == ArrayNode::Kind::extent) {
    const std::int64_t extent = Symbols::evaluate(program_.extents[n.payload], symbols_);
    return read_parameter(DType::i64, reinterpret_cast<const std::byte*>(&extent), width);
  }
  return read_parameter(data(id).dtype, data(id).at, width);
}

std::complex<double> Run::read_parameter(DType dtype, const std::byte* at, DType width) {
  const auto rounded = [&](auto x) {
    return width == DType::f32 ? static_cast<double>(static_cast<float>(x)) : static_cast<double>(x);
  };
  const auto read = [&]<class T>(T) {
    T x;
    std::memcpy(&x, at, sizeof x);
    return rounded(x);
  };
  switch (dtype) {
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
      std::memcpy(parts, at, sizeof parts);
      return {parts[0], parts[1]};
    }
    default: {
      double parts[2];
      std::memcpy(parts, at, sizeof parts);
      return {rounded(parts[0]), rounded(parts[1])};
    }
  }
}

Data Run::make(ValueId id, std::span<const std::int64_t> extents, bool contiguous) {
  for (std::size_t i = 0; i < into_.size(); ++i)
    if (program_.outputs[i] == id && lowered_.taken[i]) return into_[i];
  if (lowered_.placed_in[id] != no_value)
    if (std::optional<Data> part = make_in_place(id, contiguous)) return *std::move(part);
  return make_data(node(id).type.dtype, extents, engine_.memory.get());
}

// The part of an update's array that the value fills; makes the array.
// NOTE: the loop that writes the part may write up to a vector behind it. That is right since an update has one value, and copies what
// is around it afterwards.
std::optional<Data> Run::make_in_place(ValueId id, bool contiguous) {
  const ValueId update = lowered_.placed_in[id];
  const ArrayNode& n = node(update);
  const Attributes& attributes = program_.calls[n.payload].attributes;
  std::array<std::int64_t, max_rank> extents{};  // not extents_, which the caller may be using
  for (std::size_t i = 0; i < static_cast<std::size_t>(n.type.rank); ++i)
    extents[i] = Symbols::evaluate(n.type.extents[i], symbols_);
  Data& whole = slots_[lowered_.slots[update]];
  whole = make(update, std::span(extents).first(static_cast<std::size_t>(n.type.rank)));
  Data part = along(whole, attributes.axis, Symbols::evaluate(attributes.extents[0], symbols_),
                    Symbols::evaluate(attributes.extents[1], symbols_));
  if (contiguous && !part.is_contiguous()) return std::nullopt;
  return part;
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
  if (n.kind == ArrayNode::Kind::region) return region(id);
  if (n.kind == ArrayNode::Kind::effect)
    return keep(id, run_effect(program_.effects[n.payload], pointers_, symbols_, n.where));
  Data& result = slots_[lowered_.slots[id]];
  const auto extents = extents_of(n.type);
  if (n.kind == ArrayNode::Kind::view) {
    const View& view = program_.views[n.payload];
    result = apply(view, inputs_[0], extents, Symbols::evaluate(view.start, symbols_));
    return;
  }
  // An update that has its value may have its array.
  if (n.kind != ArrayNode::Kind::structural || result.at == nullptr) result = make(id, extents);
  compute(id, pointers_, result);
}

void Run::compute(ValueId id, std::span<const Data* const> operands, const Data& result) const {
  const ArrayNode& n = node(id);
  switch (n.kind) {
    case ArrayNode::Kind::convert: return convert(*operands[0], result, workers_of(engine_));
    case ArrayNode::Kind::op: {
      const auto ids = program_.operands(n);
      Elementwise op;
      op.op = n.op;
      op.count = static_cast<int>(ids.size());
      op.operands = n.operand_dtypes;
      op.integer = true;
      op.result.dtype = n.type.dtype;
      for (std::size_t i = 0; i < ids.size(); ++i) check_weak(ids[i], *operands[i], n.operand_dtypes[i]);
      return run_elementwise(op, operands, result, workers_of(engine_));
    }
    default: {
      const StructuralCall& call = program_.calls[n.payload];
      if (call.attributes.extents.empty())
        return structural_of(call.id).run(operands, call.attributes, result, workers_of(engine_));
      Attributes attributes = call.attributes;
      for (const Extent& extent : attributes.extents) attributes.values.push_back(Symbols::evaluate(extent, symbols_));
      structural_of(call.id).run(operands, attributes, result, workers_of(engine_));
    }
  }
}

// What a node that raised stands for from then on: zeros. What depends on it comes behind it in the program, so nobody sees
// them, and only loops over them must not run.
void Run::fail(ValueId id) {
  if (failed_.empty()) failed_.assign(program_.nodes.size(), false);
  for (std::uint32_t i = 0; i <= program_.result_count(node(id)); ++i) {
    const ValueId one = id + i;
    failed_[one] = true;
    const std::uint32_t slot = lowered_.slots[one];
    const ArrayNode::Kind kind = node(one).kind;
    if (slot == no_slot || kind == ArrayNode::Kind::region || kind == ArrayNode::Kind::effect) continue;
    Data& zeros = slots_[slot];
    zeros = make_data(node(one).type.dtype, extents_of(node(one).type), engine_.memory.get());
    std::memset(zeros.at, 0, static_cast<std::size_t>(zeros.size()) * size_of(zeros.dtype));
  }
}

bool Run::depends_on_failed(const Stage& stage) const {
  if (failed_.empty()) return false;
  const auto failed = [&](ValueId id) { return failed_[id]; };
  if (stage.kind != Stage::Kind::loop) {
    const auto ids = program_.operands(node(stage.node));
    return std::any_of(ids.begin(), ids.end(), failed);
  }
  return std::any_of(stage.columns.begin(), stage.columns.end(), failed) ||
         std::any_of(stage.parameters.begin(), stage.parameters.end(), failed);
}

// Whether the call goes on behind this error, which is then one of those that the first is chosen from.
bool Run::is_of_values(const Error& error, const ArrayNode& n) const {
  if (!program_.can_raise(n)) return false;
  const bool stopped = cancel_ != nullptr && __atomic_load_n(cancel_, __ATOMIC_RELAXED) != 0;
  return class_of(error.code()) == ErrorClass::user || (error.code() == ErrorCode::cancelled && !stopped);
}

void Run::run(std::span<Data> results) {
  std::optional<Error> first;
  ValueId raised = 0;
  for (const Stage& stage : lowered_.stages) {
    const bool failed = depends_on_failed(stage);
    if (stage.kind == Stage::Kind::loop) {
      loop(stage);
      for (const ValueId id : stage.outputs)
        if (failed) failed_[id] = true;
      for (const ValueId id : stage.reductions)
        if (failed && id != no_value) failed_[id] = true;
    } else if ((failed && node(stage.node).kind == ArrayNode::Kind::region) ||
               (first && program_.has_effect(node(stage.node)))) {
      fail(stage.node);
    } else {
      try {
        single(stage.node);
        if (failed) failed_[stage.node] = true;
      } catch (const Error& error) {
        // NOTE: the error of a call is the first in the order of the program, and stages have another one. Effects keep that
        // of the program, so theirs is the first, and leaves as it is.
        const ArrayNode& n = node(stage.node);
        if (program_.has_effect(n) || !is_of_values(error, n)) throw;
        if (!failed && (!first || stage.node < raised)) {
          const bool placed = error.message().find(" (at ") != std::string::npos;
          first.emplace(error.code(), placed
                                          ? error.message()
                                          : fmt::format("{} (at {}:{})", error.message(), n.where.file, n.where.line));
          raised = stage.node;
        }
        fail(stage.node);
      }
    }
    inputs_.clear();
    for (const std::uint32_t slot : stage.freed) slots_[slot].buffer.reset();
  }
  if (first) throw *first;
  if (!into_.empty()) {
    for (std::size_t i = 0; i < into_.size(); ++i) {
      const ValueId id = program_.outputs[i];
      const Data from = is_number(id) ? scalar(id) : data(id);
      if (from.at != into_[i].at) copy_elements(from, into_[i].at);
    }
    return;
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const ValueId id = program_.outputs[i];
    if (lowered_.taken[i]) {
      results[i] = std::move(slots_[lowered_.slots[id]]);
    } else {
      results[i] = is_number(id) ? scalar(id) : data(id);
    }
    if (!results[i].buffer) results[i] = copy_of(results[i]);
  }
}

void run(const Lowered& lowered, std::span<const Data* const> arguments, std::span<const std::int64_t> symbols,
         const Engine::Impl& engine, const std::int32_t* cancel, std::span<Data> results, std::span<const Data> into) {
  Run(lowered, arguments, symbols, engine, cancel, into).run(results);
}

}  // namespace frit::arrays
