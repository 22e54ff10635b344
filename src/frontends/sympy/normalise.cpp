#include "frontends/sympy/normalise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "frit/error.hpp"
#include "ops/table.hpp"
#include "trace/traced.hpp"

namespace frit::sympy {
namespace {

using trace::apply;
using trace::Traced;

// A value i^turn * node. A sign is turn 2.
struct Term {
  NodeId node = no_node;
  unsigned turn = 0;
};

class Normaliser {
 public:
  Normaliser(const Expr& expr, std::span<const SymbolBinding> bindings, DType dtype)
      : expr_(expr), bindings_(bindings), graph_(dtype), terms_(expr.size()), live_(expr.size()), users_(expr.size()) {}

  Graph run();

 private:
  // total + term and total - term. A complex term that is a product is added by fused steps.
  // NOTE: not so real ones: differences of real products, as in kinematic functions, are zero where the products are equal,
  // and the root of a fused difference would be NaN there.
  bool is_complex_product(NodeId id) const {
    const Node& node = graph_.node(id);
    return node.kind == NodeKind::op && node.op == ops::id_of<ops::Multiply> && is_complex(node.dtype);
  }
  Traced plus(Traced total, NodeId term) {
    if (!is_complex_product(term) || !trace::is_complex(total)) return total + traced(term);
    const auto factors = graph_.operands(term);
    return apply<ops::MultiplyAdd>(traced(factors[0]), traced(factors[1]), total);
  }
  Traced minus(Traced total, NodeId term) {
    if (!is_complex_product(term) || !trace::is_complex(total)) return total - traced(term);
    const auto factors = graph_.operands(term);
    return apply<ops::MultiplySubtract>(traced(factors[0]), traced(factors[1]), total);
  }

  // One group of a product or sum: what is real, complex, ... of one binding time.
  using Terms = std::vector<Term>;

  void mark_live();
  Term lower(ExprId id);
  Term lower_leaf(ExprId id);
  Term lower_add(ExprId id);
  Term lower_multiply(ExprId id);
  Term lower_power(ExprId id);
  Term lower_piecewise(ExprId id);
  Term lower_call(ExprId id);

  Term sum(std::span<const Term> terms);
  Traced product(std::span<const Traced> factors);
  Term power_of(Term base, std::int64_t twice_exponent);
  Term small_power(ExprId base, std::int64_t twice_exponent);
  Term exponential(const Term& t);
  Traced chain(Traced x, std::int64_t n);
  NodeId negated(NodeId id);
  Term reciprocal_of(Traced z);

  Traced traced(NodeId id) { return {graph_, id}; }
  Traced literal(double value) { return traced(graph_.add_constant(graph_.kernel_dtype(), {value, 0})); }
  Traced literal(const ExactNumber& number) {
    return literal(graph_.kernel_dtype() == DType::f32 ? static_cast<double>(number.to_f32()) : number.to_f64());
  }
  bool complex_node(NodeId id) const { return is_complex(graph_.node(id).dtype); }
  // Real or imaginary by structure.
  bool one_part(const Term& t) const { return !complex_node(t.node); }
  bool is_real(const Term& t) const { return one_part(t) && t.turn % 2 == 0; }
  Traced widen(Traced x) { return trace::is_complex(x) ? x : apply<ops::MakeComplex>(x, literal(0.0)); }

