// The steps of a loop over arrays, whose shapes stay the same: what each needs is set up once for many.
#include <algorithm>
#include <cstring>

#include "arrays/control.hpp"
#include "arrays/prepared.hpp"
#include "arrays/value.hpp"
#include "core/fp_state.hpp"

namespace frit::arrays {
namespace {

// NOTE: setting up takes as long as a few steps the usual way. Code that becomes ready is used from the next time on.
constexpr std::int64_t steps_of_one_setup = 1024;

// Whether every loop runs on one thread, and what it sums fits into the cache: elements of larger arrays hide what a step costs.
bool is_of_one_thread(const Lowered& lowered, std::span<const std::int64_t> symbols) {
  return std::all_of(lowered.stages.begin(), lowered.stages.end(), [&](const Stage& stage) {
    if (stage.kind != Stage::Kind::loop) return true;
    const std::int64_t n = stage.shape.elements(symbols);
    return n <= longest_reduced_row && runtime::is_of_one_thread(*stage.function, n);
  });
}

}  // namespace

// Steps of a region from `step` on, up to `last` or while its condition holds; `carries` and `step` are those behind them. Goes as far
// as it can: what is left, and a step in which an operation raises, is for the usual way. False where nothing was done.
// `stacked`: of a scan, the results that have a row for each step.
bool Run::in_steps(ValueId id, std::vector<Data>& carries, std::int64_t& step, std::int64_t last,
                   std::span<const Data> stacked) {
  using Kind = RegionCall::Kind;
  using Apart = Prepared::Apart;
  const RegionCall& call = program_.regions[node(id).payload];
  const std::size_t body = call.kind == Kind::loop ? 1 : 0;
  const auto& programs = lowered_.regions[node(id).payload].programs;
  for (const Lowered& program : programs)
    if (!is_of_one_thread(program, symbols_)) return false;

  // The carries of even and of odd steps, counted from here.
  const std::int64_t first = step;
  std::vector<Data> places[2];
  std::vector<Apart> from, to;
  std::vector<Data> arguments, into;
  const Data counter = make_data(DType::i64, {});
  std::memcpy(counter.at, &step, sizeof step);
  if (call.kind == Kind::count) {
    arguments.push_back(counter);
    from.push_back({});
  }
  for (const Data& carry : carries) {
    const auto extents = std::span<const std::int64_t>(carry.extents).first(static_cast<std::size_t>(carry.rank));
    Data even = make_data(carry.dtype, extents, engine_.memory.get());
    copy_elements(carry, even.at);
    Data odd = make_data(carry.dtype, extents, engine_.memory.get());
    arguments.push_back(even);
    from.push_back({.odd = odd.at - even.at});
    into.push_back(odd);
    to.push_back({.odd = even.at - odd.at});
    places[0].push_back(std::move(even));
    places[1].push_back(std::move(odd));
  }
  for (std::uint32_t i = 0; (call.kind == Kind::scan || call.kind == Kind::map) && i < call.elements; ++i) {
    const Data& all = inputs_[call.carries + i];
    arguments.push_back(row_of(all, first));
    from.push_back({.all = all.strides[0]});
  }
  for (const Data& all : stacked) {
    Data row = row_of(all, first);
    row.buffer.reset();  // behind it stands the next one
    into.push_back(std::move(row));
    to.push_back({.all = all.strides[0]});
  }
  // A program of the region on these arguments and what it captures.
  struct Ready {
    Few<const Data*, 8> pointers;
    std::optional<Run> run;
    std::optional<Prepared> prepared;
  };
  const auto set_up = [&](Ready& ready, std::size_t which, std::span<const Data> results,
                          std::span<const Apart> apart) {
    const std::size_t captured = call.first_captured(which, inputs_.size());
    for (const Data& argument : arguments) ready.pointers.push_back(&argument);
    for (std::size_t i = 0; i < call.captured[which]; ++i) ready.pointers.push_back(&inputs_[captured + i]);
    ready.run.emplace(programs[which], std::span<const Data* const>(ready.pointers.data(), ready.pointers.size()),
                      symbols_, engine_, cancel_, results);
    ready.prepared.emplace(*ready.run, from, apart, 1, Prepared::Of::steps);
    return ready.prepared->set_up();
  };
  const Data condition = make_data(DType::boolean, {});
  const Apart one_place;

  const auto done = [&] { return call.kind != Kind::loop && step >= last; };
  const FpState fp;
  bool goes_on = true;
  while (goes_on && !done()) {
    Ready steps, test;
    if (!set_up(steps, body, into, to)) break;
    if (call.kind == Kind::loop && !set_up(test, 0, {&condition, 1}, {&one_place, 1})) break;
    try {
      for (std::int64_t i = 0; i < steps_of_one_setup && !done(); ++i, ++step) {
        poll();
        const std::int64_t row = step - first;
        if (call.kind == Kind::loop) {
          test.prepared->run(row);
          goes_on = truth_or_index(condition, "the condition of while_loop") != 0;
          if (!goes_on) break;
          located(node(id).where, [&] { check_steps(step, call.most_steps); });
        }
        if (call.kind == Kind::count) std::memcpy(counter.at, &step, sizeof step);
        steps.prepared->run(row);
      }
    } catch (const Error& error) {
      if (!is_of_values(error, node(id))) throw;
      break;
    }
  }
  if (step == first) return false;
  carries = std::move(places[(step - first) & 1]);
  return true;
}

}  // namespace frit::arrays
