"""Writes src/math/generated/complex_log.hpp: the coefficients and constants of complex log and pow.

Usage: python complex_log.py > src/math/generated/complex_log.hpp        (needs mpmath)

atanh(u) = u + u t (1/3 + t Q(t)) with t = u^2, and atan(u) is the same with t = -u^2, so one Q on a symmetric interval
serves the logarithm of the modulus and the angle. Q interpolates at Chebyshev nodes, which is within a factor of two of
the best polynomial; the degree is the least that leaves the whole series the relative error the caller asks for.
"""
import struct

from mpmath import atan, chebyt, cos, fabs, log, mp, mpf, pi, tan

mp.prec = 400


def to_double(x):
    return float(x)  # mpmath rounds to nearest even


def to_float(x):
    # A value that is exact in double after one rounding to 24 bits.
    with_prec = mp.prec
    mp.prec = 24
    y = +x
    mp.prec = with_prec
    return struct.unpack("f", struct.pack("f", float(y)))[0]


def series(t):
    # (atanh(u)/u - 1 - t/3) / t^2
    total, k, power = mpf(0), 2, mpf(1)
    while fabs(power) > mpf(2) ** -300 or k < 4:
        total += power / (2 * k + 1)
        power *= t
        k += 1
        if power == 0:
            break
    return total


def interpolate(f, bound, degree):
    n = degree + 1
    nodes = [bound * cos((2 * k + 1) * pi / (2 * n)) for k in range(n)]
    table = [f(x) for x in nodes]
    for level in range(1, n):  # divided differences
        for i in range(n - 1, level - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (nodes[i] - nodes[i - level])
    coefficients = [mpf(0)] * n
    for i in range(n - 1, -1, -1):  # Newton form to powers
        shifted = [mpf(0)] + coefficients[:-1]
        coefficients = [s - nodes[i] * c for s, c in zip(shifted, coefficients)]
        coefficients[0] += table[i]
    return coefficients


def worst(f, coefficients, bound):
    result = mpf(0)
    for k in range(-200, 201):
        t = bound * k / 200
        value = mpf(0)
        for c in reversed(coefficients):
            value = value * t + c
        result = max(result, t * t * fabs(value - f(t)))
    return result


def fit(bound, target, round_to):
    for degree in range(1, 20):
        coefficients = [mpf(round_to(c)) for c in interpolate(series, bound, degree)]
        error = worst(series, coefficients, bound)
        if error < target:
            return coefficients, error
    raise SystemExit("no degree reaches the target")


def top_bits(x, count):
    exponent = int(mp.floor(log(x, 2)))
    unit = mpf(2) ** (exponent - count + 1)
    return mp.nint(x / unit) * unit


def pair(x, round_to):
    hi = mpf(round_to(x))
    return hi, mpf(round_to(x - hi))


def literal(x, suffix):
    return float(x).hex() + suffix


def emit(name, element, suffix, round_to, target, ln2_bits):
    # The logarithm reduces to m in [sqrt(1/2), sqrt(2)], the angle to 9 degrees about the centres 0, 18, 36 degrees
    # (their tangents cut to eight bits); a little more covers the rounding of the comparisons.
    centres = [top_bits(tan(pi * d / 180), 8) for d in (18, 36)]
    limits = [tan(pi * d / 180) for d in (9, 27)]
    widest = max((mpf(2).sqrt() - 1) / (mpf(2).sqrt() + 1), tan(pi * 9.3 / 180))
    bound = widest ** 2 * mpf("1.001")
    for low, centre in zip(limits, centres):
        assert fabs(atan(centre) - atan(low)) < atan(widest)
    assert pi / 4 - atan(centres[1]) < atan(widest) and limits[1] > 0
    assert fabs(atan(limits[1]) - atan(centres[0])) < atan(widest)
    coefficients, error = fit(bound, target, round_to)
    half_ln2_hi = top_bits(log(2) / 2, ln2_bits)
    lines = [f"template <>\nstruct ComplexLogConstants<{element}> {{"]
    lines.append(f"  // Error of the series, relative: 2^{float(log(error, 2)):.1f} for |u^2| <= {float(bound):.5f}.")
    lines.append(f"  static constexpr int terms = {len(coefficients)};")
    lines.append(f"  static constexpr {element} q[terms] = {{")
    for c in coefficients:
        lines.append(f"      {literal(c, suffix)},")
    lines.append("  };")

    def constant(key, value):
        lines.append(f"  static constexpr {element} {key} = {literal(value, suffix)};")

    def constant_pair(key, value):
        hi, lo = pair(value, round_to)
        constant(key + "_hi", hi)
        constant(key + "_lo", lo)

    constant_pair("third", mpf(1) / 3)
    constant("half_ln2_hi", half_ln2_hi)
    constant("half_ln2_lo", mpf(round_to(log(2) / 2 - half_ln2_hi)))
    constant_pair("pi", +pi)
    constant_pair("half_pi", pi / 2)
    for i, (centre, limit) in enumerate(zip(centres, limits), 1):
        constant(f"limit{i}", mpf(round_to(limit)))
        constant(f"centre{i}", centre)
        constant_pair(f"centre{i}_angle", atan(centre))
    lines.append("};")
    return "\n".join(lines)


def main():
    print("// Written by tools/math/complex_log.py, which says what the constants are. Do not edit.")
    print("#pragma once\n")
    print('#include "lanes/isa.hpp"\n')
    print("namespace frit {\ninline namespace FRIT_ISA {\nnamespace math {\n")
    print("template <class Element>\nstruct ComplexLogConstants;\n")
    # K has 12 bits (f64) or 9 bits (f32): K * half_ln2_hi is exact.
    print(emit("f64", "double", "", to_double, mpf(2) ** -65, 41))
    print()
    print(emit("f32", "float", "f", to_float, mpf(2) ** -33, 15))
    print("\n}  // namespace math\n}  // namespace FRIT_ISA\n}  // namespace frit")


main()
