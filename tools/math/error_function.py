"""Constants of erf, erfc and their inverses."""
from mpmath import mpf, erf, erfc, exp, expm1, log, log1p, sqrt, pi

from header import F64


def erf_family(h, k):
    double = k is F64
    split = mpf(13) / 16
    most = mpf(6 if double else 4)
    h.note('where the form changes, and from where on erf is 1 to the last bit')
    h.value('split', split)
    h.value('most', most)
    h.steady_polynomial('small', '(erf(x)/x - 1) with z = x^2', lambda z: erf(sqrt(z)) / sqrt(z) - 1,
                        lambda z: sqrt(z) / erf(sqrt(z)), mpf(2) ** -60, split ** 2,
                        mpf(2) ** (-56 if double else -30), 12 if double else 7)
    edge = erfc(split)
    h.steady_polynomial('log_ratio', 'log2(erfc(split + t) / erfc(split)) / t',
                        lambda t: log(erfc(split + t) / edge, 2) / t,
                        lambda t: t * erfc(split + t) * log(2) / erf(split + t), mpf(2) ** -40, most - split,
                        mpf(2) ** (-57 if double else -31), 18 if double else 7)
    half = mpf(1) / 2
    h.steady_polynomial('power', 'erfc(split) 2^r', lambda r: edge * mpf(2) ** r, lambda r: mpf(2) ** r,
                        -half, half, mpf(2) ** (-55 if double else mpf(-53) / 2), 12 if double else 7)


def erfc_family(h, k):
    double, middle = k is F64, mpf(7) / 16 if k is F64 else mpf(3) / 8
    shift, factor = mpf('3.5') if double else mpf(3), mpf(9) / 8
    most = mpf('27.3' if double else '10.1')
    h.note('erfc is 0 from here on, subnormal numbers too')
    h.value('zero', k.round(most))
    if double:
        h.note('erfc is a normal number up to here')
        h.value('least', mpf('26.5'))
    h.value('middle', middle)
    h.value('shift', shift)
    h.note('next to 2 / sqrt(pi), so that `scaled` is level at 0')
    h.value('factor', factor)

    def scaled(t):
        x = shift * (middle + t) / (1 - middle - t)
        return (1 + factor * x) * exp(x * x) * erfc(x)

    h.steady_polynomial('scaled', f'(1 + {float(factor):g} x) exp(x^2) erfc(x) with t = x / (x + {float(shift):g}) - middle', scaled,
                        lambda t: 1 / scaled(t), -middle, most / (most + shift) - middle,
                        mpf(2) ** (-57 if double else mpf(-57) / 2), 23 if double else 11, True)


def inverse(w):
    """erfinv(x) for x = sqrt(1 - exp(-w)), by Newton's method on log(erfc)."""
    x = sqrt(-expm1(-w))
    if w < mpf(2) ** -100:
        return x * sqrt(pi) / 2 * (1 + w * pi / 12)
    if w < mpf(2) ** -10:
        y = x * sqrt(pi) / 2
        for _ in range(6):
            y -= (erf(y) - x) * sqrt(pi) / 2 * exp(y * y)
        return y
    target = log(-expm1(log1p(-exp(-w)) / 2))
    y = sqrt(w) * mpf('0.87') if w < 8 else sqrt(w - log(w * pi) / 2)
    for _ in range(8):
        e = erfc(y)
        y += (log(e) - target) * sqrt(pi) / 2 * exp(y * y) * e
    return y


def erfinv_family(h, k):
    double = k is F64
    least = mpf(2) ** -15
    most = -log(least)
    base, slope, middle = k.round(sqrt(pi) / 2, k.bits // 2), mpf(7) / 32, mpf(5)
    h.note('the form changes at 1 - x^2 = least')
    h.value('least', least)
    h.value('base', base)
    h.value('slope', slope)
    h.value('middle', middle)

    def factor(w):
        return inverse(w) / sqrt(-expm1(-w))

    h.steady_polynomial('centre', 'erfinv(x)/x - base - slope w with w = -log(1 - x^2) = t + middle',
                        lambda t: factor(t + middle) - base - slope * (t + middle), lambda t: 1 / factor(t + middle),
                        mpf(2) ** -80 - middle, most * (1 + mpf(2) ** -12) - middle,
                        mpf(2) ** (-57 if double else -27), 32 if double else 15)
    shift = mpf(2)
    begin = sqrt(most) * (1 - mpf(2) ** -12)
    tails = [('tail', begin, mpf('6.02'), 20), ('far_tail', mpf(6), mpf('27.4'), 23)] if double else \
        [('tail', begin, mpf('10.2'), 11)]
    h.value('shift', shift)
    if double:
        h.value('tail_end', mpf(6))
    for name, low, high, count in tails:
        offset = k.round((1 / (low + shift) + 1 / (high + shift)) / 2, 8)
        h.value(f'{name}_middle', offset)
        h.steady_polynomial(name, f'erfinv(x)/s - 1 with s = sqrt(w), 1 / (s + {float(shift):g}) = t + {name}_middle',
                            lambda t: inverse((1 / (t + offset) - shift) ** 2) / (1 / (t + offset) - shift) - 1,
                            lambda t: mpf(1), 1 / (high + shift) - offset, 1 / (low + shift) - offset,
                            mpf(2) ** (-58 if double else -30), count)


FAMILIES = {'erf': erf_family, 'erfc': erfc_family, 'erfinv': erfinv_family}
