#include "arrays/run_lanes.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "arrays/control.hpp"

namespace frit::arrays {
namespace {

// Lanes that have ended are taken out where they are this part of all; before, they go on and nobody looks at them.
constexpr std::int64_t part_worth_taking_out = 8;

using Lanes = std::vector<std::int32_t>;

// The elements of these lanes; what is the same for all stays as it is.
Data taken(const Data& from, const Lanes& lanes) {
  if (from.rank == 0) return from;
  const std::int64_t n = static_cast<std::int64_t>(lanes.size());
  Data result = make_data(from.dtype, {&n, 1});
  by_size(size_of(from.dtype), [&]<class T>() {
    T element;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      std::memcpy(&element, from.at + lanes[i] * from.strides[0], sizeof element);
      std::memcpy(result.at + i * sizeof element, &element, sizeof element);
    }
  });
  return result;
}

// Element places[i] of `from` becomes element lanes[places[i]] of `to`.
void put(const Data& from, const Lanes& places, const Lanes& lanes, const Data& to) {
  by_size(size_of(from.dtype), [&]<class T>() {
    T element;
    for (const std::int32_t place : places) {
      std::memcpy(&element, from.at + place * from.strides[0], sizeof element);
      std::memcpy(to.at + lanes[static_cast<std::size_t>(place)] * static_cast<std::int64_t>(sizeof element), &element,
                  sizeof element);
    }
  });
}

std::vector<Data> taken(std::span<const Data> from, const Lanes& lanes) {
  std::vector<Data> result;
  result.reserve(from.size());
  for (const Data& one : from) result.push_back(taken(one, lanes));
  return result;
}

// Booleans and integers as i64, one for each lane.
std::vector<std::int64_t> numbers(const Data& data, std::int64_t lanes) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(lanes));
  truths_or_indices(data, result);
  return result;
}

// Whether a lane that has ended must not go on in the program: there it may raise, or never leave a loop.
bool must_end(const Program& program) {
  return std::any_of(program.nodes.begin(), program.nodes.end(), [&](const ArrayNode& node) {
    if (program.can_raise(node)) return true;
    if (node.kind != ArrayNode::Kind::region) return false;
    const RegionCall& call = program.regions[node.payload];
    return call.kind == RegionCall::Kind::loop || call.kind == RegionCall::Kind::count ||
           std::any_of(call.programs.begin(), call.programs.end(), [](const auto& one) { return must_end(*one); });
  });
}

}  // namespace

// Some of the lanes: which, and what the programs capture of them.
struct LaneRegion::Group {
  Lanes lanes;
  std::vector<Data> captured;
};

LaneRegion::LaneRegion(const RegionCall& call, std::span<const Data> inputs, std::int64_t lanes,
                       std::vector<DType> results, RunProgram run, std::function<void()> poll)
    : call_(call), inputs_(inputs), lanes_(lanes), results_(std::move(results)), run_(std::move(run)),
      poll_(std::move(poll)) {}

LaneRegion::Group LaneRegion::all() const {
  Group group;
  group.lanes.resize(static_cast<std::size_t>(lanes_));
  std::iota(group.lanes.begin(), group.lanes.end(), 0);
  const std::span<const Data> captured = inputs_.subspan(call_.first_captured(0, inputs_.size()));
  group.captured.assign(captured.begin(), captured.end());
  return group;
}

std::vector<Data> LaneRegion::run_program(std::size_t which, std::span<const Data> taken, const Group& group) const {
  std::vector<const Data*> arguments;
  for (const Data& one : taken) arguments.push_back(&one);
  const std::size_t first = call_.first_captured(which, group.captured.size());
  for (std::size_t i = first; i < first + call_.captured[which]; ++i) arguments.push_back(&group.captured[i]);
  return run_(which, arguments, static_cast<std::int64_t>(group.lanes.size()));
}

std::vector<Data> LaneRegion::run() { return call_.kind == RegionCall::Kind::choose ? choose() : loop(); }