  // The value itself: the turn is carried out.
  Traced value(const Term& t) {
    Traced x = traced(t.node);
    if (t.turn == 2 || t.turn == 3) x = -x;
    return t.turn % 2 == 1 ? apply<ops::QuarterTurn>(x) : x;
  }
  Term number_of(ExprId id) {
    const Term t = terms_[id];
    if (graph_.node(t.node).dtype == DType::boolean)
      throw Error(ErrorCode::sympy_argument,
                  "a condition (a relation, And, Or, Not, true or false) stands where a number is needed");
    return t;
  }
  Traced condition_of(ExprId id) {
    const Term t = terms_[id];
    if (graph_.node(t.node).dtype != DType::boolean)
      throw Error(ErrorCode::sympy_argument,
                  "a number stands where a condition (a relation, And, Or, Not, true or false) is needed");
    return traced(t.node);
  }
  // Literal exponents: twice the value where the exponent is an integer or half-integer within the rewrite's limits.
  std::optional<std::int64_t> small_exponent(ExprId id) const;
  std::optional<bool> literal_condition(ExprId id) const {
    const ExprNode& n = expr_.node(id);
    if (n.kind != ExprKind::boolean) return std::nullopt;
    return n.payload != 0;
  }
  bool is_call(ExprId id, OpId op) const { return expr_.node(id).kind == ExprKind::call && expr_.node(id).op == op; }
  template <class Fn> void for_each_live_operand(ExprId id, Fn fn) const;

