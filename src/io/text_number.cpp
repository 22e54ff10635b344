#include "io/text_number.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace frit::io {
namespace {

// Whether a number that from_chars called out of range is too large rather than too small: the sign of the decimal
// exponent of its first digit that is not zero.
bool is_too_large(std::string_view digits) {
  long long exponent = 0;
  const std::size_t mark = digits.find_first_of("eE");
  if (mark != std::string_view::npos) {
    std::string_view text = digits.substr(mark + 1);
    const bool negative = !text.empty() && text[0] == '-';
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
    const auto result = std::from_chars(text.data(), text.data() + text.size(), exponent);
    constexpr long long beyond_any_text = 1LL << 60;  // no text has as many digits
    if (result.ec == std::errc::result_out_of_range || exponent > beyond_any_text) return !negative;
    if (negative) exponent = -exponent;
    digits = digits.substr(0, mark);
  }
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  return exponent + static_cast<long long>(point) - static_cast<long long>(first) > 0;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool takes_unit(std::string_view& text) {
  if (text.empty() || (text[0] != 'j' && text[0] != 'J')) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

NumberError take_f64(std::string_view& text, double& value) {
  std::string_view rest = text;
  bool negative = false;
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) {
    negative = rest[0] == '-';
    rest.remove_prefix(1);
    if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) return NumberError::syntax;
  }
  double magnitude = 0;
  const auto result = std::from_chars(rest.data(), rest.data() + rest.size(), magnitude);
  const auto used = static_cast<std::size_t>(result.ptr - rest.data());
  if (result.ec == std::errc::result_out_of_range) {
    if (is_too_large(rest.substr(0, used))) return NumberError::overflow;
    magnitude = 0;
  } else if (result.ec != std::errc()) {
    return NumberError::syntax;
  }
  value = negative ? -magnitude : magnitude;
  text = rest.substr(used);
  return NumberError::none;
}

NumberError parse_complex(std::string_view text, ComplexText& value) {
  value = {};
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '(' && text.back() == ')') text = trimmed(text.substr(1, text.size() - 2));
  if (const NumberError error = take_f64(text, value.re); error != NumberError::none) return error;
  if (text.empty()) return NumberError::none;
  value.complex = true;
  if (takes_unit(text)) {
    value.im = value.re;
    value.re = 0;
    return text.empty() ? NumberError::none : NumberError::syntax;
  }
  if (text[0] != '+' && text[0] != '-') return NumberError::syntax;
  if (const NumberError error = take_f64(text, value.im); error != NumberError::none) return error;
  return takes_unit(text) && text.empty() ? NumberError::none : NumberError::syntax;
}

}  // namespace frit::io
