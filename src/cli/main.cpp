// The command line: options to structs, errors to one line and an exit status. docs/command.md is its manual.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/interruptible.hpp"
#include "cli/notes.hpp"
#include "cli/signals.hpp"
#include "core/nearest_name.hpp"

namespace frit::cli {
namespace {

std::string names_a_file(const std::string& path) { return path.empty() ? "the path is empty" : ""; }

constexpr int closed_pipe_status = 141;  // 128 + SIGPIPE, as a shell reports a process that the signal ended

// Written as text on the command line, read once parsing is done.
struct Words {
  std::string mode = "graph", dtype = "f64";
  std::vector<std::string> modes{"eager", "graph"}, dtypes{"f64"};
};

const std::vector<std::string> mode_names{"eager", "graph", "compiled", "auto"};
const std::vector<std::string> dtype_names{"f64", "f32"};
const std::vector<std::string> target_names{"x86-64-v3", "x86-64-v4"};

Mode mode_of(const std::string& word) {
  Mode mode = Mode::graph;
  if (!parse_mode(word, mode)) throw Error(ErrorCode::usage, fmt::format("no mode '{}'", word));
  return mode;
}

DType dtype_of(const std::string& word) {
  DType dtype = DType::f64;
  if (!parse_dtype(word, dtype)) throw Error(ErrorCode::usage, fmt::format("no dtype '{}'", word));
  return dtype;
}

void add_inputs(CLI::App& command, InputOptions& inputs) {
  command.add_option("MODEL", inputs.model, "the expression as text of sympy.srepr")->required();
  command.add_option("--data", inputs.data, "columns of events: .npz, .npy or .csv");
  command.add_option("--parameters", inputs.parameters, "JSON object of name: number, or name: [re, im]");
}

void add_engine(CLI::App& command, EngineOptions& engine) {
  command.add_option("--tile", engine.tile, "events a tile, a multiple of 64; 0 picks it")
      ->check(CLI::Range(0, 1 << 20));
  command.add_option("--isa", engine.isa,
                     "kernels to use: v2, v3 or v4 (a64 on AArch64); the best of this CPU if absent");
}

void add_dtype(CLI::App& command, Words& words) {
  command.add_option("--dtype", words.dtype, "f64 or f32: the dtype of every operation")
      ->check(CLI::IsMember(dtype_names))
      ->capture_default_str();
}

void add_function(CLI::App& command, Words& words) {
  command.add_option("--mode", words.mode, "eager, graph, compiled or auto")
      ->check(CLI::IsMember(mode_names))
      ->capture_default_str();
  add_dtype(command, words);
}

void add_compiler(CLI::App& command, CompilerOptions& compiler) {
  command.add_option("--effort", compiler.effort, "0: fastest compilation, 1, 2: fastest code")
      ->check(CLI::Range(0, 2))
      ->capture_default_str();
  command
      .add_option("--width", compiler.width, "lanes of a vector in machine code; 0 fills the registers of the target")
      ->check(CLI::IsMember({0, 1, 2, 4, 8, 16}));
  command.add_option("--target", compiler.target, "CPU of machine code: x86-64-v3 or x86-64-v4; this one if absent")
      ->check(CLI::IsMember(target_names));
}

constexpr int most_threads = 1024;
const CLI::Range event_count(std::int64_t{1}, std::int64_t{1} << 40);

CLI::App* add_eval(CLI::App& app, EvalOptions& options, Words& words) {
  CLI::App* command = app.add_subcommand("eval", "evaluate a model over the events of a file");
  add_inputs(*command, options.inputs);
  add_function(*command, words);
  command->add_option("--output", options.output, "the npz to write: output, or output_0, output_1, ...")
      ->required()
      ->check(names_a_file);
  command->add_option("--chunk", options.chunk, "read, compute and write this many events at a time")
      ->check(event_count);
  command->add_option("--threads", options.engine.threads, "cap on threads; 0 takes the cores of this process")
      ->check(CLI::Range(0, most_threads));
  add_engine(*command, options.engine);
  add_compiler(*command, options.function.compiler);
  command->add_flag("!--no-cache", options.engine.cache, "compile anew, and keep no machine code on disk");
  command->add_option("--report", options.report, "write times, memory and notes as JSON")->check(names_a_file);
  command->add_flag("--strict", options.strict, "make narrowed columns and other modes than asked for an error");
  command->add_flag("--real", options.real, "write the real parts of complex outputs");
  command->footer(
      "Examples:\n"
      "  frit eval model.srepr --data data.npz --parameters parameters.json --output out.npz\n"
      "  frit eval model.srepr --data big.npz --parameters parameters.json --output out.npz --chunk 100000 --report "
      "run.json\n"
      "  frit eval model.srepr --data data.csv --dtype f32 --mode eager --output out.npz");
  return command;
}

CLI::App* add_bench(CLI::App& app, BenchOptions& options, Words& words) {
  CLI::App* command = app.add_subcommand("bench", "time a model in several modes, dtypes and sizes");
  add_inputs(*command, options.inputs);
  command->add_option("--modes", words.modes, "of eager, graph, compiled, auto")
      ->delimiter(',')
      ->check(CLI::IsMember(mode_names))
      ->capture_default_str();
  command->add_option("--dtypes", words.dtypes, "of f64, f32")
      ->delimiter(',')
      ->check(CLI::IsMember(dtype_names))
      ->capture_default_str();
  command
      ->add_option("--sizes", options.sizes, "events, by repeating or cutting the data; the data as they are if absent")
      ->delimiter(',')
      ->check(event_count);
  command->add_option("--threads", options.threads, "caps on threads; 0 takes the cores of this process")
      ->delimiter(',')
      ->check(CLI::Range(0, most_threads));
  add_engine(*command, options.engine);
  add_compiler(*command, options.compiler);
  command->add_option("--samples", options.samples, "timed samples a row")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--min-time", options.min_time, "seconds a sample takes at least")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  command->add_option("--json", options.json, "write the rows as JSON")->check(names_a_file);
  command->footer(
      "Examples:\n"
      "  frit bench model.srepr --data data.npz --parameters parameters.json\n"
      "  frit bench model.srepr --data data.npz --parameters parameters.json --modes eager,graph --dtypes f64,f32 \\\n"
      "             --sizes 1000,100000,1000000 --threads 1,2 --json rows.json");
  return command;
}

CLI::App* add_explain(CLI::App& app, ExplainOptions& options, Words& words) {
  CLI::App* command = app.add_subcommand("explain", "show a model at each stage on its way to run, and what it costs");
  add_inputs(*command, options.inputs);
  command->add_option("--mode", words.mode, "graph, or eager: without passes and fused steps")
      ->check(CLI::IsMember({"graph", "eager"}))
      ->capture_default_str();
  add_dtype(*command, words);
  add_engine(*command, options.engine);
  add_compiler(*command, options.function.compiler);
  std::vector<std::string> stages(explain_stages.begin(), explain_stages.end());
  stages.emplace_back("all");
  options.stage = "summary";
  command
      ->add_option("--stage", options.stage, "of expression, graph, passes, plan, kernels, ir, assembly, summary, all")
      ->check(CLI::IsMember(stages))
      ->capture_default_str();
  command->add_option("--dot", options.dot, "write the graph for Graphviz")->check(names_a_file);
  command->add_option("--svg", options.svg, "write a picture of the graph; of large graphs an overview of the plan")
      ->check(names_a_file);
  command->add_option("--json", options.json, "write the figures as JSON")->check(names_a_file);
  command->footer(
      "Examples:\n"
      "  frit explain model.srepr --data data.npz --parameters parameters.json\n"
      "  frit explain model.srepr --data data.npz --parameters parameters.json --stage assembly --effort 2\n"
      "  frit explain model.srepr --parameters parameters.json --stage plan --svg graph.svg");
  return command;
}

CLI::App* add_cache(CLI::App& app, CacheOptions& options) {
  CLI::App* command = app.add_subcommand("cache", "show where machine code is kept on disk, and how much");
  command->add_flag("--clear", options.clear, "remove all of it");
  command->footer("Examples:\n  frit cache\n  frit cache --clear");
  return command;
}

// One line, whatever stands in a message.
void print_error(ErrorCode code, std::string_view message) {
  std::fprintf(stderr, "frit: error[%s]: %s\n", std::string(name_of(code)).c_str(), one_line(message).c_str());
}

int fail(ErrorCode code, const std::string& message) {
  print_error(code, message);
  return exit_status(class_of(code));
}

int run(int argc, char** argv) {
  CLI::App app{"Runs numeric programs eagerly, as a graph or as machine code, with the same bits.", "frit"};
  app.set_version_flag("--version", std::string("frit ") + FRIT_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Example:\n"
      "  frit eval model.srepr --data data.npz --parameters parameters.json --output out.npz\n"
      "Exit status: 0 done; 2 the model or the command line is wrong; 3 an input or the machine is;\n"
      "4 frit is, please report it; 130 interrupted, 143 terminated.");
  Words words;
  EvalOptions eval;
  BenchOptions bench;
  ExplainOptions explain;
  CacheOptions cache;
  const CLI::App* eval_command = add_eval(app, eval, words);
  const CLI::App* bench_command = add_bench(app, bench, words);
  const CLI::App* explain_command = add_explain(app, explain, words);
  const CLI::App* cache_command = add_cache(app, cache);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return 0;
  } catch (const CLI::CallForVersion&) {
    print(app.version() + "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    if (app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-') {
      const std::string_view commands[] = {"eval", "bench", "explain", "cache"};
      return fail(ErrorCode::usage, fmt::format("no command '{}'{}", argv[1], did_you_mean(argv[1], commands)));
    }
    return fail(ErrorCode::usage, fmt::format("{}; see frit --help", error.what()));
  }
  if (*eval_command) {
    eval.function.mode = mode_of(words.mode);
    eval.function.dtype = dtype_of(words.dtype);
    return run_eval(eval);
  }
  if (*bench_command) {
    for (const std::string& word : words.modes) bench.modes.push_back(mode_of(word));
    for (const std::string& word : words.dtypes) bench.dtypes.push_back(dtype_of(word));
    if (bench.threads.empty()) bench.threads.push_back(0);
    return run_bench(bench);
  }
  if (*explain_command) {
    explain.function.mode = mode_of(words.mode);
    explain.function.dtype = dtype_of(words.dtype);
    return run_explain(explain);
  }
  if (*cache_command) return run_cache(cache);
  return fail(ErrorCode::internal, "a command without code");
}

int run_or_fail(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const ClosedPipe&) {
    return closed_pipe_status;
  } catch (const Error& error) {
    const int signal = interrupted_by();
    if (error.code() == ErrorCode::cancelled && signal != 0) {
      print_error(error.code(), interrupted_message);
      return 128 + signal;
    }
    return fail(error.code(), error.message());
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::out_of_memory, "the machine has no more memory; --chunk computes in pieces");
  } catch (const std::system_error& error) {
    // A thread or another resource of the machine that could not be had.
    return fail(ErrorCode::out_of_memory, fmt::format("the machine refused a resource: {}", error.what()));
  } catch (const std::exception& error) {
    return fail(ErrorCode::internal, error.what());
  }
}

}  // namespace
}  // namespace frit::cli

int main(int argc, char** argv) {
  using namespace frit;
  cli::install_signal_handlers();
  const int status = cli::run_or_fail(argc, argv);
  // NOTE: a compilation that is still running is of no use to anyone: it is not waited for, and so no destructor of the
  // process may run beside it. Files are complete or gone by now, and nothing is buffered.
  if (cli::work_left_behind()) std::_Exit(status);
  return status;
}
