#include "arrays/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "arrays/run.hpp"
#include "ops/table.hpp"

namespace frit::arrays {
namespace {

std::int64_t bytes_of(const Data& data) { return data.size() * static_cast<std::int64_t>(size_of(data.dtype)); }

Cost::Operations operator*(std::int64_t n, const Cost::Operations& a) {
  return {n * a.cheap, n * a.divisions, n * a.functions};
}
void add(Cost::Operations& to, const Cost::Operations& a) {
  to.cheap += a.cheap;
  to.divisions += a.divisions;
  to.functions += a.functions;
}

void count(OpId op, bool complex, std::int64_t n, Cost& cost) {
  Cost::Operations& all = complex ? cost.complex : cost.real;
  switch (info_of(op).cost) {
    case CostClass::free: break;
    case CostClass::cheap: all.cheap += n; break;
    case CostClass::divide: all.divisions += n; break;
    case CostClass::elementary: all.functions += n; break;
  }
}

// What has been made, and how much of it is alive: arrays without elements, whose buffers count themselves out.
class Memory {
 public:
  // NOTE: never read; views of it are computed as those of any array.
  Data make(DType dtype, std::span<const std::int64_t> extents) {
    Data data = given(dtype, extents);
    if (data.rank == 0) return data;
    const std::int64_t bytes = arrays::bytes_of(data);
    alive_ += bytes;
    peak_ = std::max(peak_, alive_);
    ++made_;
    data.buffer = std::shared_ptr<std::byte>(&nothing_, [this, bytes](std::byte*) { alive_ -= bytes; });
    return data;
  }
  // That somebody else holds.
  Data given(DType dtype, std::span<const std::int64_t> extents) {
    Data data = laid_out(dtype, extents);
    data.at = &nothing_;
    return data;
  }
  // Arrays that a region makes beside those that are alive.
  void add_region(std::int64_t peak, std::int64_t made) {
    peak_ = std::max(peak_, alive_ + peak);
    made_ += made;
  }
  std::int64_t peak() const { return peak_; }
  std::int64_t made() const { return made_; }
  bool owns(const Data& data) const { return data.buffer.get() == &nothing_; }

 private:
  std::byte nothing_{};
  std::int64_t alive_ = 0, peak_ = 0, made_ = 0;
};

class Walk {
 public:
  // `results_given`: the caller has made the arrays of the results.
  Walk(const Lowered& lowered, std::span<const Data* const> arguments, std::span<const std::int64_t> symbols,
       bool results_given)
      : lowered_(lowered), program_(*lowered.program), arguments_(arguments), symbols_(symbols),
        results_given_(results_given), slots_(lowered.slot_count) {}
  Cost run();

 private:
  const ArrayNode& node(ValueId id) const { return program_.nodes[id]; }
  std::vector<std::int64_t> extents_of(const Type& type) const {
    std::vector<std::int64_t> extents;
    for (const Extent& extent : type.shape()) extents.push_back(Symbols::evaluate(extent, symbols_));
    return extents;
  }
  const Data& data(ValueId id) {
    const ArrayNode& n = node(id);
    if (n.kind == ArrayNode::Kind::argument) return *arguments_[n.payload];
    if (n.kind == ArrayNode::Kind::captured) return program_.captured[n.payload];
    if (lowered_.slots[id] == no_slot) return number_;  // a number or an extent
    return slots_[lowered_.slots[id]];
  }
  void read(const Data& data) {
    if (data.rank > 0) cost_.bytes_read += bytes_of(data);
  }
  void write(const Data& data) {
    if (data.rank > 0) cost_.bytes_written += bytes_of(data);
  }
  Data& make(ValueId id) {
    Data& result = slots_[lowered_.slots[id]];
    if (result.at != nullptr) return result;  // an update that has its value
    const bool given = (results_given_ && is_output(id)) || is_in_place(id);
    result = given ? memory_.given(node(id).type.dtype, extents_of(node(id).type))
                   : memory_.make(node(id).type.dtype, extents_of(node(id).type));
    write(result);
    return result;
  }
  // Whether an update's array has the node's elements; makes that array.
  bool is_in_place(ValueId id) {
    const ValueId update = lowered_.placed_in[id];
    if (update == no_value) return false;
    const Data whole = make(update);
    const Attributes& attributes = program_.calls[node(update).payload].attributes;
    const Data part = along(whole, attributes.axis, Symbols::evaluate(attributes.extents[0], symbols_),
                            Symbols::evaluate(attributes.extents[1], symbols_));
    return part.is_contiguous() || (node(id).kind == ArrayNode::Kind::op &&
                                    part.extents[static_cast<std::size_t>(part.rank - 1)] >= least_row_);
  }
  bool is_output(ValueId id) const {
    return std::find(program_.outputs.begin(), program_.outputs.end(), id) != program_.outputs.end();
  }
  void count_structural(const ArrayNode& n, const Data& result);
  void loop(const Stage& stage);
  void single(ValueId id);
  void region(ValueId id);
  void rows(ValueId id);
  Cost cost_of_region(const Lowered& one, std::span<const std::int64_t> symbols, bool results_given);
  void make_results(ValueId id);

