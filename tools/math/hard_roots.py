"""Writes src/math/generated/hard_roots.hpp: the arguments whose square roots are hardest to round.

Usage: python hard_roots.py > src/math/generated/hard_roots.hpp

Let x have p bits, scaled to an integer x = X 2^s, s = p - 1 or p, so that its root lies in [2^(p-1), 2^p). The root rounds
the other way only at a midpoint n + 1/2, and x - (n + 1/2)^2 = k - 1/4 with an integer k = x - n^2 - n. A computation whose
error before the last rounding is e units in the last place can fail only for |k - 1/4| <= 2^(p + 1) e. X 2^s = n^2 + n + k
is (2n + 1)^2 = 1 - 4k modulo 2^(s + 2), which has at most four solutions, found bit by bit; so all arguments with |k| up to
a bound are a short list. (After M. Cornea, J. Harrison, P. T. P. Tang, Intel Itanium floating-point architecture, 2002.)
"""

BOUND = 40


def square_roots(c, bits):
    """All odd r below 2^bits with r^2 = c modulo 2^bits."""
    if c % 8 != 1:
        return []
    roots = {1, 3, 5, 7}
    for b in range(4, bits + 1):
        candidates = roots | {r + (1 << (b - 1)) for r in roots}
        roots = {r for r in candidates if (r * r - c) % (1 << b) == 0}
    return sorted(roots)


def hard_arguments(p):
    """The mantissas in [1, 4) as fractions X / 2^(p - 1) (times 2 for odd exponents), in increasing order."""
    found = set()
    for s in (p - 1, p):
        for k in range(-BOUND, BOUND + 1):
            for r in square_roots((1 - 4 * k) % (1 << (s + 2)), s + 2):
                n = (r - 1) // 2
                x = n * n + n + k
                if 1 << (p - 1) <= n < 1 << p and x % (1 << s) == 0 and 1 << (p - 1) <= x >> s < 1 << p:
                    found.add((x >> s) * (1 if s == p - 1 else 2))
    return [x / (1 << (p - 1)) for x in sorted(found)]


def main():
    print("// Written by tools/math/hard_roots.py, which says what the constants are. Do not edit.")
    print('#pragma once\n\n#include "lanes/isa.hpp"\n')
    print("namespace frit {\ninline namespace FRIT_ISA {\nnamespace math {\n")
    for name, type_name, p, suffix in (("hard_roots_f64", "double", 53, ""), ("hard_roots_f32", "float", 24, "f")):
        arguments = hard_arguments(p)
        print(f"inline constexpr {type_name} {name}[] = {{")
        for x in arguments:
            mantissa, exponent = x.hex().split("p")
            print(f"    {mantissa.rstrip('0').rstrip('.')}p{exponent}{suffix},")
        print("};\n")
    print("}  // namespace math\n}  // namespace FRIT_ISA\n}  // namespace frit")


main()
