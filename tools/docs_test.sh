#!/bin/sh
# What the Markdown files name exists: links, headings, paths, tests, packages; and the index names every guide.
set -eu
. tools/tree.sh
SourceFiles '.' >"$TEST_TMPDIR/files"
python3 tools/docs_check.py "$TEST_TMPDIR/files"
