#!/usr/bin/env python3
"""Judges a library and writes its page and its plot into docs/verdicts.

usage: verdict_page.py --impl=WORD [--cases=1000] [--seeds=1,2] [--reports=DIR] [--reuse] [--out=docs/verdicts]
                       [--tandem=./tandem]

Runs the problems of all profiles and, for each seed, random problems; each report goes to a folder below DIR. With
--reuse, a report that is there already is not made again. On the page, the text between the two marks NOTES is written by
hand and kept.
"""
import argparse
import collections
import datetime
import json
import os
import re
import subprocess

from verdict_plot import plot

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NOTES = ("<!-- notes -->", "<!-- end of notes -->")
NAMES = {"torch": "PyTorch", "torch-bf16": "PyTorch in bf16", "onnxruntime": "ONNX Runtime", "tfjs": "TensorFlow.js",
         "armnn": "Arm NN", "opencv": "OpenCV DNN", "onednn": "oneDNN"}
BAD = ("FAIL", "NONDETERMINISTIC", "TIMEOUT", "CRASH")

Run = collections.namedtuple("Run", "command result date")


def judge(options, name, words):
    """The run and the library's part of its report."""
    folder = os.path.join(options.reports, re.sub("[/:]", "_", f"{options.impl}_{name}"))
    path = os.path.join(folder, "report.json")
    command = ["check", f"--impl={options.impl}", "--jobs=1", *words]
    if not (options.reuse and os.path.exists(path)):
        subprocess.run([options.tandem, *command, f"--report={folder}"], check=False)
    with open(path) as file:
        result = json.load(file)["implementations"][0]
    date = datetime.date.fromtimestamp(os.path.getmtime(path)).isoformat()
    return Run("./tandem " + " ".join(command), result, date)


def machine():
    """The CPU, how many cores of it, and what it can do."""
    facts = {}
    with open("/proc/cpuinfo") as file:
        for line in file:
            name, _, value = line.partition(":")
            facts.setdefault(name.strip(), value.strip())
    flags = facts.get("flags", "").split()
    isa = "AVX-512" if "avx512bw" in flags else "AVX2" if "avx2" in flags else "neither AVX2 nor AVX-512"
    return f"{facts.get('model name', 'an unknown CPU')} with {isa}, {os.cpu_count()} cores"


class Group:
    """A cell, propagation and combination of types, over all runs."""

    def __init__(self):
        self.verdicts, self.bins = collections.Counter(), collections.Counter()
        self.grades, self.worst, self.needed, self.asked = set(), 0.0, 0, 0

    def add(self, group):
        self.verdicts.update(group["verdicts"])
        self.bins.update({int(number): count for number, count in group["ratio_bins"].items()})
        self.grades.add(group["grade"])
        worst = group["worst_ratio"]
        self.worst = max(self.worst, float("inf") if worst is None else worst)
        self.asked += group["default_bounds"]["problems"]
        self.needed += group["default_bounds"]["problems"] - group["default_bounds"]["held"]

    def served(self):
        return sum(self.verdicts.values()) - self.verdicts["NOT_SUPPORTED"]

    def row(self, name):
        v, grade = self.verdicts, max(self.grades - {"-"}, default="-")
        passed, failed = v["PASS"] + v["QUALITY_WARNING"], sum(v[bad] for bad in BAD)
        needed = f"{self.needed} of {self.asked}" if self.asked else "-"
        worst = "inf" if self.worst == float("inf") else f"{self.worst:.2g}"
        cells = [*name.split(" "), passed, v["VACUOUS"], failed, v["NOT_SUPPORTED"], worst, needed, grade]
        return "| " + " | ".join(str(cell) for cell in cells) + " |"


def groups_of(runs):
    groups = collections.defaultdict(Group)
    for run in runs:
        for group in run.result["coverage"]:
            groups[" ".join(group[key] for key in ("cell", "propagation", "types"))].add(group)
    return {name: group for name, group in groups.items() if group.served()}


