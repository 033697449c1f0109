#!/bin/sh
# tools/mutations/*.toml are true: every row of docs/specification/*.csv that names a test has a mutation, whose text is in
# its file once and whose test is one of the row's. That the tests fail is shown by `tools/mutations.py . --run`.
set -eu
. tools/tree.sh
exec python3 -B tools/mutations.py .