std::vector<Data> LaneRegion::choose() {
  const std::int64_t last = static_cast<std::int64_t>(call_.programs.size()) - 1;
  std::vector<Lanes> of_branch(call_.programs.size());
  const std::vector<std::int64_t> index = numbers(inputs_[0], lanes_);
  for (std::size_t lane = 0; lane < index.size(); ++lane)
    of_branch[static_cast<std::size_t>(std::clamp<std::int64_t>(index[lane], 0, last))].push_back(
        static_cast<std::int32_t>(lane));
  std::vector<Data> results;
  for (const DType dtype : results_) results.push_back(make_data(dtype, {&lanes_, 1}));
  const Group everything = all();
  const std::span<const Data> operands = inputs_.subspan(1, call_.carries);
  for (std::size_t branch = 0; branch < of_branch.size(); ++branch) {
    Lanes& lanes = of_branch[branch];
    if (lanes.empty()) continue;
    if (lanes.size() == everything.lanes.size()) return run_program(branch, operands, everything);
    const std::vector<Data> own = taken(operands, lanes);
    std::vector<Data> captured = taken(everything.captured, lanes);
    const Group group{std::move(lanes), std::move(captured)};
    Lanes places(group.lanes.size());
    std::iota(places.begin(), places.end(), 0);
    const std::vector<Data> yields = run_program(branch, own, group);
    for (std::size_t k = 0; k < results.size(); ++k) put(yields[k], places, group.lanes, results[k]);
  }
  return results;
}

// while_loop and fori_loop. The number of the second is what is carried first.
std::vector<Data> LaneRegion::loop() {
  const bool counts = call_.kind == RegionCall::Kind::count;
  std::vector<Data> results;
  for (const DType dtype : results_) results.push_back(make_data(dtype, {&lanes_, 1}));
  Group group = all();
  std::vector<Data> carries(inputs_.begin() + (counts ? 2 : 0), inputs_.begin() + (counts ? 2 : 0) + call_.carries);
  std::vector<std::int64_t> number, end;
  if (counts) {
    number = numbers(inputs_[0], lanes_);
    end = numbers(inputs_[1], lanes_);
  }
  std::vector<bool> ended(group.lanes.size(), false);
  const bool keep_none =
      std::any_of(call_.programs.begin(), call_.programs.end(), [](const auto& one) { return must_end(*one); });
  std::int64_t going_on = lanes_;
  for (std::int64_t step = 0;; ++step) {
    std::vector<std::int64_t> goes_on;
    if (!counts) goes_on = numbers(run_program(0, carries, group)[0], static_cast<std::int64_t>(group.lanes.size()));
    Lanes ends, stays;
    for (std::size_t place = 0; place < group.lanes.size(); ++place) {
      if (ended[place]) continue;
      const bool on = counts ? number[place] < end[place] : goes_on[place] != 0;
      (on ? stays : ends).push_back(static_cast<std::int32_t>(place));
    }
    for (std::size_t k = 0; k < results.size(); ++k) put(carries[k], ends, group.lanes, results[k]);
    going_on = static_cast<std::int64_t>(stays.size());
    if (going_on == 0) return results;
    for (const std::int32_t place : ends) ended[static_cast<std::size_t>(place)] = true;
    const auto out = static_cast<std::int64_t>(group.lanes.size()) - going_on;
    if (out > 0 && (keep_none || out * part_worth_taking_out >= static_cast<std::int64_t>(group.lanes.size()))) {
      carries = taken(carries, stays);
      group.captured = taken(group.captured, stays);
      const auto keep = [&](auto& list) {
        if (list.empty()) return;
        for (std::size_t i = 0; i < stays.size(); ++i) list[i] = list[static_cast<std::size_t>(stays[i])];
        list.resize(stays.size());
      };
      keep(group.lanes);
      keep(number);
      keep(end);
      ended.assign(stays.size(), false);
    }
    if (!counts) check_steps(step, call_.most_steps);
    poll_();
    std::vector<Data> arguments;
    if (counts) {
      const std::int64_t n = static_cast<std::int64_t>(number.size());
      arguments.push_back(make_data(DType::i64, {&n, 1}));
      if (n > 0) std::memcpy(arguments[0].at, number.data(), number.size() * sizeof(std::int64_t));
      for (std::int64_t& one : number) ++one;
    }
    arguments.insert(arguments.end(), carries.begin(), carries.end());
    carries = run_program(counts ? 0 : 1, arguments, group);
  }
}

}  // namespace frit::arrays
