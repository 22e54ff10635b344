"""Constants of the gamma function, its logarithm and the logarithm's derivative."""
from mpmath import mpf, digamma, euler, findroot, log, loggamma, pi, psi, sqrt

from header import F64


def reciprocal_root(f):
    """f(1 / sqrt(z)) as a function of z."""
    return lambda z: f(1 / sqrt(z))


def gamma_family(h, k):
    h.note('Stirling: log gamma(y) = (y - 1/2) (log y - 1) + stirling_constant + w stirling(w^2) with w = 1/y')
    constant = log(2 * pi) / 2 - mpf(1) / 2
    h.pair('stirling_constant', constant)

    def rest(y):
        return (loggamma(y) - (y - mpf(1) / 2) * (log(y) - 1) - constant) * y

    h.polynomial('stirling', '(log gamma(y) - (y - 1/2) (log y - 1) - stirling_constant) y over z = 1/y^2',
                 reciprocal_root(rest), sqrt, mpf(0), mpf(1) / 4, mpf(2) ** (-60 if k is F64 else -31), 14 if k is F64 else 3, 4)
    h.note('the derivative of log gamma at 2')
    slope = 1 - euler
    h.pair('slope', slope)

    bend = k.round(psi(1, 2) / 2)
    h.note('half the second derivative there')
    h.value('bend', bend)

    # The same polynomial serves log gamma(1 + d) = log gamma(2 + d) - log(1 + d).
    def weight(d):
        return abs(d) ** 3 / min(abs(loggamma(2 + d)), abs(loggamma(1 + d)))

    h.polynomial('near_two', '(log gamma(2 + d) - slope d - bend d^2) / d^3',
                 lambda d: (loggamma(2 + d) - slope * d - bend * d ** 2) / d ** 3, weight, -mpf(1) / 2, mpf(1) / 2, k.tight,
                 15 if k is F64 else 5, 4)
    h.note('the inverse of pi in two parts')
    h.pair('one_over_pi', 1 / pi)


def digamma_family(h, k):
    h.note('the positive zero')
    zero = findroot(digamma, mpf('1.4616'))
    hi = h.pair('zero', zero)
    h.note('its distance from 1 but for zero_lo, exactly')
    h.value('zero_below', k.round(hi - 1))

    h.note('the derivative there')
    slope = psi(1, zero)
    h.pair('zero_slope', slope)
    bend = k.round(psi(2, zero) / 2)
    h.note('half the second derivative')
    h.value('zero_bend', bend)
    h.polynomial('near_zero', '(digamma(zero + d) - zero_slope d - zero_bend d^2) / d^3',
                 lambda d: (digamma(zero + d) - slope * d - bend * d ** 2) / d ** 3,
                 lambda d: abs(d ** 3 / digamma(zero + d)), 1 - zero, 2 - zero, k.tight, 18 if k is F64 else 7, 4)

    def rest(y):
        return (log(y) - digamma(y) - 1 / (2 * y)) * y * y

    h.polynomial('far', '(log y - digamma(y) - 1/(2 y)) y^2 over z = 1/y^2', reciprocal_root(rest), lambda z: z,
                 mpf(0), mpf(1) / 4, mpf(2) ** (-60 if k is F64 else -31), 14 if k is F64 else 3, 4)


FAMILIES = {'gamma': gamma_family, 'digamma': digamma_family}
