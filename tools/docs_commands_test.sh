#!/bin/sh
# The commands in the Markdown files work, and print the quoted output. Arguments: the program `tandem`, a plugin.
set -eu
tandem=$PWD/$1
plugin=$PWD/$2
. tools/tree.sh
SourceFiles '\.md$' >"$TEST_TMPDIR/documents"
python3 tools/docs_commands.py "$tandem" "$plugin" "$TEST_TMPDIR" "$TEST_TMPDIR/documents"
