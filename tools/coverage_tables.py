"""python3 tools/coverage_tables.py OUT turns OUT/coverage.lcov into the tables that tools/coverage.sh describes.

A function is one place in a file, whatever its template arguments and vector targets are, and a line is executed if one
of its copies is. A line behind an early return has no counter of its own: its count is a difference of two, and counters
lose counts when threads run at once. A difference below 0 is no execution."""

import collections
import os
import re
import subprocess
import sys

FOLDERS = ("api", "reference", "optimized")
BELOW_ZERO = 1 << 63  # the file has unsigned numbers of 64 bits


def read(path):
    """Returns the counts of an lcov file, {file: {line: count}} and {file: {(line, symbol): count}}, of our folders."""
    lines, functions = {}, {}
    with open(path, encoding="utf-8") as records:
        for record in records:
            kind, _, rest = record.strip().partition(":")
            if kind == "SF":
                # Bazel compiles in /proc/self/cwd, which is the root of the tree.
                name = re.sub(r"^/proc/self/cwd/(\./)?", "", rest)
                counts, calls, begin = collections.Counter(), collections.Counter(), {}
                if name.startswith(tuple(folder + "/" for folder in FOLDERS)):
                    lines[name], functions[name] = counts, calls
            elif kind == "FN":
                line, _, symbol = rest.partition(",")
                begin[symbol] = int(line)
            elif kind == "FNDA":
                count, _, symbol = rest.partition(",")
                calls[begin[symbol], symbol] += int(count)
            elif kind == "DA":
                line, count = map(int, rest.split(",")[:2])
                counts[line] += 0 if count >= BELOW_ZERO else count
    return lines, functions


def ranges(numbers):
    """Returns [3, 4, 5, 9] as "3-5, 9"."""
    parts = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def percent(executed, total):
    return f"{100 * executed / total:.2f} %"


def write_lines(out, lines):
    """Writes lines.txt and missed.txt. Returns a sentence for each folder."""
    executed, total = collections.Counter(), collections.Counter()
    with open(os.path.join(out, "lines.txt"), "w", encoding="utf-8") as table, open(
        os.path.join(out, "missed.txt"), "w", encoding="utf-8"
    ) as missed:
        for name in sorted(lines):
            never = [line for line, count in lines[name].items() if count == 0]
            here, folder = len(lines[name]), name.split("/")[0]
            executed[folder] += here - len(never)
            total[folder] += here
            print(f"{percent(here - len(never), here):>8} of {here:4}  {name}", file=table)
            if never:
                print(f"{name}: {ranges(never)}", file=missed)
    return [f"{folder}: {percent(executed[folder], total[folder])} of {total[folder]} lines" for folder in sorted(total)]


def write_functions(out, functions):
    """Writes functions.txt. Returns a sentence."""
    calls, names = collections.Counter(), {}
    for name in functions:
        for (line, symbol), count in functions[name].items():
            calls[name, line] += count
            names[name, line] = symbol.split(":")[-1]  # a function that is local to a file is FILE:SYMBOL
    never = sorted(place for place in names if calls[place] == 0)
    symbols = "\n".join(names[place] for place in never)
    plain = subprocess.run(["c++filt"], input=symbols, capture_output=True, text=True, check=True).stdout.split("\n")
    with open(os.path.join(out, "functions.txt"), "w", encoding="utf-8") as table:
        for (name, line), symbol in zip(never, plain):
            print(f"{name}:{line}: {symbol}", file=table)
    return f"{len(never)} of {len(names)} functions were never called: {out}/functions.txt"


def main():
    out = sys.argv[1]
    lines, functions = read(os.path.join(out, "coverage.lcov"))
    if not lines:
        sys.exit("coverage.lcov has no file of " + ", ".join(FOLDERS))
    print("\n".join(write_lines(out, lines)))
    print(write_functions(out, functions))


if __name__ == "__main__":
    main()
