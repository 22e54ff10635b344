"""A generated header of constants: the dtypes, and what a family of functions writes into it."""
from mpmath import mpf, log, floor, frexp

from minimax import fit, fit_steady, round_to


class Kind:
    """A dtype: its precision and how its literals are written."""

    def __init__(self, name, ctype, bits, exponent_bits, tight):
        self.name, self.ctype, self.bits, self.exponent_bits = name, ctype, bits, exponent_bits
        self.mantissa = bits - 1
        self.bias = 2 ** (exponent_bits - 1) - 1
        self.size = bits + exponent_bits
        self.tight = tight  # polynomial error, relative to the result: a fiftieth of an ulp

    def round(self, x, bits=None):
        return round_to(mpf(x), bits or self.bits)

    def literal(self, x):
        x = mpf(x)
        assert self.round(x) == x, 'not a number of this dtype'
        text = float(x).hex()
        head, exponent = text.split('p')
        if '.' in head:
            head = head.rstrip('0').rstrip('.')
        return f'{head}p{exponent}' + ('f' if self.ctype == 'float' else '')

    def image(self, x):
        """The bits of a positive normal number as an integer."""
        mantissa, exponent = frexp(self.round(x))
        return ((exponent - 1 + self.bias) << self.mantissa) + int(mantissa * 2 ** self.bits) - (1 << self.mantissa)


F64 = Kind('f64', 'double', 53, 11, mpf(2) ** -58.5)
F32 = Kind('f32', 'float', 24, 8, mpf(2) ** -29.5)


class Header:
    def __init__(self, family, kind):
        self.family, self.kind, self.lines = family, kind, []

    def note(self, text):
        self.lines.append(f'  // {text}')

    def value(self, name, x):
        self.lines.append(f'  static constexpr {self.kind.ctype} {name} = {self.kind.literal(x)};')

    def pair(self, name, x, first_bits=None):
        """NAME_hi + NAME_lo, the first of that many bits; returns the first."""
        hi = self.kind.round(x, first_bits)
        self.value(f'{name}_hi', hi)
        self.value(f'{name}_lo', self.kind.round(x - hi))
        return hi

    def integer(self, name, n):
        self.lines.append(f'  static constexpr std::int64_t {name} = {n};')

    def polynomial(self, name, what, g, weight, low, high, error_below, first=2, refits=None):
        self._write(name, what, low, high, *fit(g, weight, low, high, self.kind.bits, error_below, first, refits))

    def steady_polynomial(self, name, what, g, weight, low, high, error_below, count, first_in_two=False):
        """With first_in_two the constant term has twice the precision; its second part is the value NAME_lo."""
        coefficients, worst = fit_steady(g, weight, low, high, self.kind.bits, error_below, count,
                                         2 * self.kind.bits if first_in_two else None)
        if first_in_two:
            first = self.kind.round(coefficients[0])
            self.value(f'{name}_lo', self.kind.round(coefficients[0] - first))
            coefficients[0] = first
        self._write(name, what, low, high, coefficients, worst)

    def _write(self, name, what, low, high, coefficients, worst):
        self.note(f'{what} on [{float(low):.6g}, {float(high):.6g}]; weighted error 2^{float(log(worst, 2)):.1f}')
        body = ',\n      '.join(self.kind.literal(c) for c in coefficients)
        self.lines.append(f'  static constexpr {self.kind.ctype} {name}[] = {{\n      {body}}};')

    def text(self):
        name = ''.join(part.capitalize() for part in self.family.split('_')) + 'Constants'
        return (f'// Made by tools/math/generate.py; do not edit. Polynomials minimise the largest error relative to the\n'
                f'// function they stand for (tools/math/minimax.py), lowest order first.\n'
                f'// clang-format off\n#pragma once\n\n#include "math/constants.hpp"\n\n'
                f'namespace frit {{\ninline namespace FRIT_ISA {{\nnamespace math {{\n\n'
                f'template <> struct {name}<{self.kind.ctype}> {{\n' + '\n'.join(self.lines) +
                f'\n}};\n\n}}  // namespace math\n}}  // namespace FRIT_ISA\n}}  // namespace frit\n')
