// A callable over arrays as one over arrays with one more axis: it is run once, and sees arrays without that axis.
//
//   auto distances = frit::vmap([](frit::Array x, frit::Array y) { return norm(x - y); }, {.in_axes = {0, std::nullopt}});
//   frit::Array d = distances(points, centre);     // points[n, 3], centre[3] gives d[n]
//
// The result has the bits of a loop over that axis whose results are stacked. It works on eager arrays and in functions that are
// being traced, and vmaps may stand in each other.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "frit/array.hpp"
#include "frit/traced.hpp"

namespace frit {

struct VmapOptions {
  // Of each argument the axis that the callable does not see, or none: then it sees the whole array each time. Empty: all 0.
  std::vector<std::optional<int>> in_axes = {};
  // Of each result where that axis goes. Empty: all 0.
  std::vector<int> out_axes = {};
};

namespace arrays {

// Errors: trace_arguments where axes and arguments or results differ in number, shape_mismatch where the axes have several
// extents, axis_range, usage where no argument has an axis; traced_value where elements of a batch are read.
std::vector<Array> vmapped(const std::function<std::vector<Array>(std::span<const Array>)>& callable,
                           const VmapOptions& options, std::span<const Array> arguments, SourceLine where);

template <class F> struct Signature<Traced<F>> : Signature<std::decay_t<F>> {};
template <std::size_t> using AnArray = Array;

template <class F, class Indices> class Vmapped;
template <class F, std::size_t... i> class Vmapped<F, std::index_sequence<i...>> {
  using Return = typename Signature<F>::Return;

 public:
  Vmapped(F callable, VmapOptions options, SourceLine where)
      : callable_(std::move(callable)), options_(std::move(options)), where_(where) {}

  Return operator()(AnArray<i>... arguments) const {
    const std::array<Array, sizeof...(i)> all{std::move(arguments)...};
    return Results<Return>::of(
        vmapped([this](std::span<const Array> seen) { return Results<Return>::list(callable_(seen[i]...)); }, options_,
                all, where_));
  }

 private:
  F callable_;
  VmapOptions options_;
  SourceLine where_;
};

}  // namespace arrays

template <class F> auto vmap(F callable, VmapOptions options = {}, SourceLine where = SourceLine::current()) {
  using Indices = std::make_index_sequence<arrays::Signature<F>::count>;
  return arrays::Vmapped<F, Indices>(std::move(callable), std::move(options), where);
}

}  // namespace frit
