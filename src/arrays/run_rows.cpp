// Rows a few at a time: what is computed of each goes through all stages while it is in the nearest cache.
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "arrays/run.hpp"
#include "core/fp_state.hpp"

namespace frit::arrays {

// The stages of a program of rows on a group of rows, set up once. Stages on rows follow on each other for each row by itself; a stage
// on one number of each row (a mean, a root of a variance) takes those of all rows at once, since a call for one number costs as much
// as one for a vector of them.
class Run::RowGroup {
 public:
  // Enough for a vector of any width and dtype.
  static constexpr std::int64_t most_rows = 16;

  // `arguments`: the bytes from each row of the first arguments to the next; the others have no rows. `results`: those of the results.
  // The run is one of a single row. `rows`: of the group where a stage wants them, else it has one.
  RowGroup(Run& run, std::span<const std::int64_t> arguments, std::span<const std::int64_t> results, std::int64_t rows);

  // False where a stage is of another kind, or its arrays are no runs.
  bool set_up();
  std::int64_t rows() const { return rows_; }
  // The group that begins with this row. Errors: cancelled.
  void run(std::int64_t row);

 private:
  // The bytes from each row of an array to the next: of one that is there for all rows, or for those of a group. 0 where all have one place.
  struct Apart {
    std::int64_t all = 0, group = 0;
  };
  struct Rows {
    std::byte* at = nullptr;
    Apart apart{};
    // `place`: the number of the row in its group.
    std::byte* of(std::int64_t row, std::int64_t place) const { return at + row * apart.all + place * apart.group; }
  };
  struct Reduction {
    const exec::ReduceKernel* kernel = nullptr;
    Rows from{}, to{};
    std::int64_t n = 0;
    bool by_blocks = false;
  };
  struct Loop {
    std::vector<double> scalars;
    std::vector<FritOperand> operands;
    std::vector<FritResult> results;
    std::vector<Rows> operands_at, results_at;
    std::vector<Data> reduced;  // what is reduced at once
    std::unique_ptr<runtime::EventRanges> ranges;
    std::unique_ptr<runtime::EventRanges::Walk> walk;
  };
  // A loop or a reduction, on each row or on all at once.
  struct Step {
    Loop* loop = nullptr;
    Reduction reduction{};
    bool whole_group = false;
  };
  // The number of stages on all rows before an array is made, and before it is used last. Where they are the same, its row is needed
  // no more when the next one is made.
  struct Use {
    int made = 0, last = 0;
  };

  std::int64_t row_elements(const Stage& stage) {
    std::int64_t n = 1;
    for (const std::int64_t extent : run_.extents_of(stage.shape)) n *= extent;
    return n;
  }
  void find_uses();
  static void place(Data& made, std::int64_t bytes);
  const Data& make(ValueId id);
  bool add_loop(const Stage& stage);
  bool add_view(ValueId id);
  bool add_reduction(ValueId id, const Data& from, const Apart& apart, bool by_blocks);
  void run_step(const Step& step, std::int64_t row, std::int64_t place);
  void fetch(std::int64_t row, std::int64_t part) const;

