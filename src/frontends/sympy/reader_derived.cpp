#include "frontends/sympy/reader_derived.hpp"

#include <fmt/format.h>

#include <array>
#include <initializer_list>

#include "ops/table.hpp"

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
  ExprId call(std::string_view op, std::initializer_list<ExprId> x) { return expr_.add_call(*find_op(op), span(x)); }
  ExprId either(std::initializer_list<ExprId> values_and_conditions) {
    return expr_.add(ExprKind::piecewise, span(values_and_conditions));
  }

 private:
  static std::span<const ExprId> span(std::initializer_list<ExprId> x) { return {x.begin(), x.size()}; }

  Expr& expr_;
};

using Arguments = std::span<const ExprId>;

// 1 / f(x), and f(1 / x).
template <const char* op> ExprId inverse_of(Expr& e, Arguments x) {
  Builder b(e);
  return b.inverse(b.call(op, {x[0]}));
}
template <const char* op> ExprId of_inverse(Expr& e, Arguments x) {
  Builder b(e);
  return b.call(op, {b.inverse(x[0])});
}
// Another name for an op.
template <const char* op> ExprId same_as(Expr& e, Arguments x) { return e.add_call(*find_op(op), x); }

constexpr char sin[] = "sin", cos[] = "cos", tan[] = "tan", sinh[] = "sinh", cosh[] = "cosh", tanh[] = "tanh";
constexpr char asin[] = "asin", acos[] = "acos", atan[] = "atan", asinh[] = "asinh", acosh[] = "acosh",
               atanh[] = "atanh";
constexpr char sqrt[] = "sqrt", multiply_add[] = "multiply_add", heaviside_op[] = "heaviside", digamma_op[] = "digamma";

// sin(x)/x; NumPy's sinc is that of pi x.
ExprId sinc(Expr& e, Arguments x) {
  Builder b(e);
  const ExprId zero = b.call("equal", {x[0], b.integer(0)});
  const ExprId ratio = b.product({b.call("sin", {x[0]}), b.inverse(x[0])});
  return b.either({b.integer(1), zero, ratio, b.boolean(true)});
}

ExprId frac(Expr& e, Arguments x) {
  Builder b(e);
  return b.sum({x[0], b.minus(b.call("floor", {x[0]}))});
}

ExprId heaviside(Expr& e, Arguments x) {
  if (x.size() == 2) return same_as<heaviside_op>(e, x);
  Builder b(e);
  return b.call("heaviside", {x[0], b.inverse(b.integer(2))});
}

ExprId factorial(Expr& e, Arguments x) {
  Builder b(e);
  return b.call("gamma", {b.sum({x[0], b.integer(1)})});
}

// The real logarithm where gamma is positive; SymPy's is complex for x < 0, and there are no gamma functions of complex numbers.
ExprId loggamma(Expr& e, Arguments x) {
  Builder b(e);
  const ExprId negative = b.call("less", {x[0], b.integer(0)});
  return b.either({b.constant(NamedConstant::nan), negative, b.call("lgamma", {x[0]}), b.boolean(true)});
}

ExprId polygamma(Expr& e, Arguments x) {
  std::int64_t order = -1;
  if (e.node(x[0]).kind == ExprKind::number && e.number(x[0]).to_int64(order) && order == 0) {
    return same_as<digamma_op>(e, x.subspan(1));
  }
  throw NotDerivable{"polygamma takes the literal order 0 (digamma); other orders are not among the functions of frit"};
}

ExprId harmonic(Expr& e, Arguments x) {
  Builder b(e);
  return b.sum({b.call("digamma", {b.sum({x[0], b.integer(1)})}), b.constant(NamedConstant::euler_gamma)});
}

// cos(x) - 1 without cancellation.
ExprId cosm1(Expr& e, Arguments x) {
  Builder b(e);
  const ExprId half = b.product({b.inverse(b.integer(2)), x[0]});
  return b.product({b.integer(-2), b.power(b.call("sin", {half}), 2)});
}

ExprId is_nan(Expr& e, Arguments x) { return Builder(e).call("not_equal", {x[0], x[0]}); }
ExprId is_inf(Expr& e, Arguments x) {
  Builder b(e);
  return b.call("equal", {b.call("abs", {x[0]}), b.constant(NamedConstant::infinity)});
}

ExprId if_then_else(Expr& e, Arguments x) {
  Builder b(e);
  return b.call("logical_or",
                {b.call("logical_and", {x[0], x[1]}), b.call("logical_and", {b.call("logical_not", {x[0]}), x[2]})});
}
ExprId implies(Expr& e, Arguments x) {
  Builder b(e);
  return b.call("logical_or", {b.call("logical_not", {x[0]}), x[1]});
}
// All or none.
ExprId equivalent(Expr& e, Arguments x) {
  Builder b(e);
  if (x.size() < 2) return b.boolean(true);
  ExprId all = x[0], any = x[0];
  for (const ExprId next : x.subspan(1)) {
    all = b.call("logical_and", {all, next});
    any = b.call("logical_or", {any, next});
  }
  return b.call("logical_or", {all, b.call("logical_not", {any})});
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
    function("sec", "1/cos(x)", inverse_of<cos>),
    function("csc", "1/sin(x)", inverse_of<sin>),
    function("cot", "1/tan(x)", inverse_of<tan>),
    function("sech", "1/cosh(x)", inverse_of<cosh>),
    function("csch", "1/sinh(x)", inverse_of<sinh>),
    function("coth", "1/tanh(x)", inverse_of<tanh>),
    function("asec", "acos(1/x)", of_inverse<acos>),
    function("acsc", "asin(1/x)", of_inverse<asin>),
    function("acot", "atan(1/x)", of_inverse<atan>),
    function("asech", "acosh(1/x)", of_inverse<acosh>),
    function("acsch", "asinh(1/x)", of_inverse<asinh>),
    function("acoth", "atanh(1/x)", of_inverse<atanh>),
    function("sinc", "sin(x)/x, 1 at 0", sinc),
    function("frac", "x - floor(x)", frac),
    {.name = "Heaviside",
     .least = 1,
     .most = 2,
     .logical = false,
     .relation = false,
     .meaning = "heaviside(x, y), y = 1/2 where it is absent",
     .build = heaviside},
    function("factorial", "gamma(x + 1)", factorial),
    function("loggamma", "lgamma(x), NaN for negative x", loggamma),
    function("polygamma", "digamma(y) for the literal x = 0", polygamma, 2),
    function("digamma", "digamma(x)", same_as<digamma_op>),
    function("harmonic", "digamma(x + 1) + EulerGamma", harmonic),
    function("cosm1", "-2 sin(x/2)^2", cosm1),
    function("Sqrt", "sqrt(x)", same_as<sqrt>),
    function("fma", "multiply_add(x, y, z)", same_as<multiply_add>, 3),
    relation("isnan", "x != x", is_nan),
    relation("isinf", "abs(x) == oo", is_inf),
    logical("ITE", "b where a, else c", if_then_else, 3, 3),
    logical("Implies", "not a, or b", implies, 2, 2),
    logical("Equivalent", "all or none", equivalent, 0, -1),
};

}  // namespace

std::span<const DerivedClass> derived_classes() { return all; }

}  // namespace frit::srepr
