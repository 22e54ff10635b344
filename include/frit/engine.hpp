// An engine runs functions; it is a value, and there is no global state. A function is a model whose symbols have been bound
// to columns and parameters in one dtype and mode.
//
//   frit::Engine engine{{.threads = 2}};
//   frit::Model model = frit::Model::read("model.srepr");
//   frit::Function f = engine.bind(model, {.columns = {{"x"}}, .parameters = {{"a"}}}, {.mode = frit::Mode::graph});
//   frit::Result result = f(frit::Columns().add("x", x), frit::Parameters().set("a", 0.5));
//   std::span<const double> y = result.values<double>(0);
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "frit/dtype.hpp"
#include "frit/error.hpp"
#include "frit/model.hpp"

namespace frit {

// How a function runs. Results have the same bits in every mode.
enum class Mode {
  eager,      // one op at a time over whole arrays
  graph,      // all ops over tiles that stay in the cache
  compiled,   // machine code, made when the function is bound; ErrorCode::compiler_missing without the compiler module
  automatic,  // graph at first, machine code from the first call after it is ready, where that pays
};
std::string_view name_of(Mode mode);
bool parse_mode(std::string_view text, Mode& out);

// The elements of one named column, borrowed for a call: `size` elements of `dtype`, `stride` bytes from each to the next
// (0 means contiguous), any alignment. Columns of another dtype than the function's are converted: integers exactly or
// ErrorCode::column_dtype; f64 to f32 by rounding once, with a note.
struct ColumnView {
  std::string name;
  const void* data = nullptr;
  DType dtype = DType::f64;
  std::int64_t size = 0;
  std::int64_t stride = 0;
};

class Columns {
 public:
  Columns& add(ColumnView view);
  Columns& add(std::string name, std::span<const double> values);
  Columns& add(std::string name, std::span<const float> values);
  Columns& add(std::string name, std::span<const std::complex<double>> values);
  Columns& add(std::string name, std::span<const std::complex<float>> values);
  std::span<const ColumnView> views() const { return views_; }

 private:
  std::vector<ColumnView> views_;
};

class Parameters {
 public:
  Parameters& set(std::string name, double value);
  Parameters& set(std::string name, std::complex<double> value);
  struct Value {
    std::string name;
    std::complex<double> value;
    bool complex;
  };
  std::span<const Value> values() const { return values_; }

