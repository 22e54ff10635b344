// Control flow: the programs of regions step by step, many elements at a time, or as machine code.
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "arrays/control.hpp"
#include "arrays/run.hpp"
#include "arrays/run_lanes.hpp"
#include "arrays/value.hpp"
#include "runtime/parallel.hpp"

namespace frit::arrays {
namespace {

// Along the first axis.
void put_row(const Data& all, std::int64_t i, const Data& row) {
  const Data elements = contiguous(row);
  const std::int64_t bytes = elements.size() * static_cast<std::int64_t>(size_of(elements.dtype));
  if (bytes > 0) std::memcpy(all.at + i * bytes, elements.at, static_cast<std::size_t>(bytes));
}

std::vector<Data> some_rows(std::span<const Data> arrays, std::int64_t first, std::int64_t count) {
  std::vector<Data> parts(arrays.begin(), arrays.end());
  for (Data& part : parts) {
    part.at += first * part.strides[0];
    part.extents[0] = count;
  }
  return parts;
}

// Steps of a loop after which those that are left are set up once for many: before, that would not pay.
constexpr std::int64_t usual_steps = 4;

// The rows that a thread takes at a time where they are computed one after the other, or 0 where they are computed in blocks:
// short ones, since each costs a call of every stage, and those that the nearest caches cannot hold.
std::int64_t rows_of_a_piece(const Lowered& lowered, std::span<const std::int64_t> symbols, std::int64_t rows,
                             int threads) {
  std::int64_t longest = 0;
  for (const Stage& stage : lowered.stages) {
    if (stage.kind != Stage::Kind::loop) continue;
    longest = std::max(longest, stage.shape.elements(symbols));
  }
  if (longest < long_row || longest > longest_reduced_row) return 0;
  // NOTE: a piece takes a few microseconds to set up, and code that becomes ready is used from the next one on.
  constexpr std::int64_t least = 64 * 1024, most = 1024 * 1024;
  const std::int64_t fair = std::max(rows * longest / (4 * threads), least);
  return std::max<std::int64_t>((threads == 1 ? most : std::min(fair, most)) / longest, 1);
}

}  // namespace

std::vector<std::int64_t> symbols_of_rows(const Program& program, std::span<const std::int64_t> symbols) {
  std::vector<std::int64_t> all(symbols.begin(), symbols.end());
  all.resize(program.symbols->size(), 1);
  return all;
}

std::int64_t rows_at_once(const Lowered& lowered, std::span<const std::int64_t> symbols) {
  // Half of the second-level cache of the usual CPUs.
  static const std::int64_t cache =
      std::clamp<std::int64_t>(sysconf(_SC_LEVEL2_CACHE_SIZE) / 2, std::int64_t{256} << 10, std::int64_t{1} << 20);
  const Program& program = *lowered.program;
  // What a stage leaves for another one, or two read, must stay in the cache; what is touched once need not.
  std::vector<int> touched(program.nodes.size(), 0);
  std::vector<bool> filled(program.nodes.size(), false);  // updates that copy only what is around a value
  for (const ValueId update : lowered.placed_in)
    if (update != no_value) filled[update] = true;
  for (const Stage& stage : lowered.stages) {
    std::vector<ValueId> all = stage.columns;
    if (stage.kind == Stage::Kind::loop) {
      for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
        if (stage.is_stored(i)) all.push_back(stage.outputs[i]);
        if (stage.reductions[i] != no_value) all.push_back(stage.reductions[i]);
      }
    } else if (program.nodes[stage.node].kind != ArrayNode::Kind::view && !filled[stage.node]) {
      const auto operands = program.operands(program.nodes[stage.node]);
      all.assign(operands.begin(), operands.end());
      all.push_back(stage.node);
    }
    for (ValueId& id : all)
      while (program.nodes[id].kind == ArrayNode::Kind::view) id = program.operands(program.nodes[id])[0];
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const ValueId id : all) ++touched[id];
  }
  std::int64_t row = 1;
  for (ValueId id = 0; id < program.nodes.size(); ++id) {
    if (touched[id] < 2) continue;
    const ArrayNode& node = program.nodes[id];
    std::int64_t bytes = static_cast<std::int64_t>(size_of(node.type.dtype));
    for (const Extent& extent : node.type.shape()) bytes = multiplied(bytes, Symbols::evaluate(extent, symbols));
    row = added(row, bytes);
  }
  return std::max<std::int64_t>(cache / row, 1);
}

