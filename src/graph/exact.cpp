#include "graph/exact.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "graph/exact_natural.hpp"

namespace frit {

using namespace natural_numbers;

namespace {

// ---- rounding -----------------------------------------------------------------------------------------------------

template <class Float> struct Format;
template <> struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr int precision = 53;
  static constexpr int lowest = -1074;  // exponent of the smallest subnormal
  static constexpr Bits infinity = 0x7ff0000000000000u;
};
template <> struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr int precision = 24;
  static constexpr int lowest = -149;
  static constexpr Bits infinity = 0x7f800000u;
};

// (significand + something in [0, 1)) * 2^exponent, where the something is zero unless `sticky`; the significand has at
// least 62 bits or is exact.
template <class Float> Float rounded(bool negative, std::uint64_t significand, std::int64_t exponent, bool sticky) {
  using F = Format<Float>;
  using Bits = typename F::Bits;
  Bits bits = 0;
  if (significand != 0) {
    const int normalise = std::countl_zero(significand);
    significand <<= normalise;
    exponent -= normalise;
    const std::int64_t unit = std::max<std::int64_t>(exponent + 64 - F::precision, F::lowest);
    const std::int64_t shift = unit - exponent;  // at least 11
    std::uint64_t kept = 0;
    if (shift < 64) {
      kept = significand >> shift;
      const std::uint64_t half = std::uint64_t{1} << (shift - 1);
      const std::uint64_t lost = significand & (2 * half - 1);
      if (lost > half || (lost == half && (sticky || (kept & 1) != 0))) ++kept;
    } else if (shift == 64) {
      const std::uint64_t half = std::uint64_t{1} << 63;
      if (significand > half || sticky) kept = 1;
    }
    constexpr std::uint64_t hidden = std::uint64_t{1} << (F::precision - 1);
    if (unit > 2000) {
      bits = F::infinity;
    } else if (kept < hidden) {
      bits = static_cast<Bits>(kept);
    } else {
      // A carry out of the significand runs into the exponent, which is what is wanted.
      const auto biased = static_cast<std::uint64_t>(unit - F::lowest + 1);
      const std::uint64_t packed = (biased << (F::precision - 1)) + (kept - hidden);
      bits = packed >= F::infinity ? F::infinity : static_cast<Bits>(packed);
    }
  }
  if (negative) bits |= Bits{1} << (sizeof(Bits) * 8 - 1);
  return std::bit_cast<Float>(bits);
}

template <class Float> Float rounded_ratio(bool negative, Natural numerator, Natural denominator) {
  if (numerator.empty()) return rounded<Float>(negative, 0, 0, false);
  const std::int64_t difference = bit_length(numerator) - bit_length(denominator);
  shift_left(difference < 0 ? numerator : denominator, difference < 0 ? -difference : difference);
  std::uint64_t significand = 0;
  for (int i = 0; i < 64; ++i) {
    significand <<= 1;
    if (!less(numerator, denominator)) {
      subtract(numerator, denominator);
      significand |= 1;
    }
    shift_left(numerator, 1);
  }
  return rounded<Float>(negative, significand, difference - 63, !numerator.empty());
}

template <class Float> Float rounded_ratio(bool negative, std::uint64_t numerator, std::uint64_t denominator) {
  if (numerator == 0) return rounded<Float>(negative, 0, 0, false);
  const int up = std::countl_zero(numerator);
  const Wide dividend = static_cast<Wide>(numerator << up) << 63;
  const Wide result = dividend / denominator;
  bool sticky = dividend % denominator != 0;
  const auto high = static_cast<std::uint64_t>(result >> 64);
  const int extra = high == 0 ? 0 : 64 - std::countl_zero(high);
  const auto significand = static_cast<std::uint64_t>(result >> extra);
  sticky = sticky || (result & ((static_cast<Wide>(1) << extra) - 1)) != 0;
  return rounded<Float>(negative, significand, extra - 63 - up, sticky);
}

