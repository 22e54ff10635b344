// A row of a model: a folder with model.srepr, data.npz and parameters.json, and a yardstick that was compiled from
// generated C++: f_f64(events, columns, parameters, output), complex arguments as two real ones.
#include <dlfcn.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "array.hpp"
#include "model_data.hpp"
#include "rows.hpp"

namespace bench {
namespace {

// The yardstick's arguments: a complex name is two, with __re and __im.
template <class T> struct Arguments {
  std::vector<yardstick::Array<T>> owned;
  std::vector<const T*> columns;
  std::vector<T> parameters;
};

std::optional<std::string> part_of(const std::string& name, const char* ending) {
  if (!name.ends_with(ending)) return std::nullopt;
  return name.substr(0, name.size() - std::strlen(ending));
}

template <class T> Arguments<T> arguments_of(const nlohmann::json& names, const ModelData<T>& data, std::size_t size) {
  Arguments<T> result;
  for (const std::string name : names.at("columns")) {
    const auto re = part_of(name, "__re"), im = part_of(name, "__im");
    const std::string whole = re ? *re : im ? *im : name;
    const ModelColumn<T>* found = nullptr;
    for (const ModelColumn<T>& column : data.columns()) {
      if (column.name == whole && column.complex == (re || im)) found = &column;
    }
    if (found == nullptr) throw std::runtime_error("the yardstick wants a column '" + name + "'");
    if (!found->complex) {
      result.columns.push_back(found->values.get());
      continue;
    }
    T* const part = result.owned.emplace_back(yardstick::make_array<T>(size)).get();
    for (std::size_t i = 0; i < size; ++i) part[i] = found->values[2 * i + (im ? 1 : 0)];
    result.columns.push_back(part);
  }
  for (const std::string name : names.at("parameters")) {
    const auto re = part_of(name, "__re"), im = part_of(name, "__im");
    const std::string whole = re ? *re : im ? *im : name;
    const frit::io::ParameterValue* found = nullptr;
    for (const auto& [key, value] : data.parameters()) {
      if (key == whole) found = &value;
    }
    if (found == nullptr) throw std::runtime_error("the yardstick wants a parameter '" + name + "'");
    result.parameters.push_back(static_cast<T>(im ? found->im : found->re));
  }
  return result;
}

template <class T> using ValueEntry = void (*)(std::size_t n, const T* const* columns, const T* parameters, T* out);
// Returns the sum over the events of log f (mode 1) or of f (mode 0), and its gradient by the parameters.
using GradientEntry = double (*)(std::size_t n, const double* const* columns, const double* parameters, int mode,
                                 double* gradient);

// NOTE: the constructor of a library that was linked with -ffast-math sets flush-to-zero on this thread; frit is timed
// with the state that a program has without it, the yardstick with its own.
template <class Entry> Entry open_yardstick(const std::filesystem::path& path, const char* name) {
#if defined(__x86_64__)
  const unsigned state = _mm_getcsr();
#endif
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
#if defined(__x86_64__)
  _mm_setcsr(state);
#endif
  void* const entry = library == nullptr ? nullptr : dlsym(library, name);
  if (entry == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<Entry>(entry);
}

nlohmann::json names_of(const std::filesystem::path& folder, const Request& request) {
  return nlohmann::json::parse(std::ifstream(request.arguments)).at(folder.filename().string());
}

std::size_t events_of(const Request& request) { return request.size == 0 ? 100'000 : request.size; }

template <class T> nlohmann::json model_row_as(const std::filesystem::path& folder, const Request& request) {
  constexpr bool f32 = sizeof(T) == 4;
  const std::size_t n = events_of(request);
  const frit::Model model = frit::Model::read(folder / "model.srepr");
  const ModelData<T> data(folder, n);

  std::vector<Candidate> candidates;
  Arguments<T> arguments;
  yardstick::Array<T> expected;
  if (!request.yardstick.empty()) {
    arguments = arguments_of<T>(names_of(folder, request), data, n);
    expected = yardstick::make_array<T>(n);
    const auto entry = open_yardstick<ValueEntry<T>>(request.yardstick, f32 ? "f_f32" : "f_f64");
    candidates.push_back({.name = "libmvec", .call = as_fast_math([&arguments, &expected, entry, n] {
                                               entry(n, arguments.columns.data(), arguments.parameters.data(),
                                                     expected.get());
                                             })});
  }
  const std::size_t yardsticks = candidates.size();
  nlohmann::json skipped = nlohmann::json::array();
  const frit::Signature signature = frit::Signature::of(data.arguments(), data.values());
  FritRow frit_row(model, signature, f32 ? frit::DType::f32 : frit::DType::f64, request);
  frit_row.add(candidates, data.arguments(), data.values(), n, skipped);
  warm_up(candidates, request.settings);
  for (std::size_t m = 0; m < frit_row.count() && yardsticks > 0; ++m) {
    Candidate& candidate = candidates[yardsticks + m];
    candidate.difference = usual_difference(reinterpret_cast<const T*>(frit_row.output(m)), expected.get(), n);
    if (candidate.difference > most_difference(f32))
      throw std::runtime_error(candidate.name + " and the yardstick differ by " + std::to_string(candidate.difference));
  }
  return measured_row(candidates, request.settings, yardsticks, static_cast<double>(n), skipped);
}

}  // namespace

nlohmann::json model_row(const std::filesystem::path& folder, bool f32, const Request& request) {
  return f32 ? model_row_as<float>(folder, request) : model_row_as<double>(folder, request);
}

nlohmann::json gradient_row(const std::filesystem::path& folder, const Request& request) {
  const std::size_t n = events_of(request), data_events = n / 4;
  const ModelData<double> data(folder, n);
  const Arguments<double> arguments = arguments_of<double>(names_of(folder, request), data, n);
  std::vector<const double*> others = arguments.columns;
  for (const double*& column : others) column += data_events;
  std::vector<double> of_data(arguments.parameters.size()), of_others(of_data);
  const auto entry = open_yardstick<GradientEntry>(request.yardstick, "f_f64");
  double value = 0;
  std::vector<Candidate> candidates{
      {.name = "libmvec", .call = as_fast_math([&] {
                            const double* const parameters = arguments.parameters.data();
                            const double logs =
                                entry(data_events, arguments.columns.data(), parameters, 1, of_data.data());
                            const double sum = entry(n - data_events, others.data(), parameters, 0, of_others.data());
                            const auto count = static_cast<double>(data_events);
                            value = count * std::log(sum / static_cast<double>(n - data_events)) - logs;
                            for (std::size_t i = 0; i < of_data.size(); ++i)
                              of_data[i] = count * of_others[i] / sum - of_data[i];
                          })}};
  warm_up(candidates, request.settings);
  if (!std::isfinite(value)) throw std::runtime_error("the negative log likelihood is not finite");
  return measured_row(candidates, request.settings, 1, static_cast<double>(n), nlohmann::json::array());
}

}  // namespace bench