def profile_lines(result):
    yield "| profile | groups met | wrong | not served or not judged |"
    yield "|---|---|---|---|"
    for profile in result["profiles"]:
        rest = profile["groups"] - profile["met"] - profile["failed"]
        mark = "**conforms**, " if profile["conforms"] else ""
        yield f"| {profile['name']} | {mark}{profile['met']} of {profile['groups']} | {profile['failed']} | {rest} |"


def departure_lines(runs):
    explained, complaints, unexplained = collections.Counter(), 0, []
    for run in runs:
        for entry in run.result["explained"]:
            explained[entry["id"]] += entry["problems"]
        unexplained += run.result["complaints"] + run.result["unshrunk"]
    for name, count in explained.items():
        yield f"* {name}: {count} problems"
    for problem in unexplained:
        yield f"* not explained: {problem['message']}; `{problem['replay']}`"
    if not explained and not unexplained:
        yield "No problem failed."


def notes_of(path):
    """What is written by hand, marks included."""
    try:
        with open(path) as file:
            text = file.read()
        return NOTES[0] + text.split(NOTES[0])[1].split(NOTES[1])[0] + NOTES[1]
    except (OSError, IndexError):
        return NOTES[0] + "\n\n" + NOTES[1]


def in_numbers(result):
    v, explained = result["verdicts"], sum(entry["problems"] for entry in result["explained"])
    text = f"of {result['problems']} problems {v['PASS'] + v['QUALITY_WARNING']} pass, {v['NOT_SUPPORTED']} are refused"
    for count, words in ((v["VACUOUS"], "vacuous"), (sum(v[bad] for bad in BAD), f"wrong ({explained} explained)")):
        text += f", {count} {words}" if count else ""
    return text


def page(options, runs, groups, notes, plot_file):
    result, served = runs[0].result, sum(group.served() for group in groups.values())
    isa = f", using {result['cpu_isa']}" if result["cpu_isa"] else ""
    yield f"# {NAMES.get(result['implementation'], result['implementation'])} {result['version']}"
    yield ""
    yield f"Written by `tools/verdict_page.py --impl={options.impl} --cases={options.cases} --seeds={options.seeds}`."
    yield f"{runs[-1].date}, {machine()}. The library calls itself {result['implementation']} {result['version']}{isa}."
    yield f"It served and was judged on {served} problems."
    if result["adds"]:
        yield f"The adapter's description adds to the bounds: {result['adds']}."
    yield ""
    yield "| run | result |"
    yield "|---|---|"
    for run in runs:
        yield f"| `{run.command}` | {in_numbers(run.result)} |"
    yield ""
    yield "## Profiles"
    yield ""
    yield from profile_lines(result)
    yield ""
    yield "## Groups"
    yield ""
    yield "Worst is the largest [ratio](method.md#the-ratio); needed says how many problems pass only because of what the"
    yield "description adds. The grades are those of [method.md](method.md#grades), the worst of the runs."
    yield ""
    yield "| cell | propagation | types | pass | vacuous | wrong | refused | worst | needed | grade |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for name, group in groups.items():
        yield group.row(name)
    yield ""
    yield f"![share of elements with a larger ratio]({plot_file})"
    yield ""
    yield "## Departures"
    yield ""
    yield from departure_lines(runs)
    yield ""
    yield notes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--impl", required=True)
    parser.add_argument("--cases", default="1000")
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--reports", default="report")
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--out", default=os.path.join(ROOT, "docs", "verdicts"))
    parser.add_argument("--tandem", default=os.path.join(ROOT, "tandem"))
    options = parser.parse_args()

    runs = [judge(options, "profiles", ["--profile=whole-table", "--cases=0"])]
    for seed in options.seeds.split(","):
        runs.append(judge(options, "seed" + seed, [f"--cases={options.cases}", f"--seed={seed}"]))
    groups = groups_of(runs)
    name = f"{runs[0].result['implementation']}_{runs[0].result['version'].split('+')[0]}"
    path = os.path.join(options.out, name)
    text = "\n".join(page(options, runs, groups, notes_of(path + ".md"), name + ".svg")) + "\n"
    with open(path + ".svg", "w") as file:
        file.write(plot({key: group.bins for key, group in groups.items() if group.bins}))
    with open(path + ".md", "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
