#include "arrays/prepared.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace frit::arrays {

Run::Prepared::Prepared(Run& run, std::span<const Apart> arguments, std::span<const Apart> results, std::int64_t rows,
                        Of of)
    : run_(run), rows_(rows), of_(of), apart_(run.program_.nodes.size()), results_(results),
      uses_(run.program_.nodes.size()) {
  for (ValueId id = 0; id < run.program_.nodes.size(); ++id) {
    const ArrayNode& n = run.node(id);
    if (n.kind == ArrayNode::Kind::argument && n.payload < arguments.size()) apart_[id] = arguments[n.payload];
  }
  find_uses();
  if (of == Of::rows) find_batch();
}

void Run::Prepared::find_uses() {
  const Program& program = run_.program_;
  int barriers = 0;
  for (const Stage& stage : run_.lowered_.stages) {
    const bool loop = stage.kind == Stage::Kind::loop;
    const bool whole_group = loop && row_elements(stage) == 1;
    for (const ValueId id : stage.columns) uses_[id].last = barriers + (whole_group ? 1 : 0);
    if (!loop)
      // What is behind a view is not followed.
      for (const ValueId id : program.operands(run_.node(stage.node)))
        uses_[id].last =
            run_.node(stage.node).kind == ArrayNode::Kind::view ? static_cast<int>(program.nodes.size()) : barriers;
    for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
      uses_[stage.outputs[i]] = {barriers, barriers};
      if (stage.reductions[i] != no_value) uses_[stage.reductions[i]] = {barriers, barriers};
    }
    if (!loop) uses_[stage.node] = {barriers, barriers};
    if (whole_group) ++barriers;
  }
}

// As many rows as a part of the second-level cache holds of what stages between two on one number of each row leave there for each
// other; all, where they leave nothing. One without code, whose steps go row by row anyway.
// NOTE: measured: a call of code for several rows gains more than their elements lose outside of the nearest cache.
void Run::Prepared::find_batch() {
  constexpr std::int64_t cache = 128 * 1024;
  std::int64_t bytes = 0, loops = 0, batch = rows_;
  bool leaves = false;
  std::vector<ValueId> seen;
  const auto add = [&](ValueId id) {
    const Type& type = run_.node(id).type;
    bytes += type.elements(run_.symbols_) * static_cast<std::int64_t>(size_of(type.dtype));
  };
  const auto end_segment = [&] {
    if (leaves || loops > 1) batch = std::clamp<std::int64_t>(cache / std::max<std::int64_t>(bytes, 1), 1, batch);
    bytes = loops = 0;
    leaves = false;
    seen.clear();
  };
  for (const Stage& stage : run_.lowered_.stages) {
    if (stage.kind != Stage::Kind::loop) continue;
    if (!stage.function->program.is_compiled()) return;
    if (row_elements(stage) == 1) {
      end_segment();
      continue;
    }
    ++loops;
    for (const ValueId id : stage.columns) {
      if (std::find(seen.begin(), seen.end(), id) != seen.end()) continue;
      seen.push_back(id);
      add(id);
    }
    for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
      if (stage.reductions[i] == no_value || stage.is_summed(i)) continue;
      leaves = true;
      add(stage.outputs[i]);
    }
  }
  end_segment();
  batch_ = batch;
}

// Memory for an array that is there for a group, with zeros behind it, or all over it where it is small.
// NOTE: half a page from where a page begins. Rows of usual arrays begin with a page, and a load whose address shares its last 12 bits
// with that of a store a few vectors before waits for it.
void Run::Prepared::place(Data& made, std::int64_t bytes) const {
  constexpr std::int64_t page = 4096;
  made.buffer = allocate(bytes + 2 * page, run_.engine_.memory.get());
  const auto begin = reinterpret_cast<std::intptr_t>(made.buffer.get());
  made.at = made.buffer.get() + ((begin + page - 1) / page * page - begin) + page / 2;
  std::memset(made.at + (bytes > array_room ? bytes : 0), 0, bytes > array_room ? array_room : 2 * array_room);
}

namespace {

std::int64_t with_room(std::int64_t bytes) { return (bytes + 2 * array_room - 1) / array_room * array_room; }

}  // namespace

