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

// Names, texts and what frit lacks.
nlohmann::json problem_list();
nlohmann::json array_row(const std::string& name, bool f32, const Request& request);
nlohmann::json model_row(const std::filesystem::path& folder, bool f32, const Request& request);
// Unbinned negative log likelihood and its gradient by every parameter: the first quarter of the events are the data, the
// others are the phase space. The yardstick alone.
nlohmann::json gradient_row(const std::filesystem::path& folder, const Request& request);
// What two threads bring: of the register-only loop, and of frit on a chain of sines.
nlohmann::json threads_row(const Request& request);

// What frit and a yardstick, which rounds differently, may be apart: a wrong program is not timed.
inline double most_difference(bool f32) { return f32 ? 1e-3 : 1e-9; }

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