  Run& run_;
  std::int64_t rows_;
  std::vector<Apart> apart_;  // of each node
  std::span<const std::int64_t> results_;
  std::vector<Use> uses_;  // of each node
  std::vector<std::unique_ptr<Loop>> loops_;
  std::vector<Step> all_;
  std::int64_t row_loops_ = 0;
  std::int64_t longest_reduced_ = 0;
  std::optional<exec::ReduceRange> state_;  // of reductions
};

Run::RowGroup::RowGroup(Run& run, std::span<const std::int64_t> arguments, std::span<const std::int64_t> results,
                        std::int64_t rows)
    : run_(run), rows_(rows), apart_(run.program_.nodes.size()), results_(results), uses_(run.program_.nodes.size()) {
  for (ValueId id = 0; id < run.program_.nodes.size(); ++id) {
    const ArrayNode& n = run.node(id);
    if (n.kind == ArrayNode::Kind::argument && n.payload < arguments.size()) apart_[id].all = arguments[n.payload];
  }
  find_uses();
}

void Run::RowGroup::find_uses() {
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
  if (barriers == 0) rows_ = 1;
}

// Memory for an array that is there for a group, with zeros behind it, or all over it where it is small.
// NOTE: half a page from where a page begins. Rows of usual arrays begin with a page, and a load whose address shares its last 12 bits
// with that of a store a few vectors before waits for it.
void Run::RowGroup::place(Data& made, std::int64_t bytes) {
  constexpr std::int64_t page = 4096;
  made.buffer = allocate(bytes + 2 * page);
  const auto begin = reinterpret_cast<std::intptr_t>(made.buffer.get());
  made.at = made.buffer.get() + ((begin + page - 1) / page * page - begin) + page / 2;
  std::memset(made.at + (bytes > array_room ? bytes : 0), 0, bytes > array_room ? array_room : 2 * array_room);
}

const Data& Run::RowGroup::make(ValueId id) {
  Data& made = run_.slots_[run_.lowered_.slots[id]];
  for (std::size_t i = 0; i < results_.size(); ++i)
    if (run_.program_.outputs[i] == id && run_.lowered_.taken[i]) {
      made = run_.into_[i];
      apart_[id] = {results_[i], 0};
      return made;
    }
  made = laid_out(run_.node(id).type.dtype, run_.extents_of(run_.node(id).type));
  std::int64_t bytes = made.size() * static_cast<std::int64_t>(size_of(made.dtype));
  const bool all_rows = rows_ > 1 && (uses_[id].made != uses_[id].last || made.size() == 1);
  // Numbers of rows are one run; rows have room behind them.
  if (all_rows && made.size() > 1) bytes = (bytes + 2 * array_room - 1) / array_room * array_room;
  place(made, all_rows ? bytes * rows_ : bytes);
  apart_[id] = {0, all_rows ? bytes : 0};
  return made;
}

bool Run::RowGroup::add_loop(const Stage& stage) {
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
    if (n == 1)
      stride = rows_ > 1 ? apart_[id].all + apart_[id].group : static_cast<std::int64_t>(size_of(column.dtype));
    loop->operands.push_back({column.at, *stride, static_cast<std::int32_t>(column.dtype), array_room});
    loop->operands_at.push_back({column.at, apart_[id]});
  }
  run_.put_parameters(stage, loop->scalars);
  const std::vector<const exec::ReduceKernel*> kernels = run_.reductions_of(stage);
  for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
    const ValueId id = stage.outputs[i];
    const DType dtype = run_.node(id).type.dtype;
    if (kernels[i] != nullptr) {
      if (n == 1) return false;
      loop->reduced.push_back(laid_out(dtype, extents));
      place(loop->reduced.back(), n * static_cast<std::int64_t>(size_of(dtype)));
      loop->results_at.push_back({loop->reduced.back().at, {}});
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
  all_.push_back({loop.get(), {}, n == 1});
  if (n != 1) ++row_loops_;
  for (std::size_t i = 0, reduced = 0; i < stage.outputs.size(); ++i)
    if (kernels[i] != nullptr && !add_reduction(stage.reductions[i], loop->reduced[reduced++], {}, stage.summed[i]))
      return false;
  loops_.push_back(std::move(loop));
  return true;
}

bool Run::RowGroup::add_view(ValueId id) {
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
bool Run::RowGroup::add_reduction(ValueId id, const Data& from, const Apart& apart, bool by_blocks) {
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

bool Run::RowGroup::set_up() {
  const Program& program = run_.program_;
  for (const Stage& stage : run_.lowered_.stages) {
    if (stage.kind == Stage::Kind::loop) {
      if (!add_loop(stage)) return false;
      continue;
    }
    const ArrayNode& n = run_.node(stage.node);
    if (n.kind == ArrayNode::Kind::view) {
      if (!add_view(stage.node)) return false;
    } else if (n.kind == ArrayNode::Kind::structural && program.calls[n.payload].id == structural::reduce()) {
      const ValueId operand = program.operands(n)[0];
      if (!add_reduction(stage.node, run_.data(operand), apart_[operand], false)) return false;
    } else {
      return false;
    }
  }
  state_.emplace(0, longest_reduced_);
  // Each result is written where it belongs.
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const ValueId id = program.outputs[i];
    if (!run_.lowered_.taken[i] || run_.data(id).at != run_.into_[i].at) return false;
  }
  return true;
}

void Run::RowGroup::run_step(const Step& step, std::int64_t row, std::int64_t place) {
  if (step.loop == nullptr) {
    const Reduction& r = step.reduction;
    return exec::reduce_run(*r.kernel, r.from.of(row, place), r.n, r.by_blocks, r.to.of(row, place), *state_);
  }
  Loop& loop = *step.loop;
  for (std::size_t i = 0; i < loop.operands.size(); ++i) loop.operands[i].data = loop.operands_at[i].of(row, place);
  for (std::size_t i = 0; i < loop.results.size(); ++i) loop.results[i].data = loop.results_at[i].of(row, place);
  loop.walk->run();
}

// One part of as many as there are loops on rows of the beginning of this row. A CPU fetches what comes next by itself, but not
// beyond the end of a page, where rows mostly end.
// NOTE: measured: 16 lines are best, more hinder what is computed; rows of results fetched to be written gain nothing.
void Run::RowGroup::fetch(std::int64_t row, std::int64_t part) const {
  constexpr std::int64_t lines = 16, line = 64;
  for (ValueId id = 0; id < run_.program_.nodes.size() && run_.node(id).kind == ArrayNode::Kind::argument; ++id) {
    if (apart_[id].all == 0) continue;
    const std::byte* const at = run_.data(id).at + row * apart_[id].all;
    for (std::int64_t i = lines * part / row_loops_; i < lines * (part + 1) / row_loops_; ++i)
      __builtin_prefetch(at + i * line);
  }
}

void Run::RowGroup::run(std::int64_t first) {
  const auto of_group = [](const Step& step) { return step.whole_group; };
  std::int64_t loops_before = 0;
  for (auto step = all_.begin(); step != all_.end();) {
    if (step->whole_group) {
      run_step(*step++, first, 0);
      continue;
    }
    const auto end = std::find_if(step, all_.end(), of_group);
    std::int64_t loops = 0;
    for (std::int64_t place = 0; place < rows_; ++place) {
      loops = loops_before;
      for (auto one = step; one != end; ++one) {
        if (one->loop != nullptr) fetch(first + rows_ + place, loops++);
        run_step(*one, first + place, place);
      }
    }
    loops_before = loops;
    step = end;
  }
}

bool Run::row_by_row(std::int64_t count, std::span<const std::int64_t> argument_steps,
                     std::span<const std::int64_t> result_steps) {
  const FpState fp;
  std::int64_t row = 0;
  for (const std::int64_t rows : {RowGroup::most_rows, std::int64_t{1}}) {
    if (row + rows > count) continue;
    RowGroup group(*this, argument_steps, result_steps, rows);
    if (!group.set_up()) return false;
    for (; row + group.rows() <= count; row += group.rows()) group.run(row);
  }
  return true;
}

}  // namespace frit::arrays
