#!/usr/bin/env python3
"""Counts the lines of the tree that people write, by kind, and the lines of data that no program reads.

usage: count_lines.py [ROOT]

The corpora of the fuzzers, data, and files that a program has written as a whole are not by hand: those of api/schema/files.json
and the chapters of the book. A program reads a data file if the text of a program, or a BUILD file's pattern, names it.
"""
import collections
import fnmatch
import json
import os
import re
import subprocess
import sys

KINDS = {"C++": ".cc .h .hpp .c .inc .jinja", "scripts": ".py .pyi .sh .bash .js .mjs .ts .awk tandem run",
         "BUILD files": "BUILD .BUILD .bzl .bazelrc WORKSPACE .WORKSPACE .toml", "documents": ".md .in .1 .html .css"}
KIND_OF = {end: kind for kind, ends in KINDS.items() for end in ends.split()}
PATTERN = re.compile(r'"([^"\n]*\*[^"\n]*)"')


def end_of(path):
    name = os.path.basename(path)
    return name if name in KIND_OF else os.path.splitext(name)[1] or name


def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def written_by_programs(files):
    with open("api/schema/files.json", encoding="utf-8") as file:
        whole = {entry["path"] for entry in json.load(file)["whole"]}
    chapters = {os.path.basename(path)[:-3] for path in files if path.startswith("reference/teaching/book/chapters/")}
    return whole | {path for path in files if re.match(r"docs/(book/)?[^/]*$", path) and os.path.basename(path) in chapters
                    and path != "docs/README.md"}


def main(root="."):
    os.chdir(root)
    listed = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True).stdout.splitlines()
    files = [path for path in listed if os.path.isfile(path) and not os.path.islink(path)]
    generated = written_by_programs(files)
    lines, data, programs, patterns = collections.Counter(), collections.Counter(), [], []
    for path in files:
        kind, text = KIND_OF.get(end_of(path)), text_of(path)
        if kind in ("C++", "scripts", "BUILD files"):
            programs.append(text)
        if kind == "BUILD files":
            patterns += [os.path.join(os.path.dirname(path), pattern) for pattern in PATTERN.findall(text)]
        lines[kind if kind and path not in generated else ""] += text.count("\n")
    text = "\n".join(programs)
    words = set(re.findall(r"[\w.+-]+", text))
    for path in files:
        if KIND_OF.get(end_of(path)) is not None or path.startswith("fuzz/corpus/"):
            continue
        name, (stem, end) = os.path.basename(path), os.path.splitext(os.path.basename(path))
        named = name in words or '"%s"' % stem in text and '"%s"' % end in text
        read = named or any(fnmatch.fnmatch(path, pattern) for pattern in patterns)
        data["of data that %s program reads" % ("a" if read else "no")] += text_of(path).count("\n")
    for kind in KINDS:
        print("%7d %s" % (lines[kind], kind))
    print("%7d by hand" % sum(lines[kind] for kind in KINDS))
    for what, count in sorted(data.items()):
        print("%7d %s" % (count, what))


if __name__ == "__main__":
    main(*sys.argv[1:])