// A program of a region on its arguments and what it captures, which stands behind them among the operands in inputs_.
std::vector<Data> Run::run_program(ValueId id, std::size_t which, std::span<const Data> arguments) const {
  const RegionCall& call = program_.regions[node(id).payload];
  const std::size_t captured = call.first_captured(which, inputs_.size());
  Few<const Data*, 8> all;
  for (const Data& argument : arguments) all.push_back(&argument);
  for (std::size_t i = 0; i < call.captured[which]; ++i) all.push_back(&inputs_[captured + i]);
  return frit::arrays::run(lowered_.regions[node(id).payload].programs[which], all, symbols_, engine_, cancel_);
}

void Run::region(ValueId id) {
  const RegionCall& call = program_.regions[node(id).payload];
  const auto given = [&](std::size_t first, std::size_t count) {
    return std::vector<Data>(inputs_.begin() + first, inputs_.begin() + first + count);
  };
  if (call.lanes) return keep(id, lanes(id));
  std::vector<Data> results;
  RoutineCode* const code = lowered_.regions[node(id).payload].routine.get();
  if (code != nullptr && routine(*code, id, results)) return keep(id, results);
  std::optional<Tiering::Timer> timer;
  if (code != nullptr) timer.emplace(code->tiering());
  switch (call.kind) {
    case RegionCall::Kind::choose: {
      const std::int64_t last = static_cast<std::int64_t>(call.programs.size()) - 1;
      const std::int64_t which = std::clamp<std::int64_t>(truth_or_index(inputs_[0], "the index of a branch"), 0, last);
      results = run_program(id, static_cast<std::size_t>(which), given(1, call.carries));
      break;
    }
    case RegionCall::Kind::loop:
      results = given(0, call.carries);
      for (std::int64_t step = 0; truth_or_index(run_program(id, 0, results)[0], "the condition of while_loop") != 0;
           ++step) {
        if (step == usual_steps && in_steps(id, results, step, 0, {}) &&
            truth_or_index(run_program(id, 0, results)[0], "the condition of while_loop") == 0)
          break;
        located(node(id).where, [&] { check_steps(step, call.most_steps); });
        poll();
        results = run_program(id, 1, results);
      }
      break;
    case RegionCall::Kind::count: {
      const std::int64_t last = truth_or_index(inputs_[1], "the last number of fori_loop");
      results = given(2, call.carries);
      const std::int64_t first = truth_or_index(inputs_[0], "the first number of fori_loop");
      for (std::int64_t i = first; i < last; ++i) {
        if (i - first == usual_steps && in_steps(id, results, i, last, {}) && i == last) break;
        poll();
        Data number = make_data(DType::i64, {});
        std::memcpy(number.at, &i, sizeof i);
        std::vector<Data> arguments{std::move(number)};
        arguments.insert(arguments.end(), results.begin(), results.end());
        results = run_program(id, 0, arguments);
      }
      break;
    }
    case RegionCall::Kind::scan: results = one_by_one(id); break;
    case RegionCall::Kind::map: results = map(id); break;
    case RegionCall::Kind::rows: results = rows(id); break;
    case RegionCall::Kind::call: results = run_program(id, 0, {}); break;
  }
  keep(id, results);
}

// Row by row: of a scan, and of a map, which carries nothing.
std::vector<Data> Run::one_by_one(ValueId id) {
  const RegionCall& call = program_.regions[node(id).payload];
  const std::int64_t n = inputs_[call.carries].extents[0];
  std::vector<Data> carries(inputs_.begin(), inputs_.begin() + call.carries);
  const std::vector<Data> stacked = make_results(id, call.carries);
  std::int64_t step = 0;
  const auto goes_on = [&] {
    if (step != usual_steps) return step < n;
    if (call.kind == RegionCall::Kind::map) {
      step = rows_on_threads(id, step, n, stacked);
    } else {
      in_steps(id, carries, step, n, stacked);
    }
    return step < n;
  };
  for (; goes_on(); ++step) {
    poll();
    std::vector<Data> arguments = std::move(carries);
    for (std::uint32_t i = 0; i < call.elements; ++i) arguments.push_back(row_of(inputs_[call.carries + i], step));
    carries = run_program(id, 0, arguments);
    for (std::size_t k = 0; k < stacked.size(); ++k) put_row(stacked[k], step, carries[call.carries + k]);
    carries.resize(call.carries);
  }
  carries.insert(carries.end(), stacked.begin(), stacked.end());
  return carries;
}

