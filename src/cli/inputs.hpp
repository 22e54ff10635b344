// Model, data and parameters of a command, and the function that is made of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/notes.hpp"
#include "io/sample_file.hpp"

namespace frit::cli {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Some events of the columns that the model uses. The views stay valid as long as this object.
struct Window {
  Columns columns;
  std::vector<io::Column> owners;
};

struct Inputs {
  explicit Inputs(Model the_model) : model(std::move(the_model)) {}

  Model model;
  std::optional<io::SampleFile> sample;
  Signature signature;  // all columns of the data and all parameters, so that what is not used is noted
  Parameters parameters;
  std::vector<io::ColumnInfo> used;  // the columns that the model uses, in the model's order
  std::int64_t events = 1;
  // NOTE: read_s is opening files, reading headers and what has to be inflated, swapped or parsed. The pages of mapped
  // columns are not touched by that: the kernel brings them in while the function runs, as part of run_s.
  double read_s = 0;
  double parse_s = 0;  // the model

  Window read(std::int64_t first, std::int64_t count);
};

// Reads everything but the columns' values. A name that is both a column and a parameter is ErrorCode::usage.
Inputs read_inputs(const InputOptions& options, Notes& notes);

// For a command that computes nothing and was given no data: symbols that are no parameters are taken as real columns.
void assume_columns(Inputs& inputs, Notes& notes);

// A file that a command is about to write, named by an option.
struct WrittenFile {
  const char* option;
  const std::filesystem::path& path;  // empty: none
};
// Refuses (usage) to write over the inputs, or to two options' files at one place.
void check_paths(const InputOptions& inputs, std::span<const WrittenFile> files);

// Binds the function; an interruption ends the wait for its compilation. `strict` refuses what would only be noted
// otherwise: columns rounded to f32 (column_dtype), parameters that f32 cannot hold (parameter_kind), another mode than
// asked for (mode_unavailable). A target that this CPU does not run is cpu_unsupported.
Function bind(const Engine& engine, const Inputs& inputs, const FunctionOptions& options, bool strict, Notes& notes);

}  // namespace frit::cli
