"""Constants of the complex functions: hyperbolic ones of a reduced argument, and atanh of a quotient."""
from mpmath import mpf, log, sqrt, sinh, cosh, atanh


def complex_hyperbolic_family(h, k):
    edge = (log(2) / 2 * (1 + mpf(2) ** -10)) ** 2
    h.polynomial('sinh_tail', '(sinh(r)/r - 1) / z with z = r^2', lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z,
                 lambda z: z * sqrt(z) / sinh(sqrt(z)), mpf(0), edge, k.tight)
    h.polynomial('cosh_tail', '(cosh(r) - 1 - z/2) / z^2 with z = r^2', lambda z: (cosh(sqrt(z)) - 1 - z / 2) / z ** 2,
                 lambda z: z ** 2 / cosh(sqrt(z)), mpf(0), edge, k.tight)
    h.note('ln 2 in two parts')
    h.value('ln2_hi', k.round(log(2)))
    h.value('ln2_lo', k.round(log(2) - k.round(log(2))))
    # A quotient of two numbers is taken by the difference of their images, a logarithm to 0.0861 (the largest difference of
    # log2(1 + m) and m): it lies within 2^0.5861 of a power of two.
    ratio = mpf(2) ** mpf('0.5862')
    top = ((ratio - 1) / (ratio + 1)) ** 2
    h.polynomial('atanh_tail', '(atanh(u)/u - 1) / t with t = u^2', lambda t: (atanh(sqrt(t)) / sqrt(t) - 1) / t,
                 lambda t: t * sqrt(t) / atanh(sqrt(t)), mpf(0), top, k.tight)


FAMILIES = {'complex_hyperbolic': complex_hyperbolic_family}
