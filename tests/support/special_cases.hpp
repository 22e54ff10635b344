// The table of tests/modes/special_cases.txt: its rows, what its conditions and results mean. Elements of every dtype but complex
// are held as long double, which has them all exactly.
#pragma once

#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "frit/dtype.hpp"

namespace frit::test {

using Element = long double;
using Elements = std::vector<Element>;
using Words = std::vector<std::string>;

struct SpecialCase {
  int line = 0;
  Words conditions, results;  // of each component
  Words instead;              // what frit has where it differs

  std::string text() const {
    std::string all = "line " + std::to_string(line) + ":";
    for (const std::string& word : conditions) all += " " + word;
    all += " :";
    for (const std::string& word : instead.empty() ? results : instead) all += " " + word;
    return all;
  }
};

struct SpecialCases {
  int line = 0;
  std::string function, forms;
  std::vector<SpecialCase> rows;
  std::string like;   // the function whose rows these are
  std::string parts;  // the real function that this one is in both parts
  bool negating = false, turned = false, absent = false, conj = false, odd = false, even = false;

  std::size_t components() const { return components_before(forms.size()); }
  std::size_t components_before(std::size_t operand) const {
    std::size_t n = 0;
    for (std::size_t i = 0; i < operand; ++i) n += forms[i] == 'c' ? 2 : 1;
    return n;
  }
};

inline Words words_of(const std::string& text, char separator = ' ') {
  Words words;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, separator);)
    if (!word.empty()) words.push_back(word);
  return words;
}

class SpecialCaseTable {
 public:
  explicit SpecialCaseTable(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("no " + path);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      if (line.empty() || line[0] == '#') continue;
      if (line[0] == ' ') {
        for (const std::string& row : words_of(line, ';')) add_row(row, number);
      } else {
        add_section(words_of(line), number);
      }
    }
    for (SpecialCases& section : sections_) refer(section);
  }
  const std::vector<SpecialCases>& sections() const { return sections_; }
  const SpecialCases& section(const std::string& function, const std::string& forms) const {
    for (const SpecialCases& section : sections_)
      if (section.function == function && section.forms == forms) return section;
    throw std::runtime_error("special_cases.txt: no section " + function + " " + forms);
  }

 private:
  void add_section(const Words& words, int line) {
    SpecialCases made;
    made.line = line;
    made.forms = words.at(1);
    for (std::size_t i = 2; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "like") {
        made.like = words.at(++i);
      } else if (word == "negating") {
        made.negating = words.at(++i) == "b";
      } else if (word == "turned") {
        made.like = words.at(++i);
        made.turned = true;
      } else if (word == "parts") {
        made.parts = words.at(++i);
      } else if (word == "absent") {
        made.absent = true;
      } else if (word == "conj") {
        made.conj = true;
      } else if (word == "odd") {
        made.odd = true;
      } else if (word == "even") {
        made.even = true;
      } else {
        throw std::runtime_error("special_cases.txt, line " + std::to_string(line) + ": " + word);
      }
    }
    for (const std::string& function : words_of(words[0], '|')) {
      made.function = function;
      sections_.push_back(made);
    }
    together_ = words_of(words[0], '|').size();
  }
  void add_row(const std::string& line, int number) {
    const SpecialCases& to = sections_.back();
    SpecialCase row;
    row.line = number;
    Words* words = &row.conditions;
    for (const std::string& word : words_of(line)) {
      if (word == ":")
        words = &row.results;
      else if (word == "!")
        words = &row.instead;
      else
        words->push_back(word);
    }
    if (row.conditions.size() != to.components() || row.results.empty() ||
        (!row.instead.empty() && row.instead.size() != row.results.size()))
      throw std::runtime_error("special_cases.txt, line " + std::to_string(number));
    for (std::size_t i = 0; i < together_; ++i) sections_[sections_.size() - 1 - i].rows.push_back(row);
  }
  // Takes the rows that another section has, but for those of which this one has its own.
  void refer(SpecialCases& to) {
    if (to.like.empty()) return;
    const SpecialCases& of = section(to.like, to.forms);
    std::vector<SpecialCase> rows = of.rows;
    if (to.negating) negate_second(rows);
    for (const SpecialCase& own : to.rows) {
      const auto same = [&](const SpecialCase& row) { return row.conditions == own.conditions; };
      std::erase_if(rows, same);
      rows.push_back(own);
    }
    to.rows = std::move(rows);
    if (!to.turned) return;
    to.conj = of.conj;
    to.odd = of.odd;
    to.even = of.even;
  }
  // Rows of f(a, b) as rows of f(a, -b).
  static void negate_second(std::vector<SpecialCase>& rows) {
    static const std::map<std::string, std::string> negative{{"inf", "-inf"}, {"-inf", "inf"}, {"+0", "-0"},
                                                             {"-0", "+0"},    {"-a", "=a"},    {"b", "-b"}};
    for (SpecialCase& row : rows) {
      if (const auto found = negative.find(row.conditions[1]); found != negative.end())
        row.conditions[1] = found->second;
      if (const auto found = negative.find(row.results[0]); found != negative.end() && found->first == "b")
        row.results[0] = found->second;
    }
  }

  std::vector<SpecialCases> sections_;
  std::size_t together_ = 0;  // the last ones, which have the rows that follow
};

