// Exact numbers as expressions write them, and their one rounding to a kernel's dtype.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace frit {

// An integer of any size, a quotient of two, or a decimal (a SymPy Float) of any precision. Kept normalised: a rational
// has a positive denominator above 1 and, up to 300 digits, no common factor (longer ones are kept as they come; SymPy
// writes them reduced); a decimal has no superfluous zeros or signs. Numbers of different kinds are never equal.
class ExactNumber {
 public:
  enum class Kind : std::uint8_t { integer, rational, decimal };

  ExactNumber() = default;
  ExactNumber(const ExactNumber& other);
  ExactNumber(ExactNumber&& other) noexcept { swap(other); }
  ExactNumber& operator=(ExactNumber other) noexcept {
    swap(other);
    return *this;
  }
  ~ExactNumber() {
    if (big_) delete[] value_.text;
  }

  static ExactNumber integer(std::int64_t value);
  // `digits`: an optional sign and decimal digits. False where the text is something else.
  static bool parse_integer(std::string_view digits, ExactNumber& out);
  // Numerator and denominator as above; false where the denominator is zero or one of them has more than
  // max_rational_digits. A denominator of 1 gives an integer.
  static bool parse_rational(std::string_view numerator, std::string_view denominator, ExactNumber& out);
  // "1.25", "-3e-20", "0.1000000000000000055511151231257827", also "inf", "-inf", "nan". Never depends on the locale.
  static bool parse_decimal(std::string_view text, ExactNumber& out);
  // Any text that text() returns: "12", "-1/3", "0.1".
  static bool parse_exact(std::string_view text, ExactNumber& out);
  // The exact value of a finite double, as a decimal.
  static ExactNumber decimal_of(double value);

  Kind kind() const { return kind_; }
  bool is_zero() const;
  bool is_negative() const;
  ExactNumber negated() const;
  // True and the value where the value is an integer of the range of int64; decimals as 2.0 count.
  bool to_int64(std::int64_t& out) const;
  // True where it is an integer plus one half: out = 2 * value, odd. Decimals as 0.5 or 1.5 count.
  bool twice_odd(std::int64_t& out) const;

  // The nearest double or float (ties to even), rounded once from the exact value; overflows to infinity. Integer
  // arithmetic alone, so neither the rounding mode nor flush-to-zero of the caller matters.
  double to_f64() const;
  float to_f32() const;

  // Exact text: "12", "-1/3", "0.1"; parse_exact reads it back to an equal number.
  std::string text() const;

  friend bool operator==(const ExactNumber& a, const ExactNumber& b);
  std::size_t hash() const;
  // Memory held outside the object.
  std::size_t heap_bytes() const;

  // The conversion of decimal digits costs their square.
  static constexpr std::size_t max_rational_digits = 100'000;

 private:
  struct Parts;
  void swap(ExactNumber& other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(big_, other.big_);
    std::swap(value_, other.value_);
    std::swap(second_, other.second_);
  }
  static ExactNumber of_text(Kind kind, std::string_view text);
  Parts parts(char* buffer) const;
  template <class Float> Float round() const;

  // Numbers whose parts fit are held in place, so that the millions of them in a large text take 16 bytes each: an
  // integer is `small`, a rational small / second, a decimal small * 10^second. Others are text: "digits",
  // "digits/digits", "digits" "e" "exponent", "-0", "inf", "-inf" or "nan".
  union Value {
    std::int64_t small;
    char* text;  // ends with a zero byte
  } value_ = {0};
  std::int32_t second_ = 1;
  Kind kind_ = Kind::integer;
  bool big_ = false;
};
static_assert(sizeof(ExactNumber) == 16);

}  // namespace frit
