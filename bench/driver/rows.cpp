#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "array_functions.hpp"
#include "problem.hpp"

namespace bench {
namespace {

template <class T> yardstick::Entry<T> entry_of(const yardstick::Kernel& kernel) {
  if constexpr (sizeof(T) == 4) {
    return kernel.f32;
  } else {
    return kernel.f64;
  }
}

template <class T> nlohmann::json array_row_as(const yardstick::Problem& problem, const Request& request) {
  const std::size_t n = request.size == 0 ? problem.size : request.size;
  KernelRow<T> kernels(problem, n);
  nlohmann::json skipped = nlohmann::json::array();
  std::vector<Candidate> candidates;
  kernels.add(candidates);
  const std::size_t yardsticks = candidates.size();
  frit::Columns columns;
  for (std::size_t i = 0; i < problem.inputs.size(); ++i)
    columns.add(problem.inputs[i].name, std::span<const T>(kernels.input(i), kernels.input_size(i)));
  const frit::Parameters none;
  const frit::Signature signature = frit::Signature::of(columns, none);
  const frit::Model model = frit::Model::parse(problem.expression.empty() ? "Integer(0)" : problem.expression);
  FritRow frit_row(model, signature, sizeof(T) == 4 ? frit::DType::f32 : frit::DType::f64, request);
  if (!problem.expression.empty()) frit_row.add(candidates, columns, none, n, skipped);
  warm_up(candidates, request.settings);
  for (std::size_t m = 0; m < frit_row.count(); ++m) {
    for (std::size_t i = 0; i < frit_row.output_count(m); ++i)
      kernels.compare(candidates[yardsticks + m], reinterpret_cast<const T*>(frit_row.output(m, i)), i, n);
  }
  return measured_row(candidates, request.settings, yardsticks, problem.elements(n), skipped);
}

}  // namespace

nlohmann::json measured_row(std::vector<Candidate>& candidates, const Settings& settings, std::size_t yardsticks,
                            double elements, const nlohmann::json& skipped) {
  nlohmann::json row = measure(candidates, settings);
  row["yardsticks"] = yardsticks;
  row["elements"] = elements;
  row["skipped"] = skipped;
  return row;
}

template <class T> void KernelRow<T>::add(std::vector<Candidate>& candidates) {
  for (const yardstick::Kernel& kernel : yardstick::library().kernels) {
    if (std::strcmp(kernel.problem, problem_.name) != 0) continue;
    for (const std::size_t size : problem_.check_sizes) {
      if (const std::string wrong = yardstick::check(problem_, kernel, sizeof(T) == 4, size); !wrong.empty())
        throw std::runtime_error("a wrong kernel is not timed: " + wrong);
    }
    T* const out = outputs_.emplace_back(yardstick::make_array<T>(problem_.outputs(n_))).get();
    const auto entry = entry_of<T>(kernel);
    const T* const* const in = inputs_.pointers.data();
    candidates.push_back({.name = kernel.variant, .call = as_fast_math([=, n = n_] { entry(n, in, out); })});
  }
}

template <class T> void KernelRow<T>::add_loads(std::vector<Candidate>& candidates) {
  for (const yardstick::Kernel& kernel : yardstick::library().kernels) {
    if (std::strcmp(kernel.problem, "load_only") != 0) continue;
    T* const out = outputs_.emplace_back(yardstick::make_array<T>(1)).get();
    const auto entry = entry_of<T>(kernel);
    const T* const* const in = inputs_.pointers.data();
    candidates.push_back({.name = "load-only", .call = [=, n = n_] { entry(n, in, out); }});
  }
}

template <class T>
void KernelRow<T>::compare(Candidate& candidate, const T* output, std::size_t i, std::size_t size) const {
  const double difference = usual_difference(output, outputs_.front().get() + i * size, size, problem_.scale);
  candidate.difference = std::max(candidate.difference, difference);
  if (difference > most_difference(sizeof(T) == 4))
    throw std::runtime_error(candidate.name + " and the yardstick differ by " + std::to_string(difference));
}

template class KernelRow<double>;
template class KernelRow<float>;

nlohmann::json problem_list() {
  nlohmann::json list = nlohmann::json::array();
  for (const yardstick::Problem& problem : yardstick::problems()) {
    nlohmann::json entry{{"name", problem.name}, {"what", problem.what}, {"element", problem.element}};
    entry["expression"] = !problem.expression.empty();
    list.push_back(std::move(entry));
  }
  nlohmann::json functions = nlohmann::json::array();
  for (const ArrayFunction& function : array_functions())
    functions.push_back({{"name", function.name},
                         {"problem", function.problem},
                         {"most", function.most},
                         {"variant", function.variant},
                         {"waits_for_memory", function.waits_for_memory}});
  return {{"problems", list},
          {"functions", functions},
          {"vectors", yardstick::library().vectors},
          {"no_sleef", yardstick::library().missing},
          {"isa", frit::Engine().isa()}};
}

nlohmann::json array_row(const std::string& name, bool f32, const Request& request) {
  const yardstick::Problem* const problem = yardstick::find_problem(name);
  if (problem == nullptr) throw std::runtime_error("no problem '" + name + "'");
  return f32 ? array_row_as<float>(*problem, request) : array_row_as<double>(*problem, request);
}

FritRow::FritRow(const frit::Model& model, const frit::Signature& signature, frit::DType dtype, const Request& request)
    : model_(model), signature_(signature), dtype_(dtype), request_(request) {}

void FritRow::add(std::vector<Candidate>& candidates, const frit::Columns& columns, const frit::Parameters& parameters,
                  std::size_t size, nlohmann::json& skipped, int threads) {
  for (const frit::Mode mode : request_.modes) {
    const bool compiles = mode == frit::Mode::compiled || mode == frit::Mode::automatic;
    frit::CompilerOptions compiler;
    if (compiles) compiler.effort = request_.effort;
    try {
      const Seconds start = now();
      const frit::Function function = frit::Engine{{.threads = threads, .cache = false}}.bind(
          model_, signature_, {.mode = mode, .dtype = dtype_, .compiler = compiler});
      const double bind_s = (now() - start).wall;
      auto& memory = outputs_.emplace_back();
      std::vector<frit::OutputView> views;
      for (std::size_t i = 0; i < function.output_count(); ++i) {
        auto& bytes =
            memory.emplace_back(yardstick::make_array<std::byte>(size * frit::size_of(function.output_dtype(i))));
        views.push_back({bytes.get(), static_cast<std::int64_t>(size)});
      }
      candidates.push_back({.name = std::string(frit::name_of(mode)),
                            .call = [=, &columns, &parameters] { function.run(columns, parameters, views); },
                            .prepare_s = bind_s});
    } catch (const frit::Error& error) {
      if (error.code() != frit::ErrorCode::compiler_missing) throw;
      skipped.push_back(std::string("mode compiled: ") + error.what());
    }
  }
}

nlohmann::json threads_row(const Request& request) {
  constexpr int threads = 2;
  nlohmann::json single = nlohmann::json::array(), both = nlohmann::json::array();
  for (int round = 0; round < request.settings.rounds; ++round) {
    single.push_back(registers_on_threads(1, register_calls(request.settings)));
    both.push_back(registers_on_threads(threads, register_calls(request.settings)));
  }
  const yardstick::Problem& problem = *yardstick::find_problem("sin_chain");
  const std::size_t n = request.size == 0 ? problem.size : request.size;
  const yardstick::Inputs<double> inputs(problem, n);
  const frit::Columns columns = frit::Columns().add("x", std::span<const double>(inputs.pointers[0], n));
  const frit::Parameters none;
  const frit::Signature signature = frit::Signature::of(columns, none);
  const frit::Model model = frit::Model::parse(problem.expression);
  FritRow frit_row(model, signature, frit::DType::f64, request);
  nlohmann::json skipped = nlohmann::json::array();
  std::vector<Candidate> candidates;
  for (const int count : {1, threads}) frit_row.add(candidates, columns, none, n, skipped, count);
  warm_up(candidates, request.settings);
  nlohmann::json row = measure(candidates, request.settings);
  row["registers_1_s"] = single;
  row["registers_2_s"] = both;
  row["skipped"] = skipped;
  return row;
}

}  // namespace bench
