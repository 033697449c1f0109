#!/usr/bin/env python3
"""Mistakes in the code, each with the test that must fail of it: shows that the tests of docs/specification/*.csv hold their
sentences.

usage: mutations.py ROOT
       mutations.py ROOT --run [ROW...] [-- BAZEL-OPTION...]

A [[mutation]] of tools/mutations/*.toml replaces a text, which is in its file once, and makes the sentences of its rows
false. Its test is one of those that each of the rows names. With `refused_by_the_compiler`, that test does not compile.
An [[unbroken]] has rows for which no code can be broken, and says why.

The first form holds the list to the tables and to the tree: every row that names a test has a mutation, or a reason.

The second applies all mutations, or those of the rows, one by one in a copy of the tree, and builds and runs their tests
there. Exits with 1 unless each test passes without the mutation and fails with it.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

import specification

KEYS = {"rows", "file", "text", "becomes", "test"}
TIMEOUT = "--test_timeout=120"


def read_list(root):
    """The mutations, and the rows without one by their reasons."""
    mutations, unbroken = [], {}
    for path in sorted(glob.glob(os.path.join(root, "tools/mutations/*.toml"))):
        with open(path, "rb") as file:
            content = tomllib.load(file)
        mutations += content.get("mutation", [])
        for entry in content.get("unbroken", []):
            unbroken.update(dict.fromkeys(entry["rows"], entry["why"]))
    return mutations, unbroken


def read_rows(root):
    """The tests that each row names, as `file: Suite.Name`."""
    sections, _ = specification.read_tables(os.path.join(root, "docs"))
    return {"%s-%s" % (row["text"], row["number"]): [": ".join(test) for test in specification.TEST.findall(row["held"])]
            for _, rows in sections for row in rows}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check_mutation(root, mutation, rows):
    wrong = []
    if set(mutation) - {"refused_by_the_compiler"} != KEYS:
        return ["has the keys %s, but needs %s" % (sorted(mutation), sorted(KEYS))]
    for row in mutation["rows"]:
        if row not in rows:
            wrong.append("there is no row " + row)
        elif mutation["test"] not in rows[row]:
            wrong.append("%s does not name the test %s" % (row, mutation["test"]))
    path = os.path.join(root, mutation["file"])
    if not os.path.exists(path):
        return wrong + ["there is no file " + mutation["file"]]
    count = read(path).count(mutation["text"])
    if count != 1:
        wrong.append("%s has the text %d times: %s" % (mutation["file"], count, mutation["text"]))
    if mutation["text"] == mutation["becomes"]:
        wrong.append("changes nothing")
    return wrong


def check(root):
    """What is wrong with the list."""
    mutations, unbroken = read_list(root)
    rows = read_rows(root)
    wrong, broken = [], set()
    for mutation in mutations:
        name = ", ".join(mutation.get("rows", ["?"]))
        wrong += ["%s: %s" % (name, problem) for problem in check_mutation(root, mutation, rows)]
        broken.update(mutation.get("rows", []))
    for row, tests in rows.items():
        if tests and row not in broken and row not in unbroken:
            wrong.append("%s names a test, but has neither a mutation nor a reason" % row)
        if row in broken and row in unbroken:
            wrong.append("%s has a mutation, and a reason why there is none" % row)
    wrong += ["there is no row " + row for row in unbroken if row not in rows]
    print("%d mutations for %d of the %d rows that name a test" %
          (len(mutations), len(broken), sum(1 for tests in rows.values() if tests)))
    return wrong


def file_of(test):
    return test.split(": ")[0]


def test_filter(test):
    """GoogleTest's filter for a test, also of a typed or parameterized suite."""
    suite, name = test.split(": ")[1].split(".")
    return "{0}.{1}:{0}/*.{1}:*/{0}.{1}/*".format(suite, name)


