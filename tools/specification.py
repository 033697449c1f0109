#!/usr/bin/env python3
"""Holds docs/specification/*.csv to the tree, and to the specification's texts if they are at hand.

usage: specification.py ROOT [DIRECTORY-OF-THE-TEXTS] [--list]

A statement is a sentence with one of WORDS in it. Code, and a sentence without such a word, are found by a person only;
they have rows too. Exits with 1 if something is wrong.
"""
import csv
import hashlib
import os
import re
import sys

TEXTS = {"ATTR": "attributes", "INTRO": "introduction", "MEM": "memory_formats", "PRIM": "primitives", "RNN": "rnn"}
WORDS = re.compile(
    r"\b(must|shall|should|will|can|cannot|may|might|needs?|require[sd]?|allow(s|ed)?|support(s|ed)?|"
    r"expect(s|ed)?|defaults?|always|never|only|ignored|alias)\b", re.IGNORECASE)
CODE = re.compile(r"[;{}]\s*$|;\s*//|<<|^\s*//|^\s*[\w:]+\(.*,\s*(//.*)?$|,\s*//")
SECTION = re.compile(r"^(?P<count>\d+) statements, (?P<hash>[0-9a-f]{12})$")
LINES = re.compile(r"^(?P<first>\d+)(-(?P<last>\d+))?$")
TEST = re.compile(r"`([\w/.-]+): ([^`]+)`")
LINK = re.compile(r"\[[^\]]+\]\(([\w.-]+)#([\w-]+)\)")


def statements(lines, first, last):
    """Returns the lines, counted from 1, on which the statements of lines[first-1:last] begin."""
    found, block = [], []

    def close():
        text = " ".join(word for _, word in block)
        starts, offset = [], 0
        for number, word in block:
            starts.append((offset, number))
            offset += len(word) + 1
        begin = 0
        for end in [match.end() for match in re.finditer(r"[.!?]\s+(?=[A-Z\\(])", text)] + [len(text)]:
            if WORDS.search(text[begin:end]):
                found.append(max(number for offset, number in starts if offset <= begin))
            begin = end
        block.clear()

    for number in range(first, last + 1):
        line = lines[number - 1].strip()
        if CODE.search(line):
            line = ""
        if not line or line.startswith(("•", "#")):
            close()
        if line:
            block.append((number, line))
    close()
    return found


def anchors(path):
    """Returns GitHub's anchors of the headings of a Markdown file."""
    with open(path, encoding="utf-8") as file:
        return {re.sub(r"[^\w -]", "", line.lstrip("# ").strip().lower()).replace(" ", "-")
                for line in file if line.startswith("#")}


def check_tests(root, held):
    """Returns what is wrong with the tests that a cell names."""
    wrong = []
    for path, name in TEST.findall(held):
        full = os.path.join(root, path)
        if not os.path.exists(full):
            wrong.append("there is no file " + path)
            continue
        with open(full, encoding="utf-8") as file:
            source = file.read()
        pattern = re.escape(name)
        if path.endswith(".cc"):
            pattern = r"(TEST(_F|_P)?|RC_GTEST_(FIXTURE_)?PROP)\(\s*" + r",\s*".join(map(re.escape, name.split("."))) + r"\W"
        if not re.search(pattern, source):
            wrong.append("%s has no %s" % (path, name))
    return wrong


def check_held(root, docs, held):
    """Returns what is wrong with the last cell of a row."""
    wrong = check_tests(root, held)
    if held.startswith("departure: "):
        links = LINK.findall(held)
        if not links:
            wrong.append("a departure links to its reason")
        for page, anchor in links:
            if not os.path.exists(os.path.join(docs, page)) or anchor not in anchors(os.path.join(docs, page)):
                wrong.append("there is no %s#%s" % (page, anchor))
    elif not held.startswith(("no rule: ", "not held: ")):
        if not TEST.search(held) or TEST.sub("", held).strip("; "):
            wrong.append("'%s' is neither tests, a departure, 'no rule:' nor 'not held:'" % held)
    return wrong


