// What the instruction gate counts. Every argument is a row; its work is prepared, done once so that the caches of the
// allocator and of the compiler are warm, and then done again while Valgrind counts the instructions of all threads.
//
//   instruction_gate_driver ROW...
//     call:MODEL:DTYPE:MODE:EVENTS   a call of a bound function
//     op:SREPR:DTYPE:MODE:EVENTS     the same of an expression of x and y, both between 0.1 and 0.9
//     compile:MODEL:DTYPE:EFFORT     from the expression to machine code
//     read:MODEL                     from the text to the expression
//     plan:MODEL:DTYPE               normalise, passes, plan
//   instruction_gate_driver versions of what the counts depend on
//
// Models are folders of examples/models in the current folder. A line for each row says which kernels and which target ran.
#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_DUMP_STATS
#define FRIT_GATE_WITHOUT_VALGRIND
#endif

#include "frit/frit.hpp"
#include "model_data.hpp"
#include "runtime/explain.hpp"

namespace {

// Kernels and target are those that Valgrind can run, and the same on every machine.
constexpr const char* isa = "v3";
constexpr const char* target = "x86-64-v3";

const frit::Engine& engine() {
  static const frit::Engine one{{.threads = 1, .isa = isa}};
  return one;
}

frit::FunctionOptions options_of(const std::string& mode, const std::string& dtype, int effort) {
  frit::FunctionOptions options;
  if (!frit::parse_mode(mode, options.mode)) throw std::runtime_error("no mode '" + mode + "'");
  if (dtype != "f64" && dtype != "f32") throw std::runtime_error("dtypes are f64 and f32, not '" + dtype + "'");
  options.dtype = dtype == "f32" ? frit::DType::f32 : frit::DType::f64;
  options.compiler.effort = effort;
  if (options.mode == frit::Mode::compiled) options.compiler.target = target;
  return options;
}

// NOTE: instrumentation is switched and not the collection of costs, which is each thread's own: the compiler works on a
// thread with a large stack.
template <class Work> void count(const Work& work) {
  work();
  CALLGRIND_START_INSTRUMENTATION;
  work();
  CALLGRIND_STOP_INSTRUMENTATION;
  CALLGRIND_DUMP_STATS;
}

void say(const std::string& row, const frit::Function* function) {
  const auto code = function == nullptr ? std::nullopt : frit::runtime::compile_statistics(*function);
  std::printf("%s isa=%s target=%s\n", row.c_str(), std::string(engine().isa()).c_str(),
              code ? code->target.c_str() : "none");
}

void count_call(const std::string& row, const frit::Model& model, const frit::Columns& columns,
                const frit::Parameters& parameters, const frit::FunctionOptions& options, std::size_t events) {
  const frit::Function function = engine().bind(model, frit::Signature::of(columns, parameters), options);
  std::vector<yardstick::Array<std::byte>> memory;
  std::vector<frit::OutputView> outputs;
  for (std::size_t i = 0; i < function.output_count(); ++i) {
    const std::size_t bytes = events * frit::size_of(function.output_dtype(i));
    outputs.push_back(
        {memory.emplace_back(yardstick::make_array<std::byte>(bytes)).get(), static_cast<std::int64_t>(events)});
  }
  count([&] { function.run(columns, parameters, outputs); });
  say(row, &function);
}

template <class T>
void count_model(const std::string& row, const std::filesystem::path& folder, const frit::FunctionOptions& options,
                 std::size_t events) {
  const bench::ModelData<T> data(folder, events);
  count_call(row, frit::Model::read(folder / "model.srepr"), data.arguments(), data.values(), options, events);
}

template <class T>
void count_op(const std::string& row, const std::string& expression, const frit::FunctionOptions& options,
              std::size_t events) {
  std::vector<T> x(events), y(events);
  for (std::size_t i = 0; i < events; ++i) {
    x[i] = T(0.1) + T(0.8) * static_cast<T>(i) / static_cast<T>(events);
    y[i] = T(0.9) - T(0.8) * static_cast<T>(i * 7 % events) / static_cast<T>(events);
  }
  const frit::Columns columns = frit::Columns().add("x", std::span<const T>(x)).add("y", std::span<const T>(y));
  count_call(row, frit::Model::parse(expression), columns, {}, options, events);
}

void count_binding(const std::string& row, const std::filesystem::path& folder, const frit::FunctionOptions& options) {
  const bench::ModelData<double> data(folder, 1);
  const frit::Model model = frit::Model::read(folder / "model.srepr");
  const frit::Signature signature = frit::Signature::of(data.arguments(), data.values());
  std::optional<frit::Function> function;
  count([&] { function.emplace(engine().bind(model, signature, options)); });
  say(row, &*function);
}

void run(const std::string& row) {
  std::vector<std::string> words;
  std::istringstream stream(row);
  for (std::string word; std::getline(stream, word, ':');) words.push_back(word);
  const auto is = [&](const char* name, std::size_t size) { return words.size() == size && words[0] == name; };
  const std::filesystem::path folder = std::filesystem::path("examples/models") / (words.size() > 1 ? words[1] : "");
  if (is("call", 5) || is("op", 5)) {
    const frit::FunctionOptions options = options_of(words[3], words[2], 1);
    const bool f64 = options.dtype == frit::DType::f64;
    const std::size_t events = std::stoull(words[4]);
    if (is("call", 5)) {
      f64 ? count_model<double>(row, folder, options, events) : count_model<float>(row, folder, options, events);
    } else {
      f64 ? count_op<double>(row, words[1], options, events) : count_op<float>(row, words[1], options, events);
    }
  } else if (is("compile", 4)) {
    count_binding(row, folder, options_of("compiled", words[2], std::stoi(words[3])));
  } else if (is("plan", 3)) {
    count_binding(row, folder, options_of("graph", words[2], 1));
  } else if (is("read", 2)) {
    count([&] { frit::Model::read(folder / "model.srepr"); });
    say(row, nullptr);
  } else {
    throw std::runtime_error("no such row: '" + row + "'");
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> rows(argv + 1, argv + argc);
  if (rows == std::vector<std::string>{"versions"}) {
    std::printf("g++ %s\nLLVM %s\n", __VERSION__, FRIT_GATE_LLVM);
#if defined(FRIT_GATE_WITHOUT_VALGRIND)
    std::printf("built without Valgrind's header\n");
#endif
    return 0;
  }
  for (const std::string& row : rows) run(row);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "instruction_gate_driver: %s\n", error.what());
  return 1;
}
