// The rows of the comparison.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "frit/frit.hpp"
#include "measure.hpp"
#include "problem.hpp"

namespace bench {

struct Request {
  std::vector<frit::Mode> modes = {};
  std::size_t size = 0;  // 0: the row's own
  int effort = 1;
  Settings settings = {};
  std::filesystem::path yardstick = {}, arguments = {};  // of a model
};

// Names and texts of the problems, and which of them are expressions; the functions over arrays with what they may take.
nlohmann::json problem_list();
// A problem as a SymPy expression.
nlohmann::json array_row(const std::string& name, bool f32, const Request& request);
// A function over arrays.
nlohmann::json traced_row(const std::string& name, bool f32, const Request& request);
// What two threads bring to it, beside the register-only loop.
nlohmann::json traced_threads_row(const std::string& name, bool f32, const Request& request);
nlohmann::json model_row(const std::filesystem::path& folder, bool f32, const Request& request);
// Unbinned negative log likelihood and its gradient by every parameter: the first quarter of the events are the data, the
// others are the phase space. The yardstick alone.
nlohmann::json gradient_row(const std::filesystem::path& folder, const Request& request);
// What two threads bring: of the register-only loop, and of frit on a chain of sines.
nlohmann::json threads_row(const Request& request);

// What frit and a yardstick, which rounds differently, may be apart: a wrong program is not timed.
inline double most_difference(bool f32) { return f32 ? 1e-3 : 1e-9; }

// Hand-written kernels of a problem, checked, and frit's outputs compared with those of the first of them.
template <class T> class KernelRow {
 public:
  KernelRow(const yardstick::Problem& problem, std::size_t n) : problem_(problem), n_(n), inputs_(problem, n) {}
  // All variants. Throws where one is wrong.
  void add(std::vector<Candidate>& candidates);
  // The loop that loads the first input and does nothing with it.
  void add_loads(std::vector<Candidate>& candidates);
  const T* input(std::size_t i) const { return inputs_.pointers[i]; }
  std::size_t input_size(std::size_t i) const { return problem_.inputs[i].length(n_); }
  // Output i of a candidate, of `size` elements. Throws where it is wrong.
  void compare(Candidate& candidate, const T* output, std::size_t i, std::size_t size) const;

 private:
  const yardstick::Problem& problem_;
  std::size_t n_;
  yardstick::Inputs<T> inputs_;
  std::vector<yardstick::Array<T>> outputs_;
};

// Measures the candidates, of which the first `yardsticks` are hand-written.
nlohmann::json measured_row(std::vector<Candidate>& candidates, const Settings& settings, std::size_t yardsticks,
                            double elements, const nlohmann::json& skipped);

// frit's part of a row: each mode is a candidate. Outputs are allocated before and live as long as this object.
class FritRow {
 public:
  FritRow(const frit::Model& model, const frit::Signature& signature, frit::DType dtype, const Request& request);
  // Appends a candidate a mode; a mode that there is not is a reason among `skipped`.
  void add(std::vector<Candidate>& candidates, const frit::Columns& columns, const frit::Parameters& parameters,
           std::size_t size, nlohmann::json& skipped, int threads = 1);
  // An output of a mode that was added, in the order of the candidates.
  const std::byte* output(std::size_t mode, std::size_t i = 0) const { return outputs_[mode][i].get(); }
  std::size_t output_count(std::size_t mode) const { return outputs_[mode].size(); }
  std::size_t count() const { return outputs_.size(); }

 private:
  const frit::Model& model_;
  const frit::Signature& signature_;
  frit::DType dtype_;
  const Request& request_;
  std::vector<std::vector<yardstick::Array<std::byte>>> outputs_;  // a mode, an output
};

}  // namespace bench
