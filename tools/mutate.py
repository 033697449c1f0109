#!/usr/bin/env python3
"""Draws mistakes in the production code of a folder, and says which of them the tests do not see.

usage: mutate.py SEED N FOLDER [TEST...] [-- BAZEL-OPTION...]
       mutate.py --list SEED N FOLDER

Each mistake changes one line: a comparison, a sign, a constant, an index, the order of two arguments, a call or a check that
is left out. A copy of the tree gets all of them at once: each is behind a switch that the variable MUTATION of the environment
turns on, so that one compilation serves all. A line that does not compile with its mistake is left as it was. Then the tests
run once for each: those given as Bazel's labels, or all of //FOLDER/... .

The same SEED draws the same mistakes from the same code. The output ends with those that no test saw, and with the score. A
survivor is a hole of the tests, or it changes nothing that a caller can see (an equivalent mutant): read it and decide.
--list draws and prints, and runs nothing. Exits with 1 if some survived.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

# This text stands in the first line of a file that has mistakes, so that the other lines keep their numbers.
SWITCH = """#include <cstdlib>
#ifndef TANDEM_MUTATION_SWITCH
#define TANDEM_MUTATION_SWITCH
inline bool IsMutation(int number) {
  static const int chosen = [] { const char* word = std::getenv("MUTATION"); return word == nullptr ? 0 : std::atoi(word); }();
  return chosen == number;
}
#endif
#line 1
"""
MOST_BUILDS = 12
TIMEOUT = "--test_timeout=300"
NOT_PRODUCTION = re.compile(r"_test\.|_testing\.|_bench\.|/tests/|/include/|/schema/|/faulty/|/testdata/")

# Each text becomes the other, anywhere in an expression. Templates have no spaces around their brackets.
EXCHANGES = [(re.escape(a), b) for a, b in [
    (" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "),
    (" && ", " || "), (" || ", " && "), (" + ", " - "), (" - ", " + "), (" * ", " + "), (" / ", " * "), (" % ", " / "),
    ("std::min(", "std::max("), ("std::max(", "std::min("), (".begin", ".end"), (".end", ".begin"),
    ("true", "false"), ("false", "true"),
]]
EXCHANGES += [(r"\b(?<![.\w'])(\d+)(?![.\w'])\b", lambda found: str(int(found.group(1)) + 1)),  # these change constants
              (r"\[(\w+)\]", r"[\1 + 1]"), (r"\[(\w+) - 1\]", r"[\1]"),  # these change indices
              (r"\((\w+), (\w+)\)", r"(\2, \1)"), (r", (\w+), (\w+)\)", r", \2, \1)")]  # these exchange arguments

CONDITION = re.compile(r"^(\s*(?:\} else )?(?:if|while) \()(.*)(\) (?:\{|return.*;|continue;|break;|\w.*;))$")
LOOP = re.compile(r"^(\s*for \([^;]*; )([^;]+)(;[^;]*\) ?.*)$")
RETURN = re.compile(r"^(\s*return )([^{}]+)(;)$")
VALUE = re.compile(r"^(\s*(?:const )?[\w:]+(?:<[\w: ]+>)? \w+ = )([^{}&]+)(;)$")
STATEMENT = re.compile(r"^(\s*)((?:[\w.:]+|\*\w+)(?:->|\.|::|\[[^=]*\]|\w)* (?:[-+*|]?=) [^{}]+;|"
                       r"(?!return|throw|delete|using|typedef|case|goto)[\w.:>-]+\([^{}]*\);)$")
CHECK = re.compile(r"\) (?:return|Throw|Refuse)")


class Mistake:
    """This is one line of a file with a switch, and the text of the line when that is on."""

    def __init__(self, file, line, text, wrong, kind):
        self.file, self.line, self.text, self.wrong, self.kind = file, line, text, wrong, kind

    def __str__(self):
        return "%s:%d: %s\n    -%s\n    +%s" % (self.file, self.line + 1, self.kind, self.text.strip(), self.wrong.strip())

    def switched(self, number):
        on = "IsMutation(%d)" % number
        for form in (CONDITION, LOOP, RETURN, VALUE):
            right, wrong = form.match(self.text), form.match(self.wrong)
            if right and wrong and right.group(1) == wrong.group(1) and right.group(3) == wrong.group(3):
                return "%s(%s ? (%s) : (%s))%s" % (right.group(1), on, wrong.group(2), right.group(2), right.group(3))
        return "{ if (%s) { %s } else { %s } }" % (on, self.wrong.strip(), self.text.strip())


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Copy:
    """This is a copy of the tree, with an output folder of its own."""

    def __init__(self, root, options):
        self.folder = tempfile.mkdtemp(prefix="mutate-")
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


def changes(expression):
    """Yields (kind, changed expression) of every place of every exchange."""
    for pattern, becomes in EXCHANGES:
        for found in re.finditer(pattern, expression):
            word = found.expand(becomes) if isinstance(becomes, str) and "\\" in becomes else (
                becomes if isinstance(becomes, str) else becomes(found))
            changed = expression[:found.start()] + word + expression[found.end():]
            if changed != expression:
                yield "%s becomes %s" % (found.group(0).strip(), word.strip()), changed


def mistakes_of_line(file, number, text):
    code = text.split("//")[0].rstrip()
    if code != text.rstrip() or "constexpr" in code or "static" in code.split("(")[0] or '"' in code or "assert" in code.lower():
        return
    for form in (CONDITION, LOOP, RETURN, VALUE):
        found = form.match(code)
        if not found or form is LOOP and " : " in found.group(1):
            continue
        if form is CONDITION and CHECK.search(found.group(3)):
            yield Mistake(file, number, text, found.group(1) + "false" + found.group(3), "the check is left out")
        for kind, changed in changes(found.group(2)):
            yield Mistake(file, number, text, found.group(1) + changed + found.group(3), kind)
        return
    found = STATEMENT.match(code)
    if found:
        if found.group(2).endswith(");") and " = " not in code:
            yield Mistake(file, number, text, "", "the call is left out")
        for kind, changed in changes(found.group(2)):
            yield Mistake(file, number, text, changed, kind)


def statement_begins(lines, number):
    """Returns whether the line before ends a statement, so that this one is a whole one."""
    before = next((line.split("//")[0].rstrip() for line in reversed(lines[:number]) if line.strip()), "")
    return before.endswith((";", "{", "}", ":", ")")) or before.lstrip().startswith("#") or not before


def mistakes_of_file(file, content):
    lines = content.split("\n")
    for number, text in enumerate(lines):
        inside = text.startswith("  ")  # the line is in a function, or in a class
        if inside and statement_begins(lines, number):
            yield from mistakes_of_line(file, number, text)


def draw(root, seed, count, folder):
    """Returns `count` mistakes, no two in one line. A kind is drawn first, so that rare ones are not lost among constants."""
    listed = subprocess.run(["git", "ls-files", "--", folder], cwd=root, check=True, capture_output=True, text=True).stdout
    by_kind = {}
    for file in listed.splitlines():
        if not file.endswith((".cc", ".h", ".inc")) or NOT_PRODUCTION.search("/" + file):
            continue
        for mistake in mistakes_of_file(file, read(os.path.join(root, file))):
            by_kind.setdefault(re.sub(r"\w*\d\w*|\[.*?\]|\(.*?\)", "#", mistake.kind), []).append(mistake)
    chance = random.Random(seed)
    drawn = {}
    kinds = sorted(by_kind)
    while kinds and len(drawn) < count:
        kind = chance.choice(kinds)
        of_kind = by_kind[kind]
        mistake = of_kind.pop(chance.randrange(len(of_kind)))
        drawn.setdefault((mistake.file, mistake.line), mistake)
        kinds = [kind for kind in kinds if by_kind[kind]]
    return list(drawn.values())


def write(tree, root, files, numbered):
    """Writes the files with the switches of these (number, mistake). A file without one is as it was."""
    for file in files:
        lines = read(os.path.join(root, file)).split("\n")
        of_file = [(number, mistake) for number, mistake in numbered if mistake.file == file]
        for number, mistake in of_file:
            lines[mistake.line] = mistake.switched(number)
        with open(os.path.join(tree, file), "w", encoding="utf-8") as out:
            out.write((SWITCH if of_file else "") + "\n".join(lines))


def build(copy, root, numbered, targets):
    """Returns the mistakes that compile, all in one build."""
    files = sorted({mistake.file for _, mistake in numbered})
    for _ in range(MOST_BUILDS):
        write(copy.tree, root, files, numbered)
        result = copy.bazel("build", "--keep_going", *copy.options, *targets)
        if result.returncode == 0:
            return numbered
        said = result.stdout + result.stderr
        wrong = {(file, int(line) - 1) for file, line in re.findall(r"^(\S+?):(\d+):\d+: (?:fatal )?error", said, re.M)}
        left = [entry for entry in numbered if (entry[1].file, entry[1].line) not in wrong]
        if len(left) == len(numbered):
            # If the error is elsewhere, all mistakes of the files that did not compile are dropped.
            broken = set(re.findall(r"Compiling (\S+) failed", said))
            left = [entry for entry in numbered if entry[1].file not in broken]
        if len(left) == len(numbered):
            sys.exit("the tree does not compile, and no mistake is the cause:\n" + said[-3000:])
        numbered = left
    sys.exit("after %d builds some mistakes still do not compile" % MOST_BUILDS)


def run(root, drawn, targets, options):
    """Returns the mistakes that no test saw."""
    survivors = []
    with Copy(root, options) as copy:
        numbered = build(copy, root, list(enumerate(drawn, 1)), targets)
        print("%d of %d mistakes compile" % (len(numbered), len(drawn)), flush=True)
        for number, mistake in [(0, None)] + numbered:
            begin = time.monotonic()
            options = ["--test_env=MUTATION=%d" % number, "--notest_keep_going", "--test_output=errors", TIMEOUT]
            result = copy.bazel("test", *copy.options, *options, *targets)
            said = result.stdout + result.stderr
            if number == 0:
                if result.returncode != 0:
                    sys.exit("FAILED: without a mistake, Bazel says %d\n%s" % (result.returncode, said[-5000:]))
                continue
            if result.returncode not in (0, 3):
                sys.exit("FAILED: Bazel says %d\n%s" % (result.returncode, said[-5000:]))
            seen = re.search(r"^\[  FAILED  \] ([\w/.]+)", said, re.M) or re.search(r"^FAIL: (\S+)|^TIMEOUT: (\S+)", said, re.M)
            by = "SURVIVED" if result.returncode == 0 else "killed by " + (seen.group(0).split(" ")[-1] if seen else "a test")
            print("%d/%d (%.0f s) %s: %s" % (number, len(drawn), time.monotonic() - begin, by, mistake), flush=True)
            if result.returncode == 0:
                survivors.append(mistake)
        print("\n%d of %d mistakes were seen (%.0f %%)" %
              (len(numbered) - len(survivors), len(numbered), 100 * (1 - len(survivors) / max(1, len(numbered)))))
    return survivors


def main():
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        options = arguments[arguments.index("--") + 1:]
        arguments = arguments[:arguments.index("--")]
    only_list = arguments[:1] == ["--list"]
    arguments = arguments[only_list:]
    if len(arguments) < 3:
        sys.exit(__doc__)
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    seed, count, folder = int(arguments[0]), int(arguments[1]), arguments[2].rstrip("/")
    drawn = draw(root, seed, count, folder)
    if only_list:
        print("\n".join(map(str, drawn)))
        return 0
    survivors = run(root, drawn, arguments[3:] or ["//%s/..." % folder], options)
    for mistake in survivors:
        print("SURVIVED: %s" % mistake)
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