// Numbers of each kind that conditions name: subnormal ones, extremes, neighbours of 1, odd integers, ties, both signs.
template <class T> Elements floating_pool() {
  using L = std::numeric_limits<T>;
  const T largest_odd = std::ldexp(T(1), L::digits) - 1;
  Elements pool;
  for (const T x : {T(0),
                    L::denorm_min(),
                    3 * L::denorm_min(),
                    L::min() / 2,
                    L::min(),
                    std::nextafter(L::min(), T(1)),
                    T(1e-30),
                    T(0.25),
                    T(0.5),
                    std::nextafter(T(1), T(0)),
                    T(1),
                    std::nextafter(T(1), T(2)),
                    T(1.5),
                    T(2),
                    T(2.5),
                    T(3),
                    T(3.14159265358979),
                    T(7),
                    T(100.5),
                    T(1000001),
                    largest_odd,
                    2 * largest_odd,
                    T(1e30),
                    L::max() / 2,
                    L::max(),
                    L::infinity(),
                    L::quiet_NaN()}) {
    pool.push_back(x);
    pool.push_back(-x);
  }
  return pool;
}
template <class T> Elements integer_pool() {
  using L = std::numeric_limits<T>;
  std::set<Element> pool{0, 1, 2, 3, 5, 7, 8, sizeof(T) * 8 - 1, sizeof(T) * 8, 100};
  for (const T end : {L::min(), L::max()})
    for (const int by : {0, 1, 2}) pool.insert(end < 1 ? Element(end) + by : Element(end) - by);
  if (std::is_signed_v<T>) pool.insert({-1, -2, -3, -7, -100});
  return {pool.begin(), pool.end()};
}

inline bool is_odd(Element x) { return std::isfinite(x) && std::fabs(std::fmod(x, 2.0L)) == 1; }

// Whether `x`, the component behind `before`, fulfils a condition.
inline bool fulfils(Element x, const std::string& condition, const Elements& before) {
  if (condition.find('|') != std::string::npos) {
    for (const std::string& one : words_of(condition, '|'))
      if (fulfils(x, one, before)) return true;
    return false;
  }
  if (condition.find('&') != std::string::npos) {
    for (const std::string& one : words_of(condition, '&'))
      if (!fulfils(x, one, before)) return false;
    return true;
  }
  const bool finite = std::isfinite(x), number = !std::isnan(x), negative = std::signbit(x);
  const auto is = [&](const char* name) { return condition == name; };
  if (is("any")) return true;
  if (is("nan")) return !number;
  if (is("nan+") || is("nan-")) return !number && negative == is("nan-");
  if (!number) return false;
  if (is("number")) return true;
  if (is("inf") || is("-inf")) return !finite && negative == is("-inf");
  if (is("infinite")) return !finite;
  if (is("zero")) return x == 0;
  if (is("+0") || is("-0")) return x == 0 && negative == is("-0");
  if (is("0")) return x == 0;
  if (is("finite")) return finite;
  if (is("nonzero")) return finite && x != 0;
  if (is("positive")) return finite && x > 0;
  if (is("negative")) return finite && x < 0;
  if (is(">0")) return x > 0;
  if (is("<0")) return x < 0;
  if (is(">1")) return x > 1;
  if (is("<1")) return x < 1;
  if (is("<-1")) return x < -1;
  if (is("1")) return x == 1;
  if (is("-1")) return x == -1;
  if (is("inside")) return std::fabs(x) < 1;
  if (is("outside")) return std::fabs(x) > 1;
  if (is("not-0")) return x != 0;
  if (is("not-1")) return x != 1;
  if (is("whole")) return finite && std::trunc(x) == x;
  if (is("fraction")) return finite && std::trunc(x) != x;
  if (is("tie")) return finite && std::fabs(x - std::trunc(x)) == 0.5L;
  if (is("odd")) return is_odd(x);
  if (is("not-odd")) return !is_odd(x);
  if (is("count")) return x >= 0;
  if (is("=a")) return x == before.at(0);
  if (is("-a")) return x == -before.at(0);
  if (is("other-a")) return x != before.at(0);
  throw std::runtime_error("special_cases.txt: the condition " + condition);
}

// Operands of one check, the dtype and the budget in ulp of the result's parts.
struct Expected {
  const Elements& at;
  DType dtype;
  double budget;
};

