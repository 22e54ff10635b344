#include "graph/exact_natural.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace frit::natural_numbers {

void multiply_add(Natural& n, std::uint64_t factor, std::uint64_t addend) {
  std::uint64_t carry = addend;
  for (std::uint64_t& limb : n) {
    const Wide product = static_cast<Wide>(limb) * factor + carry;
    limb = static_cast<std::uint64_t>(product);
    carry = static_cast<std::uint64_t>(product >> 64);
  }
  if (carry != 0) n.push_back(carry);
}

std::uint64_t divide_small(Natural& n, std::uint64_t divisor) {
  std::uint64_t rest = 0;
  for (std::size_t i = n.size(); i-- > 0;) {
    const Wide dividend = (static_cast<Wide>(rest) << 64) | n[i];
    n[i] = static_cast<std::uint64_t>(dividend / divisor);
    rest = static_cast<std::uint64_t>(dividend % divisor);
  }
  while (!n.empty() && n.back() == 0) n.pop_back();
  return rest;
}

std::uint64_t power_of_ten(int exponent) {
  std::uint64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

std::uint64_t small_value(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

Natural natural(std::string_view digits) {
  Natural n;
  n.reserve(digits.size() / chunk_digits + 2);
  while (!digits.empty()) {
    const std::size_t length = std::min<std::size_t>(digits.size(), chunk_digits);
    multiply_add(n, power_of_ten(static_cast<int>(length)), small_value(digits.substr(0, length)));
    digits.remove_prefix(length);
  }
  return n;
}

void scale_by_power_of_ten(Natural& n, std::int64_t exponent) {
  for (; exponent >= chunk_digits; exponent -= chunk_digits) multiply_add(n, power_of_ten(chunk_digits), 0);
  multiply_add(n, power_of_ten(static_cast<int>(exponent)), 0);
}

std::string digits_of(Natural n) {
  std::string reversed;
  while (!n.empty()) {
    std::uint64_t chunk = divide_small(n, power_of_ten(chunk_digits));
    for (int i = 0; i < chunk_digits && (chunk != 0 || !n.empty()); ++i, chunk /= 10) {
      reversed.push_back(static_cast<char>('0' + chunk % 10));
    }
  }
  std::reverse(reversed.begin(), reversed.end());
  return reversed.empty() ? "0" : reversed;
}

std::int64_t bit_length(const Natural& n) {
  return n.empty() ? 0 : static_cast<std::int64_t>(n.size()) * 64 - std::countl_zero(n.back());
}

bool bit_of(const Natural& n, std::int64_t index) {
  return ((n[static_cast<std::size_t>(index / 64)] >> (index % 64)) & 1) != 0;
}

void shift_left(Natural& n, std::int64_t bits) {
  if (n.empty()) return;
  const int part = static_cast<int>(bits % 64);
  if (part != 0) {
    n.push_back(0);
    for (std::size_t i = n.size(); i-- > 1;) n[i] = (n[i] << part) | (n[i - 1] >> (64 - part));
    n[0] <<= part;
    if (n.back() == 0) n.pop_back();
  }
  n.insert(n.begin(), static_cast<std::size_t>(bits / 64), 0);
}

void halve_while_even(Natural& n) {
  std::size_t zeros = 0;
  while (n[zeros] == 0) ++zeros;
  n.erase(n.begin(), n.begin() + static_cast<std::ptrdiff_t>(zeros));
  const int part = std::countr_zero(n[0]);
  if (part == 0) return;
  for (std::size_t i = 0; i < n.size(); ++i) {
    n[i] = (n[i] >> part) | (i + 1 < n.size() ? n[i + 1] << (64 - part) : 0);
  }
  if (n.back() == 0) n.pop_back();
}

bool less(const Natural& a, const Natural& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

void subtract(Natural& a, const Natural& b) {  // a >= b
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t amount = i < b.size() ? b[i] : 0;
    const std::uint64_t before = a[i];
    a[i] = before - amount - borrow;
    borrow = before < amount || (before == amount && borrow != 0) ? 1 : 0;
  }
  while (!a.empty() && a.back() == 0) a.pop_back();
}

Natural odd_common_divisor(Natural a, Natural b) {
  halve_while_even(a);
  halve_while_even(b);
  while (true) {
    if (less(a, b)) a.swap(b);
    subtract(a, b);
    if (a.empty()) return b;
    halve_while_even(a);
  }
}

Natural quotient(const Natural& dividend, const Natural& divisor) {
  Natural result;
  Natural rest;
  for (std::int64_t i = bit_length(dividend); i-- > 0;) {
    multiply_add(rest, 2, bit_of(dividend, i) ? 1 : 0);
    multiply_add(result, 2, 0);
    if (!less(rest, divisor)) {
      subtract(rest, divisor);
      multiply_add(result, 1, 1);
    }
  }
  return result;
}

}  // namespace frit::natural_numbers
