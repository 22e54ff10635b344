#include "frontends/sympy/lexer.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace frit::srepr {
namespace {

// The length of the UTF-8 character at `at`, 0 where there is none (RFC 3629: no surrogates, no overlong forms).
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    if (!follows(1) || !follows(2)) return 0;
    if (lead == 0xe0 && byte(1) < 0xa0) return 0;
    return lead == 0xed && byte(1) > 0x9f ? 0 : 3;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    if (!follows(1) || !follows(2) || !follows(3)) return 0;
    if (lead == 0xf0 && byte(1) < 0x90) return 0;
    return lead == 0xf4 && byte(1) > 0x8f ? 0 : 4;
  }
  return 0;
}

void append_utf8(std::string& out, unsigned code) {
  const auto put = [&](unsigned byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

bool is_open(char c) { return c == '(' || c == '['; }
bool is_close(char c) { return c == ')' || c == ']'; }

bool starts_symbol(std::string_view text, std::size_t at) {
  return text.substr(at).starts_with("Symbol(") || text.substr(at).starts_with("Dummy(");
}

}  // namespace

void Lexer::check_encoding() {
  std::size_t i = 0;
  while (i < text_.size()) {
    std::uint64_t word = 0;
    while (i + 8 <= text_.size()) {
      std::memcpy(&word, text_.data() + i, 8);
      if ((word & 0x8080808080808080u) != 0) break;
      i += 8;
    }
    if (i == text_.size()) break;
    const std::size_t length = character_length(text_, i);
    if (length == 0) {
      fail(ErrorCode::sympy_encoding, i,
           fmt::format("the byte 0x{:02x} is not UTF-8; write the file with encoding='utf-8'",
                       static_cast<unsigned char>(text_[i])));
    }
    i += length;
  }
  if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
}

void Lexer::fail_expected(char c, std::string_view after) const {
  fail(ErrorCode::sympy_syntax, at_,
       fmt::format("expected '{}' {} {}, found {}", c, c == ')' ? "at the end of" : "after", after, shown_here()));
}

Lexer::Number Lexer::number() {
  const std::size_t first = at_;
  const auto digits = [&] {
    const std::size_t start = at_;
    while (is_digit(peek())) ++at_;
    return at_ - start;
  };
  if (peek() == '-' || peek() == '+') ++at_;
  std::size_t count = digits();
  bool integer = true;
  if (peek() == '.') {
    integer = false;
    ++at_;
    count += digits();
  }
  if (count != 0 && (peek() == 'e' || peek() == 'E')) {
    integer = false;
    ++at_;
    if (peek() == '-' || peek() == '+') ++at_;
    count = digits();
  }
  if (count == 0 || starts_name(peek())) {
    fail(ErrorCode::sympy_syntax, count == 0 ? at_ : first,
         fmt::format("this is no decimal number: {}", shown(text_.substr(first, at_ - first + 1))));
  }
  return {text_.substr(first, at_ - first), integer};
}

std::string_view Lexer::string(std::string& storage) {
  const std::size_t first = at_++;
  const char quote = text_[first];
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == quote) {
      ++at_;
      return text_.substr(first + 1, at_ - first - 2);
    }
    if (c == '\n') break;
    if (c == '\\') {
      storage.assign(text_, first + 1, at_ - first - 1);
      unescape(first, quote, storage);
      return storage;
    }
    ++at_;
  }
  fail(ErrorCode::sympy_syntax, first, "the string that starts here has no end on its line");
}

unsigned Lexer::hexadecimal(int digits, std::size_t escape) {
  unsigned code = 0;
  for (int i = 0; i < digits; ++i, ++at_) {
    const char c = peek();
    const char lower = static_cast<char>(c | 0x20);
    if (is_digit(c)) {
      code = code * 16 + static_cast<unsigned>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      code = code * 16 + static_cast<unsigned>(lower - 'a' + 10);
    } else {
      fail(ErrorCode::sympy_syntax, escape, fmt::format("this escape needs {} hexadecimal digits", digits));
    }
  }
  return code;
}

