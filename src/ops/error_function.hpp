// The error function, its complement and their inverses.
#pragma once

#include "math/error_function.hpp"
#include "ops/info.hpp"

namespace frit {
inline namespace FRIT_ISA {
namespace ops {

struct Erf {
  static constexpr OpInfo info{.name = "erf",
                               .arity = 1,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 1},
                               .sympy = "erf"};
  template <class V> static FRIT_INLINE V value(V a) { return math::erf(a); }
};

struct Erfc {
  static constexpr OpInfo info{.name = "erfc",
                               .arity = 1,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 2},
                               .sympy = "erfc"};
  template <class V> static FRIT_INLINE V value(V a) { return math::erfc(a); }
};

struct Erfinv {
  static constexpr OpInfo info{.name = "erfinv",
                               .arity = 1,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 2},
                               .sympy = "erfinv"};
  template <class V> static FRIT_INLINE V value(V a) { return math::erfinv(a); }
};

struct Erfcinv {
  static constexpr OpInfo info{.name = "erfcinv",
                               .arity = 1,
                               .type = TypeRule::real,
                               .cost = CostClass::elementary,
                               .budget = {.real = 2},
                               .sympy = "erfcinv"};
  template <class V> static FRIT_INLINE V value(V a) { return math::erfcinv(a); }
};

}  // namespace ops
}  // namespace FRIT_ISA
}  // namespace frit
