"""Minimax polynomials with machine-number coefficients.

fit() minimises the largest weighted error max |w(x) (p(x) - g(x))| over an interval by Remez exchange on a fine
Chebyshev grid. The coefficients are then rounded one at a time, lowest order first, and after each rounding the higher
ones are fitted again, so that they absorb the error that the rounding made.
"""
from mpmath import mp, mpf, cos, pi, floor, frexp, fsum, ldexp

mp.prec = 260


def round_to(x, bits):
    """x to the nearest number of that many significant bits, ties to even."""
    if x == 0:
        return mpf(0)
    mantissa, exponent = frexp(x)
    scaled = ldexp(mantissa, bits)
    whole = floor(scaled)
    rest = scaled - whole
    if rest > mpf(1) / 2 or (rest == mpf(1) / 2 and whole % 2 == 1):
        whole += 1
    return ldexp(whole, exponent - bits)


def _grid(low, high, points):
    middle, half = (low + high) / 2, (high - low) / 2
    return [middle - half * cos(pi * (2 * i + 1) / (2 * points)) for i in range(points)]


def _horner(coefficients, x):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def _solve(rows, right):
    """Gauss's algorithm; the pivot is the largest relative to its row. Written out, so that its rounding, which decides ties in
    _exchange, is not that of a version of mpmath."""
    mp.prec += 10
    rows, right, n = [row[:] for row in rows], right[:], len(rows)
    for j in range(n - 1):
        pivot = max(range(j, n), key=lambda i: 1 / fsum(abs(v) for v in rows[i][j:]) * abs(rows[i][j]))
        rows[j], rows[pivot] = rows[pivot], rows[j]
        right[j], right[pivot] = right[pivot], right[j]
        top = rows[j]
        for i in range(j + 1, n):
            row = rows[i]
            factor = row[j] / top[j]
            for k in range(j + 1, n):
                row[k] -= factor * top[k]
            right[i] -= factor * right[j]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            right[i] -= rows[i][k] * right[k]
        right[i] /= rows[i][i]
    mp.prec -= 10
    return right


# Errors over the grid are computed in integers, multiples of 2^-FINE: a tenth of the time that mpf takes.
FINE = 320


def _fixed(values):
    return [int(floor(ldexp(v, FINE))) for v in values]


def _fixed_errors(coefficients, xs, target, weight):
    """weight (p - target) at each point; all are fixed."""
    totals = [0] * len(xs)
    for c in reversed(coefficients):
        totals = [(total * x >> FINE) + c for total, x in zip(totals, xs)]
    return [(total - t) * w >> FINE for total, t, w in zip(totals, target, weight)]


def _exchange(xs, target, weight, count):
    """Coefficients of `count` terms that minimise the weighted error on the grid, and that error."""
    step = (len(xs) - 1) / (count)
    chosen = sorted({round(i * step) for i in range(count + 1)})
    fixed = [_fixed(values) for values in (xs, target, weight)]
    best = None
    for _ in range(40):
        system = []
        for i in chosen:
            powers = [weight[i]]
            for _ in range(count - 1):
                powers.append(powers[-1] * xs[i])
            system.append(powers + [mpf((-1) ** len(system))])
        *coefficients, level = _solve(system, [weight[i] * target[i] for i in chosen])
        error = _fixed_errors(_fixed(coefficients), *fixed)
        worst = ldexp(mpf(max(abs(e) for e in error)), -FINE)
        if best is None or worst < best[1]:
            best = (coefficients, worst)
        if worst <= abs(level) * mpf('1.001'):
            break
        extrema = []
        for i, e in enumerate(error):
            if extrema and (e > 0) == (error[extrema[-1]] > 0):
                if abs(e) > abs(error[extrema[-1]]):
                    extrema[-1] = i
            else:
                extrema.append(i)
        # NOTE: both ends may be points where the errors are levelled, so mpf's rounding decides, which is the same everywhere.
        size = lambda i: abs(weight[i] * (_horner(coefficients, xs[i]) - target[i]))
        while len(extrema) > count + 1:
            extrema.pop(0 if size(extrema[0]) < size(extrema[-1]) else -1)
        if len(extrema) < count + 1 or extrema == chosen:
            break
        chosen = extrema
    return best


def fit(g, weight, low, high, bits, error_below, first_count=2, refits=None):
    """The shortest polynomial whose weighted error stays below `error_below`: (coefficients, largest error).

    After `refits` roundings the other coefficients are rounded as they are: where the interval has zero inside, the weights of
    high powers vanish there and the exchange finds nothing, and the rounding of a coefficient that small does not matter."""
    low, high = mpf(low), mpf(high)
    count = first_count
    while True:
        xs = _grid(low, high, 24 * (count + 2))
        target, w = [g(x) for x in xs], [weight(x) for x in xs]
        if _exchange(xs, target, w, count)[1] < error_below:
            break
        count += 1
    fixed = []
    for k in range(count if refits is None else refits):
        rest = [(t - _horner(fixed, x)) / x ** k for t, x in zip(target, xs)]
        scaled = [wi * abs(x) ** k for wi, x in zip(w, xs)]
        coefficients, _ = _exchange(xs, rest, scaled, count - k)
        fixed.append(round_to(coefficients[0], bits))
    fixed += [round_to(c, bits) for c in coefficients[1:]]
    worst = max(abs(wi * (_horner(fixed, x) - t)) for wi, x, t in zip(w, xs, target))
    return fixed, worst


def fit_steady(g, weight, low, high, bits, count, first_bits=None):
    """A polynomial of `count` terms whose variable may be zero inside the interval: (coefficients, largest error).

    There the refits of fit() do not converge, since their weights vanish inside. Here the rounding error of a coefficient is
    absorbed by the higher ones in the sense of least squares, whose normal equations are the same moments for all of them.
    The first one may have more bits.
    """
    low, high = mpf(low), mpf(high)
    xs = _grid(low, high, 12 * (count + 2))
    target, w = [g(x) for x in xs], [weight(x) for x in xs]
    c = _exchange(xs, target, w, count)[0]
    moments, power = [], [wi * wi for wi in w]
    for _ in range(2 * count - 1):
        moments.append(sum(power))
        power = [p * x for p, x in zip(power, xs)]
    for k in range(count):
        rounded = round_to(c[k], bits if k or first_bits is None else first_bits)
        lost, c[k] = c[k] - rounded, rounded
        rest = count - k - 1
        if rest:
            system = [[moments[2 * k + 2 + i + j] for j in range(rest)] for i in range(rest)]
            solution = _solve(system, [lost * moments[2 * k + 1 + i] for i in range(rest)])
            for i in range(rest):
                c[k + 1 + i] += solution[i]
    worst = max(abs(wi * (_horner(c, x) - t)) for wi, x, t in zip(w, xs, target))
    return c, worst
