#include "oracle/exact_value.hpp"

#include <optional>
#include <stdexcept>

#include "ops/table.hpp"
#include "oracle/complex_exact.hpp"
#include "oracle/inverse_erf.hpp"
#include "oracle/logarithmic.hpp"
#include "oracle/rounding.hpp"

namespace frit::test::oracle {
namespace {

using Values = std::span<const Value>;

Value real_value(const Real& x) { return {.re = x}; }
Value complex_value(const Real& re, const Real& im) { return {.re = re, .im = im, .complex = true}; }
Value truth(bool holds) { return real_value(holds ? 1.0 : 0.0); }
bool holds(const Value& x) { return !x.re.is_zero(); }
bool is_zero(const Value& z) { return z.re.is_zero() && z.im.is_zero(); }
bool is_finite(const Value& z) { return mpfr_number_p(z.re.get()) != 0 && mpfr_number_p(z.im.get()) != 0; }

constexpr long cancelled = 60;   // bits; more of them lost in one sum are no accident of the data
constexpr long agreement = 100;  // bits
constexpr long largest = 4000;   // exponents of values that are looked at
constexpr long smallest = -150;

void check_size(const Real& x) {
  if (x.is_infinite() || (x.is_regular() && (x.exponent() > largest || x.exponent() < smallest))) throw Undecided{};
}
Value checked(Value z) {
  check_size(z.re);
  check_size(z.im);
  return z;
}

Real sum(const Real& a, const Real& b) {
  const Real r = a + b;
  if (r.is_regular() && a.is_regular() && b.is_regular() &&
      r.exponent() < std::max(a.exponent(), b.exponent()) - cancelled)
    throw Undecided{};
  return r;
}

Value add(const Value& a, const Value& b) {
  return {.re = sum(a.re, b.re), .im = sum(a.im, b.im), .complex = a.complex || b.complex};
}
Value negate(const Value& a) { return {.re = -a.re, .im = a.complex ? -a.im : a.im, .complex = a.complex}; }
Value multiply(const Value& a, const Value& b) {
  if (!a.complex && !b.complex) return real_value(a.re * b.re);
  return complex_value(sum(a.re * b.re, -(a.im * b.im)), sum(a.re * b.im, a.im * b.re));
}
Real modulus(const Value& z) { return apply(mpfr_hypot, z.re, z.im); }
Value divide(const Value& a, const Value& b) {
  if (is_zero(b)) throw Undecided{};
  if (!a.complex && !b.complex) return real_value(a.re / b.re);
  const Real square = b.re * b.re + b.im * b.im;
  const Value product = multiply(a, {.re = b.re, .im = -b.im, .complex = true});
  return complex_value(product.re / square, product.im / square);
}

// The angle of a number that is not on the cut, where the sign of a zero would decide.
Real angle_of(const Value& z) {
  if (z.complex && z.im.is_zero() && !(z.re.is_regular() && !z.re.is_negative())) throw Undecided{};
  return apply(mpfr_atan2, z.im, z.re);
}
Value exponential(const Value& z) {
  // An exponent of this size is beyond all sizes, and its power would take for ever.
  if (z.re.is_regular() && z.re.exponent() > 14) throw Undecided{};
  if (z.im.is_regular() && z.im.exponent() > cancelled) throw Undecided{};
  const Real length = apply(mpfr_exp, z.re);
  if (!z.complex) return real_value(length);
  return complex_value(length * apply(mpfr_cos, z.im), length * apply(mpfr_sin, z.im));
}
Value logarithm(const Value& z) {
  if (is_zero(z)) throw Undecided{};
  if (!z.complex) return real_value(apply(mpfr_log, z.re));
  const Real length = apply(mpfr_log, modulus(z));
  return complex_value(length, angle_of(z));
}
Value square_root(const Value& z) {
  if (!z.complex) return real_value(apply(mpfr_sqrt, z.re));
  if (is_zero(z)) return z;
  const Real length = apply(mpfr_sqrt, modulus(z));
  const Real half = angle_of(z) / Real(2.0);
  return complex_value(length * apply(mpfr_cos, half), length * apply(mpfr_sin, half));
}
Value power(const Value& z, const Value& w) {
  if (is_zero(z) || !is_finite(z) || !is_finite(w)) throw Undecided{};
  if (!z.complex && !w.complex) return real_value(apply(mpfr_pow, z.re, w.re));
  return exponential(multiply(w, logarithm({.re = z.re, .im = z.im, .complex = true})));
}

bool less_than(const Value& a, const Value& b) {
  if (a.re.is_nan() || b.re.is_nan()) return false;
  const Real difference = a.re - b.re;
  if (difference.is_regular() && a.re.is_regular() && difference.exponent() < a.re.exponent() - cancelled)
    throw Undecided{};
  return mpfr_sgn(difference.get()) < 0;
}
bool equals(const Value& a, const Value& b) {
  const bool ordered = less_than(a, b) || less_than(b, a);
  const bool imaginary = less_than(real_value(a.im), real_value(b.im)) || less_than(real_value(b.im), real_value(a.im));
  return !ordered && !imaginary && !a.re.is_nan() && !b.re.is_nan() && !a.im.is_nan() && !b.im.is_nan();
}
Value least(const Value& a, const Value& b) {
  if (a.re.is_nan()) return a;
  return b.re.is_nan() || less_than(b, a) ? b : a;
}

Value sign(const Value& z) {
  if (z.complex) return is_zero(z) ? z : divide(z, real_value(modulus(z)));
  return real_value(z.re.is_nan() ? std::numeric_limits<double>::quiet_NaN() : mpfr_sgn(z.re.get()));
}

// Next to an integer, or the middle of two, rounding decides.
Real whole(const Real& x, int (*to_integer)(mpfr_ptr, mpfr_srcptr)) {
  const Real twice = x + x;
  Real nearest, result;
  mpfr_round(nearest.get(), twice.get());
  const Real distance = twice - nearest;
  if (x.exponent() > cancelled || (distance.is_regular() && distance.exponent() < -cancelled)) throw Undecided{};
  to_integer(result.get(), x.get());
  return result;
}
template <int (*to_integer)(mpfr_ptr, mpfr_srcptr)> Value integer(Values x) {
  return real_value(x[0].re.is_regular() ? whole(x[0].re, to_integer) : x[0].re);
}
template <int (*to_integer)(mpfr_ptr, mpfr_srcptr)> Real quotient(Values x) {
  if (!x[0].re.is_regular() || !x[1].re.is_regular()) throw Undecided{};
  return whole(x[0].re / x[1].re, to_integer);
}
template <int (*to_integer)(mpfr_ptr, mpfr_srcptr)> Value rest(Values x) {
  return real_value(sum(x[0].re, -(x[1].re * quotient<to_integer>(x))));
}
Value scaled(Values x) {
  if (x[1].re.is_regular() && (mpfr_integer_p(x[1].re.get()) == 0 || x[1].re.exponent() > 14)) throw Undecided{};
  return real_value(apply(ldexp, x[0].re, x[1].re));
}
// The mantissa in [1/2, 1) and the exponent; next to a power of two rounding decides.
Value mantissa(Values x) {
  if (!x[0].re.is_regular()) throw Undecided{};
  Real m = x[0].re;
  mpfr_set_exp(m.get(), 0);
  const Real above = magnitude(m) - Real(0.5), below = Real(1.0) - magnitude(m);
  if ((above.is_regular() && above.exponent() < -cancelled) || below.exponent() < -cancelled) throw Undecided{};
  return real_value(m);
}
Value exponent(Values x) {
  (void)mantissa(x);
  return real_value(static_cast<double>(x[0].re.exponent()));
}
Value step(Values x) {
  if (x[0].re.is_zero()) return x[1];
  return real_value(x[0].re.is_nan() ? std::numeric_limits<double>::quiet_NaN() : x[0].re.is_negative() ? 0.0 : 1.0);
}

template <Function1 f> Value function(Values x) {
  // The angle of a number of this size is in digits that it may have lost.
  if (x[0].re.is_regular() && x[0].re.exponent() > cancelled) throw Undecided{};
  return real_value(apply(f, x[0].re));
}

// With a complex form, whose cut is on an axis.
enum class Cut { none, real_axis, imaginary_axis };
template <Function1 f, Exact (*complex_form)(const Real&, const Real&), Cut cut = Cut::none> Value function(Values x) {
  const Value& z = x[0];
  if (!z.complex) return function<f>(x);
  for (const Real& part : {z.re, z.im}) {
    if (part.is_regular() && part.exponent() > 14) throw Undecided{};
  }
  // The sign of a zero would decide.
  if (!is_finite(z) || (cut != Cut::none && (cut == Cut::real_axis ? z.im : z.re).is_zero())) throw Undecided{};
  const Exact r = complex_form(z.re, z.im);
  return complex_value(r.re, r.im);
}

// A sum of powers, whose logarithm may cancel with the larger operand.
template <bool binary> Value log_of_powers(Values x) {
  for (const Value& operand : x)
    if (operand.re.is_regular() && operand.re.exponent() > 14) throw Undecided{};
  const Real larger = mpfr_greater_p(x[0].re.get(), x[1].re.get()) != 0 ? x[0].re : x[1].re;
  const Real result = apply(log_of_sum<binary>, x[0].re, x[1].re);
  return real_value(sum(larger, result - larger));
}

// Gamma and its kin, of an argument that is not beside a pole.
template <Function1 f> Value of_gamma(Values x) {
  const Real& a = x[0].re;
  if (a.is_zero() || (a.is_regular() && a.exponent() > 10)) throw Undecided{};
  if (a.is_regular() && a.is_negative()) {
    const Real fraction = a - apply(mpfr_rint_round, a);
    if (fraction.is_zero() || fraction.exponent() < -cancelled) throw Undecided{};
  }
  return real_value(apply(f, a));
}

struct Named {
  std::string_view name;
  Value (*value)(Values x);
};

const Named all[] = {
    {"add", [](Values x) { return add(x[0], x[1]); }},
    {"subtract", [](Values x) { return add(x[0], negate(x[1])); }},
    {"multiply", [](Values x) { return multiply(x[0], x[1]); }},
    {"divide", [](Values x) { return divide(x[0], x[1]); }},
    {"reciprocal", [](Values x) { return divide(real_value(1.0), x[0]); }},
    {"negate", [](Values x) { return negate(x[0]); }},
    {"multiply_add", [](Values x) { return add(multiply(x[0], x[1]), x[2]); }},
    {"multiply_subtract", [](Values x) { return add(x[2], negate(multiply(x[0], x[1]))); }},
    {"sqrt", [](Values x) { return square_root(x[0]); }},
    {"abs", [](Values x) { return real_value(modulus(x[0])); }},
    {"sign", [](Values x) { return sign(x[0]); }},
    {"minimum", [](Values x) { return least(x[0], x[1]); }},
    {"maximum", [](Values x) { return negate(least(negate(x[0]), negate(x[1]))); }},
    {"exp", [](Values x) { return exponential(x[0]); }},
    {"log", [](Values x) { return logarithm(x[0]); }},
    {"sin", function<mpfr_sin, exact_sin>},
    {"cos", function<mpfr_cos, exact_cos>},
    {"cis", [](Values x) { return complex_value(function<mpfr_cos>(x).re, function<mpfr_sin>(x).re); }},
    {"tan", function<mpfr_tan, exact_tan>},
    {"asin", function<mpfr_asin, exact_asin, Cut::real_axis>},
    {"acos", function<mpfr_acos, exact_acos, Cut::real_axis>},
    {"atan", function<mpfr_atan, exact_atan, Cut::imaginary_axis>},
    {"atan2",
     [](Values x) {
       if (x[0].re.is_zero()) throw Undecided{};
       return real_value(apply(mpfr_atan2, x[0].re, x[1].re));
     }},
    {"pow", [](Values x) { return power(x[0], x[1]); }},
    {"angle",
     [](Values x) {
       if (is_zero(x[0])) throw Undecided{};
       return real_value(x[0].complex ? angle_of(x[0]) : apply(mpfr_atan2, Real(0.0), x[0].re));
     }},
    {"floor", integer<mpfr_floor>},
    {"ceil", integer<mpfr_ceil>},
    {"trunc", integer<mpfr_trunc>},
    {"rint", integer<mpfr_roundeven>},
    {"round_half_away", integer<mpfr_round>},
    {"fmod", rest<mpfr_trunc>},
    {"remainder", rest<mpfr_floor>},
    {"floor_divide", [](Values x) { return real_value(quotient<mpfr_floor>(x)); }},
    {"ldexp", scaled},
    {"frexp_mantissa", mantissa},
    {"frexp_exponent", exponent},
    {"nextafter", [](Values) -> Value { throw Undecided{}; }},  // a matter of the dtype
    {"sinpi", function<mpfr_sinpi>},
    {"cospi", function<mpfr_cospi>},
    {"sinc", function<sinc>},
    {"logical_xor", [](Values x) { return truth(holds(x[0]) != holds(x[1])); }},
    {"heaviside", step},
    {"log2", function<mpfr_log2>},
    {"log10", function<mpfr_log10>},
    {"log1p", function<mpfr_log1p>},
    {"logaddexp", log_of_powers<false>},
    {"logaddexp2", log_of_powers<true>},
    {"softplus", function<softplus>},
    {"asinh", function<mpfr_asinh, exact_asinh, Cut::imaginary_axis>},
    {"acosh", function<mpfr_acosh, exact_acosh, Cut::real_axis>},
    {"atanh", function<mpfr_atanh, exact_atanh, Cut::real_axis>},
    {"cbrt", function<mpfr_cbrt>},
    {"rsqrt", function<inverse_root>},
    {"hypot", [](Values x) { return real_value(apply(mpfr_hypot, x[0].re, x[1].re)); }},
    {"gamma", of_gamma<mpfr_gamma>},
    {"lgamma", of_gamma<log_gamma>},
    {"digamma", of_gamma<mpfr_digamma>},
    {"erf", function<mpfr_erf>},
    {"erfc", function<mpfr_erfc>},
    {"erfinv", function<inverse_erf>},
    {"erfcinv", function<inverse_erfc>},
    {"exp2", function<mpfr_exp2>},
    {"exp10", function<mpfr_exp10>},
    {"expm1", function<mpfr_expm1>},
    {"logistic",
     [](Values x) {
       const Value power = exponential(negate(x[0]));
       return real_value(Real(1.0) / (Real(1.0) + power.re));
     }},
    {"sinh", function<mpfr_sinh, exact_sinh>},
    {"cosh", function<mpfr_cosh, exact_cosh>},
    {"tanh", function<mpfr_tanh, exact_tanh>},
    {"less", [](Values x) { return truth(less_than(x[0], x[1])); }},
    {"less_equal", [](Values x) { return truth(less_than(x[0], x[1]) || equals(x[0], x[1])); }},
    {"greater", [](Values x) { return truth(less_than(x[1], x[0])); }},
    {"greater_equal", [](Values x) { return truth(less_than(x[1], x[0]) || equals(x[0], x[1])); }},
    {"equal", [](Values x) { return truth(equals(x[0], x[1])); }},
    {"not_equal", [](Values x) { return truth(!equals(x[0], x[1])); }},
    {"logical_and", [](Values x) { return truth(holds(x[0]) && holds(x[1])); }},
    {"logical_or", [](Values x) { return truth(holds(x[0]) || holds(x[1])); }},
    {"logical_not", [](Values x) { return truth(!holds(x[0])); }},
    {"where", [](Values x) { return holds(x[0]) ? x[1] : x[2]; }},
    {"real", [](Values x) { return real_value(x[0].re); }},
    {"imag", [](Values x) { return real_value(x[0].im); }},
    {"conj",
     [](Values x) { return Value{.re = x[0].re, .im = x[0].complex ? -x[0].im : x[0].im, .complex = x[0].complex}; }},
    {"complex", [](Values x) { return complex_value(x[0].re, x[1].re); }},
    {"times_i", [](Values x) { return complex_value(-x[0].im, x[0].re); }},
};

// ---- Expressions.

class Evaluator {
 public:
  Evaluator(const Expr& expr, const Arguments& arguments, DType dtype)
      : expr_(expr), arguments_(arguments), dtype_(dtype), values_(expr.size()), done_(expr.size()) {}