// Rows of a map from one on, several at the same time; the first that is not done.
std::int64_t Run::rows_on_threads(ValueId id, std::int64_t first, std::int64_t n, std::span<const Data> stacked) {
  constexpr std::int64_t least = 16;  // rows for which a thread sets up a body
  const std::int64_t length = std::max((n - first) / (4 * engine_.threads), least);
  const std::int64_t chunks = (n - first + length - 1) / length;
  std::vector<std::int64_t> done(static_cast<std::size_t>(chunks));
  for_each_chunk(chunks, [&](std::int64_t chunk) {
    std::int64_t step = first + chunk * length;
    std::vector<Data> none;
    in_steps(id, none, step, std::min(n, step + length), stacked);
    done[static_cast<std::size_t>(chunk)] = step;
  });
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
    if (const std::int64_t step = done[static_cast<std::size_t>(chunk)];
        step < std::min(n, first + (chunk + 1) * length))
      return step;
  return n;
}

// The elements of a map at a time that stay in the second-level cache.
constexpr std::int64_t map_chunk = 4096;

// Side by side where the body allows it and no operation raises, else one by one.
std::vector<Data> Run::map(ValueId id) {
  const LoweredRegion& region = lowered_.regions[node(id).payload];
  if (region.lanes == nullptr) return one_by_one(id);
  try {
    std::vector<Data> results = make_results(id, 0);
    map_chunks(program_.regions[node(id).payload], *region.lanes, results, inputs_[0].extents[0]);
    return results;
  } catch (const Error& error) {
    // Which element is the first to fail is seen one by one.
    if (!is_of_values(error, node(id))) throw;
  }
  return one_by_one(id);
}

// On the threads of the engine.
void Run::for_each_chunk(std::int64_t chunks, const std::function<void(std::int64_t)>& run_chunk) const {
  if (chunks > 1 && engine_.threads > 1 && engine_.process == getpid()) {
    // An error is thrown on the calling thread: the sanitizer does not see the owners of an exception that changes threads.
    std::mutex mutex;
    std::optional<std::pair<ErrorCode, std::string>> failure;
    runtime::parallel_for(engine_.threads, chunks, [&](std::int64_t begin, std::int64_t end) {
      try {
        for (std::int64_t chunk = begin; chunk < end; ++chunk) run_chunk(chunk);
      } catch (const Error& error) {
        const std::lock_guard lock(mutex);
        if (!failure) failure.emplace(error.code(), error.message());
      }
    });
    if (failure) throw Error(failure->first, failure->second);
  } else {
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) run_chunk(chunk);
  }
}

void Run::map_chunks(const RegionCall& call, const Lowered& body, std::span<const Data> results, std::int64_t n) {
  for_each_chunk((n + map_chunk - 1) / map_chunk, [&](std::int64_t chunk) {
    const std::int64_t begin = chunk * map_chunk, count = std::min(n - begin, map_chunk);
    const std::vector<Data> parts = some_rows(std::span(inputs_.data(), call.elements), begin, count);
    Few<const Data*, 8> arguments;
    for (const Data& part : parts) arguments.push_back(&part);
    for (std::size_t i = call.elements; i < inputs_.size(); ++i) arguments.push_back(&inputs_[i]);
    const std::vector<Data> values = frit::arrays::run(body, arguments, {&count, 1}, engine_, cancel_);
    for (std::size_t k = 0; k < results.size(); ++k) {
      Data to = results[k];
      to.at += begin * static_cast<std::int64_t>(size_of(to.dtype));
      copy_elements(values[k], to.at);
    }
  });
}

