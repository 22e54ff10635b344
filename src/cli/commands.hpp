// The commands of `frit`, each with its options as the command line gave them. They return the exit status or throw.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "frit/engine.hpp"

namespace frit::cli {

struct InputOptions {
  std::filesystem::path model;
  std::filesystem::path data;        // empty: the model has no columns, and one event is computed
  std::filesystem::path parameters;  // empty: the model has no parameters
};

struct EvalOptions {
  InputOptions inputs;
  FunctionOptions function;
  EngineOptions engine;
  std::filesystem::path output;
  std::filesystem::path report;  // empty: none
  std::int64_t chunk = 0;        // events read, computed and written at a time; 0 means all
  bool strict = false;
  bool real = false;
};

struct BenchOptions {
  InputOptions inputs;
  std::vector<Mode> modes;
  std::vector<DType> dtypes;
  std::vector<std::int64_t> sizes;  // empty: the events of the data
  std::vector<int> threads;
  CompilerOptions compiler;
  EngineOptions engine;  // its threads come from the list above
  int samples = 9;
  double min_time = 0.01;      // seconds a sample takes at least; short calls are repeated
  std::filesystem::path json;  // empty: none
};

struct ExplainOptions {
  InputOptions inputs;
  FunctionOptions function;
  EngineOptions engine;
  std::string stage;
  std::filesystem::path dot, svg, json;  // empty: none
};

// What --stage takes, in the order of a program's way.
inline constexpr std::array explain_stages{"expression", "graph", "passes",   "plan",
                                           "kernels",    "ir",    "assembly", "summary"};

struct CacheOptions {
  bool clear = false;
};

int run_cache(const CacheOptions& options);
int run_eval(const EvalOptions& options);
int run_bench(const BenchOptions& options);
int run_explain(const ExplainOptions& options);

}  // namespace frit::cli