inline bool identical(Element a, Element b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// The remainder as Python's operator has it, and the floor of a quotient of integers.
inline Element python_remainder(Element a, Element b, DType dtype) {
  const Element rest = std::fmod(a, b);
  if (is_integer(dtype)) return rest == 0 ? 0 : (rest < 0) != (b < 0) ? rest + b : rest;
  if (rest == 0) return std::copysign(0.0L, b);
  if ((rest < 0) == (b < 0)) return rest;
  // Rounded once, to the dtype.
  return dtype == DType::f32 ? Element(static_cast<float>(rest) + static_cast<float>(b))
                             : Element(static_cast<double>(rest) + static_cast<double>(b));
}
inline Element wrapped(__int128 x, DType dtype) {
  const int bits = static_cast<int>(size_of(dtype)) * 8;
  const __int128 range = __int128{1} << bits;
  __int128 rest = ((x % range) + range) % range;
  if (dtype <= DType::i64 && rest >= range / 2) rest -= range;
  return static_cast<Element>(rest);
}
inline __int128 floor_of(__int128 a, __int128 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

// pi in parts, of a name such as -3pi/4; 0 of other names.
inline Element multiple_of_pi(std::string name) {
  static const std::map<std::string, Element> shares{{"pi", 1}, {"pi/2", 0.5L}, {"pi/4", 0.25L}, {"3pi/4", 0.75L}};
  const bool negative = name[0] == '-';
  const auto found = shares.find(negative ? name.substr(1) : name);
  return found == shares.end() ? 0 : (negative ? -found->second : found->second) * 3.14159265358979323846264338328L;
}

// Whether a part of the result is what `name` says.
inline bool agrees(Element got, const std::string& name, const Expected& of) {
  const auto is = [&](const char* text) { return name == text; };
  const auto at = [&](std::size_t i) { return of.at.at(i); };
  const auto as_integer = [&](std::size_t i) { return static_cast<__int128>(at(i)); };
  constexpr Element infinity = std::numeric_limits<Element>::infinity();
  if (is("?")) return true;
  if (is("true") || is("false")) return got == (is("true") ? 1 : 0);
  if (name.substr(0, 2) == "+-") return agrees(std::fabs(got), is("+-0") ? "+0" : name.substr(2), of);
  if (const Element pi = multiple_of_pi(name); pi != 0) {
    const int digits = real_of(of.dtype) == DType::f32 ? 24 : 53;
    return std::fabs(got - pi) <= of.budget * std::ldexp(1.0L, std::ilogb(pi) + 1 - digits);
  }
  if (is("nan")) return std::isnan(got);
  if (is("-nan")) return std::isnan(got) && std::signbit(got);
  if (is("plus") || is("minus")) return !std::isnan(got) && std::signbit(got) == is("minus");
  if (is("plus?") || is("minus?")) return std::isnan(got) || std::signbit(got) == is("minus?");
  if (is("even"))
    return std::fabs(got - at(0)) == 0.5L && std::fmod(got, 2.0L) == 0 && std::signbit(got) == std::signbit(at(0));
  if (is("a=c&b=d")) return (got == 1) == (at(0) == at(2) && at(1) == at(3));
  if (is("a!=c|b!=d")) return (got == 1) == (at(0) != at(2) || at(1) != at(3));
  const auto value = [&]() -> Element {
    if (is("inf") || is("-inf")) return is("inf") ? infinity : -infinity;
    if (is("+0") || is("0")) return 0.0L;
    if (is("-0")) return -0.0L;
    if (is("1") || is("-1")) return is("1") ? 1 : -1;
    if (is("inf*cos")) return infinity * std::cos(at(1));
    if (is("inf*sin")) return infinity * std::sin(at(1));
    if (is("0*cos")) return 0.0L * std::cos(at(1));
    if (is("0*sin")) return 0.0L * std::sin(at(1));
    if (is("0*sin2")) return 0.0L * std::sin(at(1)) * std::cos(at(1));
    if (is("a*a")) {
      // Of u64 more than __int128 holds, of which what wraps is right.
      const auto a = static_cast<unsigned __int128>(as_integer(0));
      return wrapped(static_cast<__int128>(a * a), of.dtype);
    }
    if (is("a%b")) return python_remainder(at(0), at(1), of.dtype);
    if (is("floor(a/b)")) return wrapped(floor_of(as_integer(0), as_integer(1)), of.dtype);
    if (is("floor(a/2^b)"))
      return static_cast<Element>(floor_of(as_integer(0), __int128{1} << static_cast<int>(std::fmin(at(1), 100))));
    const bool negated = name[0] == '-', magnitude = name.find('|') != std::string::npos;
    const std::string component = name.substr((negated ? 1 : 0) + (magnitude ? 1 : 0), 1);
    if (component < "a" || component > "d") throw std::runtime_error("special_cases.txt: the result " + name);
    const Element x = at(static_cast<std::size_t>(component[0] - 'a'));
    const Element positive = magnitude ? std::fabs(x) : x;
    return negated ? -positive : positive;
  };
  return identical(got, value());
}

}  // namespace frit::test
