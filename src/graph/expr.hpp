// Expr: an untyped, hash-consed expression DAG as front ends read it. A node per distinct subexpression; children
// always have smaller ids than their parents, so every walk is a loop over ids and depth never overflows a stack.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/exact.hpp"
#include "ops/info.hpp"

namespace frit {

using ExprId = std::uint32_t;
inline constexpr ExprId no_expr = 0xffffffffu;

enum class ExprKind : std::uint8_t {
  number,     // an exact number: integer, rational or decimal (payload: index into numbers)
  constant,   // a named constant (payload: NamedConstant)
  boolean,    // true or false (payload: 1 or 0)
  symbol,     // a free symbol (payload: index into symbols)
  add,        // n-ary sum
  multiply,   // n-ary product
  power,      // base, exponent
  piecewise,  // value, condition, value, condition, ... ; the first true condition wins, none gives NaN
  call,       // an op of the table applied to its operands (op); variadic ops hold two or more operands
  tuple,      // several outputs, in order (only as the root)
};

enum class NamedConstant : std::uint8_t {
  pi,
  e,
  imaginary_unit,
  infinity,
  negative_infinity,
  complex_infinity,
  nan,
  euler_gamma,
  golden_ratio,
  catalan,
  tribonacci,
};

struct ExprNode {
  ExprKind kind;
  OpId op{};                  // call only
  std::uint32_t payload = 0;  // number, constant, boolean, symbol
  std::uint32_t first = 0;    // operands: [first, first + count) of the operand list
  std::uint32_t count = 0;
};

// One arena of nodes with one root. Built by the readers through the add_* functions, each of which returns the id of
// an equal node where there is one.
class Expr {
 public:
  Expr();
  Expr(Expr&&) noexcept;
  Expr& operator=(Expr&&) noexcept;
  ~Expr();

  ExprId add_number(const ExactNumber& value);
  ExprId add_constant(NamedConstant value);
  ExprId add_boolean(bool value);
  // `key` tells symbols of one name apart (SymPy assumptions, the index of a Dummy); symbols of one name and different
  // keys are different nodes.
  ExprId add_symbol(std::string_view name, std::string_view key = {});
  ExprId add(ExprKind kind, std::span<const ExprId> operands);  // add, multiply, power, piecewise, tuple
  ExprId add_call(OpId op, std::span<const ExprId> operands);
  // The first symbol added under this name, whatever its key; no_expr where there is none.
  ExprId find_symbol(std::string_view name) const;

  void set_root(ExprId root) { root_ = root; }
  ExprId root() const { return root_; }
  std::size_t size() const { return nodes_.size(); }
  const ExprNode& node(ExprId id) const { return nodes_[id]; }
  std::span<const ExprId> operands(ExprId id) const;
  const ExactNumber& number(ExprId id) const { return numbers_[nodes_[id].payload]; }
  // Views of names and keys stay valid as long as the Expr, also when more is added or the Expr is moved.
  std::string_view symbol_name(ExprId id) const { return symbols_[nodes_[id].payload].name(); }
  std::string_view symbol_key(ExprId id) const { return symbols_[nodes_[id].payload].key(); }
  std::size_t symbol_count() const { return symbols_.size(); }
  std::string_view symbol_name_at(std::size_t index) const { return symbols_[index].name(); }
  // True for true, false, relations and logical ops.
  bool is_boolean(ExprId id) const;
  std::size_t output_count() const;  // operands of a tuple root, else 1
  std::size_t bytes() const;         // memory held

 private:
  // The text of all symbols lies in a few blocks: large expressions may have millions of symbols.
  struct Symbol {
    const char* text;  // name, then key
    std::uint32_t name_size;
    std::uint32_t key_size;
    std::string_view name() const { return {text, name_size}; }
    std::string_view key() const { return {text + name_size, key_size}; }
  };
  struct Interning;
  ExprId intern(ExprNode node, std::span<const ExprId> operands);
  ExprId append(std::size_t slot, std::uint64_t hash, const ExprNode& node);
  std::uint64_t hash_of(ExprId id) const;

  std::vector<ExprNode> nodes_;
  std::vector<ExprId> operands_;
  std::vector<ExactNumber> numbers_;
  std::vector<Symbol> symbols_;
  std::unique_ptr<Interning> interning_;
  ExprId root_ = no_expr;
};

}  // namespace frit
