#!/usr/bin/python3 -B
"""CMake compiles the same sources as Bazel, with the same options.

The arguments are the file of //:compile_flags, Highway's folder, and options for CMake.
"""

import json
import os
import re
import shlex
import subprocess
import sys

# Bazel's toolchain has these in the mode opt.
OF_MODE = {"-DNDEBUG", "-O2", "-fstack-protector"}
# Code depends on these options of either compiler. Options of warnings, of paths, or of code that may lie anywhere do not count.
COUNTS = re.compile(r"-(D|O|m|std=|f(?!PIC$|PIE$|diagnostics))")


def bazelrc(tree):
    """Returns the options of .bazelrc for every build: pairs of a function that chooses sources, and a set of options."""
    rules = []
    for line in open(tree + "/.bazelrc", encoding="utf-8"):
        plain = re.match(r"build --(?:cxx|c)opt=(\S+)$", line)
        some = re.match(r"build --per_file_copt=(\S+)@(\S+)$", line)
        if plain:
            rules.append((lambda path: True, {plain.group(1)}))
        elif some:
            patterns = some.group(1).replace("\\\\", "\\").split(",")
            yes = [pattern for pattern in patterns if not pattern.startswith("-")]
            no = [pattern[1:] for pattern in patterns if pattern.startswith("-")]
            chooses = lambda path, yes=yes, no=no: any(re.search(p, path) for p in yes) and not any(re.search(p, path) for p in no)
            rules.append((chooses, set(some.group(2).split(","))))
    return rules


def of_bazel(written, tree):
    """Returns the options of each source by Bazel."""
    rules = bazelrc(tree)
    flags = {}
    for line in open(written, encoding="utf-8"):
        path, *own = line.rstrip("\n").split("\t")
        flags[path] = OF_MODE.union(own, *(options for chooses, options in rules if chooses(path)))
    return flags


def of_cmake(tree, highway, options):
    """Returns the options of each source, of all targets, by CMake."""
    build = os.environ["TEST_TMPDIR"] + "/build"
    subprocess.run(["cmake", "-S", tree, "-B", build, "-DTANDEM_HIGHWAY=" + highway, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"] +
                   options, check=True)
    flags = {}
    for command in json.load(open(build + "/compile_commands.json", encoding="utf-8")):
        path = command["file"].replace(highway, "external/highway").replace(tree + "/", "")
        flags[path] = set(shlex.split(command["command"]))
    return flags


def main(written, highway, *options):
    tree = os.path.dirname(os.path.realpath("WORKSPACE"))
    bazel = of_bazel(written, tree)
    cmake = of_cmake(tree, os.path.realpath(highway), list(options))
    failures = ["only Bazel compiles " + path for path in sorted(bazel.keys() - cmake.keys())]
    failures += ["only CMake compiles " + path for path in sorted(cmake.keys() - bazel.keys())]
    for path in sorted(bazel.keys() & cmake.keys()):
        left, right = ({flag for flag in flags[path] if COUNTS.match(flag)} for flags in (bazel, cmake))
        # Bazel hides no symbol of Highway, and tells of Highway only those who include it.
        unlike = "-fvisibility" if path.startswith("external/") else "-DHWY_"
        if not any(flag.startswith(unlike) for flag in left):
            right = {flag for flag in right if not flag.startswith(unlike)}
        if left != right:
            failures.append("%s: only Bazel has %s, only CMake %s" % (path, sorted(left - right), sorted(right - left)))
    for failure in failures:
        print("FAILED: " + failure)
    print("%d sources compared" % len(bazel.keys() & cmake.keys()))
    return 1 if failures or len(bazel) < 100 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
