#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "frontends/sympy/reader_parser.hpp"

namespace frit::srepr {

std::string symbol_shown(std::string_view name, std::string_view key) {
  const bool dummy = key.find("dummy_index=") != std::string_view::npos;
  return fmt::format("{}({}{}{})", dummy ? "Dummy" : "Symbol", shown(name), key.empty() ? "" : ", ", key);
}

// The text of a leaf class from its name on, without the closing bracket; empty where it is not as srepr writes it.
std::string_view Reader::leaf_at(std::size_t at) const {
  constexpr std::size_t longest = 512;
  const std::string_view rest = text_.substr(lexer_.at(), longest);
  std::size_t end = 0;
  if (lexer_.at_string()) {
    const char quote = rest[0];
    for (end = 1; end < rest.size() && rest[end] != quote; ++end) {
      if (rest[end] == '\\') ++end;
    }
    ++end;
  }
  while (end < rest.size() && rest[end] != ')') ++end;
  if (end >= rest.size()) return {};
  return text_.substr(at, lexer_.at() + end - at);
}

Reader::Leaf& Reader::entry_of(std::string_view leaf) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio
  std::uint64_t h = leaf.size();
  std::uint64_t word = 0;
  for (std::size_t i = 0; i + 8 <= leaf.size(); i += 8) {
    std::memcpy(&word, leaf.data() + i, 8);
    h = (h ^ word) * odd;
    h ^= h >> 32;
  }
  std::memcpy(&word, leaf.data() + leaf.size() - 8, 8);
  h = (h ^ word) * odd;
  return leaves_[static_cast<std::size_t>(h >> 54)];
}

bool Reader::read_known_leaf(std::size_t at) {
  leaf_ = leaf_at(at);
  if (leaf_.size() < 8) return false;
  const Leaf& entry = entry_of(leaf_);
  if (std::string_view(entry.text, entry.size) != leaf_) return false;
  lexer_.move_to(at + leaf_.size() + 1);
  deliver_node(entry.id, at, cse_ ? kind_of(entry.id) : ValueKind::number);
  return true;
}

// A leaf that ended elsewhere than leaf_at thought is not kept.
void Reader::deliver_leaf(ExprId id, std::size_t at) {
  if (leaf_.size() >= 8 && lexer_.at() == at + leaf_.size() + 1) {
    entry_of(leaf_) = {leaf_.data(), static_cast<std::uint32_t>(leaf_.size()), id};
  }
  deliver_node(id, at, cse_ ? kind_of(id) : ValueKind::number);
}

void Reader::read_bare(const Class& cls, std::size_t at) {
  if (cls.form == Form::number) {
    ExactNumber value;
    ExactNumber::parse_exact(cls.value, value);
    deliver_node(expr_.add_number(value), at);
  } else if (cls.form == Form::boolean) {
    deliver_node(expr_.add_boolean(cls.payload == 1), at, ValueKind::condition);
  } else {
    deliver_node(expr_.add_constant(static_cast<NamedConstant>(cls.payload)), at);
  }
}

void Reader::read_number() {
  const std::size_t at = lexer_.at();
  if (lexer_.peek() == '-') {  // srepr writes negative infinity as -oo
    Lexer ahead = lexer_;
    ahead.step();
    if (ahead.name() == "oo") {
      lexer_ = ahead;
      deliver_node(expr_.add_constant(NamedConstant::negative_infinity), at);
      return;
    }
  }
  const Lexer::Number literal = lexer_.number();
  ExactNumber value;
  if (literal.integer ? !ExactNumber::parse_integer(literal.text, value)
                      : !ExactNumber::parse_decimal(literal.text, value)) {
    fail(ErrorCode::sympy_argument, at, "the exponent of this number is out of range");
  }
  deliver_node(expr_.add_number(value), at);
}

std::string_view Reader::integer_literal(const Class& cls) {
  lexer_.skip_blanks();
  const std::size_t at = lexer_.at();
  if (lexer_.at_number()) {
    const Lexer::Number literal = lexer_.number();
    if (literal.integer) return literal.text;
  } else if (lexer_.peek() == ')') {
    fail(ErrorCode::sympy_arity, at, fmt::format("{} takes an integer, got no argument", cls.name));
  }
  fail(ErrorCode::sympy_argument, at, fmt::format("{} takes integer literals alone", cls.name));
}

