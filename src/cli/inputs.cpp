#include "cli/inputs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <unordered_set>

#include "io/parameters.hpp"

namespace frit::cli {
namespace {

void read_parameter_file(const InputOptions& options, Inputs& inputs) {
  if (options.parameters.empty()) return;
  for (const auto& [name, value] : io::read_parameters(options.parameters)) {
    if (value.complex) {
      inputs.parameters.set(name, std::complex<double>(value.re, value.im));
    } else {
      inputs.parameters.set(name, value.re);
    }
    inputs.signature.parameters.push_back({name, value.complex});
  }
}

void open_sample(const InputOptions& options, Inputs& inputs, Notes& notes) {
  if (options.data.empty()) return;
  io::SampleFile sample = io::SampleFile::open(options.data);
  std::unordered_set<std::string_view> parameter_names;
  for (const auto& argument : inputs.signature.parameters) parameter_names.insert(argument.name);
  for (const io::ColumnInfo& column : sample.columns()) {
    if (parameter_names.contains(column.name))
      throw Error(ErrorCode::usage, fmt::format("'{}' is both a column of {} and a parameter of {}; rename one of them",
                                                column.name, options.data.string(), options.parameters.string()));
    inputs.signature.columns.push_back({column.name, is_complex(column.dtype)});
  }
  std::vector<std::string> names;
  for (const std::string& name : inputs.model.symbols()) {
    if (parameter_names.contains(name)) continue;
    // An entry of this name that is no column raises its own error here; no entry at all is bind's, with a hint.
    const io::ColumnInfo* column = sample.find(name);
    if (column == nullptr) continue;
    inputs.used.push_back(*column);
    names.push_back(name);
  }
  for (const io::UnusableEntry& entry : sample.unusable())
    notes.add(fmt::format("array '{}' is ignored: the model does not use it, and it is no column", entry.name));
  // A model without columns has one value for each event of the data.
  inputs.events = names.empty() ? (sample.columns().empty() ? 1 : sample.events()) : sample.events(names);
  sample.select(names);
  inputs.sample.emplace(std::move(sample));
}

// Parameters beyond the range of f32; the ones that are only rounded are what asking for f32 means.
void check_parameter_range(const Inputs& inputs, bool strict, Notes& notes) {
  const auto lost = [](double x) {
    return std::isfinite(x) && std::abs(x) > static_cast<double>(std::numeric_limits<float>::max());
  };
  for (const Parameters::Value& parameter : inputs.parameters.values()) {
    if (!lost(parameter.value.real()) && !lost(parameter.value.imag())) continue;
    std::string text = fmt::format("parameter '{}' is beyond the largest f32 and becomes infinite", parameter.name);
    if (strict) throw Error(ErrorCode::parameter_kind, text + " (--strict)");
    notes.add(std::move(text));
  }
}

}  // namespace

Window Inputs::read(std::int64_t first, std::int64_t count) {
  const Stopwatch stopwatch;
  Window window;
  for (const io::ColumnInfo& info : used) {
    io::Column column = sample->read(info.name, first, count);
    window.columns.add({info.name, column.data, column.dtype, column.size});
    window.owners.push_back(std::move(column));
  }
  // The number of events of a function without columns; no element of this view is read.
  if (used.empty()) window.columns.add({"", nullptr, DType::f64, count});
  read_s += stopwatch.seconds();
  return window;
}

Inputs read_inputs(const InputOptions& options, Notes& notes) {
  const Stopwatch parsing;
  Inputs inputs(Model::read(options.model));
  inputs.parse_s = parsing.seconds();
  const Stopwatch reading;
  read_parameter_file(options, inputs);
  open_sample(options, inputs, notes);
  inputs.read_s = reading.seconds();
  return inputs;
}

Function bind(const Engine& engine, const Inputs& inputs, const FunctionOptions& options, bool strict, Notes& notes) {
  if (options.dtype == DType::f32) {
    for (const io::ColumnInfo& column : inputs.used) {
      if (strict && real_of(column.dtype) == DType::f64)
        throw Error(ErrorCode::column_dtype, fmt::format("column '{}' is {} and would be rounded to f32 (--strict)",
                                                         column.name, name_of(column.dtype)));
    }
    check_parameter_range(inputs, strict, notes);
  }
  FunctionOptions used = options;
  if (options.mode == Mode::automatic) {
    try {
      return engine.bind(inputs.model, inputs.signature, options);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::mode_unavailable || strict) throw;
      notes.add("mode auto runs as graph: this build has no compiler");
      used.mode = Mode::graph;
    }
  }
  return engine.bind(inputs.model, inputs.signature, used);
}

}  // namespace frit::cli