class Copy:
    """A copy of the tree, with an output folder of its own."""

    def __init__(self, root, options):
        self.folder = tempfile.mkdtemp(prefix="mutations-")
        self.tree = os.path.join(self.folder, "tree")
        self.options = options
        listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root, check=True,
                                capture_output=True, text=True).stdout
        for name in listed.splitlines():
            if os.path.isfile(os.path.join(root, name)):
                os.makedirs(os.path.dirname(os.path.join(self.tree, name)), exist_ok=True)
                shutil.copy2(os.path.join(root, name), os.path.join(self.tree, name))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.bazel("clean", "--expunge")
        shutil.rmtree(self.folder, ignore_errors=True)

    def bazel(self, *arguments):
        command = ["bazel", "--output_base=" + os.path.join(self.folder, "output"), *arguments]
        return subprocess.run(command, cwd=self.tree, capture_output=True, text=True)

    def targets_of(self, file):
        """The test programs that have the file among their sources, or in a group of sources."""
        query = "kind('_test rule', rdeps(//..., %s, 2))" % file
        result = self.bazel("query", query)
        if result.returncode != 0:
            raise RuntimeError(result.stderr)
        return result.stdout.split()

    def test(self, targets, *options):
        """Bazel's exit status (0: passed, 1: was not built, 3: failed), and what it said."""
        result = self.bazel("test", "--test_output=errors", TIMEOUT, *self.options, *options, *targets)
        return result.returncode, result.stdout + result.stderr

    def outcome(self, mutation, targets):
        """"red" if the mutation's test fails as it must, else what happened instead."""
        path = os.path.join(self.tree, mutation["file"])
        sound = read(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(sound.replace(mutation["text"], mutation["becomes"]))
        status, said = self.test(targets, "--test_filter=" + test_filter(mutation["test"]))
        with open(path, "w", encoding="utf-8") as file:
            file.write(sound)
        refused = mutation.get("refused_by_the_compiler", False)
        in_test = re.search(re.escape(file_of(mutation["test"])) + r":\d+:\d+: error", said)
        if status == 3 and not refused or status == 1 and refused and in_test:
            return "red"
        return "PASSED" if status == 0 else "BAZEL %d\n%s" % (status, said[-3000:])


def run(root, wanted, options):
    """The number of mutations that were not seen as they must."""
    mutations = [m for m in read_list(root)[0] if not wanted or wanted & set(m["rows"])]
    mutations.sort(key=lambda m: (file_of(m["test"]), m["file"]))
    others = 0
    with Copy(root, options) as copy:
        targets = {file: copy.targets_of(file) for file in {file_of(m["test"]) for m in mutations}}
        status, said = copy.test(sorted(set().union(*targets.values())))
        if status != 0:
            print("FAILED: without a mutation, Bazel says %d\n%s" % (status, said[-5000:]))
            return 1
        for number, mutation in enumerate(mutations, 1):
            begin = time.monotonic()
            outcome = copy.outcome(mutation, targets[file_of(mutation["test"])])
            others += outcome != "red"
            print("%d/%d %s %s: %s, %s (%.0f s)" % (number, len(mutations), outcome.split("\n")[0],
                                                    " ".join(mutation["rows"]), mutation["file"],
                                                    mutation["test"].split(": ")[1], time.monotonic() - begin), flush=True)
            if outcome.startswith("BAZEL"):
                print(outcome)
    print("%d of %d mutations made their test fail" % (len(mutations) - others, len(mutations)))
    return others


def main():
    arguments = sys.argv[1:]
    options = []
    if "--" in arguments:
        options = arguments[arguments.index("--") + 1:]
        arguments = arguments[:arguments.index("--")]
    root = arguments[0]
    wrong = check(root)
    for problem in wrong:
        print("FAILED: " + problem)
    if wrong or "--run" not in arguments:
        return 1 if wrong else 0
    return 1 if run(root, set(arguments[1:]) - {"--run"}, options) else 0


if __name__ == "__main__":
    sys.exit(main())
