"""Writes docs/verdicts/README.md, the page of all libraries, from the files in docs/verdicts/data."""
import glob
import json
import os
import re


def _anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _findings(library, notes):
    """How many rows the tables of what is wrong have."""
    count, inside = 0, False
    for line in notes.split("\n"):
        if re.match(r"\| ID \|", line):
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("|---"):
            count += 1
    return str(count or len(library["departures"]) or "none")


def _summary(libraries):
    yield "| library | judged on | wrong | conforms to | findings | picture |"
    yield "|---|---|---|---|---|---|"
    for library, notes, picture in libraries:
        wrong = sum(int(match[1]) for _, result in library["runs"] if (match := re.search(r"(\d+) wrong", result)))
        conforms = ", ".join(row[0] for row in library["profiles"] if row[1].startswith("**conforms"))
        link = f"[ratios]({picture})" if picture else "-"
        yield (f"| [{library['title']}](#{_anchor(library['title'])}) | {library['served']} problems | {wrong or 'none'} | "
               f"{conforms or '-'} | {_findings(library, notes)} | {link} |")


def _section(library, notes):
    yield f"## {library['title']}"
    yield ""
    yield f"{library['date']}, {library['machine']}. The library calls itself {library['calls_itself']}."
    if library["adds"]:
        yield f"The adapter's description adds to the bounds: {library['adds']}."
    yield ""
    for command, result in library["runs"]:
        yield f"* `{command}`: {result}"
    if library["departures"]:
        yield "* departures: " + "; ".join(library["departures"])
    if notes:
        yield ""
        yield notes


def dashboard(folder):
    libraries = []
    for path in sorted(glob.glob(os.path.join(folder, "data", "*.json"))):
        with open(path, encoding="utf-8") as file:
            library = json.load(file)
        with open(path[:-4] + "notes", encoding="utf-8") as file:
            notes = file.read().strip()
        picture = os.path.basename(path)[:-4] + "svg"
        libraries.append((library, notes, picture if os.path.exists(os.path.join(folder, picture)) else ""))
    yield "<!-- Made from data/ by `python3 tools/verdict_page.py`. -->"
    yield "# What the judge found in other libraries"
    yield ""
    yield "Each library was judged as its users get it, on the problems that it serves. [method.md](method.md) says how the judge decides;"
    yield "[findings.md](findings.md) has the results on Tandem itself. A finding is a difference from the specification or from the"
    yield "library's own documents, with its cause; links lead to programs that show it without Tandem. `data/NAME.json` has the numbers of"
    yield "each group of problems, and the picture how near the results come to the bounds."
    yield ""
    yield from _summary(libraries)
    for library, notes, _ in libraries:
        yield ""
        yield from _section(library, notes)


def write_dashboard(folder):
    with open(os.path.join(folder, "README.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(dashboard(folder)) + "\n")
