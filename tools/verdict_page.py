#!/usr/bin/env python3
"""Judges a library, keeps its verdict in docs/verdicts/data, and writes docs/verdicts/README.md from all verdicts there.

usage: verdict_page.py --impl=WORD [--cases=1000] [--seeds=1,2] [--reports=DIR] [--reuse] [--out=docs/verdicts]
                       [--tandem=./tandem]
       verdict_page.py [--out=docs/verdicts]

Runs the problems of all profiles and, for each seed, random problems; each report goes to a folder below DIR. With
--reuse, a report that is there already is not made again. NAME.json has the numbers, NAME.notes is written by hand.
Without --impl only the page is written.
"""
import argparse
import collections
import datetime
import json
import os
import re
import subprocess

from verdict_dashboard import write_dashboard
from verdict_plot import plot

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
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
        return [str(cell) for cell in cells]


def groups_of(runs):
    groups = collections.defaultdict(Group)
    for run in runs:
        for group in run.result["coverage"]:
            groups[" ".join(group[key] for key in ("cell", "propagation", "types"))].add(group)
    return {name: group for name, group in groups.items() if group.served()}


def profiles_of(result):
    """[profile, groups met, wrong, neither] of each."""
    for profile in result["profiles"]:
        rest = profile["groups"] - profile["met"] - profile["failed"]
        mark = "**conforms**, " if profile["conforms"] else ""
        yield [profile["name"], f"{mark}{profile['met']} of {profile['groups']}", str(profile["failed"]), str(rest)]


def departures_of(runs):
    explained, unexplained = collections.Counter(), []
    for run in runs:
        for entry in run.result["explained"]:
            explained[entry["id"]] += entry["problems"]
        unexplained += run.result["complaints"] + run.result["unshrunk"]
    for name, count in explained.items():
        yield f"{name}: {count} problems"
    for problem in unexplained:
        yield f"not explained: {problem['message']}; `{problem['replay']}`"


def in_numbers(result):
    v, explained = result["verdicts"], sum(entry["problems"] for entry in result["explained"])
    text = f"of {result['problems']} problems {v['PASS'] + v['QUALITY_WARNING']} pass, {v['NOT_SUPPORTED']} are refused"
    for count, words in ((v["VACUOUS"], "vacuous"), (sum(v[bad] for bad in BAD), f"wrong ({explained} explained)")):
        text += f", {count} {words}" if count else ""
    return text


def facts(options, runs, groups):
    """What NAME.json keeps."""
    result = runs[0].result
    isa = f", using {result['cpu_isa']}" if result["cpu_isa"] else ""
    return {
        "title": f"{NAMES.get(result['implementation'], result['implementation'])} {result['version']}",
        "written_by": f"tools/verdict_page.py --impl={options.impl} --cases={options.cases} --seeds={options.seeds}",
        "date": runs[-1].date,
        "machine": machine(),
        "calls_itself": f"{result['implementation']} {result['version']}{isa}",
        "served": sum(group.served() for group in groups.values()),
        "adds": result["adds"],
        "runs": [[run.command, in_numbers(run.result)] for run in runs],
        "profiles": list(profiles_of(result)),
        "groups": [group.row(name) for name, group in groups.items()],
        "departures": list(departures_of(runs)),
    }


def write_verdict(options):
    runs = [judge(options, "profiles", ["--profile=whole-table", "--cases=0"])]
    for seed in options.seeds.split(","):
        runs.append(judge(options, "seed" + seed, [f"--cases={options.cases}", f"--seed={seed}"]))
    groups = groups_of(runs)
    name = f"{runs[0].result['implementation']}_{runs[0].result['version'].split('+')[0]}"
    os.makedirs(os.path.join(options.out, "data"), exist_ok=True)
    with open(os.path.join(options.out, name + ".svg"), "w") as file:
        file.write(plot({key: group.bins for key, group in groups.items() if group.bins}))
    path = os.path.join(options.out, "data", name)
    with open(path + ".json", "w") as file:
        file.write(json.dumps(facts(options, runs, groups), indent=1) + "\n")
    open(path + ".notes", "a").close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--impl")
    parser.add_argument("--cases", default="1000")
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--reports", default="report")
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--out", default=os.path.join(ROOT, "docs", "verdicts"))
    parser.add_argument("--tandem", default=os.path.join(ROOT, "tandem"))
    options = parser.parse_args()
    if options.impl:
        write_verdict(options)
    write_dashboard(options.out)


if __name__ == "__main__":
    main()
