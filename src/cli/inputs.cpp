#include "cli/inputs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <system_error>
#include <unordered_set>

#include "cli/interruptible.hpp"
#include "exec/kernel_table.hpp"
#include "io/parameters.hpp"
#include "runtime/compiler_module.hpp"

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

// NOTE: the compiler makes code for any target; the command refuses what it could not run.
void check_target(const std::string& target) {
  constexpr std::string_view prefix = "x86-64-";
  if (!target.starts_with(prefix)) return;
  const std::string isa = target.substr(prefix.size());
  if (exec::find_table(isa.c_str()) == nullptr)
    throw Error(ErrorCode::cpu_unsupported, fmt::format("this CPU does not run code for {}", target));
}

// --strict in mode auto: whether code can be made is otherwise found out in the background.
void check_compiler() {
  try {
    runtime::load_compiler();
  } catch (const Error& error) {
    throw Error(ErrorCode::mode_unavailable,
                fmt::format("mode auto would stay on the graph: {} (--strict)", error.message()));
  }
}

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  // Files that do not exist yet have no identity but their path; made absolute first, since o.npz and ./o.npz are one.
  const auto identity = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  return identity(a) == identity(b);
}

}  // namespace

// NOTE: replacing an input would be safe (the output is renamed over it, and mapped pages stay those of the older
// file), but it destroys what the user would need to run again; a slip is likelier than a wish.
void check_paths(const InputOptions& inputs, std::span<const WrittenFile> files) {
  const auto refuse = [](const WrittenFile& file, std::string_view role) {
    throw Error(ErrorCode::usage,
                fmt::format("{} {} would replace the {}; choose another name", file.option, file.path.string(), role));
  };
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (same_file(files[i].path, inputs.model)) refuse(files[i], "model");
    if (same_file(files[i].path, inputs.data)) refuse(files[i], "data");
    if (same_file(files[i].path, inputs.parameters)) refuse(files[i], "parameters");
    for (std::size_t k = 0; k < i; ++k)
      if (same_file(files[i].path, files[k].path)) refuse(files[i], std::string_view(files[k].option).substr(2));
  }
}

void assume_columns(Inputs& inputs, Notes& notes) {
  std::unordered_set<std::string_view> known;
  for (const auto& argument : inputs.signature.parameters) known.insert(argument.name);
  std::size_t assumed = 0;
  for (std::string& name : inputs.model.symbols()) {
    if (known.contains(name)) continue;
    inputs.signature.columns.push_back({std::move(name), false});
    ++assumed;
  }
  if (assumed > 0)
    notes.add(fmt::format("without --data the {} symbols that are no parameters are real columns", assumed));
}

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
  check_target(options.compiler.target);
  const CompilerOptions defaults;
  const bool compiles = options.mode == Mode::compiled || options.mode == Mode::automatic;
  if (!compiles && (options.compiler.effort != defaults.effort || options.compiler.width != defaults.width ||
                    !options.compiler.target.empty()))
    notes.add(fmt::format("--effort, --width and --target mean nothing in mode {}", name_of(options.mode)));
  if (options.mode == Mode::automatic) {
    if (strict) check_compiler();
    Function function = engine.bind(inputs.model, inputs.signature, options);
    leave_running(function);
    return function;
  }
  if (options.mode != Mode::compiled) return engine.bind(inputs.model, inputs.signature, options);
  return interruptible<Function>([engine, model = inputs.model, signature = inputs.signature, options] {
    return engine.bind(model, signature, options);
  });
}

}  // namespace frit::cli
