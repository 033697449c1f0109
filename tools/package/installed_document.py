"""Rewrites the documents of an installation, so that they name files that are there.

usage: installed_document.py FOLDER

FOLDER is share/tandem of the installation.
* A relative link to a file that is not installed becomes its text, and so does one to a heading of README.md, since the installed
  one is another document.
* `./tandem COMMAND` becomes `tandem COMMAND` if the program has the command. It stays for the launcher's other commands, and
  with --install and --arch, which only the launcher understands.
"""
import os
import re
import sys

COMMAND = re.compile(r"\./(tandem (?:check|merge|compare|bench|tune|list|trace|diagnose|mutants|vectors|help)(?![a-z])"
                     r"(?![^`\n]*--(?:install|arch)))")
# This matches a link, whose text may have brackets in pairs.
LINK = re.compile(r"!?\[((?:[^][]|\[[^][]*\])*)\]\(([^)\s]+)\)")


def finish(folder, document):
    def link(match):
        target, _, heading = match.group(2).partition("#")
        if not target or "://" in target:
            return match.group(0)
        path = os.path.normpath(os.path.join(os.path.dirname(document), target))
        alive = os.path.exists(os.path.join(folder, path)) and not (heading and path == "README.md")
        return match.group(0) if alive else match.group(1)

    path = os.path.join(folder, document)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(COMMAND.sub(r"\1", LINK.sub(link, text)))


if __name__ == "__main__":
    for place, _, names in os.walk(sys.argv[1]):
        for name in names:
            if name.endswith(".md"):
                finish(sys.argv[1], os.path.relpath(os.path.join(place, name), sys.argv[1]))
