"""A plot of ratios as SVG: for each group, the share of elements whose ratio is larger than x, both axes logarithmic."""
import math

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 60, 260, 20, 45
X_RANGE, Y_RANGE = (-16, 1), (-6, 0)  # powers of 2 and of 10
COLORS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22"]


def _x(power):
    low, high = X_RANGE
    return LEFT + (min(max(power, low), high) - low) / (high - low) * (WIDTH - LEFT - RIGHT)


def _y(power):
    low, high = Y_RANGE
    return TOP + (high - min(max(power, low), high)) / (high - low) * (HEIGHT - TOP - BOTTOM)


def upper_edge(number):
    """Power of 2 at the end of a report's bin: the first ends at 2^-32, the others are 1/8 wide."""
    return -32 + number / 8


def curve(bins):
    """(power of 2, share of elements above it) at the end of each bin."""
    total, above, points = sum(bins.values()), sum(bins.values()), []
    for number in sorted(bins):
        points.append((upper_edge(number) - 1 / 8, above / total))
        above -= bins[number]
        points.append((upper_edge(number), above / total))
    return points


def _polyline(points, color):
    drawn = []
    for power, share in points:
        if power < X_RANGE[0]:
            continue
        if share <= 0:
            drawn.append(f"{_x(power):.1f},{_y(Y_RANGE[0]):.1f}")
            break
        drawn.append(f"{_x(power):.1f},{_y(math.log10(share)):.1f}")
    return f'<polyline fill="none" stroke="{color}" stroke-width="1.5" points="{" ".join(drawn)}"/>'


def _axes():
    for power in range(X_RANGE[0], X_RANGE[1] + 1, 2):
        yield f'<line x1="{_x(power):.1f}" x2="{_x(power):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>'
        yield f'<text x="{_x(power):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">2^{power}</text>'
    for power in range(Y_RANGE[0], Y_RANGE[1] + 1):
        yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{_y(power):.1f}" y2="{_y(power):.1f}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 6}" y="{_y(power) + 4:.1f}" text-anchor="end">10^{power}</text>'
    yield f'<line x1="{_x(0):.1f}" x2="{_x(0):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#000" stroke-dasharray="4"/>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">ratio x; above 1 (dashed) an element is wrong</text>'
    yield f'<text x="14" y="{HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 {HEIGHT / 2})">' \
        "share of elements with a larger ratio</text>"


def plot(bins_by_group):
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
             'font-size="11">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', *_axes()]
    for index, (name, bins) in enumerate(bins_by_group.items()):
        color, y = COLORS[index % len(COLORS)], TOP + 10 + 16 * index
        lines.append(_polyline(curve(bins), color))
        lines.append(f'<rect x="{WIDTH - RIGHT + 12}" y="{y - 8}" width="12" height="4" fill="{color}"/>')
        lines.append(f'<text x="{WIDTH - RIGHT + 30}" y="{y}">{name}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"
