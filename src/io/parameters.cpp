#include "io/parameters.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "core/fp_state.hpp"
#include "frit/error.hpp"
#include "io/byte_source.hpp"
#include "io/text_number.hpp"

namespace frit::io {
namespace {

// Takes nlohmann's parse events. NOTE: not its DOM, which keeps the last of two equal names, builds any depth, and
// reads numbers with strtod, in the rounding mode of the caller.
class Handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Handler(std::string where) : where_(std::move(where)) {}

  Parameters take() { return std::move(parameters_); }

  bool null() override { return refuse("null"); }
  bool boolean(bool value) override { return refuse(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t, const string_t& text) override {
    std::string_view rest = text;
    double value = 0;
    if (take_f64(rest, value) != NumberError::none || !rest.empty())
      throw Error(ErrorCode::parameters_syntax,
                  fmt::format("{}: the number {} of parameter {} cannot be read", where_, shown(text), shown(name_)));
    return number(value);
  }
  bool string(string_t& value) override { return refuse(fmt::format("the text {}", shown(value))); }
  bool binary(binary_t&) override { return refuse("binary data"); }

  bool start_object(std::size_t) override {
    if (depth_ > 0) return refuse("an object");
    depth_ = 1;
    return true;
  }
  bool key(string_t& name) override {
    if (!names_.insert(name).second)
      throw Error(ErrorCode::parameters_syntax, fmt::format("{}: parameter {} comes twice", where_, shown(name)));
    name_ = name;
    return true;
  }
  bool end_object() override {
    depth_ = 0;
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ != 1) return refuse("an array");
    depth_ = 2;
    parts_ = 0;
    value_ = {};
    value_.complex = true;
    return true;
  }
  bool end_array() override {
    depth_ = 1;
    if (parts_ != 2) refuse(parts_ == 0 ? "an empty array" : "an array of one number");
    parameters_.emplace_back(name_, value_);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    std::string_view text = error.what();
    if (const std::size_t end = text.find("] "); text.starts_with('[') && end != std::string_view::npos)
      text.remove_prefix(end + 2);
    std::string clean;
    for (const char c : text) clean += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
    throw Error(ErrorCode::parameters_syntax,
                fmt::format("{} is no JSON that frit can read: {}{}", where_, is_utf8(clean) ? clean : "invalid UTF-8",
                            name_.empty() ? "" : fmt::format(" (after parameter {})", shown(name_))));
  }

 private:
  bool number(double value) {
    if (depth_ == 0) return refuse("a number");
    if (depth_ == 1) {
      parameters_.emplace_back(name_, ParameterValue{value, 0, false});
    } else {
      if (parts_ >= 2) return refuse("a third number");
      (parts_++ == 0 ? value_.re : value_.im) = value;
    }
    return true;
  }
  [[noreturn]] bool refuse(const std::string& what) const {
    if (depth_ == 0)
      throw Error(ErrorCode::parameters_syntax,
                  fmt::format("{} must hold one object of names and numbers, but begins with {}", where_, what));
    throw Error(ErrorCode::parameter_kind,
                fmt::format("{}: the value of parameter {} must be a number or a pair [re, im] of numbers, but {} {}",
                            where_, shown(name_), depth_ == 2 ? "its array holds" : "it is", what));
  }

  std::string where_;
  Parameters parameters_;
  std::unordered_set<std::string> names_;
  std::string name_;
  int depth_ = 0;  // 0 outside, 1 in the object, 2 in a pair
  std::size_t parts_ = 0;
  ParameterValue value_;
};

Parameters parse(std::string_view text, const std::string& where) {
  const FpState nearest;
  Handler handler(where);
  // Every refusal is thrown by the handler.
  nlohmann::json::sax_parse(text.begin(), text.end(), &handler);
  return handler.take();
}

}  // namespace

Parameters read_parameters(const std::filesystem::path& path) {
  const auto source = ByteSource::map_file(path);
  return parse(source->text(), source->name());
}

Parameters parse_parameters(std::string_view text, const std::string& name) { return parse(text, shown(name)); }

}  // namespace frit::io
