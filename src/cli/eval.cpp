// frit eval: a model over the events of a file, into an npz.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "cli/outputs.hpp"
#include "cli/report.hpp"
#include "cli/signals.hpp"
#include "core/atomic_file.hpp"
#include "io/npz_writer.hpp"
#include "runtime/explain.hpp"

namespace frit::cli {
namespace {

// The outputs on their way into the file: as they are, or their real parts.
class OutputFile {
 public:
  OutputFile(const std::filesystem::path& path, const Function& function, std::int64_t events, bool real)
      : writer_(path), function_(function), dropped_(function.output_count()), real_(real) {
    for (std::size_t i = 0; i < function.output_count(); ++i)
      writer_.begin(function.output_name(i), drops(i) ? real_of(function.output_dtype(i)) : function.output_dtype(i),
                    events);
  }

  void append(const Outputs& outputs, std::int64_t first, std::int64_t count) {
    for (std::size_t i = 0; i < outputs.count(); ++i) {
      if (!drops(i)) {
        writer_.append(function_.output_name(i), outputs.data(i), count);
      } else if (outputs.dtype(i) == DType::c128) {
        append_real<double>(outputs.data(i), i, first, count);
      } else {
        append_real<float>(outputs.data(i), i, first, count);
      }
    }
  }

  void commit(Notes& notes) {
    writer_.commit();
    for (std::size_t i = 0; i < dropped_.size(); ++i) {
      if (!drops(i)) continue;
      std::string text = fmt::format("output '{}': imaginary parts dropped, the largest is {:.3g}",
                                     function_.output_name(i), dropped_[i].largest);
      if (dropped_[i].largest > 0) text += fmt::format(" at event {}", dropped_[i].event);
      if (dropped_[i].nans > 0) text += fmt::format("; {} are NaN", dropped_[i].nans);
      notes.add(std::move(text));
    }
  }

 private:
  struct Dropped {
    double largest = 0;
    std::int64_t event = 0;
    std::int64_t nans = 0;
  };

  bool drops(std::size_t i) const { return real_ && is_complex(function_.output_dtype(i)); }

  template <class T> void append_real(const std::byte* data, std::size_t i, std::int64_t first, std::int64_t count) {
    constexpr std::int64_t piece = 4096;
    T values[piece];
    for (std::int64_t at = 0; at < count; at += piece) {
      const std::int64_t n = std::min(piece, count - at);
      for (std::int64_t k = 0; k < n; ++k) {
        T parts[2];
        std::memcpy(parts, data + static_cast<std::size_t>(at + k) * sizeof parts, sizeof parts);
        values[k] = parts[0];
        const double imaginary = std::abs(static_cast<double>(parts[1]));
        if (imaginary > dropped_[i].largest) dropped_[i] = {imaginary, first + at + k, dropped_[i].nans};
        if (std::isnan(imaginary)) ++dropped_[i].nans;
      }
      writer_.append(function_.output_name(i), values, n);
    }
  }

  io::NpzWriter writer_;
  const Function& function_;
  std::vector<Dropped> dropped_;
  bool real_;
};

void run_window(const Function& function, const Window& window, const Inputs& inputs, std::span<const OutputView> views,
                std::int64_t first) {
  try {
    function.run(window.columns, inputs.parameters, views, cancel_word());
  } catch (const Error& error) {
    // The function knows the events of this call only.
    if (error.code() != ErrorCode::column_dtype || first == 0) throw;
    throw Error(error.code(), fmt::format("{} (events count from event {} of the data)", error.message(), first));
  }
}

}  // namespace

int run_eval(const EvalOptions& options) {
  check_paths(options.inputs, std::array<WrittenFile, 2>{{{"--output", options.output}, {"--report", options.report}}});
  const std::string extension = options.output.extension().string();
  if (extension == ".npy" || extension == ".csv" || extension == ".json")
    throw Error(ErrorCode::usage,
                fmt::format("--output writes an npz, but {} ends in {}", options.output.string(), extension));
  const Engine engine(options.engine);
  Notes notes;
  std::optional<NothingToLose> beginning(std::in_place);
  Inputs inputs = read_inputs(options.inputs, notes);
  const Function function = bind(engine, inputs, options.function, options.strict, notes);
  beginning.reset();

  // Both files are begun before the run, so that a place that takes no file is found before the work is done.
  std::optional<AtomicFile> report_file;
  if (!options.report.empty()) report_file.emplace(options.report);
  Stopwatch opening;
  OutputFile output_file(options.output, function, inputs.events, options.real);
  double write_s = opening.seconds();
  double run_s = 0;
  Mode mode_used = function.mode_used();
  CallCounts calls;
  const std::int64_t chunk =
      options.chunk > 0 ? std::min(options.chunk, std::max<std::int64_t>(inputs.events, 1)) : inputs.events;
  {
    const Outputs outputs(function, chunk);
    std::int64_t first = 0;
    do {  // once without events too: what is missing is an error then as well
      const std::int64_t count = std::min(chunk, inputs.events - first);
      const Window window = inputs.read(first, count);
      throw_if_interrupted();
      // In mode auto code may become ready while a call runs; the call counts as what it began as.
      mode_used = function.mode_used();
      ++(mode_used == Mode::compiled ? calls.compiled : mode_used == Mode::graph ? calls.graph : calls.eager);
      const Stopwatch running;
      run_window(function, window, inputs, outputs.views(count), first);
      run_s += running.seconds();
      const Stopwatch writing;
      output_file.append(outputs, first, count);
      write_s += writing.seconds();
      first += count;
      if (options.chunk > 0 && inputs.sample) inputs.sample->release(first);
    } while (first < inputs.events);
  }
  throw_if_interrupted();
  const Stopwatch committing;
  output_file.commit(notes);
  write_s += committing.seconds();
  notes.add(function.notes());
  if (const std::string reason = runtime::why_no_code(function); !reason.empty())
    notes.add("mode auto stays on the graph: " + reason);

  if (report_file) {
    const std::string text = report_json({.mode_asked = name_of(options.function.mode),
                                          .mode_used = name_of(mode_used),
                                          .dtype = name_of(function.dtype()),
                                          .isa = engine.isa(),
                                          .events = inputs.events,
                                          .threads = engine.threads(),
                                          .read_s = inputs.read_s,
                                          .parse_s = inputs.parse_s,
                                          .stages = function.stage_times(),
                                          .calls = calls,
                                          .effort = options.function.compiler.effort,
                                          .code = runtime::compile_statistics(function),
                                          .run_s = run_s,
                                          .write_s = write_s,
                                          .notes = notes.all()});
    report_file->write_at(0, text.data(), text.size());
    report_file->commit();
  }
  notes.print();
  return 0;
}

}  // namespace frit::cli