def check_section(lines, section, rows, listing):
    """Returns what is wrong between one section's text and its rows."""
    first, last = int(section["first"]), int(section["last"])
    digest = hashlib.sha256("\n".join(lines[first - 1:last]).encode()).hexdigest()[:12]
    found = statements(lines, first, last)
    if listing:
        print("%s lines %d-%d: %s %s" % (section["text"], first, last, digest, found))
    wrong = []
    if digest != section["hash"]:
        wrong.append("the text is %s, the table was written for %s" % (digest, section["hash"]))
    if len(found) != int(section["count"]):
        wrong.append("the text has %d statements, the heading says %s" % (len(found), section["count"]))
    for line in sorted(set(found)):
        at = [row for row in rows if int(row["first"]) <= line <= int(row["last"] or row["first"])]
        if not any(row["last"] for row in at) and len(at) < found.count(line):
            wrong.append("line %d has %d statements, and %d rows" % (line, found.count(line), len(at)))
    return wrong


def read_row(text, section_seen, cells):
    """Returns a row of a table as a dictionary, or None. The row of a section has the text's word as its id, without a number."""
    if len(cells) != 4 or not LINES.match(cells[1]):
        return None
    word, _, number = cells[0].partition("-")
    row = {"text": word, "number": number, "held": cells[3], **LINES.match(cells[1]).groupdict()}
    if not number:
        facts = SECTION.match(cells[3])
        row.update(facts.groupdict() if facts else {})
        row["last"] = row["last"] or row["first"]
        return row if facts and word == text else None
    return row if section_seen and number.isdigit() and cells[2] and cells[3] else None


def read_tables(docs):
    """Returns sections, each with its rows, of all docs/specification/*.csv, and lines that are neither."""
    sections, wrong = [], []
    for text, name in TEXTS.items():
        path = os.path.join(docs, "specification", name + ".csv")
        with open(path, encoding="utf-8", newline="") as file:
            table = csv.reader(file)
            next(table)
            for cells in table:
                row = read_row(text, sections and sections[-1][0]["text"] == text, cells)
                if row is None:
                    wrong.append("%s:%d: is no row and no section" % (name + ".csv", table.line_num))
                elif row["number"]:
                    sections[-1][1].append(row)
                else:
                    sections.append((row, []))
    return sections, wrong


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--list"]
    root, texts = arguments[0], arguments[1] if len(arguments) > 1 else None
    docs = os.path.join(root, "docs")
    sections, wrong = read_tables(docs)
    kinds, next_number, next_line = {}, dict.fromkeys(TEXTS, 1), dict.fromkeys(TEXTS, 1)
    for section, rows in sections:
        text = section["text"]
        where = "%s lines %s-%s" % (text, section["first"], section["last"])
        if text not in TEXTS or int(section["first"]) != next_line[text]:
            wrong.append("%s: the section before ends elsewhere" % where)
        next_line[text] = int(section["last"]) + 1
        for row in rows:
            name = "%s-%s" % (row["text"], row["number"])
            if row["text"] != text or int(row["number"]) != next_number[text]:
                wrong.append("%s: the next id of %s is %s-%d" % (name, where, text, next_number[text]))
            next_number[text] = int(row["number"]) + 1
            if not int(section["first"]) <= int(row["first"]) <= int(row["last"] or row["first"]) <= int(section["last"]):
                wrong.append("%s: its line is not in %s" % (name, where))
            wrong += ["%s: %s" % (name, problem) for problem in check_held(root, docs, row["held"])]
            kind = row["held"].split(":")[0] if row["held"][0] != "`" else "test"
            kinds[kind] = kinds.get(kind, 0) + 1
    wrong += ["%s has no row" % text for text in TEXTS if next_number[text] == 1]
    print("rows: " + ", ".join("%d %s" % (count, kind) for kind, count in sorted(kinds.items())))
    if texts is None:
        print("SKIPPED: the specification's texts are not here; ids, tests and links were checked alone")
    else:
        for text, name in TEXTS.items():
            with open(os.path.join(texts, name + ".txt"), encoding="utf-8") as file:
                lines = file.read().split("\n")
            for section, rows in sections:
                if section["text"] == text:
                    where = "%s lines %s-%s: " % (text, section["first"], section["last"])
                    wrong += [where + problem for problem in check_section(lines, section, rows, "--list" in sys.argv)]
            if next_line[text] != len(lines) + 1:
                wrong.append("%s: has %d lines, the sections end at %d" % (text, len(lines), next_line[text] - 1))
    for problem in wrong:
        print("FAILED: " + problem)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