void Lexer::unescape(std::size_t first, char quote, std::string& out) {
  while (at_ < text_.size() && text_[at_] != '\n') {
    const std::size_t escape = at_;
    const char c = text_[at_++];
    if (c == quote) return;
    if (c != '\\') {
      out.push_back(c);
      continue;
    }
    if (at_end()) break;
    const char kind = text_[at_++];
    unsigned code = 0;
    switch (kind) {
      case '\n': continue;
      case '\\':
      case '\'':
      case '"': code = static_cast<unsigned char>(kind); break;
      case 'a': code = 7; break;
      case 'b': code = 8; break;
      case 't': code = 9; break;
      case 'n': code = 10; break;
      case 'v': code = 11; break;
      case 'f': code = 12; break;
      case 'r': code = 13; break;
      case 'x': code = hexadecimal(2, escape); break;
      case 'u': code = hexadecimal(4, escape); break;
      case 'U': code = hexadecimal(8, escape); break;
      default:
        if (kind < '0' || kind > '7') {
          fail(ErrorCode::sympy_syntax, escape,
               fmt::format("unknown escape '\\{}'; write a backslash as '\\\\'",
                           text_.substr(at_ - 1, character_length(text_, at_ - 1))));
        }
        code = static_cast<unsigned>(kind - '0');
        for (int i = 0; i < 2 && peek() >= '0' && peek() <= '7'; ++i) {
          code = code * 8 + static_cast<unsigned>(text_[at_++] - '0');
        }
    }
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      fail(ErrorCode::sympy_encoding, escape, fmt::format("U+{:04X} is no Unicode character", code));
    }
    append_utf8(out, code);
  }
  fail(ErrorCode::sympy_syntax, first, "the string that starts here has no end on its line");
}

void Lexer::fail(ErrorCode code, std::size_t at, std::string_view message) const {
  std::size_t line = 1;
  std::size_t column = 1;
  for (const char c : text_.substr(0, at)) {
    if (c == '\n') {
      ++line;
      column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
      ++column;
    }
  }
  throw Error(code, fmt::format("line {}, column {} (byte {}): {}", line, column, at, message));
}

std::string Lexer::shown_here() const {
  if (at_end()) return "the end of the text";
  const std::size_t length = character_length(text_, at_);
  const auto byte = static_cast<unsigned char>(text_[at_]);
  if (length == 0 || byte < 0x20 || byte == 0x7f) return fmt::format("the byte 0x{:02x}", byte);
  return fmt::format("'{}'", text_.substr(at_, length));
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "'";
  std::size_t i = 0;
  while (i < text.size() && i < longest) {
    const std::size_t length = character_length(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (length == 0 || byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
      ++i;
    } else {
      result += text.substr(i, length);
      i += length;
    }
  }
  return result + (i < text.size() ? "...'" : "'");
}

bool looks_like_cse(std::string_view text) {
  int depth = 0;
  int parts = 0;  // of the outermost bracket
  int pair_commas = 0;
  bool fresh = true;  // an item begins here
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (Lexer::is_blank(c)) continue;
    const bool in_pairs = parts == 0;
    if (is_open(c)) {
      if (depth < 2 && !fresh) return false;
      if (in_pairs && depth == 2 && !fresh) return false;
      ++depth;
      fresh = true;
      if (in_pairs && depth == 3) {
        pair_commas = 0;
        if (!starts_symbol(text, i + 1)) return false;
      }
      continue;
    }
    if (is_close(c)) {
      if (in_pairs && depth == 3 && pair_commas != 1) return false;
      if (in_pairs && depth == 2 && fresh) return false;  // no pairs, or a comma at the end
      if (--depth == 0)
        return parts == 1 && !fresh && text.find_first_not_of(" \n\t\r\f", i + 1) == std::string_view::npos;
      fresh = false;
      continue;
    }
    if (c == ',') {
      if (depth == 1 && ++parts > 1) return false;
      if (depth == 3) ++pair_commas;
      fresh = true;
      continue;
    }
    if (depth < 2 || (in_pairs && depth == 2)) return false;
    fresh = false;
    if (c == '\'' || c == '"') {
      for (++i; i < text.size() && text[i] != c; ++i) {
        if (text[i] == '\\') ++i;
      }
    }
  }
  return false;
}

}  // namespace frit::srepr
