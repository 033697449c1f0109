"""The numbers of the chapter introduction.md, computed again with Python alone: python3 docs/book/descent.py"""

INPUTS, TARGET = [1, 0, 0], 0.25


def states(u):
    """h of each step of h = u h' + x."""
    found = [0]
    for x in INPUTS:
        found.append(u * found[-1] + x)
    return found[1:]


def gradient(u):
    """The gradient of the loss (last h - TARGET)^2 / 2 with respect to u, computed from the last step to the first."""
    h = [0, *states(u)]
    dh, du = h[-1] - TARGET, 0
    for step in reversed(range(len(INPUTS))):
        du += dh * h[step]
        dh *= u
    return du


def descend(rate, updates):
    """(u, last h, loss, gradient) before each update and after the last."""
    u = 1
    for _ in range(updates + 1):
        h, slope = states(u)[-1], gradient(u)
        yield u, h, (h - TARGET)**2 / 2, slope
        u -= rate * slope


for update, numbers in enumerate(descend(0.3, 10)):
    if update in (0, 1, 2, 3, 5, 10):
        print(f"| {update} | " + " | ".join(f"{number:.3g}" for number in numbers) + " |")
print("With the rate 2 u becomes " + ", ".join(f"{u:.6g}" for u, *_ in descend(2, 3)) + ".")