  const Expr& expr_;
  std::span<const SymbolBinding> bindings_;
  Graph graph_;
  std::vector<Term> terms_;
  std::unordered_map<NodeId, Term> reciprocals_;  // by what stands below the line
  std::vector<char> live_;
  std::vector<std::uint32_t> users_;
};

constexpr std::int64_t largest_integer_power = 16;
constexpr std::int64_t largest_half_power = 32;  // twice the exponent

template <class Fn> void Normaliser::for_each_live_operand(ExprId id, Fn fn) const {
  const auto operands = expr_.operands(id);
  if (expr_.node(id).kind != ExprKind::piecewise) {
    for (ExprId operand : operands) fn(operand);
    return;
  }
  for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
    const auto condition = literal_condition(operands[i + 1]);
    if (condition == false) continue;
    fn(operands[i]);
    if (condition == true) return;
    fn(operands[i + 1]);
  }
}

void Normaliser::mark_live() {
  live_[expr_.root()] = 1;
  for (ExprId id = expr_.root() + 1; id-- > 0;) {
    if (!live_[id]) continue;
    for_each_live_operand(id, [&](ExprId operand) {
      live_[operand] = 1;
      ++users_[operand];
    });
  }
}

Graph Normaliser::run() {
  mark_live();
  for (ExprId id = 0; id <= expr_.root(); ++id) {
    if (live_[id] && expr_.node(id).kind != ExprKind::tuple) terms_[id] = lower(id);
  }
  if (expr_.node(expr_.root()).kind != ExprKind::tuple) {
    graph_.add_output("output", value(terms_[expr_.root()]).id());
  } else {
    std::size_t i = 0;
    const auto outputs = expr_.operands(expr_.root());
    for (ExprId output : outputs) {
      const std::string name = outputs.size() == 1 ? "output" : fmt::format("output_{}", i++);
      graph_.add_output(name, value(terms_[output]).id());
    }
  }
  return std::move(graph_);
}

Term Normaliser::lower(ExprId id) {
  switch (expr_.node(id).kind) {
    case ExprKind::number:
    case ExprKind::constant:
    case ExprKind::boolean:
    case ExprKind::symbol: return lower_leaf(id);
    case ExprKind::add: return lower_add(id);
    case ExprKind::multiply: return lower_multiply(id);
    case ExprKind::power: return lower_power(id);
    case ExprKind::piecewise: return lower_piecewise(id);
    case ExprKind::call: return lower_call(id);
    case ExprKind::tuple: break;
  }
  throw Error(ErrorCode::sympy_argument, "a list or tuple stands inside an expression");
}

Term Normaliser::lower_leaf(ExprId id) {
  const ExprNode& node = expr_.node(id);
  if (node.kind == ExprKind::number) {
    const ExactNumber& number = expr_.number(id);
    if (number.is_negative()) return {literal(number.negated()).id(), 2};
    return {literal(number).id(), 0};
  }
  if (node.kind == ExprKind::boolean) {
    return {graph_.add_constant(DType::boolean, {node.payload != 0 ? 1.0 : 0.0, 0}), 0};
  }
  if (node.kind == ExprKind::symbol) {
    const SymbolBinding& binding = bindings_[node.payload];
    const DType dtype = binding.complex ? complex_of(graph_.kernel_dtype()) : graph_.kernel_dtype();
    return {graph_.add_argument(expr_.symbol_name(id), dtype, binding.role), 0};
  }
  const auto of_digits = [&](std::string_view digits) {
    ExactNumber number;
    ExactNumber::parse_decimal(digits, number);
    return literal(number).id();
  };
  switch (static_cast<NamedConstant>(node.payload)) {
    // 40 digits of the constants' series: more than twice what f64 holds, so that the one rounding is right.
    case NamedConstant::pi: return {of_digits("3.141592653589793238462643383279502884197"), 0};
    case NamedConstant::e: return {of_digits("2.718281828459045235360287471352662497757"), 0};
    case NamedConstant::euler_gamma: return {of_digits("0.577215664901532860606512090082402431042"), 0};
    case NamedConstant::golden_ratio: return {of_digits("1.618033988749894848204586834365638117720"), 0};
    case NamedConstant::catalan: return {of_digits("0.915965594177219015054603514932384110774"), 0};
    case NamedConstant::tribonacci: return {of_digits("1.839286755214161132551852564653286600424"), 0};
    case NamedConstant::imaginary_unit: return {literal(1.0).id(), 1};
    case NamedConstant::infinity: return {literal(std::numeric_limits<double>::infinity()).id(), 0};
    case NamedConstant::negative_infinity: return {literal(std::numeric_limits<double>::infinity()).id(), 2};
    case NamedConstant::nan: return {literal(std::numeric_limits<double>::quiet_NaN()).id(), 0};
    case NamedConstant::complex_infinity: break;
  }
  throw Error(ErrorCode::sympy_unsupported,
              "zoo (complex infinity) has no value as a complex number; use oo, -oo or nan");
}

// Adds the terms of one group in order: the positive ones first, so that a sign costs nothing. All turns are equal mod 2.
Term Normaliser::sum(std::span<const Term> terms) {
  const unsigned direction = terms[0].turn % 2;
  std::optional<Traced> positive;
  std::optional<Traced> total;
  for (const Term& t : terms) {
    if (t.turn < 2) total = total ? plus(*total, t.node) : traced(t.node);
  }
  const bool any_positive = total.has_value();
  for (const Term& t : terms) {
    if (t.turn < 2) continue;
    total = !total ? traced(t.node) : any_positive ? minus(*total, t.node) : plus(*total, t.node);
  }
  return {total->id(), any_positive ? direction : direction + 2};
}

Term Normaliser::lower_add(ExprId id) {
  // [reality][role]: real, imaginary, complex; what is known earlier is added first.
  std::array<std::array<Terms, 3>, 3> groups;
  for (ExprId operand : expr_.operands(id)) {
    Term t = number_of(operand);
    if (!one_part(t) && t.turn % 2 == 1) t = {apply<ops::QuarterTurn>(traced(t.node)).id(), t.turn - 1};
    const std::size_t reality = !one_part(t) ? 2 : t.turn % 2;
    groups[reality][static_cast<std::size_t>(graph_.node(t.node).role)].push_back(t);
  }
  std::array<std::optional<Term>, 3> parts;
  for (std::size_t reality = 0; reality < 3; ++reality) {
    for (const Terms& group : groups[reality]) {
      if (group.empty()) continue;
      const Term next = sum(group);
      const std::array<Term, 2> both{parts[reality].value_or(next), next};
      parts[reality] = parts[reality] ? sum(both) : next;
    }
  }
  auto& [real, imaginary, complex] = parts;
  if (!complex) {
    if (!imaginary) return *real;
    if (!real) return *imaginary;
    const Traced re = value(*real);
    const Traced im = value({imaginary->node, imaginary->turn - 1});
    return {apply<ops::MakeComplex>(re, im).id(), 0};
  }
  Term total = *complex;
  if (imaginary) {
    // Into the imaginary part alone: (re, im + x).
    const Traced z = value(total);
    const std::array<Term, 2> both{Term{trace::imag(z).id(), 0}, Term{imaginary->node, imaginary->turn - 1}};
    total = {apply<ops::MakeComplex>(trace::real(z), value(sum(both))).id(), 0};
  }
  if (real) {
    const std::array<Term, 2> both{*real, total};
    total = sum(both);
  }
  return total;
}

Traced Normaliser::product(std::span<const Traced> factors) {
  Traced result = factors[0];
  for (std::size_t i = 1; i < factors.size(); ++i) result = result * factors[i];
  return result;
}

Term Normaliser::lower_multiply(ExprId id) {
  unsigned turn = 0;
  // Real factors by role, above and below the line; complex ones likewise.
  std::array<std::vector<Traced>, 3> real_above, real_below, complex_above, complex_below;
  const auto add_factor = [&](const Term& t, bool below) {
    turn += below ? 4 - t.turn : t.turn;
    const auto role = static_cast<std::size_t>(graph_.node(t.node).role);
    auto& groups = one_part(t) ? (below ? real_below : real_above) : (below ? complex_below : complex_above);
    groups[role].push_back(traced(t.node));
  };
  const auto operands = expr_.operands(id);
  std::vector<char> used(operands.size(), 0);
  // z * conj(z), in either order. Where the conjugates stand is found once, so that a long product takes linear time.
  const OpId conj = ops::id_of<ops::Conjugate>;
  std::unordered_map<ExprId, std::size_t> conjugate_at;  // by z
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (is_call(operands[i], conj)) conjugate_at.emplace(expr_.operands(operands[i])[0], i);
  }
  std::vector<std::size_t> partner(operands.size(), operands.size());
  for (std::size_t i = 0; i < operands.size() && !conjugate_at.empty(); ++i) {
    const auto found = conjugate_at.find(operands[i]);
    if (found == conjugate_at.end() || partner[i] != operands.size() || partner[found->second] != operands.size())
      continue;
    partner[i] = found->second;
    partner[found->second] = i;
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (used[i]) continue;
    if (partner[i] != operands.size()) {
      used[partner[i]] = 1;
      const ExprId z = is_call(operands[i], conj) && expr_.operands(operands[i])[0] == operands[partner[i]]
                           ? operands[partner[i]]
                           : operands[i];
      add_factor({apply<ops::AbsoluteSquare>(traced(number_of(z).node)).id(), 0}, false);
      continue;
    }
    const ExprNode& node = expr_.node(operands[i]);
    if (node.kind == ExprKind::power && users_[operands[i]] == 1) {
      const auto exponent = small_exponent(expr_.operands(operands[i])[1]);
      if (exponent && *exponent < 0) {
        add_factor(small_power(expr_.operands(operands[i])[0], -*exponent), true);
        continue;
      }
    }
    const Term t = number_of(operands[i]);
    const bool one = graph_.node(t.node).kind == NodeKind::constant && one_part(t) && graph_.constant(t.node).re == 1.0;
    if (one) {
      turn += t.turn;  // the literals 1, -1 and I
    } else {
      add_factor(t, false);
    }
  }
  std::optional<Traced> total;
  const auto times = [&](std::span<const Traced> factors) {
    if (factors.empty()) return;
    const Traced p = product(factors);
    total = total ? *total * p : p;
  };
  const auto over = [&](std::span<const Traced> factors) {
    if (factors.empty()) return;
    const Traced p = product(factors);
    if (!total || (trace::is_complex(p) && !trace::is_complex(*total))) {
      const Term inverse = reciprocal_of(p);
      turn += inverse.turn;
      total = total ? *total * traced(inverse.node) : traced(inverse.node);
    } else {
      total = *total / p;
    }
  };
  const auto join = [&](std::vector<Traced>& to, const std::vector<Traced>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  constexpr std::size_t constant = 0, parameter = 1, column = 2;
  times(real_above[constant]);
  over(real_below[constant]);
  times(real_above[parameter]);
  over(real_below[parameter]);
  // Columns in the order in which they were made, so that products which share factors share a prefix.
  const auto by_id = [](const Traced& a, const Traced& b) { return a.id() < b.id(); };
  std::stable_sort(real_above[column].begin(), real_above[column].end(), by_id);
  times(real_above[column]);
  over(real_below[column]);
  join(complex_above[constant], complex_above[parameter]);
  join(complex_below[constant], complex_below[parameter]);
  // A real number over a complex one costs no more than the reciprocal, so what is below comes first.
  over(complex_below[column]);
  times(complex_above[column]);
  const bool scalars = !complex_above[constant].empty() || !complex_below[constant].empty();
  if (scalars) {
    const std::optional<Traced> event = total;
    total.reset();
    over(complex_below[constant]);
    times(complex_above[constant]);
    if (event) total = *total * *event;
  }
  if (!total) total = literal(1.0);
  return {total->id(), turn % 4};
}

std::optional<std::int64_t> Normaliser::small_exponent(ExprId id) const {
  if (expr_.node(id).kind != ExprKind::number) return std::nullopt;
  const ExactNumber& number = expr_.number(id);
  std::int64_t n = 0;
  // NOTE: not by std::abs, which the smallest integer has none of.
  const auto within = [&](std::int64_t limit) { return n >= -limit && n <= limit; };
  if (number.to_int64(n)) return within(largest_integer_power) ? std::optional(2 * n) : std::nullopt;
  if (number.twice_odd(n)) return within(largest_half_power) ? std::optional(n) : std::nullopt;
  return std::nullopt;
}

// The node of -x where that is x read another way (b - a for a - b), else a negation.
NodeId Normaliser::negated(NodeId id) {
  const Node& node = graph_.node(id);
  if (node.kind == NodeKind::op && node.op == ops::id_of<ops::Negate>) return graph_.operands(id)[0];
  if (node.kind == NodeKind::op && node.op == ops::id_of<ops::Subtract>) {
    const std::array<NodeId, 2> swapped{graph_.operands(id)[1], graph_.operands(id)[0]};
    return graph_.add_op(node.op, swapped);
  }
  if (node.kind == NodeKind::op && node.op == ops::id_of<ops::MakeComplex>) {
    const std::array<NodeId, 2> parts{graph_.operands(id)[0], graph_.operands(id)[1]};
    return apply<ops::MakeComplex>(traced(negated(parts[0])), traced(negated(parts[1]))).id();
  }
  const std::array<NodeId, 1> operand{id};
  return graph_.add_op(ops::id_of<ops::Negate>, operand);
}

// 1 / z. Where 1 / -z, 1 / conj(z) or 1 / -conj(z) was made before, it is that with its signs changed: the reciprocal of a
// complex number is symmetric in them bit by bit. Amplitude models hold Breit-Wigner terms in both writings.
Term Normaliser::reciprocal_of(Traced z) {
  if (const auto found = reciprocals_.find(z.id()); found != reciprocals_.end()) return found->second;
  const Term made{apply<ops::Reciprocal>(z).id(), 0};
  reciprocals_.emplace(z.id(), made);
  const Node& node = graph_.node(z.id());
  if (trace::is_complex(z) && node.kind == NodeKind::op && node.op == ops::id_of<ops::MakeComplex>) {
    const Traced re = traced(graph_.operands(z.id())[0]);
    const Traced im = traced(graph_.operands(z.id())[1]);
    const Traced minus_re = traced(negated(re.id()));
    const Traced minus_im = traced(negated(im.id()));
    const NodeId conjugate = apply<ops::Conjugate>(traced(made.node)).id();
    reciprocals_.emplace(apply<ops::MakeComplex>(minus_re, minus_im).id(), Term{made.node, 2});
    reciprocals_.emplace(apply<ops::MakeComplex>(re, minus_im).id(), Term{conjugate, 0});
    reciprocals_.emplace(apply<ops::MakeComplex>(minus_re, im).id(), Term{conjugate, 2});
  }
  return made;
}

// Squares first, then the product of those whose bit is set, from the lowest: one chain for each n, and x^4 inside x^6.
Traced Normaliser::chain(Traced x, std::int64_t n) {
  std::optional<Traced> result;
  Traced square = x;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = result ? *result * square : square;
    if (n > 1) square = square * square;
  }
  return *result;
}

