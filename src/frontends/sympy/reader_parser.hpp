// The parser behind read_srepr: reader.cpp holds brackets and classes, reader_leaves.cpp numbers and symbols.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frit/error.hpp"
#include "frontends/sympy/lexer.hpp"
#include "frontends/sympy/reader_classes.hpp"
#include "graph/expr.hpp"

namespace frit::srepr {

// Bounds the memory of a text that is all brackets; far above what SymPy itself can build or print.
constexpr std::size_t deepest = 1'000'000;

// SymPy knows some forty assumptions; the search for duplicates costs the square.
constexpr std::size_t most_keywords = 64;

struct Frame {
  const Class* cls;
  std::size_t at;             // of the class name or bracket
  std::uint32_t first;        // of its nodes on the operand stack
  std::uint32_t count = 0;    // of arguments so far
  std::uint32_t rows = 0;     // matrix(rows, columns, list)
  std::uint32_t columns = 0;  // also of the rows in a list of a matrix
  char close;
  bool comma = false;                  // one stands before the closing bracket
  ValueKind last = ValueKind::number;  // kind of the last argument
  bool nested = false;                 // an argument was a sequence
  std::uint8_t matrix_level = 0;       // 1: the list that a matrix is made of, 2: its rows
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), lexer_(text) {}
  Expr read();

 private:
  void read_value();
  void read_name();
  void read_after_value();
  void close();
  void deliver(ValueKind kind, std::size_t at);
  void deliver_node(ExprId id, std::size_t at, ValueKind kind = ValueKind::number) {
    stack_.push_back(id);
    deliver(kind, at);
  }
  ValueKind kind_of(ExprId id) const { return expr_.is_boolean(id) ? ValueKind::condition : ValueKind::number; }
  void open(const Class& cls, char closing, std::size_t at);
  void finish_root();

  void read_number();
  void read_integer(std::size_t at);
  void read_rational(std::size_t at);
  void read_decimal(std::size_t at);
  void read_symbol(const Class& cls, std::size_t at);
  void read_key(const Class& cls, std::size_t at);
  void read_bare(const Class& cls, std::size_t at);
  std::string_view integer_literal(const Class& cls);
  void end_literal(const Class& cls);
  std::string_view leaf_at(std::size_t at) const;

  void check_argument(const Frame& frame, ValueKind kind, std::size_t at);
  void check_condition(const Class& cls, std::uint32_t index, ValueKind kind, bool wanted, std::size_t at);
  void check_count(const Frame& frame);
  void check_matrix_part(Frame& frame, ValueKind kind, std::size_t at);
  void finish_bracket(const Frame& frame);
  void finish_derived(const Frame& frame);
  void define_replaced(const Frame& frame);

  std::span<const ExprId> nodes_of(const Frame& frame) const { return std::span(stack_).subspan(frame.first); }
  void replace_nodes(const Frame& frame, ExprId id, ValueKind kind = ValueKind::number) {
    stack_.resize(frame.first);
    deliver_node(id, frame.at, kind);
  }
  [[noreturn]] void fail(ErrorCode code, std::size_t at, std::string_view message) const {
    lexer_.fail(code, at, message);
  }
  bool at_definition() const { return cse_ && frames_.size() == 3 && frames_[0].count == 0 && frames_[2].count == 0; }

  // The node of a leaf by its text, because the leaves of an expression repeat: spares most of them their parsing. An
  // entry holds the last leaf of its hash.
  struct Leaf {
    const char* text = nullptr;
    std::uint32_t size = 0;
    ExprId id = no_expr;
  };
  Leaf& entry_of(std::string_view leaf);
  bool read_known_leaf(std::size_t at);
  void deliver_leaf(ExprId id, std::size_t at);

  std::string_view text_;
  Lexer lexer_;
  std::string_view leaf_;  // being read
  std::vector<Leaf> leaves_ = std::vector<Leaf>(1024);
  std::vector<ExprId> small_integers_ = std::vector<ExprId>(256, no_expr);  // -128 to 127
  Expr expr_;
  std::vector<Frame> frames_;
  std::vector<ExprId> stack_;
  std::uint32_t bracket_count_ = 0;  // arguments of the sequence closed last
  bool bracket_nested_ = false;
  bool cse_ = false;
  bool complete_ = false;  // the outermost value is
  ValueKind root_kind_ = ValueKind::number;
  std::size_t root_at_ = 0;
  std::string storage_;
  std::string key_;
  // sympy.cse: what each replaced symbol stands for. They never become nodes, so that no one asks for their values.
  std::map<std::pair<std::string, std::string>, ExprId, std::less<>> replaced_;
  std::pair<std::string, std::string> defined_;
};

std::string symbol_shown(std::string_view name, std::string_view key);

}  // namespace frit::srepr
