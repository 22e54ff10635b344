// A row of a model: a folder with model.srepr, data.npz and parameters.json, and a yardstick that was compiled from
// generated C++: f_f64(events, columns, parameters, output), complex arguments as two real ones.
#include <dlfcn.h>

#include <complex>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "io/parameters.hpp"
#include "io/sample_file.hpp"
#include "problem.hpp"
#include "rows.hpp"

namespace bench {
namespace {

// The events of a column in T, repeated or cut to `size`; complex numbers as pairs.
template <class T> struct ModelColumn {
  std::string name;
  bool complex;
  yardstick::Array<T> values;
};

template <class T, class From>
ModelColumn<T> convert(const frit::io::Column& column, const std::string& name, bool complex, std::size_t size) {
  const std::size_t words = complex ? 2 : 1;
  ModelColumn<T> result{name, complex, yardstick::make_array<T>(size * words)};
  for (std::size_t i = 0; i < size * words; ++i) {
    From x;
    std::memcpy(&x, column.data + i % (static_cast<std::size_t>(column.size) * words) * sizeof x, sizeof x);
    result.values[i] = static_cast<T>(x);
  }
  return result;
}

template <class T> std::vector<ModelColumn<T>> read_columns(frit::io::SampleFile& sample, std::size_t size) {
  std::vector<ModelColumn<T>> columns;
  for (const frit::io::ColumnInfo& info : sample.columns()) {
    const frit::io::Column column = sample.read(info.name);
    const bool complex = frit::is_complex(info.dtype);
    switch (frit::real_of(info.dtype)) {
      case frit::DType::f64: columns.push_back(convert<T, double>(column, info.name, complex, size)); break;
      case frit::DType::f32: columns.push_back(convert<T, float>(column, info.name, complex, size)); break;
      default: throw std::runtime_error("column '" + info.name + "' is not of floating point");
    }
  }
  return columns;
}

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

template <class T>
Arguments<T> arguments_of(const nlohmann::json& names, const std::vector<ModelColumn<T>>& columns,
                          const frit::io::Parameters& parameters, std::size_t size) {
  Arguments<T> result;
  for (const std::string name : names.at("columns")) {
    const auto re = part_of(name, "__re"), im = part_of(name, "__im");
    const std::string whole = re ? *re : im ? *im : name;
    const ModelColumn<T>* found = nullptr;
    for (const ModelColumn<T>& column : columns) {
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
    for (const auto& [key, value] : parameters) {
      if (key == whole) found = &value;
    }
    if (found == nullptr) throw std::runtime_error("the yardstick wants a parameter '" + name + "'");
    result.parameters.push_back(static_cast<T>(im ? found->im : found->re));
  }
  return result;
}

template <class T> using ModelEntry = void (*)(std::size_t n, const T* const* columns, const T* parameters, T* out);

// NOTE: the constructor of a library that was linked with -ffast-math sets flush-to-zero on this thread; frit is timed
// with the state that a program has without it, the yardstick with its own.
template <class T> ModelEntry<T> open_yardstick(const std::filesystem::path& path) {
#if defined(__x86_64__)
  const unsigned state = _mm_getcsr();
#endif
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
#if defined(__x86_64__)
  _mm_setcsr(state);
#endif
  if (library == nullptr) throw std::runtime_error(dlerror());
  void* const entry = dlsym(library, sizeof(T) == 8 ? "f_f64" : "f_f32");
  if (entry == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<ModelEntry<T>>(entry);
}

template <class T> nlohmann::json model_row_as(const std::filesystem::path& folder, const Request& request) {
  constexpr bool f32 = sizeof(T) == 4;
  const std::size_t n = request.size == 0 ? 100'000 : request.size;
  const frit::Model model = frit::Model::read(folder / "model.srepr");
  frit::io::SampleFile sample = frit::io::SampleFile::open(folder / "data.npz");
  const std::vector<ModelColumn<T>> data = read_columns<T>(sample, n);
  const frit::io::Parameters values = frit::io::read_parameters(folder / "parameters.json");

  frit::Columns columns;
  for (const ModelColumn<T>& column : data) {
    if (column.complex) {
      columns.add(column.name, std::span(reinterpret_cast<const std::complex<T>*>(column.values.get()), n));
    } else {
      columns.add(column.name, std::span<const T>(column.values.get(), n));
    }
  }
  frit::Parameters parameters;
  for (const auto& [name, value] : values) {
    if (value.complex) {
      parameters.set(name, std::complex<double>(value.re, value.im));
    } else {
      parameters.set(name, value.re);
    }
  }

  std::vector<Candidate> candidates;
  Arguments<T> arguments;
  yardstick::Array<T> expected;
  if (!request.yardstick.empty()) {
    const auto all = nlohmann::json::parse(std::ifstream(request.arguments));
    arguments = arguments_of<T>(all.at(folder.filename().string()), data, values, n);
    expected = yardstick::make_array<T>(n);
    const ModelEntry<T> entry = open_yardstick<T>(request.yardstick);
    candidates.push_back({.name = "libmvec", .call = as_fast_math([&arguments, &expected, entry, n] {
                                               entry(n, arguments.columns.data(), arguments.parameters.data(),
                                                     expected.get());
                                             })});
  }
  const std::size_t yardsticks = candidates.size();
  nlohmann::json skipped = nlohmann::json::array();
  const frit::Signature signature = frit::Signature::of(columns, parameters);
  FritRow frit_row(model, signature, f32 ? frit::DType::f32 : frit::DType::f64, request);
  frit_row.add(candidates, columns, parameters, n, skipped);
  warm_up(candidates, request.settings);
  for (std::size_t m = 0; m < frit_row.count() && yardsticks > 0; ++m) {
    Candidate& candidate = candidates[yardsticks + m];
    candidate.difference = largest_difference(reinterpret_cast<const T*>(frit_row.output(m)), expected.get(), n);
    if (candidate.difference > (f32 ? 1e-2 : 1e-6))
      throw std::runtime_error(candidate.name + " and the yardstick differ by " + std::to_string(candidate.difference));
  }
  nlohmann::json row = measure(candidates, request.settings);
  row["yardsticks"] = yardsticks;
  row["elements"] = n;
  row["size"] = n;
  row["skipped"] = skipped;
  return row;
}

}  // namespace

nlohmann::json model_row(const std::filesystem::path& folder, bool f32, const Request& request) {
  return f32 ? model_row_as<float>(folder, request) : model_row_as<double>(folder, request);
}

}  // namespace bench
