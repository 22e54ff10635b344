// The data and parameters of a folder of a model, in one dtype and at any number of events.
#pragma once

#include <complex>
#include <cstring>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "array.hpp"
#include "frit/frit.hpp"
#include "io/parameters.hpp"
#include "io/sample_file.hpp"

namespace bench {

template <class T> struct ModelColumn {
  std::string name;
  bool complex;
  yardstick::Array<T> values;  // complex numbers as pairs
};

// Events are repeated or cut to `size`.
template <class T> class ModelData {
 public:
  ModelData(const std::filesystem::path& folder, std::size_t size)
      : parameters_(frit::io::read_parameters(folder / "parameters.json")) {
    frit::io::SampleFile sample = frit::io::SampleFile::open(folder / "data.npz");
    for (const frit::io::ColumnInfo& info : sample.columns()) add(sample.read(info.name), info, size);
    for (const auto& [name, value] : parameters_) {
      if (value.complex) {
        values_.set(name, std::complex<double>(value.re, value.im));
      } else {
        values_.set(name, value.re);
      }
    }
  }

  const std::vector<ModelColumn<T>>& columns() const { return columns_; }
  const frit::io::Parameters& parameters() const { return parameters_; }
  // The same for a call of frit.
  const frit::Columns& arguments() const { return arguments_; }
  const frit::Parameters& values() const { return values_; }

 private:
  void add(const frit::io::Column& column, const frit::io::ColumnInfo& info, std::size_t size) {
    const bool complex = frit::is_complex(info.dtype);
    switch (frit::real_of(info.dtype)) {
      case frit::DType::f64: columns_.push_back({info.name, complex, convert<double>(column, complex, size)}); break;
      case frit::DType::f32: columns_.push_back({info.name, complex, convert<float>(column, complex, size)}); break;
      default: throw std::runtime_error("column '" + info.name + "' is not of floating point");
    }
    const T* const data = columns_.back().values.get();
    if (complex) {
      arguments_.add(info.name, std::span(reinterpret_cast<const std::complex<T>*>(data), size));
    } else {
      arguments_.add(info.name, std::span<const T>(data, size));
    }
  }

  template <class From>
  static yardstick::Array<T> convert(const frit::io::Column& column, bool complex, std::size_t size) {
    const std::size_t words = complex ? 2 : 1, period = static_cast<std::size_t>(column.size) * words;
    yardstick::Array<T> values = yardstick::make_array<T>(size * words);
    for (std::size_t i = 0; i < size * words; ++i) {
      From x;
      std::memcpy(&x, column.data + i % period * sizeof x, sizeof x);
      values[i] = static_cast<T>(x);
    }
    return values;
  }

  frit::io::Parameters parameters_;
  std::vector<ModelColumn<T>> columns_;
  frit::Columns arguments_;
  frit::Parameters values_;
};

}  // namespace bench
