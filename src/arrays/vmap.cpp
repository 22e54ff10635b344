#include "frit/vmap.hpp"

#include <fmt/format.h>

#include "arrays/batch.hpp"
#include "arrays/value.hpp"
#include "frit/error.hpp"

namespace frit::arrays {
namespace {

// Of the vmaps that run here. NOTE: state of the thread, because a callable runs on the thread that calls vmap, and an array
// of an inner vmap must be told from one of an outer vmap without either being handed through the callable.
thread_local int depth = 0;  // NOLINT(readability-identifier-naming): it is no constant

// What the callable has kept of a vmap is dead behind it.
struct Running {
  std::shared_ptr<Level> level = std::make_shared<Level>();
  Running() { level->depth = ++depth; }
  ~Running() {
    level->ended = true;
    --depth;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

void check_count(std::size_t axes, std::size_t arrays, std::string_view what) {
  if (axes != 0 && axes != arrays)
    throw Error(ErrorCode::trace_arguments, fmt::format("vmap: {} axes for {} {}", axes, arrays, what));
}

// The arguments with the axis in front, or as they are; gives the level its extent.
std::vector<Array> with_axis_in_front(std::span<const Array> arguments, const VmapOptions& options, Level& level,
                                      SourceLine where) {
  check_count(options.in_axes.size(), arguments.size(), "arguments");
  const std::vector<Operand> operands(arguments.begin(), arguments.end());
  const Home home = home_of(pointers_to(operands));
  Numbers numbers;
  Extents& extents = extents_of(home, numbers);
  std::vector<Array> moved;
  bool any = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Array& argument = arguments[i];
    const std::optional<int> given = options.in_axes.empty() ? 0 : options.in_axes[i];
    moved.push_back(argument);
    if (!given) continue;
    const int axis = checked_axis(*given, argument.rank(), "vmap");
    const Extent extent = argument.extent(axis);
    if (any && !extents.equal(level.extent, extent))
      throw Error(ErrorCode::shape_mismatch,
                  fmt::format("vmap goes over axes of extents {} and {}: axis {} of argument {} is the other one",
                              extents.text(level.extent), extents.text(extent), axis, i));
    if (!any) level.extent = extent;
    any = true;
    moved.back() = with_axis_moved(argument, axis, 0, where);
  }
  if (!any) throw Error(ErrorCode::usage, "vmap goes over an axis of one argument at least");
  return moved;
}

}  // namespace

std::vector<Array> vmapped(const std::function<std::vector<Array>(std::span<const Array>)>& callable,
                           const VmapOptions& options, std::span<const Array> arguments, SourceLine where) {
  const Running running;
  std::vector<Array> seen =
      located(where, [&] { return with_axis_in_front(arguments, options, *running.level, where); });
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (options.in_axes.empty() || options.in_axes[i]) seen[i] = make_batch(seen[i], running.level);
  std::vector<Array> results = callable(seen);
  return located(where, [&] {
    check_count(options.out_axes.size(), results.size(), "results");
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Operand result(results[i], where);
      (void)home_of(std::array{&result});
      const Array inside = batch_of(with_levels(results[i], {running.level}))->inside;
      const int axis = options.out_axes.empty() ? 0 : checked_axis(options.out_axes[i], inside.rank(), "vmap");
      results[i] = with_axis_moved(inside, 0, axis, where);
    }
    return std::move(results);
  });
}

}  // namespace frit::arrays