void Reader::end_literal(const Class& cls) {
  lexer_.skip_blanks();
  if (lexer_.peek() == ',') {
    fail(ErrorCode::sympy_arity, lexer_.at(),
         fmt::format("{} takes {} argument{}, got more", cls.name, cls.most, cls.most == 1 ? "" : "s"));
  }
  lexer_.expect(')', cls.name);
}

void Reader::read_integer(std::size_t at) {
  // Most integers of an expression are exponents and signs of at most three digits.
  const std::size_t first = lexer_.at();
  const char* const text = text_.data() + first;
  const std::size_t left = text_.size() - first;
  const bool negative = left > 0 && text[0] == '-';
  std::size_t i = negative ? 1 : 0;
  const std::size_t end = std::min<std::size_t>(left, i + 3);
  int small = 0;
  while (i < end && Lexer::is_digit(text[i])) small = small * 10 + (text[i++] - '0');
  if (small != 0 && small < 128 && i < left && text[i] == ')' && text[negative ? 1 : 0] != '0') {
    lexer_.move_to(first + i + 1);
    if (negative) small = -small;
    ExprId& id = small_integers_[static_cast<std::size_t>(small + 128)];
    if (id == no_expr) id = expr_.add_number(ExactNumber::integer(small));
    return deliver_node(id, at);
  }
  static const Class& cls = *find_class("Integer");
  ExactNumber value;
  ExactNumber::parse_integer(integer_literal(cls), value);
  end_literal(cls);
  deliver_node(expr_.add_number(value), at);
}

void Reader::read_rational(std::size_t at) {
  if (read_known_leaf(at)) return;
  static const Class& cls = *find_class("Rational");
  const std::string_view numerator = integer_literal(cls);
  std::string_view denominator = "1";
  if (lexer_.take(',')) denominator = integer_literal(cls);
  end_literal(cls);
  ExactNumber value;
  if (!ExactNumber::parse_rational(numerator, denominator, value)) {
    if (denominator.find_first_not_of("+-0") == std::string_view::npos) {
      fail(ErrorCode::sympy_argument, at, "the denominator of this Rational is zero");
    }
    fail(ErrorCode::sympy_unsupported, at,
         fmt::format("this Rational has more than {} digits", ExactNumber::max_rational_digits));
  }
  deliver_leaf(expr_.add_number(value), at);
}

void Reader::read_decimal(std::size_t at) {
  if (read_known_leaf(at)) return;
  static const Class& cls = *find_class("Float");
  lexer_.skip_blanks();
  if (lexer_.peek() == ')') fail(ErrorCode::sympy_arity, at, "Float takes a number, got no argument");
  if (!lexer_.at_string() && !lexer_.at_number()) {
    fail(ErrorCode::sympy_argument, lexer_.at(), "Float takes a number or a string that holds one");
  }
  const std::string_view text = lexer_.at_string() ? lexer_.string(storage_) : lexer_.number().text;
  ExactNumber value;
  if (!ExactNumber::parse_decimal(text, value)) {
    fail(ErrorCode::sympy_argument, at, fmt::format("Float takes a decimal number, got {}", shown(text)));
  }
  std::string_view precision = "53";
  bool given = false;
  while (lexer_.take(',')) {
    lexer_.skip_blanks();
    if (lexer_.peek() == ')') break;
    const std::size_t argument = lexer_.at();
    const std::string_view keyword = lexer_.name();
    if (!keyword.empty()) {
      if (keyword != "precision" && keyword != "dps") {
        fail(ErrorCode::sympy_argument, argument,
             fmt::format("Float takes the keyword precision or dps, got {}", shown(keyword)));
      }
      lexer_.expect('=', keyword);
    }
    if (given) fail(ErrorCode::sympy_duplicate, argument, "the precision of this Float is given twice");
    given = true;
    const std::string_view digits = integer_literal(cls);
    precision = keyword == "precision" ? digits : std::string_view();
  }
  end_literal(cls);
  // srepr writes a Float of 53 bits with 17 digits, enough to tell the double. The double is the value, and where it
  // lies halfway between two floats (at most 25 significant bits) rounding the digits instead could go the other way.
  if (precision == "53" && text.size() > 10) {
    const double rounded = value.to_f64();
    if (std::isnormal(rounded) && (std::bit_cast<std::uint64_t>(rounded) & 0xfffffffu) == 0) {
      value = ExactNumber::decimal_of(rounded);
    }
  }
  if (text.ends_with("inf") || text == "nan") {
    const bool negative = text.front() == '-';
    deliver_node(expr_.add_constant(text == "nan" ? NamedConstant::nan
                                    : negative    ? NamedConstant::negative_infinity
                                                  : NamedConstant::infinity),
                 at);
    return;
  }
  deliver_leaf(expr_.add_number(value), at);
}

