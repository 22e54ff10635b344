"""Writes tests/accuracy/golden: values of the real functions with 50 digits, one file an op.

    python tools/math/golden.py            write the files
    python tools/math/golden.py --check    make them again and compare, exit status 1 where one differs

A line has the operands, which are numbers of f64 and every other time of f32 too, and the value. The functions are mpmath's, with
80 digits. A file whose op does not exist waits for it.
"""
import argparse
import math
import pathlib
import random
import struct
import sys

import mpmath
from mpmath import mp, mpf

mp.dps = 80
FOLDER = pathlib.Path(__file__).resolve().parents[2] / 'tests' / 'accuracy' / 'golden'


def sign_of(x):
    return -1 if x < 0 else 1


def erfinv(x):
    """mpmath's has few digits beside 1."""
    y = mpmath.erfinv(x)
    for _ in range(4):
        tail = mpmath.erfc(abs(y)) - (1 - abs(x))
        y += sign_of(x) * tail * mpmath.sqrt(mp.pi) / 2 * mpmath.exp(y * y)
    return y


def erfcinv(x):
    """By Newton's method for the logarithm of erfc."""
    if x > 1:
        return -erfcinv(2 - x)
    y = mpmath.sqrt(-mpmath.log(x)) if x < mpf(1) / 100 else (1 - x) * mpf('0.9')
    for _ in range(60):
        rest = mpmath.erfc(y)
        step = rest * mpmath.log(rest / x) * mpmath.sqrt(mp.pi) / 2 * mpmath.exp(y * y)
        y += step
        if abs(step) < abs(y) * mpf(10) ** -70:
            break
    return y


# Of one operand: the function, and intervals. (a, b) is uniform; (a, b, 'log') has every size of |x| alike.
ONE = {
    'sqrt': (mpmath.sqrt, [(0, 10), (1e-300, 1e300, 'log')]),
    'rsqrt': (lambda x: 1 / mpmath.sqrt(x), [(0, 10), (1e-300, 1e300, 'log')]),
    'cbrt': (lambda x: sign_of(x) * mpmath.cbrt(abs(x)), [(-10, 10), (1e-300, 1e300, 'log')]),
    'exp': (mpmath.exp, [(-80, 80), (-740, 700), (1e-12, 1, 'log')]),
    'exp2': (lambda x: mpf(2) ** x, [(-120, 120), (-1070, 1020), (1e-12, 1, 'log')]),
    'exp10': (lambda x: mpf(10) ** x, [(-37, 37), (-322, 307), (1e-12, 1, 'log')]),
    'expm1': (mpmath.expm1, [(-30, 80), (-2, 700), (1e-30, 1, 'log')]),
    'log': (mpmath.log, [(0, 3), (0.9, 1.1), (1e-300, 1e300, 'log')]),
    'log2': (lambda x: mpmath.log(x, 2), [(0, 3), (0.9, 1.1), (1e-300, 1e300, 'log')]),
    'log10': (mpmath.log10, [(0, 3), (0.9, 1.1), (1e-300, 1e300, 'log')]),
    'log1p': (mpmath.log1p, [(-1, 3), (1e-30, 0.5, 'log'), (1, 1e300, 'log')]),
    'sin': (mpmath.sin, [(-10, 10), (-1e6, 1e6), (1e-20, 1e300, 'log')]),
    'cos': (mpmath.cos, [(-10, 10), (-1e6, 1e6), (1e-20, 1e300, 'log')]),
    'tan': (mpmath.tan, [(-10, 10), (-1e6, 1e6), (1e-20, 1e300, 'log')]),
    'asin': (mpmath.asin, [(-1, 1), (0.9, 1), (1e-20, 1, 'log')]),
    'acos': (mpmath.acos, [(-1, 1), (0.9, 1), (1e-20, 1, 'log')]),
    'atan': (mpmath.atan, [(-3, 3), (1e-20, 1e20, 'log')]),
    'sinh': (mpmath.sinh, [(-80, 80), (-3, 3), (1e-20, 700, 'log')]),
    'cosh': (mpmath.cosh, [(-80, 80), (-3, 3), (1e-20, 700, 'log')]),
    'tanh': (mpmath.tanh, [(-20, 20), (-1, 1), (1e-20, 1, 'log')]),
    'asinh': (mpmath.asinh, [(-3, 3), (1e-20, 1e300, 'log')]),
    'acosh': (mpmath.acosh, [(1, 3), (1, 1.01), (1, 1e300, 'positive')]),
    'atanh': (mpmath.atanh, [(-1, 1), (0.99, 1), (1e-20, 1, 'log')]),
    'sinpi': (mpmath.sinpi, [(-3, 3), (-1000, 1000), (1e-20, 1e6, 'log')]),
    'cospi': (mpmath.cospi, [(-3, 3), (-1000, 1000), (1e-20, 1e6, 'log')]),
    'erf': (mpmath.erf, [(-3, 3), (1e-20, 5, 'log')]),
    'erfc': (mpmath.erfc, [(-3, 9), (0, 26), (1e-20, 1, 'log')]),
    'erfinv': (erfinv, [(-1, 1), (0.99, 1), (1e-20, 1, 'log')]),
    'erfcinv': (erfcinv, [(0, 2), (0, 0.01), (1e-300, 1, 'positive')]),
    'sinc': (lambda x: mpmath.sincpi(x), [(-10, 10), (-1000, 1000), (1e-20, 1e100, 'log')]),
    'gamma': (mpmath.gamma, [(0, 30), (-30, 0), (0, 170), (1e-20, 1, 'log')]),
    'lgamma': (lambda x: mpmath.re(mpmath.loggamma(x)), [(0, 4), (-20, 0), (0, 1000), (1e-20, 1e10, 'log')]),
    'digamma': (mpmath.digamma, [(0, 4), (-20, 0), (0, 1000), (1e-20, 1e10, 'log')]),
    'softplus': (lambda x: mpmath.log1p(mpmath.exp(x)), [(-20, 20), (-80, 80), (-700, 700)]),
    'logistic': (lambda x: 1 / (1 + mpmath.exp(-x)), [(-20, 20), (-80, 80), (-700, 30)]),
}

