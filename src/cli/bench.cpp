// frit bench: the times of one model in several modes, dtypes, sizes and thread counts, taken in one process.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "cli/outputs.hpp"
#include "cli/report.hpp"
#include "cli/signals.hpp"
#include "core/atomic_file.hpp"
#include "runtime/explain.hpp"

namespace frit::cli {
namespace {

// The used columns in the dtype of a function, repeated or cut to the largest size; a smaller size is a prefix.
// Conversion belongs to loading here: a run of many calls would have its data in the dtype that it computes in.
// Integers stay as they are, since exactness is the function's to check.
class BenchColumns {
 public:
  BenchColumns(const Window& source, DType dtype, std::int64_t size) {
    for (const ColumnView& view : source.columns.views()) {
      if (view.size == 0 && size > 0)
        throw Error(ErrorCode::column_length, "the data have no event that could be repeated");
      const bool narrow = dtype == DType::f32 && real_of(view.dtype) == DType::f64;
      const bool widen = dtype == DType::f64 && real_of(view.dtype) == DType::f32;
      const bool complex = is_complex(view.dtype);
      const DType target = narrow || widen ? (complex ? complex_of(dtype) : dtype) : view.dtype;
      std::vector<std::byte> bytes;
      if (view.data != nullptr) {
        if (narrow) {
          bytes = convert<double, float>(view, complex);
        } else if (widen) {
          bytes = convert<float, double>(view, complex);
        } else {
          const auto* data = static_cast<const std::byte*>(view.data);
          bytes.assign(data, data + static_cast<std::size_t>(view.size) * size_of(view.dtype));
        }
        const std::size_t period = bytes.size();
        bytes.resize(static_cast<std::size_t>(size) * size_of(target));
        for (std::size_t at = period; at < bytes.size(); ++at) bytes[at] = bytes[at - period];
      }
      columns_.push_back({view.name, target, std::move(bytes)});
    }
  }

  Columns first(std::int64_t events) const { return range(0, events); }
  Columns range(std::int64_t first, std::int64_t events) const {
    Columns columns;
    for (const Owned& column : columns_) {
      const std::byte* data = column.bytes.empty()
                                  ? nullptr
                                  : column.bytes.data() + static_cast<std::size_t>(first) * size_of(column.dtype);
      columns.add({column.name, data, column.dtype, events});
    }
    return columns;
  }

 private:
  struct Owned {
    std::string name;
    DType dtype;
    std::vector<std::byte> bytes;
  };

  template <class From, class To> static std::vector<std::byte> convert(const ColumnView& view, bool complex) {
    const std::size_t words = static_cast<std::size_t>(view.size) * (complex ? 2 : 1);
    std::vector<std::byte> bytes(words * sizeof(To));
    for (std::size_t i = 0; i < words; ++i) {
      From x;
      std::memcpy(&x, static_cast<const std::byte*>(view.data) + i * sizeof x, sizeof x);
      const To y = static_cast<To>(x);
      std::memcpy(bytes.data() + i * sizeof y, &y, sizeof y);
    }
    return bytes;
  }

  std::vector<Owned> columns_;
};

// One row while it is measured.
struct Candidate {
  BenchRow row;
  std::size_t dtype_index;
  Function function;
  Outputs outputs;
  std::int64_t calls = 1;  // a sample
  std::vector<double> samples;
};

class Bench {
 public:
  explicit Bench(const BenchOptions& options) : options_(options), inputs_(read_inputs(options.inputs, notes_)) {
    if (options_.sizes.empty()) options_.sizes.push_back(inputs_.events);
    for (const int threads : options_.threads) {
      EngineOptions engine = options_.engine;
      engine.threads = threads;
      engine.cache = false;  // what is measured is the compilation
      engines_.emplace_back(engine);
    }
    const std::int64_t largest = *std::max_element(options_.sizes.begin(), options_.sizes.end());
    const Window window = inputs_.read(0, std::min(inputs_.events, largest));
    for (const DType dtype : options_.dtypes) columns_.emplace_back(window, dtype, largest);
  }

  std::vector<BenchRow> rows() {
    std::vector<BenchRow> rows;
    for (const std::int64_t size : options_.sizes) measure(size, rows);
    return rows;
  }

  const Notes& notes() const { return notes_; }

 private:
  void call(const Candidate& candidate) const {
    const std::int64_t events = candidate.row.events;
    candidate.function.run(columns_[candidate.dtype_index].first(events), inputs_.parameters,
                           candidate.outputs.views(events), cancel_word());
  }

  Candidate begin(const Engine& engine, Mode mode, std::size_t dtype_index, std::int64_t size) {
    const bool compiles = mode == Mode::compiled || mode == Mode::automatic;
    const FunctionOptions options{.mode = mode,
                                  .dtype = options_.dtypes[dtype_index],
                                  .compiler = compiles ? options_.compiler : CompilerOptions{}};
    const Stopwatch binding;
    Function function = bind(engine, inputs_, options, /*strict=*/false, notes_);
    const double bind_s = binding.seconds();
    Outputs outputs(function, size);
    Candidate candidate{{}, dtype_index, std::move(function), std::move(outputs), 1, {}};
    BenchRow& row = candidate.row;
    row.mode = name_of(mode);
    row.dtype = name_of(options.dtype);
    row.events = size;
    row.threads = engine.threads();
    const Stopwatch first;
    call(candidate);
    row.bind_s = bind_s;
    row.first_s = bind_s + first.seconds();
    if (mode == Mode::automatic) reach_steady_state(candidate);
    const Stopwatch warm;
    call(candidate);
    candidate.calls = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(options_.min_time / std::max(warm.seconds(), 1e-9)) + 1, 1, 1000000);
    notes_.add(candidate.function.notes());
    if (const std::string reason = runtime::why_no_code(candidate.function); !reason.empty())
      notes_.add("mode auto stays on the graph: " + reason);
    return candidate;
  }