const Data& Run::Prepared::make(ValueId id) {
  Data& made = run_.slots_[run_.lowered_.slots[id]];
  for (std::size_t i = 0; i < results_.size(); ++i)
    if (run_.program_.outputs[i] == id && run_.lowered_.taken[i]) {
      made = run_.into_[i];
      apart_[id] = results_[i];
      return made;
    }
  made = laid_out(run_.node(id).type.dtype, run_.extents_of(run_.node(id).type));
  std::int64_t bytes = made.size() * static_cast<std::int64_t>(size_of(made.dtype));
  const bool all_rows = rows_ > 1 && (uses_[id].made != uses_[id].last || made.size() == 1);
  // Numbers of rows are one run; rows have room behind them.
  if (made.size() > 1) bytes = with_room(bytes);
  place(made, bytes * (all_rows ? rows_ : batch_));
  (all_rows ? apart_[id].group : apart_[id].batch) = bytes;
  return made;
}

bool Run::Prepared::add_loop(const Stage& stage) {
  std::array<std::int64_t, max_rank> shape{};
  const std::int64_t n = row_elements(stage);
  if (n == 0) return false;
  const auto of_run = run_.extents_of(stage.shape);
  std::copy(of_run.begin(), of_run.end(), shape.begin());
  const auto extents = std::span<const std::int64_t>(shape).first(of_run.size());
  auto loop = std::make_unique<Loop>();
  for (const ValueId id : stage.columns) {
    const Data& column = run_.data(id);
    std::optional<std::int64_t> stride = run_stride(column, extents);
    if (!stride) return false;
    if (n == 1) stride = rows_ > 1 ? apart_[id].of_next() : static_cast<std::int64_t>(size_of(column.dtype));
    loop->operands.push_back({column.at, *stride, static_cast<std::int32_t>(column.dtype), array_room});
    loop->operands_at.push_back({column.at, apart_[id]});
  }
  run_.put_parameters(stage, loop->scalars);
  loop->width = stage.function->options.dtype;
  for (std::size_t i = 0; of_ == Of::steps && i < stage.parameters.size(); ++i)
    if (const ValueId id = stage.parameters[i]; !run_.is_number(id))
      loop->parameters.push_back({{run_.data(id).at, apart_[id]}, run_.data(id).dtype, 2 * i});
  const std::vector<const exec::ReduceKernel*> kernels = run_.reductions_of(stage);
  for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
    const ValueId id = stage.outputs[i];
    const DType dtype = run_.node(id).type.dtype;
    if (kernels[i] != nullptr) {
      if (n == 1) return false;
      const std::int64_t bytes = with_room(n * static_cast<std::int64_t>(size_of(dtype)));
      loop->reduced.push_back(laid_out(dtype, extents));
      place(loop->reduced.back(), bytes * batch_);
      loop->results_at.push_back({loop->reduced.back().at, {.batch = bytes}});
      loop->results.push_back({loop->reduced.back().at, static_cast<std::int32_t>(dtype), array_room});
      continue;
    }
    const Data& made = make(id);
    if (!made.is_contiguous()) return false;
    loop->results_at.push_back({made.at, apart_[id]});
    // Behind a row of what the caller gave stands the next one.
    loop->results.push_back({made.at, static_cast<std::int32_t>(dtype), made.buffer ? array_room : 0});
  }
  loop->ranges = std::make_unique<runtime::EventRanges>(*stage.function, loop->scalars, run_.cancel_);
  loop->walk = std::make_unique<runtime::EventRanges::Walk>(*loop->ranges, loop->operands, loop->results,
                                                            n == 1 ? rows_ : n, true);
  for (const Rows& one : loop->operands_at) loop->batches.operand_steps.push_back(one.apart.of_next());
  for (const Rows& one : loop->results_at) loop->batches.result_steps.push_back(one.apart.of_next());
  Step made;
  made.loop = loop.get();
  made.whole_group = n == 1;
  all_.push_back(made);
  if (n != 1) ++row_loops_;
  for (std::size_t i = 0, reduced = 0; i < stage.outputs.size(); ++i)
    if (kernels[i] != nullptr &&
        !add_reduction(stage.reductions[i], loop->reduced[reduced++], loop->results_at[i].apart, stage.is_summed(i)))
      return false;
  loops_.push_back(std::move(loop));
  return true;
}

