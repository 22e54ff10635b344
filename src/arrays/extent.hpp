// Symbolic extents. A symbol is the extent of an axis of an argument, or what a reshape or a strided slice makes of others; an
// extent is a number plus multiples of symbols. Terms are interned, so that equal extents have equal pointers.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "frit/array.hpp"

namespace frit::arrays {

using SymbolId = std::uint32_t;

// Ascending symbols, none with the factor 0.
struct Terms {
  std::vector<std::pair<SymbolId, std::int64_t>> factors;
};

struct Symbol {
  enum class Kind : std::uint8_t {
    argument,  // the extent of axis `axis` of argument `argument`
    product,   // a * b
    quotient,  // floor(a / divisor), a >= 0
  };
  Kind kind = Kind::argument;
  std::uint32_t argument = 0;
  std::uint32_t axis = 0;
  Extent a = 0, b = 0;
  std::int64_t divisor = 1;
  std::string name;  // as the signature names it, or ""
};

// Throw out_of_memory beyond 2^63: no array has as many elements.
std::int64_t added(std::int64_t a, std::int64_t b);
std::int64_t multiplied(std::int64_t a, std::int64_t b);

// The symbols of one function. Not thread-safe: filled while it is traced, then only read.
class Symbols {
 public:
  Extent argument(std::uint32_t argument, std::uint32_t axis, std::string name);
  // The extent of no argument, whose value the caller sets.
  Extent free(std::string name);
  Extent sum(const Extent& a, const Extent& b, std::int64_t factor = 1);  // a + factor * b
  Extent product(const Extent& a, const Extent& b);
  // floor(a / divisor) for a divisor > 0 and an a that is never negative.
  Extent quotient(const Extent& a, std::int64_t divisor);

  std::size_t size() const { return symbols_.size(); }
  // Whether the extent is a number or one of these symbols.
  bool knows(const Extent& extent) const;
  const Symbol& symbol(SymbolId id) const { return symbols_[id]; }
  std::string text(const Extent& extent) const;  // "n - 2"

  // The value under the values of the symbols so far; of all symbols, whose arguments' come from `extent_of`.
  static std::int64_t evaluate(const Extent& extent, std::span<const std::int64_t> values);
  template <class ExtentOf, class Values> void evaluate_all(ExtentOf extent_of, Values& values) const {
    values.clear();
    for (const Symbol& symbol : symbols_)
      values.push_back(value_of(symbol, std::span<const std::int64_t>(values), extent_of));
  }

 private:
  template <class ExtentOf>
  static std::int64_t value_of(const Symbol& symbol, std::span<const std::int64_t> values, ExtentOf extent_of) {
    if (symbol.kind == Symbol::Kind::argument) return extent_of(symbol.argument, symbol.axis);
    if (symbol.kind == Symbol::Kind::product) return multiplied(evaluate(symbol.a, values), evaluate(symbol.b, values));
    return evaluate(symbol.a, values) / symbol.divisor;
  }
  const Terms* intern(std::vector<std::pair<SymbolId, std::int64_t>> factors);
  Extent add(Symbol symbol);

  std::deque<Symbol> symbols_;
  std::map<std::vector<std::pair<SymbolId, std::int64_t>>, Terms> terms_;
};

}  // namespace frit::arrays
