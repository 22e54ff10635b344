#include "frontends/sympy/reader_derived.hpp"

#include <array>
#include <initializer_list>

#include "ops/list.hpp"

namespace frit::srepr {
namespace {

// Nodes as SymPy would write them: a difference is a sum with a factor of -1, a quotient a product with a negative power.
class Builder {
 public:
  explicit Builder(Expr& expr) : expr_(expr) {}

  ExprId integer(std::int64_t n) { return expr_.add_number(ExactNumber::integer(n)); }
  ExprId constant(NamedConstant value) { return expr_.add_constant(value); }
  ExprId boolean(bool value) { return expr_.add_boolean(value); }
  ExprId sum(std::initializer_list<ExprId> x) { return expr_.add(ExprKind::add, span(x)); }
  ExprId product(std::initializer_list<ExprId> x) { return expr_.add(ExprKind::multiply, span(x)); }
  ExprId power(ExprId base, std::int64_t n) { return expr_.add(ExprKind::power, std::array{base, integer(n)}); }
  ExprId inverse(ExprId x) { return power(x, -1); }
  ExprId minus(ExprId x) { return product({integer(-1), x}); }
  template <class Op> ExprId call(std::initializer_list<ExprId> x) { return expr_.add_call(ops::id_of<Op>, span(x)); }
  ExprId either(std::initializer_list<ExprId> values_and_conditions) {
    return expr_.add(ExprKind::piecewise, span(values_and_conditions));
  }

 private:
  static std::span<const ExprId> span(std::initializer_list<ExprId> x) { return {x.begin(), x.size()}; }

