// Natural numbers of any size, as far as the rounding of exact numbers needs them: 64-bit limbs, the lowest first, no zero
// limb on top. Numbers here have some hundred digits at most where time matters, so everything is schoolbook.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace frit::natural_numbers {

using Wide = unsigned __int128;
using Natural = std::vector<std::uint64_t>;

inline constexpr int chunk_digits = 19;  // 10^19 is the largest power of ten below 2^64

// n = n * factor + addend
void multiply_add(Natural& n, std::uint64_t factor, std::uint64_t addend);
// Divides in place and returns the rest.
std::uint64_t divide_small(Natural& n, std::uint64_t divisor);
std::uint64_t power_of_ten(int exponent);
std::uint64_t small_value(std::string_view digits);
// `digits` are decimal digits alone.
Natural natural(std::string_view digits);
void scale_by_power_of_ten(Natural& n, std::int64_t exponent);
std::string digits_of(Natural n);
std::int64_t bit_length(const Natural& n);
bool bit_of(const Natural& n, std::int64_t index);
void shift_left(Natural& n, std::int64_t bits);
// Of a number above zero.
void halve_while_even(Natural& n);
bool less(const Natural& a, const Natural& b);
// a -= b where a >= b
void subtract(Natural& a, const Natural& b);
// The odd part of the greatest common divisor; twos are removed by the caller.
Natural odd_common_divisor(Natural a, Natural b);
Natural quotient(const Natural& dividend, const Natural& divisor);

}  // namespace frit::natural_numbers