  // Mode auto: calls until machine code is ready, or until it is known that there will be none.
  void reach_steady_state(const Candidate& candidate) const {
    constexpr double patience = 600, poll = 0.05;  // seconds; an interruption is seen after `poll`
    const Stopwatch waiting;
    while (!candidate.function.wait_for_code(poll) && runtime::why_no_code(candidate.function).empty() &&
           waiting.seconds() < patience) {
      throw_if_interrupted();
      call(candidate);
    }
  }

  // Eager's outputs, computed in short ranges: the bits are the same, and its arrays stay small.
  Outputs eager_outputs(std::size_t dtype_index, std::int64_t size) {
    constexpr std::int64_t range = 16384;
    const Function function =
        bind(engines_.front(), inputs_, {.mode = Mode::eager, .dtype = options_.dtypes[dtype_index]},
             /*strict=*/false, notes_);
    Outputs outputs(function, size);
    for (std::int64_t first = 0; first < size; first += range) {
      const std::int64_t count = std::min(range, size - first);
      function.run(columns_[dtype_index].range(first, count), inputs_.parameters, outputs.views(first, count),
                   cancel_word());
    }
    return outputs;
  }

  void measure(std::int64_t size, std::vector<BenchRow>& rows) {
    std::vector<Candidate> candidates;
    for (std::size_t dtype = 0; dtype < options_.dtypes.size(); ++dtype)
      for (const Engine& engine : engines_)
        for (const Mode mode : options_.modes) candidates.push_back(begin(engine, mode, dtype, size));
    // Candidates take turns, so that what else the machine does hits all of them alike.
    for (int sample = 0; sample < options_.samples; ++sample) {
      for (Candidate& candidate : candidates) {
        throw_if_interrupted();
        const Stopwatch stopwatch;
        for (std::int64_t i = 0; i < candidate.calls; ++i) call(candidate);
        candidate.samples.push_back(stopwatch.seconds() / static_cast<double>(candidate.calls));
      }
    }
    for (std::size_t dtype = 0; dtype < options_.dtypes.size(); ++dtype) {
      const Outputs eager = eager_outputs(dtype, size);
      for (Candidate& candidate : candidates)
        if (candidate.dtype_index == dtype) candidate.row.differing = count_differing(candidate.outputs, eager, size);
    }
    for (Candidate& candidate : candidates) {
      std::sort(candidate.samples.begin(), candidate.samples.end());
      BenchRow& row = candidate.row;
      row.mode_used = name_of(candidate.function.mode_used());
      row.code = runtime::compile_statistics(candidate.function);
      row.compile_s = candidate.function.stage_times().compile_s;
      row.effort = options_.compiler.effort;
      row.min_s = candidate.samples.front();
      const std::size_t middle = candidate.samples.size() / 2;
      row.median_s = candidate.samples.size() % 2 == 1
                         ? candidate.samples[middle]
                         : (candidate.samples[middle - 1] + candidate.samples[middle]) / 2;
      row.ns_per_event = size > 0 ? row.median_s * 1e9 / static_cast<double>(size) : 0;
      rows.push_back(row);
    }
  }

  BenchOptions options_;
  Notes notes_;
  Inputs inputs_;
  std::vector<Engine> engines_;
  std::vector<BenchColumns> columns_;  // a dtype
};

std::string table(const std::vector<BenchRow>& rows) {
  std::string text = fmt::format("{:<13} {:<5} {:>10} {:>7} {:>11} {:>11} {:>11} {:>10}  {}\n", "mode", "dtype",
                                 "events", "threads", "first ms", "median ms", "min ms", "ns/event", "against eager");
  for (const BenchRow& row : rows) {
    const std::string mode =
        row.mode == row.mode_used ? std::string(row.mode) : fmt::format("{}>{}", row.mode, row.mode_used);
    text += fmt::format("{:<13} {:<5} {:>10} {:>7} {:>11.3f} {:>11.3f} {:>11.3f} {:>10.2f}  {}\n", mode, row.dtype,
                        row.events, row.threads, row.first_s * 1e3, row.median_s * 1e3, row.min_s * 1e3,
                        row.ns_per_event, row.differing == 0 ? "same bits" : fmt::format("{} differ", row.differing));
  }
  return text;
}

}  // namespace

int run_bench(const BenchOptions& options) {
  check_paths(options.inputs, std::array<WrittenFile, 1>{{{"--json", options.json}}});
  std::optional<NothingToLose> beginning(std::in_place);
  Bench bench(options);
  beginning.reset();
  std::optional<AtomicFile> json_file;
  if (!options.json.empty()) json_file.emplace(options.json);
  const std::vector<BenchRow> rows = bench.rows();
  if (json_file) {
    const std::string text = bench_json(rows);
    json_file->write_at(0, text.data(), text.size());
    json_file->commit();
  }
  print(table(rows));
  bench.notes().print();
  return 0;
}

}  // namespace frit::cli
