"""Writes docs/verdicts/README.md, the page of all libraries, from the files in docs/verdicts/data."""
import glob
import json
import os
import re


def _anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _findings(library, notes):
    """How many IDs the tables of what is wrong have."""
    count, inside = 0, False
    for line in notes.split("\n"):
        if re.match(r"\| ID \|", line):
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("|---"):
            count += len(line.split("|")[1].split(","))
    return str(count or len(library["departures"]) or "none")


def _conforms(profiles):
    """The profiles that are met, with the cells of those that are about one cell."""
    cells = {}
    for name in (row[0] for row in profiles if row[1].startswith("**conforms")):
        *cell, propagation, types = name.split(" ")
        cells.setdefault(f"{propagation} {types}", []).extend([" ".join(cell)] if cell else [])
    return "; ".join(name + (" of " + ", ".join(of) if of else "") for name, of in cells.items()) or "-"


def _summary(libraries):
    yield "| library | problems | wrong | conforms to | findings | picture |"
    yield "|---|---|---|---|---|---|"
    for library, notes, picture in libraries:
        wrong = sum(int(match[1]) for _, result in library["runs"] if (match := re.search(r"(\d+) wrong", result)))
        link = f"[ratios]({picture})" if picture else "-"
        yield (f"| [{library['title']}](#{_anchor(library['title'])}) | {library['served']} | {wrong or 'none'} | "
               f"{_conforms(library['profiles'])} | {_findings(library, notes)} | {link} |")


def _section(library, notes):
    yield f"## {library['title']}"
    yield ""
    _, _, isa = library["calls_itself"].partition(", using ")
    yield f"{library['date']}, {library['machine']}{', instructions ' + isa if isa else ''}."
    commands = [command for command, _ in library["runs"]]
    common = os.path.commonprefix(commands).rsplit(" ", 1)[0]
    yield f"`{common}` with " + ", ".join(f"`{command[len(common):].strip()}`" for command in commands) + "."
    if library["adds"]:
        yield f"The adapter adds to the bounds: {library['adds']}."
    departures = [re.sub(r": (\d+) problems$", r" \1", text) for text in library["departures"]]
    met = ", ".join(text for text in departures if not text.endswith(" 0"))
    if met:
        yield f"Problems that depart: {met}."
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
    yield "For users and authors of these libraries. Each was judged as its users get it, on the problems that it serves"
    yield "([how the judge decides](method.md)). A finding is a difference from the specification or from the library's own documents;"
    yield "most have a program that shows it without Tandem. `data/NAME.json` has the numbers of each run and group of problems."
    yield ""
    yield from _summary(libraries)
    for library, notes, _ in libraries:
        yield ""
        yield from _section(library, notes)


def write_dashboard(folder):
    with open(os.path.join(folder, "README.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(dashboard(folder)) + "\n")
