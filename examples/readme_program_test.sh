#!/bin/sh
# The program in README.md is the one that is built and run.
set -eu
awk '/^```$/ { inside = 0 } inside { print } /^```cpp$/ { inside = 1 }' "$1" >"$TEST_TMPDIR/program"
diff "$TEST_TMPDIR/program" "$2"
echo "$(wc -l <"$2") lines"