// ---- text ---------------------------------------------------------------------------------------------------------

bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct SignedDigits {
  bool negative = false;
  std::string_view digits;  // no leading zeros; empty for zero
};

bool split_sign(std::string_view text, SignedDigits& out) {
  out.negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return false;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  out.digits = text;
  return true;
}

constexpr std::int64_t small_second = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t small_digits = 18;  // always fit int64
constexpr std::int64_t exponent_limit = 1'000'000'000'000;
constexpr std::size_t reduced_digits = 300;  // the common divisor costs the square of the digits
// A point halfway between two doubles has at most 767 significant digits, so digits behind these only tell whether the
// number lies above it.
constexpr std::size_t deciding_digits = 800;

std::int64_t small_signed(const SignedDigits& number) {
  const auto value = static_cast<std::int64_t>(small_value(number.digits));
  return number.negative ? -value : value;
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

}  // namespace

struct ExactNumber::Parts {
  enum class Special : std::uint8_t { none, infinity, nan };
  Special special = Special::none;
  bool negative = false;
  std::string_view digits;       // empty for zero
  std::string_view denominator;  // rational only
  std::int64_t exponent = 0;     // decimal only
};

ExactNumber::ExactNumber(const ExactNumber& other)
    : value_(other.value_), second_(other.second_), kind_(other.kind_), big_(other.big_) {
  if (!big_) return;
  const std::size_t size = std::strlen(other.value_.text) + 1;
  value_.text = new char[size];
  std::memcpy(value_.text, other.value_.text, size);
}

ExactNumber ExactNumber::of_text(Kind kind, std::string_view text) {
  ExactNumber result;
  char* copy = new char[text.size() + 1];
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  result.kind_ = kind;
  result.big_ = true;
  result.value_.text = copy;
  result.second_ = 0;
  return result;
}

ExactNumber ExactNumber::integer(std::int64_t value) {
  ExactNumber result;
  result.value_.small = value;
  return result;
}

bool ExactNumber::parse_integer(std::string_view text, ExactNumber& out) {
  SignedDigits number;
  if (!split_sign(text, number)) return false;
  if (number.digits.size() <= small_digits) {
    out = integer(small_signed(number));
    return true;
  }
  std::int64_t value = 0;
  const std::string_view bare = text[0] == '+' ? text.substr(1) : text;
  if (std::from_chars(bare.data(), bare.data() + bare.size(), value).ec == std::errc()) {
    out = integer(value);
  } else {
    out = of_text(Kind::integer, (number.negative ? "-" : "") + std::string(number.digits));
  }
  return true;
}

bool ExactNumber::parse_rational(std::string_view numerator, std::string_view denominator, ExactNumber& out) {
  SignedDigits top;
  SignedDigits bottom;
  if (!split_sign(numerator, top) || !split_sign(denominator, bottom) || bottom.digits.empty()) return false;
  top.negative = top.negative != bottom.negative;
  bottom.negative = false;
  if (top.digits.empty()) {
    out = integer(0);
    return true;
  }
  if (top.digits.size() <= small_digits && bottom.digits.size() <= small_digits) {
    std::int64_t n = small_signed(top);
    std::int64_t d = small_signed(bottom);
    const std::int64_t divisor = std::gcd(n, d);
    n /= divisor;
    d /= divisor;
    if (d > small_second) {
      out = of_text(Kind::rational, std::to_string(n) + "/" + std::to_string(d));
      return true;
    }
    out = integer(n);
    if (d != 1) {
      out.kind_ = Kind::rational;
      out.second_ = static_cast<std::int32_t>(d);
    }
    return true;
  }
  if (std::max(top.digits.size(), bottom.digits.size()) > max_rational_digits) return false;
  std::string n(top.digits);
  std::string d(bottom.digits);
  if (std::max(n.size(), d.size()) <= reduced_digits) {
    Natural a = natural(n);
    Natural b = natural(d);
    Natural divisor = odd_common_divisor(a, b);
    while (!bit_of(a, 0) && !bit_of(b, 0)) {
      divide_small(a, 2);
      divide_small(b, 2);
    }
    if (divisor.size() > 1 || divisor[0] > 1) {
      a = quotient(a, divisor);
      b = quotient(b, divisor);
    }
    const std::string reduced_n = digits_of(std::move(a));
    const std::string reduced_d = digits_of(std::move(b));
    if (reduced_n != n) return parse_rational((top.negative ? "-" : "") + reduced_n, reduced_d, out);
  }
  if (top.negative) n.insert(n.begin(), '-');
  if (d == "1") return parse_integer(n, out);
  out = of_text(Kind::rational, n + "/" + d);
  return true;
}

