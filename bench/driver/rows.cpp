#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "problem.hpp"

namespace bench {
namespace {

template <class T> nlohmann::json array_row_as(const yardstick::Problem& problem, const Request& request) {
  constexpr bool f32 = sizeof(T) == 4;
  const std::size_t n = request.size == 0 ? problem.size : request.size;
  const yardstick::Inputs<T> inputs(problem, n);
  nlohmann::json skipped = nlohmann::json::array();
  std::vector<Candidate> candidates;
  std::vector<yardstick::Array<T>> outputs;
  for (const yardstick::Kernel& kernel : yardstick::library().kernels) {
    if (std::strcmp(kernel.problem, problem.name) != 0) continue;
    for (const std::size_t size : problem.check_sizes) {
      if (const std::string wrong = yardstick::check(problem, kernel, f32, size); !wrong.empty())
        throw std::runtime_error("a wrong kernel is not timed: " + wrong);
    }
    T* const out = outputs.emplace_back(yardstick::make_array<T>(problem.outputs(n))).get();
    const T* const* const in = inputs.pointers.data();
    yardstick::Entry<T> entry;
    if constexpr (f32) {
      entry = kernel.f32;
    } else {
      entry = kernel.f64;
    }
    candidates.push_back({.name = kernel.variant, .call = as_fast_math([=] { entry(n, in, out); })});
  }
  const std::size_t yardsticks = candidates.size();
  frit::Columns columns;
  for (std::size_t i = 0; i < problem.inputs.size(); ++i)
    columns.add(problem.inputs[i].name, std::span<const T>(inputs.pointers[i], problem.inputs[i].length(n)));
  const frit::Parameters none;
  const frit::Signature signature = frit::Signature::of(columns, none);
  const frit::Model model = frit::Model::parse(problem.expression.empty() ? "Integer(0)" : problem.expression);
  FritRow frit_row(model, signature, f32 ? frit::DType::f32 : frit::DType::f64, request);
  if (!problem.expression.empty()) frit_row.add(candidates, columns, none, n, skipped);
  warm_up(candidates, request.settings);
  for (std::size_t m = 0; m < frit_row.count(); ++m) {
    Candidate& candidate = candidates[yardsticks + m];
    candidate.difference = 0;
    for (std::size_t i = 0; i < frit_row.output_count(m); ++i) {
      const T* const output = reinterpret_cast<const T*>(frit_row.output(m, i));
      candidate.difference =
          std::max(candidate.difference, usual_difference(output, outputs.front().get() + i * n, n, problem.scale));
    }
    if (candidate.difference > most_difference(f32))
      throw std::runtime_error(candidate.name + " and the yardstick differ by " + std::to_string(candidate.difference));
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

nlohmann::json problem_list() {
  nlohmann::json list = nlohmann::json::array();
  for (const yardstick::Problem& problem : yardstick::problems()) {
    nlohmann::json entry{{"name", problem.name}, {"what", problem.what}, {"element", problem.element}};
    entry["frit"] = !problem.expression.empty();
    entry["missing"] = problem.missing == nullptr ? "" : problem.missing;
    list.push_back(std::move(entry));
  }
  return {{"problems", list},
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
    single.push_back(registers_on_threads(1, request.settings.min_time));
    both.push_back(registers_on_threads(threads, request.settings.min_time));
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