  Expr& expr_;
};

using Arguments = std::span<const ExprId>;

// 1 / f(x), and f(1 / x).
template <class Op> ExprId inverse_of(Expr& e, Arguments x) {
  Builder b(e);
  return b.inverse(b.call<Op>({x[0]}));
}
template <class Op> ExprId of_inverse(Expr& e, Arguments x) {
  Builder b(e);
  return b.call<Op>({b.inverse(x[0])});
}
// Another name for an op.
template <class Op> ExprId same_as(Expr& e, Arguments x) { return e.add_call(ops::id_of<Op>, x); }

// log(x), and log(x, y) to another base as SymPy evaluates it.
ExprId log(Expr& e, Arguments x) {
  Builder b(e);
  if (x.size() == 1) return b.call<ops::Log>({x[0]});
  return b.product({b.call<ops::Log>({x[0]}), b.inverse(b.call<ops::Log>({x[1]}))});
}

// sin(x)/x; NumPy's sinc is that of pi x.
ExprId sinc(Expr& e, Arguments x) {
  Builder b(e);
  const ExprId zero = b.call<ops::Equal>({x[0], b.integer(0)});
  const ExprId ratio = b.product({b.call<ops::Sin>({x[0]}), b.inverse(x[0])});
  return b.either({b.integer(1), zero, ratio, b.boolean(true)});
}

ExprId frac(Expr& e, Arguments x) {
  Builder b(e);
  return b.sum({x[0], b.minus(b.call<ops::Floor>({x[0]}))});
}

ExprId heaviside(Expr& e, Arguments x) {
  if (x.size() == 2) return same_as<ops::Heaviside>(e, x);
  Builder b(e);
  return b.call<ops::Heaviside>({x[0], b.inverse(b.integer(2))});
}

ExprId factorial(Expr& e, Arguments x) {
  Builder b(e);
  return b.call<ops::Gamma>({b.sum({x[0], b.integer(1)})});
}

// The real logarithm where gamma is positive; SymPy's is complex for x < 0, and there are no gamma functions of complex numbers.
ExprId loggamma(Expr& e, Arguments x) {
  Builder b(e);
  const ExprId negative = b.call<ops::Less>({x[0], b.integer(0)});
  return b.either({b.constant(NamedConstant::nan), negative, b.call<ops::LogGamma>({x[0]}), b.boolean(true)});
}

ExprId polygamma(Expr& e, Arguments x) {
  std::int64_t order = -1;
  if (e.node(x[0]).kind == ExprKind::number && e.number(x[0]).to_int64(order) && order == 0) {
    return same_as<ops::Digamma>(e, x.subspan(1));
  }
  throw NotDerivable{"polygamma takes the literal order 0 (digamma); other orders are not among the functions of frit"};
}

ExprId harmonic(Expr& e, Arguments x) {
  Builder b(e);
  return b.sum({b.call<ops::Digamma>({b.sum({x[0], b.integer(1)})}), b.constant(NamedConstant::euler_gamma)});
}

// cos(x) - 1 without cancellation.
ExprId cosm1(Expr& e, Arguments x) {
  Builder b(e);
  const ExprId half = b.product({b.inverse(b.integer(2)), x[0]});
  return b.product({b.integer(-2), b.power(b.call<ops::Sin>({half}), 2)});
}

ExprId is_nan(Expr& e, Arguments x) { return Builder(e).call<ops::NotEqual>({x[0], x[0]}); }
ExprId is_inf(Expr& e, Arguments x) {
  Builder b(e);
  return b.call<ops::Equal>({b.call<ops::Absolute>({x[0]}), b.constant(NamedConstant::infinity)});
}

ExprId if_then_else(Expr& e, Arguments x) {
  Builder b(e);
  return b.call<ops::Or>({b.call<ops::And>({x[0], x[1]}), b.call<ops::And>({b.call<ops::Not>({x[0]}), x[2]})});
}
ExprId implies(Expr& e, Arguments x) {
  Builder b(e);
  return b.call<ops::Or>({b.call<ops::Not>({x[0]}), x[1]});
}
// All or none.
ExprId equivalent(Expr& e, Arguments x) {
  Builder b(e);
  if (x.size() < 2) return b.boolean(true);
  ExprId all = x[0], any = x[0];
  for (const ExprId next : x.subspan(1)) {
    all = b.call<ops::And>({all, next});
    any = b.call<ops::Or>({any, next});
  }
  return b.call<ops::Or>({all, b.call<ops::Not>({any})});
}

constexpr DerivedClass function(std::string_view name, std::string_view meaning, ExprId (*build)(Expr&, Arguments),
                                int count = 1) {
  return {.name = name,
          .least = count,
          .most = count,
          .logical = false,
          .relation = false,
          .meaning = meaning,
          .build = build};
}
constexpr DerivedClass optional(std::string_view name, std::string_view meaning, ExprId (*build)(Expr&, Arguments)) {
  return {.name = name, .least = 1, .most = 2, .logical = false, .relation = false, .meaning = meaning, .build = build};
}
constexpr DerivedClass relation(std::string_view name, std::string_view meaning, ExprId (*build)(Expr&, Arguments)) {
  return {.name = name, .least = 1, .most = 1, .logical = false, .relation = true, .meaning = meaning, .build = build};
}
constexpr DerivedClass logical(std::string_view name, std::string_view meaning, ExprId (*build)(Expr&, Arguments),
                               int least, int most) {
  return {.name = name,
          .least = least,
          .most = most,
          .logical = true,
          .relation = false,
          .meaning = meaning,
          .build = build};
}

// The names of sympy.codegen (cfunctions, scipy_nodes) stand beside those of sympy itself.
constexpr DerivedClass all[] = {
    optional("log", "log(x), or log(x)/log(y)", log),
    function("sec", "1/cos(x)", inverse_of<ops::Cos>),
    function("csc", "1/sin(x)", inverse_of<ops::Sin>),
    function("cot", "1/tan(x)", inverse_of<ops::Tan>),
    function("sech", "1/cosh(x)", inverse_of<ops::Cosh>),
    function("csch", "1/sinh(x)", inverse_of<ops::Sinh>),
    function("coth", "1/tanh(x)", inverse_of<ops::Tanh>),
    function("asec", "acos(1/x)", of_inverse<ops::Acos>),
    function("acsc", "asin(1/x)", of_inverse<ops::Asin>),
    function("acot", "atan(1/x)", of_inverse<ops::Atan>),
    function("asech", "acosh(1/x)", of_inverse<ops::Acosh>),
    function("acsch", "asinh(1/x)", of_inverse<ops::Asinh>),
    function("acoth", "atanh(1/x)", of_inverse<ops::Atanh>),
    function("sinc", "sin(x)/x, 1 at 0", sinc),
    function("frac", "x - floor(x)", frac),
    optional("Heaviside", "heaviside(x, y), y = 1/2 where it is absent", heaviside),
    function("factorial", "gamma(x + 1)", factorial),
    function("loggamma", "lgamma(x), NaN for negative x", loggamma),
    function("polygamma", "digamma(y) for the literal x = 0", polygamma, 2),
    function("digamma", "digamma(x)", same_as<ops::Digamma>),
    function("harmonic", "digamma(x + 1) + EulerGamma", harmonic),
    function("cosm1", "-2 sin(x/2)^2", cosm1),
    function("Sqrt", "sqrt(x)", same_as<ops::SquareRoot>),
    function("fma", "multiply_add(x, y, z)", same_as<ops::MultiplyAdd>, 3),
    relation("isnan", "x != x", is_nan),
    relation("isinf", "abs(x) == oo", is_inf),
    logical("ITE", "b where a, else c", if_then_else, 3, 3),
    logical("Implies", "not a, or b", implies, 2, 2),
    logical("Equivalent", "all or none", equivalent, 0, -1),
};

}  // namespace

std::span<const DerivedClass> derived_classes() { return all; }

}  // namespace frit::srepr
