// Square roots without the divider.
//
// A CPU computes divisions and roots one after the other in one unit: on AVX-512 a vector of eight f64 takes it 16 and 24 cycles,
// in which it issues 48 other vector operations. A loop with many roots waits for that unit, so some are computed from the CPU's
// estimate by fused multiply-adds (math/root_estimate.hpp), which have the same bits. Divisions stay as they are: with what a
// sequence needs for infinities, zeros and subnormal numbers it takes no less than the divider. But where many numbers are divided
// by one, its inverse is known (math/quotient.hpp).
#pragma once

#include "core/compiler.hpp"
#include "llvm/emit_value.hpp"

namespace frit::codegen {

// Whether this CPU's estimates lead to correctly rounded roots: computed for the arguments that are hardest to round.
bool root_estimates_suffice();

// The time that the divider takes for the current emission, by the time that all other instructions take; `operations` is the
// number of instructions of the loop.
template <class T> double divider_load(std::int64_t operations);

// Whether a loop with this load waits for the divider, so that it gains nothing by two vectors side by side. (In f64 most of the load
// leaves with the roots.)
template <class T> constexpr bool waits_for_divider(double load) { return load > (sizeof(T) == 8 ? 1.5 : 1.0); }

// Replaces square roots of the current emission where that pays at this load, or as `roots` says. Returns the number of roots
// replaced. The target has AVX-512.
template <class T> int balance_divider(CompileOptions::Roots roots, double load, unsigned vectors);

// Whether a division by a known inverse takes less time than the divider.
template <class T> bool inverses_pay();
// Of a divisor for quotient(): the inverse, and whether it is out of the range in which that is right.
template <class T> struct Inverse {
  Emit<T> value;
  EmitMask<T> rare;
};
template <class T> Inverse<T> inverse_of(Emit<T> divisor);

extern template bool inverses_pay<double>();
extern template bool inverses_pay<float>();
extern template Inverse<double> inverse_of(Emit<double>);
extern template Inverse<float> inverse_of(Emit<float>);
extern template double divider_load<double>(std::int64_t);
extern template double divider_load<float>(std::int64_t);
extern template int balance_divider<double>(CompileOptions::Roots, double, unsigned);
extern template int balance_divider<float>(CompileOptions::Roots, double, unsigned);

}  // namespace frit::codegen