  const Lowered& lowered_;
  const Program& program_;
  std::span<const Data* const> arguments_;
  std::span<const std::int64_t> symbols_;
  bool results_given_;
  std::int64_t least_row_ =
      long_row;    // of the loop that is looked at, whose results are computed where they lie from there on
  Memory memory_;  // outlives what it has made
  Data number_;
  std::vector<Data> slots_;
  Cost cost_;
};

void Walk::loop(const Stage& stage) {
  const std::vector<std::int64_t> extents = extents_of(stage.shape);
  std::int64_t n = 1;
  for (const std::int64_t extent : extents) n *= extent;
  for (const ValueId id : stage.columns) read(data(id));
  const Graph& graph = stage.function->graph;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& op = graph.node(id);
    if (op.kind == NodeKind::op)
      count(op.op, op.form != 0 || is_complex(op.dtype), op.role == Role::column ? n : 1, cost_);
  }
  for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
    if (stage.reductions[i] == no_value) {
      least_row_ = least_row(stage);
      make(stage.outputs[i]);
    } else {
      // Short and very long rows are reduced when all are stored.
      const StructuralCall& call = program_.calls[node(stage.reductions[i]).payload];
      const std::int64_t row = reduced_row(call.attributes.axes, extents);
      const bool stored = !stage.streams_all[i] && (row < long_row || row > longest_reduced_row);
      const bool made = stored && !stage.is_stored(i);
      Data streamed = made ? memory_.make(node(stage.outputs[i]).type.dtype, extents)
                           : laid_out(node(stage.outputs[i]).type.dtype, extents);
      if (made) write(streamed);
      if (stored) read(streamed);
      count_structural(node(stage.reductions[i]), streamed);
      make(stage.reductions[i]);
    }
  }
}

// `first`: the operand that the row of the table speaks of.
void Walk::count_structural(const ArrayNode& n, const Data& first) {
  Cost::Operations& all = is_complex(first.dtype) ? cost_.complex : cost_.real;
  const Work work = structural_of(program_.calls[n.payload].id).work;
  if (work == Work::one_each) all.cheap += first.size();
  if (work == Work::product_sum) {
    std::int64_t results = 1;
    for (const std::int64_t extent : extents_of(n.type)) results *= extent;
    const std::int64_t pairs = first.rank == 0 ? 1 : first.extents[static_cast<std::size_t>(first.rank - 1)];
    (is_complex(n.type.dtype) ? cost_.complex : cost_.real).cheap += 2 * results * pairs;
  }
}

void Walk::single(ValueId id) {
  const ArrayNode& n = node(id);
  if (n.kind == ArrayNode::Kind::region) return region(id);
  const auto operands = program_.operands(n);
  if (n.kind == ArrayNode::Kind::view) {
    const View& view = program_.views[n.payload];
    const Data from = data(operands[0]);
    std::optional<Data> seen = view_of(view, from, extents_of(n.type), Symbols::evaluate(view.start, symbols_));
    if (seen) {
      slots_[lowered_.slots[id]] = *std::move(seen);
      return;
    }
    read(from);
    make(id);
    return;
  }
  for (const ValueId operand : operands) read(data(operand));
  // What an effect does is not known; its results are arrays.
  if (n.kind == ArrayNode::Kind::effect) return make_results(id);
  const Data first = data(operands[0]);
  if (lowered_.slots[id] == no_slot) return;
  const Data& result = make(id);
  if (n.kind == ArrayNode::Kind::op) {
    const auto dtypes = std::span(n.operand_dtypes).first(n.count);
    count(n.op, is_complex(n.type.dtype) || std::any_of(dtypes.begin(), dtypes.end(), is_complex), result.size(),
          cost_);
  }
  if (n.kind == ArrayNode::Kind::structural) count_structural(n, first);
}

// Blocks of rows: what is computed is that of all rows, what is stored that of one block.
void Walk::rows(ValueId id) {
  const Lowered& body = lowered_.regions[node(id).payload].programs[0];
  std::vector<std::int64_t> symbols = symbols_of_rows(*body.program, symbols_);
  const std::int64_t all = extents_of(node(id + 1).type)[0], at_once = std::min(all, rows_at_once(body, symbols));
  for (const ValueId operand : program_.operands(node(id))) read(data(operand));
  make_results(id);
  if (all == 0) return;
  symbols.back() = all;
  const Cost cost = cost_of_region(body, symbols, true);
  add(cost_.real, cost.real);
  add(cost_.complex, cost.complex);
  symbols.back() = at_once;
  const Cost block = cost_of_region(body, symbols, true);
  memory_.add_region(block.peak_bytes, (all + at_once - 1) / at_once * block.temporaries);
}