void Reader::read_symbol(const Class& cls, std::size_t at) {
  if (!at_definition() && read_known_leaf(at)) return;
  lexer_.skip_blanks();
  if (!lexer_.at_string()) {
    const bool none = lexer_.peek() == ')';
    fail(none ? ErrorCode::sympy_arity : ErrorCode::sympy_argument, lexer_.at(),
         fmt::format("{} takes its name as a string, found {}", cls.name, none ? "no argument" : lexer_.shown_here()));
  }
  const std::string_view name = lexer_.string(storage_);
  key_.clear();
  if (cls.form == Form::dummy || !lexer_.take(')')) read_key(cls, at);

  if (cse_) {
    if (at_definition()) {
      defined_ = {std::string(name), key_};
      deliver(ValueKind::defined, at);
      return;
    }
    const auto found = replaced_.find(std::pair<std::string, std::string>(name, key_));
    if (found != replaced_.end()) {
      deliver_leaf(found->second, at);
      return;
    }
  }
  const std::size_t before = expr_.size();
  const ExprId id = expr_.add_symbol(name, key_);
  if (expr_.size() != before) {
    const ExprId other = expr_.find_symbol(name);
    if (other != id) {
      fail(ErrorCode::sympy_duplicate, at,
           fmt::format(
               "{} and {} are different symbols of one name, so data for that name would be ambiguous; rename one",
               symbol_shown(name, expr_.symbol_key(other)), symbol_shown(name, key_)));
    }
  }
  deliver_leaf(id, at);
}

// The keyword arguments of a symbol, up to its closing bracket, as canonical text: sorted, without those that say what
// holds anyway.
void Reader::read_key(const Class& cls, std::size_t at) {
  std::vector<std::pair<std::string_view, std::string_view>> keywords;
  while (lexer_.take(',')) {
    lexer_.skip_blanks();
    if (lexer_.peek() == ')') break;
    const std::size_t argument = lexer_.at();
    const std::string_view keyword = lexer_.name();
    if (keyword.empty()) {
      fail(ErrorCode::sympy_arity, argument,
           fmt::format("{} takes one name and keyword arguments, found {}", cls.name, lexer_.shown_here()));
    }
    lexer_.expect('=', shown(keyword));
    lexer_.skip_blanks();
    const bool index = cls.form == Form::dummy && keyword == "dummy_index";
    const std::size_t value_at = lexer_.at();
    const std::string_view value = index ? integer_literal(cls) : lexer_.name();
    if (!index && value != "True" && value != "False" && value != "None") {
      fail(ErrorCode::sympy_argument, value_at,
           fmt::format("the assumption {} is True, False or None, found {}", shown(keyword),
                       value.empty() ? lexer_.shown_here() : shown(value)));
    }
    if (keywords.size() == most_keywords) {
      fail(ErrorCode::sympy_arity, argument, fmt::format("a symbol has at most {} assumptions", most_keywords));
    }
    for (const auto& known : keywords) {
      if (known.first == keyword) {
        fail(ErrorCode::sympy_duplicate, argument, fmt::format("the keyword {} is given twice", shown(keyword)));
      }
    }
    if (keyword == "commutative" && value == "False") {
      fail(ErrorCode::sympy_unsupported, argument, "frit multiplies numbers, so symbols must be commutative");
    }
    keywords.emplace_back(keyword, value);
  }
  lexer_.expect(')', cls.name);
  std::sort(keywords.begin(), keywords.end());
  bool indexed = false;
  for (const auto& [keyword, value] : keywords) {
    indexed = indexed || keyword == "dummy_index";
    if (value == "None" || (keyword == "commutative" && value == "True")) continue;
    if (!key_.empty()) key_ += ", ";
    key_.append(keyword).append("=").append(value);
  }
  if (cls.form == Form::dummy && !indexed) {
    fail(ErrorCode::sympy_arity, at, "this Dummy has no dummy_index, which tells it from others of its name");
  }
}

}  // namespace frit::srepr