bool ExactNumber::parse_decimal(std::string_view text, ExactNumber& out) {
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest[0] == '-';
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) rest.remove_prefix(1);
  if (rest == "inf" || rest == "nan") {
    out = of_text(Kind::decimal, rest == "nan" ? "nan" : (negative ? "-inf" : "inf"));
    return true;
  }
  std::size_t i = 0;
  while (i < rest.size() && is_digit(rest[i])) ++i;
  const std::string_view whole = rest.substr(0, i);
  std::string_view fraction;
  if (i < rest.size() && rest[i] == '.') {
    const std::size_t first = ++i;
    while (i < rest.size() && is_digit(rest[i])) ++i;
    fraction = rest.substr(first, i - first);
  }
  if (whole.empty() && fraction.empty()) return false;
  std::int64_t exponent = 0;
  if (i < rest.size()) {
    if (rest[i] != 'e' && rest[i] != 'E') return false;
    SignedDigits written;
    if (!split_sign(rest.substr(i + 1), written) || written.digits.size() > small_digits) return false;
    exponent = small_signed(written);
  }
  exponent -= static_cast<std::int64_t>(fraction.size());

  const std::size_t written_digits = whole.size() + fraction.size();
  char buffer[64];
  std::string longer;
  std::string_view digits;
  if (written_digits <= sizeof buffer) {
    std::copy(whole.begin(), whole.end(), buffer);
    std::copy(fraction.begin(), fraction.end(), buffer + whole.size());
    digits = {buffer, written_digits};
  } else {
    longer.reserve(written_digits);
    longer.append(whole).append(fraction);
    digits = longer;
  }
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  while (!digits.empty() && digits.back() == '0') {
    digits.remove_suffix(1);
    ++exponent;
  }
  if (digits.empty()) exponent = 0;
  // The limit is on the exponent of the first digit, which is the one that text() writes, so that its text can be read again.
  const std::int64_t leading = static_cast<std::int64_t>(digits.size()) + exponent - 1;
  if (leading > exponent_limit || leading < -exponent_limit) return false;
  if (digits.size() > small_digits || (digits.empty() && negative) || std::abs(exponent) > small_second) {
    const std::string canonical =
        (negative ? "-" : "") + (digits.empty() ? "0" : std::string(digits) + "e" + std::to_string(exponent));
    out = of_text(Kind::decimal, canonical);
    return true;
  }
  out = integer(small_signed({negative, digits}));
  out.kind_ = Kind::decimal;
  out.second_ = static_cast<std::int32_t>(exponent);
  return true;
}

bool ExactNumber::parse_exact(std::string_view text, ExactNumber& out) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) return parse_rational(text.substr(0, slash), text.substr(slash + 1), out);
  return parse_integer(text, out) || parse_decimal(text, out);
}

ExactNumber ExactNumber::decimal_of(double value) {
  char buffer[800];  // sign, point, exponent and the at most 767 significant digits of a double
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, 766).ptr;
  ExactNumber result;
  parse_decimal({buffer, static_cast<std::size_t>(end - buffer)}, result);
  return result;
}