bool Run::Prepared::add_view(ValueId id) {
  const ArrayNode& n = run_.node(id);
  const View& view = run_.program_.views[n.payload];
  const ValueId operand = run_.program_.operands(n)[0];
  std::optional<Data> seen =
      view_of(view, run_.data(operand), run_.extents_of(n.type), Symbols::evaluate(view.start, run_.symbols_));
  if (!seen) return false;
  run_.slots_[run_.lowered_.slots[id]] = *std::move(seen);
  apart_[id] = apart_[operand];
  return true;
}

// Of all elements of a row.
bool Run::Prepared::add_reduction(ValueId id, const Data& from, const Apart& apart, bool by_blocks) {
  const Attributes& attributes = run_.program_.calls[run_.node(id).payload].attributes;
  const auto extents = std::span<const std::int64_t>(from.extents).first(static_cast<std::size_t>(from.rank));
  const std::int64_t n = from.size();
  if (n == 0 || reduced_row(attributes.axes, extents) != n || !from.is_contiguous()) return false;
  Step made;
  made.reduction.kernel = &run_.engine_.table->reductions.reduce[attributes.which][static_cast<int>(from.dtype)];
  made.reduction.from = {from.at, apart};
  made.reduction.to.at = make(id).at;
  made.reduction.to.apart = apart_[id];
  made.reduction.n = n;
  made.reduction.by_blocks = by_blocks;
  longest_reduced_ = std::max(longest_reduced_, n);
  all_.push_back(made);
  return true;
}

bool Run::Prepared::add_single(ValueId id) {
  const ArrayNode& n = run_.node(id);
  using K = ArrayNode::Kind;
  if (of_ != Of::steps || !(n.kind == K::convert || n.kind == K::op || n.kind == K::structural)) return false;
  auto single = std::make_unique<Single>();
  single->id = id;
  for (const ValueId operand : run_.program_.operands(n)) {
    const bool number = run_.is_number(operand);
    single->operands.push_back(number ? run_.scalar(operand) : run_.data(operand));
    single->operands_at.push_back({single->operands.back().at, number ? Apart{} : apart_[operand]});
  }
  for (const Data& operand : single->operands) single->pointers.push_back(&operand);
  single->result = make(id);
  if (!single->result.is_contiguous()) return false;
  single->result_at = {single->result.at, apart_[id]};
  Step made;
  made.single = single.get();
  all_.push_back(made);
  singles_.push_back(std::move(single));
  return true;
}

bool Run::Prepared::add_copy(ValueId id, std::size_t result) {
  const bool number = run_.is_number(id);
  if (number) constants_.push_back(run_.scalar(id));
  const Data& from = number ? constants_.back() : run_.data(id);
  const Data& to = run_.into_[result];
  if (of_ != Of::steps || !from.is_contiguous() || !to.is_contiguous() || from.dtype != to.dtype ||
      from.size() != to.size())
    return false;
  copies_.push_back({{from.at, number ? Apart{} : apart_[id]},
                     {to.at, results_[result]},
                     to.size() * static_cast<std::int64_t>(size_of(to.dtype))});
  return true;
}

bool Run::Prepared::set_up() {
  const Program& program = run_.program_;
  for (const Stage& stage : run_.lowered_.stages) {
    if (stage.kind == Stage::Kind::loop) {
      if (!add_loop(stage)) return false;
      continue;
    }
    const ArrayNode& n = run_.node(stage.node);
    if (n.kind == ArrayNode::Kind::view) {
      if (!add_view(stage.node)) return false;
      continue;
    }
    if (n.kind == ArrayNode::Kind::structural && program.calls[n.payload].id == structural::reduce()) {
      const ValueId operand = program.operands(n)[0];
      if (add_reduction(stage.node, run_.data(operand), apart_[operand], false)) continue;
    }
    if (!add_single(stage.node)) return false;
  }
  state_.emplace(0, longest_reduced_);
  // Each result is written where it belongs.
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const ValueId id = program.outputs[i];
    if (run_.lowered_.taken[i] && run_.data(id).at == run_.into_[i].at) continue;
    if (!add_copy(id, i)) return false;
  }
  return true;
}

