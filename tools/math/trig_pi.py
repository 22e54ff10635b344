"""Constants of sinc: sin(pi r) / pi and cos(pi r) / pi for |r| <= 1/4, so that their quotient by x needs no product with pi."""
from mpmath import mpf, sin, cos, pi, sqrt


def sinc_family(h, k):
    half = k.round(pi / 2)
    h.note('1/pi in two parts, and pi/2')
    h.pair('inverse_pi', 1 / pi)
    h.value('half_pi', half)
    edge = mpf(1) / 16
    h.polynomial('sin_tail', '(sin(pi r)/(pi r) - 1) / z with z = r^2', lambda z: (sin(pi * sqrt(z)) / (pi * sqrt(z)) - 1) / z,
                 lambda z: z * pi * sqrt(z) / sin(pi * sqrt(z)), mpf(0), edge, k.tight)
    h.polynomial('cos_tail', '(cos(pi r)/pi - 1/pi + half_pi z) / z', lambda z: ((cos(pi * sqrt(z)) - 1) / pi + half * z) / z,
                 lambda z: z * pi / cos(pi * sqrt(z)), mpf(0), edge, k.tight)


FAMILIES = {'sinc': sinc_family}