// `buffer` takes the digits of a small number: 2 * 20 characters.
ExactNumber::Parts ExactNumber::parts(char* buffer) const {
  Parts result;
  if (!big_) {
    result.negative = value_.small < 0;
    if (value_.small != 0) {
      const auto end = std::to_chars(buffer, buffer + 20, magnitude(value_.small)).ptr;
      result.digits = {buffer, static_cast<std::size_t>(end - buffer)};
    }
    if (kind_ == Kind::rational) {
      const auto end = std::to_chars(buffer + 20, buffer + 40, second_).ptr;
      result.denominator = {buffer + 20, static_cast<std::size_t>(end - buffer) - 20};
    }
    if (kind_ == Kind::decimal) result.exponent = second_;
    return result;
  }
  std::string_view text = value_.text;
  result.negative = text[0] == '-';
  if (result.negative) text.remove_prefix(1);
  if (text == "inf") {
    result.special = Parts::Special::infinity;
  } else if (text == "nan") {
    result.special = Parts::Special::nan;
  } else if (text != "0") {
    const std::size_t mark = std::min(text.find_first_of("/e"), text.size());
    result.digits = text.substr(0, mark);
    const std::string_view rest = text.substr(std::min(mark + 1, text.size()));
    if (kind_ == Kind::rational) result.denominator = rest;
    if (kind_ == Kind::decimal) std::from_chars(rest.data(), rest.data() + rest.size(), result.exponent);
  }
  return result;
}

bool ExactNumber::is_zero() const {
  if (!big_) return value_.small == 0;
  return std::string_view(value_.text) == "-0";
}

bool ExactNumber::is_negative() const { return big_ ? value_.text[0] == '-' : value_.small < 0; }

ExactNumber ExactNumber::negated() const {
  if (!big_ && value_.small != std::numeric_limits<std::int64_t>::min() &&
      (value_.small != 0 || kind_ != Kind::decimal)) {
    ExactNumber result = *this;
    result.value_.small = -value_.small;
    return result;
  }
  const std::string own = text();
  if (own == "nan") return *this;
  ExactNumber result;
  parse_exact(own[0] == '-' ? own.substr(1) : "-" + own, result);
  return result;
}

bool ExactNumber::to_int64(std::int64_t& out) const {
  if (kind_ == Kind::rational) return false;
  if (!big_ && (kind_ == Kind::integer || second_ == 0)) {
    out = value_.small;
    return true;
  }
  char buffer[40];
  const Parts p = parts(buffer);
  if (kind_ == Kind::integer || p.special != Parts::Special::none || p.exponent < 0 || p.exponent > 18) return false;
  std::string whole = (p.negative ? "-" : "") + std::string(p.digits.empty() ? "0" : p.digits);
  whole.append(static_cast<std::size_t>(p.exponent), '0');
  return std::from_chars(whole.data(), whole.data() + whole.size(), out).ec == std::errc();
}

bool ExactNumber::twice_odd(std::int64_t& out) const {
  if (big_ || kind_ == Kind::integer) return false;
  if (kind_ == Kind::rational) {
    out = value_.small;
    return second_ == 2;
  }
  if (second_ != -1 || value_.small % 5 != 0) return false;
  out = value_.small / 5;
  return true;
}