Term Normaliser::power_of(Term base, std::int64_t twice_exponent) {
  const std::int64_t magnitude = std::abs(twice_exponent);
  if (magnitude == 0) return {literal(1.0).id(), 0};
  unsigned turn = 0;
  Traced x = traced(base.node);
  if (magnitude % 2 == 0) {
    turn = static_cast<unsigned>((base.turn * static_cast<std::uint64_t>(magnitude / 2)) % 4);
  } else {
    x = value(base);
    // The root of a negative literal is the principal one; that of a negative column is NaN.
    const bool negative_literal = graph_.node(base.node).kind == NodeKind::constant && base.turn == 2;
    if (negative_literal && !trace::is_complex(x)) x = widen(x);
  }
  std::optional<Traced> result;
  if (magnitude >= 2) result = chain(x, magnitude / 2);
  if (magnitude % 2 == 1) {
    const Traced root = apply<ops::SquareRoot>(x);
    result = result ? *result * root : root;
  }
  if (twice_exponent < 0) {
    const Term inverse = reciprocal_of(*result);
    result = traced(inverse.node);
    turn = (4 - turn + inverse.turn) % 4;
  }
  return {result->id(), turn};
}

// An even power of |z| is a power of |z|^2.
Term Normaliser::small_power(ExprId base, std::int64_t twice_exponent) {
  if (twice_exponent % 4 == 0 && twice_exponent != 0 && is_call(base, ops::id_of<ops::Absolute>)) {
    const Term inner = number_of(expr_.operands(base)[0]);
    const Traced square = apply<ops::AbsoluteSquare>(traced(inner.node));
    return power_of({square.id(), 0}, twice_exponent / 2);
  }
  return power_of(number_of(base), twice_exponent);
}

