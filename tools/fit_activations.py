#!/usr/bin/env python3
"""Prints the polynomial coefficients of optimized/kernels/activations-inl.h (needs Python's mpmath).

The fits are minimax in the relative error, with the leading coefficients pinned so that an argument of 0 is exact:

  sigmoid:  exp(-r)            ~ 1 - r + c2 r^2 + ... + c6 r^6      on |r| <= ln(2)/2
  tanh:     tanh(s) / s        ~ 1 + c1 z + c2 z^2 + c3 z^3         on z = s^2, |s| <= 3.5 ln(2)/8
  softplus: atanh(z) / z       ~ 1 + c1 w + c2 w^2 + ... + c4 w^4   on w = z^2, 0 <= z <= 1/3

The free terms vanish at 0, so the error divided by r^2 (by z) alternates. Remez's exchange runs on that.
"""
import mpmath as mp

mp.mp.dps = 40
GRID = 4001  # it is odd, which gives an even number of points, of which 0 is none
SLACK = mp.mpf("1.0005")  # the argument reduction rounds, so that |r| may exceed its half interval a little


def fit(exact, pinned, powers, first, last):
    """Returns (coefficients, largest relative error) of pinned(x) + sum(c * x**power) against exact(x)."""
    xs = [first + (last - first) * (mp.mpf(2 * i + 1) / (2 * GRID + 2)) for i in range(GRID + 1)]
    want = [exact(x) for x in xs]
    base = [pinned(x) for x in xs]
    flip = [1 if x**powers[0] / w >= 0 else -1 for x, w in zip(xs, want)]  # the sign of the weight
    n = len(powers)
    points = [int(GRID * (1 - mp.cos(mp.pi * (k + mp.mpf("0.4")) / (n + mp.mpf("0.8")))) / 2) for k in range(n + 1)]
    for _ in range(50):
        a, b = mp.matrix(n + 1, n + 1), mp.matrix(n + 1, 1)
        for row, p in enumerate(points):
            for column, power in enumerate(powers):
                a[row, column] = xs[p] ** power / want[p]
            a[row, n] = (-1) ** row * flip[p]
            b[row] = 1 - base[p] / want[p]
        solution = mp.lu_solve(a, b)
        c, level = list(solution[:n]), abs(solution[n])
        error = [(f + sum(ci * x**k for ci, k in zip(c, powers))) / w - 1 for x, w, f in zip(xs, want, base)]
        worst = max(abs(e) for e in error)
        if worst <= level * mp.mpf("1.001"):
            break
        points = alternating_extrema([e * s for e, s in zip(error, flip)], n + 1)
    return c, worst


def alternating_extrema(error, count):
    """Returns the `count` largest extrema of alternating sign."""
    extrema = []
    for i, e in enumerate(error):
        if e == 0:
            continue
        if extrema and (error[extrema[-1]] > 0) == (e > 0):
            if abs(e) > abs(error[extrema[-1]]):
                extrema[-1] = i
        else:
            extrema.append(i)
    while len(extrema) > count:
        if len(extrema) == count + 1:  # only an end can go without breaking the alternation
            extrema.pop(0 if abs(error[extrema[0]]) < abs(error[extrema[-1]]) else -1)
        else:
            k = min(range(len(extrema) - 1), key=lambda i: max(abs(error[extrema[i]]), abs(error[extrema[i + 1]])))
            del extrema[k : k + 2]
    return extrema


def report(name, result):
    coefficients, worst = result
    print(name, "relative error", mp.nstr(worst, 3))
    for c in coefficients:
        print("  ", mp.nstr(c, 9))


R = SLACK * mp.log(2) / 2
report("sigmoid", fit(lambda r: mp.exp(-r), lambda r: 1 - r, [2, 3, 4, 5, 6], -R, R))
Z = (SLACK * mp.log(2) * mp.mpf("3.5") / 8) ** 2
report("tanh", fit(lambda z: mp.tanh(mp.sqrt(z)) / mp.sqrt(z), lambda z: 1, [1, 2, 3], mp.mpf(0), Z))
W = SLACK / 9
report("softplus", fit(lambda w: mp.atanh(mp.sqrt(w)) / mp.sqrt(w), lambda w: 1, [1, 2, 3, 4], mp.mpf(0), W))
