// The value types of the public API: columns, parameters, results, modes.
#include <fmt/format.h>

#include "frit/engine.hpp"

namespace frit {

std::string_view name_of(Mode mode) {
  constexpr std::string_view names[] = {"eager", "graph", "compiled", "auto"};
  return names[static_cast<int>(mode)];
}

bool parse_mode(std::string_view text, Mode& out) {
  for (int i = 0; i < 4; ++i) {
    if (name_of(static_cast<Mode>(i)) == text) {
      out = static_cast<Mode>(i);
      return true;
    }
  }
  return false;
}

Columns& Columns::add(ColumnView view) {
  views_.push_back(std::move(view));
  return *this;
}
Columns& Columns::add(std::string name, std::span<const double> values) {
  return add({std::move(name), values.data(), DType::f64, static_cast<std::int64_t>(values.size())});
}
Columns& Columns::add(std::string name, std::span<const float> values) {
  return add({std::move(name), values.data(), DType::f32, static_cast<std::int64_t>(values.size())});
}
Columns& Columns::add(std::string name, std::span<const std::complex<double>> values) {
  return add({std::move(name), values.data(), DType::c128, static_cast<std::int64_t>(values.size())});
}
Columns& Columns::add(std::string name, std::span<const std::complex<float>> values) {
  return add({std::move(name), values.data(), DType::c64, static_cast<std::int64_t>(values.size())});
}

Parameters& Parameters::set(std::string name, double value) {
  values_.push_back({std::move(name), value, false});
  return *this;
}
Parameters& Parameters::set(std::string name, std::complex<double> value) {
  values_.push_back({std::move(name), value, true});
  return *this;
}

Signature Signature::of(const Columns& columns, const Parameters& parameters) {
  Signature signature;
  for (const ColumnView& view : columns.views()) signature.columns.push_back({view.name, is_complex(view.dtype)});
  for (const Parameters::Value& value : parameters.values())
    signature.parameters.push_back({value.name, value.complex});
  return signature;
}

void Result::check(std::size_t i, std::size_t element_size, bool complex) const {
  if (i >= outputs_.size())
    throw Error(ErrorCode::dtype_mismatch, fmt::format("output {} of a result with {} outputs", i, outputs_.size()));
  const DType have = outputs_[i].dtype;
  if (size_of(have) != element_size || is_complex(have) != complex)
    throw Error(ErrorCode::dtype_mismatch,
                fmt::format("output '{}' has dtype {}, which is not the element type asked for", outputs_[i].name,
                            name_of(have)));
}

}  // namespace frit
