"""Constants of the logarithms of other bases and of sums, the inverse hyperbolic functions, and the roots."""
from mpmath import mpf, atanh, floor, log, nint, sqrt

from header import F64


def _tail(z):
    root = sqrt(z)
    return (2 * atanh(root / 2) / root - 1) / z


def _ratio_tail(h, k, largest):
    """The tail of log((2 + t)/(2 - t)) = t + t z tail with z = t^2, for 0 <= t <= largest."""
    h.polynomial('tail', '(2 atanh(t/2)/t - 1) / z with z = t^2', _tail, lambda z: z / (1 + z * _tail(z)), mpf(0),
                 mpf(largest) ** 2 * (1 + mpf(2) ** -12), k.tight, 4)


def logarithmic_family(h, k):
    h.pair('log2_e', 1 / log(2))
    h.pair('log10_e', 1 / log(10))
    h.note('log10(2) in two parts, the product of the first with an exponent being exact')
    h.pair('log10_2', log(2) / log(10), k.bits - k.exponent_bits)
    h.note('for log(1 + e) with e <= 1, as t = e / (1 + e/2)')
    _ratio_tail(h, k, mpf(2) / 3)


def inverse_hyperbolic_family(h, k):
    h.note('t of a mantissa in [sqrt(1/2), sqrt(2)], widened by what an exponent read from images is off: '
           'log2(m) - (m - 1) is at most 0.0861')
    octaves = mpf('0.5') + mpf('0.0861')
    m = mpf(2) ** octaves
    _ratio_tail(h, k, 2 * (m - 1) / (m + 1))


def _start_error(p, c, points):
    """The largest |1 - x y^(1/p)| for the y whose image is c - p times that of x, images in units of the exponent."""
    n = round(1 / p)
    worst = mpf(0)
    for i in range(points):
        place = mpf(n) * i / points
        e = floor(place)
        image = c - p * place
        k = floor(image)
        worst = max(worst, abs(1 - (1 + place - e) * 2 ** e * (2 ** k * (1 + image - k)) ** n))
    return worst


def _start(p, points=240):
    """c in steps of 2^-12 for the smallest error, and that error."""
    best = min(range(-409, 0), key=lambda i: _start_error(p, mpf(i) / 4096, points))
    return mpf(best) / 4096, _start_error(p, mpf(best) / 4096, 20 * points) * mpf('1.001')


def _inverse_root(h, k, p, error):
    """The first value from the image, and what multiplies it for h = 1 - x y^(1/p)."""
    c, edge = _start(p)
    h.polynomial('inverse', f'(1 - h)^(-1/{round(1 / p)}), which corrects the first value', lambda x: (1 - x) ** -p,
                 lambda x: (1 - x) ** p, -edge, edge, error)
    return c


def root_family(h, k):
    c = _inverse_root(h, k, mpf(1) / 3, mpf(2) ** (-23 if k is F64 else -18))
    cut = 13 if k is F64 else 9
    base = mpf(2) ** k.mantissa
    h.note(f'the image of the first value of x^(-1/3), without its last {cut} bits, is that of x times -1/3 and a constant;')
    h.note('`image_third` has added what the leading bit of the working number brings with it')
    h.integer('image_cut', cut)
    h.value('image_third', nint(base + base / 3 + (c + k.bias * mpf(4) / 3) * 2 ** (k.mantissa - cut)))
    third = k.round(mpf(1) / 3)
    h.value('third', third)
    h.note('with y = (1 + d) x^(-1/3), c = x y^2 and e = (x - c^3) y^3: (1 + d)^-2 = 1 + e/3 + 7/18 e^2 + ...')
    if k is F64:
        h.value('second', k.round(mpf(7) / 18))
    h.note('a multiple of 3 as the exponent, for subnormal numbers')
    raise_exponent = 54 if k is F64 else 30
    h.value('raise', mpf(2) ** raise_exponent)
    h.value('lower', mpf(2) ** (-raise_exponent // 3))


def inverse_root_family(h, k):
    c = _inverse_root(h, k, mpf(1) / 2, mpf(2) ** (-20 if k is F64 else -15))
    h.note('the image of the first value of x^(-1/2) is this minus half of that of x')
    h.integer('image_half', int(nint((c + k.bias * mpf(3) / 2) * 2 ** k.mantissa)))
    raise_exponent = 54 if k is F64 else 26
    h.note('for subnormal numbers')
    h.value('back', mpf(2) ** (raise_exponent // 2))


FAMILIES = {'logarithmic': logarithmic_family, 'inverse_hyperbolic': inverse_hyperbolic_family,
            'cube_root': root_family, 'inverse_root': inverse_root_family}