 private:
  std::vector<Value> values_;
};

// Which symbols are columns and which are parameters, and which of them are complex. A binding that the model does not use is
// ignored with a note; a symbol that is bound to nothing is ErrorCode::unbound_symbol.
struct Signature {
  struct Argument {
    std::string name;
    bool complex = false;
  };
  std::vector<Argument> columns;
  std::vector<Argument> parameters;
  static Signature of(const Columns& columns, const Parameters& parameters);
};

struct CompilerOptions {
  int effort = 1;           // 0: fastest compilation, 1: default, 2: fastest code
  int width = 0;            // lanes of a vector: 1, 2, 4, 8, in f32 also 16; 0 fills the registers of the target
  std::string target = {};  // "x86-64-v3" or "x86-64-v4"; empty is this CPU
};

struct FunctionOptions {
  Mode mode = Mode::graph;
  DType dtype = DType::f64;  // f64 or f32: the dtype of every operation
  CompilerOptions compiler = {};
};

struct EngineOptions {
  int threads = 0;        // cap on threads; 0 means the cores that this process may use
  std::int64_t tile = 0;  // events a tile in graph mode, a multiple of 64; 0 picks it from the size of the function
  std::string isa = {};   // "v2", "v3", "v4", "a64"; empty picks the best of this CPU. Results do not depend on it
  bool cache = true;      // keep compiled kernels on disk, and take them from there; docs/modes.md says where
  // Bytes of large arrays (from 64 KiB) that nobody uses any more, kept for the next ones: fresh pages cost more than a loop of a
  // few operations. 0 keeps none, nor those of smaller arrays, of which each thread keeps up to 1 MiB else.
  std::int64_t kept_memory = std::int64_t{256} << 20;
  // Where to look for the wish to stop, for example of a signal handler: while it is not 0, operations on arrays, traced
  // functions (each tile, each step of control flow, machine code of loops every 1,024 steps) and calls without a cancel word
  // of their own end with ErrorCode::cancelled. It stands as long as the engine.
  const std::int32_t* cancel = nullptr;
  // Takes the lines of frit::print, each with its end, in one call each; absent: stdout. Calls come from the threads that call
  // functions, so several at a time.
  std::function<void(std::string_view)> print = {};
};

// Seconds that each stage took, once for a function.
struct StageTimes {
  double trace_s = 0;  // expression to typed graph
  double passes_s = 0;
  double plan_s = 0;
  double compile_s = 0;
};

// A place for one output: `size` elements of the output's dtype, written by a call.
struct OutputView {
  void* data = nullptr;
  std::int64_t size = 0;
};

class Result {
 public:
  std::size_t output_count() const { return outputs_.size(); }
  std::string_view name(std::size_t i) const { return outputs_[i].name; }
  DType dtype(std::size_t i) const { return outputs_[i].dtype; }
  std::int64_t size() const { return size_; }
  const void* data(std::size_t i) const { return outputs_[i].data.get(); }
  // The values of output i, shape (events,). T must be the output's dtype: double or std::complex<double> for f64, float or
  // std::complex<float> for f32, bool. Errors: dtype_mismatch.
  template <class T> std::span<const T> values(std::size_t i) const {
    check(i, sizeof(T), std::is_same_v<T, std::complex<double>> || std::is_same_v<T, std::complex<float>>);
    return {static_cast<const T*>(data(i)), static_cast<std::size_t>(size_)};
  }

 private:
  friend class Function;
  void check(std::size_t i, std::size_t element_size, bool complex) const;
  struct Output {
    std::string name;
    DType dtype;
    std::shared_ptr<void> data;
  };
  std::vector<Output> outputs_;
  std::int64_t size_ = 0;
};

class Function {
 public:
  // Evaluates all events. Columns and parameters are found by name; those that the function does not use are ignored.
  // Errors: column_missing, column_length, column_dtype, parameter_missing, parameter_kind, out_of_memory, cancelled.
  Result operator()(const Columns& columns, const Parameters& parameters) const;
  // The same into the caller's memory; `outputs` in order, each of the events' number. Outputs must not overlap columns.
  // `cancel`: polled once a tile; a value other than 0 ends the call with ErrorCode::cancelled.
  void run(const Columns& columns, const Parameters& parameters, std::span<const OutputView> outputs,
           const std::int32_t* cancel = nullptr) const;

  std::size_t output_count() const;
  std::string_view output_name(std::size_t i) const;
  DType output_dtype(std::size_t i) const;
  Mode mode_asked() const;
  // What the next call runs: eager, graph or compiled.
  Mode mode_used() const;
  DType dtype() const;
  StageTimes stage_times() const;
  // Mode automatic: waits until a running compilation is done, or `seconds` have passed. True where code is ready.
  bool wait_for_code(double seconds) const;
  // What was ignored, narrowed or replaced, each with its reason.
  std::vector<std::string> notes() const;
  // A stage as text: "graph" after normalisation, "passes" after the passes, "plan".
  std::string print(std::string_view stage) const;

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  friend class Engine;
  explicit Function(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

class Engine {
 public:
  explicit Engine(EngineOptions options = {});
  // Errors: unbound_symbol, complex_op, sympy_argument; in mode compiled compiler_missing, compiler_version, out_of_memory.
  Function bind(const Model& model, const Signature& signature, const FunctionOptions& options = {}) const;
  int threads() const;
  std::string_view isa() const;
  // Gives the memory that EngineOptions::kept_memory speaks of to the system; kept_memory() is how much there is, in bytes.
  void release_memory() const;
  std::int64_t kept_memory() const;

  struct Impl;
  const std::shared_ptr<Impl>& impl() const { return impl_; }

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace frit