# Of two: the function, and an interval for each.
TWO = {
    'atan2': (mpmath.atan2, [((-3, 3), (-3, 3)), ((1e-20, 1e20, 'log'), (1e-20, 1e20, 'log'))]),
    'pow': (mpmath.power, [((0, 10), (-8, 8)), ((0.9, 1.1), (-700, 700)), ((1e-20, 1e20, 'positive'), (-1.8, 1.8))]),
    'hypot': (mpmath.hypot, [((-3, 3), (-3, 3)), ((1e-15, 1e15, 'log'), (1e-15, 1e15, 'log'))]),
    'logaddexp2': (lambda x, y: mpmath.log(mpf(2) ** x + mpf(2) ** y, 2), [((-3, 3), (-3, 3)), ((-80, 80), (-80, 80))]),
    'logaddexp': (lambda x, y: mpmath.log(mpmath.exp(x) + mpmath.exp(y)), [((-3, 3), (-3, 3)), ((-80, 80), (-80, 80))]),
}

POINTS = 16  # of an interval


def rounded(x, f32):
    return struct.unpack('f', struct.pack('f', x))[0] if f32 else x


def drawn(rng, interval, f32):
    low, high, *how = interval
    if f32 and how:
        low, high = max(low, 1e-37), min(high, 1e38)
    if how:
        x = math.exp(math.log(low) + (math.log(high) - math.log(low)) * rng.random())
        return rounded(x if how == ['positive'] or rng.random() < 0.5 else -x, f32)
    return rounded(low + (high - low) * rng.random(), f32)


def text_of(name):
    rng = random.Random(name)
    function, intervals = ONE[name] if name in ONE else TWO[name]
    lines = [f'# Made by tools/math/golden.py; do not edit. Operands and {name}, 50 digits.']
    for interval in intervals:
        for i in range(POINTS):
            while True:
                pair = interval if name in TWO else (interval,)
                operands = [drawn(rng, part, i % 2 == 0) for part in pair]
                try:
                    value = function(*(mpf(x) for x in operands))
                except (ValueError, ZeroDivisionError):
                    continue
                # Real, and in the range of f32 where the operands are.
                size = abs(value) if isinstance(value, mpf) else mpf(0)
                least, most = (mpf(2) ** -125, mpf(2) ** 127) if i % 2 == 0 else (mpf(2) ** -1021, mpf(2) ** 1023)
                if least < size < most:
                    break
            lines.append(' '.join([*(x.hex() for x in operands), mpmath.nstr(value, 50, strip_zeros=False)]))
    return '\n'.join(lines) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    differs = []
    for name in (*ONE, *TWO):
        path, text = FOLDER / f'{name}.txt', text_of(name)
        if not options.check:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            differs.append(path.name)
    if differs:
        sys.exit('not what the script makes: ' + ', '.join(differs))


if __name__ == '__main__':
    main()
