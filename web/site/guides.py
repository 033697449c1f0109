"""The guides have the order of docs/README.md, whose headings are the groups."""
import os
import re

INDEX = "docs/README.md"


def groups(root, files):
    """Returns (title, paths) for each group. A guide may stand in several; a file that no group has is source."""
    parts = re.split(r"^## (.*)$", (root / INDEX).read_text(encoding="utf-8"), flags=re.MULTILINE)
    named = [("Start", ["README.md", INDEX] + linked(parts[0], files))]
    named += [(title, linked(text, files)) for title, text in zip(parts[1::2], parts[2::2])]
    listed = {path for _, paths in named for path in paths}
    return named + [("Source", [path for path in files if path not in listed])]


def linked(text, files):
    """Returns the guides that a part of the index leads to, in its order."""
    targets = (os.path.normpath(os.path.join(os.path.dirname(INDEX), target)) for target in re.findall(r"\]\(([^)#]+)", text))
    return list(dict.fromkeys(target for target in targets if target in files))
