#!/bin/sh
# Links, headings, paths, tests and packages that the Markdown files name exist, and the index names every guide.
set -eu
. tools/tree.sh
SourceFiles '.' >"$TEST_TMPDIR/files"
python3 tools/docs_check.py "$TEST_TMPDIR/files"