  // By recursion: random expressions are not deep. Only what is needed is looked at, as in a Piecewise.
  const Value& value(ExprId id) {
    if (!done_[id]) {
      values_[id] = checked(compute(id));
      done_[id] = true;
    }
    return values_[id];
  }

 private:
  Value rounded(const Real& x) const { return real_value(Format::of(dtype_).round(x)); }

  Value number(ExprId id) const {
    const ExactNumber& x = expr_.number(id);
    return real_value(dtype_ == DType::f64 ? x.to_f64() : static_cast<double>(x.to_f32()));
  }

  Value constant(NamedConstant which) const {
    Real x;
    switch (which) {
      case NamedConstant::pi: mpfr_const_pi(x.get(), MPFR_RNDN); return rounded(x);
      case NamedConstant::e: return rounded(apply(mpfr_exp, Real(1.0)));
      case NamedConstant::imaginary_unit: return complex_value(0.0, 1.0);
      case NamedConstant::euler_gamma: mpfr_const_euler(x.get(), MPFR_RNDN); return rounded(x);
      case NamedConstant::catalan: mpfr_const_catalan(x.get(), MPFR_RNDN); return rounded(x);
      default: throw Undecided{};
    }
  }

  // Roots, logarithms and general powers of a negative real number are complex, as SymPy has them.
  static Value principal(const Value& z) {
    if (z.complex || !z.re.is_negative() || z.re.is_zero()) return z;
    throw Undecided{};  // NaN in a graph, where the number is a column
  }

