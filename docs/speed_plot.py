"""Draws docs/speed.svg from the table against oneDNN 3.13.1 in docs/performance_by_machine.md.

usage: speed_plot.py TABLE_PAGE PICTURE [README]     with README nothing is written: exit code 1 if the picture is another one or
README does not have the table's mean, median, ends, and number of networks below 1.10
"""
import math
import re
import statistics
import sys

WIDTH, LEFT, RIGHT, TOP, BAR, STEP = 760, 210, 60, 46, 11, 15
LOW, HIGH = 0.5, 8


def rows_of(page):
    """(name of the network, ratio) of the section's table."""
    with open(page, encoding="utf-8") as file:
        section = file.read().split("\n## Against oneDNN 3.13.1")[1].split("\n## ")[0]
    rows = re.findall(r"(?m)^\| ([^|]+?) \| [^|]+ \| ([\d.]+) \|", section)
    assert len(rows) >= 20, "the table has too few rows"
    return [(name, float(ratio)) for name, ratio in rows]


def x_of(ratio):
    share = math.log(min(max(ratio, LOW), HIGH) / LOW) / math.log(HIGH / LOW)
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def plot(rows):
    height = TOP + STEP * len(rows) + 34
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
           'font-family="sans-serif" font-size="11">')
    yield f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
    yield f'<text x="{LEFT}" y="18" font-size="14">Time of oneDNN 3.13.1 / time of Tandem, one thread of an AMD EPYC (Zen 5)</text>'
    yield f'<text x="{LEFT}" y="34" fill="#555">right of the line Tandem is faster; logarithmic axis</text>'
    bottom = TOP + STEP * len(rows)
    for tick in (0.5, 1, 2, 4, 8):
        color = "#000" if tick == 1 else "#ddd"
        yield f'<line x1="{x_of(tick):.1f}" x2="{x_of(tick):.1f}" y1="{TOP - 4}" y2="{bottom}" stroke="{color}"/>'
        yield f'<text x="{x_of(tick):.1f}" y="{bottom + 14}" text-anchor="middle">{tick:g}</text>'
    for index, (name, ratio) in enumerate(rows):
        y, one, end = TOP + STEP * index, x_of(1), x_of(ratio)
        color = "#1f77b4" if ratio >= 1 else "#d62728"
        yield f'<text x="{LEFT - 6}" y="{y + 10}" text-anchor="end">{name}</text>'
        yield f'<rect x="{min(one, end):.1f}" y="{y}" width="{max(abs(end - one), 1):.1f}" height="{BAR}" fill="{color}"/>'
        yield f'<text x="{max(one, end) + 4:.1f}" y="{y + 10}">{ratio:.2f}</text>'
    yield "</svg>"


def summary(ratios):
    """Returns the sentence that the README has about the ratios."""
    return (f"{statistics.geometric_mean(ratios):.2f} times as fast in the geometric mean, {statistics.median(ratios):.2f} in the median, "
            f"{min(ratios):.2f} to {max(ratios):.1f}; {sum(ratio < 1.1 for ratio in ratios)} of {len(ratios)} are below 1.10")


def main(page, picture, *readme):
    text = "\n".join(plot(rows_of(page))) + "\n"
    if readme:
        said = summary([ratio for _, ratio in rows_of(page)])
        with open(readme[0], encoding="utf-8") as file:
            if said not in file.read():
                sys.exit(f"FAILED: {readme[0]} does not say: {said}")
        with open(picture, encoding="utf-8") as file:
            if file.read() != text:
                sys.exit(f"FAILED: {picture} is not drawn from {page}; run: python3 docs/speed_plot.py {page} {picture}")
        return
    with open(picture, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