// The prologue once more where one is another number than for the row before.
void Run::Prepared::set_parameters(Loop& loop, std::int64_t row) const {
  bool changed = false;
  for (const Parameter& one : loop.parameters) {
    const std::complex<double> value = read_parameter(one.dtype, one.at.of({.row = row}), loop.width);
    double* scalar = &loop.scalars[one.scalar];
    for (const double part : {value.real(), value.imag()}) {
      changed = changed || std::bit_cast<std::uint64_t>(*scalar) != std::bit_cast<std::uint64_t>(part);
      *scalar++ = part;
    }
  }
  if (changed) loop.walk->renew();
}

void Run::Prepared::move_to(Loop& loop, const Place& place) const {
  for (std::size_t i = 0; i < loop.operands.size(); ++i) loop.operands[i].data = loop.operands_at[i].of(place);
  for (std::size_t i = 0; i < loop.results.size(); ++i) loop.results[i].data = loop.results_at[i].of(place);
}

void Run::Prepared::run_step(const Step& step, const Place& place) {
  if (step.single != nullptr) {
    Single& single = *step.single;
    for (std::size_t i = 0; i < single.operands.size(); ++i) single.operands[i].at = single.operands_at[i].of(place);
    single.result.at = single.result_at.of(place);
    return run_.compute(single.id, single.pointers, single.result);
  }
  if (step.loop == nullptr) {
    const Reduction& r = step.reduction;
    return exec::reduce_run(*r.kernel, r.from.of(place), r.n, r.by_blocks, r.to.of(place), *state_);
  }
  Loop& loop = *step.loop;
  move_to(loop, place);
  if (!loop.parameters.empty()) set_parameters(loop, place.row);
  loop.walk->run();
}

// The rows of a batch.
void Run::Prepared::run_batch(const Step& step, const Place& first, std::int64_t rows) {
  const auto run_one = [&](std::int64_t i) { run_step(step, {first.row + i, first.in_group + i, first.in_batch + i}); };
  if (step.loop != nullptr) {
    move_to(*step.loop, first);
    step.loop->batches.run(*step.loop->walk, rows, run_one);
  } else {
    for (std::int64_t i = 0; i < rows; ++i) run_one(i);
  }
}

// One part of as many as there are loops on rows of the beginning of this row. A CPU fetches what comes next by itself, but not
// beyond the end of a page, where rows mostly end.
// NOTE: measured: 16 lines are best, more hinder what is computed; rows of results fetched to be written gain nothing.
void Run::Prepared::fetch(std::int64_t row, std::int64_t part) const {
  constexpr std::int64_t lines = 16, line = 64;
  for (ValueId id = 0; id < run_.program_.nodes.size() && run_.node(id).kind == ArrayNode::Kind::argument; ++id) {
    if (apart_[id].all == 0) continue;
    const std::byte* const at = run_.data(id).at + row * apart_[id].all;
    for (std::int64_t i = lines * part / row_loops_; i < lines * (part + 1) / row_loops_; ++i)
      __builtin_prefetch(at + i * line);
  }
}

void Run::Prepared::run(std::int64_t first) {
  const auto of_group = [](const Step& step) { return step.whole_group; };
  const bool groups = std::any_of(all_.begin(), all_.end(), of_group);
  std::int64_t loops_before = 0;
  for (auto step = all_.begin(); step != all_.end();) {
    if (step->whole_group) {
      run_step(*step++, {.row = first});
      continue;
    }
    const auto end = std::find_if(step, all_.end(), of_group);
    std::int64_t loops = 0, rows = 0;
    for (std::int64_t place = 0; place < rows_; place += rows) {
      rows = std::min(batch_, rows_ - place);
      const std::int64_t next = first + place + (groups ? rows_ : rows);
      loops = loops_before;
      for (auto one = step; one != end; ++one) {
        if (one->loop != nullptr) {
          for (std::int64_t i = 0; i < rows; ++i) fetch(next + i, loops);
          ++loops;
        }
        run_batch(*one, {first + place, place, 0}, rows);
      }
    }
    loops_before = loops;
    step = end;
  }
  for (const Copy& copy : copies_)
    std::memcpy(copy.to.of({.row = first}), copy.from.of({.row = first}), static_cast<std::size_t>(copy.bytes));
}

}  // namespace frit::arrays