// exp(i x) of a real x is cis(x).
Term Normaliser::exponential(const Term& t) {
  if (!one_part(t) || t.turn % 2 == 0) return {apply<ops::Exp>(value(t)).id(), 0};
  const Traced z = apply<ops::Cis>(traced(t.node));
  return {(t.turn == 1 ? z : apply<ops::Conjugate>(z)).id(), 0};
}

Term Normaliser::lower_power(ExprId id) {
  const ExprId base_id = expr_.operands(id)[0];
  const ExprId exponent_id = expr_.operands(id)[1];
  const Term base = number_of(base_id);
  if (const auto exponent = small_exponent(exponent_id)) {
    return small_power(base_id, *exponent);
  }
  const ExprNode& base_node = expr_.node(base_id);
  const Term exponent = number_of(exponent_id);
  const bool is_e =
      base_node.kind == ExprKind::constant && base_node.payload == static_cast<std::uint32_t>(NamedConstant::e);
  if (is_e) return exponential(exponent);
  Traced x = value(base);
  const bool negative_literal = graph_.node(base.node).kind == NodeKind::constant && base.turn == 2;
  std::int64_t integer = 0;
  const bool integer_exponent =
      expr_.node(exponent_id).kind == ExprKind::number && expr_.number(exponent_id).to_int64(integer);
  if (negative_literal && !integer_exponent) x = widen(x);
  return {apply<ops::Power>(x, value(exponent)).id(), 0};
}

