#include "frontends/sympy/reader_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "frontends/sympy/reader_derived.hpp"
#include "ops/table.hpp"

namespace frit::srepr {
namespace {

constexpr Class constant(std::string_view name, NamedConstant value) {
  return {.name = name, .form = Form::constant, .payload = static_cast<std::uint32_t>(value)};
}
constexpr Class boolean(std::string_view name, bool value) {
  return {.name = name, .form = Form::boolean, .payload = value ? 1u : 0u};
}
constexpr Class number(std::string_view name, std::string_view value) {
  return {.name = name, .form = Form::number, .value = value};
}
constexpr Class of(std::string_view name, Form form, int least, int most) {
  return {.name = name, .form = form, .least = least, .most = most};
}

// Everything but the ops. srepr writes pi, oo and -oo; the longer names are those of SymPy's singletons (S.Half).
constexpr Class structural[] = {
    of("Integer", Form::integer, 1, 1),
    of("Rational", Form::rational, 1, 2),
    of("Float", Form::decimal, 1, 2),
    of("Symbol", Form::symbol, 1, 1),
    of("Dummy", Form::dummy, 1, 1),
    of("Add", Form::add, 0, -1),
    of("Mul", Form::multiply, 0, -1),
    of("Pow", Form::power, 2, 2),
    of("Piecewise", Form::piecewise, 1, -1),
    of("ExprCondPair", Form::pair, 2, 2),
    of("Tuple", Form::sequence, 0, -1),
    of("List", Form::sequence, 0, -1),
    of("Matrix", Form::matrix, 1, 3),
    of("MutableDenseMatrix", Form::matrix, 1, 3),
    of("ImmutableDenseMatrix", Form::matrix, 1, 3),
    of("ImmutableMatrix", Form::matrix, 1, 3),
    of("SparseMatrix", Form::matrix, 1, 3),
    of("MutableSparseMatrix", Form::matrix, 1, 3),
    of("ImmutableSparseMatrix", Form::matrix, 1, 3),
    constant("pi", NamedConstant::pi),
    constant("Pi", NamedConstant::pi),
    constant("E", NamedConstant::e),
    constant("Exp1", NamedConstant::e),
    constant("I", NamedConstant::imaginary_unit),
    constant("ImaginaryUnit", NamedConstant::imaginary_unit),
    constant("oo", NamedConstant::infinity),
    constant("Infinity", NamedConstant::infinity),
    constant("NegativeInfinity", NamedConstant::negative_infinity),
    constant("zoo", NamedConstant::complex_infinity),
    constant("ComplexInfinity", NamedConstant::complex_infinity),
    constant("nan", NamedConstant::nan),
    constant("NaN", NamedConstant::nan),
    constant("EulerGamma", NamedConstant::euler_gamma),
    constant("GoldenRatio", NamedConstant::golden_ratio),
    constant("Catalan", NamedConstant::catalan),
    constant("TribonacciConstant", NamedConstant::tribonacci),
    boolean("true", true),
    boolean("True", true),
    boolean("BooleanTrue", true),
    boolean("false", false),
    boolean("False", false),
    boolean("BooleanFalse", false),
    number("Half", "1/2"),
    number("One", "1"),
    number("Zero", "0"),
    number("NegativeOne", "-1"),
};

std::size_t hash(std::string_view name) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(name[i])); };
  return (name.size() * 5 + byte(0) * 31 + byte(name.size() / 2) * 7 + byte(name.size() - 1) * 131) & 1023;
}

// A class with an optional argument is derived from its op.
bool is_derived(std::string_view name) {
  const auto all = derived_classes();
  return std::any_of(all.begin(), all.end(), [&](const DerivedClass& cls) { return cls.name == name; });
}

struct Names {
  std::vector<Class> all;
  std::array<std::uint16_t, 1024> slots{};  // index + 1 into all

  Names() : all(std::begin(structural), std::end(structural)) {
    for (int i = 0; i < op_count(); ++i) {
      const auto op = static_cast<OpId>(i);
      const OpInfo& info = info_of(op);
      if (info.sympy == nullptr || is_derived(info.sympy)) continue;
      all.push_back({.name = info.sympy,
                     .form = Form::op,
                     .op = op,
                     .variadic = info.variadic,
                     .logical = info.type == TypeRule::logical,
                     .result = info.type == TypeRule::logical || info.type == TypeRule::compare ? ValueKind::condition
                                                                                                : ValueKind::number,
                     .least = info.arity,
                     .most = info.arity});
      if (info.variadic) {
        all.back().least = info.type == TypeRule::logical ? 0 : 1;
        all.back().most = -1;
      }
    }
    for (std::uint32_t i = 0; const DerivedClass& cls : derived_classes()) {
      all.push_back({.name = cls.name,
                     .form = Form::derived,
                     .logical = cls.logical,
                     .result = cls.logical || cls.relation ? ValueKind::condition : ValueKind::number,
                     .least = cls.least,
                     .most = cls.most,
                     .payload = i++});
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::size_t slot = hash(all[i].name);
      while (slots[slot] != 0) slot = (slot + 1) & 1023;
      slots[slot] = static_cast<std::uint16_t>(i + 1);
    }
  }
};

const Names& names() {
  static const Names table;
  return table;
}

// Twice the Levenshtein distance, where a letter in the other case counts half.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto change = [](char p, char q) -> std::size_t {
    if (p == q) return 0;
    return (p ^ q) == 0x20 && (p | 0x20) >= 'a' && (p | 0x20) <= 'z' ? 1 : 2;
  };
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t k = 0; k <= b.size(); ++k) row[k] = 2 * k;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = 2 * i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const std::size_t changed = diagonal + change(a[i - 1], b[k - 1]);
      diagonal = row[k];
      row[k] = std::min({changed, row[k] + 2, row[k - 1] + 2});
    }
  }
  return row[b.size()];
}

}  // namespace

const Class round_bracket = {.name = "(...)", .form = Form::sequence, .most = -1};
const Class square_bracket = {.name = "[...]", .form = Form::sequence, .most = -1};

const Class* find_class(std::string_view name) {
  if (name.empty()) return nullptr;
  const Names& table = names();
  for (std::size_t slot = hash(name); table.slots[slot] != 0; slot = (slot + 1) & 1023) {
    const Class& entry = table.all[table.slots[slot] - 1u];
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::string known_names_hint(std::string_view name) {
  constexpr std::size_t longest = 40;
  std::vector<std::string_view> known;
  for (const Class& entry : names().all) known.push_back(entry.name);
  std::sort(known.begin(), known.end());
  std::string result;
  if (name.size() <= longest) {
    const auto nearest = std::min_element(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
      return edit_distance(name, a) < edit_distance(name, b);
    });
    const std::size_t distance = edit_distance(name, *nearest);
    if (distance <= 2 + 2 * (name.size() / 3) && distance < 2 * name.size()) {
      result = fmt::format("; did you mean '{}'?", *nearest);
    }
  }
  return result + fmt::format("{}frit reads {}", result.empty() ? "; " : " ", fmt::join(known, ", "));
}

}  // namespace frit::srepr
