"""Minimax polynomials with machine-number coefficients.

fit() minimises the largest weighted error max |w(x) (p(x) - g(x))| over an interval by Remez exchange on a fine
Chebyshev grid. The coefficients are then rounded one at a time, lowest order first, and after each rounding the higher
ones are fitted again, so that they absorb the error that the rounding made.
"""
from mpmath import mp, mpf, matrix, lu_solve, cos, pi, floor, frexp, ldexp

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


def _exchange(xs, target, weight, count):
    """Coefficients of `count` terms that minimise the weighted error on the grid, and that error."""
    step = (len(xs) - 1) / (count)
    chosen = sorted({round(i * step) for i in range(count + 1)})
    best = None
    for _ in range(40):
        system, right = matrix(count + 1, count + 1), matrix(count + 1, 1)
        for row, i in enumerate(chosen):
            power = weight[i]
            for column in range(count):
                system[row, column] = power
                power *= xs[i]
            system[row, count] = mpf((-1) ** row)
            right[row] = weight[i] * target[i]
        solution = lu_solve(system, right)
        coefficients = [solution[j] for j in range(count)]
        error = [weight[i] * (_horner(coefficients, xs[i]) - target[i]) for i in range(len(xs))]
        worst = max(abs(e) for e in error)
        if best is None or worst < best[1]:
            best = (coefficients, worst)
        if worst <= abs(solution[count]) * mpf('1.001'):
            break
        extrema = []
        for i, e in enumerate(error):
            if extrema and (e > 0) == (error[extrema[-1]] > 0):
                if abs(e) > abs(error[extrema[-1]]):
                    extrema[-1] = i
            else:
                extrema.append(i)
        while len(extrema) > count + 1:
            extrema.pop(0 if abs(error[extrema[0]]) < abs(error[extrema[-1]]) else -1)
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
