// One run of a lowered program.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "arrays/elementwise.hpp"
#include "arrays/lower.hpp"
#include "arrays/value.hpp"
#include "core/few.hpp"
#include "exec/reduce_range.hpp"
#include "frit/error.hpp"

namespace frit::arrays {

// Rows of so many elements are computed where they lie: a call for each costs less than gathering them.
inline constexpr std::int64_t long_row = 512;
// Code takes many rows in one call. NOTE: measured: that is faster than gathering from rows of 16 elements on.
inline std::int64_t least_row(const Stage& stage) { return stage.function->program.is_compiled() ? 16 : long_row; }
// Rows from `long_row` up to here are reduced while they are in the cache.
inline constexpr std::int64_t longest_reduced_row = 32 * 1024;
// The elements of a row of a reduction; `extents`: of what is reduced.
inline std::int64_t reduced_row(std::uint32_t axes, std::span<const std::int64_t> extents) {
  std::int64_t n = 1;
  for (std::size_t i = 0; i < extents.size(); ++i)
    if ((axes >> i & 1u) != 0) n *= extents[i];
  return n;
}

class Rows;
using ManyRows = std::vector<std::optional<Rows>>;  // of each array that is no run

class Run {
 public:
  Run(const Lowered& lowered, std::span<const Data* const> arguments, std::span<const std::int64_t> symbols,
      const Engine::Impl& engine, const std::int32_t* cancel, std::span<const Data> into)
      : lowered_(lowered), program_(*lowered.program), arguments_(arguments), symbols_(symbols), engine_(engine),
        cancel_(cancel), into_(into), slots_(lowered.slot_count) {}

  void run(std::span<Data> results);
  // Of a program of rows, given one row of each argument and result: this row and those behind it, `count` in all, each through all
  // stages; `..._steps`: the bytes from a row to the next, of the first arguments and of the results. False, with nothing done, where a
  // stage is neither a loop nor a reduction of whole rows, or works on what is no run.
  bool row_by_row(std::int64_t count, std::span<const std::int64_t> argument_steps,
                  std::span<const std::int64_t> result_steps);

 private:
  class Prepared;
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
  static std::complex<double> read_parameter(DType dtype, const std::byte* at, DType width);
  // The parameters of a loop, real and imaginary parts.
  template <class List> void put_parameters(const Stage& stage, List& scalars) const {
    for (const ValueId id : stage.parameters) {
      const std::complex<double> value = parameter(id, stage.function->options.dtype);
      scalars.push_back(value.real());
      scalars.push_back(value.imag());
    }
  }
  bool is_number(ValueId id) const {
    return node(id).kind == ArrayNode::Kind::number || node(id).kind == ArrayNode::Kind::extent;
  }
  void check_weak(ValueId id, const Data& number, DType dtype) const;
  void loop(const Stage& stage);
  std::int64_t row_length(const Stage& stage, std::span<const std::int64_t> extents, const ManyRows& rows,
                          const ManyRows& result_rows) const;
  void in_pieces(const Stage& stage, std::int64_t n, ManyRows& rows, ManyRows& result_rows);
  std::vector<const exec::ReduceKernel*> reductions_of(const Stage& stage) const;
  void single(ValueId id);
  // An operation that is neither control flow nor an effect nor a view, into an array that is there.
  void compute(ValueId id, std::span<const Data* const> operands, const Data& result) const;
  // See run_steps.cpp.
  bool in_steps(ValueId id, std::vector<Data>& carries, std::int64_t& step, std::int64_t last,
                std::span<const Data> stacked);
  void fail(ValueId id);
  bool depends_on_failed(const Stage& stage) const;
  bool is_of_values(const Error& error, const ArrayNode& n) const;
  void region(ValueId id);
  std::vector<Data> one_by_one(ValueId id);
  std::vector<Data> rows(ValueId id);
  void for_each_chunk(std::int64_t chunks, const std::function<void(std::int64_t)>& run_chunk) const;
  std::vector<Data> map(ValueId id);
  std::int64_t rows_on_threads(ValueId id, std::int64_t first, std::int64_t n, std::span<const Data> stacked);
  void map_chunks(const RegionCall& call, const Lowered& body, std::span<const Data> results, std::int64_t n);
  std::vector<Data> lanes(ValueId id);
  void poll() const { check_cancelled(cancel_); }
  // The array that node gets: where the caller or an update wants it, else a new one. `contiguous`: its elements are a run.
  Data make(ValueId id, std::span<const std::int64_t> extents, bool contiguous = true);
  std::optional<Data> make_in_place(ValueId id, bool contiguous);
  std::vector<Data> make_results(ValueId id, std::uint32_t first);
  bool routine(const RoutineCode& code, ValueId id, std::vector<Data>& results);
  void keep(ValueId id, std::span<const Data> results);
  std::vector<Data> run_program(ValueId id, std::size_t which, std::span<const Data> arguments) const;

  const Lowered& lowered_;
  const Program& program_;
  std::span<const Data* const> arguments_;
  std::span<const std::int64_t> symbols_;
  const Engine::Impl& engine_;
  const std::int32_t* cancel_;
  std::span<const Data> into_;
  Few<Data, 4> slots_;
  std::array<std::int64_t, max_rank> extents_{};
  Few<FritOperand, 8> operands_;
  Few<double, 16> scalars_;
  Few<FritResult, 4> results_;
  std::vector<bool> failed_;  // of each node, once one has raised
  Few<Data, 4> inputs_;
  Few<const Data*, 4> pointers_;
};

}  // namespace frit::arrays