Term Normaliser::lower_piecewise(ExprId id) {
  const auto operands = expr_.operands(id);
  struct Branch {
    Traced value;
    std::optional<Traced> condition;
  };
  std::vector<Branch> branches;
  bool any_complex = false;
  for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
    const auto condition = literal_condition(operands[i + 1]);
    if (condition == false) continue;
    Branch branch{value(number_of(operands[i])), std::nullopt};
    any_complex = any_complex || trace::is_complex(branch.value);
    if (condition != true) branch.condition = condition_of(operands[i + 1]);
    branches.push_back(branch);
    if (condition == true) break;
  }
  std::optional<Traced> result;
  if (branches.empty() || branches.back().condition) result = literal(std::numeric_limits<double>::quiet_NaN());
  if (result && any_complex) result = apply<ops::MakeComplex>(*result, *result);
  for (std::size_t i = branches.size(); i-- > 0;) {
    const Traced x = any_complex ? widen(branches[i].value) : branches[i].value;
    result = branches[i].condition ? apply<ops::Select>(*branches[i].condition, x, *result) : x;
  }
  return {result->id(), 0};
}

Term Normaliser::lower_call(ExprId id) {
  const OpId op = expr_.node(id).op;
  const OpInfo& info = info_of(op);
  const auto operands = expr_.operands(id);
  if (info.type == TypeRule::logical) {
    Traced result = condition_of(operands[0]);
    if (operands.size() == 1) {
      const std::array<NodeId, 1> one{result.id()};
      return {info.arity == 1 ? graph_.add_op(op, one) : result.id(), 0};
    }
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const std::array<NodeId, 2> both{result.id(), condition_of(operands[i]).id()};
      result = traced(graph_.add_op(op, both));
    }
    return {result.id(), 0};
  }
  const Term first = number_of(operands[0]);
  if (op == ops::id_of<ops::Absolute>) return {apply<ops::Absolute>(traced(first.node)).id(), 0};
  if (op == ops::id_of<ops::Conjugate>) {
    if (one_part(first)) return {first.node, (4 - first.turn) % 4};
    return {apply<ops::Conjugate>(traced(first.node)).id(), (4 - first.turn) % 4};
  }
  if (op == ops::id_of<ops::Real> && one_part(first)) {
    return first.turn % 2 == 0 ? first : Term{literal(0.0).id(), 0};
  }
  if (op == ops::id_of<ops::Imag> && one_part(first)) {
    return first.turn % 2 == 1 ? Term{first.node, first.turn - 1} : Term{literal(0.0).id(), 0};
  }
  if (op == ops::id_of<ops::Exp>) return exponential(first);
  if (op == ops::id_of<ops::SquareRoot>) return power_of(first, 1);
  if (op == ops::id_of<ops::Log> && graph_.node(first.node).kind == NodeKind::constant && first.turn == 2) {
    return {apply<ops::Log>(widen(value(first))).id(), 0};
  }
  std::vector<NodeId> ids;
  bool any_complex = false;
  for (ExprId operand : operands) {
    ids.push_back(value(number_of(operand)).id());
    any_complex = any_complex || complex_node(ids.back());
  }
  if (info.type == TypeRule::compare && any_complex) {
    // Relations of one form only: both real, or (equality) both complex.
    for (NodeId& node : ids) node = widen(traced(node)).id();
  }
  if (!info.variadic) return {graph_.add_op(op, ids), 0};
  NodeId result = ids[0];
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const std::array<NodeId, 2> both{result, ids[i]};
    result = graph_.add_op(op, both);
  }
  return {result, 0};
}

}  // namespace

Graph normalise(const Expr& expr, std::span<const SymbolBinding> bindings, DType kernel_dtype) {
  return Normaliser(expr, bindings, kernel_dtype).run();
}

}  // namespace frit::sympy