// Rows through all stages, one after the other or in blocks whose arrays stay in the second-level cache.
std::vector<Data> Run::rows(ValueId id) {
  const RegionCall& call = program_.regions[node(id).payload];
  const Lowered& body = lowered_.regions[node(id).payload].programs[0];
  std::vector<Data> results = make_results(id, 0);
  const std::int64_t n = results[0].extents[0];
  const std::vector<std::int64_t> symbols = symbols_of_rows(*body.program, symbols_);
  // `fn(arguments, symbols, into)` of a program on some of the rows.
  const auto with_rows = [&](std::int64_t begin, std::int64_t count, const auto& fn) {
    std::vector<std::int64_t> own = symbols;
    own.back() = count;
    const std::vector<Data> parts = some_rows(std::span(inputs_.data(), call.elements), begin, count);
    std::vector<Data> into = some_rows(results, begin, count);
    for (Data& one : into) one.buffer.reset();
    Few<const Data*, 8> arguments;
    for (const Data& part : parts) arguments.push_back(&part);
    for (std::size_t i = call.elements; i < inputs_.size(); ++i) arguments.push_back(&inputs_[i]);
    poll();
    return fn(arguments, own, into);
  };
  const auto steps_of = [](std::span<const Data> arrays) {
    std::vector<std::int64_t> steps;
    for (const Data& array : arrays) steps.push_back(array.strides[0]);
    return steps;
  };
  const std::int64_t block = rows_at_once(body, symbols);
  const auto in_blocks = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t count = 0; begin < end; begin += count) {
      count = std::min(end - begin, block);
      with_rows(begin, count, [&](const auto& arguments, const auto& own, const auto& into) {
        frit::arrays::run(body, arguments, own, engine_, cancel_, {}, into);
      });
    }
  };
  const std::int64_t piece = rows_of_a_piece(body, symbols, n, engine_.threads);
  const std::int64_t length = std::max(piece, block);
  for_each_chunk((n + length - 1) / length, [&](std::int64_t chunk) {
    const std::int64_t begin = chunk * length, end = std::min(n, begin + length);
    const bool done =
        piece != 0 && with_rows(begin, 1, [&](const auto& arguments, const auto& own, const auto& into) {
          Run one(body, arguments, own, engine_, cancel_, into);
          return one.row_by_row(end - begin, steps_of(std::span(inputs_.data(), call.elements)), steps_of(results));
        });
    if (!done) in_blocks(begin, end);
  });
  return results;
}

// A region of a batched program.
std::vector<Data> Run::lanes(ValueId id) {
  const RegionCall& call = program_.regions[node(id).payload];
  std::vector<DType> dtypes;
  for (std::uint32_t i = 0; i < call.results; ++i) dtypes.push_back(node(id + 1 + i).type.dtype);
  const auto run_program = [&](std::size_t which, std::span<const Data* const> arguments, std::int64_t count) {
    return frit::arrays::run(lowered_.regions[node(id).payload].programs[which], arguments, {&count, 1}, engine_,
                             cancel_);
  };
  return LaneRegion(call, std::span(inputs_.data(), inputs_.size()), symbols_[0], std::move(dtypes), run_program,
                    [&] { poll(); })
      .run();
}

// Uninitialised arrays for the results of a region from one on.
std::vector<Data> Run::make_results(ValueId id, std::uint32_t first) {
  std::vector<Data> results;
  for (std::uint32_t i = first; i < program_.regions[node(id).payload].results; ++i) {
    const Type& type = node(id + 1 + i).type;
    results.push_back(make(id + 1 + i, extents_of(type)));
  }
  return results;
}

// By machine code, where there is some and no operation raises.
bool Run::routine(const RoutineCode& code, ValueId id, std::vector<Data>& results) {
  if (!code.is_ready()) return false;
  results = make_results(id, 0);
  if (code.run(std::span(inputs_.data(), inputs_.size()), results, symbols_, engine_, cancel_)) return true;
  results.clear();
  return false;
}

// The results of a region or an effect are the nodes behind it; those that nothing uses have no slot.
void Run::keep(ValueId id, std::span<const Data> results) {
  for (std::uint32_t i = 0; i < results.size(); ++i)
    if (const std::uint32_t slot = lowered_.slots[id + 1 + i]; slot != no_slot) slots_[slot] = results[i];
}

}  // namespace frit::arrays
