// Special functions of a real argument: the values stand in math/.
#pragma once

#include "math/digamma.hpp"
#include "math/gamma.hpp"
#include "ops/info.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace ops {

struct Gamma {
  static constexpr OpInfo info{.name = "gamma",
                               .arity = 1,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1},
                               .sympy = "gamma"};
  template <class V> static FRIT_INLINE V value(V a) { return math::tgamma(a); }
};

// log|gamma(x)|. SymPy's loggamma is the analytic continuation, complex for negative x, and so another function there.
struct LogGamma {
  static constexpr OpInfo info{
      .name = "lgamma", .arity = 1, .type = TypeRule::real, .cost = CostClass::elementary, .budget = {.real = 1}};
  template <class V> static FRIT_INLINE V value(V a) { return math::lgamma(a); }
};

// The derivative of log gamma(x). SymPy writes it as polygamma(0, x).
struct Digamma {
  static constexpr OpInfo info{
      .name = "digamma", .arity = 1, .type = TypeRule::real, .cost = CostClass::elementary, .budget = {.real = 3}};
  template <class V> static FRIT_INLINE V value(V a) { return math::digamma(a); }
};

}  // namespace ops
}  // namespace FRIT_ISA
}  // namespace frit