template <class Float> Float ExactNumber::round() const {
  if (!big_) {
    const bool negative = value_.small < 0;
    const std::uint64_t size = magnitude(value_.small);
    if (kind_ == Kind::integer) return rounded_ratio<Float>(negative, size, 1);
    if (kind_ == Kind::rational) return rounded_ratio<Float>(negative, size, magnitude(second_));
    if (second_ <= 0 && second_ >= -chunk_digits) {
      return rounded_ratio<Float>(negative, size, power_of_ten(static_cast<int>(-second_)));
    }
  }
  char buffer[40];
  const Parts p = parts(buffer);
  if (p.special == Parts::Special::nan) return std::numeric_limits<Float>::quiet_NaN();
  const Float infinity = p.negative ? -std::numeric_limits<Float>::infinity() : std::numeric_limits<Float>::infinity();
  if (p.special == Parts::Special::infinity) return infinity;
  if (p.digits.empty()) return rounded<Float>(p.negative, 0, 0, false);
  if (kind_ == Kind::rational) return rounded_ratio<Float>(p.negative, natural(p.digits), natural(p.denominator));

  std::int64_t exponent = p.exponent;
  const std::int64_t leading = static_cast<std::int64_t>(p.digits.size()) + exponent;  // value < 10^leading
  if (leading > 320) return infinity;
  if (leading < -340) return rounded<Float>(p.negative, 0, 0, false);
  Natural numerator;
  if (p.digits.size() > deciding_digits) {
    numerator = natural(p.digits.substr(0, deciding_digits));
    exponent += static_cast<std::int64_t>(p.digits.size() - deciding_digits) - 1;
    const bool more = p.digits.find_first_not_of('0', deciding_digits) != std::string_view::npos;
    multiply_add(numerator, 10, more ? 1 : 0);
  } else {
    numerator = natural(p.digits);
  }
  Natural denominator = {1};
  scale_by_power_of_ten(exponent < 0 ? denominator : numerator, exponent < 0 ? -exponent : exponent);
  return rounded_ratio<Float>(p.negative, std::move(numerator), std::move(denominator));
}

double ExactNumber::to_f64() const { return round<double>(); }
float ExactNumber::to_f32() const { return round<float>(); }

std::string ExactNumber::text() const {
  char buffer[40];
  const Parts p = parts(buffer);
  std::string result = p.negative ? "-" : "";
  if (p.special != Parts::Special::none) return result + (p.special == Parts::Special::nan ? "nan" : "inf");
  if (kind_ != Kind::decimal) {
    result += p.digits.empty() ? "0" : p.digits;
    if (kind_ == Kind::rational) result.append("/").append(p.denominator);
    return result;
  }
  if (p.digits.empty()) return result + "0.0";
  const std::int64_t count = static_cast<std::int64_t>(p.digits.size());
  const std::int64_t leading = count + p.exponent - 1;  // exponent of the first digit
  if (leading < -5 || leading > 20) {
    result += p.digits[0];
    if (count > 1) result.append(".").append(p.digits.substr(1));
    return result + "e" + std::to_string(leading);
  }
  if (p.exponent >= 0) return result.append(p.digits).append(static_cast<std::size_t>(p.exponent), '0') + ".0";
  if (leading < 0) {
    return result.append("0.").append(static_cast<std::size_t>(-leading - 1), '0').append(p.digits);
  }
  const auto whole = static_cast<std::size_t>(leading + 1);
  return result.append(p.digits.substr(0, whole)).append(".").append(p.digits.substr(whole));
}

bool operator==(const ExactNumber& a, const ExactNumber& b) {
  if (a.kind_ != b.kind_ || a.big_ != b.big_ || a.second_ != b.second_) return false;
  return a.big_ ? std::strcmp(a.value_.text, b.value_.text) == 0 : a.value_.small == b.value_.small;
}

std::size_t ExactNumber::hash() const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio
  if (big_) return std::hash<std::string_view>{}(value_.text);
  std::uint64_t h = (magnitude(value_.small) * 2 + (value_.small < 0 ? 1 : 0)) * odd;
  h = (h ^ (h >> 32) ^ static_cast<std::uint64_t>(second_) ^ (static_cast<std::uint64_t>(kind_) << 56)) * odd;
  return static_cast<std::size_t>(h ^ (h >> 29));
}

std::size_t ExactNumber::heap_bytes() const { return big_ ? std::strlen(value_.text) + 1 : 0; }

}  // namespace frit
