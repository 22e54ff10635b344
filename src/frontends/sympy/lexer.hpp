// The characters of srepr text: blanks, names, numbers, Python string literals, and where in the text an error is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "frit/error.hpp"

namespace frit::srepr {

// A cursor over the whole text, which is UTF-8 (check_encoding). Tokens are views of the text; only a string literal
// with a backslash is copied.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  // Raises sympy_encoding at the first byte that is not part of a UTF-8 character; steps over a byte order mark.
  void check_encoding();

  std::size_t at() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  // The next character, 0 at the end.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void step() { ++at_; }
  void move_to(std::size_t at) { at_ = at; }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, std::string_view after) {
    if (!take(c)) fail_expected(c, after);
  }

  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  }
  bool at_number() const { return is_digit(peek()) || peek() == '-' || peek() == '+' || peek() == '.'; }
  bool at_string() const { return peek() == '\'' || peek() == '"'; }

  // Empty where no name starts. Names may hold characters beyond ASCII, so that errors show the whole name.
  std::string_view name() {
    const std::size_t first = at_;
    if (!starts_name(peek())) return {};
    while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(first, at_ - first);
  }
  struct Number {
    std::string_view text;
    bool integer;
  };
  Number number();
  // The value of a string literal; `storage` holds it where it has escapes.
  std::string_view string(std::string& storage);

  [[noreturn]] void fail(ErrorCode code, std::size_t at, std::string_view message) const;
  // "end of the text" or the character here, quoted.
  std::string shown_here() const;

 private:
  [[noreturn]] void fail_expected(char c, std::string_view after) const;
  void unescape(std::size_t first, char quote, std::string& out);
  unsigned hexadecimal(int digits, std::size_t escape);

  std::string_view text_;
  std::size_t at_ = 0;
};

// `text` quoted and shortened for a message.
std::string shown(std::string_view text);

// True where the text is a result of sympy.cse: ([(symbol, expression), ...], [expression, ...]), also with the other
// kind of bracket. A scan of the brackets alone, which ends at once for anything that does not start like that.
bool looks_like_cse(std::string_view text);

}  // namespace frit::srepr
