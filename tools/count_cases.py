#!/usr/bin/env python3
"""Counts test cases, not test programs: prints failed and skipped cases by name, then the totals.

usage: count_cases.py EVENTS BAZEL_STATUS

EVENTS is what Bazel writes for --build_event_json_file, BAZEL_STATUS its exit status. Each result names its test.xml, in which
GoogleTest writes a <testcase> for each case, and Bazel one for a plain test. Lines of a plain test that begin with LEFT OUT are
repeated: they name parts that need something that this machine does not have. Exits with 1 if something failed.
"""
import json
import re
import sys
import urllib.parse

failures, skips, passed = [], [], 0


def field(text, name):
    found = re.search(r' %s="([^"]*)"' % name, text)
    return found.group(1) if found else ""


def reason_of(case):
    """Returns why a case was skipped, by a line of a plain test or by GoogleTest; None if it was not."""
    said = re.search(r"^SKIPPED[: ]*(.*?)(]]>)?$", case, re.M)
    if ' result="suppressed"' in case.partition("\n")[0]:
        return ": disabled"
    if ' result="skipped"' in case.partition("\n")[0]:
        return ": " + field(case, "message").replace("&#x0A;", " ")
    return said and ": " + said.group(1)


def count_file(label, path):
    """Counts the cases of a test.xml. Returns true if one failed."""
    global passed
    with open(path, encoding="utf-8", errors="replace") as file:
        cases = re.split(r"(?m)^ *<testcase", file.read())[1:]
    failed = False
    for case in cases:
        start = case.partition("\n")[0]
        name = ".".join(filter(None, (field(start, "classname"), field(start, "name"))))
        skips.extend("LEFT OUT %s%s" % (label, text) for text in re.findall(r"^LEFT OUT(: .*?)(?:]]>)?$", case, re.M))
        if re.search(r"<(failure|error) ", case):
            failures.append("%s %s" % (label, name))
            failed = True
        elif reason_of(case) is not None:
            skips.append("SKIPPED  %s %s%s" % (label, name, reason_of(case)))
        else:
            passed += 1
    return failed


def main(events, bazel_status):
    expected = {}
    with open(events, encoding="utf-8") as file:
        for event in map(json.loads, file):
            completed, result = event["id"].get("targetCompleted"), event["id"].get("testResult")
            if completed and not event.get("completed", {}).get("success"):
                failures.append(completed["label"] + " did not build")
            elif completed and any("testResult" in child for child in event.get("children", [])):
                expected[completed["label"]] = True
            if result:
                label, outcome = result["label"], event.get("testResult", {})
                expected.pop(label, None)
                files = [urllib.parse.unquote(output["uri"][len("file://"):])
                         for output in outcome.get("testActionOutput", []) if output["name"] == "test.xml"]
                # A sanitizer's report at exit, or a time-out, comes after the cases were written.
                if not any([count_file(label, path) for path in files]) and outcome.get("status") not in ("PASSED", "FLAKY"):
                    failures.append("%s %s" % (label, outcome.get("status", "did not run")))
    failures.extend(label + " did not run" for label in expected)
    if bazel_status != "0" and not failures:
        failures.append("bazel exited with %s before any test ran" % bazel_status)
    print("".join("  %s\n" % line for line in skips + ["FAILED   " + line for line in failures]), end="")
    print("%d passed, %d failed, %d skipped" % (passed, len(failures), sum(line.startswith("SKIPPED") for line in skips)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
