#include "arrays/extent.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frit/error.hpp"

namespace frit {

Extent::operator std::int64_t() const {
  if (is_symbolic())
    throw Error(
        ErrorCode::traced_value,
        "this extent is known at a call only, and the function is being traced: as a bound of a C++ loop it would "
        "become part of the function; declare the extent static, or use it in arithmetic with arrays");
  return constant_;
}

namespace arrays {

namespace {

[[noreturn]] void too_large() { throw Error(ErrorCode::out_of_memory, "an array would have more than 2^63 elements"); }

}  // namespace

std::int64_t added(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) too_large();
  return result;
}
std::int64_t multiplied(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) too_large();
  return result;
}

bool Symbols::knows(const Extent& extent) const {
  return !extent.is_symbolic() ||
         std::any_of(terms_.begin(), terms_.end(), [&](const auto& entry) { return &entry.second == extent.terms(); });
}

const Terms* Symbols::intern(std::vector<std::pair<SymbolId, std::int64_t>> factors) {
  if (factors.empty()) return nullptr;
  const auto [at, fresh] = terms_.try_emplace(std::move(factors));
  if (fresh) at->second.factors = at->first;
  return &at->second;
}

Extent Symbols::add(Symbol symbol) {
  for (SymbolId id = 0; id < symbols_.size(); ++id) {
    const Symbol& other = symbols_[id];
    if (other.kind == symbol.kind && other.argument == symbol.argument && other.axis == symbol.axis &&
        other.divisor == symbol.divisor && identical(other.a, symbol.a) && identical(other.b, symbol.b))
      return {0, intern({{id, 1}})};
  }
  symbols_.push_back(std::move(symbol));
  return {0, intern({{static_cast<SymbolId>(symbols_.size() - 1), 1}})};
}

Extent Symbols::argument(std::uint32_t argument, std::uint32_t axis, std::string name) {
  if (!name.empty()) {
    for (SymbolId id = 0; id < symbols_.size(); ++id)
      if (symbols_[id].name == name) return {0, intern({{id, 1}})};
  }
  Symbol symbol;
  symbol.argument = argument;
  symbol.axis = axis;
  symbol.name = std::move(name);
  return add(std::move(symbol));
}

Extent Symbols::free(std::string name) {
  symbols_.emplace_back().name = std::move(name);
  return {0, intern({{static_cast<SymbolId>(symbols_.size() - 1), 1}})};
}

Extent Symbols::sum(const Extent& a, const Extent& b, std::int64_t factor) {
  std::vector<std::pair<SymbolId, std::int64_t>> factors;
  if (a.terms() != nullptr) factors = a.terms()->factors;
  if (b.terms() != nullptr) {
    for (const auto& [symbol, times] : b.terms()->factors) {
      auto at = factors.begin();
      while (at != factors.end() && at->first < symbol) ++at;
      if (at == factors.end() || at->first != symbol) at = factors.insert(at, {symbol, 0});
      at->second = added(at->second, multiplied(factor, times));
      if (at->second == 0) factors.erase(at);
    }
  }
  return {added(a.constant(), multiplied(factor, b.constant())), intern(std::move(factors))};
}

Extent Symbols::product(const Extent& a, const Extent& b) {
  if (!a.is_symbolic()) return b.is_symbolic() ? product(b, a) : Extent(multiplied(a.constant(), b.constant()));
  if (!b.is_symbolic()) {
    const Extent multiple = sum(0, a, b.constant());
    return multiple;
  }
  Symbol symbol;
  symbol.kind = Symbol::Kind::product;
  symbol.a = a;
  symbol.b = b;
  return add(std::move(symbol));
}

Extent Symbols::quotient(const Extent& a, std::int64_t divisor) {
  if (divisor == 1) return a;
  if (!a.is_symbolic()) return a.constant() / divisor;
  bool exact = a.constant() % divisor == 0;
  for (const auto& [symbol, times] : a.terms()->factors) exact = exact && times % divisor == 0;
  if (exact) {
    auto factors = a.terms()->factors;
    for (auto& [symbol, times] : factors) times /= divisor;
    return {a.constant() / divisor, intern(std::move(factors))};
  }
  Symbol symbol;
  symbol.kind = Symbol::Kind::quotient;
  symbol.a = a;
  symbol.divisor = divisor;
  return add(std::move(symbol));
}

std::int64_t Symbols::evaluate(const Extent& extent, std::span<const std::int64_t> values) {
  std::int64_t value = extent.constant();
  if (extent.terms() != nullptr)
    for (const auto& [symbol, times] : extent.terms()->factors) value = added(value, multiplied(times, values[symbol]));
  return value;
}

std::string Symbols::text(const Extent& extent) const {
  std::string out;
  if (extent.terms() != nullptr) {
    for (const auto& [id, times] : extent.terms()->factors) {
      const Symbol& s = symbols_[id];
      std::string name = s.name;
      if (name.empty() && s.kind == Symbol::Kind::argument)
        name = fmt::format("extent(argument {}, axis {})", s.argument, s.axis);
      if (s.kind == Symbol::Kind::product) name = fmt::format("({}) * ({})", text(s.a), text(s.b));
      if (s.kind == Symbol::Kind::quotient) name = fmt::format("({}) / {}", text(s.a), s.divisor);
      const std::int64_t size = times < 0 ? -times : times;
      out += out.empty() ? (times < 0 ? "-" : "") : (times < 0 ? " - " : " + ");
      out += size == 1 ? name : fmt::format("{} {}", size, name);
    }
    if (extent.constant() != 0)
      out += fmt::format(" {} {}", extent.constant() < 0 ? '-' : '+',
                         extent.constant() < 0 ? -extent.constant() : extent.constant());
    return out;
  }
  return fmt::format("{}", extent.constant());
}

}  // namespace arrays
}  // namespace frit