  Value power_of(ExprId base_id, ExprId exponent_id) {
    const ExprNode& base_node = expr_.node(base_id);
    const bool is_e =
        base_node.kind == ExprKind::constant && base_node.payload == static_cast<std::uint32_t>(NamedConstant::e);
    std::int64_t n = 0;
    const bool is_number = expr_.node(exponent_id).kind == ExprKind::number;
    const bool is_integer = is_number && expr_.number(exponent_id).to_int64(n);
    // Small powers of the rounded literal E are products of it (docs/numerics.md, int-power and half-power).
    const bool is_chain = is_integer ? n >= -16 && n <= 16 : is_number && expr_.number(exponent_id).twice_odd(n);
    if (is_e && !is_chain) return exponential(value(exponent_id));
    const Value base = value(base_id);
    if (is_integer) {
      if (n < -200 || n > 200) throw Undecided{};
      Value result = real_value(1.0);
      for (std::int64_t i = 0; i < std::abs(n); ++i) result = checked(multiply(result, base));
      return n < 0 ? divide(real_value(1.0), result) : result;
    }
    return power(principal(base), value(exponent_id));
  }

  Value compute(ExprId id) {
    const ExprNode& node = expr_.node(id);
    const auto operands = expr_.operands(id);
    switch (node.kind) {
      case ExprKind::number: return number(id);
      case ExprKind::constant: return constant(static_cast<NamedConstant>(node.payload));
      case ExprKind::boolean: return truth(node.payload != 0);
      case ExprKind::symbol: return arguments_.find(expr_.symbol_name(id))->second;
      case ExprKind::power: return power_of(operands[0], operands[1]);
      case ExprKind::add:
      case ExprKind::multiply: {
        Value result = value(operands[0]);
        for (const ExprId operand : operands.subspan(1))
          result = checked((node.kind == ExprKind::add ? add : multiply)(result, value(operand)));
        return result;
      }
      case ExprKind::piecewise:
        for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
          if (holds(value(operands[i + 1]))) return value(operands[i]);
        }
        throw Undecided{};  // NaN
      case ExprKind::call: {
        const std::string_view op = info_of(node.op).name;
        std::vector<Value> x;
        for (const ExprId operand : operands) x.push_back(value(operand));
        if (op == "sqrt" || op == "log") x[0] = principal(x[0]);
        if (x.size() == 1 && info_of(node.op).arity == 2) return x[0];
        if (!info_of(node.op).variadic) return value_of_op(op, x);
        Value result = x[0];
        for (std::size_t i = 1; i < x.size(); ++i) result = value_of_op(op, std::vector<Value>{result, x[i]});
        return result;
      }
      case ExprKind::tuple: break;
    }
    throw std::runtime_error("a tuple inside an expression");
  }

