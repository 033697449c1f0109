#!/usr/bin/env python3
"""Writes what follows from the tables of api/core: tensor.h, cell.h, activation.h.

    generate.py SCHEMA.json OUT

Whole files come from templates/. In files that are otherwise written by hand, the lines between "api/schema: NAME" and
"api/schema: end" are replaced: they are read from the current directory and written to OUT.
"""
import json
import os
import re
import subprocess
import sys

import jinja2

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = "api/schema/files.json"


def groups_of(schema):
    """Cells that take the same tensors, in the order of the first of each."""
    groups = {}
    described = [t for t in schema["tensors"] if not t["by_attribute"]]
    names = [t["name"].replace("augru_", "") for t in described]
    for cell in schema["cells"]:
        present = [t for t in described if t["presence"][cell["name"]] != "absent"]
        short = [t["name"].replace("augru_", "") for t in present]
        forward = [s for s, t in zip(short, present) if not t["of"]]
        backward = [s for s, t in zip(short, present) if t["of"]]
        key = (tuple(forward), cell["activation"])
        group = groups.setdefault(key, {
            "name": cell["name"], "cells": [], "activation": cell["activation"], "forward": forward, "backward": backward,
            "generations": generations_of(forward)})
        # A tensor that was added since oneDNN's has an overload of its own in C++, and none in C.
        group["added"] = [t for t in forward if names.index(t) > names.index("diff_dst_iter_c")]
        group["overloads"] = [group["added"] + left_out for left_out in group["generations"]]
        if group["added"]:
            group["overloads"].insert(0, [])
        group["cells"].append(cell)
    return list(groups.values())


def generations_of(forward):
    """What each generation of oneDNN left out, the latest first."""
    if "weights_projection" not in forward:
        return [[]]
    return [[], ["weights_projection"], ["weights_peephole", "weights_projection"]]


def without(tensors, left_out):
    return [t for t in tensors if t.replace("diff_", "") not in left_out]


def formatted(path, text):
    """As clang-format leaves it, except where that is not for the file's kind."""
    if not path.endswith((".h", ".hpp")):
        return text
    return subprocess.run(["clang-format-14", "--assume-filename", path], input=text, capture_output=True, check=True,
                          text=True).stdout


def main():
    schema_path, out = sys.argv[1:]
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    with open(FILES, encoding="utf-8") as file:
        files = json.load(file)
    groups = groups_of(schema)
    by_name = {group["name"]: group for group in groups}
    names = [t["name"] for t in schema["tensors"]]

    def long(tensor):
        return tensor if tensor in names else tensor.replace("attention", "augru_attention")

    def comment(cell, which):
        return files["comments"][f"{cell['name']}_{which}"]

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(os.path.join(HERE, "templates")),
                                     undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    environment.globals.update(
        schema=schema, files=files, groups=groups, without=without, long=long, comment=comment,
        every_forward=[t["name"].replace("augru_", "") for t in schema["tensors"] if not t["of"] and not t["by_attribute"]],
        every_diff=[(t["diff"] or "none").replace("augru_", "") for t in schema["tensors"] if not t["of"] and not t["by_attribute"]],
        tensors_of=lambda group, which: without(group["forward"], group["added"]) +
        (group["backward"] if which == "backward" else []),
        version=lambda group, left_out: "" if left_out == group["generations"][-1] else f"_v{3 - len(left_out)}")

    def write(path, text):
        target = os.path.join(out, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(formatted(path, text))

    for file in files["whole"]:
        wanted = [by_name[name] for name in file.get("groups", [])]
        write(file["path"], environment.get_template(file["template"]).render(
            file={**file, "groups": wanted}, group=wanted[0] if wanted else None))
    for path in files["parts"]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        write(path, re.sub(
            r"(?m)^([^\n]*api/schema: (?!end)(\w+)[^\n]*\n).*?^([^\n]*api/schema: end)",
            lambda m: m[1] + environment.get_template(f"{m[2]}.jinja").render() + m[3], text, flags=re.DOTALL))


if __name__ == "__main__":
    main()
