"""Constants of exp, log, the circular functions and their inverses."""
from mpmath import mp, mpf, exp, log, sqrt, sin, cos, asin, atan, atanh, pi, floor

from header import F32, F64


def exp_family(h, k):
    n_bits = k.exponent_bits
    h.note(f'ln 2 = ln2_hi + ln2_lo, where ln2_hi has {k.bits - n_bits} bits: its product with an exponent is exact')
    h.pair('ln2', log(2), k.bits - n_bits)
    h.value('log2_e', k.round(1 / log(2)))
    edge = log(2) / 2 * (1 + mpf(2) ** -10)
    h.polynomial('tail', '(exp(r) - 1 - r) / r^2', lambda r: (exp(r) - 1 - r) / r ** 2, lambda r: r ** 2 / exp(r),
                 -edge, edge, k.tight, 4)
    if k is F32:
        h.note('one coefficient less, where the argument is no pair')
        h.polynomial('short_tail', '(exp(r) - 1 - r) / r^2', lambda r: (exp(r) - 1 - r) / r ** 2,
                     lambda r: r ** 2 / exp(r), -edge, edge, k.tight * 3, 4)


def log_family(h, k):
    h.note('ln 2 in two parts, the product of the first with an exponent being exact')
    h.pair('ln2', log(2), k.bits - k.exponent_bits)
    h.note('the image of sqrt(1/2), where the mantissa range begins')
    h.integer('mantissa_begin', k.image(sqrt(mpf(1) / 2)))
    s = (sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)
    top = s ** 2 * (1 + mpf(2) ** -12)

    def series(z, skip):
        root = sqrt(z)
        return 2 * atanh(root) / root - sum(2 * z ** i / (2 * i + 1) for i in range(skip))

    h.polynomial('tail', '(2 atanh(s)/s - 2) / z with z = s^2', lambda z: series(z, 1) / z, lambda z: z / 2,
                 mpf(0), top, k.tight)
    h.note('for logarithms of more than working precision: the first term apart, in two parts')
    h.pair('third', mpf(1) / 3)
    fine = mpf(2) ** (-69 if k is F64 else -39)
    h.polynomial('pair_tail', '(atanh(s)/s - 1 - z/3) / z^2 with z = s^2', lambda z: series(z, 2) / 2 / z ** 2,
                 lambda z: z ** 2, mpf(0), top, fine)


def trig_family(h, k):
    split = 33 if k is F64 else 14
    limit = 20 if k is F64 else 10
    p1 = k.round(pi / 2)
    p2 = k.round(pi / 2 - p1, split)
    p3 = k.round(pi / 2 - p1 - p2)
    h.note(f'pi/2 in three parts; the second has {split} bits, so its product with a quotient below 2^{limit} is exact')
    h.value('pio2_1', p1)
    h.value('pio2_2', p2)
    h.value('pio2_3', p3)
    h.value('two_over_pi', k.round(2 / pi))
    h.note(f'the largest argument for them: a little below 2^{limit} pi/2')
    h.value('direct_limit', floor(mpf(2) ** limit * pi / 2 * mpf('0.999')))
    h.note('pi/2 in two parts')
    h.pair('pio2', pi / 2)
    edge = (pi / 4 * (1 + mpf(2) ** -9)) ** 2
    h.polynomial('sin_tail', '(sin(r)/r - 1) / z with z = r^2', lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z,
                 lambda z: z * sqrt(z) / sin(sqrt(z)), mpf(0), edge, k.tight)
    h.polynomial('cos_tail', '(cos(r) - 1 + z/2) / z^2 with z = r^2', lambda z: (cos(sqrt(z)) - 1 + z / 2) / z ** 2,
                 lambda z: z ** 2 / cos(sqrt(z)), mpf(0), edge, k.tight)
    # x = M 2^(first + step j) with an integer M. A multiple of 4 in 2^(first + step j) 2/pi turns x by whole circles,
    # so only the rest is kept, in four parts that do not overlap.
    least = limit  # the exponent of direct_limit
    first, step = least - k.mantissa, 16 if k is F64 else 4
    rows = (k.bias - least) // step + 1
    mp.prec = 1400
    entries = []
    for j in range(rows):
        rest = 2 / pi * mpf(2) ** (first + step * j)
        rest -= 4 * floor(rest / 4)
        row = []
        for _ in range(4):
            row.append(k.round(rest))
            rest -= row[-1]
        entries.append(row)
    mp.prec = 260
    h.note(f'row j holds 2/pi * 2^({first} + {step} j) modulo 4 in four parts')
    h.integer('least_exponent', least)
    h.integer('row_shift', step.bit_length() - 1)
    h.integer('rows', rows)
    body = ',\n      '.join(', '.join(k.literal(c) for c in row) for row in entries)
    h.lines.append(f'  static constexpr {k.ctype} turns[{rows} * 4] = {{\n      {body}}};')


def inverse_trig_family(h, k):
    h.pair('pio2', pi / 2)
    h.pair('pi', +pi)
    h.polynomial('asin_tail', '(asin(s)/s - 1) / z with z = s^2', lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z,
                 lambda z: z * sqrt(z) / asin(sqrt(z)), mpf(0), mpf(1) / 4, k.tight, 4)
    h.note('pi/4 in two parts, the first times 3 being exact')
    h.pair('pio4', pi / 4, k.bits - 2)
    h.polynomial('atan_tail', '(atan(t)/t - 1) / u with u = t^2', lambda u: (atan(sqrt(u)) / sqrt(u) - 1) / u,
                 lambda u: u * sqrt(u) / atan(sqrt(u)), mpf(0), mpf(1) / 4, k.tight, 4)


FAMILIES = {'exp': exp_family, 'log': log_family, 'trig': trig_family, 'inverse_trig': inverse_trig_family}
