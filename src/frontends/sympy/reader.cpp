#include "frontends/sympy/reader.hpp"

#include <fmt/format.h>

#include "frit/error.hpp"
#include "frontends/sympy/reader_derived.hpp"
#include "frontends/sympy/reader_parser.hpp"

namespace frit {
namespace srepr {
namespace {

std::string_view kind_shown(ValueKind kind) {
  return kind == ValueKind::pair ? "an ExprCondPair" : "a list, tuple or matrix";
}

}  // namespace

Expr Reader::read() {
  // Positions on the operand stack have 32 bits, and an operand takes more than a byte of text.
  if (text_.size() > 0xffffffffu) fail(ErrorCode::sympy_unsupported, 0, "the text is longer than 4 GB");
  lexer_.check_encoding();
  lexer_.skip_blanks();
  if (lexer_.at_end()) {
    fail(ErrorCode::sympy_syntax, lexer_.at(), "the text is empty; expected the output of sympy.srepr");
  }
  cse_ = looks_like_cse(text_.substr(lexer_.at()));
  while (!complete_) {
    read_value();
    read_after_value();
  }
  finish_root();
  return std::move(expr_);
}

// Reads up to where a value ends or the inside of a bracket begins.
void Reader::read_value() {
  while (!complete_) {
    lexer_.skip_blanks();
    const std::size_t at = lexer_.at();
    const char c = lexer_.peek();
    if (lexer_.at_end()) {
      fail(ErrorCode::sympy_syntax, at,
           fmt::format("the text ends inside the {} that starts at byte {}", frames_.back().cls->name,
                       frames_.back().at));
    }
    if (Lexer::starts_name(c)) {
      const std::size_t depth = frames_.size();
      read_name();
      if (frames_.size() <= depth) return;
    } else if (c == '(' || c == '[') {
      lexer_.step();
      open(c == '(' ? round_bracket : square_bracket, c == '(' ? ')' : ']', at);
    } else if (!frames_.empty() && c == frames_.back().close) {
      lexer_.step();
      close();
      return;
    } else if (lexer_.at_number()) {
      read_number();
      return;
    } else if (lexer_.at_string()) {
      fail(ErrorCode::sympy_argument, at, "a string stands where an expression is expected; a symbol is Symbol('x')");
    } else {
      fail(ErrorCode::sympy_syntax, at, fmt::format("expected an expression, found {}", lexer_.shown_here()));
    }
  }
}

// Closes brackets up to the comma before the next value, or to the end.
void Reader::read_after_value() {
  while (true) {
    lexer_.skip_blanks();
    if (frames_.empty()) {
      if (!lexer_.at_end()) {
        fail(ErrorCode::sympy_syntax, lexer_.at(),
             fmt::format("expected the end of the text after the expression, found {}", lexer_.shown_here()));
      }
      complete_ = true;
      return;
    }
    Frame& frame = frames_.back();
    if (lexer_.peek() == ',') {
      lexer_.step();
      frame.comma = true;
      return;
    }
    if (lexer_.peek() != frame.close || lexer_.at_end()) {
      fail(ErrorCode::sympy_syntax, lexer_.at(),
           fmt::format("expected ',' or '{}' in the {} that starts at byte {}, found {}", frame.close, frame.cls->name,
                       frame.at, lexer_.shown_here()));
    }
    lexer_.step();
    close();
  }
}

void Reader::open(const Class& cls, char closing, std::size_t at) {
  if (frames_.size() == deepest) {
    fail(ErrorCode::sympy_syntax, at, fmt::format("brackets are nested more than {} deep", deepest));
  }
  Frame frame{.cls = &cls, .at = at, .first = static_cast<std::uint32_t>(stack_.size()), .close = closing};
  if (!frames_.empty()) {
    const Frame& parent = frames_.back();
    if (parent.cls->form == Form::matrix) frame.matrix_level = 1;
    if (parent.matrix_level == 1) frame.matrix_level = 2;
  }
  frames_.push_back(frame);
}

void Reader::read_name() {
  const std::size_t at = lexer_.at();
  std::string_view name = lexer_.name();
  const Class* cls = find_class(name);
  lexer_.skip_blanks();
  if (name == "S" && lexer_.peek() == '.') {
    lexer_.step();
    lexer_.skip_blanks();
    name = lexer_.name();
    cls = find_class(name);
    lexer_.skip_blanks();
    if (cls == nullptr || cls->form > Form::number) {
      fail(ErrorCode::sympy_unknown_class, at, fmt::format("SymPy's S has no constant {}", shown(name)));
    }
  }
  if (cls == nullptr) {
    if (lexer_.peek() == '(') {
      fail(ErrorCode::sympy_unknown_class, at, fmt::format("unknown class {}{}", shown(name), known_names_hint(name)));
    }
    if (lexer_.peek() == '=' && !frames_.empty()) {
      fail(ErrorCode::sympy_argument, at,
           fmt::format("{} takes no keyword argument {}", frames_.back().cls->name, shown(name)));
    }
    fail(ErrorCode::sympy_unknown_class, at,
         fmt::format("unknown name {}; a free symbol is written Symbol('x'){}", shown(name), known_names_hint(name)));
  }
  if (cls->form <= Form::number) {
    read_bare(*cls, at);
    return;
  }
  lexer_.expect('(', cls->name);
  switch (cls->form) {
    case Form::integer: read_integer(at); break;
    case Form::rational: read_rational(at); break;
    case Form::decimal: read_decimal(at); break;
    case Form::symbol:
    case Form::dummy: read_symbol(*cls, at); break;
    default: open(*cls, ')', at);
  }
}

// ---- values meet what they are arguments of -----------------------------------------------------------------------

void Reader::deliver(ValueKind kind, std::size_t at) {
  if (frames_.empty()) {
    root_kind_ = kind;
    root_at_ = at;
    return;
  }
  Frame& frame = frames_.back();
  if (frame.cls->form == Form::matrix || frame.matrix_level != 0) {
    check_matrix_part(frame, kind, at);
  } else if (frame.cls->form != Form::sequence || kind == ValueKind::pair) {
    check_argument(frame, kind, at);
  }
  ++frame.count;
  frame.last = kind;
  frame.nested = frame.nested || kind == ValueKind::sequence;
}

void Reader::check_argument(const Frame& frame, ValueKind kind, std::size_t at) {
  const Class& cls = *frame.cls;
  if (cls.most >= 0 && frame.count == static_cast<std::uint32_t>(cls.most)) {
    fail(ErrorCode::sympy_arity, at,
         fmt::format("{} takes {} argument{}, got more", cls.name, cls.most, cls.most == 1 ? "" : "s"));
  }
  if (cls.form == Form::piecewise) {
    if (kind == ValueKind::pair) return;
    fail(ErrorCode::sympy_argument, at, "an argument of Piecewise must be ExprCondPair(value, condition)");
  }
  if (kind > ValueKind::condition) {
    fail(ErrorCode::sympy_argument, at,
         fmt::format("argument {} of {} must be an expression, got {}", frame.count + 1, cls.name, kind_shown(kind)));
  }
  check_condition(cls, frame.count, kind, cls.form == Form::pair ? frame.count == 1 : cls.logical, at);
}

void Reader::check_condition(const Class& cls, std::uint32_t index, ValueKind kind, bool wanted, std::size_t at) {
  if ((kind == ValueKind::condition) == wanted) return;
  fail(ErrorCode::sympy_argument, at,
       fmt::format("argument {} of {} must be {}, got {}", index + 1, cls.name, wanted ? "a condition" : "a number",
                   wanted ? "a number" : "a condition"));
}

void Reader::check_matrix_part(Frame& frame, ValueKind kind, std::size_t at) {
  const bool list = kind == ValueKind::sequence;
  if (kind == ValueKind::pair) check_argument(frame, kind, at);
  if (frame.cls->form != Form::matrix) {  // a list inside a matrix
    if (frame.matrix_level == 2 && list) {
      fail(ErrorCode::sympy_argument, at, "an element of a matrix must be an expression, got a list");
    }
    if (frame.count != 0 &&
        (list != (frame.last == ValueKind::sequence) || (list && bracket_count_ != frame.columns))) {
      fail(ErrorCode::sympy_argument, at, "the rows of this matrix differ in length");
    }
    if (list) frame.columns = bracket_count_;
    return;
  }
  if (frame.count == 3 || (frame.count == 1 && frame.last == ValueKind::sequence)) {
    fail(ErrorCode::sympy_arity, at, fmt::format("{} takes one list, or rows, columns and a list", frame.cls->name));
  }
  if (list != (frame.count == 0 ? list : frame.count == 2)) {
    fail(ErrorCode::sympy_argument, at, fmt::format("{} takes one list, or rows, columns and a list", frame.cls->name));
  }
  if (list) {
    const auto expected = static_cast<std::uint64_t>(frame.rows) * frame.columns;
    if (frame.count == 2 && (bracket_nested_ || bracket_count_ != expected)) {
      fail(ErrorCode::sympy_argument, at,
           fmt::format("this matrix of {} rows and {} columns needs a flat list of {} elements, got {}", frame.rows,
                       frame.columns, expected, bracket_count_));
    }
    return;
  }
  std::int64_t extent = -1;
  const ExprId id = stack_.back();
  if (expr_.node(id).kind != ExprKind::number || !expr_.number(id).to_int64(extent) || extent < 0 ||
      extent > 0xffffffff) {
    fail(ErrorCode::sympy_argument, at, "the rows and columns of a matrix are integers from 0");
  }
  stack_.pop_back();
  (frame.count == 0 ? frame.rows : frame.columns) = static_cast<std::uint32_t>(extent);
}

void Reader::check_count(const Frame& frame) {
  const Class& cls = *frame.cls;
  if (frame.count >= static_cast<std::uint32_t>(cls.least) && (cls.form != Form::matrix || frame.count != 2) &&
      (cls.form != Form::matrix || frame.last == ValueKind::sequence)) {
    return;
  }
  fail(ErrorCode::sympy_arity, frame.at,
       fmt::format("{} takes {}{} argument{}, got {}", cls.name, cls.most == cls.least ? "" : "at least ", cls.least,
                   cls.least == 1 ? "" : "s", frame.count));
}

// ---- closing brackets ---------------------------------------------------------------------------------------------

void Reader::close() {
  const Frame frame = frames_.back();
  const Class& cls = *frame.cls;
  check_count(frame);
  const bool defines = cse_ && frames_.size() == 3 && frames_[0].count == 0;
  frames_.pop_back();
  const std::span<const ExprId> nodes = nodes_of(frame);
  switch (cls.form) {
    case Form::add:
    case Form::multiply: {
      if (nodes.size() == 1) return replace_nodes(frame, nodes[0]);
      if (nodes.empty()) {
        return replace_nodes(frame, expr_.add_number(ExactNumber::integer(cls.form == Form::add ? 0 : 1)));
      }
      return replace_nodes(frame, expr_.add(cls.form == Form::add ? ExprKind::add : ExprKind::multiply, nodes));
    }
    case Form::power: return replace_nodes(frame, expr_.add(ExprKind::power, nodes));
    case Form::piecewise: return replace_nodes(frame, expr_.add(ExprKind::piecewise, nodes));
    case Form::op:
      if (cls.variadic && nodes.size() == 1) return replace_nodes(frame, nodes[0], cls.result);
      if (nodes.empty()) {  // And or Or, the ops of least 0
        return replace_nodes(frame, expr_.add_boolean(cls.name == "And"), ValueKind::condition);
      }
      return replace_nodes(frame, expr_.add_call(cls.op, nodes), cls.result);
    case Form::derived: return finish_derived(frame);
    case Form::pair: return deliver(ValueKind::pair, frame.at);
    default:
      bracket_count_ = frame.count;
      bracket_nested_ = frame.nested;
      if (defines) return define_replaced(frame);
      if (cls.form == Form::sequence) return finish_bracket(frame);
      return deliver(ValueKind::sequence, frame.at);
  }
}

void Reader::finish_bracket(const Frame& frame) {
  const bool plain = frame.cls == &round_bracket || frame.cls == &square_bracket;
  if (frame.cls == &round_bracket && frame.count == 1 && !frame.comma) return deliver(frame.last, frame.at);
  if (plain && !frames_.empty() && frames_.back().cls->form == Form::piecewise && frame.count == 2 && !frame.nested) {
    const std::span<const ExprId> nodes = nodes_of(frame);
    static const Class& pair = *find_class("ExprCondPair");
    for (std::uint32_t i = 0; i < 2; ++i) {
      check_condition(pair, i, kind_of(nodes[i]), i == 1, frame.at);
    }
    return deliver(ValueKind::pair, frame.at);
  }
  deliver(ValueKind::sequence, frame.at);
}

void Reader::finish_derived(const Frame& frame) {
  const DerivedClass& cls = derived_classes()[frame.cls->payload];
  try {
    const ExprId id = cls.build(expr_, nodes_of(frame));
    replace_nodes(frame, id, frame.cls->result);
  } catch (const NotDerivable& e) {
    fail(ErrorCode::sympy_unsupported, frame.at, e.message);
  }
}

void Reader::define_replaced(const Frame& frame) {
  if (frame.last > ValueKind::condition || stack_.size() != std::size_t{frame.first} + 1) {
    fail(ErrorCode::sympy_argument, frame.at, "a pair of a cse result is a symbol and one expression");
  }
  const std::string symbol = symbol_shown(defined_.first, defined_.second);
  // Until here the symbol was read as a free one wherever it stood, its own expression included.
  const ExprId used = expr_.find_symbol(defined_.first);
  if (used != no_expr && expr_.symbol_key(used) == defined_.second) {
    fail(ErrorCode::sympy_argument, frame.at, fmt::format("{} is used before its definition here is complete", symbol));
  }
  if (!replaced_.emplace(std::move(defined_), stack_.back()).second) {
    fail(ErrorCode::sympy_duplicate, frame.at, fmt::format("{} is defined twice", symbol));
  }
  stack_.pop_back();
  deliver(ValueKind::sequence, frame.at);
}

void Reader::finish_root() {
  if (root_kind_ == ValueKind::pair) {
    fail(ErrorCode::sympy_argument, root_at_, "an ExprCondPair has a meaning inside Piecewise only");
  }
  if (stack_.empty()) fail(ErrorCode::sympy_argument, root_at_, "there is no expression in this list, tuple or matrix");
  expr_.set_root(root_kind_ <= ValueKind::condition ? stack_.back() : expr_.add(ExprKind::tuple, stack_));
}

}  // namespace srepr

Expr read_srepr(std::string_view text) { return srepr::Reader(text).read(); }

}  // namespace frit