  const Expr& expr_;
  const Arguments& arguments_;
  DType dtype_;
  std::vector<Value> values_;
  std::vector<bool> done_;
};

}  // namespace

Value value_of_op(std::string_view op, std::span<const Value> operands) {
  for (const Named& entry : all) {
    if (entry.name == op) return checked(entry.value(operands));
  }
  throw std::runtime_error("op '" + std::string(op) + "' has no exact value: add it to tests/oracle/exact_value.cpp");
}

std::vector<Value> evaluate(const Graph& graph, const Arguments& arguments) {
  // Nothing where it is undecided, which matters only where it is selected.
  std::vector<std::optional<Value>> values;
  const auto value_of = [&](NodeId id) -> std::optional<Value> {
    const Node& node = graph.node(id);
    if (node.kind == NodeKind::constant) {
      const ConstantValue& c = graph.constant(id);
      return Value{.re = c.re, .im = c.im, .complex = is_complex(node.dtype)};
    }
    if (node.kind == NodeKind::argument)
      return arguments.find(graph.arguments()[graph.argument_index(id)].name)->second;
    const auto operands = graph.operands(id);
    if (info_of(node.op).type == TypeRule::select && values[operands[0]])
      return values[operands[holds(*values[operands[0]]) ? 1 : 2]];
    std::vector<Value> x;
    for (const NodeId operand : operands) {
      if (!values[operand]) return std::nullopt;
      x.push_back(*values[operand]);
    }
    try {
      return value_of_op(info_of(node.op).name, x);
    } catch (const Undecided&) {
      return std::nullopt;
    }
  };
  for (NodeId id = 0; id < graph.size(); ++id) values.push_back(value_of(id));
  std::vector<Value> outputs;
  for (const GraphOutput& output : graph.outputs()) {
    if (!values[output.node]) throw Undecided{};
    outputs.push_back(*values[output.node]);
  }
  return outputs;
}

std::vector<Value> evaluate(const Expr& expr, const Arguments& arguments, DType kernel_dtype) {
  Evaluator evaluator(expr, arguments, kernel_dtype);
  std::vector<Value> outputs;
  if (expr.node(expr.root()).kind != ExprKind::tuple) return {evaluator.value(expr.root())};
  for (const ExprId id : expr.operands(expr.root())) outputs.push_back(evaluator.value(id));
  return outputs;
}

bool agree(const Value& a, const Value& b) {
  const Real distance = apply(mpfr_hypot, a.re - b.re, a.im - b.im);
  const Real size = apply(mpfr_hypot, b.re, b.im);
  Real allowed = size;
  mpfr_mul_2si(allowed.get(), allowed.get(), -agreement, MPFR_RNDN);
  return mpfr_cmp(distance.get(), allowed.get()) <= 0;
}

}  // namespace frit::test::oracle
