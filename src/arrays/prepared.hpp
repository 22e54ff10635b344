// The stages of a program, set up once and run many times on arrays of the same shapes that move on: rows of a larger array, or the
// carries of a loop.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "arrays/batches.hpp"
#include "arrays/run.hpp"

namespace frit::arrays {

// A row is here what one run works on: a row of larger arrays, or a step of a loop. Stages on rows follow on each other for each row by
// itself; in a group of rows a stage on one number of each row (a mean, a root of a variance) takes those of all rows at once, since a
// call for one number costs as much as one for a vector of them. Between such stages the rows of a group go in batches, each stage on all
// rows of one at once: as many as the caches hold.
class Run::Prepared {
 public:
  // Enough for a vector of any width and dtype.
  static constexpr std::int64_t most_rows = 16;

  // The bytes from each row of an array to the next, from that of an even row to that of an odd one, within a group and within a batch.
  // 0 where all have one place.
  struct Apart {
    std::int64_t all = 0, odd = 0, group = 0, batch = 0;
    std::int64_t of_next() const { return all + group + batch; }  // within a batch, of rows
  };
  // Of rows: loops and reductions of whole rows alone. Of steps: operations of any kind but control flow and effects, and arguments of
  // rank 0 may change from row to row.
  enum class Of { rows, steps };

  // `arguments`: of the first arguments; the others have no rows. `results`: of the results. The run is one of row 0. `rows`: of the
  // group where a stage wants them, else it has one.
  Prepared(Run& run, std::span<const Apart> arguments, std::span<const Apart> results, std::int64_t rows, Of of);

  // False where a stage is of another kind, or its arrays are no runs.
  bool set_up();
  std::int64_t rows() const { return rows_; }
  // The group that begins with this row. Errors: cancelled; of steps those of the operations, after which nothing of the row counts.
  void run(std::int64_t row);

 private:
  // Numbers of a row.
  struct Place {
    std::int64_t row = 0, in_group = 0, in_batch = 0;
  };
  struct Rows {
    std::byte* at = nullptr;
    Apart apart{};
    std::byte* of(const Place& p) const {
      return at + p.row * apart.all + (p.row & 1) * apart.odd + p.in_group * apart.group + p.in_batch * apart.batch;
    }
  };
  struct Reduction {
    const exec::ReduceKernel* kernel = nullptr;
    Rows from{}, to{};
    std::int64_t n = 0;
    bool by_blocks = false;
  };
  // Of a loop: an array of rank 0.
  struct Parameter {
    Rows at{};
    DType dtype{};
    std::size_t scalar = 0;  // the place of its real part
  };
  struct Loop {
    std::vector<Parameter> parameters;  // that may change
    DType width{};
    std::vector<double> scalars;
    std::vector<FritOperand> operands;
    std::vector<FritResult> results;
    std::vector<Rows> operands_at, results_at;
    std::vector<Data> reduced;  // what is reduced at once
    Batches batches;
    std::unique_ptr<runtime::EventRanges> ranges;
    std::unique_ptr<runtime::EventRanges::Walk> walk;
  };
  // Any other operation.
  struct Single {
    ValueId id = 0;
    std::vector<Data> operands;
    std::vector<const Data*> pointers;
    std::vector<Rows> operands_at;
    Data result;
    Rows result_at{};
  };
  struct Copy {
    Rows from{}, to{};
    std::int64_t bytes = 0;
  };
  // A loop, a reduction or another operation, on each row or on all at once.
  struct Step {
    Loop* loop = nullptr;
    Single* single = nullptr;
    Reduction reduction{};
    bool whole_group = false;
  };
  // The number of stages on all rows before an array is made, and before it is used last. Where they are the same, its row is needed
  // no more when the next one is made.
  struct Use {
    int made = 0, last = 0;
  };

  std::int64_t row_elements(const Stage& stage) const { return stage.shape.elements(run_.symbols_); }
  void find_uses();
  void find_batch();
  void place(Data& made, std::int64_t bytes) const;
  const Data& make(ValueId id);
  bool add_loop(const Stage& stage);
  bool add_view(ValueId id);
  bool add_reduction(ValueId id, const Data& from, const Apart& apart, bool by_blocks);
  bool add_single(ValueId id);
  bool add_copy(ValueId id, std::size_t result);
  void set_parameters(Loop& loop, std::int64_t row) const;
  void move_to(Loop& loop, const Place& place) const;
  void run_step(const Step& step, const Place& place);
  void run_batch(const Step& step, const Place& first, std::int64_t rows);
  void fetch(std::int64_t row, std::int64_t part) const;

  Run& run_;
  std::int64_t rows_;
  std::int64_t batch_ = 1;  // rows, at most those of the group
  Of of_;
  std::vector<Apart> apart_;  // of each node
  std::span<const Apart> results_;
  std::vector<Use> uses_;  // of each node
  std::vector<std::unique_ptr<Loop>> loops_;
  std::vector<std::unique_ptr<Single>> singles_;
  std::vector<Copy> copies_;     // of results that are not made where they belong
  std::vector<Data> constants_;  // among those
  std::vector<Step> all_;
  std::int64_t row_loops_ = 0;
  std::int64_t longest_reduced_ = 0;
  std::optional<exec::ReduceRange> state_;  // of reductions
};

}  // namespace frit::arrays
