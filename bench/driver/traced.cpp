// Rows of functions over arrays. Their results are arrays of frit, which it allocates in each call; the kernels write into
// memory that is there before.
#include <algorithm>
#include <memory>
#include <stdexcept>

#include "array_functions.hpp"
#include "problem.hpp"
#include "rows.hpp"

namespace bench {
namespace {

// Automatic mode compiles once calls have taken so long that it pays.
constexpr double most_seconds_to_settle = 2;

struct Call {
  frit::TracedFunction function;
  std::vector<frit::Operand> arguments;
  std::vector<frit::Array> results = {};
  void operator()() {
    results.clear();
    results = function.call(arguments);
  }
};

void settle(Call& call) {
  const double start = now().wall;
  for (int i = 0; i < 100 && now().wall - start < most_seconds_to_settle; ++i) {
    call();
    call.function.wait_for_code(10);
  }
}

template <class T> class TracedRow {
 public:
  TracedRow(const ArrayFunction& function, const KernelRow<T>& kernels, std::size_t n, int threads)
      : function_(function), engine_({.threads = threads, .cache = false}) {
    const yardstick::Problem& problem = *yardstick::find_problem(function.problem);
    std::vector<frit::Array> inputs;
    for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
      const auto size = static_cast<std::int64_t>(kernels.input_size(i));
      inputs.push_back(frit::array(engine_, kernels.input(i), frit::dtype_of<T>(), {&size, 1}));
    }
    arguments_ = function.arguments(engine_, n, std::move(inputs));
  }

  void add(std::vector<Candidate>& candidates, const Request& request, nlohmann::json& skipped) {
    for (const frit::Mode mode : request.modes) {
      frit::TracedOptions options{.mode = mode};
      options.compiler.effort = request.effort;
      const auto call = std::make_shared<Call>(
          Call{function_.traced(engine_, frit::dtype_of<T>(), options), {arguments_.begin(), arguments_.end()}});
      const Seconds start = now();
      try {
        (*call)();
      } catch (const frit::Error& error) {
        if (error.code() != frit::ErrorCode::compiler_missing) throw;
        skipped.push_back(std::string("mode compiled: ") + error.what());
        continue;
      }
      Candidate candidate{.name = std::string(frit::name_of(mode)), .call = [call] { (*call)(); }};
      candidate.prepare_s = (now() - start).wall;
      if (mode == frit::Mode::automatic) candidate.settle = [call] { settle(*call); };
      candidates.push_back(std::move(candidate));
      calls_.push_back(call);
    }
  }

  // The results of the calls that were added, the first of which is candidate `first`.
  void compare(std::vector<Candidate>& candidates, std::size_t first, const KernelRow<T>& kernels) const {
    for (std::size_t m = 0; m < calls_.size(); ++m) {
      for (std::size_t i = 0; i < calls_[m]->results.size(); ++i) {
        const std::vector<T> values = calls_[m]->results[i].template values<T>();
        kernels.compare(candidates[first + m], values.data(), i, values.size());
      }
      calls_[m]->results.clear();
    }
  }

 private:
  const ArrayFunction& function_;
  frit::Engine engine_;
  std::vector<frit::Array> arguments_;
  std::vector<std::shared_ptr<Call>> calls_;
};

template <class T> std::size_t size_of(const ArrayFunction& function, const Request& request) {
  if (request.size != 0) return request.size;
  return function.bytes != 0 ? function.bytes / sizeof(T) : yardstick::find_problem(function.problem)->size;
}

template <class T> nlohmann::json traced_row_as(const ArrayFunction& function, const Request& request) {
  const yardstick::Problem& problem = *yardstick::find_problem(function.problem);
  const std::size_t n = size_of<T>(function, request);
  KernelRow<T> kernels(problem, n);
  nlohmann::json skipped = nlohmann::json::array();
  std::vector<Candidate> candidates;
  kernels.add(candidates);
  if (std::string(function.variant) == "load-only") kernels.add_loads(candidates);
  const std::size_t yardsticks = candidates.size();
  TracedRow<T> row(function, kernels, n, 1);
  row.add(candidates, request, skipped);
  warm_up(candidates, request.settings);
  row.compare(candidates, yardsticks, kernels);
  return measured_row(candidates, request.settings, yardsticks, problem.elements(n), skipped);
}

template <class T> nlohmann::json traced_threads_row_as(const ArrayFunction& function, const Request& request) {
  const yardstick::Problem& problem = *yardstick::find_problem(function.problem);
  const std::size_t n = size_of<T>(function, request);
  const KernelRow<T> kernels(problem, n);
  nlohmann::json skipped = nlohmann::json::array();
  std::vector<Candidate> candidates;
  for (const int threads : {1, 2}) {
    const int calls = register_calls(request.settings);
    candidates.push_back({.name = "registers", .call = [=] { registers_on_threads(threads, calls); }});
  }
  std::vector<std::unique_ptr<TracedRow<T>>> rows;
  for (const int threads : {1, 2}) {
    rows.push_back(std::make_unique<TracedRow<T>>(function, kernels, n, threads));
    rows.back()->add(candidates, request, skipped);
  }
  warm_up(candidates, request.settings);
  return measured_row(candidates, request.settings, 0, problem.elements(n), skipped);
}

const ArrayFunction& function_of(const std::string& name) {
  const ArrayFunction* const function = find_array_function(name);
  if (function == nullptr) throw std::runtime_error("no function '" + name + "'");
  return *function;
}

}  // namespace

nlohmann::json traced_row(const std::string& name, bool f32, const Request& request) {
  const ArrayFunction& function = function_of(name);
  return f32 ? traced_row_as<float>(function, request) : traced_row_as<double>(function, request);
}

nlohmann::json traced_threads_row(const std::string& name, bool f32, const Request& request) {
  const ArrayFunction& function = function_of(name);
  return f32 ? traced_threads_row_as<float>(function, request) : traced_threads_row_as<double>(function, request);
}

}  // namespace bench
