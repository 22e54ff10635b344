"""Constants of exp2, exp10 and of the hyperbolic functions."""
from mpmath import mpf, exp, expm1, log, sqrt, sinh, cosh

from header import F64

EDGE = mpf(1) / 2 * (1 + mpf(2) ** -10)  # the reduced argument in units of the logarithm of 2


def reach(k):
    """As exp's: the coefficient that float would need for a fiftieth of an ulp is not worth its operation."""
    return k.tight if k is F64 else k.tight * 3


def exp2_family(h, k):
    first = k.round(log(2))
    h.value('ln2', first)
    h.polynomial('tail', '(2^r - 1 - r ln2) / r^2', lambda r: (mpf(2) ** r - 1 - r * first) / r ** 2,
                 lambda r: r ** 2 / mpf(2) ** r, -EDGE, EDGE, reach(k), 4)


def exp10_family(h, k):
    ten, two = log(10), log(2) / log(10)
    hi = k.round(two, k.bits - k.exponent_bits)
    lo = k.round(two - hi)
    h.note(f'log10(2) = lg2_hi + lg2_lo, where lg2_hi has {k.bits - k.exponent_bits} bits: its product with an exponent is exact')
    h.value('lg2_hi', hi)
    h.value('lg2_lo', lo)
    h.value('ln2_lo', k.round(lo * ten))
    h.note('ln 10 in two parts')
    h.pair('ln10', ten)
    h.value('log2_10', k.round(1 / two))
    edge = EDGE * two
    h.polynomial('tail', '(10^r - 1 - r ln 10) / r^2', lambda r: (mpf(10) ** r - 1 - r * ten) / r ** 2,
                 lambda r: r ** 2 / mpf(10) ** r, -edge, edge, reach(k), 4)


def expm1_family(h, k):
    offset = k.round(mpf(-3) / 32)
    h.note('added to x / ln 2 before it is rounded to an integer')
    h.value('offset', offset)
    low, high = ((side - offset) * log(2) for side in (-EDGE, EDGE))
    h.polynomial('tail', '(exp(r) - 1 - r - r^2/2) / r^3', lambda r: (exp(r) - 1 - r - r ** 2 / 2) / r ** 3,
                 lambda r: abs(r ** 3 / expm1(r)), low, high, k.tight, 4)


def hyperbolic_family(h, k):
    edge = (EDGE * log(2)) ** 2
    h.polynomial('sinh_tail', '(sinh(r)/r - 1) / z with z = r^2', lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z,
                 lambda z: z * sqrt(z) / sinh(sqrt(z)), mpf(0), edge, k.tight)
    h.polynomial('cosh_tail', '(cosh(r) - 1) / z with z = r^2', lambda z: (cosh(sqrt(z)) - 1) / z,
                 lambda z: z / cosh(sqrt(z)), mpf(0), edge, k.tight * 2)


FAMILIES = {'exp2': exp2_family, 'exp10': exp10_family, 'expm1': expm1_family,
            'hyperbolic': hyperbolic_family}