Cost Walk::cost_of_region(const Lowered& one, std::span<const std::int64_t> symbols, bool results_given) {
  std::vector<Data> arguments;
  for (const Type& type : one.program->arguments) {
    std::vector<std::int64_t> extents;
    for (const Extent& extent : type.shape()) extents.push_back(Symbols::evaluate(extent, symbols));
    arguments.push_back(memory_.given(type.dtype, extents));
  }
  std::vector<const Data*> pointers;
  pointers.reserve(arguments.size());
  for (const Data& argument : arguments) pointers.push_back(&argument);
  return Walk(one, pointers, symbols, results_given).run();
}

void Walk::region(ValueId id) {
  const RegionCall& call = program_.regions[node(id).payload];
  if (call.kind == RegionCall::Kind::rows) return rows(id);
  Cost all;
  std::int64_t made = 0;
  const bool one_of = call.kind == RegionCall::Kind::choose;
  const auto operands = program_.operands(node(id));
  // Machine code, and elements side by side, keep what they compute in registers and tiles.
  const LoweredRegion& lowered = lowered_.regions[node(id).payload];
  const bool in_place = lowered.routine != nullptr || lowered.lanes != nullptr;
  for (const Lowered& one : lowered.programs) {
    const Cost cost = cost_of_region(one, symbols_, false);
    const auto join = [&](std::int64_t& to, std::int64_t of) { to = one_of ? std::max(to, of) : to + of; };
    for (auto part : {&Cost::real, &Cost::complex})
      for (auto kind : {&Cost::Operations::cheap, &Cost::Operations::divisions, &Cost::Operations::functions})
        join(all.*part.*kind, cost.*part.*kind);
    join(all.bytes_read, cost.bytes_read);
    join(all.bytes_written, cost.bytes_written);
    join(made, cost.temporaries);
    all.peak_bytes = std::max(all.peak_bytes, cost.peak_bytes);
  }
  const bool over_rows = call.kind == RegionCall::Kind::scan || call.kind == RegionCall::Kind::map;
  const std::int64_t steps = over_rows ? data(operands[call.carries]).extents[0] : 1;
  add(cost_.real, steps * all.real);
  add(cost_.complex, steps * all.complex);
  if (in_place) {
    for (const ValueId operand : operands) read(data(operand));
  } else {
    cost_.bytes_read += steps * all.bytes_read;
    cost_.bytes_written += steps * all.bytes_written;
    memory_.add_region(all.peak_bytes, steps * made);
  }
  make_results(id);
}

// Of a region or an effect.
void Walk::make_results(ValueId id) {
  for (std::uint32_t i = 0; i < program_.result_count(node(id)); ++i)
    if (lowered_.slots[id + 1 + i] != no_slot) make(id + 1 + i);
}

Cost Walk::run() {
  for (const Stage& stage : lowered_.stages) {
    stage.kind == Stage::Kind::loop ? loop(stage) : single(stage.node);
    for (const std::uint32_t slot : stage.freed) slots_[slot].buffer.reset();
  }
  // Results that share a buffer are one.
  std::set<std::shared_ptr<std::byte>, std::owner_less<>> results;
  for (const ValueId id : program_.outputs) {
    const Data& output = data(id);
    if (!memory_.owns(output)) continue;
    results.insert(output.buffer);
    cost_.result_bytes += bytes_of(output);
  }
  cost_.temporaries = memory_.made() - static_cast<std::int64_t>(results.size());
  cost_.peak_bytes = memory_.peak();
  return cost_;
}

}  // namespace

Cost cost_of(const Lowered& lowered, std::span<const Data* const> arguments, std::span<const std::int64_t> symbols) {
  return Walk(lowered, arguments, symbols, false).run();
}

}  // namespace frit::arrays

namespace frit {

std::string Cost::text() const {
  const auto operations = [](const char* name, const Operations& a) {
    return fmt::format("{}: {} cheap operations, {} divisions and roots, {} functions\n", name, a.cheap, a.divisions,
                       a.functions);
  };
  std::string out = operations("real", real);
  if (complex != Operations{}) out += operations("complex", complex);
  return out +
         fmt::format("memory: {} bytes read, {} written; {} temporaries; {} bytes of results, at most {} at one time\n",
                     bytes_read, bytes_written, temporaries, result_bytes, peak_bytes);
}

}  // namespace frit
