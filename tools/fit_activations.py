#!/usr/bin/env python3
"""Prints the polynomial coefficients of optimized/kernels/activations-inl.h (needs Python's mpmath).

Both fits are minimax in the relative error, with the leading coefficients pinned so that an argument of 0 is exact:

  sigmoid:  exp(-r)          ~ 1 + c1 r + ... + c6 r^6          on |r| <= ln(2)/2
  tanh:     (exp(2s) - 1)/2  ~ s + c2 s^2 + ... + c6 s^6        on |s| <= ln(2)/4

The free terms vanish at 0, so the error divided by r (by s^2) is what alternates; Remez's exchange is run on that.
"""
import mpmath as mp

mp.mp.dps = 40
GRID = 4001  # odd, so that 0 is not among the points
SLACK = mp.mpf("1.0005")  # the argument reduction rounds, so that |r| may exceed its half interval a little


def fit(exact, pinned, powers, limit):
    """Returns (coefficients, largest relative error) of pinned(x) + sum(c * x**power) against exact(x)."""
    xs = [limit * mp.mpf(2 * i - GRID) / GRID for i in range(GRID + 1)]
    want = [exact(x) for x in xs]
    base = [pinned(x) for x in xs]
    flip = [1 if x**powers[0] / w >= 0 else -1 for x, w in zip(xs, want)]  # sign of the weight
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
    """The `count` largest extrema of alternating sign."""
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


report("sigmoid", fit(lambda x: mp.exp(-x), lambda x: 1, [1, 2, 3, 4, 5, 6], SLACK * mp.log(2) / 2))
report("tanh", fit(lambda x: mp.expm1(2 * x) / 2, lambda x: x, [2, 3, 4, 5, 6], SLACK * mp.log(2) / 4))
